import DeadzoneBase

@testable import DeadzoneDevice

/// A naive second `Phone`: one list of named timers, and one rule for each of them. Tests compare both after every call.
struct ReferencePhone {
    enum Timer: CaseIterable {
        case deep, light, suspend, warn, reclaim, closeNetwork, refresh, kill, allowance, pushQuota, service, overrun,
            network
    }
    enum App { case front, background, suspended, gone }

    let rules: Platform
    let privileges: AppPrivileges
    var now = Instant.zero
    var timers: [Timer: Instant] = [:]
    var (screenIsOn, isForeground, isCharging, isMoving, hasLock) = (true, true, false, false, false)

    var (app, mayStart, isNetworkClosed) = (App.front, true, false)
    var (light, deep) = (Doze.Light.active, Doze.Deep.active)
    var (isQuick, isQuickSinceIdle, alarmClock) = (false, false, Instant.never)
    var (lightIdle, lightBudget, lightWindowFrom) = (TimeSpan.zero, TimeSpan.zero, Instant.zero)
    var (deepIdle, deepWindow) = (TimeSpan.zero, TimeSpan.zero)
    /// The window of the alarm of light Doze: its beginning, and the length of the next one.
    var (lightFrom, lightWindow) = (Instant.never, TimeSpan.zero)
    var dice: Dice

    /// The processor: end of the latest wake-up, its cause and begin, and whether a lock counts.
    var (spanEnds, payer, since, isAwake, isLocked) = (Instant.zero, Cause.wake, Instant.zero, true, false)

    /// Use of each quota in its present period.
    var uses: [String: (ends: Instant, count: Int64)] = [:]
    var (bucket, usedAt, screenTime, screenSince) = (
        StandbyBucket.active, Instant.zero, TimeSpan.zero, Instant?.some(.zero)
    )
    var standbyChangedAt = Instant.zero
    var networkIsAllowed = true
    /// The user's restrictions, and whether the system has ended the app's foreground service.
    var (saverIsOn, dataSaverIsOn, isMetered, isRestricted, serviceIsOver) = (false, false, false, false, false)

    init(_ rules: Platform, _ privileges: AppPrivileges, _ dice: Dice) {
        (self.rules, self.privileges, self.dice) = (rules, privileges, dice)
        bucket = rules.standby.pinned ?? .active
    }

    // MARK: State

    var isDeepIdle: Bool { deep == .idle }
    var isIdle: Bool { deep == .idle || light == .idle }
    var isMaintaining: Bool { deep == .maintenance || light == .maintenance }
    var opensAt: Instant { deep == .idle ? due(.deep) : light == .idle ? due(.light) : .never }
    var appRuns: Bool { isAwake && (app == .front || app == .background) }
    var hasService: Bool { privileges.hasForegroundService && !isRestricted && !serviceIsOver }
    private var isFree: Bool { privileges.isExempt || hasService }
    private var isSaving: Bool { saverIsOn && !isCharging && !isFree && app != .front }
    private var mayLive: Bool { app != .gone || mayStart }

    func due(_ timer: Timer) -> Instant { timers[timer] ?? .never }
    mutating func set(_ timer: Timer, _ at: Instant) { timers[timer] = at == .never ? nil : at }

    private var processorDue: Instant {
        guard isAwake, !screenIsOn, rules.processor.sleeps else { return .never }
        return isLocked && payer == .wake ? .never : spanEnds
    }

    private var standbyDue: Instant {
        guard rules.standby.pinned == nil, !(screenIsOn && isForeground), bucket < rules.standby.lowest,
            let next = StandbyBucket.allCases.first(where: { bucket < $0 })
        else { return .never }
        let due = usedAt + next.threshold.elapsed
        let missing = next.threshold.screenOn - screenTime
        if missing <= .zero { return max(due, standbyChangedAt) }
        return screenSince.map { max(due, $0 + missing) } ?? .never
    }

    var nextTransition: Instant { min(timers.values.min() ?? .never, min(processorDue, standbyDue)) }
    var wakeTime: (cause: Cause, since: Instant)? {
        isAwake && !screenIsOn && rules.processor.sleeps ? (payer, since) : nil
    }

