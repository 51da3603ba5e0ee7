import DeadzoneClient
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld

/// What a strategy does with its connections, and what it is told of them.
extension Lane {
    mutating func perform(_ action: Action, _ stage: inout Stage) {
        switch action {
        case .connect(let slot, let carrier, let resuming):
            connect(Int(slot.index), carrier, resuming, &stage)
        case .close(let slot): close(Int(slot.index), &stage)
        case .leave(let slot): close(Int(slot.index), isDone: true, &stage)
        case .send(let slot, let from, let upTo):
            send(Int(slot.index), from.position, min(upTo, session.produced).position, &stage)
        case .ping(let slot): ping(Int(slot.index), &stage)
        case .deliver(let cursor): handOver(upTo: cursor, &stage)
        case .forget(let cursor): delivery.forgetUp(before: min(cursor, session.produced), &session)
        case .persist(let cursor): delivery.persist(delivery.persistShown(cursor, session), &session)
        case .keep(let cursor): session.kept = max(session.kept, min(cursor, session.produced))
        case .stayAwake(let awake):
            drive(&stage) { $0.stayAwake(awake, at: $1, &$2) }
        case .call(let slot, let call): ask(Int(slot.index), call, &stage)
        case .abandon(let call, let failure): giveUp(call, failure, &stage)
        case .migrate(let slot): migrate(Int(slot.index), &stage)
        case .crash: crash(&stage)
        case .acknowledge(let slot, let cursor): acknowledge(Int(slot.index), cursor.position, &stage)
        case .resync(let slot): askForAll(Int(slot.index), &stage)
        case .deliverAgain(let from, let upTo):
            delivery.showAgain(from.position, upTo.position, &session, &stage.news)
            settleDelivery(&stage)
        case .discard(let from, let upTo):
            delivery.discard(from.position, upTo.position, &session, &stage.news)
            settleDelivery(&stage)
        case .refuse(let from, let upTo):
            let end = min(upTo, session.produced).position
            delivery.refuse(from.position, end, arrived: server.arrived.index, &session, &stage.news)
            settleDelivery(&stage)
        case .evict(let cursor):
            delivery.evict(before: min(cursor, session.produced), &session, &stage.news)
            settleDelivery(&stage)
        case .ask(let count): askFor(count, &stage)
        case .wrote(let pending): journal(.writesPending, value: Int64(pending), &stage)
        case .calledBack(let count): journal(.writesCalledBack, value: Int64(count), &stage)
        case .markGap(let direction): noticeGap(direction, &stage)
        }
    }

    private mutating func connect(
        _ slot: Int, _ carrier: Carrier, _ resuming: Resuming, _ stage: inout Stage
    ) {
        close(slot, &stage)
        server.leaveGhost(slot, at: now, &stage.steps)
        settleServer(&stage)
        let name = ConnectionSlot(UInt8(slot))
        guard let path = session.path, networkIsAllowed else {
            journal(.attemptedOffline, &stage)
            return tell(.failed(name, .noPath), &stage)
        }
        endShut(slot, &stage)
        delivery.forgetUnread(resuming, &session, &stage.news)
        settleDelivery(&stage)
        let (generation, givenUp) = (lines[slot].generation &+ 1, lines[slot].givenUp)
        lines.renew(slot, Line(stage.terms.place(of: carrier), generation: generation))
        lines[slot].givenUp = givenUp
        lines[slot].interface = path
        lines[slot].epoch = session.network.handle
        lines[slot].resuming = resuming
        lines[slot].authenticates = stage.world.server.authentication != nil && !lines[slot].isDatagram
        prepare(slot, stage)
        server.renew(
            slot, generation: generation,
            Opening(
                lines[slot].terms, resuming: resuming, from: Address(path, epoch: session.network.handle),
                window: hasWindow(slot, stage) ? window(stage) : nil))
        noteServerDue()
        journal(.connecting, isInHerd, value: number(slot), &stage)
        if !resolves(slot, &stage) { setUp(slot, &stage) }
    }

