import DeadzonePrimitives

/// Doze, light and deep, as `DeviceIdleController` steps it
/// (aosp-mirror/platform_frameworks_base, apex/jobscheduler/service/java/com/android/server/DeviceIdleController.java,
/// `stepLightIdleStateLocked` and `stepIdleStateLocked`).
///
///     light:  active ──▶ inactive ──▶ pre-idle ──▶ IDLE ⇄ maintenance
///                                                    └──── deep idle ────▶ overridden
///
///     deep:   active ──▶ inactive ──▶ idle pending ──▶ sensing ──▶ locating ──▶ IDLE ⇄ maintenance
///                │          ▲               └──────────────┴───────────┴─────────┴─────────┘ motion
///                └──▶ quick delay (battery saver) ──▶ IDLE
///
/// Battery saver that was switched on on the way makes the rest of it short, and motion then leads out of nothing; switched on
/// in deep idle it changes nothing until motion, which still leads out of it this once.
///
///     any ── screen on, charging ──▶ active
///
/// In both idle states the firewall is closed and jobs wait; in the deep one alarms wait too. Each idle time is longer than
/// the one before, up to a limit. Leaving deep Doze by motion starts light Doze anew; motion before deep idle leaves light
/// Doze alone.
///
/// Where the diagram lies:
/// - Sensing and locating end as soon as the sensors have answered, within seconds. Here they last their limits, so deep idle
///   comes some four minutes late; and a sensing that lasts its limit does not go on to locating there, but begins anew.
/// - The alarms that lead out of light idle have a window of their own, a minute at first and up to a quarter of an hour:
///   beside the alarms of others a light idle time may last twice as long. Here it is never longer than it says.
/// - By default a screen that is lit and still locked does not end Doze (`WAIT_FOR_UNLOCK`). Here it does.
/// - A light window waits for a network; here it opens without.
/// - How much other apps have to do in a window is one number, `work`: more than fits, unless somebody says otherwise. Then
///   pre-idle and every window last their limits.
/// - Moving for a moment while the system does not look for motion goes unseen; moving on when it begins to look is seen.
struct Doze: Sendable, BitwiseCopyable {
    enum Light: UInt8, BitwiseCopyable {
        case active, inactive, preIdle, idle, maintenance, overridden
    }
    enum Deep: UInt8, BitwiseCopyable {
        case active, inactive, idlePending, sensing, locating, idle, maintenance, quickDelay
    }

    private(set) var light = Light.active
    private(set) var deep = Deep.active
    private var lightDue = Instant.never
    private var deepDue = Instant.never
    private var nextLightIdle = TimeSpan.zero
    private var lightBudget = TimeSpan.zero
    /// When the open light window opened.
    private var lightWindowFrom = Instant.zero
    private var nextIdle = TimeSpan.zero
    private var nextMaintenance = TimeSpan.zero
    private(set) var isMoving = false
    /// Battery saver is on.
    private(set) var isQuick = false
    /// It was switched on in deep idle.
    private var isQuickSinceIdle = false
    /// Of the user's alarm clock, shortly before which deep idle ends.
    private var alarmClock = Instant.never

    var nextTransition: Instant { min(lightDue, deepDue) }

    var isDeepIdle: Bool { deep == .idle }
    var isIdle: Bool { isDeepIdle || light == .idle }
    /// When what waits now may happen; `.never` if nothing waits.
    var opensAt: Instant { isDeepIdle ? deepDue : light == .idle ? lightDue : .never }
    /// A maintenance window is open.
    var isMaintaining: Bool { deep == .maintenance || light == .maintenance }
    /// Neither state is `active`: the screen is off, and the phone is not charged.
    var isInactive: Bool { deep != .active || light != .active }

    // MARK: Verbs

    mutating func becomeActive() {
        light = .active
        deep = .active
        lightDue = .never
        deepDue = .never
    }

    /// The screen is off, and the phone is not charged.
    mutating func becomeInactive(after timeout: TimeSpan? = nil, at now: Instant, _ rules: borrowing DozeRules) {
        if isQuick, deep != .idle, deep != .maintenance, deep != .quickDelay {
            deep = .quickDelay
            deepDue = pastAlarmClock(now, rules) + rules.quickDelay
        } else if deep == .active {
            let usual = rules.inactive
            deep = .inactive
            deepDue = pastAlarmClock(now, rules) + (timeout ?? usual)
        }
        if light == .active {
            light = .inactive
            lightDue = now + rules.lightInactive
        }
    }

    mutating func setMoving(_ moving: Bool, at now: Instant, _ rules: borrowing DozeRules) {
        isMoving = moving
        if moving { noticeMotion(at: now, rules) }
    }

