import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the actions of a strategy: passes each action to the component that executes it.
extension PhoneSimulation {
    mutating func perform(_ action: Action, _ context: inout WorkerContext) {
        switch action {
        case .connect(let slot, let carrier, let resuming):
            connect(Int(slot.index), carrier, resuming, &context)
        case .close(let slot): close(Int(slot.index), &context)
        case .closeGracefully(let slot): close(Int(slot.index), isDone: true, &context)
        case .send(let slot, let from, let upTo):
            send(Int(slot.index), from.position, min(upTo, session.produced).position, &context)
        case .ping(let slot):
            phoneEnd.ping(Int(slot.index), at: now, &context.phoneEndEffects)
            drainPhoneEnd(&context)
        case .deliver(let cursor): handOver(upTo: cursor, &context)
        case .forget(let cursor): forget(below: min(cursor, session.produced))
        case .persist(let cursor): delivery.persist(delivery.persistWhenShown(cursor, session), &session)
        case .storeOutgoing(let cursor):
            session.storedOutgoing = max(session.storedOutgoing, min(cursor, session.produced))
        case .stayAwake(let awake): applyToSystem(&context) { $0.stayAwake(awake, at: $1, &$2) }
        case .call(let slot, let call):
            phoneEnd.sendCall(call, Int(slot.index), at: now, &context.phoneEndEffects)
            drainPhoneEnd(&context)
        case .abandon(let call, let failure):
            phoneEnd.abandon(call: call, failure, at: now, &context.phoneEndEffects)
            drainPhoneEnd(&context)
        case .migrate(let slot): migrate(Int(slot.index), &context)
        case .crash: crash(&context)
        case .abandonConsumer: journal(.consumerAbandoned, &context)
        case .acknowledge(let slot, let cursor):
            let position = min(cursor.position, delivery.received)
            phoneEnd.acknowledge(Int(slot.index), upTo: position, at: now, &context.phoneEndEffects)
            drainPhoneEnd(&context)
        case .resync(let slot): requestResync(Int(slot.index), &context)
        case .deliverAgain(let from, let upTo):
            delivery.showAgain(from.position, upTo.position, &session, &context.deliveryEffects)
            drainDelivery(&context)
        case .discard(let from, let upTo):
            delivery.discard(from.position, upTo.position, &session, &context.deliveryEffects)
            drainDelivery(&context)
        case .refuse(let from, let upTo):
            let end = min(upTo, session.produced).position
            delivery.refuse(from.position, end, arrived: server.arrived.index, &session, &context.deliveryEffects)
            drainDelivery(&context)
        case .evict(let cursor):
            delivery.evict(before: min(cursor, session.produced), &session, &context.deliveryEffects)
            drainDelivery(&context)
        case .requestMessages(let count): requestMessages(count, &context)
        case .wrote(let pending): journal(.writesPending, value: Int64(pending), &context)
        case .calledBack(let count): journal(.writesCalledBack, value: Int64(count), &context)
        case .markGap(let direction): noticeGap(direction, &context)
        }
    }

    private mutating func connect(
        _ slot: Int, _ carrier: Transport, _ resuming: ResumeRequest, _ context: inout WorkerContext
    ) {
        close(slot, &context)
        server.abandonConnection(slot, at: now, &context.serverEffects)
        drainServer(&context)
        guard let path = session.path, networkIsAllowed else {
            journal(.attemptedOffline, &context)
            return notifyStrategy(.failed(ConnectionSlot(UInt8(slot)), .noPath), &context)
        }
        cancelWaits(slot, &context)
        delivery.forgetUnread(resuming, &session, &context.deliveryEffects)
        drainDelivery(&context)
        let (terms, epoch) = (context.connectionConfigs.config(of: carrier), session.network.handle)
        phoneEnd.renew(slot, terms, resuming: resuming, over: path, epoch: epoch)
        connectionTruths.replace(slot, ConnectionTruth(abandoned: connectionTruths[slot].abandoned))
        server.renew(
            slot, generation: phoneEnd[slot].generation,
            ConnectionRequest(
                terms, resuming: resuming, from: PhoneAddress(path, epoch: epoch), window: phoneEnd.window(slot)))
        updateServerDue()
        journal(.connecting, isInHerd, value: Int64(phoneEnd[slot].generation), &context)
        phoneEnd.connect(slot, at: now, sessionView, &context.phoneEndEffects)
        drainPhoneEnd(&context)
    }

