public import DeadzonePrimitives

/// The operating system's power policy on one phone: whether the processor is awake, whether the app may run and use the
/// network, when its alarms go off. Plain bytes; the numbers come with every call from the platform it was made with.
///
/// Every verb takes `now`, and `now` never lies behind `nextTransition`: whoever drives a phone advances it first. Every verb
/// says what it changed.
///
/// A phone begins in the user's hand: screen on, not charged, lying still, the app in the front.
public struct Phone: Sendable {
    private let standing: AppStanding
    private var doze = Doze()
    private var standby: Standby
    private var processor: Processor
    private var life = LifeCycle()
    private var alarmsUsed = Allowance()
    private var whileIdleUsed = Allowance()
    private var jobsUsed = Allowance()
    private var jobTimeUsed = Allowance()
    private var pushesUsed = Allowance()
    /// The firewall is open for the app until then, whatever else holds.
    private var allowedUntil = Instant.never
    /// A push waits for its quota until then.
    private var pushWaitsUntil = Instant.never
    private var isHeld = false

    public private(set) var screenIsOn = true
    public private(set) var isCharging = false
    /// Battery saver is on: apps may ask, and Doze takes notice of it where it knows how.
    public private(set) var isSaving = false
    /// The app is what the user would see, were the screen on.
    public private(set) var isForeground = true

    /// The firewall lets the app's packets pass.
    public private(set) var networkIsAllowed = true
    private let lent = Lent()

    public init(platform: Platform, standing: AppStanding, at now: Instant) {
        self.standing = standing
        standby = Standby(platform.standby, at: now)
        processor = Processor(sleeps: platform.processor.sleeps, at: now)
    }

    /// When the phone changes by itself; `.never` if only a call can change it.
    public var nextTransition: Instant {
        min(
            min(doze.nextTransition, standby.nextTransition, processor.nextTransition),
            min(life.nextTransition, allowedUntil, pushWaitsUntil))
    }

    // MARK: What is so

    public var processorIsAwake: Bool { processor.isAwake }
    /// The app's code runs: the processor is awake, and the app is neither suspended, frozen nor killed.
    public var appRuns: Bool { processor.isAwake && life.runs }
    /// The app has a process; without one it has lost all but what it persisted.
    public var appLives: Bool { life.lives }
    /// Alarms, jobs and pushes may start a process that is gone.
    public var appMayStart: Bool { life.mayStart }
    /// It has one, and the system has stopped it: suspended on iOS, frozen on Android.
    public var appIsStopped: Bool { life.state == .suspended }
    /// The app is what the user looks at.
    public var appIsInFront: Bool { life.state == .front }
    /// Awake with the screen off, and for whom: what the books call `cpu.wake`.
    public var wakeTime: (cause: Cause, since: Instant)? { processor.wakeTime }
    /// The firewall lets other apps pass that nobody exempted.
    public var isOpenToOthers: Bool { !doze.isIdle }
    /// Doze is on, light or deep: the firewall is closed, and what can wait waits.
    public var isDozing: Bool { doze.isIdle }
    public var isDozingDeeply: Bool { doze.isDeepIdle }
    public var bucket: StandbyBucket { standby.bucket }
    public var isMoving: Bool { doze.isMoving }

    /// When a timer with this wish goes off if nothing changes; `.never` if that needs a change first. A time that has passed
    /// means now. Asked again after every change.
    /// - Parameter deadline: On the elapsed clock.
    public func fires(_ deadline: Instant, _ kind: Wake, at now: Instant, _ platform: Platform)
        -> Instant
    {
        // iOS has no alarms: every timer waits for the app to run.
        if kind == .none || platform.family == .ios { return appRuns ? deadline : .never }
        guard life.lives || life.mayStart else { return .never }
        let due = max(deadline, now)
        let rules = isCharging ? BucketRules() : platform.standby[standby.bucket]
        switch kind {
        case .none: return deadline
        case .alarm:
            if standing.isExempt, platform.alarms.exemptionFreesAlarms { return deadline }
            let allowed = alarmsUsed.next(from: due, rules.alarms)
            return doze.isDeepIdle ? max(allowed, doze.opensAt) : delayed(deadline, due, allowed)
        case .whileIdle:
            guard doze.isDeepIdle, !(standing.isExempt && platform.alarms.exemptionFreesAlarms) else {
                return deadline
            }
            let allowed = min(
                whileIdleUsed.next(from: due, platform.alarms.whileIdle), max(due, doze.opensAt))
            return delayed(deadline, due, allowed)
        case .job:
            let frees = standing.isExempt && platform.alarms.exemptionFreesJobs
            if frees || life.state == .front { return deadline }
            let allowed = max(
                jobsUsed.next(from: due, rules.jobs), jobTimeUsed.next(from: due, rules.runTime))
            return doze.isIdle ? max(allowed, doze.opensAt) : delayed(deadline, due, allowed)
        }
    }

