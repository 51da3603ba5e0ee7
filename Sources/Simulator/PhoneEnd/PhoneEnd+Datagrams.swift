package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Confirmable messages and DTLS handshakes over datagrams.
extension PhoneEnd {
    /// Sends a confirmable message of the app. `begun` is the time at which it was sent first.
    package mutating func exchange(
        _ message: UInt32, _ slot: Int, begun: Instant, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open, connections[slot].isDatagram else { return }
        let layer = connections[slot].transport.datagrams
        let bytes = Wire.udp + layer.overhead + DTLSWire.coap + traffic.pointee.up.bytes(of: message)
        var packet = Packet(
            .datagram, cause: begun < now ? .retransmit : .payload, bytes: bytes, number: 1, first: message,
            last: message + 1, stamp: now)
        packet.echo = begun
        transmit(packet, slot, &out)
    }

    /// Sends a flight of a DTLS handshake.
    package mutating func sendFlight(
        _ flight: UInt8, _ isResumed: Bool, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open, connections[slot].isDatagram else { return }
        connections[slot].awaitedFlight = flight
        let isVersion13 = connections[slot].transport.datagrams.version == .dtls13
        let bytes = Wire.udp + DTLSWire.flight(flight, isVersion13: isVersion13, isResumed: isResumed).up
        transmit(
            Packet(
                .hello, cause: .tls, bytes: bytes, number: UInt16(flight), first: isResumed ? 1 : 0, stamp: now), slot,
            &out)
    }

    /// Handles the server's answer on a connection of datagrams. Returns `false` for other packets.
    mutating func receiveAnswer(
        _ packet: Packet, _ slot: Int, _ out: inout EffectQueue<PhoneEndEffect>
    ) -> Bool {
        guard connections[slot].isDatagram else { return false }
        switch packet.content {
        case .acknowledgement: out.append(.confirmed(slot: slot, before: packet.last))
        case .helloReply:
            guard packet.number == UInt16(connections[slot].awaitedFlight) else { return true }
            connections[slot].awaitedFlight = .max
            out.append(.notify(.serverResponded(name(slot))))
        default: return false
        }
        return true
    }
}

extension DatagramLayer {
    /// Bytes that a DTLS record adds to a message.
    var overhead: UInt32 {
        let channel = route == .relay ? STUNWire.channelData : 0
        guard version != .none else { return channel }
        let isVersion13 = version == .dtls13
        return channel + DTLSWire.record(isVersion13: isVersion13)
            + (hasConnectionID ? DTLSWire.connectionID(isVersion13: isVersion13) : 0)
    }

    /// Payload of a check of a path, and of its answer; 0 on other connections.
    var checkBytes: UInt32 { route == .none ? 0 : STUNWire.check }
    var checkAnswerBytes: UInt32 { route == .none ? 0 : STUNWire.answer }
}
