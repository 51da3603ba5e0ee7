package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Handles arriving packets of a connection.
extension PhoneEnd {
    package mutating func receive(
        _ packet: Packet, _ slot: Int, _ permissions: AppPermissions, at now: Instant, _ session: SessionView,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief != .closed, connections[slot].unreportedLoss == nil else {
            return resetUnknown(packet, slot, at: now, &out)
        }
        reportHeard(slot, &out)
        switch packet.content {
        case .reset: receiveReset(slot, permissions, &out)
        case .datagram:
            out.append(.receivedDatagram(first: packet.first, last: packet.last, bytes: packet.bytes, slot: slot))
        case .pong:
            out.note(.ponged, value: (now - packet.echo).nanoseconds)
            out.append(.notify(.pong(name(slot), after: now - packet.echo)))
        case .helloReply:
            guard !receiveAnswer(packet, slot, &out) else { return }
            guard connections[slot].tcp.established(by: packet, at: now, connections[slot].upward) else { return }
            out.append(.measured(slot: slot, now - packet.echo))
            beginSetup(slot, at: now, session, &out)
        case .challenge: receiveChallenge(packet, slot, at: now, &out)
        case .challengeAnswer: receiveChallengeAnswer(packet, slot, at: now, &out)
        case .acknowledgement where connections[slot].isDatagram: _ = receiveAnswer(packet, slot, &out)
        case .data, .acknowledgement, .keepaliveProbe: receiveStream(packet, slot, at: now, &out)
        case .hello, .ping, .probe, .probeReply, .push, .systemRequest, .systemResponse, .dnsQuery, .dnsResponse,
            .unansweredSYN, .tokenRequest, .tokenResponse, .tunnel:
            break
        }
    }

    @inline(__always)
    private mutating func receiveStream(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let arrival = connections[slot].tcp.receive(packet, at: now, connections[slot].upward, traffic.pointee.up)
        if arrival.confirmedMore && !connections[slot].config.pointee.sendsReceipts {
            out.append(.confirmed(slot: slot, before: connections[slot].tcp.confirmed))
        }
        if arrival.isWritable { out.append(.notify(.writable(name(slot)))) }
        if arrival.hasNewData { out.append(.read(slot: slot)) } else { flush(slot, at: now, &out) }
    }

    private mutating func receiveReset(
        _ slot: Int, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].tcp.close()
        guard connections[slot].belief == .open else { return fail(slot, .refused, &out) }
        reportDeath(slot, &out)
        reportLoss(slot, .reset, permissions, &out)
    }

    /// Sends a reset in response to a packet for an unknown connection, as any host does. A datagram socket sends no
    /// response.
    private func resetUnknown(_ packet: Packet, _ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>)
    {
        guard !connections[slot].isDatagram, packet.content != .reset else { return }
        sendGoodbye(slot, answering: packet, at: now, &out)
    }
}
