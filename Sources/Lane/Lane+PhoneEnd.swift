import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport
import DeadzoneWorld

/// What the phone's end of connections asks for, done in its order; and what comes to it.
extension Lane {
    /// What the system lets the app do.
    var leave: Leave { Leave(runs: appRuns, mayTalk: networkIsAllowed) }

    /// What it has to know of the session.
    @inline(__always)
    var view: SessionView { SessionView(session, received: delivery.received) }

    /// To be called after each verb of the phone's end.
    @inline(__always)
    mutating func settlePhoneEnd(_ stage: inout Stage) {
        if stage.phoneEndSteps.hasMore { followPhoneEnd(&stage) }
    }

    private mutating func followPhoneEnd(_ stage: inout Stage) {
        let asked = stage.phoneEndSteps.begin()
        for index in asked {
            performPhoneEndStep(index, &stage)
            settlePhoneEnd(&stage)
        }
        stage.phoneEndSteps.end(asked)
    }

    @inline(__always)
    private mutating func performPhoneEndStep(_ index: Int, _ stage: inout Stage) {
        switch stage.phoneEndSteps[index] {
        case .note(let note): write(note, &stage)
        case .tell(let event): tell(event, &stage)
        case .leave(let packet, let interface, let epoch, let slot, let generation):
            leave(
                Flight(
                    at: now, packet: packet, hop: .heldByPhone, interface: interface, slot: UInt8(slot),
                    generation: generation, epoch: epoch), &stage)
        case .lookAgain(let call, let at, let slot, let generation):
            stage.flights.insert(Flight(call, hop: .asking, at: at, slot: slot, generation: generation), into: &flights)
        case .read(let slot): readDown(slot, &stage)
        case .received(let slot, let run):
            delivery.receive(run, &session, &stage.deliverySteps)
            settleDelivery(&stage)
            tell(.received(ConnectionSlot(UInt8(slot)), upTo: Cursor(run.last), bytes: run.bytes), &stage)
            phoneEnd.took(run, slot, leave)
        case .receivedAlone(let first, let last, let bytes, let slot):
            delivery.receive(datagram: first..<last, &session, &stage.deliverySteps)
            settleDelivery(&stage)
            tell(.received(ConnectionSlot(UInt8(slot)), upTo: Cursor(delivery.received), bytes: bytes), &stage)
        case .confirmed(let slot, let end):
            delivery.confirmUp(before: end, &session, &stage.deliverySteps)
            settleDelivery(&stage)
            tell(.acknowledged(ConnectionSlot(UInt8(slot)), Cursor(end)), &stage)
        case .receivedAll(_, let run): delivery.receiveAll(before: run.first)
        case .resumed(let slot): resume(slot, &stage)
        case .promised(let slot): if server.announcedBeats(slot) != nil { beat(slot, &stage) }
        case .beat(let slot): beat(slot, &stage)
        case .turnedAway(let slot, let isPermanent):
            let retryAfter = isPermanent ? nil : stage.world.server.retryAfter
            tell(
                .turnedAway(
                    ConnectionSlot(UInt8(slot)), SessionRefusal(isPermanent: isPermanent, retryAfter: retryAfter)),
                &stage)
        case .opened(let slot): believe(slot, &stage)
        case .died(let slot): become(.dead, slot, &stage)
        case .disbelieved(let slot): disbelieve(slot, &stage)
        case .ended(let slot): become(.absent, slot, &stage)
        case .heard(let slot): served(slot, &stage)
        case .gaveUp(let slot): giveUp(slot, &stage)
        case .wantsNone: mend()
        case .measured(let slot, let span): server.measure(slot, span)
        case .sendsDatagrams(let slot):
            server.openDatagrams(slot, introduction, at: now, &stage.serverSteps)
            settleServer(&stage)
            phoneEnd.sendDatagrams(slot, resumedAt: server.start(slot).resumedAt, view, &stage.phoneEndSteps)
        case .leftDatagrams(let slot):
            server.closeDatagrams(slot)
            noteServerDue()
        case .asked(let call, let slot): server.forgetSeen(call, slot)
        }
    }

    // MARK: What has come

