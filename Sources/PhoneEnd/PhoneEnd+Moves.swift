import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneTransport

/// What the phone's end of a QUIC connection remembers of its paths: where it is, its line says.
struct Moves: BitwiseCopyable, Sendable {
    /// The server lets connections move.
    var isAllowed = false
    var path = QUICPath()
    var spare = QUICSpareIDs()
}

/// QUIC connections outlive a change of address: the app moves them (RFC 9000 §9) and the server notices. Both ends make sure of
/// the new path before they trust it. No box changes an address on the way.
///
/// Where this lies: a challenge of the phone stands for a packet that is no mere probe (§9.1), such as a PING beside it, so the
/// server moves with it. What the server sends to an unproven address is not held back at three times what came from there
/// (§8.1): its challenge is kept small enough, its data is one segment at a time.
extension PhoneEnd {
    /// To the default network. A connection that may not move is lost with its path. Returns whether it moved: then it has yet to
    /// `prove` the path.
    public mutating func move(
        _ slot: Int, _ leave: Leave, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) -> Bool {
        guard lines[slot].isQUIC, lines[slot].belief == .open, let path = session.path, leave.mayTalk else {
            return false
        }
        let epoch = session.handle
        guard lines[slot].interface != path || lines[slot].epoch != epoch else { return false }
        guard lines[slot].talk.moves.isAllowed, lines[slot].talk.moves.spare.take() else {
            lines[slot].client.close()
            out.append(.died(slot: slot))
            lose(slot, .pathLost, leave, &out)
            return false
        }
        lines[slot].interface = path
        lines[slot].epoch = epoch
        let timeout = lines[slot].client.timer.timeout(.quic)
        lines[slot].talk.moves.path.validate(at: now, probeTimeout: timeout)
        lines[slot].client.move(isProven: true)
        return true
    }

    public mutating func prove(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        challenge(slot, at: now, &out)
        flush(slot, at: now, &out)
    }

    private mutating func challenge(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        let number = lines[slot].talk.moves.path.challenge
        lines[slot].client.sentProbe(at: now, lines[slot].upward)
        leave(
            Packet(.challenge, cause: .connect, bytes: QUICWire.initial, number: number, stamp: now), slot, &out)
    }

    mutating func receiveChallenge(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        lines[slot].client.receivedProbe(at: now, lines[slot].upward)
        lines[slot].client.sentProbe(at: now, lines[slot].upward)
        leave(
            Packet(
                .challengeAnswer, cause: .connect, bytes: QUICWire.initial, number: packet.number, stamp: now,
                answering: packet), slot, &out)
    }

    mutating func receiveChallengeAnswer(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        lines[slot].client.receivedProbe(at: now, lines[slot].upward)
        guard lines[slot].talk.moves.path.respond(to: packet.number) else { return }
        // With it comes another connection ID for the one that was used up (RFC 9000 §5.1.1).
        lines[slot].talk.moves.spare.add()
        lines[slot].client.measure(now - packet.echo, lines[slot].upward)
        flush(slot, at: now, &out)
    }

    /// Asks again on the path that the phone has chosen. Returns false when nobody is there: the connection has no path.
    mutating func expirePath(_ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) -> Bool {
        guard lines[slot].talk.moves.path.dueAt <= now else { return true }
        guard lines[slot].talk.moves.path.expire(at: now) else { return false }
        challenge(slot, at: now, &out)
        return true
    }
}
