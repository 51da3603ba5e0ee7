import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
package import DeadzonePrimitives
package import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// What the server asks for, done in its order; and what comes to it from elsewhere in the lane.
extension Lane {
    /// To be called after each verb of the server: what it asked for happens now, and what that leads to before the next.
    @inline(__always)
    mutating func settleServer(_ stage: inout Stage) {
        if stage.serverSteps.hasMore { followServer(&stage) }
        noteServerDue()
    }

    private mutating func followServer(_ stage: inout Stage) {
        let asked = stage.serverSteps.begin()
        for index in asked {
            performServerStep(index, &stage)
            if stage.serverSteps.hasMore { followServer(&stage) }
        }
        stage.serverSteps.end(asked)
    }

    /// Something of the server's has changed.
    mutating func noteServerDue() { serverDue = (serverDeadline(0), serverDeadline(1)) }

    private func serverDeadline(_ slot: Int) -> Instant { server.isHeld(slot) ? server.deadline(slot) : .never }

    @inline(__always)
    private mutating func performServerStep(_ index: Int, _ stage: inout Stage) {
        switch stage.serverSteps[index] {
        case .note(let note): write(note, &stage)
        case .leave(let packet, let address, let slot, let generation, let sentAt):
            launchDown(
                packet, slot: slot, over: address.interface, epoch: address.epoch, generation: generation, at: sentAt,
                &stage)
        case .later(let matter, let at, let slot, let generation):
            stage.flights.insert(Flight(matter, at: at, slot: slot, generation: generation), into: &flights)
        case .queue(var arrival):
            arrival.lane = phone.index
            stage.wait(arrival, at: now)
        case .left(let instance): stage.leavings.append(Leaving(at: now, instance: instance))
        case .read(let slot, let reading): handOverUp(slot, reading, &stage)
        case .thaw(let slot):
            stage.serverSteps.append(.read(slot: slot, .thaw(wasHeldBack: phoneEnd[slot].client.isHeldBack)))
        case .flushed(let slot): server.noteFlushed(slot, at: now, &stage.serverSteps)
        case .changed: reassess(&stage)
        case .attached:
            // A connection that gives way to its successor is no outage.
            let wasBroken = isBroken
            reassess(&stage)
            if !wasBroken { mend() }
        case .goesOn(let slot, let next, let isGap):
            phoneEnd.beginReceipts(slot, from: next)
            delivery.goOn(at: next, isGap: isGap, &session, &stage.deliverySteps)
            settleDelivery(&stage)
        case .beginsAnew(let slot, let next, let isAsked):
            phoneEnd.beginReceipts(slot, from: next)
            delivery.beginAnew(at: next, isAsked: isAsked, &session, &stage.deliverySteps)
            settleDelivery(&stage)
        case .wrote: writeToGivenUp()
        case .passedUp(let from, let upTo): delivery.passRefused(from, upTo, session)
        case .cameUp(let end): delivery.skipUp(to: end, &session, &stage.deliverySteps)
        case .push(let isUrgent, let isForPending):
            if isForPending && delivery.received >= server.written.index { return }
            _ = askForPush(isUrgent: isUrgent, &stage)
        case .announcePending: server.lookForPending(&stage.serverSteps)
        }
    }

    /// What the phone has written, to the server's program, item by item.
    @inline(__always)
    private mutating func handOverUp(_ slot: Int, _ reading: Reading, _ stage: inout Stage) {
        while server.isReading(slot), let run = phoneEnd.take(slot, upTo: server.expected(slot)) {
            let visit = run.track == .call && server.considers(slot) ? phoneEnd.meet(call: run.first) : 0
            guard server.read(run, slot: slot, visit: visit, introduction, at: now, &stage.serverSteps) else { return }
            if stage.serverSteps.hasMore { followServer(&stage) }
        }
        server.finishReading(slot, reading, at: now, &stage.serverSteps)
    }

    // MARK: What comes to it

    /// What the client says of itself.
    var introduction: Introduction { Introduction(epoch: session.epoch, keysMessages: session.keysMessages) }