    // MARK: Quotas

    private func next(_ key: String, _ from: Instant, _ quota: Quota) -> Instant {
        if quota.count <= 0 { return .never }
        guard let use = uses[key], use.count >= quota.count else { return from }
        return max(from, use.ends)
    }

    private mutating func use(_ key: String, _ quota: Quota, cost: Int64 = 1) {
        guard quota.count != .max else { return }
        let use = uses[key] ?? (.zero, 0)
        uses[key] = use.ends <= now ? (now + quota.period, cost) : (use.ends, use.count + cost)
    }

    private var bucketRules: BucketRules { isCharging ? BucketRules() : rules.standby[bucket] }

    private func runTime(_ rules: BucketRules) -> Quota {
        rules.jobTime == .longest ? .unlimited : Quota(rules.jobTime.nanoseconds, per: rules.jobs.period)
    }

    func firingTime(_ deadline: Instant, _ kind: WakePolicy) -> Instant {
        if kind == .none || rules.family == .ios { return appRuns ? deadline : .never }
        guard mayLive else { return .never }
        let due = max(deadline, now)
        if isRestricted && app != .front { return .never }
        if isSaving && rules.restrictions.saverDefersWork && kind != .whileIdle { return .never }
        let free = privileges.isExempt && rules.alarms.exemptionFreesAlarms
        var allowed = due
        switch kind {
        case .none: break
        case .alarm:
            if free { return deadline }
            allowed = next("alarms", due, bucketRules.alarms)
            if isDeepIdle { return max(allowed, opensAt) }
        case .whileIdle:
            if free || !(isDeepIdle || isSaving && rules.restrictions.saverDefersWork) { return deadline }
            allowed = next("while idle", due, rules.alarms.whileIdle)
            if isDeepIdle { allowed = min(allowed, max(due, opensAt)) }
        case .job:
            if privileges.isExempt && rules.alarms.exemptionFreesJobs || app == .front { return deadline }
            allowed = max(next("jobs", due, bucketRules.jobs), next("job time", due, runTime(bucketRules)))
            if isIdle { return max(allowed, opensAt) }
        }
        return allowed == due ? deadline : allowed
    }

    func otherAppsFiringTime(_ deadline: Instant, _ kind: WakePolicy) -> Instant {
        if rules.family == .ios || kind == .none { return isAwake ? deadline : .never }
        let waits = kind == .alarm ? isDeepIdle : kind == .job && isIdle
        return waits ? max(deadline, max(now, opensAt)) : deadline
    }

    // MARK: Calls

    /// Runs a call, and finds the changes that follow from it.
    private mutating func change(_ body: (inout ReferencePhone) -> PhoneChanges) -> PhoneChanges {
        let before = (idle: isIdle, window: isMaintaining, network: networkIsAllowed)
        var changes = body(&self)
        if before.window != isMaintaining { changes.insert(isMaintaining ? .windowOpened : .windowClosed) }
        if before.idle != isIdle {
            changes.insert(isIdle ? .windowClosed : .pushesMayCome)
            if !isIdle, deep != .active || light != .active { wakeProcessor(.wake, rules.processor.windowSpan) }
        }
        if changes.contains(.appKilled) { hasLock = false }
        let counts =
            hasLock && (app == .front || app == .background) && (!isDeepIdle || isFree || timers[.allowance] != nil)
        let isOnTime = app == .background && timers[.suspend] != nil
        lock(counts || rules.life.timeHoldsProcessor && isOnTime || timers[.network] != nil)
        networkIsAllowed = isOpen
        if before.network != networkIsAllowed { changes.insert(networkIsAllowed ? .networkUnblocked : .networkBlocked) }
        return changes
    }

    private var isOpen: Bool {
        if rules.family == .ios || app == .front { return true }
        if dataSaverIsOn && isMetered && !hasService && !privileges.hasUnrestrictedData { return false }
        if isFree || timers[.allowance] != nil { return true }
        if isSaving && rules.restrictions.saverClosesNetwork { return false }
        return !isIdle && !isNetworkClosed && (isCharging || rules.standby[bucket].hasNetwork)
    }