    /// The same for another app, of which the phone knows no quotas and no standing: Doze alone puts it off. On iOS, which has
    /// neither alarms nor jobs, it waits until something else has woken the processor; that it then runs is assumed.
    public func firesForOthers(
        _ deadline: Instant, _ kind: Wake, at now: Instant, _ platform: Platform
    ) -> Instant {
        switch platform.family == .ios ? Wake.none : kind {
        case .none: processor.isAwake ? deadline : .never
        case .whileIdle: deadline
        case .alarm: doze.isDeepIdle ? max(deadline, now, doze.opensAt) : deadline
        case .job: doze.isIdle ? max(deadline, now, doze.opensAt) : deadline
        }
    }

    private func delayed(_ deadline: Instant, _ due: Instant, _ allowed: Instant) -> Instant {
        allowed == due ? deadline : allowed
    }

    // MARK: What happens

    /// Performs what is due at `nextTransition`.
    public mutating func advance(_ platform: Platform) -> PhoneChanges {
        let now = nextTransition
        precondition(now != .never, "a phone without a transition cannot advance")
        let before = Before(self)
        var changes: PhoneChanges = []
        if doze.nextTransition == now {
            doze.advance(at: now, platform.doze)
        }
        if life.nextTransition == now {
            changes.formUnion(life.advance(at: now, platform.life, standing))
            if changes.contains(.appKilled) { leaveFront(at: now) }
        }
        if standby.nextTransition == now { standby.advance() }
        if allowedUntil == now { allowedUntil = .never }
        if pushWaitsUntil == now {
            pushWaitsUntil = .never
            changes.insert(.pushesMayCome)
        }
        if processor.nextTransition == now { processor.advance(at: now) }
        return finish(before, changes, at: now, platform)
    }

    public mutating func setScreen(_ on: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        guard on != screenIsOn else { return [] }
        let before = Before(self)
        screenIsOn = on
        // The system stays awake until the app has heard that it is no longer seen (ActivityTaskSupervisor's wake lock in
        // aosp-mirror/platform_frameworks_base; that it takes as long as an alarm's handler is assumed).
        if !on && appIsInFront { processor.wake(for: .wake, span: platform.processor.alarmSpan, at: now) }
        processor.setLit(on, at: now)
        standby.setScreen(on, at: now)
        let changes = setFront(at: now, platform)
        setDoze(at: now, platform)
        return finish(before, changes, at: now, platform)
    }

    public mutating func setCharging(_ on: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        guard on != isCharging else { return [] }
        let before = Before(self)
        isCharging = on
        setDoze(at: now, platform)
        return finish(before, [], at: now, platform)
    }

    /// Motion that deep Doze would notice begins or ends.
    public mutating func setMoving(_ moving: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        doze.setMoving(moving, at: now, platform.doze)
        return finish(before, [], at: now, platform)
    }

    /// Battery saver is on, which makes the way to deep Doze a short one.
    public mutating func setSaving(_ saving: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        isSaving = saving
        doze.setQuick(saving, at: now, platform.doze)
        return finish(before, [], at: now, platform)
    }

    /// The user's alarm clock is set for then: Doze is not entered shortly before it, and deep idle ends.
    public mutating func setAlarmClock(_ at: Instant, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        doze.setAlarmClock(at, at: now)
        return finish(before, [], at: now, platform)
    }

