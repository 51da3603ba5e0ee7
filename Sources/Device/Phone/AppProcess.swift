import DeadzoneBase

/// State machine of an app's process: in the foreground (front), in the background, suspended, or gone.
///
///                    leaves the front             time is over
///      ┌──▶ front ─────────────────────▶ background ──────────▶ suspended
///      │      ▲  └───────── user ────────────┘ ▲                   │
///      │      └───────────── user ─────────────┼───────────────────┤
///      │                                       └── alarm, push,    │
///      │                                           job, refresh ───┘
///      └── user, or what wakes it ── gone ◀── killed, from anywhere
///
/// On Android the suspension is called freezing, and applies to the processes that the system keeps only for a fast
/// start (`CachedAppOptimizer`); on iOS it is the rule. Before Android 11 no app is suspended, and the app runs
/// whenever the processor is awake.
///
/// Where the diagram is inaccurate:
/// - Time that is granted in the background counts again from each alarm or push; the system adds the times up.
/// - Android counts the time until freezing while the processor is awake. Here it also counts during sleep, in which
///   the app would not run anyway.
struct AppProcess: Sendable, BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        case front, background, suspended, gone
    }

    private(set) var state = State.front
    private(set) var mayStart = true
    private(set) var isNetworkClosed = false
    /// `true` if the system has ended the app's foreground service. The app can start it again in the foreground.
    private(set) var serviceHasEnded = false
    private var suspendsAt = Instant.never
    private var warnsAt = Instant.never
    private var reclaimsAt = Instant.never
    private var closesNetworkAt = Instant.never
    private var refreshesAt = Instant.never
    private var killsAt = Instant.never
    /// Time at which the system ends the app's foreground service; later, at which it ends the process of an app that
    /// has not stopped the service.
    private var serviceEndsAt = Instant.never

    var isRunning: Bool { state == .front || state == .background }
    var exists: Bool { state != .gone }
    /// `true` if the app runs in the background for a limited time.
    var isOnTime: Bool { state == .background && suspendsAt != .never }

    var nextTransition: Instant {
        min(
            min(suspendsAt, warnsAt, reclaimsAt), min(closesNetworkAt, refreshesAt, killsAt),
            serviceEndsAt)
    }

    // MARK: Events

    /// - Parameter serviceTime: Time in the background after which the app's foreground service ends.
    mutating func setFront(
        _ front: Bool, at now: Instant, _ rules: borrowing AppProcessRules, _ privileges: AppPrivileges,
        serviceTime: TimeSpan
    ) -> PhoneChanges {
        if front {
            let changes = enterFront()
            state = .front
            mayStart = true
            return changes
        }
        guard state == .front else { return [] }
        state = .background
        openNetwork(until: now, rules, privileges)
        if !privileges.isExempt { killsAt = now + rules.killsAfter }
        if privileges.requestsTime { refreshesAt = now + rules.refreshEvery }
        if privileges.hasForegroundService { serviceEndsAt = now + serviceTime }
        let time = privileges.requestsTime ? max(rules.taskTime, rules.suspendsAfter) : rules.suspendsAfter
        run(until: now + time, at: now, rules, privileges)
        return []
    }

    /// Lets the app run in the background for some time, and starts its process if necessary.
    mutating func wake(
        for span: TimeSpan, at now: Instant, _ rules: borrowing AppProcessRules, _ privileges: AppPrivileges
    ) -> PhoneChanges {
        guard state != .front, exists || mayStart else { return [] }
        let wasGone = !exists
        // An app that already runs without a time limit continues without one.
        let runsOn = state == .background && suspendsAt == .never
        let changes: PhoneChanges = wasGone ? .appStarted : state == .suspended ? .appResumed : []
        state = .background
        reclaimsAt = .never
        openNetwork(until: now + span, rules, privileges)
        if wasGone, !privileges.isExempt { killsAt = now + rules.killsAfter }
        if wasGone, privileges.requestsTime { refreshesAt = now + rules.refreshEvery }
        // If the system grants time, the app runs for that time only. If it freezes apps, the delay until freezing is
        // added.
        let end = now + span + (rules.timeHoldsProcessor ? .zero : rules.suspendsAfter)
        if !runsOn, suspendsAt == .never || suspendsAt < end {
            run(until: end, at: now, rules, privileges)
        }
        return changes
    }

    mutating func kill(forGood: Bool) -> PhoneChanges {
        guard exists else {
            if forGood { mayStart = false }
            return []
        }
        // A service with a time limit starts again only in the foreground.
        let serviceHasEnded = serviceHasEnded || serviceEndsAt != .never
        self = AppProcess()
        self.serviceHasEnded = serviceHasEnded
        state = .gone
        mayStart = !forGood
        return .appKilled
    }

    /// Ends the app's foreground service. From now on the limits of an app without a service apply.
    mutating func endService(
        at now: Instant, _ rules: borrowing AppProcessRules, _ privileges: AppPrivileges
    ) {
        serviceEndsAt = .never
        serviceHasEnded = true
        guard state == .background, !privileges.isExempt else { return }
        var without = privileges
        without.hasForegroundService = false
        openNetwork(until: now, rules, without)
        // An app that never had a limit gets one now.
        if suspendsAt == .never { run(until: now + rules.suspendsAfter, at: now, rules, without) }
    }

    /// Performs the transitions that are due at `now`.
    /// - Parameter serviceGrace: Time in which the app must stop its foreground service after the end of the limit.
    mutating func advance(
        at now: Instant, _ rules: borrowing AppProcessRules, _ privileges: AppPrivileges, serviceGrace: TimeSpan
    ) -> PhoneChanges {
        if killsAt == now { return kill(forGood: rules.killsForGood) }
        if serviceEndsAt == now && serviceHasEnded { return kill(forGood: false).union(.serviceOverran) }
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
        if serviceEndsAt == now {
            endService(at: now, rules, privileges)
            if !privileges.stopsServiceInTime { serviceEndsAt = now + serviceGrace }
            changes.insert(.serviceEnded)
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
            changes.formUnion(wake(for: rules.refreshTime, at: now, rules, privileges))
            changes.insert(.timeGranted)
            // Suspended and granted time at one instant: the app continued to run.
            if changes.contains([.appSuspended, .appResumed]) { changes.subtract([.appSuspended, .appResumed]) }
        }
        return changes
    }

    // MARK: Details

    private mutating func run(
        until end: Instant, at now: Instant, _ rules: borrowing AppProcessRules, _ privileges: AppPrivileges
    ) {
        if rules.servicesRun, privileges.hasForegroundService || privileges.isExempt { return }
        let warning = rules.taskWarning
        suspendsAt = end
        warnsAt = privileges.requestsTime && warning != .zero && end != .never ? max(now, end - warning) : .never
    }

    private mutating func openNetwork(
        until end: Instant, _ rules: borrowing AppProcessRules, _ privileges: AppPrivileges
    ) {
        isNetworkClosed = false
        guard !privileges.isExempt, !privileges.hasForegroundService else { return }
        let closing = end + rules.blocksNetworkAfter
        closesNetworkAt = closesNetworkAt == .never ? closing : max(closesNetworkAt, closing)
    }

    /// Moves the app to the foreground (front) and cancels all background timers.
    private mutating func enterFront() -> PhoneChanges {
        let was = state
        self = AppProcess()
        return was == .gone ? .appStarted : was == .suspended ? .appResumed : []
    }
}
