import DeadzoneBase

/// State machines of Doze, Android's sleep mode, light and deep, as in `DeviceIdleController`
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
/// If battery saver is switched on before deep idle, the rest of the way is short, and motion then has no effect. If it
/// is switched on in deep idle, it has no effect until motion, which still ends deep idle this one time.
///
///     any ── screen on, charging ──▶ active
///
/// In both idle states the firewall is closed and jobs wait; in deep idle alarms wait, too. Each idle time is longer
/// than the one before, up to a limit. Motion that ends deep Doze restarts light Doze. Motion before deep idle does not
/// affect light Doze.
///
/// Where the diagram is inaccurate:
/// - Sensing and locating end as soon as the sensors have answered, within seconds. Here they last their limits, so
///   deep idle comes some four minutes late. On Android a sensing that lasts its limit does not continue to locating,
///   but starts again.
/// - The alarms of light Doze have a window. Since Android 12 the system delivers an alarm with the first other alarm in
///   its window, or at the end of the window. Before Android 12 it combines alarms when they are set, and a light idle
///   time may last up to 75 % longer; here it has its nominal length. In one public battery history, four of them were
///   9 % to 18 % longer.
/// - An alarm that does not wake the phone is delivered here with the next alarm of any app. On Android also a phone
///   that is awake for another reason delivers it, but only if it has delivered no alarm for up to an hour.
/// - The alarm that begins light Doze wakes the phone. In Android 13 it does not.
/// - By default a lit screen that is still locked does not end Doze (`WAIT_FOR_UNLOCK`). Here it does.
/// - A light window waits for a network. Here it opens without one.
/// - The work of other apps in a window is one number, `work`. By default there is none, and every window has its
///   minimum length. A job of the app that lasts longer keeps its own network, but does not keep the window open.
/// - Short motion is not detected while the system does not monitor motion. Motion that continues until monitoring
///   starts is detected.
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
    /// Time from which another alarm causes the transition of light Doze that is due at `lightDue`.
    private var lightFrom = Instant.never
    private var nextLightIdle = TimeSpan.zero
    private var nextLightIdleWindow = TimeSpan.zero
    private var lightBudget = TimeSpan.zero
    /// Time at which the present maintenance window of light Doze opened.
    private var lightWindowFrom = Instant.zero
    private var nextIdle = TimeSpan.zero
    private var nextMaintenance = TimeSpan.zero
    private(set) var isMoving = false
    /// `true` if battery saver is on.
    private(set) var isQuick = false
    /// `true` if battery saver was switched on in deep idle or in a maintenance window of it.
    private var isQuickSinceIdle = false
    /// Time of the user's alarm clock. Deep idle ends shortly before it.
    private var alarmClock = Instant.never
    /// Random times by which deep idle ends early.
    private var dice: Dice

    init(_ dice: Dice) { self.dice = dice }

    var nextTransition: Instant { min(lightDue, deepDue) }

    var isDeepIdle: Bool { deep == .idle }
    var isIdle: Bool { isDeepIdle || light == .idle }
    /// The time at which deferred work may run; `.never` if nothing is deferred.
    var opensAt: Instant { isDeepIdle ? deepDue : light == .idle ? lightDue : .never }
    /// `true` if a maintenance window is open.
    var isMaintaining: Bool { deep == .maintenance || light == .maintenance }
    /// `true` unless both states are `active`: the screen is off, and the phone is not charging.
    var isInactive: Bool { deep != .active || light != .active }

    // MARK: Events

    mutating func becomeActive() {
        light = .active
        deep = .active
        lightDue = .never
        lightFrom = .never
        deepDue = .never
    }

    /// Called when the screen is off and the phone is not charging: starts the way to Doze.
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
            lightFrom = now + rules.lightInactive
            lightDue = lightFrom + rules.lightInactiveWindow
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

    mutating func setAlarmClock(_ at: Instant, at now: Instant, _ rules: borrowing DozeRules) {
        alarmClock = at
        if deep == .idle { deepDue = beforeAlarmClock(deepDue, at: now, rules) }
    }

    /// Performs the transitions that are due at `now`.
    mutating func advance(at now: Instant, _ rules: borrowing DozeRules) {
        if deepDue == now {
            stepDeep(at: now, rules)
            deliverAlarms(at: now, rules)
        }
        if lightDue == now { stepLight(at: now, rules) }
    }

    /// Called when the system delivers an alarm of an app. It also delivers the alarm of light Doze if the window of
    /// that alarm has begun.
    mutating func deliverAlarms(at now: Instant, _ rules: borrowing DozeRules) {
        if lightFrom <= now, now < lightDue { stepLight(at: now, rules) }
    }

    // MARK: Light

    private mutating func stepLight(at now: Instant, _ rules: borrowing DozeRules) {
        lightFrom = .never
        switch light {
        case .active, .overridden: preconditionFailure("light Doze has no transition in \(light)")
        case .inactive:
            lightBudget = rules.lightBudget
            nextLightIdle = rules.lightIdle
            nextLightIdleWindow = rules.lightIdleWindow
            let wait = min(rules.lightPreIdle, rules.work)
            if wait == .zero { return idleLightly(at: now, rules) }
            light = .preIdle
            lightDue = now + wait
        case .preIdle: idleLightly(at: now, rules)
        case .maintenance:
            // The unused part of the budget is kept; time beyond the minimum budget is subtracted.
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
        lightFrom = now + nextLightIdle
        lightDue = rules.lightIdleWaits ? .never : lightFrom + nextLightIdleWindow
        nextLightIdle = min(nextLightIdle * rules.growth, rules.lightIdleLimit)
        nextLightIdleWindow = min(nextLightIdleWindow * rules.growth, rules.lightIdleWindowLimit)
    }

    // MARK: Deep

    private mutating func stepDeep(at now: Instant, _ rules: borrowing DozeRules) {
        if pastAlarmClock(now, rules) != now {
            becomeActive()
            return becomeInactive(at: now, rules)
        }
        switch deep {
        case .active: preconditionFailure("deep Doze has no transition while the phone is in use")
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
        let end = now + nextIdle
        let isAlarmNear = now < alarmClock && alarmClock < end
        deepDue = rules.endsEarly && !isAlarmNear ? early(end, at: now) : beforeAlarmClock(end, at: now, rules)
        nextIdle = min(nextIdle * rules.growth, rules.idleLimit)
        light = .overridden
        lightDue = .never
        lightFrom = .never
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

    /// Time before the user's alarm clock at which deep idle ends: the minimum of the time that the system draws at
    /// random (`MIN_DEVICE_IDLE_FUZZ` of AlarmManagerService.java; the maximum is 15 min).
    private static let alarmLead = TimeSpan.minutes(2)

    private mutating func beforeAlarmClock(_ end: Instant, at now: Instant, _ rules: borrowing DozeRules) -> Instant {
        guard now < alarmClock, alarmClock != .never else { return end }
        if rules.endsEarly { return alarmClock < end ? early(alarmClock, at: now) : end }
        return min(end, max(now, alarmClock - Self.alarmLead))
    }

    /// Returns a random time before `end`: the alarm that ends deep idle is set up to 15 min earlier, up to 30 min if
    /// it is 90 min away or more, and any time earlier if it is less than 15 min away (`fuzzForDuration` of
    /// AlarmManagerService.java, until Android 11).
    private mutating func early(_ end: Instant, at now: Instant) -> Instant {
        let span = end - now
        guard span > .zero else { return end }
        let limit = min(span, span < .minutes(90) ? .minutes(15) : .minutes(30)).nanoseconds
        let earlier: Int64 =
            switch dice.fixedDraw {
            case .usual: limit / 2
            case .lowest: 0
            case .highest: limit
            case nil: Int64(dice.next().scaled(below: UInt64(limit)))
            }
        return end - .nanoseconds(earlier)
    }

    /// Returns the time from which inactivity counts: now, or the alarm clock if it is too near for Doze to begin.
    private func pastAlarmClock(_ now: Instant, _ rules: borrowing DozeRules) -> Instant {
        let nearest = now + rules.minimumToAlarmClock
        return now < alarmClock && alarmClock <= nearest ? alarmClock : now
    }
}
