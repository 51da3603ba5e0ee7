package import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport

/// The event loop: handles the next event, then lets the strategy react.
extension PhoneSimulation {
    /// Starts the app's process. First applies the timeline changes of time zero, because they set up the network
    /// paths.
    package mutating func start(_ context: inout WorkerContext) {
        while nextChange.at == .zero {
            applyChange(&context)
            // The strategy is not running yet, so it receives no events about them.
            context.client.events.removeAll()
        }
        otherApps.begin(on: networks.truePath, at: now)
        delivery.scheduleStall(after: .zero, at: now)
        callDelivery(&context) { $0.requestFirst(&$1, &$2) }
        context.names?.forget()
        callCredentials(&context) { state, rules, _ in .loaded(state.load(rules)) }
        context.client.events.append(.started)
        drainStrategyEvents(&context)
    }

    /// Handles every event before `end` and before the worker's barrier (the end of the sync window in which the phone
    /// waits for the server). Returns the instant of the next event; `.never` if the phone was stopped. A cancelled run
    /// returns earlier, in the middle of the simulated day.
    @discardableResult
    package mutating func run(
        until end: Instant, _ context: inout WorkerContext, isCancelled: () -> Bool = { false }
    ) -> Instant {
        var eventsUntilCheck = EventLimits.eventsPerCancellationCheck
        _ = due(context)
        var next = cachedNext
        cachedNext = .unknown
        while !isStopped {
            let limit = min(end, context.barrier)
            let rolled = next.at < limit ? next.radioLimit : limit
            if packetNetwork.radioAt < rolled {
                advanceRadios(before: rolled, &context)
                guard !isStopped else { break }
            }
            guard next.at < limit else {
                cachedNext = next
                return next.at
            }
            eventsUntilCheck -= 1
            if eventsUntilCheck == 0 {
                if isCancelled() { return next.at }
                eventsUntilCheck = EventLimits.eventsPerCancellationCheck
            }
            if now < next.at { advance(to: next.at) }
            countEvent(&context)
            handle(next.source, &context)
            drainStrategyEvents(&context)
            next = nextEvent(context)
        }
        return .never
    }

    /// Applies all state changes before `limit` that the radios make without a packet, in time order. Such a change
    /// notifies no component and moves only the radio's own next change. It therefore needs no event, and no search for
    /// the next event after it.
    mutating func advanceRadios(before limit: Instant, _ context: inout WorkerContext) {
        while !isStopped {
            let at = packetNetwork.radioAt
            guard at < limit else { return }
            if now < at { advance(to: at) }
            countEvent(&context)
            packetNetwork.advanceRadio(at: now, &context.packets)
        }
    }

    /// Resets the phone's connection with a server instance that has shut down.
    package mutating func terminateInstance(_ instance: UInt8, at: Instant, _ context: inout WorkerContext) {
        guard !isStopped, server.usesInstance(instance) else { return }
        advanceRadios(before: at, &context)
        guard !isStopped else { return }
        advance(to: at)
        packetNetwork.noteActivity(at: now, &context.packets)
        cachedNext = .unknown
        callServer(&context) { $0.apply(.down, to: instance, at: $1, &$2) }
        drainStrategyEvents(&context)
    }

    private mutating func advance(to at: Instant) {
        now = at
        host.session.now = at
        eventCounter.advance(to: at)
    }