    /// The address is known: the first packet of the connection leaves.
    mutating func setUp(_ slot: Int, _ stage: inout Stage) {
        if lines[slot].carrier.kind == .datagram {
            server.openDatagrams(slot, claim, at: now, &stage.steps)
            settleServer(&stage)
            lines[slot].isAnswered = true
            open(slot, expecting: server.start(slot).resumedAt, confirmed: 0, &stage)
        } else {
            var out = Departures()
            lines[slot].belief = .opening
            lines[slot].client.connect(at: now, phase: stage.clockPhase(phone), lines[slot].upward, &out)
            sendUp(out, slot, &stage)
            if lines[slot].upward.isEarly { beginSetup(slot, &stage) }
        }
    }

    /// Which connection of its slot this is, from 1.
    func number(_ slot: Int) -> Int64 { Int64(lines[slot].generation) }

    /// By the client's own decision. What it was not told of the connection yet it will not be told: the slot may be another
    /// connection's by then.
    private mutating func close(_ slot: Int, isDone: Bool = false, _ stage: inout Stage) {
        let name = ConnectionSlot(UInt8(slot))
        stage.notices.removeAll(about: name)
        system?.pointee.inbox.removeAll(about: name)
        let belief = lines[slot].belief
        guard belief != .closed else { return }
        let stands = lines[slot].client.phase == .open
        lines[slot].belief = .closed
        lines[slot].client.close()
        if stands {
            sendUp(Packet(.goodbye, cause: .connect, bytes: lines[slot].goodbyeBytes, stamp: now), slot, &stage)
        }
        guard belief == .open else { return }
        // Leaving for a better network is no mistake.
        if !isDone && isOnDefaultPath(slot) { giveUp(slot, &stage) }
        disbelieve(slot, &stage)
        // Whoever wants no connection waits for none.
        if isDone { mend() }
        journal(.closed, .byClient, value: number(slot), &stage)
        guard lines[slot].isDatagram else { return }
        server.closeDatagrams(slot)
        noteServerDue()
    }

    private mutating func send(_ slot: Int, _ from: UInt32, _ upTo: UInt32, _ stage: inout Stage) {
        guard lines[slot].belief == .open, from < upTo else { return }
        if lines[slot].isDatagram {
            for index in from..<upTo {
                sendUp(datagram(index, bytes: stage.said.pointee.up.bytes(of: index)), slot, &stage)
            }
        } else {
            let offered = lines[slot].client.offered
            if lines[slot].client.isPristine {
                delivery.skipUp(to: from, &session, &stage.news)
            } else if from > offered {
                // Behind messages that are still on their way there is room for one gap.
                let isSettled = lines[slot].client.confirmed == offered
                guard isSettled || (!lines[slot].client.isBehind && delivery.leaveOut(offered..<from))
                else { return stop(.sentOutOfOrder, value: Int64(from), &stage) }
                lines[slot].client.skip(to: from)
                if isSettled { delivery.skipUp(to: from, &session, &stage.news) }
            }
            let wasStalled = lines[slot].client.isStalled
            lines[slot].client.offer(from: from, upTo: upTo)
            flushClient(slot, &stage)
            tellStall(slot, unless: wasStalled, &stage)
        }
    }

    /// What was just handed over did not all fit.
    mutating func tellStall(_ slot: Int, unless wasStalled: Bool, _ stage: inout Stage) {
        guard lines[slot].client.isStalled, !wasStalled else { return }
        tell(.stalled(ConnectionSlot(UInt8(slot))), &stage)
    }

    private mutating func ping(_ slot: Int, _ stage: inout Stage) {
        guard lines[slot].belief == .open else { return }
        if lines[slot].isDatagram {
            journal(.pinged, &stage)
            sendUp(Packet(.ping, cause: .keepalive, bytes: Wire.udp, stamp: now), slot, &stage)
        } else {
            let number = lines[slot].pings.written
            let bytes = lines[slot].upward.framing.ping
            let wasStalled = lines[slot].client.isStalled
            // Pings follow each other on the stream, so there is always a place for one; but a full buffer takes none.
            if lines[slot].client.makesRoom(for: bytes, lines[slot].upward),
                lines[slot].client.write(
                    .ping, number, bytes: bytes, cause: lines[slot].terms.pointee.pingCause, lines[slot].upward)
            {
                journal(.pinged, &stage)
                lines[slot].pings.wrote(at: now)
            }
            tellStall(slot, unless: wasStalled, &stage)
            flushClient(slot, &stage)
        }
    }

