import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// What arriving packets and expiring timers do at the phone's end of a connection.
extension Lane {
    mutating func receiveAtPhone(_ flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        switch packet.content {
        case .probe: return sendUpReply(to: flight, &stage)
        case .push: return receivePush(&stage)
        case .errandAnswer: return
        default: break
        }
        let slot = Int(flight.slot)
        guard lines[slot].generation == flight.generation else { return }
        // A firewall judges packets that have a socket; one that has none is refused by the kernel itself.
        let hasSocket = lines[slot].belief != .closed && lines[slot].untoldLoss == nil
        guard networkIsAllowed || !hasSocket else { return }
        guard lines[slot].belief != .closed, lines[slot].untoldLoss == nil else { return refuse(packet, slot, &stage) }
        served(slot, &stage)
        let name = ConnectionSlot(UInt8(slot))
        switch packet.content {
        case .goodbye: receiveReset(slot, &stage)
        case .datagram:
            delivery.receive(datagram: packet.first..<packet.last, &session, &stage.news)
            settleDelivery(&stage)
            tell(.received(name, upTo: Cursor(delivery.received), bytes: packet.bytes), &stage)
        case .pong:
            journal(.ponged, value: (now - packet.echo).nanoseconds, &stage)
            tell(.pong(name, after: now - packet.echo), &stage)
        case .helloReply:
            guard lines[slot].client.established(by: packet, at: now, lines[slot].upward) else { return }
            // Both ends saw the answer come back: the first loss does not wait the whole initial second.
            server.measure(slot, now - packet.echo)
            beginSetup(slot, &stage)
        case .challenge: receiveChallenge(packet, slot, &stage)
        case .challengeAnswer: receiveChallengeAnswer(packet, slot, &stage)
        case .data, .acknowledgement, .knock: receiveStream(packet, slot, &stage)
        case .hello, .ping, .probe, .probeReply, .push, .errand, .errandAnswer, .question, .resolution, .stray: break
        }
    }

    private mutating func receiveStream(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        let name = ConnectionSlot(UInt8(slot))
        let arrival = lines[slot].client.receive(packet, at: now, lines[slot].upward, stage.said.pointee.up)
        if arrival.confirmedMore && stage.world.server.receipts == nil {
            let confirmed = lines[slot].client.confirmed
            confirmUp(before: confirmed, &stage)
            tell(.acknowledged(name, Cursor(confirmed)), &stage)
        }
        if arrival.isWritable { tell(.writable(name), &stage) }
        if arrival.hasNews {
            while lines[slot].client.phase == .open,
                let run = server.take(slot, upTo: lines[slot].client.expected)
            {
                arriveDown(run, slot, &stage)
            }
        }
        flushClient(slot, &stage)
    }

    /// Items of the server's stream are with the app's library now.
    private mutating func arriveDown(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        let name = ConnectionSlot(UInt8(slot))
        switch run.track {
        case .message:
            delivery.receive(run, &session, &stage.news)
            settleDelivery(&stage)
            tell(.received(name, upTo: Cursor(run.last), bytes: run.bytes), &stage)
        case .pong:
            let after = lines[slot].pings.heard(upTo: run.last, at: now)
            for _ in run.first..<run.last { journal(.ponged, value: after.nanoseconds, &stage) }
            tell(.pong(name, after: after), &stage)
        case .answer: receiveAnswer(run.first, slot, &stage)
        case .refusal: receiveRefusal(run.first, slot, &stage)
        case .flight:
            advanceSetup(run.first, slot, &stage)
            if run.first == lines[slot].setup.session { sessionStands(slot, &stage) }
        case .control: receiveWordAtPhone(run.first, slot, &stage)
        case .finish: receiveEnd(slot, &stage)
        case .ping: receivePingsAtPhone(run, slot, &stage)
        case .receipt: hearReceipt(upTo: run.last, slot, &stage)
        case .snapshot: receiveSnapshot(run, slot, &stage)
        case .call: break
        }
        tookDown(run, slot, &stage)
    }

    private mutating func receiveReset(_ slot: Int, _ stage: inout Stage) {
        lines[slot].client.close()
        guard lines[slot].belief == .open else { return fail(slot, .refused, &stage) }
        become(.dead, slot, &stage)
        lose(slot, .reset, &stage)
    }

