import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
public import DeadzoneTransport

/// Packets that reach the server's host, or somebody who stands in its name.
extension Server {
    public mutating func receive(
        _ packet: Packet, slot: Int, generation: UInt16, from address: Address, at now: Instant,
        _ introduction: Introduction,
        _ out: inout Steps<ServerStep>
    ) {
        guard ends[slot].generation == generation else { return bury(packet, slot, generation, at: now, &out) }
        if ends[slot].isDatagram { return receiveDatagram(packet, slot, at: now, introduction, &out) }
        // Without its program QUIC does not answer at all.
        if ends[slot].isQUIC && isFrozen { return }
        // What a portal took in its name the server does not know.
        if ends[slot].isCaptured { return reset(slot, at: now, &out) }
        if packet.content == .hello { return acceptHello(packet, slot, at: now, &out) }
        if ends[slot].isEarly(packet) { acceptHello(packet, slot, at: now, &out) }
        let isLate = ends[slot].isEnding && ends[slot].kernel.expected < packet.offset + UInt64(packet.length)
        // A host that knows of no such connection, or has closed it, resets it (RFC 9293 §3.5.2). What it said before is on its
        // way, and arrives first.
        if isLate { return sayReset(slot, at: now, &out) }
        guard ends[slot].isHeld else {
            if packet.content != .goodbye { reset(slot, at: now, &out) }
            return
        }
        if packet.content == .goodbye { return loseClient(slot, at: now, &out) }
        if ends[slot].isQUIC {
            noticeAddress(address, packet, slot, at: now, &out)
            if prove(packet, slot, at: now, &out) { return }
        }
        let arrival = ends[slot].kernel.receive(packet, at: now, ends[slot].terms.downward, said.pointee.down)
        if arrival.hasNews {
            out.append(.read(slot: slot, .news))
        } else {
            finishReading(slot, .news, at: now, &out)
        }
    }

    private mutating func receiveDatagram(
        _ packet: Packet, _ slot: Int, at now: Instant, _ introduction: Introduction,
        _ out: inout Steps<ServerStep>
    ) {
        guard ends[slot].isHeld, !isFrozen, !isDown else { return }
        switch packet.content {
        case .datagram:
            takeMessages(packet.first..<packet.last, introduction, at: now, &out)
            // No one acknowledges a datagram: that it arrived is all there is to know.
            out.append(.cameUp(before: packet.last))
        case .ping:
            leave(
                Packet(.pong, cause: .pong, bytes: Wire.udp, stamp: now, answering: packet), slot, at: now, &out)
        default: break
        }
    }

    private mutating func acceptHello(
        _ hello: Packet, _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        ends[slot].isJudged = true
        guard !isDown else { return reset(slot, at: now, &out) }
        if !ends[slot].isHeld {
            ends[slot].isForgotten = isFrozen
            ends[slot].heldSince = now
            ends[slot].policy.opened(at: now)
            if ends[slot].terms.pointee.isHTTP2 && ends[slot].terms.pointee.carrier.holdsStream {
                ends[slot].policy.heardRequest()
            }
        }
        ends[slot].isHeld = true
        var packets = Departures()
        ends[slot].kernel.accept(hello, at: now, ends[slot].terms.downward, &packets)
        leave(packets, slot, at: now, &out)
    }

    /// A portal takes any connection in the server's name, and has no certificate of the server. Nothing else passes.
    public mutating func receiveAtPortal(
        _ packet: Packet, slot: Int, generation: UInt16, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) {
        guard Self.slots.contains(slot), ends[slot].generation == generation, !ends[slot].isDatagram else { return }
        if packet.content == .hello, !ends[slot].isHeld {
            ends[slot].isHeld = true
            ends[slot].isCaptured = true
            ends[slot].isForgotten = true
            var packets = Departures()
            ends[slot].kernel.accept(packet, at: now, ends[slot].terms.downward, &packets)
            return leave(packets, slot, at: now, &out)
        }
        guard ends[slot].isCaptured, ends[slot].isHeld else { return }
        let arrival = ends[slot].kernel.receive(packet, at: now, ends[slot].terms.downward, said.pointee.down)
        if arrival.hasNews {
            out.append(.read(slot: slot, .news))
        } else {
            flush(slot, at: now, &out)
        }
    }

