package import DeadzoneBase

/// The operating system's power policy on one phone: whether the processor is awake, whether the app may run and use
/// the network, and when its alarms fire. The value is plain bytes; each call passes the platform with which the phone
/// was created.
///
/// Every method takes `now`, and `now` must not be later than `nextTransition`: the caller advances the phone first.
/// Every method returns its changes.
///
/// Initially the phone is in use: screen on, not charging, not moving, the app in the foreground.
package struct Phone: Sendable {
    let privileges: AppPrivileges
    private(set) var doze: Doze
    private(set) var standby: Standby
    private(set) var processor: Processor
    private(set) var life = AppProcess()
    private(set) var alarmsUsed = QuotaUsage()
    private(set) var whileIdleUsed = QuotaUsage()
    private(set) var jobsUsed = QuotaUsage()
    private(set) var jobTimeUsed = QuotaUsage()
    private var pushesUsed = QuotaUsage()
    /// Time until which the firewall is open for the app, whatever the other rules.
    private var allowedUntil = Instant.never
    /// Time until which a push waits for its quota; `.never` if none waits.
    private var pushWaitsUntil = Instant.never
    private var hasWakeLock = false
    /// Time until which the system keeps the processor awake because the default network has changed.
    private var networkLockUntil = Instant.never
    private(set) var restrictions: AppRestrictions = []

    package private(set) var screenIsOn = true
    package private(set) var isCharging = false
    /// `true` if battery saver is on. Apps can query it, and Doze reacts to it on platforms that support that.
    package var batterySaverIsOn: Bool { restrictions.contains(.batterySaver) }
    /// `true` if the system needs to know whether the default network is metered.
    package var dataSaverIsOn: Bool { restrictions.contains(.dataSaver) }
    /// `true` if the app is the one that the user sees when the screen is on.
    package private(set) var isForeground = true

    /// `true` if the firewall lets the app's packets pass.
    package private(set) var networkIsAllowed = true
    private let passByAddress = PassByAddress()

    /// - Parameter dice: random times by which deep Doze ends early, on platforms that draw them.
    package init(
        platform: Platform, privileges: AppPrivileges, at now: Instant, dice: Dice = Dice(fixed: .usual)
    ) {
        self.privileges = privileges
        doze = Doze(dice)
        standby = Standby(platform.standby, at: now)
        processor = Processor(sleeps: platform.processor.sleeps, at: now)
    }

    /// The time at which the phone changes by itself; `.never` if only a call can change it.
    package var nextTransition: Instant {
        min(
            min(doze.nextTransition, standby.nextTransition, processor.nextTransition),
            min(life.nextTransition, allowedUntil, pushWaitsUntil), networkLockUntil)
    }

    // MARK: State

    package var processorIsAwake: Bool { processor.isAwake }
    /// `true` if the app's code runs: the processor is awake, and the app is neither suspended, frozen nor killed.
    package var appRuns: Bool { processor.isAwake && life.isRunning }
    /// `true` if the app has a process. Without one it has lost everything except its persisted data.
    package var appHasProcess: Bool { life.exists }
    /// `true` if alarms, jobs and pushes may start an app that has no process.
    package var appMayStart: Bool { life.mayStart }
    /// `true` if the system has stopped the app's process: suspended on iOS, frozen on Android.
    package var appIsStopped: Bool { life.state == .suspended }
    /// `true` if the app is visible to the user.
    package var appIsInFront: Bool { life.state == .front }
    /// Start and cause of the present time awake with the screen off, for the metric `cpu.wake`. `nil` if the processor
    /// sleeps or the screen is on.
    package var wakeTime: (cause: Cause, since: Instant)? { processor.wakeTime }
    /// `true` if the firewall also passes packets of apps without an exemption: the phone is not in deep Doze.
    package var isOpenToOthers: Bool { !doze.isIdle }
    /// `true` in light or deep Doze idle: the firewall is closed, and deferrable work waits.
    package var isDozing: Bool { doze.isIdle }
    package var isDozingDeeply: Bool { doze.isDeepIdle }
    package var bucket: StandbyBucket { standby.bucket }
    package var isMoving: Bool { doze.isMoving }

    // MARK: Events

    /// Performs the transition that is due at `nextTransition`.
    package mutating func advance(_ platform: Platform) -> PhoneChanges {
        let now = nextTransition
        precondition(now != .never, "a phone without a transition cannot advance")
        let before = Before(self)
        var changes: PhoneChanges = []
        if doze.nextTransition == now {
            doze.advance(at: now, platform.doze)
        }
        if life.nextTransition == now {
            changes.formUnion(
                life.advance(
                    at: now, platform.life, permitted, serviceGrace: platform.restrictions.serviceGrace))
            if changes.contains(.appKilled) { leaveFront(at: now) }
        }
        if standby.nextTransition == now { standby.advance() }
        if allowedUntil == now { allowedUntil = .never }
        if networkLockUntil == now { networkLockUntil = .never }
        if pushWaitsUntil == now {
            pushWaitsUntil = .never
            changes.insert(.pushesMayCome)
        }
        if processor.nextTransition == now { processor.advance(at: now) }
        return finish(before, changes, at: now, platform)
    }

    package mutating func setScreen(_ on: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        guard on != screenIsOn else { return [] }
        let before = Before(self)
        screenIsOn = on
        // The system stays awake until the app is notified that it is no longer visible (ActivityTaskSupervisor's wake
        // lock in aosp-mirror/platform_frameworks_base). That it takes as long as an alarm's handler is assumed.
        if !on && appIsInFront { processor.wake(for: .wake, span: platform.processor.alarmSpan, at: now) }
        processor.setScreen(on, at: now)
        standby.setScreen(on, at: now)
        let changes = setFront(at: now, platform)
        setDoze(at: now, platform)
        return finish(before, changes, at: now, platform)
    }

    package mutating func setCharging(_ on: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        guard on != isCharging else { return [] }
        let before = Before(self)
        isCharging = on
        setDoze(at: now, platform)
        return finish(before, [], at: now, platform)
    }

    /// Sets whether the phone moves, which deep Doze would detect.
    package mutating func setMoving(_ moving: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        doze.setMoving(moving, at: now, platform.doze)
        return finish(before, [], at: now, platform)
    }

    /// Switches battery saver on or off. It shortens the way to deep Doze.
    package mutating func setBatterySaver(_ saving: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        restrictions.set(.batterySaver, saving)
        doze.setQuick(saving, at: now, platform.doze)
        return finish(before, [], at: now, platform)
    }

    /// Switches data saver on or off.
    /// - Parameter isMetered: `true` if the default network is metered.
    package mutating func setDataSaver(
        _ on: Bool, isMetered: Bool, at now: Instant, _ platform: Platform
    ) -> PhoneChanges {
        let before = Before(self)
        restrictions.set(.dataSaver, on && platform.restrictions.hasDataSaver)
        restrictions.set(.meteredNetwork, isMetered)
        return finish(before, [], at: now, platform)
    }

    /// Restricts the app in the background, or lifts the restriction. A foreground service in the background ends.
    /// Returns `nil` if that changes nothing, as for an app that is exempt from battery optimisation.
    package mutating func setRestricted(_ on: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges? {
        guard platform.restrictions.hasAppRestriction, !privileges.isExempt, on != restrictions.contains(.restrictedApp)
        else {
            return nil
        }
        let before = Before(self)
        let endsService = on && permitted.hasForegroundService && life.state == .background
        restrictions.set(.restrictedApp, on)
        if endsService { life.endService(at: now, platform.life, privileges) }
        return finish(before, endsService ? .serviceEnded : [], at: now, platform)
    }

    /// Sets the user's alarm clock. Doze does not begin shortly before it, and deep idle ends before it.
    package mutating func setAlarmClock(_ at: Instant, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        doze.setAlarmClock(at, at: now, platform.doze)
        return finish(before, [], at: now, platform)
    }

    package mutating func setForeground(_ front: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        guard front != isForeground else { return [] }
        let before = Before(self)
        isForeground = front
        return finish(before, setFront(at: now, platform), at: now, platform)
    }

    /// Fires an alarm of this kind: uses its quota, wakes the processor, and lets the app run for a moment.
    package mutating func fireAlarm(
        _ kind: WakePolicy, for cause: Cause, at now: Instant, _ platform: Platform
    ) -> PhoneChanges {
        guard kind != .none, platform.family != .ios, life.exists || life.mayStart else { return [] }
        let before = Before(self)
        let rules = isCharging ? BucketRules() : platform.standby[standby.bucket]
        let span = kind == .job ? platform.processor.jobSpan : platform.processor.alarmSpan
        switch kind {
        case .none: break
        case .alarm: alarmsUsed.use(at: now, rules.alarms)
        case .whileIdle:
            whileIdleUsed.use(at: now, platform.alarms.whileIdle)
            allow(for: platform.alarms.whileIdleNetwork, at: now)
        case .job:
            jobsUsed.use(at: now, rules.jobs)
            jobTimeUsed.use(at: now, rules.runTime, cost: span.nanoseconds)
            // While its job runs, an app in a low standby bucket has the network, too.
            allow(for: span, at: now)
        }
        processor.wake(for: cause, span: span, at: now)
        let changes = life.wake(for: span, at: now, platform.life, permitted)
        doze.deliverAlarms(at: now, platform.doze)
        return finish(before, changes, at: now, platform)
    }

    /// Wakes the processor for an arriving packet or another event.
    /// - Parameter isAlarm: `true` if the event is an alarm or a job of another app.
    package mutating func wakeProcessor(
        for cause: Cause, isAlarm: Bool = false, at now: Instant, _ platform: Platform
    ) -> PhoneChanges {
        let before = Before(self)
        if isAlarm { doze.deliverAlarms(at: now, platform.doze) }
        processor.wake(for: cause, span: platform.processor.packetSpan, at: now)
        return finish(before, [], at: now, platform)
    }

    /// The system tells the apps that the default network has changed, or that it is lost. On Android the processor is
    /// awake meanwhile.
    package mutating func defaultNetworkChanged(isLost: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let span = isLost ? platform.networks.lostAwake : platform.networks.newAwake
        guard span > .zero else { return [] }
        let before = Before(self)
        networkLockUntil = now + span
        return finish(before, [], at: now, platform)
    }

    /// Takes or releases the app's wake lock.
    package mutating func setWakeLock(_ held: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        hasWakeLock = held
        return finish(before, [], at: now, platform)
    }

    /// Delivers a push message to the app. `isNow` is `false` if the push must wait: try again after `pushesMayCome`.
    ///
    /// On iOS no push is urgent. A push of high priority shows an alert and runs no code of the app. Background
    /// notifications run code of the app, but have low priority and a budget (the page that `push.quota` cites). Here
    /// high-priority pushes are treated as background notifications.
    package mutating func deliverPush(
        urgent: Bool, at now: Instant, _ platform: Platform
    ) -> (isNow: Bool, changes: PhoneChanges) {
        guard life.exists || life.mayStart else { return (false, []) }
        let before = Before(self)
        let rules = platform.standby[standby.bucket]
        // The quota of urgent pushes. A push beyond it is treated as not urgent.
        var isUrgent = urgent && platform.family != .ios
        if isUrgent, life.state != .front {
            isUrgent = pushesUsed.next(from: now, rules.urgentPushes) == now
            if isUrgent { pushesUsed.use(at: now, rules.urgentPushes) }
        }
        if !isUrgent, life.state != .front {
            if doze.isIdle { return (false, []) }
            let allowed = pushesUsed.next(from: now, platform.pushes.quota)
            guard allowed == now else {
                pushWaitsUntil = allowed
                return (false, [])
            }
            pushesUsed.use(at: now, platform.pushes.quota)
        }
        if isUrgent { allow(for: platform.pushes.network, at: now) }
        processor.wake(for: .push, span: platform.processor.pushSpan, at: now)
        let changes = life.wake(for: platform.pushes.time, at: now, platform.life, permitted)
        return (true, finish(before, changes, at: now, platform))
    }

    /// `true` if the quota of the app's standby bucket is used up, so that an urgent push is treated as a normal one.
    package func demotesUrgentPush(at now: Instant, _ platform: Platform) -> Bool {
        guard platform.family != .ios, life.state != .front else { return false }
        return pushesUsed.next(from: now, platform.standby[standby.bucket].urgentPushes) != now
    }

    /// Kills the app's process. After a kill by the user only the user can start it again; otherwise the system killed
    /// it for lack of memory. An app that is killed by the user or with the screen on is no longer in the foreground.
    /// If it is killed with the screen off, it remains the foreground app, and turning the screen on starts it again
    /// (Android; assumed for iOS).
    package mutating func killApp(byUser: Bool = false, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        let changes = life.kill(forGood: byUser)
        leaveFront(at: now)
        return finish(before, changes, at: now, platform)
    }

    /// Ends the present period of wake time, so that the ledger can record it. The phone does not change.
    package mutating func closePeriod(at now: Instant) { processor.closePeriod(at: now) }
}

extension Phone {
    /// State of the phone before a method changes it, to find out what the method changed.
    private struct Before {
        let isAllowed: Bool
        let isDozing: Bool
        let isMaintaining: Bool

        init(_ phone: Phone) {
            isAllowed = phone.networkIsAllowed
            isDozing = phone.doze.isIdle
            isMaintaining = phone.doze.isMaintaining
        }
    }

    /// Updates the state that depends on the state machines, and returns all changes since `Before`.
    private mutating func finish(
        _ before: Before, _ found: PhoneChanges, at now: Instant, _ platform: Platform
    ) -> PhoneChanges {
        var changes = found
        if before.isMaintaining != doze.isMaintaining {
            changes.insert(doze.isMaintaining ? .windowOpened : .windowClosed)
        }
        if doze.isIdle != before.isDozing {
            changes.insert(doze.isIdle ? .windowClosed : .pushesMayCome)
            if !doze.isIdle, doze.isInactive {
                processor.wake(for: .wake, span: platform.processor.windowSpan, at: now)
            }
        }
        if changes.contains(.appKilled) { hasWakeLock = false }
        // Deep Doze ignores a wake lock unless the app has an exemption, a foreground service or a temporary allowance.
        let isHeard = !doze.isDeepIdle || isFree || allowedUntil != .never
        processor.setWakeLock(
            (hasWakeLock && isHeard && life.isRunning) || (platform.life.timeHoldsProcessor && life.isOnTime)
                || networkLockUntil != .never, at: now)
        networkIsAllowed = isOpen(platform)
        if before.isAllowed != networkIsAllowed {
            changes.insert(networkIsAllowed ? .networkUnblocked : .networkBlocked)
        }
        return changes
    }

    private var isFree: Bool { permitted.isExempt || permitted.hasForegroundService }

    /// The app's privileges, without a foreground service that the system has ended or the user forbids.
    private var permitted: AppPrivileges {
        var permitted = privileges
        if restrictions.contains(.restrictedApp) || life.serviceHasEnded { permitted.hasForegroundService = false }
        return permitted
    }

    /// `true` if battery saver has this effect on the app now.
    func savesPower(_ effect: Bool) -> Bool {
        effect && life.state != .front && restrictions.savesPower(permitted, isCharging: isCharging)
    }

    private func isOpen(_ platform: Platform) -> Bool {
        if platform.family == .ios || life.state == .front { return true }
        if restrictions.closesMetered(permitted) { return false }
        if isFree || allowedUntil != .never { return true }
        if doze.isIdle || life.isNetworkClosed || savesPower(platform.restrictions.saverClosesNetwork) { return false }
        return isCharging || platform.standby[standby.bucket].hasNetwork
    }

    /// Updates whether the app is in the foreground, which requires that the screen is on.
    private mutating func setFront(at now: Instant, _ platform: Platform) -> PhoneChanges {
        let front = isForeground && screenIsOn
        standby.setUsed(front, at: now)
        let changes = life.setFront(
            front, at: now, platform.life, permitted,
            serviceTime: platform.restrictions.time(of: privileges.serviceType))
        guard front else { return changes }
        pushWaitsUntil = .never
        return changes.union(.pushesMayCome)
    }

    private mutating func leaveFront(at now: Instant) {
        allowedUntil = .never
        guard screenIsOn || !life.mayStart else { return }
        isForeground = false
        standby.setUsed(false, at: now)
    }

    private mutating func setDoze(at now: Instant, _ platform: Platform) {
        if screenIsOn || isCharging { doze.becomeActive() } else { doze.becomeInactive(at: now, platform.doze) }
    }

    private mutating func allow(for span: TimeSpan, at now: Instant) {
        guard span != .zero else { return }
        let end = now + span
        allowedUntil = allowedUntil == .never ? end : max(allowedUntil, end)
    }
}
