package import DeadzoneBase
import DeadzoneClient
package import DeadzoneTransport

/// Handles arriving packets, the handshake, and expiring timers of a connection.
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
            guard connections[slot].kernel.established(by: packet, at: now, connections[slot].upward) else { return }
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
        let arrival = connections[slot].kernel.receive(packet, at: now, connections[slot].upward, traffic.pointee.up)
        if arrival.confirmedMore && !connections[slot].config.pointee.sendsReceipts {
            out.append(.confirmed(slot: slot, before: connections[slot].kernel.confirmed))
        }
        if arrival.isWritable { out.append(.notify(.writable(name(slot)))) }
        if arrival.hasNewData { out.append(.read(slot: slot)) } else { flush(slot, at: now, &out) }
    }

    private mutating func receiveReset(
        _ slot: Int, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].kernel.close()
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

    // MARK: Setting up

    /// Begins the TLS and session set-up once the transport is connected: sends the first flight (message of the
    /// handshake).
    mutating func beginSetup(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        // Each end of HTTP/2 begins with full windows.
        if connections[slot].isHTTP2 { connections[slot].kernel.sendWindows = HTTP2SendWindows() }
        writeFlight(0, slot, session)
        if connections[slot].setup.awaitedFlights == 0 {
            openEarly(slot, session, &out)
        } else if let limit = connections[slot].config.pointee.setupTimeout {
            connections[slot].resolutionDeadline = now + limit
        }
        flush(slot, at: now, &out)
    }

    /// Opens the connection in the client's view before the server has responded to the session request: the app's data
    /// may follow the request at once (HTTP/2, HTTP/1.1, early data).
    private mutating func openEarly(
        _ slot: Int, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let expected = connections[slot].isResuming ? session.shown : session.received
        open(slot, expecting: expected, confirmed: 0, session, &out)
    }

    private mutating func writeFlight(_ index: UInt32, _ slot: Int, _ session: SessionView) {
        let flight = connections[slot].setup.flight(index)
        var bytes = flight.up
        if index == connections[slot].setup.sessionFlight && connections[slot].isResuming {
            bytes += traffic.pointee.envelope.request(session.shown)
        }
        _ = connections[slot].kernel.write(.flight, index, bytes: bytes, cause: flight.cause, connections[slot].upward)
    }

    /// Reads the server's response to a handshake flight (one message of the connection set-up).
    /// - Parameters:
    ///   - isProven: `true` if the sender could prove to be the server.
    ///   - resumedAt: The message at which the server continues.
    ///   - confirmed: The server has every app message below this.
    package mutating func readFlight(
        _ index: UInt32, _ slot: Int, isProven: Bool, resumedAt: UInt32, confirmed: UInt32,
        _ permissions: AppPermissions,
        at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        let setup = connections[slot].setup
        let isSession = index == setup.sessionFlight
        guard isProven else { return rejectUntrusted(slot, permissions, &out) }
        if index == setup.serverReadyFlight {
            if connections[slot].isUnconfirmed { out.append(.opened(slot: slot)) }
            connections[slot].isAnswered = true
        }
        if connections[slot].belief != .opening {
            reportHeard(slot, &out)
            if connections[slot].isResuming { out.append(.resumed(slot: slot)) }
            if session.acknowledged < confirmed { out.append(.confirmed(slot: slot, before: confirmed)) }
        } else if isSession {
            if connections[slot].isResuming { out.append(.resumed(slot: slot)) }
            open(slot, expecting: resumedAt, confirmed: confirmed, session, &out)
        } else {
            writeFlight(index + 1, slot, session)
            if index + 1 == setup.awaitedFlights { openEarly(slot, session, &out) }
        }
        if index == setup.serverReadyFlight { out.append(.notify(.serverResponded(name(slot)))) }
        guard isSession else { return }
        out.append(.sessionStarted(slot: slot))
        // A long poll begins with the session: the app's library sends a request that the server answers once it has
        // data.
        if connections[slot].config.pointee.holdsPolls { sendControlFrame(.poll, slot) }
    }

    /// Rejects a connection because its handshake was answered by a sender that could not prove to be the server.
    private mutating func rejectUntrusted(
        _ slot: Int, _ permissions: AppPermissions, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        connections[slot].kernel.close()
        if connections[slot].belief == .opening {
            fail(slot, .untrusted, &out)
        } else {
            reportLoss(slot, .reset, permissions, &out)
        }
    }

    // MARK: Time

    package mutating func expire(
        _ slot: Int, _ permissions: AppPermissions, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        var packets = OutgoingPackets()
        var goesOn = expirePath(slot, at: now, &out)
        if goesOn && connections[slot].kernel.deadline <= now {
            goesOn = connections[slot].kernel.expire(at: now, connections[slot].upward, &packets)
        }
        self.transmit(packets, slot, &out)
        guard !goesOn else { return }
        // The idle timeout that both ends of QUIC have agreed on, with nothing in flight, is not the client's own
        // decision.
        let isAgreed = connections[slot].kernel.idleDeadline <= now && !connections[slot].kernel.hasUnacknowledged
        if !isAgreed { reportGiveUp(slot, &out) }
        connections[slot].kernel.close()
        if connections[slot].belief == .opening {
            fail(slot, .timedOut, &out)
        } else {
            reportDeath(slot, &out)
            reportLoss(slot, .timedOut, permissions, &out)
        }
    }
}
