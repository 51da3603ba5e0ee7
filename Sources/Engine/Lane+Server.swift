import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// The server's end of a connection: its kernel, and its program.
///
/// The kernel accepts, acknowledges and repeats by itself; the program sets sessions up, answers, and writes. A frozen program
/// leaves its kernel alone: connections are accepted and stay silent.
extension Lane {
    mutating func receiveAtServer(_ flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        if packet.content == .probeReply {
            return journal(.probeAnswered, value: (now - packet.echo).nanoseconds, &stage)
        }
        if packet.content == .errand { return answerErrand(flight, &stage) }
        let slot = Int(flight.slot)
        guard lines[slot].generation == flight.generation else { return bury(flight, &stage) }
        if lines[slot].isDatagram { return receiveDatagram(packet, slot, &stage) }
        // Without its program QUIC does not answer at all.
        if lines[slot].isQUIC && serverIsFrozen { return }
        // What a portal took in its name the server does not know.
        if lines[slot].isCaptured { return reset(slot, &stage) }
        if packet.content == .hello { return acceptHello(packet, slot, &stage) }
        if isEarly(packet, slot) { acceptHello(packet, slot, &stage) }
        let isLate = lines[slot].isEnding && lines[slot].server.expected < packet.offset + UInt64(packet.length)
        // A host that knows of no such connection, or has closed it, resets it (RFC 9293 §3.5.2). What it said before is on its
        // way, and arrives first.
        if isLate { return sayReset(slot, &stage) }
        guard lines[slot].serverHolds else {
            if packet.content != .goodbye { reset(slot, &stage) }
            return
        }
        if packet.content == .goodbye { return loseClient(slot, &stage) }
        if lines[slot].isQUIC {
            noticeAddress(flight, slot, &stage)
            if proveAtServer(packet, slot, &stage) { return }
        }
        let arrival = lines[slot].server.receive(packet, at: now, lines[slot].downward, stage.sizesDown)
        if arrival.hasNews { serve(slot, &stage) }
        sayReceipt(slot, stage)
        flushServer(slot, &stage)
    }

    private mutating func receiveDatagram(_ packet: Packet, _ slot: Int, _ stage: inout Stage) {
        guard lines[slot].serverHolds, !serverIsFrozen, !serverIsDown else { return }
        switch packet.content {
        case .datagram:
            arriveUp(packet.first, packet.last, &stage)
            // No one acknowledges a datagram: that it arrived is all there is to know.
            skipUp(to: packet.last, &stage)
        case .ping:
            sendDown(Packet(.pong, cause: .pong, bytes: Wire.udp, stamp: now, answering: packet), slot, &stage)
        default: break
        }
    }

    private mutating func acceptHello(_ hello: Packet, _ slot: Int, _ stage: inout Stage) {
        lines[slot].isJudged = true
        guard !serverIsDown else { return reset(slot, &stage) }
        if !lines[slot].serverHolds {
            lines[slot].isForgotten = serverIsFrozen
            lines[slot].heldSince = now
            lines[slot].talk.policy.opened(at: now)
        }
        lines[slot].serverHolds = true
        var out = Departures()
        lines[slot].server.accept(hello, at: now, lines[slot].downward, &out)
        sendDown(out, slot, &stage)
    }

    /// A portal takes any connection in the server's name, and has no certificate of the server. Nothing else passes.
    mutating func receiveAtPortal(_ flight: Flight, _ stage: inout Stage) {
        let slot = Int(flight.slot)
        guard slot < Self.slots.count, lines[slot].generation == flight.generation, !lines[slot].isDatagram else {
            return
        }
        if flight.packet.content == .hello, !lines[slot].serverHolds {
            lines[slot].serverHolds = true
            lines[slot].isCaptured = true
            lines[slot].isForgotten = true
            var out = Departures()
            lines[slot].server.accept(flight.packet, at: now, lines[slot].downward, &out)
            return sendDown(out, slot, &stage)
        }
        guard lines[slot].isCaptured, lines[slot].serverHolds else { return }
        let arrival = lines[slot].server.receive(flight.packet, at: now, lines[slot].downward, stage.sizesDown)
        if arrival.hasNews,
            let run = lines[slot].client.take(upTo: lines[slot].server.expected, lines[slot].upward, stage.sizesUp),
            run.track == .flight
        {
            writeAnswer(toFlight: run.first, slot)
        }
        flushServer(slot, &stage)
    }