    /// The server has ended the stream; an app that is told closes its end, too.
    private mutating func receiveEnd(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].belief == .open else {
            lines[slot].client.close()
            return fail(slot, .refused, &stage)
        }
        become(.dead, slot, &stage)
        // The kernel confirms the end whether the app runs or not.
        flushClient(slot, &stage)
        lose(slot, lines[slot].talk.isDenied ? .denied : .ended, &stage)
        endInTurn(slot, &stage)
    }

    /// An app that knows of the server's end says its own.
    mutating func endInTurn(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].belief == .closed else { return }
        lines[slot].client.close()
        sendUp(Packet(.goodbye, cause: .connect, bytes: lines[slot].goodbyeBytes, stamp: now), slot, &stage)
    }

    /// The phone knows of no such connection, and resets it like any host; of a socket without connection it says nothing.
    private mutating func refuse(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        guard lines[slot].carrier.kind != .datagram, packet.content != .goodbye else { return }
        sendUp(
            Packet(.goodbye, cause: .connect, bytes: lines[slot].goodbyeBytes, stamp: now, answering: packet), slot,
            &stage)
    }

    private mutating func sendUpReply(to flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        let reply = Packet(.probeReply, cause: .probe, bytes: packet.bytes, stamp: now, answering: packet)
        leave(
            Flight(
                at: now, packet: reply, hop: .heldByPhone, interface: flight.interface, slot: .max, generation: 0,
                epoch: flight.epoch), &stage)
    }

    /// What the phone's kernel can send now leaves. Returns whether anything did.
    @discardableResult
    mutating func flushClient(_ slot: Int, _ stage: inout Stage) -> Bool {
        var out = Departures()
        speakUp(slot)
        lines[slot].client.flush(at: now, lines[slot].upward, stage.said.pointee.up, &out)
        sendUp(out, slot, &stage)
        noteWindowUp(slot, &stage)
        return out.count > 0
    }

    // MARK: Setting up

    /// TCP stands: the first flight, or at once the session's.
    mutating func beginSetup(_ slot: Int, _ stage: inout Stage) {
        let setup = lines[slot].setup
        openWindowUp(slot)
        writeFlight(0, slot, stage)
        if setup.awaited == 0 { openEarly(slot, &stage) }
        flushClient(slot, &stage)
    }

    /// The server has answered a flight.
    private mutating func advanceSetup(_ index: UInt32, _ slot: Int, _ stage: inout Stage) {
        let setup = lines[slot].setup
        if server.isCaptured(slot) { return distrust(slot, &stage) }
        defer { if index == setup.session { tell(.greeted(ConnectionSlot(UInt8(slot))), &stage) } }
        if index == setup.session { lines[slot].isAnswered = true }
        guard lines[slot].belief == .opening else {
            served(slot, &stage)
            return learnConfirmed(slot, &stage)
        }
        if index == setup.session {
            sayResumed(slot, &stage)
            open(slot, expecting: server.start(slot).resumedAt, confirmed: server.start(slot).confirmedUp, &stage)
        } else {
            writeFlight(index + 1, slot, stage)
            if index + 1 == setup.awaited { openEarly(slot, &stage) }
        }
    }

    /// Somebody answered who could not prove to be the server.
    private mutating func distrust(_ slot: Int, _ stage: inout Stage) {
        lines[slot].client.close()
        if lines[slot].belief == .opening { fail(slot, .untrusted, &stage) } else { lose(slot, .reset, &stage) }
    }

    /// The session's flight is on its way, and what the app says may follow it: HTTP/2, HTTP/1.1, early data.
    private mutating func openEarly(_ slot: Int, _ stage: inout Stage) {
        let expected = lines[slot].isResuming ? session.cursor.position : delivery.received
        open(slot, expecting: expected, confirmed: 0, &stage)
    }

    private mutating func writeFlight(_ index: UInt32, _ slot: Int, _ stage: borrowing Stage) {
        let flight = lines[slot].setup.flight(index)
        var bytes = flight.up
        if index == lines[slot].setup.session && lines[slot].isResuming {
            bytes += stage.world.traffic.envelope.request(session.cursor.position)
        }
        _ = lines[slot].client.write(.flight, index, bytes: bytes, cause: flight.cause, lines[slot].upward)
    }

    /// What the server has said of the session.
    private mutating func sayResumed(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].isResuming else { return }
        server.tellCount()
        let (epoch, start) = (server.namedEpoch, server.start(slot))
        session.epoch = epoch
        let greeting = Greeting(
            epoch: epoch, sent: Cursor(start.sent), received: Cursor(start.confirmedUp), next: Cursor(start.resumedAt),
            bringsSnapshot: start.bringsSnapshot)
        tell(.resumed(ConnectionSlot(UInt8(slot)), greeting), &stage)
    }

    /// The server has said what it has of the app's messages.
    private mutating func learnConfirmed(_ slot: Int, _ stage: inout Stage) {
        sayResumed(slot, &stage)
        let confirmed = server.start(slot).confirmedUp
        guard session.acknowledged.position < confirmed else { return }
        confirmUp(before: confirmed, &stage)
        tell(.acknowledged(ConnectionSlot(UInt8(slot)), Cursor(confirmed)), &stage)
    }

    // MARK: Time

    func clientDeadline(_ slot: Int) -> Instant {
        guard lines[slot].untoldLoss == nil, lines[slot].belief != .closed else { return .never }
        return min(lines[slot].client.deadline, lines[slot].talk.moves.path.dueAt)
    }

    mutating func expireClient(_ slot: Int, _ stage: inout Stage) {
        var out = Departures()
        var goesOn = expireClientPath(slot, &stage)
        if goesOn && lines[slot].client.deadline <= now {
            goesOn = lines[slot].client.expire(at: now, lines[slot].upward, &out)
        }
        sendUp(out, slot, &stage)
        guard !goesOn else { return }
        // Silence that both ends of QUIC have agreed on, with nothing under way, is no verdict.
        let isAgreed = lines[slot].client.silenceEnds <= now && !lines[slot].client.hasUnacknowledged
        if !isAgreed { giveUp(slot, &stage) }
        lines[slot].client.close()
        if lines[slot].belief == .opening {
            fail(slot, .timedOut, &stage)
        } else {
            become(.dead, slot, &stage)
            lose(slot, .timedOut, &stage)
        }
    }
}
