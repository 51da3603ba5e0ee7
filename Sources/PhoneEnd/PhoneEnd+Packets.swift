import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneProtocols
public import DeadzoneTransport

/// What arriving packets and expiring timers do.
extension PhoneEnd {
    public mutating func receive(
        _ packet: Packet, _ slot: Int, _ leave: Leave, at now: Instant, _ session: SessionView,
        _ out: inout Steps<PhoneEndStep>
    ) {
        guard lines[slot].belief != .closed, lines[slot].untoldLoss == nil else {
            return refuse(packet, slot, at: now, &out)
        }
        hear(slot, &out)
        switch packet.content {
        case .goodbye: receiveReset(slot, leave, &out)
        case .datagram:
            out.append(.receivedAlone(first: packet.first, last: packet.last, bytes: packet.bytes, slot: slot))
        case .pong:
            out.note(.ponged, value: (now - packet.echo).nanoseconds)
            out.append(.tell(.pong(name(slot), after: now - packet.echo)))
        case .helloReply:
            guard lines[slot].client.established(by: packet, at: now, lines[slot].upward) else { return }
            out.append(.measured(slot: slot, now - packet.echo))
            beginSetup(slot, at: now, session, &out)
        case .challenge: receiveChallenge(packet, slot, at: now, &out)
        case .challengeAnswer: receiveChallengeAnswer(packet, slot, at: now, &out)
        case .data, .acknowledgement, .knock: receiveStream(packet, slot, at: now, &out)
        case .hello, .ping, .probe, .probeReply, .push, .errand, .errandAnswer, .question, .resolution, .stray: break
        }
    }

    @inline(__always)
    private mutating func receiveStream(
        _ packet: Packet, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        let arrival = lines[slot].client.receive(packet, at: now, lines[slot].upward, said.pointee.up)
        if arrival.confirmedMore && !lines[slot].terms.pointee.saysReceipts {
            out.append(.confirmed(slot: slot, before: lines[slot].client.confirmed))
        }
        if arrival.isWritable { out.append(.tell(.writable(name(slot)))) }
        if arrival.hasNews { out.append(.read(slot: slot)) } else { flush(slot, at: now, &out) }
    }

    private mutating func receiveReset(_ slot: Int, _ leave: Leave, _ out: inout Steps<PhoneEndStep>) {
        lines[slot].client.close()
        guard lines[slot].belief == .open else { return fail(slot, .refused, &out) }
        out.append(.died(slot: slot))
        lose(slot, .reset, leave, &out)
    }

    /// The phone knows of no such connection, and resets it like any host; of a socket without connection it says nothing.
    private func refuse(_ packet: Packet, _ slot: Int, at now: Instant, _ out: inout Steps<PhoneEndStep>) {
        guard !lines[slot].isDatagram, packet.content != .goodbye else { return }
        sayGoodbye(slot, answering: packet, at: now, &out)
    }

    // MARK: Setting up

    /// TCP stands: the first flight, or at once the session's.
    mutating func beginSetup(
        _ slot: Int, at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        // Each end of HTTP/2 begins with whole windows.
        if lines[slot].isHTTP2 { lines[slot].client.credit = HTTP2Allowance() }
        writeFlight(0, slot, session)
        if lines[slot].setup.awaited == 0 { openEarly(slot, session, &out) }
        flush(slot, at: now, &out)
    }

    /// The session's flight is on its way, and what the app says may follow it: HTTP/2, HTTP/1.1, early data.
    private mutating func openEarly(
        _ slot: Int, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        let expected = lines[slot].isResuming ? session.shown : session.received
        open(slot, expecting: expected, confirmed: 0, session, &out)
    }

    private mutating func writeFlight(_ index: UInt32, _ slot: Int, _ session: SessionView) {
        let flight = lines[slot].setup.flight(index)
        var bytes = flight.up
        if index == lines[slot].setup.session && lines[slot].isResuming {
            bytes += said.pointee.envelope.request(session.shown)
        }
        _ = lines[slot].client.write(.flight, index, bytes: bytes, cause: flight.cause, lines[slot].upward)
    }

    /// The server has answered a flight.
    /// - Parameters:
    ///   - isProven: Who answered could prove to be the server.
    ///   - start: What the server says with the session.
    public mutating func readFlight(
        _ index: UInt32, _ slot: Int, isProven: Bool, resumedAt: UInt32, confirmed: UInt32, _ leave: Leave,
        at now: Instant, _ session: SessionView, _ out: inout Steps<PhoneEndStep>
    ) {
        let setup = lines[slot].setup
        let isSession = index == setup.session
        guard isProven else { return distrust(slot, leave, &out) }
        if index == setup.greeting { lines[slot].isAnswered = true }
        if lines[slot].belief != .opening {
            hear(slot, &out)
            if lines[slot].isResuming { out.append(.resumed(slot: slot)) }
            if session.acknowledged < confirmed { out.append(.confirmed(slot: slot, before: confirmed)) }
        } else if isSession {
            if lines[slot].isResuming { out.append(.resumed(slot: slot)) }
            open(slot, expecting: resumedAt, confirmed: confirmed, session, &out)
        } else {
            writeFlight(index + 1, slot, session)
            if index + 1 == setup.awaited { openEarly(slot, session, &out) }
        }
        if index == setup.greeting { out.append(.tell(.greeted(name(slot)))) }
        guard isSession else { return }
        out.append(.promised(slot: slot))
        // A long poll begins with the session: the app's library asks, and will be answered when there is something to say.
        if lines[slot].terms.pointee.holdsPolls { say(.poll, slot) }
    }

    /// Somebody answered who could not prove to be the server.
    private mutating func distrust(_ slot: Int, _ leave: Leave, _ out: inout Steps<PhoneEndStep>) {
        lines[slot].client.close()
        if lines[slot].belief == .opening { fail(slot, .untrusted, &out) } else { lose(slot, .reset, leave, &out) }
    }

    // MARK: Time

    public mutating func expire(
        _ slot: Int, _ leave: Leave, at now: Instant, _ out: inout Steps<PhoneEndStep>
    ) {
        var packets = Departures()
        var goesOn = expirePath(slot, at: now, &out)
        if goesOn && lines[slot].client.deadline <= now {
            goesOn = lines[slot].client.expire(at: now, lines[slot].upward, &packets)
        }
        self.leave(packets, slot, &out)
        guard !goesOn else { return }
        // Silence that both ends of QUIC have agreed on, with nothing under way, is no verdict.
        let isAgreed = lines[slot].client.silenceEnds <= now && !lines[slot].client.hasUnacknowledged
        if !isAgreed { giveUp(slot, &out) }
        lines[slot].client.close()
        if lines[slot].belief == .opening {
            fail(slot, .timedOut, &out)
        } else {
            out.append(.died(slot: slot))
            lose(slot, .timedOut, leave, &out)
        }
    }
}
