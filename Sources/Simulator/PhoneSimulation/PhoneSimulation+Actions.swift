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
        case .resumeMessage(let slot, let cursor, let chunk):
            resumeMessage(Int(slot.index), cursor, chunk: chunk, &context)
        case .migrate(let slot): migrate(Int(slot.index), &context)
        case .select(let slot):
            guard let peer = context.peer else { return }
            callServer(&context) { $0.selectPath(slot.index, peer, at: $1, &$2) }
        case .join(let slot, let joined):
            guard let client = context.subscriptions?.client else { return }
            callPhoneEnd(&context) { $0.join(joined, Int(slot.index), &client.pointee, at: $1, &$2) }
        case .ping, .call, .abandon, .acknowledge, .exchange, .handshake, .sendAgain, .askOffset, .resync:
            let (received, selected) = (delivery.received, context.peer?.pointee.selected)
            callPhoneEnd(&context) { $0.perform(action, received: received, selected: selected, at: $1, &$2) }
        case .deliver, .persist, .storeOutgoing, .requestMessages, .deliverAgain, .discard, .refuse, .evict,
            .abandonExchange, .markGap:
            let (appRuns, arrived) = (host.appRuns, server.arrived.index)
            callDelivery(&context) { $0.perform(action, appRuns: appRuns, arrived: arrived, &$1, &$2) }
        case .forget(let cursor):
            let end = min(cursor, host.session.produced)
            for slot in Self.slots where phoneEnd[slot].belief == .open && !phoneEnd[slot].isDatagram {
                delivery.noteMiscounted(from: phoneEnd[slot].tcp.offeredEnd, before: end, host.session)
            }
            delivery.forgetUp(before: end, &host.session)
        case .giveUp(let cursor):
            // The message is lost, unless the server has taken it meanwhile.
            guard cursor < host.session.produced, server.passRefused(cursor.position, context.uploads) else { return }
            callDelivery(&context) { $0.loseRefused(cursor.position, &$1, &$2) }
        case .abandonUpload(let cursor):
            guard let uploads = context.uploads else { return }
            callServer(&context) { $0.abandonUpload(of: cursor.position, uploads, &$2) }
        case .stayAwake(let awake): callHost(&context) { $0.system?.pointee.stayAwake(awake, at: $1, &$2) }
        case .crash:
            context.client.outbox.removeAll()
            callHost(&context) { $0.kill(.crashed, at: $1, &$2) }
        case .abandonConsumer: journal(.consumerAbandoned, &context)
        case .wrote(let pending): journal(.writesPending, value: Int64(pending), &context)
        case .calledBack(let count): journal(.writesCalledBack, value: Int64(count), &context)
        case .registerPushToken:
            if context.pushes?.pointee.registerToken() ?? false { sendPushToken(&context) }
        case .refreshCredentials(let byUser, let timeout):
            let isOffline = host.usablePath == nil
            let isHandled = callCredentials(&context) {
                isOffline ? .unanswered : $0.begin(byUser: byUser, $1, at: $2, within: timeout)
            }
            if !isHandled { context.client.events.append(.credentials(.unanswered)) }
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
        if carrier.datagrams.route == .direct { context.peer?.pointee.openDirect() }
        let (terms, addressNumber) = (context.connectionConfigs.config(of: carrier), host.session.network.handle)
        phoneEnd.renew(
            slot, terms, resuming: resuming, over: path, addressNumber: addressNumber, address: serverLocation.address)
        packetNetwork.open(
            slot,
            CarriedConnection(
                generation: phoneEnd[slot].generation,
                route: carrier.kind == .datagram ? carrier.datagrams.route : .none, isUDP: phoneEnd[slot].isUDP,
                interface: path, addressNumber: addressNumber))
        connections.renew(slot, isDatagram: phoneEnd[slot].isDatagram)
        let request = ConnectionRequest(
            terms, resuming: resuming, from: PhoneAddress(path, addressNumber: addressNumber),
            window: phoneEnd.window(slot))
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

    /// Migrates a QUIC connection to the default network.
    private mutating func migrate(_ slot: Int, _ context: inout WorkerContext) {
        let moved = callPhoneEnd(&context) { [appPermissions, sessionView] in
            $0.migrate(slot, appPermissions, at: $1, sessionView, &$2)
        }
        guard moved else { return }
        packetNetwork.move(slot, to: phoneEnd[slot].interface, addressNumber: phoneEnd[slot].addressNumber)
        reassess(&context)
        callPhoneEnd(&context) { $0.validatePath(slot, at: $1, &$2) }
    }

    /// Cancels everything at both ends of an ended connection that waits for its flow control window or buffer space.
    mutating func cancelWaits(_ slot: Int, _ context: inout WorkerContext) {
        callServer(&context) { $0.endWindowStall(slot, at: $1, &$2) }
        callPhoneEnd(&context) { $0.endStalls(slot, at: $1, &$2) }
    }
}