    @inline(__always)
    private mutating func handle(_ source: EventSource, _ context: inout WorkerContext) {
        // A retry at this very instant ranks after weather events and before events that rank after packets.
        if source != .flight { packetNetwork.noteActivity(isLate: !source.isWeather, at: now, &context.packets) }
        if source.isWeather { cachedWeather = .unknown }
        switch source {
        case .timeline: applyChange(&context)
        case .networks: advanceNetworks(&context)
        case .messageDown:
            let subscriptions = context.subscriptions?.server
            callServer(&context) { $0.write(at: $1, subscriptions, &$2) }
        case .messageUp: callDelivery(&context) { $0.produceUp(&$1, &$2) }
        case .call:
            callPhoneEnd(&context) { $0.addCall(at: $1, &$2) }
        case .probe:
            let address = networks.truePath.map { PhoneAddress($0, addressNumber: networks.addressNumber($0)) }
            let dice = context.dice(.trafficProbe, phone)
            callServer(&context) { $0.sendProbe(to: address, dice, at: $1, &$2) }
        case .flight: finishHop(&context)
        case .mapping0: advanceMappingOrResolution(0, &context)
        case .client0: callPhoneEnd(&context) { [appPermissions] in $0.expire(0, appPermissions, at: $1, &$2) }
        case .server0: callServer(&context) { $0.expire(0, at: $1, &$2) }
        case .mapping1: advanceMappingOrResolution(1, &context)
        case .client1: callPhoneEnd(&context) { [appPermissions] in $0.expire(1, appPermissions, at: $1, &$2) }
        case .server1: callServer(&context) { $0.expire(1, at: $1, &$2) }
        case .timer:
            let slot = callHost(&context) { $0.fireTimer(at: $1, &$2) }
            journal(.timerFired, UInt16(slot.index), &context)
            context.client.events.append(.fired(slot))
        case .operatingSystem: callHost(&context) { $0.system?.pointee.advance(at: $1, &$2) }
        case .otherApp: runOtherApp(&context)
        case .tunnel: callPacketNetwork(&context) { [packetSender] in $0.advanceTunnel(packetSender, $2, &$3) }
        case .subscription:
            guard let subscriptions = context.subscriptions else { return }
            callServer(&context) { $0.endDrawnSubscription(subscriptions.server, at: $1, &$2) }
        // The presence is updated after each event.
        case .presence: break
        case .deploy: advanceDeploy(&context)
        case .stall where delivery.isOutOfMemory:
            delivery.clearOutOfMemory()
            callHost(&context) { $0.kill(.killed, at: $1, &$2) }
        case .stall:
            callDelivery(&context) { $0.advanceStall(&$1, &$2) }
        case .consumer:
            callDelivery(&context) { [appRuns = host.appRuns] in $0.advanceConsumption(appRuns: appRuns, &$1, &$2) }
        case .unknown: preconditionFailure("an event that nobody has looked for")
        }
    }

    /// Ends an event: delivers pending events to the strategy and applies its actions, until no event is left. Then
    /// updates the presence, which depends on the outcome.
    @inline(__always)
    private mutating func drainStrategyEvents(_ context: inout WorkerContext) {
        // Without an operating system that could hold events back, usually nothing is pending.
        if host.system != nil || !context.client.events.isEmpty || delivery.hasUnannounced
            || phoneEnd.calls.hasUnreported
        {
            deliverStrategyEvents(&context)
        }
        if let presence = context.presence { updatePresence(presence, &context) }
    }

    private mutating func deliverStrategyEvents(_ context: inout WorkerContext) {
        while !isStopped, let event = host.nextEvent(&context.client) ?? nextSendRequest() {
            countEvent(&context)
            host.handle(event, &context.client)
            if context.client.outbox.overflow > 0 {
                stop(.tooManyActions, value: Int64(Outbox.capacity + context.client.outbox.overflow), &context)
            }
            var index = 0
            // A crash empties the outbox during this loop.
            while index < context.client.outbox.count && !isStopped {
                perform(context.client.outbox[index], &context)
                index += 1
            }
        }
        if isStopped { context.client.events.removeAll() }
    }

    /// Returns the event that asks the strategy to send the app's next message or call. They were generated while the
    /// app may not have run. `nil` if all were announced, or if the app does not run.
    @inline(__always)
    private mutating func nextSendRequest() -> Event? {
        guard host.appRuns else { return nil }
        if delivery.hasUnannounced, let message = delivery.announceNext(&host.session) { return .wantsToSend(message) }
        return phoneEnd.calls.hasUnreported ? phoneEnd.nextCall() : nil
    }

    @inline(__always)
    private mutating func countEvent(_ context: inout WorkerContext) {
        if eventCounter.count(), let excess = eventCounter.excess {
            stop(excess.code, value: Int64(excess.events), &context)
        }
    }

    mutating func stop(_ code: StopCode, value: Int64, _ context: inout WorkerContext) {
        guard !isStopped else { return }
        isStopped = true
        journal(.stopped, code.rawValue, value: value, &context)
    }

    /// Writes a journal record of a kind that has no tag.
    func journal(_ kind: RecordKind, value: Int64 = 0, _ context: inout WorkerContext) {
        context.packets.journal.append(Record(at: now, phone: phone.index, kind: kind, value: value))
    }

    func write(_ note: JournalEntry, _ context: inout WorkerContext) {
        context.packets.journal.append(
            Record(at: now, phone: phone.index, kind: note.kind, tag: note.tag, value: note.value))
    }

    func journal<Tag>(_ tagged: TaggedKind<Tag>, _ tag: Tag, value: Int64 = 0, _ context: inout WorkerContext) {
        context.packets.journal.append(
            Record(at: now, phone: phone.index, kind: tagged.kind, tag: tag.bits, value: value))
    }
}