    mutating func setQuick(_ quick: Bool, at now: Instant, _ rules: borrowing DozeRules) {
        guard quick != isQuick, rules.quickDelay != .longest else { return }
        isQuick = quick
        isQuickSinceIdle = quick && (deep == .idle || deep == .maintenance)
        if quick, deep != .active { becomeInactive(at: now, rules) }
    }

    mutating func setAlarmClock(_ at: Instant, at now: Instant) {
        alarmClock = at
        if deep == .idle { deepDue = beforeAlarmClock(deepDue, at: now) }
    }

    /// Performs what is due at `now`.
    mutating func advance(at now: Instant, _ rules: borrowing DozeRules) {
        if deepDue == now { stepDeep(at: now, rules) }
        if lightDue == now { stepLight(at: now, rules) }
    }

    // MARK: Light

    private mutating func stepLight(at now: Instant, _ rules: borrowing DozeRules) {
        switch light {
        case .active, .overridden: preconditionFailure("light Doze has nothing to do in \(light)")
        case .inactive:
            lightBudget = rules.lightBudget
            nextLightIdle = rules.lightIdle
            let wait = min(rules.lightPreIdle, rules.work)
            if wait == .zero { return idleLightly(at: now, rules) }
            light = .preIdle
            lightDue = now + wait
        case .preIdle: idleLightly(at: now, rules)
        case .maintenance:
            // What was left of the budget is kept, what was used beyond the smallest is taken from it.
            lightBudget += rules.lightBudget - (now - lightWindowFrom)
            idleLightly(at: now, rules)
        case .idle:
            lightBudget = min(max(lightBudget, rules.lightBudget), rules.lightBudgetLimit)
            lightWindowFrom = now
            light = .maintenance
            lightDue = now + min(lightBudget, max(rules.work, rules.lightMinimum))
        }
    }

    private mutating func idleLightly(at now: Instant, _ rules: borrowing DozeRules) {
        light = .idle
        lightDue = now + nextLightIdle
        nextLightIdle = min(nextLightIdle * rules.growth, rules.lightIdleLimit)
    }

    // MARK: Deep

    private mutating func stepDeep(at now: Instant, _ rules: borrowing DozeRules) {
        if pastAlarmClock(now, rules) != now {
            becomeActive()
            return becomeInactive(at: now, rules)
        }
        switch deep {
        case .active: preconditionFailure("deep Doze has nothing to do while the phone is in use")
        case .inactive:
            deep = .idlePending
            deepDue = now + rules.idleAfterInactive
            if isMoving { noticeMotion(at: now, rules) }
        case .idlePending:
            deep = .sensing
            deepDue = now + rules.sensing
        case .sensing:
            deep = .locating
            deepDue = now + rules.locating
        case .locating, .quickDelay:
            nextIdle = rules.idle
            nextMaintenance = rules.maintenance
            idleDeeply(at: now, rules)
        case .maintenance: idleDeeply(at: now, rules)
        case .idle:
            deep = .maintenance
            deepDue = now + min(nextMaintenance, max(rules.work, rules.maintenanceMinimum))
            nextMaintenance = min(nextMaintenance * rules.growth, rules.maintenanceLimit)
        }
    }

    private mutating func idleDeeply(at now: Instant, _ rules: borrowing DozeRules) {
        deep = .idle
        deepDue = beforeAlarmClock(now + nextIdle, at: now)
        nextIdle = min(nextIdle * rules.growth, rules.idleLimit)
        light = .overridden
        lightDue = .never
    }

    private mutating func noticeMotion(at now: Instant, _ rules: borrowing DozeRules) {
        switch deep {
        case .active, .inactive, .quickDelay: return
        case .idlePending, .sensing, .locating, .idle, .maintenance: break
        }
        if isQuick && !isQuickSinceIdle { return }
        isQuickSinceIdle = false
        if light == .overridden { light = .active }
        deep = .active
        becomeInactive(after: rules.motion, at: now, rules)
    }

    /// So long before the user's alarm clock deep idle ends: the least of what the system draws at random
    /// (`MIN_DEVICE_IDLE_FUZZ` of AlarmManagerService.java; the most is 15 min).
    private static let alarmLead = TimeSpan.minutes(2)

    private func beforeAlarmClock(_ end: Instant, at now: Instant) -> Instant {
        guard now < alarmClock, alarmClock != .never else { return end }
        return min(end, max(now, alarmClock - Self.alarmLead))
    }

    /// The moment from which inactive counts: now, or an alarm clock that is too near to begin.
    private func pastAlarmClock(_ now: Instant, _ rules: borrowing DozeRules) -> Instant {
        let nearest = now + rules.minimumToAlarmClock
        return now < alarmClock && alarmClock <= nearest ? alarmClock : now
    }
}