    mutating func reset(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        if ends[slot].isHeld { loseClient(slot, at: now, &out) }
        sayReset(slot, at: now, &out)
    }

    private mutating func sayReset(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        let bytes = ends[slot].terms.pointee.goodbyeBytes
        leave(Packet(.goodbye, cause: .connect, bytes: bytes, stamp: now), slot, at: now, &out)
    }

    /// A goodbye of a connection that has been replaced.
    private mutating func bury(
        _ packet: Packet, _ slot: Int, _ generation: UInt16, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        guard packet.content == .goodbye, let ghost, Int(ghost.slot) == slot, ghost.generation == generation else {
            return
        }
        forgetGhost(at: now, &out)
        if isUnattached { memory.leave(at: now) }
    }

    // MARK: QUIC on another path

    /// The packet comes from another address than the last one did.
    private mutating func noticeAddress(
        _ address: Address, _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>
    ) {
        let isNew = ends[slot].address != address
        guard ends[slot].latest <= packet.stamp else { return }
        ends[slot].latest = packet.stamp
        if isNew {
            // Only what was proven is gone back to (RFC 9000 §9.3.2).
            if ends[slot].path.state == .validated { ends[slot].provenAddress = ends[slot].address }
            ends[slot].address = address
            ends[slot].path.validate(at: now, probeTimeout: ends[slot].kernel.timer.timeout(.quic))
            ends[slot].kernel.move(isProven: false)
        }
        ends[slot].path.receive(bytes: packet.bytes)
        if isNew { challenge(slot, at: now, &out) }
    }

    private mutating func challenge(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        // Padded, unless that would be more than an unproven address may be sent (RFC 9000 §8.2.1).
        let bytes = UInt32(min(UInt64(QUICWire.initial), ends[slot].path.allowance))
        guard bytes >= QUICWire.challenge else { return }
        ends[slot].path.send(bytes: bytes)
        ends[slot].kernel.sentProbe(at: now, ends[slot].terms.downward)
        let number = ends[slot].path.challenge
        leave(
            Packet(.challenge, cause: .connect, bytes: bytes, number: number, stamp: now), slot, at: now, &out)
    }

    /// A challenge or the answer to one. Returns false for anything else.
    private mutating func prove(
        _ packet: Packet, _ slot: Int, at now: Instant,
        _ out: inout Steps<ServerStep>
    ) -> Bool {
        let rules = ends[slot].terms.downward
        switch packet.content {
        case .challenge:
            ends[slot].kernel.receivedProbe(at: now, rules)
            ends[slot].kernel.sentProbe(at: now, rules)
            ends[slot].path.send(bytes: QUICWire.initial)
            leave(
                Packet(
                    .challengeAnswer, cause: .connect, bytes: QUICWire.initial, number: packet.number, stamp: now,
                    answering: packet), slot, at: now, &out)
        case .challengeAnswer:
            ends[slot].kernel.receivedProbe(at: now, rules)
            guard ends[slot].path.respond(to: packet.number) else { return true }
            ends[slot].kernel.measure(now - packet.echo, ends[slot].terms.downward)
            ends[slot].kernel.trustPath()
        default: return false
        }
        flush(slot, at: now, &out)
        return true
    }

    /// It asks again, or goes back to the address that it knows (RFC 9000 §9.3.2).
    mutating func expirePath(_ slot: Int, at now: Instant, _ out: inout Steps<ServerStep>) {
        guard ends[slot].path.dueAt <= now else { return }
        if ends[slot].path.expire(at: now) {
            challenge(slot, at: now, &out)
        } else {
            ends[slot].address = ends[slot].provenAddress
            ends[slot].path.goBack()
            ends[slot].kernel.move(isProven: true)
        }
    }
}