    /// The client believes in the connection from now on.
    mutating func open(_ slot: Int, expecting next: UInt32, confirmed: UInt32, _ stage: inout Stage) {
        lines[slot].belief = .open
        lines[slot].since = now
        lines[slot].diedAt = now
        lines[slot].truth = truth(of: slot)
        journal(.opened, value: number(slot), &stage)
        followHerd(&stage)
        // The first of all has nothing to go on from.
        if case .from(let cursor) = lines[slot].resuming, wasOpen {
            journal(.resumed, value: Int64(cursor.position), &stage)
        }
        wasOpen = true
        served(slot, &stage)
        let name = ConnectionSlot(UInt8(slot))
        if session.acknowledged.position < confirmed {
            confirmUp(before: confirmed, &stage)
            tell(.acknowledged(name, Cursor(confirmed)), &stage)
        }
        tell(.opened(name, resumedAt: Cursor(next)), &stage)
    }

    /// The end of a connection as its owner is told it.
    mutating func lose(_ slot: Int, _ reason: CloseReason, _ stage: inout Stage) {
        guard lines[slot].belief == .open else { return }
        guard appRuns else {
            // It goes on believing until it runs again.
            if lines[slot].untoldLoss == nil { lines[slot].untoldLoss = reason }
            return become(.dead, slot, &stage)
        }
        lines[slot].untoldLoss = nil
        lines[slot].belief = .closed
        disbelieve(slot, &stage)
        journal(.closed, CloseCode(reason), value: number(slot), &stage)
        tell(.closed(ConnectionSlot(UInt8(slot)), reason), &stage)
    }

    /// The app runs again and finds out which of its connections are gone.
    mutating func learnLosses(_ stage: inout Stage) {
        for slot in Self.slots {
            guard let reason = lines[slot].untoldLoss else { continue }
            lose(slot, reason, &stage)
            if reason == .ended { endInTurn(slot, &stage) }
        }
    }

    /// The process ends: the kernel ends its connections in order, and nobody is left to be told.
    mutating func abandon(_ slot: Int, _ stage: inout Stage) {
        let belief = lines[slot].belief
        lines[slot].belief = .closed
        lines[slot].client.close()
        guard belief == .open else { return }
        let isGone = lines[slot].untoldLoss != nil
        lines[slot].untoldLoss = nil
        become(.absent, slot, &stage)
        journal(.closed, .byClient, value: number(slot), &stage)
        if !isGone && !lines[slot].isDatagram {
            sendUp(Packet(.goodbye, cause: .connect, bytes: lines[slot].goodbyeBytes, stamp: now), slot, &stage)
        }
    }

    mutating func fail(_ slot: Int, _ failure: Failure, _ stage: inout Stage) {
        lines[slot].belief = .closed
        lines[slot].client.close()
        journal(.failed, FailureCode(failure), value: number(slot), &stage)
        tell(.failed(ConnectionSlot(UInt8(slot)), failure), &stage)
    }

    /// The server, or somebody in its name, has ended the connection.
    mutating func loseToPeer(_ slot: Int, _ reason: CloseReason, _ stage: inout Stage) {
        // There is nothing of a datagram that could be ended.
        guard lines[slot].carrier.kind != .datagram else { return }
        loseClient(slot, &stage)
        switch lines[slot].belief {
        case .closed: break
        case .opening: fail(slot, .refused, &stage)
        case .open:
            become(truth(of: slot), slot, &stage)
            lose(slot, reason, &stage)
        }
    }

    /// The operating system took the network away and says so.
    mutating func loseByError(_ slot: Int, _ stage: inout Stage) {
        switch lines[slot].belief {
        case .closed: break
        case .opening: fail(slot, .noPath, &stage)
        case .open:
            lines[slot].client.close()
            become(truth(of: slot), slot, &stage)
            lose(slot, .pathLost, &stage)
        }
    }
}
