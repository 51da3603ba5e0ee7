import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// The server's end of datagrams: confirmations, and DTLS sessions.
extension Server {
    mutating func receiveDatagram(
        _ packet: Packet, _ slot: Int, at now: Instant, _ introduction: Introduction,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        guard ends[slot].isHeld, !isFrozen, !isDown else { return }
        if packet.content == .hello { return answerFlight(packet, slot, at: now, &out) }
        // A packet of an unknown session is dropped without an answer (RFC 6347 §4.1.2.7).
        guard ends[slot].hasDatagramSession else { return out.note(.dtlsIgnored, value: Int64(ends[slot].generation)) }
        switch packet.content {
        case .datagram where packet.number > 0: receiveConfirmable(packet, slot, at: now, introduction, &out)
        case .datagram:
            receiveMessages(packet.first..<packet.last, introduction, at: now, &out)
            // Datagrams are not acknowledged: their arrival is the only signal.
            out.append(.datagramsReceived(before: packet.last))
        case .ping:
            let layer = ends[slot].config.pointee.transport.datagrams
            if packet.number > 0 && layer.route != .none { nominate(slot) }
            let bytes = Wire.udp + layer.overhead + layer.checkAnswerBytes
            transmit(Packet(.pong, cause: .pong, bytes: bytes, stamp: now, answering: packet), slot, at: now, &out)
        default: break
        }
    }

    /// Confirms a message. A repeat that the server recognises is confirmed again, and not passed to the program.
    private mutating func receiveConfirmable(
        _ packet: Packet, _ slot: Int, at now: Instant, _ introduction: Introduction,
        _ out: inout EffectQueue<ServerEffect>
    ) {
        let isRepeat = packet.first < arrived.index && now - packet.echo < profile.pointee.exchangeLifetime
        if isRepeat {
            out.note(.suppressedUp, value: 1)
        } else {
            receiveMessages(packet.first..<packet.last, introduction, at: now, &out)
        }
        let bytes = Wire.udp + ends[slot].config.pointee.transport.datagrams.overhead + DTLSWire.coapAck
        transmit(
            Packet(
                .acknowledgement, cause: .ack, bytes: bytes, first: packet.first, last: packet.last, stamp: now,
                answering: packet), slot, at: now, &out)
    }

    /// Answers a flight of a DTLS handshake. The last one sets up the session.
    private mutating func answerFlight(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<ServerEffect>
    ) {
        let layer = ends[slot].config.pointee.transport.datagrams
        let isResumed = packet.first == 1
        if packet.number + 1 >= UInt16(layer.roundTrips(isResumed: isResumed)), !ends[slot].hasDatagramSession {
            ends[slot].isAccepted = true
            out.note(.dtlsOpened, value: Int64(ends[slot].generation))
        }
        let answer = DTLSWire.flight(
            UInt8(truncatingIfNeeded: packet.number), isVersion13: layer.version == .dtls13, isResumed: isResumed)
        transmit(
            Packet(
                .helloReply, cause: .tls, bytes: Wire.udp + answer.down, number: packet.number, stamp: now,
                answering: packet), slot, at: now, &out)
    }

    /// Records that packets of the connection come from another source address from now on. A DTLS session that the
    /// server finds by the address is dead then.
    package mutating func changeSource(_ slot: Int) {
        guard ends[slot].isDatagram, !ends[slot].config.pointee.transport.datagrams.hasConnectionID else { return }
        ends[slot].isAccepted = false
    }
}

extension ServerEnd {
    /// `true` if the server accepts datagrams of the connection: without DTLS, or in a session that it knows.
    var hasDatagramSession: Bool { config.pointee.transport.datagrams.version == .none || isAccepted }
}
