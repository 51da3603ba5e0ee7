import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `OperatingSystem` in order, and manages the app's process.
extension PhoneSimulation {
    /// `true` if the app's code can run; always `true` without an operating system.
    var appRuns: Bool { system.map { $0.pointee.appRuns } ?? true }
    var appIsStopped: Bool { system.map { $0.pointee.appIsStopped } ?? false }
    var networkIsAllowed: Bool { system.map { $0.pointee.networkIsAllowed } ?? true }

    mutating func applySystemEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.system[index] {
        case .note(let note): write(note, &context)
        case .notifyApp(let event): notifyStrategy(event, &context)
        case .slept(let span): session.slept += span
        case .suspensionChanged(let wasStopped):
            callConnections(&context) { $0.splitZombies(wasStopped: wasStopped, at: $2, &$3) }
            updateOutage(&context)
        case .processEnded(let kind): endProcess(kind, &context)
        case .processStarted: startProcess(&context)
        case .appRuns:
            callPhoneEnd(&context) { $0.reportPendingLosses(at: $1, &$2) }
            callPhoneEnd(&context) { $0.catchUp(at: $1, &$2) }
            callPushes(&context) { $0.announceToken(&$2) }
            sendPushToken(&context)
        case .firewallChanged(let isBlocked):
            callNetworks(&context) { $0.block(isBlocked, at: $1, &$2) }
            if !isBlocked, context.pushes?.pointee.storesSeveral ?? false { advancePushes(&context) }
            updateOutage(&context)
        case .reclaimSockets:
            for slot in Self.slots { closeByError(slot, &context) }
        case .retryPush: advancePushes(&context)
        case .visibilityChanged:
            guard let system else { return }
            if system.pointee.appLives { setForeground(system.pointee.appIsInFront, &context) }
            if system.pointee.showBatterySaver(in: &session) { notifyStrategy(.app(.batterySaver), &context) }
        }
    }

    @discardableResult
    private mutating func setForeground(_ isInFront: Bool, _ context: inout WorkerContext) -> Bool {
        guard session.isForeground != isInFront else { return false }
        session.isForeground = isInFront
        notifyStrategy(.app(isInFront ? .foreground : .background), &context)
        if isInFront { beginFreshness(&context) } else { endFreshness(&context) }
        return true
    }

    /// Reports the default network to the operating system, if data saver is on.
    mutating func reportDefaultNetwork(_ context: inout WorkerContext) {
        guard let system, system.pointee.needsDefaultNetwork, let path = session.path else { return }
        let isMetered = networks.isMetered(path)
        callSystem(&context) { $0.setDefaultNetwork(isMetered: isMetered, at: $1, &$2) }
    }

    // MARK: Inputs

    mutating func wakePhone(for cause: Cause, _ context: inout WorkerContext) {
        guard let system, system.pointee.canBeWoken else { return }
        callSystem(&context) { $0.wake(for: cause, at: $1, &$2) }
    }

    mutating func bring(toFront isInFront: Bool, _ context: inout WorkerContext) -> Bool {
        callSystem(&context) { $0.bring(toFront: isInFront, at: $1, &$2) } ?? setForeground(isInFront, &context)
    }

    mutating func forceStop(_ context: inout WorkerContext) -> Bool {
        guard let wasThere = callSystem(&context, { $0.forceStop(at: $1, &$2) }) else { return false }
        session.restart(keepsAlarms: false)
        system?.pointee.rearm(session, at: now)
        return wasThere
    }

    // MARK: Timers

    mutating func fire(_ slot: TimerSlot, _ context: inout WorkerContext) {
        let wish = session.popTimer(slot)
        let late = system.map { $0.pointee.lateness(of: wish, session, at: now) } ?? .zero
        if wish.wake != .none { callSystem(&context) { $0.alarm(wish.wake, at: $1, &$2) } }
        if late > .zero { journal(.timerLate, UInt16(slot.index), value: late.nanoseconds, &context) }
        journal(.timerFired, UInt16(slot.index), &context)
        notifyStrategy(.fired(slot), &context)
    }

    // MARK: The app's process

    /// Returns the next event for the strategy. The app's own send requests follow all others.
    @inline(__always)
    mutating func nextStrategyEvent(_ context: inout WorkerContext) -> Event? {
        guard let system else { return context.strategyEvents.next() ?? nextSendRequest() }
        if let event = system.pointee.nextEvent(&context.strategyEvents) { return event }
        return system.pointee.appRuns ? nextSendRequest() : nil
    }

    /// Kills the app: it crashed, or holds more memory than the system grants. A platform decides when the app starts
    /// again; without a platform it restarts immediately.
    mutating func kill(_ kind: RecordKind, _ context: inout WorkerContext) {
        guard callSystem(&context, { $0.kill(kind, at: $1, &$2) }) == nil else { return }
        endProcess(kind, &context)
        startProcess(&context)
    }

    /// Ends the app's process. Its memory is lost, its calls fail, and the kernel closes its sockets gracefully. On
    /// Android the system holds alarms and jobs, so they survive, unless the user force-stopped the app.
    private mutating func endProcess(_ kind: RecordKind, _ context: inout WorkerContext) {
        updateOutage(&context, cause: .processEnded)
        for slot in Self.slots {
            callPhoneEnd(&context) { $0.abandon(slot, at: $1, &$2) }
        }
        callPhoneEnd(&context) { $0.failCalls(at: $1, &$2) }
        discardStrategyEvents(&context)
        let kept = min(session.forgotten, session.produced)
        delivery.noteGivenUp(kept.position..<session.produced.position, .processEnded)
        session.restart(keepsAlarms: system.map { $0.pointee.keepsAlarms } ?? false)
        callDelivery(&context) { $0.emptyBuffer(&$1, &$2) }
        callDelivery(&context) { $0.forgetProcessState(&$1, &$2) }
        if system != nil {
            session.isForeground = false
            endFreshness(&context)
        }
        context.pushes?.pointee.endProcess()
        journal(kind, &context)
    }

    private mutating func startProcess(_ context: inout WorkerContext) {
        // No process existed that could have received these events.
        discardStrategyEvents(&context)
        context.strategy.initialize(context.strategyState)
        if let system { session.isForeground = system.pointee.appIsInFront }
        journal(.relaunched, &context)
        updateOutage(&context)
        if system != nil && session.isForeground { beginFreshness(&context) }
        context.names?.forget()
        notifyStoredCredentials(&context)
        notifyStrategy(.started, &context)
    }

    private func discardStrategyEvents(_ context: inout WorkerContext) {
        context.strategyEvents.removeAll()
        system?.pointee.inbox.removeAll()
    }
}
