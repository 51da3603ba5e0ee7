import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// What a QUIC connection remembers of its paths. The phone's end is where its line says; the server's idea of that follows.
struct Moves: BitwiseCopyable, Sendable {
    /// The server lets connections move.
    var isAllowed = false
    /// Where the server sends to, and the address before that which was proven last.
    var interface = Interface.wifi
    var epoch: UInt16 = 0
    var previousInterface = Interface.wifi
    var previousEpoch: UInt16 = 0
    /// When the latest packet left that came to the server: an older one from an old address moves nothing (RFC 9000 §9.3).
    var latest = Instant.zero
    var client = QUICPath()
    var server = QUICPath()
    var spare = QUICSpareIDs()
}

/// QUIC connections outlive a change of address: the app moves them (RFC 9000 §9) and the server notices. Both ends make sure of
/// the new path before they trust it. No box changes an address on the way.
///
/// Where this lies: a challenge of the phone stands for a packet that is no mere probe (§9.1), such as a PING beside it, so the
/// server moves with it. What the server sends to an unproven address is not held back at three times what came from there
/// (§8.1): its challenge is kept small enough, its data is one segment at a time.
extension Lane {
    /// To the default network. A connection that may not move is lost with its path.
    mutating func migrate(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].isQUIC, lines[slot].belief == .open, let path = session.path, networkIsAllowed else { return }
        let epoch = session.network.handle
        guard lines[slot].interface != path || lines[slot].epoch != epoch else { return }
        guard lines[slot].talk.moves.isAllowed, lines[slot].talk.moves.spare.take() else {
            lines[slot].client.close()
            become(.dead, slot, &stage)
            return lose(slot, .pathLost, &stage)
        }
        lines[slot].interface = path
        lines[slot].epoch = epoch
        let timeout = lines[slot].client.timer.timeout(.quic)
        lines[slot].talk.moves.client.validate(at: now, probeTimeout: timeout)
        lines[slot].client.move(isProven: true)
        reassess(&stage)
        challengeUp(slot, &stage)
        flushClient(slot, &stage)
    }

    private mutating func challengeUp(_ slot: Int, _ stage: inout Stage) {
        let number = lines[slot].talk.moves.client.challenge
        lines[slot].client.sentProbe(at: now, lines[slot].upward)
        sendUp(
            Packet(.challenge, cause: .connect, bytes: QUICWire.initial, number: number, stamp: now), slot, &stage)
    }

    private mutating func challengeDown(_ slot: Int, _ stage: inout Stage) {
        let number = lines[slot].talk.moves.server.challenge
        // Padded, unless that would be more than an unproven address may be sent (RFC 9000 §8.2.1).
        let bytes = UInt32(min(UInt64(QUICWire.initial), lines[slot].talk.moves.server.allowance))
        guard bytes >= QUICWire.challenge else { return }
        lines[slot].talk.moves.server.send(bytes: bytes)
        lines[slot].server.sentProbe(at: now, lines[slot].downward)
        sendDown(Packet(.challenge, cause: .connect, bytes: bytes, number: number, stamp: now), slot, &stage)
    }

    // MARK: At the server

    /// The packet comes from another address than the last one did.
    mutating func noticeAddress(_ flight: Flight, _ slot: Int, _ stage: inout Stage) {
        let moves = lines[slot].talk.moves
        let packet = flight.packet
        let isNew = moves.interface != flight.interface || moves.epoch != flight.epoch
        guard moves.latest <= packet.stamp else { return }
        lines[slot].talk.moves.latest = packet.stamp
        if isNew {
            // Only what was proven is gone back to (RFC 9000 §9.3.2).
            if moves.server.state == .validated {
                lines[slot].talk.moves.previousInterface = moves.interface
                lines[slot].talk.moves.previousEpoch = moves.epoch
            }
            lines[slot].talk.moves.interface = flight.interface
            lines[slot].talk.moves.epoch = flight.epoch
            let timeout = lines[slot].server.timer.timeout(.quic)
            lines[slot].talk.moves.server.validate(at: now, probeTimeout: timeout)
            lines[slot].server.move(isProven: false)
        }
        lines[slot].talk.moves.server.receive(bytes: packet.bytes)
        if isNew { challengeDown(slot, &stage) }
    }

    /// A challenge or the answer to one has come to the server. Returns false for anything else.
    mutating func proveAtServer(_ packet: Packet, _ slot: Int, _ stage: inout Stage) -> Bool {
        switch packet.content {
        case .challenge:
            lines[slot].server.receivedProbe(at: now, lines[slot].downward)
            lines[slot].server.sentProbe(at: now, lines[slot].downward)
            lines[slot].talk.moves.server.send(bytes: QUICWire.initial)
            sendDown(
                Packet(
                    .challengeAnswer, cause: .connect, bytes: QUICWire.initial, number: packet.number, stamp: now,
                    answering: packet), slot, &stage)
        case .challengeAnswer:
            lines[slot].server.receivedProbe(at: now, lines[slot].downward)
            guard lines[slot].talk.moves.server.respond(to: packet.number) else { return true }
            lines[slot].server.measure(now - packet.echo)
            lines[slot].server.trustPath()
        default: return false
        }
        flushServer(slot, &stage)
        return true
    }

    // MARK: At the phone

    mutating func receiveChallenge(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        lines[slot].client.receivedProbe(at: now, lines[slot].upward)
        lines[slot].client.sentProbe(at: now, lines[slot].upward)
        sendUp(
            Packet(
                .challengeAnswer, cause: .connect, bytes: QUICWire.initial, number: packet.number, stamp: now,
                answering: packet), slot, &stage)
    }

    mutating func receiveChallengeAnswer(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        lines[slot].client.receivedProbe(at: now, lines[slot].upward)
        guard lines[slot].talk.moves.client.respond(to: packet.number) else { return }
        // With it comes another connection ID for the one that was used up (RFC 9000 §5.1.1).
        lines[slot].talk.moves.spare.add()
        lines[slot].client.measure(now - packet.echo)
        flushClient(slot, &stage)
    }

    // MARK: Time

    func pathDeadline(_ path: QUICPath) -> Instant { min(path.repeatAt, path.deadline) }

    /// Asks again on the path that the phone has chosen. Returns false when nobody is there: the connection has no path.
    mutating func expireClientPath(_ slot: Int, _ stage: inout Stage) -> Bool {
        guard pathDeadline(lines[slot].talk.moves.client) <= now else { return true }
        guard lines[slot].talk.moves.client.expire(at: now) else { return false }
        challengeUp(slot, &stage)
        return true
    }

    /// The server asks again, or goes back to the address that it knows (RFC 9000 §9.3.2).
    mutating func expireServerPath(_ slot: Int, _ stage: inout Stage) {
        guard pathDeadline(lines[slot].talk.moves.server) <= now else { return }
        if lines[slot].talk.moves.server.expire(at: now) {
            challengeDown(slot, &stage)
        } else {
            lines[slot].talk.moves.interface = lines[slot].talk.moves.previousInterface
            lines[slot].talk.moves.epoch = lines[slot].talk.moves.previousEpoch
            lines[slot].talk.moves.server.goBack()
            lines[slot].server.move(isProven: true)
        }
    }
}
