package import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Sets up TLS and the session of a connection once its transport is connected, within a time limit.
extension PhoneEnd {
    /// Begins the TLS and session set-up once the transport is connected: sends the first flight (message of the
    /// handshake).
    mutating func beginSetup(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        // Each end of HTTP/2 begins with full windows.
        if connections[slot].isHTTP2 { connections[slot].tcp.sendWindows = HTTP2SendWindows() }
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
        _ = connections[slot].tcp.write(.flight, index, bytes: bytes, cause: flight.cause, connections[slot].upward)
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
        connections[slot].tcp.close()
        if connections[slot].belief == .opening {
            fail(slot, .untrusted, &out)
        } else {
            reportLoss(slot, .reset, permissions, &out)
        }
    }

    /// Ends an attempt because its set-up has used up the time limit. The client may have given up, or the connection may
    /// have opened.
    mutating func expireSetup(_ slot: Int, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>) {
        endResolution(slot)
        guard connections[slot].belief == .opening, connections[slot].tcp.phase == .open else { return }
        connections[slot].tcp.close()
        sendGoodbye(slot, at: now, &out)
        fail(slot, .timedOut, &out)
    }
}