    public mutating func setForeground(_ front: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        guard front != isForeground else { return [] }
        let before = Before(self)
        isForeground = front
        return finish(before, setFront(at: now, platform), at: now, platform)
    }

    /// An alarm of this kind goes off now: its quota is used, the processor wakes, the app may run for a moment.
    public mutating func alarm(
        _ kind: Wake, for cause: Cause, at now: Instant, _ platform: Platform
    ) -> PhoneChanges {
        guard kind != .none, platform.family != .ios, life.lives || life.mayStart else { return [] }
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
            // While its job runs, a sleeping bucket has the network too.
            allow(for: span, at: now)
        }
        processor.wake(for: cause, span: span, at: now)
        let changes = life.wake(for: span, at: now, platform.life, standing)
        return finish(before, changes, at: now, platform)
    }

    /// A packet for the phone has arrived, or something else wakes the processor.
    public mutating func wake(for cause: Cause, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        processor.wake(for: cause, span: platform.processor.packetSpan, at: now)
        return finish(before, [], at: now, platform)
    }

    /// The app holds the processor awake, or no longer.
    public mutating func hold(_ held: Bool, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        isHeld = held
        return finish(before, [], at: now, platform)
    }

    /// A push message for the app. False: it waits for `pushesMayCome`, and is then asked about again.
    ///
    /// On iOS none is urgent: one of high priority shows an alert and runs no code of the app; those that run some are
    /// background notifications, of low priority and with a budget (the page that `push.quota` cites). Here the first kind is
    /// taken for the second.
    public mutating func push(
        urgent: Bool, at now: Instant, _ platform: Platform
    ) -> (isNow: Bool, changes: PhoneChanges) {
        guard life.lives || life.mayStart else { return (false, []) }
        let before = Before(self)
        let rules = platform.standby[standby.bucket]
        // The quota of urgent pushes; those beyond it are like any other.
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
        let changes = life.wake(for: platform.pushes.time, at: now, platform.life, standing)
        return (true, finish(before, changes, at: now, platform))
    }

    /// Somebody ends the app's process: the user, after whom nothing but the user starts it again, or the system for want of
    /// memory. What was ended before the user's eyes, or by the user, is no longer in front. Behind a dark screen its place
    /// stays, and the screen's coming on starts it again (so on Android; assumed of iOS).
    public mutating func kill(byUser: Bool = false, at now: Instant, _ platform: Platform) -> PhoneChanges {
        let before = Before(self)
        let changes = life.kill(forGood: byUser)
        leaveFront(at: now)
        return finish(before, changes, at: now, platform)
    }

    /// Ends the open period of wake time for the books; the phone goes on as it was.
    public mutating func settle(at now: Instant) { processor.settle(at: now) }
}

extension Phone {
    /// What verbs are compared with.
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

    /// Brings what follows from the machines up to date, and says what has changed.
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
        if changes.contains(.appKilled) { isHeld = false }
        // Doze takes no notice of the locks of apps that it does not know.
        let isHeard = !doze.isDeepIdle || isFree || allowedUntil != .never
        processor.setHeld(
            (isHeld && isHeard && life.runs) || (platform.life.timeHoldsProcessor && life.isOnTime), at: now)
        networkIsAllowed = isOpen(platform)
        if before.isAllowed != networkIsAllowed {
            changes.insert(networkIsAllowed ? .networkUnblocked : .networkBlocked)
        }
        return changes
    }

    private var isFree: Bool { standing.isExempt || standing.hasForegroundService }

    private func isOpen(_ platform: Platform) -> Bool {
        if platform.family == .ios || isFree || life.state == .front || allowedUntil != .never { return true }
        if doze.isIdle || life.isNetworkClosed { return false }
        return isCharging || platform.standby[standby.bucket].hasNetwork
    }

    /// The app is in the front while the screen is on.
    private mutating func setFront(at now: Instant, _ platform: Platform) -> PhoneChanges {
        let front = isForeground && screenIsOn
        standby.setUsed(front, at: now)
        let changes = life.setFront(front, at: now, platform.life, standing)
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