    /// A packet for a connection has come in.
    @inline(__always)
    mutating func receiveAtPhone(_ flight: Flight, _ stage: inout Stage) {
        switch flight.packet.content {
        case .probe: return sendUpReply(to: flight, &stage)
        case .push: return receivePush(&stage)
        case .errandAnswer: return
        default: break
        }
        let slot = Int(flight.slot)
        guard phoneEnd[slot].generation == flight.generation else { return }
        // A firewall judges packets that have a socket; one that has none is refused by the kernel itself.
        let hasSocket = phoneEnd[slot].belief != .closed && phoneEnd[slot].untoldLoss == nil
        guard networkIsAllowed || !hasSocket else { return }
        phoneEnd.receive(flight.packet, slot, leave, at: now, view, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    private mutating func sendUpReply(to flight: Flight, _ stage: inout Stage) {
        let packet = flight.packet
        let reply = Packet(.probeReply, cause: .probe, bytes: packet.bytes, stamp: now, answering: packet)
        leave(
            Flight(
                at: now, packet: reply, hop: .heldByPhone, interface: flight.interface, slot: .max, generation: 0,
                epoch: flight.epoch), &stage)
    }

    /// Items of the server's stream are with the app's library now, one by one.
    private mutating func readDown(_ slot: Int, _ stage: inout Stage) {
        while phoneEnd.reads(slot), let run = server.take(slot, upTo: phoneEnd.expected(slot)) {
            hand(run, slot, &stage)
            settlePhoneEnd(&stage)
        }
        phoneEnd.flush(slot, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    /// An item, with what the server means by it.
    @inline(__always)
    private mutating func hand(_ run: Run, _ slot: Int, _ stage: inout Stage) {
        switch run.track {
        case .flight:
            let start = server.start(slot)
            phoneEnd.readFlight(
                run.first, slot, isProven: !server.isCaptured(slot), resumedAt: start.resumedAt,
                confirmed: start.confirmedUp, leave, at: now, view, &stage.phoneEndSteps)
        case .refusal:
            guard let refusal = Refusal(item: run.first) else { return }
            phoneEnd.readRefusal(
                of: Refusal.call(ofItem: run.first), refusal.told(stage.world.server.troubles), slot,
                &stage.phoneEndSteps)
        case .control:
            phoneEnd.read(
                word: run.first, slot, lastStream: server.lastStream(slot), seen: server.seenCalls(slot), leave,
                &stage.phoneEndSteps)
        default: phoneEnd.read(run, slot, leave, at: now, view, &stage.phoneEndSteps)
        }
    }

    /// What the server has said of the session.
    private mutating func resume(_ slot: Int, _ stage: inout Stage) {
        server.tellCount()
        let (epoch, start) = (server.namedEpoch, server.start(slot))
        session.epoch = epoch
        let greeting = Greeting(
            epoch: epoch, sent: Cursor(start.sent), received: Cursor(start.confirmedUp), next: Cursor(start.resumedAt),
            bringsSnapshot: start.bringsSnapshot)
        tell(.resumed(ConnectionSlot(UInt8(slot)), greeting), &stage)
    }

    private mutating func beat(_ slot: Int, _ stage: inout Stage) {
        let interval = server.announcedBeats(slot) ?? .zero
        tell(.heartbeat(ConnectionSlot(UInt8(slot)), every: interval), &stage)
    }

    // MARK: Time, networks, the resolver

    mutating func expireClient(_ slot: Int, _ stage: inout Stage) {
        phoneEnd.expire(slot, leave, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    mutating func loseToPeer(_ slot: Int, _ reason: CloseReason, _ stage: inout Stage) {
        // There is nothing of a datagram that could be ended.
        guard !phoneEnd[slot].isDatagram else { return }
        loseClient(slot, &stage)
        if phoneEnd[slot].belief == .open { become(truth(of: slot), slot, &stage) }
        phoneEnd.loseToPeer(slot, reason, leave, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    mutating func loseByError(_ slot: Int, _ stage: inout Stage) {
        if phoneEnd[slot].belief == .open {
            phoneEnd.letGo(slot)
            become(truth(of: slot), slot, &stage)
        }
        phoneEnd.loseByError(slot, leave, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    /// A question has reached the resolver.
    mutating func askResolver(_ flight: Flight, _ stage: inout Stage) {
        guard let resolver = stage.world.resolver else { return }
        if !isResolving && resolver.failing == .silent { return vanish(flight, &stage) }
        var answer = Packet(
            .resolution, cause: .dns, bytes: isResolving ? Resolver.answerBytes : Resolver.questionBytes,
            number: isResolving ? 1 : 0, stamp: now, answering: flight.packet)
        answer.stamp = flight.packet.stamp
        var reply = flight
        reply.packet = answer
        guard resolver.work > .zero else { return answerOfResolver(reply, &stage) }
        reply.at = now + resolver.work
        reply.hop = .resolving
        stage.flights.insert(reply, into: &flights)
    }

    /// The resolver has done its work.
    mutating func answerOfResolver(_ flight: Flight, _ stage: inout Stage) {
        launchDown(
            flight.packet, slot: Int(flight.slot), over: flight.interface, epoch: flight.epoch,
            generation: flight.generation, &stage)
    }

    mutating func hearResolver(_ flight: Flight, _ stage: inout Stage) {
        phoneEnd.hearResolver(
            flight.packet, Int(flight.slot), generation: flight.generation, over: flight.interface,
            epoch: flight.epoch, at: now, view, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    mutating func expireApproach(_ slot: Int, _ stage: inout Stage) {
        phoneEnd.expireApproach(slot, at: now, view, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    mutating func setResolving(_ isResolving: Bool, _ stage: borrowing Stage) -> Bool {
        // Where nobody asks for names, none can fail.
        guard stage.world.resolver != nil, self.isResolving != isResolving else { return false }
        self.isResolving = isResolving
        return true
    }
}
