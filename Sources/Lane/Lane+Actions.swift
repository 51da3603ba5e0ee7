import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneProtocols
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport

/// What a strategy does, each to its place.
extension Lane {
    mutating func perform(_ action: Action, _ stage: inout Stage) {
        switch action {
        case .connect(let slot, let carrier, let resuming):
            connect(Int(slot.index), carrier, resuming, &stage)
        case .close(let slot): close(Int(slot.index), &stage)
        case .leave(let slot): close(Int(slot.index), isDone: true, &stage)
        case .send(let slot, let from, let upTo):
            send(Int(slot.index), from.position, min(upTo, session.produced).position, &stage)
        case .ping(let slot):
            phoneEnd.ping(Int(slot.index), at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        case .deliver(let cursor): handOver(upTo: cursor, &stage)
        case .forget(let cursor): delivery.forgetUp(before: min(cursor, session.produced), &session)
        case .persist(let cursor): delivery.persist(delivery.persistShown(cursor, session), &session)
        case .keep(let cursor): session.kept = max(session.kept, min(cursor, session.produced))
        case .stayAwake(let awake): drive(&stage) { $0.stayAwake(awake, at: $1, &$2) }
        case .call(let slot, let call):
            phoneEnd.ask(call, Int(slot.index), at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        case .abandon(let call, let failure):
            phoneEnd.abandon(call: call, failure, at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        case .migrate(let slot): migrate(Int(slot.index), &stage)
        case .crash: crash(&stage)
        case .acknowledge(let slot, let cursor):
            let position = min(cursor.position, delivery.received)
            phoneEnd.acknowledge(Int(slot.index), upTo: position, at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        case .resync(let slot): askForAll(Int(slot.index), &stage)
        case .deliverAgain(let from, let upTo):
            delivery.showAgain(from.position, upTo.position, &session, &stage.deliverySteps)
            settleDelivery(&stage)
        case .discard(let from, let upTo):
            delivery.discard(from.position, upTo.position, &session, &stage.deliverySteps)
            settleDelivery(&stage)
        case .refuse(let from, let upTo):
            let end = min(upTo, session.produced).position
            delivery.refuse(from.position, end, arrived: server.arrived.index, &session, &stage.deliverySteps)
            settleDelivery(&stage)
        case .evict(let cursor):
            delivery.evict(before: min(cursor, session.produced), &session, &stage.deliverySteps)
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
        server.leaveGhost(slot, at: now, &stage.serverSteps)
        settleServer(&stage)
        guard let path = session.path, networkIsAllowed else {
            journal(.attemptedOffline, &stage)
            return tell(.failed(ConnectionSlot(UInt8(slot)), .noPath), &stage)
        }
        endWaiting(slot, &stage)
        delivery.forgetUnread(resuming, &session, &stage.deliverySteps)
        settleDelivery(&stage)
        let (terms, epoch) = (stage.terms.place(of: carrier), session.network.handle)
        phoneEnd.renew(slot, terms, resuming: resuming, over: path, epoch: epoch)
        realities.renew(slot, Reality(givenUp: realities[slot].givenUp))
        server.renew(
            slot, generation: phoneEnd[slot].generation,
            Opening(
                terms, resuming: resuming, from: Address(path, epoch: epoch), window: phoneEnd.window(slot)))
        noteServerDue()
        journal(.connecting, isInHerd, value: Int64(phoneEnd[slot].generation), &stage)
        phoneEnd.setOut(slot, at: now, view, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    /// By the client's own decision. What it was not told of the connection yet it will not be told: the slot may be another
    /// connection's by then.
    private mutating func close(_ slot: Int, isDone: Bool = false, _ stage: inout Stage) {
        let name = ConnectionSlot(UInt8(slot))
        stage.notices.removeAll(about: name)
        system?.pointee.inbox.removeAll(about: name)
        phoneEnd.close(slot, isDone: isDone, at: now, view, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    private mutating func send(_ slot: Int, _ from: UInt32, _ upTo: UInt32, _ stage: inout Stage) {
        guard phoneEnd[slot].belief == .open, from < upTo else { return }
        if !phoneEnd[slot].isDatagram {
            switch phoneEnd.place(of: from, slot) {
            case .next: break
            case .first: delivery.skipUp(to: from, &session, &stage.deliverySteps)
            case .behind(let gap, let isSettled):
                // Behind messages that are still on their way there is room for one gap.
                guard isSettled || delivery.leaveOut(gap) else {
                    return stop(.sentOutOfOrder, value: Int64(from), &stage)
                }
                phoneEnd.skip(slot, to: from)
                if isSettled { delivery.skipUp(to: from, &session, &stage.deliverySteps) }
            case .nowhere: return stop(.sentOutOfOrder, value: Int64(from), &stage)
            }
        }
        phoneEnd.send(from..<upTo, slot, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    /// A QUIC connection goes to the default network.
    private mutating func migrate(_ slot: Int, _ stage: inout Stage) {
        let moved = phoneEnd.move(slot, leave, at: now, view, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
        guard moved else { return }
        reassess(&stage)
        phoneEnd.prove(slot, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    private mutating func askForAll(_ slot: Int, _ stage: inout Stage) {
        guard phoneEnd.askForAll(slot) else { return }
        delivery.askForAll(&session, &stage.deliverySteps)
        settleDelivery(&stage)
        phoneEnd.flush(slot, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }

    /// The connection is over, and with it whatever waited for a window or for room, at both ends.
    mutating func endWaiting(_ slot: Int, _ stage: inout Stage) {
        server.endShut(slot, at: now, &stage.serverSteps)
        settleServer(&stage)
        phoneEnd.endWaiting(slot, at: now, &stage.phoneEndSteps)
        settlePhoneEnd(&stage)
    }
}