    mutating func advance() -> PhoneChanges {
        now = nextTransition
        return change { phone in
            var changes: PhoneChanges = []
            if phone.due(.deep) == phone.now {
                phone.stepDeep()
                phone.deliver()
            }
            if phone.due(.light) == phone.now { phone.stepLight() }
            let appTimers: [Timer] = [
                .suspend, .warn, .reclaim, .closeNetwork, .refresh, .kill, .service, .overrun,
            ]
            if appTimers.contains(where: { phone.due($0) == phone.now }) { changes = phone.stepApp() }
            if changes.contains(.appKilled) { phone.leaveFront() }
            if phone.standbyDue == phone.now, let next = StandbyBucket.allCases.first(where: { phone.bucket < $0 }) {
                phone.bucket = next
            }
            if phone.due(.allowance) == phone.now { phone.timers[.allowance] = nil }
            if phone.due(.network) == phone.now { phone.timers[.network] = nil }
            if phone.due(.pushQuota) == phone.now {
                phone.timers[.pushQuota] = nil
                changes.insert(.pushesMayCome)
            }
            if phone.processorDue == phone.now { phone.settleProcessor() }
            return changes
        }
    }

    mutating func setScreen(_ isOn: Bool) -> PhoneChanges {
        guard isOn != screenIsOn else { return [] }
        return change { phone in
            let wasUsed = phone.isForeground && phone.screenIsOn
            if !isOn, phone.app == .front { phone.wakeProcessor(.wake, phone.rules.processor.alarmSpan) }
            phone.screenIsOn = isOn
            (phone.payer, phone.since) = (.wake, phone.now)
            if isOn { phone.isAwake = true } else { phone.settleProcessor() }
            if !isOn, let since = phone.screenSince { phone.screenTime = phone.screenTime + (phone.now - since) }
            phone.screenSince = isOn ? phone.now : nil
            phone.standbyChangedAt = phone.now
            let changes = phone.updateFront(wasUsed: wasUsed)
            phone.updateDoze()
            return changes
        }
    }

    mutating func setCharging(_ isOn: Bool) -> PhoneChanges {
        guard isOn != isCharging else { return [] }
        return change { phone in
            phone.isCharging = isOn
            phone.updateDoze()
            return []
        }
    }

    mutating func setMoving(_ moves: Bool) -> PhoneChanges {
        change { phone in
            phone.isMoving = moves
            if moves { phone.notice() }
            return []
        }
    }

    mutating func setSaver(_ isOn: Bool) -> PhoneChanges {
        change { phone in
            phone.saverIsOn = isOn
            guard isOn != phone.isQuick, phone.rules.doze.quickDelay != .longest else { return [] }
            phone.isQuick = isOn
            phone.isQuickSinceIdle = isOn && [.idle, .maintenance].contains(phone.deep)
            if isOn, phone.deep != .active { phone.becomeInactive(after: phone.rules.doze.inactive) }
            return []
        }
    }

    mutating func setDataSaver(_ isOn: Bool, isMetered: Bool) -> PhoneChanges {
        change { phone in
            (phone.dataSaverIsOn, phone.isMetered) = (isOn && phone.rules.restrictions.hasDataSaver, isMetered)
            return []
        }
    }

    mutating func changeNetwork(isLost: Bool) -> PhoneChanges {
        let span = isLost ? rules.networks.lostAwake : rules.networks.newAwake
        guard span > .zero else { return [] }
        return change { phone in
            phone.timers[.network] = phone.now + span
            return []
        }
    }

    mutating func setRestricted(_ isOn: Bool) -> PhoneChanges? {
        guard rules.restrictions.hasAppRestriction, !privileges.isExempt, isOn != isRestricted else { return nil }
        return change { phone in
            let endsService = isOn && phone.hasService && phone.app == .background
            phone.isRestricted = isOn
            if endsService { phone.endService() }
            return endsService ? .serviceEnded : []
        }
    }

    mutating func setAlarmClock(_ at: Instant) -> PhoneChanges {
        change { phone in
            phone.alarmClock = at
            if phone.deep == .idle, phone.now < at, at != .never {
                phone.set(.deep, phone.endOfDeepIdle(phone.due(.deep)))
            }
            return []
        }
    }