    /// The first flight of a QUIC connection with early data is also its hello.
    private func isEarly(_ packet: Packet, _ slot: Int) -> Bool {
        lines[slot].upward.isEarly && packet.content == .data && !lines[slot].serverHolds
            && lines[slot].saidAt == .zero
    }

    mutating func reset(_ slot: Int, _ stage: inout Stage) {
        if lines[slot].serverHolds { loseClient(slot, &stage) }
        sayReset(slot, &stage)
    }

    private mutating func sayReset(_ slot: Int, _ stage: inout Stage) {
        sendDown(Packet(.goodbye, cause: .connect, bytes: lines[slot].goodbyeBytes, stamp: now), slot, &stage)
    }

    mutating func letGo(_ slot: Int, _ stage: inout Stage) {
        endHold(since: lines[slot].heldSince, &stage)
        lines[slot].heldSince = .never
        lines[slot].serverHolds = false
        if lines[slot].isAttached { desk.pointee.leftAt = now }
        lines[slot].isAttached = false
        lines[slot].server.close()
    }

    /// The program reads what has come.
    private mutating func serve(_ slot: Int, _ stage: inout Stage) {
        guard !serverIsFrozen, !lines[slot].isForgotten else { return }
        while lines[slot].serverHolds,
            let run = lines[slot].client.take(upTo: lines[slot].server.expected, lines[slot].upward, stage.sizesUp)
        {
            lines[slot].saidAt = now
            careHeard(run.track, slot, stage)
            switch run.track {
            case .flight: answerFlight(run.first, slot, &stage)
            case .message:
                arriveUp(run.first, run.last, &stage)
                oweReceipt(from: run.first, slot, stage)
            case .receipt: takeReceipt(upTo: run.last, stage)
            case .ping: answerPings(run, slot, &stage)
            case .call:
                lines[slot].talk.calls += 1
                lines[slot].talk.openCalls += 1
                careStreams(slot, &stage)
                consider(call: run.first, slot, &stage)
            // The goodbye's ping has number 0.
            case .pong where run.first == 0: receivePongAtServer(slot, &stage)
            case .pong: break
            case .control: receiveWordAtServer(run.first, slot, &stage)
            case .answer, .refusal, .finish, .snapshot: break
            }
            tookUp(run, slot)
        }
    }

    /// The last flight asks for the session; with a shared server it waits there for its turn.
    private mutating func answerFlight(_ index: UInt32, _ slot: Int, _ stage: inout Stage) {
        guard index == lines[slot].setup.session else { return writeAnswer(toFlight: index, slot) }
        if turnsAway(slot, &stage) { return }
        guard stage.world.server.acceptsPerSecond != nil else { return authenticate(slot, at: now, &stage) }
        lines[slot].isQueued = true
        stage.arrivals.append(
            Arrival(
                at: now, lane: phone.index, sequence: arrivalsSent, slot: slot, generation: lines[slot].generation,
                call: nil, handshake: stage.world.server.handshakeCost?.of(lines[slot].carrier.security) ?? .zero))
        arrivalsSent += 1
    }