    @inline(__always)
    mutating func receiveAtServer(_ flight: Flight, _ stage: inout Stage) {
        switch flight.packet.content {
        case .probeReply: journal(.probeAnswered, value: (now - flight.packet.echo).nanoseconds, &stage)
        case .errand: answerErrand(flight, &stage)
        default:
            server.receive(
                flight.packet, slot: Int(flight.slot), generation: flight.generation,
                from: Address(flight.interface, epoch: flight.epoch), at: now, introduction, &stage.serverSteps)
            settleServer(&stage)
        }
    }

    mutating func receiveAtPortal(_ flight: Flight, _ stage: inout Stage) {
        server.receiveAtPortal(
            flight.packet, slot: Int(flight.slot), generation: flight.generation, at: now, &stage.serverSteps)
        settleServer(&stage)
    }

    mutating func writeDown(_ stage: inout Stage) {
        server.write(at: now, &stage.serverSteps)
        settleServer(&stage)
    }

    mutating func expireServer(_ slot: Int, _ stage: inout Stage) {
        server.expire(slot, at: now, &stage.serverSteps)
        settleServer(&stage)
    }

    mutating func comeBack(_ flight: Flight, _ matter: Matter, _ stage: inout Stage) {
        let isInVain = server.comeBack(
            to: matter, Int(flight.slot), flight.generation, introduction, at: now, &stage.serverSteps)
        if flight.hop.isLook && !isInVain { somethingHappens(isLate: true, &stage) }
        settleServer(&stage)
        if isInVain { restLooks(&stage) }
    }

    /// Its end of the connection learns that nobody is there.
    mutating func loseClient(_ slot: Int, _ stage: inout Stage) {
        server.loseClient(slot, at: now, &stage.serverSteps)
        settleServer(&stage)
    }

    mutating func applyToServer(_ change: ServerChange, _ stage: inout Stage) -> Bool {
        let applied = server.apply(change, at: now, &stage.serverSteps)
        settleServer(&stage)
        return applied
    }

    mutating func applyToInstance(_ number: UInt8, _ change: InstanceChange, _ stage: inout Stage) -> Bool {
        let applied = server.apply(change, to: number, at: now, &stage.serverSteps)
        settleServer(&stage)
        return applied
    }

    mutating func beginDeploy(_ deploy: Deploy) -> Bool {
        server.begin(deploy, entry: nextChange, at: now)
        return true
    }

    mutating func advanceDeploy(_ stage: inout Stage) {
        guard case .deploy(let deploy) = stage.world.timeline[server.deployEntry].change else { return }
        server.advance(deploy, at: now, &stage.serverSteps)
        settleServer(&stage)
    }

    // MARK: What it shares with other phones

    /// The instances that all phones share have decided what becomes of the arrival.
    package mutating func hear(_ verdict: Cluster.Verdict, of arrival: Arrival, roundEnd: Instant, _ stage: inout Stage)
    {
        guard !isStopped else { return }
        somethingHappens(&stage)
        known = .unknown
        server.hear(verdict, of: arrival, roundEnd: roundEnd, introduction, at: now, &stage.serverSteps)
        settleServer(&stage)
    }
}

extension Flight {
    /// No packet: what the server's program comes back to.
    init(_ matter: Matter, at: Instant, slot: Int, generation: UInt16) {
        let (hop, call): (Hop, UInt32) =
            switch matter {
            case .session: (.queued, 0)
            case .answer(let call): (.thinking, call)
            case .refusal(let call): (.refusing, call)
            case .room(let call): (.answering, call)
            }
        self.init(call, hop: hop, at: at, slot: slot, generation: generation)
    }

    /// No packet: what somebody comes back to.
    init(_ call: UInt32, hop: Hop, at: Instant, slot: Int, generation: UInt16) {
        self.init(
            at: at, packet: Packet(.hello, cause: .connect, bytes: 0, first: call, last: call + 1, stamp: at), hop: hop,
            interface: .wifi, slot: UInt8(slot), generation: generation, epoch: 0)
    }
}
