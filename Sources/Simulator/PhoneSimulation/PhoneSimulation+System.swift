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
            if let queue = context.pushQueue { continuePushToken(queue, &context) }
        case .firewallChanged(let isBlocked):
            if isBlocked && context.pathRules[0].pointee.destroysSockets { closeAllSockets(&context) }
            callNetworks(&context) { $0.block(isBlocked, at: $1, &$2) }
            if !isBlocked, let queue = context.pushQueue { advance(queue, &context) }
            updateOutage(&context)
        case .reclaimSockets: closeAllSockets(&context)
        case .retryPush: advancePush(&context)
        case .visibilityChanged: updateVisibility(&context)
        }
    }

    private mutating func closeAllSockets(_ context: inout WorkerContext) {
        for slot in Self.slots { closeByError(slot, &context) }
    }

    /// Notifies the app when its visibility to the user or the battery saver changes.
    private mutating func updateVisibility(_ context: inout WorkerContext) {
        guard let system else { return }
        let lives = system.pointee.appLives
        if lives { setForeground(system.pointee.appIsInFront, &context) }
        guard session.isBatterySaverOn != system.pointee.isSaving else { return }
        session.isBatterySaverOn = system.pointee.isSaving
        if lives { notifyStrategy(.app(.batterySaver), &context) }
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

    mutating func advancePhone(_ context: inout WorkerContext) { callSystem(&context) { $0.advance(at: $1, &$2) } }

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
        rearm()
        return wasThere
    }

    mutating func setClock(by span: TimeSpan) -> Bool {
        guard system != nil else { return false }
        session.wallShift += span
        rearm()
        return true
    }

    // MARK: Timers

    func rearm() { system?.pointee.rearm(session, at: now) }

    func timersChanged() -> Bool { system.map { $0.pointee.timersChanged(session) } ?? false }

    mutating func fire(_ slot: TimerSlot, _ context: inout WorkerContext) {
        let wish = session.popTimer(slot)
        let late = system.map { $0.pointee.lateness(of: wish, session, at: now) } ?? .zero
        if wish.wake != .none { callSystem(&context) { $0.alarm(wish.wake, at: $1, &$2) } }
        if late > .zero { journal(.timerLate, UInt16(slot.index), value: late.nanoseconds, &context) }
        journal(.timerFired, UInt16(slot.index), &context)
        notifyStrategy(.fired(slot), &context)
    }

    // MARK: The app's process

    /// Returns the next event for the strategy. The order is: events held back while the app did not run, then new
    /// events, then the app's own send requests.
    @inline(__always)
    mutating func nextStrategyEvent(_ context: inout WorkerContext) -> Event? {
        guard let system else { return context.strategyEvents.next() ?? nextSendRequest() }
        guard system.pointee.appRuns else {
            while let event = context.strategyEvents.next() { system.pointee.inbox.appendCoalescing(event) }
            return nil
        }
        return system.pointee.inbox.next() ?? context.strategyEvents.next() ?? nextSendRequest()
    }

    /// Crashes the app. The platform restarts it; without a platform it restarts immediately.
    mutating func crash(_ context: inout WorkerContext) {
        context.outbox.removeAll()
        if callSystem(&context, { $0.kill(.crashed, at: $1, &$2) }) == nil {
            endProcess(.crashed, &context)
            startProcess(&context)
        }
    }

    /// Ends the app's process, because it holds more memory than the system grants. With a platform, the user has to open
    /// an app that was in the foreground again; without a platform it restarts immediately.
    mutating func endProcessForMemory(_ context: inout WorkerContext) {
        delivery.clearOutOfMemory()
        if callSystem(&context, { $0.kill(.killed, at: $1, &$2) }) == nil {
            endProcess(.killed, &context)
            startProcess(&context)
        }
    }

    /// Ends the app's process. Its memory is lost, its calls fail, and the kernel closes its sockets gracefully. On
    /// Android the system holds alarms and jobs, so they survive, unless the user force-stopped the app.
    private mutating func endProcess(_ kind: RecordKind, _ context: inout WorkerContext) {
        setOutage(.processEnded, &context)
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
        forgetPushToken(context)
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
        forgetNames(&context)
        notifyStoredCredentials(&context)
        notifyStrategy(.started, &context)
    }

    private func discardStrategyEvents(_ context: inout WorkerContext) {
        context.strategyEvents.removeAll()
        system?.pointee.inbox.removeAll()
    }
}
