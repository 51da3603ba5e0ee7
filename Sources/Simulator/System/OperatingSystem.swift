package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneDevice

/// The operating system of one phone, as the simulation calls it. `Phone`, the power policy in it, decides when the
/// processor sleeps, the app runs and timers fire; this type turns the decisions into effects and journal entries.
///
/// Also keeps the events that wait for the app. Consequences are put into an effect queue. This type has no knowledge
/// of connections or radios.
package struct OperatingSystem: ~Copyable {
    private var device: Phone
    private let platform: UnsafePointer<Platform>
    /// Next instant at which the device changes its state by itself, for example falls asleep. Cached here because
    /// every event reads it.
    package private(set) var deviceAt: Instant
    /// Events that the app receives when it runs again.
    package var inbox = StrategyEventQueue(atMost: 256)
    /// The strategy's timer that fires first, and its instant; `.never` if none fires under the current conditions.
    package private(set) var timer: (at: Instant, slot: TimerSlot) = (.never, TimerSlot(0))
    /// Version of the session's timers for which `timer` was computed.
    private var timersVersion: UInt32 = 0
    private var sleepsSince = Instant.never
    /// The reason why the app's process cannot run; `nil` if it can, or if there is no process.
    private var suspension: SuspensionCode?
    /// Time at which the app's process became unable to run. Valid only if `suspension` is not `nil`.
    private var suspendedSince = Instant.zero
    private var maintenanceSince = Instant.never
    private let addressStable = AddressStable()

    /// - Parameter dice: random times of Doze.
    package init(_ platform: UnsafePointer<Platform>, privileges: AppPrivileges, dice: Dice = Dice(fixed: .usual)) {
        self.platform = platform
        device = Phone(platform: platform.pointee, privileges: privileges, at: .zero, dice: dice)
        deviceAt = device.nextTransition
    }

    // MARK: Queries

    package var appRuns: Bool { device.appRuns }
    package var appLives: Bool { device.appHasProcess }
    package var appMayStart: Bool { device.appMayStart }
    package var appIsInFront: Bool { device.appIsInFront }
    package var isSaving: Bool { device.batterySaverIsOn }
    /// Stores in the session whether battery saver is on. Returns `true` if the app must be notified of a change.
    package func showBatterySaver(in session: inout Session) -> Bool {
        guard session.isBatterySaverOn != isSaving else { return false }
        session.isBatterySaverOn = isSaving
        return appLives
    }
    /// `true` if the system prevents the app from running. A processor that merely sleeps does not count, because an
    /// alarm wakes it.
    package var appIsStopped: Bool { Self.isStop(suspension) }
    private static func isStop(_ reason: SuspensionCode?) -> Bool { reason == .frozen || reason == .suspended }
    package var processorIsAwake: Bool { device.processorIsAwake }
    package var networkIsAllowed: Bool { device.networkIsAllowed }
    package var isOpenToOthers: Bool { device.isOpenToOthers }
    /// `true` if `wake` can have an effect: it would wake the phone, or change which cause accounts for the wake time.
    package var canBeWoken: Bool { !device.appRuns || device.wakeTime != nil }
    /// `true` if the platform lets the phone enter Doze (a deep sleep mode) when it lies still.
    private var dozes: Bool { platform.pointee.doze.inactive != .longest }
    /// `true` if the app's alarms and jobs remain scheduled after its process has ended.
    package var keepsAlarms: Bool { device.appMayStart && platform.pointee.family == .android }

    /// Returns the next event for the app: first those that waited because the app did not run, then the new ones.
    /// While the app does not run, the new ones wait.
    package mutating func nextEvent(_ newEvents: inout StrategyEventQueue) -> Event? {
        guard device.appRuns else {
            while let event = newEvents.next() { inbox.appendCoalescing(event) }
            return nil
        }
        return inbox.next() ?? newEvents.next()
    }

    // MARK: Actions

    /// Performs the device's own state change that is due now.
    package mutating func advance(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        applyToDevice(at: now, &out) { $0.advance($1) }
    }

    // Actions on the phone and its app. They return `false` if they had no effect.

    /// Brings the app to the foreground (`true`) or to the background. Returns `false` if that changed nothing.
    package mutating func bring(toFront front: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let was = device.isForeground
        applyToDevice(at: now, &out) { $0.setForeground(front, at: now, $1) }
        return was != front
    }

    package mutating func setScreen(_ on: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let was = device.screenIsOn
        applyToDevice(at: now, &out) { $0.setScreen(on, at: now, $1) }
        return was != on
    }

    package mutating func setCharging(_ on: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let was = device.isCharging
        applyToDevice(at: now, &out) { $0.setCharging(on, at: now, $1) }
        return was != on
    }

    package mutating func setMoving(_ moves: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let was = device.isMoving
        applyToDevice(at: now, &out) { $0.setMoving(moves, at: now, $1) }
        return dozes && was != moves
    }

    /// Turns battery saver on or off. Returns `false` if that changed nothing.
    package mutating func setSaving(_ on: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let was = device.batterySaverIsOn
        applyToDevice(at: now, &out) { $0.setBatterySaver(on, at: now, $1) }
        return was != on
    }

    /// `true` if the system must be told when the default network changes.
    package var needsDefaultNetwork: Bool { device.dataSaverIsOn }

    /// Turns data saver on or off. Returns `false` if that changed nothing, as on a platform without it.
    /// - Parameter isMetered: `true` if the system's default network is metered.
    package mutating func setDataSaver(
        _ on: Bool, isMetered: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) -> Bool {
        let was = device.dataSaverIsOn
        applyToDevice(at: now, &out) { $0.setDataSaver(on, isMetered: isMetered, at: now, $1) }
        return was != device.dataSaverIsOn
    }

    /// Reports whether the system's default network is metered, while data saver needs it.
    package mutating func setDefaultNetwork(
        isMetered: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        applyToDevice(at: now, &out) { $0.setDataSaver(true, isMetered: isMetered, at: now, $1) }
    }

    /// The app is told that the default network has changed, or that it is lost.
    package mutating func defaultNetworkChanged(
        isLost: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        applyToDevice(at: now, &out) { $0.defaultNetworkChanged(isLost: isLost, at: now, $1) }
    }

    /// Restricts the app in the background, or lifts the restriction. Returns `false` if that changed nothing.
    package mutating func setRestricted(
        _ on: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) -> Bool {
        var hasEffect = false
        applyToDevice(at: now, &out) {
            let changes = $0.setRestricted(on, at: now, $1)
            hasEffect = changes != nil
            return changes ?? []
        }
        return hasEffect
    }

    /// Sets the user's alarm clock. Returns `false` if the platform has no Doze, where it would matter.
    package mutating func setAlarmClock(_ at: Instant, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool
    {
        applyToDevice(at: now, &out) { $0.setAlarmClock(at, at: now, $1) }
        return dozes
    }

    /// Force-stops the app: only the user can start it again. Returns `false` if the app could not run anyway.
    package mutating func forceStop(at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let wasThere = device.appHasProcess || device.appMayStart
        applyToDevice(at: now, &out) { $0.killApp(byUser: true, at: now, $1) }
        return wasThere
    }

    /// Ends the app's process for the given reason. Returns `false` if there was no process.
    package mutating func kill(_ kind: RecordKind, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        let lived = device.appHasProcess
        applyToDevice(endsBy: kind, at: now, &out) { $0.killApp(at: now, $1) }
        return lived
    }

    package mutating func stayAwake(_ awake: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        applyToDevice(at: now, &out) { $0.setWakeLock(awake, at: now, $1) }
    }

    /// Wakes the phone for an incoming packet, or for a program that is to run.
    /// - Parameter isAlarm: `true` if an alarm or a job of another app is the reason.
    package mutating func wake(
        for cause: Cause, isAlarm: Bool = false, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        applyToDevice(at: now, &out) { $0.wakeProcessor(for: cause, isAlarm: isAlarm, at: now, $1) }
    }

    /// Wakes the phone because another app runs.
    package mutating func wake(
        for otherApp: borrowing OtherApp, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        wake(for: otherApp.cause, isAlarm: otherApp.wake != .none, at: now, &out)
    }

    /// `true` if the firewall lets another app send packets.
    package func lets(_ otherApp: borrowing OtherApp) -> Bool { otherApp.isExempt || isOpenToOthers }

    /// Handles a push that reached the phone. Returns `true` if the app may receive it now.
    package mutating func push(isUrgent: Bool, at now: Instant, _ out: inout EffectQueue<SystemEffect>) -> Bool {
        var isNow = false
        applyToDevice(at: now, &out) {
            let verdict = $0.deliverPush(urgent: isUrgent, at: now, $1)
            isNow = verdict.isNow
            return verdict.changes
        }
        return isNow
    }

    /// `true` if the system would treat an urgent push of the app as a normal one now.
    package func demotesUrgentPush(at now: Instant) -> Bool { device.demotesUrgentPush(at: now, platform.pointee) }

    /// Fires an alarm or a job of the app. Starts a process of the app if there is none and the app may start.
    package mutating func alarm(_ wake: WakePolicy, at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        guard device.appHasProcess || device.appMayStart else { return }
        applyToDevice(at: now, &out) { $0.fireAlarm(wake, for: .wake, at: now, $1) }
    }

    /// Calls the device by `verb`, and appends all effects of the call to the queue.
    private mutating func applyToDevice(
        endsBy: RecordKind = .killed, at now: Instant, _ out: inout EffectQueue<SystemEffect>,
        _ verb: (inout Phone, Platform) -> PhoneChanges
    ) {
        let billed = device.wakeTime
        let wasAwake = device.processorIsAwake
        let changes = verb(&device, platform.pointee)
        deviceAt = device.nextTransition
        recordWakeTime(billed, device.wakeTime, wasAwake: wasAwake, at: now, &out)
        trackSleep(at: now, &out)
        recordSuspension(at: now, &out)
        if !changes.isEmpty { appendEffects(changes, endsBy: endsBy, at: now, &out) }
        out.append(.visibilityChanged)
    }

    private mutating func appendEffects(
        _ changes: PhoneChanges, endsBy: RecordKind, at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        if changes.contains(.appKilled) {
            out.append(.processEnded(changes.contains(.serviceOverran) ? .crashed : endsBy))
        }
        if changes.contains(.networkBlocked) {
            if platform.pointee.networks.destroysSockets { out.append(.reclaimSockets) }
            out.append(.firewallChanged(true))
        }
        if changes.contains(.networkUnblocked) { out.append(.firewallChanged(false)) }
        if changes.contains(.socketsReclaimed) { out.append(.reclaimSockets) }
        if changes.contains(.windowOpened) { maintenanceSince = now }
        if changes.contains(.windowClosed) { closeMaintenance(at: now, &out) }
        if changes.contains(.appStarted) { out.append(.processStarted) }
        if device.appRuns { out.append(.appRuns) }
        if changes.contains(.timeExpires) { out.append(.notifyApp(.app(.expiring))) }
        if changes.contains(.timeGranted) { out.append(.notifyApp(.app(.refresh))) }
        if changes.contains(.serviceEnded) { out.append(.notifyApp(.app(.serviceEnded))) }
        if changes.contains(.pushesMayCome) { out.append(.retryPush) }
    }

    // MARK: Timers

    /// Sets the wall clock forward by a time span. Returns `true`: the change has an effect.
    package mutating func setClock(by span: TimeSpan, in session: inout Session, at now: Instant) -> Bool {
        session.wallShift += span
        rearm(session, at: now)
        return true
    }

    package func timersChanged(_ session: borrowing Session) -> Bool { timersVersion != session.timers.version }

    /// Recomputes when the strategy's timers fire. Call it after everything that could have changed this.
    package mutating func rearm(_ session: borrowing Session, at now: Instant) {
        timersVersion = session.timers.version
        var first = (at: Instant.never, slot: TimerSlot(0))
        for index in 0..<UInt8(TimerSlot.count) {
            let slot = TimerSlot(index)
            let at = firing(session.timers[slot], session, at: now)
            if at < first.at { first = (at, slot) }
        }
        timer = first
    }

    /// Returns the time by which a timer that fires now is later than requested.
    package func lateness(of wish: ArmedTimer, _ session: borrowing Session, at now: Instant) -> TimeSpan {
        now - onElapsedClock(wish, session)
    }

    /// Returns the instant at which a timer fires under the current conditions; `.never` if a condition has to change
    /// first.
    private func firing(_ wish: ArmedTimer, _ session: borrowing Session, at now: Instant) -> Instant {
        guard wish.at != .never else { return wish.at }
        if wish.wake == .none && !device.appRuns { return .never }
        let deadline = onElapsedClock(wish, session)
        if wish.wake == .none { return max(deadline, now) }
        return max(device.firingTime(deadline, wish.wake, at: now, platform.pointee), now)
    }

    /// Converts a timer's requested time to the elapsed clock. The uptime clock stops while the processor sleeps: its
    /// value is then an estimate that holds only if the processor wakes.
    private func onElapsedClock(_ wish: ArmedTimer, _ session: borrowing Session) -> Instant {
        switch wish.clock {
        case .elapsed: wish.at
        case .wall: wish.at - session.wallShift
        case .uptime: wish.at + session.slept
        }
    }

    /// Returns the instant at which the system lets another app run its next exchange; `.never` if it must wait for the
    /// processor to wake.
    package func runTime(_ otherApp: borrowing OtherApp, wishedAt wished: Instant, at now: Instant) -> Instant {
        if otherApp.isExempt { return wished }
        if otherApp.wake == .none { return processorIsAwake ? max(wished, now) : .never }
        return max(device.firingTimeForOtherApps(wished, otherApp.wake, at: now, platform.pointee), now)
    }

    // MARK: Accounting

    /// Records all periods that are still open at the horizon (the end of the run).
    package mutating func finish(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        if let (cause, since) = device.wakeTime { out.note(.awake, cause, value: (now - since).nanoseconds) }
        device.closePeriod(at: now)
        closeSuspension(at: now, &out)
        closeMaintenance(at: now, &out)
    }

    private func recordWakeTime(
        _ before: (cause: Cause, since: Instant)?, _ after: (cause: Cause, since: Instant)?, wasAwake: Bool,
        at now: Instant, _ out: inout EffectQueue<SystemEffect>
    ) {
        if let before, let after, before == after { return }
        if let before { out.note(.awake, before.cause, value: (now - before.since).nanoseconds) }
        // A phone that is already awake changes only the cause of its wake time, or turns its screen off; it does not
        // wake again.
        if let after, !wasAwake { out.note(.woke, after.cause) }
    }

    private mutating func trackSleep(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        if device.processorIsAwake {
            if sleepsSince != .never { out.append(.slept(now - sleepsSince)) }
            sleepsSince = .never
        } else if sleepsSince == .never {
            sleepsSince = now
        }
    }

    private mutating func closeMaintenance(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        guard maintenanceSince != .never else { return }
        out.note(.window, value: (now - maintenanceSince).nanoseconds)
        maintenanceSince = .never
    }

    /// Records a change in whether the app can run, or in the reason why it cannot, in the journal.
    private mutating func recordSuspension(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        var reason: SuspensionCode?
        if device.appHasProcess && !device.appRuns {
            reason = !device.appIsStopped ? .asleep : platform.pointee.family == .ios ? .suspended : .frozen
        }
        guard reason != suspension else { return }
        if Self.isStop(reason) != appIsStopped { out.append(.suspensionChanged(wasStopped: appIsStopped)) }
        closeSuspension(at: now, &out)
        suspension = reason
        suspendedSince = now
    }

    private mutating func closeSuspension(at now: Instant, _ out: inout EffectQueue<SystemEffect>) {
        guard let suspension, suspendedSince < now else { return }
        out.note(.suspended, suspension, value: (now - suspendedSince).nanoseconds)
        suspendedSince = now
    }
}