    /// Closes the connection on the client's request. Events about it that the strategy has not received yet are
    /// discarded, because the slot may belong to another connection by then.
    private mutating func close(_ slot: Int, isDone: Bool = false, _ context: inout WorkerContext) {
        let name = ConnectionSlot(UInt8(slot))
        context.strategyEvents.removeAll(about: name)
        system?.pointee.inbox.removeAll(about: name)
        phoneEnd.close(slot, isDone: isDone, at: now, sessionView, &context.phoneEndEffects)
        drainPhoneEnd(&context)
    }

    private mutating func send(_ slot: Int, _ from: UInt32, _ upTo: UInt32, _ context: inout WorkerContext) {
        guard phoneEnd[slot].belief == .open, from < upTo else { return }
        if !phoneEnd[slot].isDatagram {
            switch phoneEnd.streamPosition(of: from, slot) {
            case .next: break
            case .first: delivery.skipUp(to: from, &session, &context.deliveryEffects)
            case .behind(let gap, let isSettled):
                // While earlier messages are in flight, only one gap can be recorded.
                guard isSettled || delivery.skipUnsent(gap) else {
                    return stop(.sentOutOfOrder, value: Int64(from), &context)
                }
                phoneEnd.skip(slot, to: from)
                if isSettled { delivery.skipUp(to: from, &session, &context.deliveryEffects) }
            case .noRoom: return stop(.sentOutOfOrder, value: Int64(from), &context)
            }
        }
        phoneEnd.send(from..<upTo, slot, at: now, &context.phoneEndEffects)
        drainPhoneEnd(&context)
    }

    /// Forgets the app's messages below the cursor. If a connection is open and they were not passed to it, the client
    /// takes them for received.
    private mutating func forget(below end: Cursor) {
        for slot in Self.slots where phoneEnd[slot].belief == .open && !phoneEnd[slot].isDatagram {
            let from = max(session.forgotten.position, phoneEnd[slot].kernel.offeredEnd)
            if from < end.position { delivery.noteGivenUp(from..<end.position, .miscounted) }
        }
        delivery.forgetUp(before: end, &session)
    }

    /// Migrates a QUIC connection to the default network.
    private mutating func migrate(_ slot: Int, _ context: inout WorkerContext) {
        let moved = phoneEnd.migrate(slot, appPermissions, at: now, sessionView, &context.phoneEndEffects)
        drainPhoneEnd(&context)
        guard moved else { return }
        reassess(&context)
        phoneEnd.validatePath(slot, at: now, &context.phoneEndEffects)
        drainPhoneEnd(&context)
    }

    private mutating func requestResync(_ slot: Int, _ context: inout WorkerContext) {
        guard phoneEnd.requestSnapshot(slot) else { return }
        delivery.requestResync(&session, &context.deliveryEffects)
        drainDelivery(&context)
        phoneEnd.flush(slot, at: now, &context.phoneEndEffects)
        drainPhoneEnd(&context)
    }

    /// Cancels everything at both ends of an ended connection that waits for its flow control window or buffer space.
    mutating func cancelWaits(_ slot: Int, _ context: inout WorkerContext) {
        server.endWindowStall(slot, at: now, &context.serverEffects)
        drainServer(&context)
        phoneEnd.endStalls(slot, at: now, &context.phoneEndEffects)
        drainPhoneEnd(&context)
    }
}
