import DeadzonePrimitives

/// The app's process.
///
///                    leaves the front             time is over
///      ┌──▶ front ─────────────────────▶ background ──────────▶ suspended
///      │      ▲  └───────── user ────────────┘ ▲                   │
///      │      └───────────── user ─────────────┼───────────────────┤
///      │                                       └── alarm, push,    │
///      │                                           job, refresh ───┘
///      └── user, or what wakes it ── gone ◀── killed, from anywhere
///
/// Android calls the suspension freezing, and does it to the processes that it keeps only for speed
/// (`CachedAppOptimizer`); on iOS it is the rule. Before Android 11 nobody suspends, and the app runs whenever the processor
/// is awake.
///
/// Where the diagram lies:
/// - A window of time that is granted in the background counts anew from each alarm or push; the system adds them up.
/// - Android counts the time to freezing while the processor is awake; here it counts on through sleep, in which the app
///   would not run anyway.
struct LifeCycle: Sendable, BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        case front, background, suspended, gone
    }

    private(set) var state = State.front
    private(set) var mayStart = true
    private(set) var isNetworkClosed = false
    private var suspendsAt = Instant.never
    private var warnsAt = Instant.never
    private var reclaimsAt = Instant.never
    private var closesNetworkAt = Instant.never
    private var refreshesAt = Instant.never
    private var killsAt = Instant.never

    var runs: Bool { state == .front || state == .background }
    var lives: Bool { state != .gone }
    /// Runs in the background on time that was given to it.
    var isOnTime: Bool { state == .background && suspendsAt != .never }

    var nextTransition: Instant {
        min(min(suspendsAt, warnsAt, reclaimsAt), min(closesNetworkAt, refreshesAt, killsAt))
    }

    // MARK: Verbs

    mutating func setFront(
        _ front: Bool, at now: Instant, _ rules: borrowing LifeCycleRules, _ standing: AppStanding
    ) -> PhoneChanges {
        if front {
            let changes = arrive()
            state = .front
            mayStart = true
            return changes
        }
        guard state == .front else { return [] }
        state = .background
        openNetwork(until: now, rules, standing)
        if !standing.isExempt { killsAt = now + rules.killsAfter }
        if standing.asksForTime { refreshesAt = now + rules.refreshEvery }
        let time = standing.asksForTime ? max(rules.taskTime, rules.suspendsAfter) : rules.suspendsAfter
        run(until: now + time, at: now, rules, standing)
        return []
    }

    /// Something lets the app run for a moment, and starts it if need be.
    mutating func wake(
        for span: TimeSpan, at now: Instant, _ rules: borrowing LifeCycleRules, _ standing: AppStanding
    ) -> PhoneChanges {
        guard state != .front, lives || mayStart else { return [] }
        let wasGone = !lives
        // Whose time has no end is given none that has.
        let runsOn = state == .background && suspendsAt == .never
        let changes: PhoneChanges = wasGone ? .appStarted : state == .suspended ? .appResumed : []
        state = .background
        reclaimsAt = .never
        openNetwork(until: now + span, rules, standing)
        if wasGone, !standing.isExempt { killsAt = now + rules.killsAfter }
        if wasGone, standing.asksForTime { refreshesAt = now + rules.refreshEvery }
        // On a system that gives time, that is all there is; on one that freezes, freezing waits its own time after it.
        let end = now + span + (rules.timeHoldsProcessor ? .zero : rules.suspendsAfter)
        if !runsOn, suspendsAt == .never || suspendsAt < end {
            run(until: end, at: now, rules, standing)
        }
        return changes
    }

    mutating func kill(forGood: Bool) -> PhoneChanges {
        guard lives else {
            if forGood { mayStart = false }
            return []
        }
        self = LifeCycle()
        state = .gone
        mayStart = !forGood
        return .appKilled
    }

    /// Performs what is due at `now`.
    mutating func advance(
        at now: Instant, _ rules: borrowing LifeCycleRules, _ standing: AppStanding
    ) -> PhoneChanges {
        if killsAt == now { return kill(forGood: rules.killsForGood) }
        var changes: PhoneChanges = []
        if closesNetworkAt == now {
            closesNetworkAt = .never
            isNetworkClosed = true
        }
        if reclaimsAt == now {
            reclaimsAt = .never
            changes.insert(.socketsReclaimed)
        }
        if warnsAt == now {
            warnsAt = .never
            changes.insert(.timeExpires)
        }
        if suspendsAt == now {
            suspendsAt = .never
            warnsAt = .never
            state = .suspended
            reclaimsAt = now + rules.reclaimsSocketsAfter
            changes.insert(.appSuspended)
        }
        if refreshesAt == now {
            refreshesAt = now + rules.refreshEvery
            changes.formUnion(wake(for: rules.refreshTime, at: now, rules, standing))
            changes.insert(.timeGranted)
            // Suspended and granted time at one instant: it went on running.
            if changes.contains([.appSuspended, .appResumed]) { changes.subtract([.appSuspended, .appResumed]) }
        }
        return changes
    }

    // MARK: Details

    private mutating func run(
        until end: Instant, at now: Instant, _ rules: borrowing LifeCycleRules, _ standing: AppStanding
    ) {
        if rules.servicesRun, standing.hasForegroundService || standing.isExempt { return }
        let warning = rules.taskWarning
        suspendsAt = end
        warnsAt = standing.asksForTime && warning != .zero && end != .never ? max(now, end - warning) : .never
    }

    private mutating func openNetwork(
        until end: Instant, _ rules: borrowing LifeCycleRules, _ standing: AppStanding
    ) {
        isNetworkClosed = false
        guard !standing.isExempt, !standing.hasForegroundService else { return }
        let closing = end + rules.blocksNetworkAfter
        closesNetworkAt = closesNetworkAt == .never ? closing : max(closesNetworkAt, closing)
    }

    /// The user is here: nothing of the background holds any longer.
    private mutating func arrive() -> PhoneChanges {
        let was = state
        self = LifeCycle()
        return was == .gone ? .appStarted : was == .suspended ? .appResumed : []
    }
}