    mutating func setForeground(_ front: Bool) -> PhoneChanges {
        guard front != isForeground else { return [] }
        return change { phone in
            let wasUsed = phone.isForeground && phone.screenIsOn
            phone.isForeground = front
            return phone.updateFront(wasUsed: wasUsed)
        }
    }

    mutating func fireAlarm(_ kind: WakePolicy, _ cause: Cause) -> PhoneChanges {
        guard kind != .none, rules.family == .android, mayLive else { return [] }
        return change { phone in
            let (bucketRules, alarms) = (phone.bucketRules, phone.rules.alarms)
            let span = kind == .job ? phone.rules.processor.jobSpan : phone.rules.processor.alarmSpan
            if kind == .alarm { phone.use("alarms", bucketRules.alarms) }
            if kind == .whileIdle {
                phone.use("while idle", alarms.whileIdle)
                phone.allow(alarms.whileIdleNetwork)
            }
            if kind == .job {
                phone.use("jobs", bucketRules.jobs)
                phone.use("job time", phone.runTime(bucketRules), cost: span.nanoseconds)
                phone.allow(span)
            }
            phone.wakeProcessor(cause, span)
            phone.deliver()
            return phone.wakeApp(span)
        }
    }

    mutating func wake(_ cause: Cause, isAlarm: Bool) -> PhoneChanges {
        change { phone in
            if isAlarm { phone.deliver() }
            phone.wakeProcessor(cause, phone.rules.processor.packetSpan)
            return []
        }
    }

    mutating func setLock(_ isHeld: Bool) -> PhoneChanges {
        change { phone in
            phone.hasLock = isHeld
            return []
        }
    }

    mutating func push(isUrgent: Bool) -> (isNow: Bool, changes: PhoneChanges) {
        guard mayLive else { return (false, []) }
        var isUrgent = isUrgent && rules.family == .android
        if app != .front {
            let quota = rules.standby[bucket].urgentPushes
            if isUrgent { isUrgent = next("pushes", now, quota) == now }
            if isUrgent {
                use("pushes", quota)
            } else {
                guard !isIdle else { return (false, []) }
                let allowed = next("pushes", now, rules.pushes.quota)
                guard allowed == now else {
                    set(.pushQuota, allowed)
                    return (false, [])
                }
                use("pushes", rules.pushes.quota)
            }
        }
        let changes = change { [isUrgent] phone in
            if isUrgent { phone.allow(phone.rules.pushes.network) }
            phone.wakeProcessor(.push, phone.rules.processor.pushSpan)
            return phone.wakeApp(phone.rules.pushes.time)
        }
        return (true, changes)
    }

    /// `true` if an urgent push would be treated as a normal one, because its quota is used up.
    var demotesUrgentPush: Bool {
        rules.family == .android && app != .front && next("pushes", now, rules.standby[bucket].urgentPushes) != now
    }

    mutating func kill(byUser: Bool) -> PhoneChanges {
        change { phone in
            let changes = phone.endProcess(forGood: byUser)
            phone.leaveFront()
            return changes
        }
    }

    // MARK: The processor

    private mutating func wakeProcessor(_ cause: Cause, _ span: TimeSpan) {
        guard rules.processor.sleeps else { return }
        if !screenIsOn, !isAwake || payer != cause { (payer, since) = (cause, now) }
        isAwake = true
        spanEnds = max(spanEnds, now + span)
        settleProcessor()
    }

    private mutating func lock(_ isHeld: Bool) {
        guard isHeld != isLocked else { return }
        isLocked = isHeld
        if !isHeld { return settleProcessor() }
        if !isAwake { (isAwake, payer, since) = (true, .wake, now) }
    }

    private mutating func settleProcessor() {
        isAwake = screenIsOn || isLocked || now < spanEnds || !rules.processor.sleeps
        // The lock is charged as soon as no wake-up lasts.
        if isLocked, !screenIsOn, rules.processor.sleeps, spanEnds <= now, payer != .wake {
            (payer, since) = (.wake, now)
        }
    }

    private mutating func allow(_ span: TimeSpan) {
        if span > .zero { timers[.allowance] = max(timers[.allowance] ?? .zero, now + span) }
    }
}