    /// The server has set the session up: it answers, and writes what the client has missed. In a coupled world the lane
    /// may already be past this moment; the answer still leaves then, and arrives in a round to come.
    mutating func accept(_ slot: Int, _ generation: UInt16, at acceptedAt: Instant, _ stage: inout Stage) {
        guard lines[slot].generation == generation else { return }
        if lines[slot].isQueued {
            lines[slot].isQueued = false
            journal(.serverAccepted, value: Int64(generation), &stage)
        }
        if loginsAreRefused && lines[slot].serverHolds { return refuseLogin(slot, at: acceptedAt, &stage) }
        guard lines[slot].serverHolds else { return }
        lines[slot].saidAt = acceptedAt
        if isTaken(by: slot, stage) { return refuseSession(slot, &stage) }
        attach(slot, &stage)
        writeAnswer(toFlight: lines[slot].setup.session, slot)
        writeSnapshot(slot, &stage)
        flushServer(slot, at: acceptedAt, &stage)
    }

    mutating func writeAnswer(toFlight index: UInt32, _ slot: Int) {
        let flight = lines[slot].setup.flight(index)
        _ = lines[slot].server.write(.flight, index, bytes: flight.down, cause: flight.cause, lines[slot].downward)
    }

    /// The server's program has the session: it goes on at the client's cursor, or at what is new. An older connection of the
    /// phone is let go.
    mutating func attach(_ slot: Int, _ stage: inout Stage) {
        for other in Self.slots where other != slot && lines[other].isAttached { passOn(other, &stage) }
        lines[slot].serverHolds = true
        lines[slot].isAttached = true
        forgetGhost(&stage)
        desk.pointee.queue.restart()
        goOn(slot, &stage)
        openWindowDown(slot, stage)
        beginCare(slot, stage)
        if lines[slot].carrier.holdsStream {
            lines[slot].server.offer(from: lines[slot].resumedAt, upTo: writtenDown.index)
        }
        // A connection that gives way to its successor is no outage.
        let wasBroken = isBroken
        reassess(&stage)
        if !wasBroken { mend() }
    }

    /// The phone has a newer connection: an older one is let go, unless it was told to go away and has calls to finish.
    private mutating func passOn(_ slot: Int, _ stage: inout Stage) {
        let draining = lines[slot].talk.draining.stage
        guard lines[slot].isHTTP2, draining == .warned || draining == .settled else { return letGo(slot, &stage) }
        lines[slot].talk.isPassedOn = true
    }

    mutating func flushServer(_ slot: Int, at sentAt: Instant? = nil, _ stage: inout Stage) {
        var out = Departures()
        speakDown(slot)
        lines[slot].server.flush(at: sentAt ?? now, lines[slot].downward, stage.sizesDown, &out)
        purge(slot, stage)
        sendDown(out, slot, at: sentAt, &stage)
        noteWindow(slot, &stage)
        noteQueue(slot, &stage)
    }

    // MARK: Time

    func serverDeadline(_ slot: Int, _ stage: borrowing Stage) -> Instant {
        // A program that stands still repeats nothing. A kernel does.
        if lines[slot].isQUIC && serverIsFrozen { return .never }
        return min(
            min(lines[slot].server.deadline, queueDeadline(slot, stage)),
            min(idleDeadline(slot, stage), talkDeadline(slot)), pathDeadline(lines[slot].talk.moves.server))
    }

    private func idleDeadline(_ slot: Int, _ stage: borrowing Stage) -> Instant {
        guard lines[slot].isAttached, !lines[slot].isEnding, !lines[slot].isDatagram, !serverIsFrozen,
            let limit = lines[slot].carrier.patience(stage.world.server.idleLimit)
        else { return .never }
        return lines[slot].saidAt + limit
    }

    mutating func expireServer(_ slot: Int, _ stage: inout Stage) {
        if idleDeadline(slot, stage) <= now {
            journal(.serverExpired, .silent, value: Int64(lines[slot].generation), &stage)
            return end(slot, &stage)
        }
        if queueDeadline(slot, stage) <= now { return cutSlow(slot, &stage) }
        if talkDeadline(slot) <= now { return expireTalk(slot, &stage) }
        expireServerPath(slot, &stage)
        guard lines[slot].server.deadline <= now else { return flushServer(slot, &stage) }
        var out = Departures()
        let goesOn = lines[slot].server.expire(at: now, lines[slot].downward, &out)
        sendDown(out, slot, &stage)
        if !goesOn {
            loseClient(slot, &stage)
            reassess(&stage)
        }
    }

