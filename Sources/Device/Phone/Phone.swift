public import DeadzonePrimitives

/// The operating system's power policy on one phone: whether the processor is awake, whether the app may run and use the
/// network, when its alarms go off. Plain bytes; the numbers come with every call from the platform it was made with.
///
/// Every verb takes `now`, and `now` never lies behind `nextTransition`: whoever drives a phone advances it first. Every verb
/// says what it changed.
///
/// A phone begins in the user's hand: screen on, not charged, lying still, the app in the front.
public struct Phone: Sendable, BitwiseCopyable {
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
    private var screenIsOn = true
    private var isCharging = false
    private var isForeground = true
    private var isHeld = false

    /// The firewall lets the app's packets pass.
    public private(set) var networkIsAllowed = true

    public init(platform: borrowing Platform, standing: AppStanding, at now: Instant) {
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

    /// When a timer with this wish goes off if nothing changes; `.never` if that needs a change first. A time that has passed
    /// means now. Asked again after every change.
    /// - Parameter deadline: On the elapsed clock.
    public func fires(_ deadline: Instant, _ kind: AlarmKind, at now: Instant, _ platform: borrowing Platform)
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

    /// The same for another app, of which the phone knows no quotas and no standing: Doze alone puts it off.
    public func firesForOthers(_ deadline: Instant, _ kind: AlarmKind, at now: Instant) -> Instant {
        switch kind {
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
    public mutating func advance(_ platform: borrowing Platform) -> PhoneChanges {
        let now = nextTransition
        precondition(now != .never, "a phone without a transition cannot advance")
        let before = Before(self)
        var changes: PhoneChanges = []
        if doze.nextTransition == now {
            doze.advance(at: now, platform.doze)
            changes.insert(.timersMoved)
        }
        if life.nextTransition == now { changes.formUnion(life.advance(at: now, platform.life, standing)) }
        if standby.nextTransition == now {
            standby.advance()
            changes.insert(.timersMoved)
        }
        if allowedUntil == now { allowedUntil = .never }
        if pushWaitsUntil == now {
            pushWaitsUntil = .never
            changes.insert(.windowOpened)
        }
        if processor.nextTransition == now { processor.advance(at: now) }
        return finish(before, changes, at: now, platform)
    }

    public mutating func setScreen(_ on: Bool, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        guard on != screenIsOn else { return [] }
        let before = Before(self)
        screenIsOn = on
        // The system stays awake until the app has heard that it is no longer seen (ActivityTaskSupervisor's wake lock in
        // aosp-mirror/platform_frameworks_base; that it takes as long as an alarm's handler is assumed).
        if !on && isForeground { processor.wake(for: .wake, span: platform.processor.alarmSpan, at: now) }
        processor.setLit(on, at: now)
        standby.setScreen(on, at: now)
        let changes = setFront(at: now, platform)
        setDoze(at: now, platform)
        return finish(before, changes.union(.timersMoved), at: now, platform)
    }

    public mutating func setCharging(_ on: Bool, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        guard on != isCharging else { return [] }
        let before = Before(self)
        isCharging = on
        setDoze(at: now, platform)
        return finish(before, .timersMoved, at: now, platform)
    }

    /// Motion that deep Doze would notice begins or ends.
    public mutating func setMoving(_ moving: Bool, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        let before = Before(self)
        doze.setMoving(moving, at: now, platform.doze)
        return finish(before, .timersMoved, at: now, platform)
    }

    /// Battery saver is on, which makes the way to deep Doze a short one.
    public mutating func setSaving(_ saving: Bool, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        let before = Before(self)
        doze.setQuick(saving, at: now, platform.doze)
        return finish(before, .timersMoved, at: now, platform)
    }

    /// The user's alarm clock is set for then: Doze is not entered shortly before it.
    public mutating func setAlarmClock(_ at: Instant) { doze.setAlarmClock(at) }

    public mutating func setForeground(_ front: Bool, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        guard front != isForeground || (front && screenIsOn && !life.lives) else { return [] }
        let before = Before(self)
        isForeground = front
        return finish(before, setFront(at: now, platform).union(.timersMoved), at: now, platform)
    }

    /// An alarm of this kind goes off now: its quota is used, the processor wakes, the app may run for a moment.
    public mutating func alarm(
        _ kind: AlarmKind, for cause: Cause, at now: Instant, _ platform: borrowing Platform
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
        return finish(before, changes.union(.timersMoved), at: now, platform)
    }

    /// A packet for the phone has arrived, or something else wakes the processor.
    public mutating func wake(for cause: Cause, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        let before = Before(self)
        processor.wake(for: cause, span: platform.processor.packetSpan, at: now)
        return finish(before, [], at: now, platform)
    }

    /// The app holds the processor awake, or no longer.
    public mutating func hold(_ held: Bool, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        let before = Before(self)
        isHeld = held
        return finish(before, [], at: now, platform)
    }

    /// A push message for the app. False: it waits for `windowOpened`, and is then asked about again.
    public mutating func push(
        urgent: Bool, at now: Instant, _ platform: borrowing Platform
    ) -> (isNow: Bool, changes: PhoneChanges) {
        guard life.lives || life.mayStart else { return (false, []) }
        let before = Before(self)
        let rules = platform.standby[standby.bucket]
        // The quota of urgent pushes; those beyond it are like any other.
        var isUrgent = urgent
        if urgent, life.state != .front {
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
    /// memory.
    public mutating func kill(byUser: Bool = false, at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        let before = Before(self)
        allowedUntil = .never
        if byUser {
            isForeground = false
            standby.setUsed(false, at: now)
        }
        return finish(before, life.kill(forGood: byUser).union(.timersMoved), at: now, platform)
    }

    /// Ends the open period of wake time for the books; the phone goes on as it was.
    public mutating func settle(at now: Instant) { processor.settle(at: now) }
}

extension Phone {
    /// What verbs are compared with.
    private struct Before {
        let isAwake: Bool
        let isAllowed: Bool
        let isDozing: Bool

        init(_ phone: Phone) {
            isAwake = phone.processor.isAwake
            isAllowed = phone.networkIsAllowed
            isDozing = phone.doze.isIdle
        }
    }

    /// Brings what follows from the machines up to date, and says what has changed.
    private mutating func finish(
        _ before: Before, _ found: PhoneChanges, at now: Instant, _ platform: borrowing Platform
    ) -> PhoneChanges {
        var changes = found
        if before.isDozing != doze.isIdle {
            changes.insert(doze.isIdle ? .windowClosed : .windowOpened)
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
        if before.isAwake != processor.isAwake {
            changes.insert(processor.isAwake ? .processorWoke : .processorSlept)
        }
        if before.isAllowed != networkIsAllowed {
            changes.insert(networkIsAllowed ? .networkUnblocked : .networkBlocked)
        }
        return changes
    }

    private var isFree: Bool { standing.isExempt || standing.hasForegroundService }

    private func isOpen(_ platform: borrowing Platform) -> Bool {
        if platform.family == .ios || isFree || life.state == .front || allowedUntil != .never { return true }
        if doze.isIdle || life.isNetworkClosed { return false }
        return isCharging || platform.standby[standby.bucket].hasNetwork
    }

    /// The app is in the front while the screen is on.
    private mutating func setFront(at now: Instant, _ platform: borrowing Platform) -> PhoneChanges {
        let front = isForeground && screenIsOn
        standby.setUsed(front, at: now)
        let changes = life.setFront(front, at: now, platform.life, standing)
        guard front, pushWaitsUntil != .never else { return changes }
        pushWaitsUntil = .never
        return changes.union(.windowOpened)
    }

    private mutating func setDoze(at now: Instant, _ platform: borrowing Platform) {
        if screenIsOn || isCharging { doze.becomeActive() } else { doze.becomeInactive(at: now, platform.doze) }
    }

    private mutating func allow(for span: TimeSpan, at now: Instant) {
        guard span != .zero else { return }
        let end = now + span
        allowedUntil = allowedUntil == .never ? end : max(allowedUntil, end)
    }
}
