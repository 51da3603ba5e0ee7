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
            send(Int(slot.index), from.position, min(upTo, host.session.produced).position, &context)
        case .exchange(let slot, let message, let begun):
            if begun < now { journal(.exchangeRepeated, value: Int64(message.position), &context) }
            callPhoneEnd(&context) { $0.exchange(message.position, Int(slot.index), begun: begun, at: $1, &$2) }
        case .abandonExchange(_, let end):
            journal(.exchangeAbandoned, &context)
            callDelivery(&context) { $0.skipUp(to: end.position, &$1, &$2) }
        case .handshake(let slot, let flight, let isResumed):
            callPhoneEnd(&context) { $0.sendFlight(flight, isResumed, Int(slot.index), at: $1, &$2) }
        case .sendAgain(let slot, let from, let upTo):
            callPhoneEnd(&context) { $0.sendAgain(from.position, upTo.position, Int(slot.index), at: $1, &$2) }
        case .join(let slot, let joined):
            guard let client = context.subscriptions?.client else { return }
            callPhoneEnd(&context) { $0.join(joined, Int(slot.index), &client.pointee, at: $1, &$2) }
        case .askOffset(let slot): callPhoneEnd(&context) { $0.askOffset(Int(slot.index), at: $1, &$2) }
        case .resumeMessage(let slot, let cursor, let chunk):
            resumeMessage(Int(slot.index), cursor, chunk: chunk, &context)
        case .ping(let slot):
            let nominates = context.peer.map { $0.pointee.selected == slot.index } ?? false
            callPhoneEnd(&context) { $0.ping(Int(slot.index), nominates: nominates, at: $1, &$2) }
        case .select(let slot): selectPath(slot, &context)
        case .deliver(let cursor): handOver(upTo: cursor, &context)
        case .forget(let cursor): forget(below: min(cursor, host.session.produced))
        case .persist(let cursor): delivery.persist(delivery.persistWhenShown(cursor, host.session), &host.session)
        case .storeOutgoing(let cursor):
            host.session.storedOutgoing = max(host.session.storedOutgoing, min(cursor, host.session.produced))
        case .stayAwake(let awake): callHost(&context) { $0.system?.pointee.stayAwake(awake, at: $1, &$2) }
        case .call(let slot, let call):
            callPhoneEnd(&context) { $0.sendCall(call, Int(slot.index), at: $1, &$2) }
        case .abandon(let call, let failure):
            callPhoneEnd(&context) { $0.abandon(call: call, failure, at: $1, &$2) }
        case .migrate(let slot): migrate(Int(slot.index), &context)
        case .crash:
            context.client.outbox.removeAll()
            callHost(&context) { $0.kill(.crashed, at: $1, &$2) }
        case .abandonConsumer: journal(.consumerAbandoned, &context)
        case .acknowledge(let slot, let cursor):
            let position = min(cursor.position, delivery.received)
            callPhoneEnd(&context) { $0.acknowledge(Int(slot.index), upTo: position, at: $1, &$2) }
        case .resync(let slot): requestResync(Int(slot.index), &context)
        case .deliverAgain, .discard, .refuse, .evict, .requestMessages, .giveUp, .abandonUpload:
            performOnMessages(action, &context)
        case .wrote(let pending): journal(.writesPending, value: Int64(pending), &context)
        case .calledBack(let count): journal(.writesCalledBack, value: Int64(count), &context)
        case .markGap(let direction): noticeGap(direction, &context)
        case .registerPushToken:
            if context.pushes?.pointee.registerToken() ?? false { sendPushToken(&context) }
        case .refreshCredentials(let byUser, let timeout):
            refreshCredentials(byUser: byUser, within: timeout, &context)
        }
    }

    /// Performs an action that concerns messages, not a connection.
    private mutating func performOnMessages(_ action: Action, _ context: inout WorkerContext) {
        switch action {
        case .deliverAgain(let from, let upTo):
            callDelivery(&context) { $0.showAgain(from.position, upTo.position, &$1, &$2) }
        case .discard(let from, let upTo):
            callDelivery(&context) { $0.discard(from.position, upTo.position, &$1, &$2) }
        case .refuse(let from, let upTo):
            let (end, arrived) = (min(upTo, host.session.produced).position, server.arrived.index)
            callDelivery(&context) { $0.refuse(from.position, end, arrived: arrived, &$1, &$2) }
        case .evict(let cursor):
            callDelivery(&context) { $0.evict(before: min(cursor, $1.produced), &$1, &$2) }
        case .requestMessages(let count): requestMessages(count, &context)
        case .giveUp(let cursor): giveUp(cursor, &context)
        case .abandonUpload(let cursor):
            guard let uploads = context.uploads else { return }
            callServer(&context) { $0.abandonUpload(of: cursor.position, uploads, &$2) }
        default: break
        }
    }

    private mutating func connect(
        _ slot: Int, _ carrier: Transport, _ resuming: ResumeRequest, _ context: inout WorkerContext
    ) {
        close(slot, &context)
        if let uploads = context.uploads {
            // The message that the previous connection was sending breaks off.
            let isKept = context.client.strategy.uploads?.resumesAtOffset ?? false
            callServer(&context) { $0.breakOff(uploads, isKept: isKept, &$2) }
        }
        callServer(&context) { $0.abandonConnection(slot, at: $1, &$2) }
        guard let path = host.usablePath else {
            journal(.attemptedOffline, &context)
            context.names?.failOffline(at: now)
            return context.client.events.append(.failed(ConnectionSlot(UInt8(slot)), .noPath))
        }
        cancelWaits(slot, &context)
        callDelivery(&context) { $0.forgetUnread(resuming, &$1, &$2) }
        let isOther = phoneEnd[slot].generation > 0 && phoneEnd[slot].transport.kind != carrier.kind
        noteOpening(carrier, context)
        let (terms, epoch) = (context.connectionConfigs.config(of: carrier), host.session.network.handle)
        phoneEnd.renew(slot, terms, resuming: resuming, over: path, epoch: epoch, address: serverLocation.address)
        packetNetwork.open(
            slot,
            CarriedConnection(
                generation: phoneEnd[slot].generation,
                route: carrier.kind == .datagram ? carrier.datagrams.route : .none))
        connections.renew(slot, isDatagram: phoneEnd[slot].isDatagram)
        let request = ConnectionRequest(
            terms, resuming: resuming, from: PhoneAddress(path, epoch: epoch), window: phoneEnd.window(slot))
        let generation = phoneEnd[slot].generation
        callServer(&context) { server, _, _ in server.renew(slot, generation: generation, request) }
        journal(.connecting, connections.herd.isFromTimeline, value: Int64(generation), &context)
        if isOther {
            journal(.transportChanged, TransportCode(carrier.kind), value: Int64(generation), &context)
        }
        let choice =
            context.names?.choose(at: now, first: ServerLocation.first(context.addressesDependOnNetwork))
            ?? .ask(orElse: nil)
        callPhoneEnd(&context) { [sessionView] in $0.connect(slot, choice, at: $1, sessionView, &$2) }
    }

    /// Closes the connection on the client's request. Events about it that the strategy has not received yet are
    /// discarded, because the slot may belong to another connection by then.
    private mutating func close(_ slot: Int, isDone: Bool = false, _ context: inout WorkerContext) {
        host.discardEvents(about: ConnectionSlot(UInt8(slot)), &context.client)
        callPhoneEnd(&context) { [sessionView] in $0.close(slot, isDone: isDone, at: $1, sessionView, &$2) }
    }

    private mutating func send(_ slot: Int, _ from: UInt32, _ upTo: UInt32, _ context: inout WorkerContext) {
        guard phoneEnd[slot].belief == .open, from < upTo else { return }
        if !phoneEnd[slot].isDatagram {
            switch phoneEnd.streamPosition(of: from, slot) {
            case .next: break
            case .first: callDelivery(&context) { $0.beginUp(at: from, &$1, &$2) }
            case .behind(let gap, let isSettled):
                // While earlier messages are in flight, only one gap can be recorded.
                guard isSettled || delivery.skipUnsent(gap) else {
                    return stop(.sentOutOfOrder, value: Int64(from), &context)
                }
                phoneEnd.skip(slot, to: from)
                if isSettled { callDelivery(&context) { $0.skipUp(to: from, &$1, &$2) } }
            case .noRoom: return stop(.sentOutOfOrder, value: Int64(from), &context)
            }
        }
        callPhoneEnd(&context) { $0.send(from..<upTo, slot, at: $1, &$2) }
    }

    /// Sends the rest of a message, as the first message of its connection.
    private mutating func resumeMessage(
        _ slot: Int, _ cursor: Cursor, chunk: UInt32, _ context: inout WorkerContext
    ) {
        guard let uploads = context.uploads, phoneEnd.takesRest(slot) else { return }
        let done = callServer(&context) { $0.resumeUpload(of: cursor.position, chunk: chunk, uploads, &$2) }
        guard done > 0 else { return }
        callDelivery(&context) { $0.skipUp(to: cursor.position, &$1, &$2) }
        let isSent = callPhoneEnd(&context) { $0.sendRest(of: cursor.position, without: done, slot, at: $1, &$2) }
        if !isSent { uploads.pointee.resumedFrom = 0 }
    }

    /// Gives up a refused message: it is lost, unless the server has taken it meanwhile.
    private mutating func giveUp(_ cursor: Cursor, _ context: inout WorkerContext) {
        guard cursor < host.session.produced, server.passRefused(cursor.position, context.uploads) else { return }
        callDelivery(&context) { $0.loseRefused(cursor.position, &$1, &$2) }
    }

    /// Forgets the app's messages below the cursor. If a connection is open and they were not passed to it, the client
    /// takes them for received.
    private mutating func forget(below end: Cursor) {
        for slot in Self.slots where phoneEnd[slot].belief == .open && !phoneEnd[slot].isDatagram {
            let from = max(host.session.forgotten.position, phoneEnd[slot].kernel.offeredEnd)
            if from < end.position { delivery.noteGivenUp(from..<end.position, .miscounted) }
        }
        delivery.forgetUp(before: end, &host.session)
    }

    /// Migrates a QUIC connection to the default network.
    private mutating func migrate(_ slot: Int, _ context: inout WorkerContext) {
        let moved = callPhoneEnd(&context) { [appPermissions, sessionView] in
            $0.migrate(slot, appPermissions, at: $1, sessionView, &$2)
        }
        guard moved else { return }
        reassess(&context)
        callPhoneEnd(&context) { $0.validatePath(slot, at: $1, &$2) }
    }

    private mutating func requestResync(_ slot: Int, _ context: inout WorkerContext) {
        guard phoneEnd.requestSnapshot(slot) else { return }
        callDelivery(&context) { $0.requestResync(&$1, &$2) }
        callPhoneEnd(&context) { $0.flush(slot, at: $1, &$2) }
    }

    /// Cancels everything at both ends of an ended connection that waits for its flow control window or buffer space.
    mutating func cancelWaits(_ slot: Int, _ context: inout WorkerContext) {
        callServer(&context) { $0.endWindowStall(slot, at: $1, &$2) }
        callPhoneEnd(&context) { $0.endStalls(slot, at: $1, &$2) }
    }
}