    /// The server has learned that nobody listens on the connection: what the phone does not have, a push announces.
    mutating func loseClient(_ slot: Int, _ stage: inout Stage) {
        letGo(slot, &stage)
        pushPending(&stage)
    }

    /// The server has messages that the phone does not have, and no connection of it.
    private mutating func pushPending(_ stage: inout Stage) {
        let push = stage.world.server.push
        guard push != .none, receivedDown < writtenDown.index, !serverIsFrozen, !serverIsDown else { return }
        guard !Self.slots.contains(where: { lines[$0].isAttached }) else { return }
        _ = requestPush(urgent: push == .high, &stage)
    }

    /// The server ends a connection in order: what it has written still goes, and then no more.
    mutating func end(_ slot: Int, _ stage: inout Stage) {
        sayDown(.end, slot)
        lines[slot].isEnding = true
        if lines[slot].isAttached { desk.pointee.leftAt = now }
        lines[slot].isAttached = false
        reassess(&stage)
        flushServer(slot, &stage)
    }

    // MARK: Changes of the server

    /// Returns false when nothing was there to change.
    mutating func applyToServer(_ change: ServerChange, _ stage: inout Stage) -> Bool {
        switch change {
        case .frozen:
            guard !serverIsFrozen else { return false }
            serverIsFrozen = true
        case .thawed:
            guard serverIsFrozen else { return false }
            serverIsFrozen = false
            for slot in Self.slots where lines[slot].serverHolds && !lines[slot].isDatagram { thaw(slot, &stage) }
            pushPending(&stage)
        case .down:
            guard !serverIsDown else { return false }
            serverIsDown = true
            restartServer(isNew: true, stage)
            for slot in Self.slots where lines[slot].serverHolds && !lines[slot].isDatagram { reset(slot, &stage) }
        case .up:
            guard serverIsDown else { return false }
            serverIsDown = false
            restartServer(isNew: false, stage)
            pushPending(&stage)
        case .draining: return drain(&stage)
        case .refusingLogins, .takingLogins:
            let isRefusing = change == .refusingLogins
            guard loginsAreRefused != isRefusing else { return false }
            loginsAreRefused = isRefusing
            reassess(&stage)
        }
        return true
    }

    /// The program reads what has come meanwhile, and says what there is to say.
    private mutating func thaw(_ slot: Int, _ stage: inout Stage) {
        if lines[slot].isAttached && !lines[slot].isEnding && !lines[slot].talk.isPassedOn { catchUp(slot) }
        let wasHeldBack = lines[slot].client.isHeldBack
        serve(slot, &stage)
        if wasHeldBack && lines[slot].serverHolds { lines[slot].server.announceRoom() }
        flushServer(slot, &stage)
    }

    mutating func drain(_ stage: inout Stage) -> Bool {
        var found = false
        for slot in Self.slots where lines[slot].isAttached && !lines[slot].isDatagram {
            found = true
            beginDraining(slot, &stage)
        }
        return found
    }
}

/// A shared server.
extension Lane {
    /// The server's queue has decided when the arrival is set up.
    mutating func admit(_ arrival: Arrival, at acceptedAt: Instant, roundEnd: Instant, _ stage: inout Stage) {
        guard !isStopped else { return }
        let acceptedAt = acceptedAt + (stage.world.server.authentication ?? .zero)
        if acceptedAt < roundEnd {
            accept(arrival.slot, arrival.generation, at: acceptedAt, &stage)
        } else {
            let flight = Flight(
                at: acceptedAt, packet: Packet(.hello, cause: .connect, bytes: 0, stamp: acceptedAt), hop: .queued,
                interface: lines[arrival.slot].interface, slot: UInt8(arrival.slot),
                generation: arrival.generation, epoch: lines[arrival.slot].epoch)
            stage.flights.insert(flight, into: &flights)
        }
    }
}
