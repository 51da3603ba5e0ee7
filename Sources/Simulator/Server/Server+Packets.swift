package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Handles packets that reach the server's host, or a captive portal that answers in its name.
extension Server {
    package mutating func receive(
        _ packet: Packet, slot: Int, generation: UInt16, from address: PhoneAddress, at now: Instant,
        _ introduction: Introduction,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].generation == generation else {
            return closeHalfOpenConnection(packet, slot, generation, at: now, &out)
        }
        if ends[slot].isDatagram { return receiveDatagram(packet, slot, at: now, introduction, &out) }
        // QUIC runs in the program: without it there is no answer at all.
        if ends[slot].isQUIC && isFrozen { return }
        // The server does not know a connection that a portal accepted in its name.
        if ends[slot].isCaptured { return reset(slot, at: now, &out) }
        if packet.content == .hello { return acceptHello(packet, slot, at: now, &out) }
        if ends[slot].isEarly(packet) { acceptHello(packet, slot, at: now, &out) }
        let isLate = ends[slot].isClosing && ends[slot].tcp.expected < packet.offset + UInt64(packet.length)
        // A host resets a connection that it does not know or has closed (RFC 9293 §3.5.2). Data that it sent before is
        // in flight and arrives first.
        if isLate { return sendReset(slot, at: now, &out) }
        guard ends[slot].isHeld else {
            if packet.content != .reset { reset(slot, at: now, &out) }
            return
        }
        if packet.content == .reset { return dropClient(slot, at: now, &out) }
        if ends[slot].isQUIC {
            detectAddressChange(address, packet, slot, at: now, &out)
            if handlePathValidation(packet, slot, at: now, &out) { return }
        }
        let arrival = ends[slot].tcp.receive(packet, at: now, ends[slot].config.downward, traffic.pointee.down)
        if arrival.hasNewData {
            out.append(.read(slot: slot, .newData))
        } else {
            finishReading(slot, .newData, at: now, &out)
        }
    }

    private mutating func acceptHello(
        _ hello: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard !isDown else { return reset(slot, at: now, &out) }
        if !ends[slot].isHeld {
            ends[slot].isOrphaned = isFrozen
            ends[slot].heldSince = now
            ends[slot].pingPolicy.opened(at: now)
            if ends[slot].config.pointee.isHTTP2 && ends[slot].config.pointee.transport.keepsStreamOpen {
                ends[slot].pingPolicy.receivedRequest()
            }
        }
        ends[slot].isHeld = true
        var packets = OutgoingPackets()
        ends[slot].tcp.accept(hello, at: now, ends[slot].config.downward, &packets)
        transmit(packets, slot, at: now, &out)
    }

    /// Handles a packet at a captive portal. The portal accepts any connection in the server's name. It has no
    /// certificate of the server, and lets no packet pass.
    package mutating func receiveAtPortal(
        _ packet: Packet, slot: Int, generation: UInt16, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard Self.slots.contains(slot), ends[slot].generation == generation, !ends[slot].isDatagram else { return }
        if packet.content == .hello, !ends[slot].isHeld {
            ends[slot].isHeld = true
            ends[slot].isCaptured = true
            ends[slot].isOrphaned = true
            out.append(.captured(slot: slot))
            var packets = OutgoingPackets()
            ends[slot].tcp.accept(packet, at: now, ends[slot].config.downward, &packets)
            return transmit(packets, slot, at: now, &out)
        }
        guard ends[slot].isCaptured, ends[slot].isHeld else { return }
        let arrival = ends[slot].tcp.receive(packet, at: now, ends[slot].config.downward, traffic.pointee.down)
        if arrival.hasNewData {
            out.append(.read(slot: slot, .newData))
        } else {
            flush(slot, at: now, &out)
        }
    }

    mutating func reset(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        if ends[slot].isHeld { dropClient(slot, at: now, &out) }
        sendReset(slot, at: now, &out)
    }

    private mutating func sendReset(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        let bytes = ends[slot].config.pointee.resetBytes
        transmit(Packet(.reset, cause: .connect, bytes: bytes, stamp: now), slot, at: now, &out)
    }

    /// Handles a packet of a connection that the phone has already replaced: a reset closes the half-open connection.
    private mutating func closeHalfOpenConnection(
        _ packet: Packet, _ slot: Int, _ generation: UInt16, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        guard packet.content == .reset, let halfOpenConnection, Int(halfOpenConnection.slot) == slot,
            halfOpenConnection.generation == generation
        else {
            return
        }
        endHalfOpenConnection(at: now, &out)
        if isUnattached { memory.detach(at: now) }
    }

    // MARK: QUIC on another path

    /// Detects if a packet comes from another address than the last one, and then starts path validation.
    private mutating func detectAddressChange(
        _ address: PhoneAddress, _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let isNew = ends[slot].address != address
        guard ends[slot].latestPacketSentAt <= packet.stamp else { return }
        ends[slot].latestPacketSentAt = packet.stamp
        if isNew {
            // The fallback must be a validated address (RFC 9000 §9.3.2).
            if ends[slot].path.state == .validated { ends[slot].provenAddress = ends[slot].address }
            ends[slot].address = address
            ends[slot].path.validate(at: now, probeTimeout: ends[slot].tcp.timer.timeout(.quic))
            ends[slot].tcp.changePath(isProven: false, at: now, ends[slot].config.downward)
        }
        ends[slot].path.countReceived(bytes: packet.bytes)
        if isNew { sendChallenge(slot, at: now, &out) }
    }

    private mutating func sendChallenge(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        // Padded, unless that would exceed what may be sent to an unvalidated address (RFC 9000 §8.2.1).
        let bytes = UInt32(min(UInt64(QUICWire.initial), ends[slot].path.allowance))
        guard bytes >= QUICWire.challenge else { return }
        ends[slot].path.countSent(bytes: bytes)
        ends[slot].tcp.sentPathProbe(at: now, ends[slot].config.downward)
        let number = ends[slot].path.challenge
        transmit(
            Packet(.challenge, cause: .connect, bytes: bytes, number: number, stamp: now), slot, at: now, &out)
    }

    /// Handles a packet that validates a QUIC path: a challenge or its answer. Returns `false` for any other packet.
    private mutating func handlePathValidation(
        _ packet: Packet, _ slot: Int, at now: Instant,
        _ out: inout EffectQueue<ServerEffect>
    ) -> Bool {
        let rules = ends[slot].config.downward
        switch packet.content {
        case .challenge:
            ends[slot].tcp.receivedPathProbe(at: now, rules)
            ends[slot].tcp.sentPathProbe(at: now, rules)
            ends[slot].path.countSent(bytes: QUICWire.initial)
            transmit(
                Packet(
                    .challengeAnswer, cause: .connect, bytes: QUICWire.initial, number: packet.number, stamp: now,
                    answering: packet), slot, at: now, &out)
        case .challengeAnswer:
            ends[slot].tcp.receivedPathProbe(at: now, rules)
            guard ends[slot].path.acceptResponse(to: packet.number) else { return true }
            ends[slot].tcp.measure(now - packet.echo, ends[slot].config.downward)
            ends[slot].tcp.validatePath()
        default: return false
        }
        flush(slot, at: now, &out)
        return true
    }

    /// Repeats a path challenge that is due or, if validation failed, returns to the last validated address (RFC 9000
    /// §9.3.2).
    mutating func expirePath(_ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>) {
        guard ends[slot].path.dueAt <= now else { return }
        if ends[slot].path.expire(at: now) {
            sendChallenge(slot, at: now, &out)
        } else {
            ends[slot].address = ends[slot].provenAddress
            ends[slot].path.revertToValidatedPath()
            ends[slot].tcp.changePath(isProven: true, at: now, ends[slot].config.downward)
        }
    }
}
