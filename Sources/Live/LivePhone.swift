import DeadzoneBase
import DeadzoneDevice
import DeadzoneSimulator

/// The simulated phone operating system around a real client process in a live run. It turns the decisions of
/// `OperatingSystem` about the app into actions for a real process and a real network.
///
/// Callers pass the time in; it has no access to a clock or a process.
final class LivePhone {
    enum LiveAction: Hashable, Sendable {
        /// Adds an entry to the journal.
        case journal(JournalEntry)
        /// Suspends or resumes the process.
        case stop, resume
        case endProcess, startProcess
        /// Closes or opens the firewall for the app.
        case closeFirewall, openFirewall
        case endSockets
    }

    private var system: OperatingSystem
    private let platform: UnsafeMutablePointer<Platform>
    private var effects = EffectQueue<SystemEffect>()
    private var actions: [(at: Instant, action: LiveAction)] = []
    private var now = Instant.zero
    /// `true` if the app has a process that is suspended.
    private(set) var isSuspended = false
    var pushes = PushService()

    init(_ platform: Platform, privileges: AppPrivileges) {
        self.platform = .allocate(capacity: 1)
        self.platform.initialize(to: platform)
        system = OperatingSystem(self.platform, privileges: privileges)
    }

    deinit { platform.deinitialize(count: 1).deallocate() }

    /// Time of the next spontaneous action.
    var dueAt: Instant { min(system.deviceAt, pushes.due(after: now)) }

    func takeActions() -> [(at: Instant, action: LiveAction)] {
        defer { actions.removeAll() }
        return actions
    }

    // MARK: Verbs

    func advance(to limit: Instant) {
        while system.deviceAt <= limit {
            perform(at: system.deviceAt) { $0.advance(at: $1, &$2) }
        }
        now = max(now, limit)
    }

    /// Returns `true` if the change had an effect, `nil` if it does not concern the phone.
    func apply(_ change: ConditionChange, at moment: Instant) -> Bool? {
        advance(to: moment)
        switch change {
        case .app(let isInFront): return perform(at: now) { $0.bring(toFront: isInFront, at: $1, &$2) }
        case .screen(let isOn): return perform(at: now) { $0.setScreen(isOn, at: $1, &$2) }
        case .charging(let isOn): return perform(at: now) { $0.setCharging(isOn, at: $1, &$2) }
        case .moving(let moves): return perform(at: now) { $0.setMoving(moves, at: $1, &$2) }
        case .saving(let isOn): return perform(at: now) { $0.setSaving(isOn, at: $1, &$2) }
        case .restriction(let isOn): return perform(at: now) { $0.setRestricted(isOn, at: $1, &$2) }
        case .alarmClock(let at): return perform(at: now) { $0.setAlarmClock(at, at: $1, &$2) }
        case .kill: return perform(at: now) { $0.kill(.killed, at: $1, &$2) }
        case .forceStop: return perform(at: now) { $0.forceStop(at: $1, &$2) }
        default: return nil
        }
    }

    /// Reports an incoming packet, which may wake the phone.
    func wake(for cause: Cause, at moment: Instant) {
        advance(to: moment)
        guard system.canBeWoken else { return }
        perform(at: now) { $0.wake(for: cause, at: $1, &$2) }
    }

    /// Delivers a push to the app. Returns `false` if the app may not receive it yet.
    func deliverPush(at moment: Instant) -> Bool {
        advance(to: moment)
        let isUrgent = pushes.isUrgent
        return perform(at: now) { $0.push(isUrgent: isUrgent, at: $1, &$2) }
    }

    func finish(at end: Instant) {
        advance(to: end)
        perform(at: now) { $0.finish(at: $1, &$2) }
    }

    // MARK: What follows

    @discardableResult
    private func perform<Result>(
        at moment: Instant, _ operation: (inout OperatingSystem, Instant, inout EffectQueue<SystemEffect>) -> Result
    ) -> Result {
        now = max(now, moment)
        let result = operation(&system, now, &effects)
        let range = effects.begin()
        for index in range { handle(effects[index]) }
        effects.end(range)
        let isSuspendedNow = system.appLives && !system.appRuns
        if isSuspendedNow != isSuspended {
            isSuspended = isSuspendedNow
            emit(isSuspendedNow ? .stop : .resume)
        }
        return result
    }

    private func handle(_ effect: SystemEffect) {
        switch effect {
        case .note(let note): emit(.journal(note))
        case .processEnded(let kind):
            emit(.journal(JournalEntry(kind)))
            emit(.endProcess)
        case .processStarted:
            emit(.journal(JournalEntry(.relaunched)))
            emit(.startProcess)
        case .firewallChanged(let isClosed): emit(isClosed ? .closeFirewall : .openFirewall)
        case .reclaimSockets: emit(.endSockets)
        // There is no way to notify a Linux program of these. A waiting push is examined after each of them.
        case .notifyApp, .slept, .suspensionChanged, .appRuns, .retryPush, .visibilityChanged,
            .foregroundChanged:
            break
        }
    }

    private func emit(_ action: LiveAction) { actions.append((now, action)) }
}
