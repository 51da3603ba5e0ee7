public import DeadzoneBase

/// A client's reactions when its app moves between foreground and background. A *visit* is a short connection in the
/// background.
public struct LifeCyclePolicy: Sendable {
    public enum BackgroundPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        case keep, close
        /// Closes the connection once the server has confirmed all messages that were sent, or after `flushLimit`.
        case flush
        /// Like `flush` if the server can wake the app by a push message; otherwise keeps the connection.
        case relyOnPush
    }

    public enum ForegroundPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Keeps the connection without a check.
        case keep
        /// Tests an open connection by a ping. If the client waits between attempts to connect, ends the wait.
        case probe
        case reconnect
    }

    public enum WakeLockPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Holds no wake lock: the processor may sleep at any time.
        case never
        /// Keeps the processor awake while connected.
        case connected
        /// Keeps the processor awake from a ping to its answer.
        case beat
        /// Keeps the processor awake during a visit (a short connection in the background) or a flush.
        case backgroundActivity
    }

    public enum PushTokenPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Sends a new token to the server when the system reports it.
        case onChange
        /// Sends the token only when the app's process starts.
        case atStart
        /// Sends the token when the app's process starts, and each time the user opens the app.
        case onForeground
    }

    public var onBackground = BackgroundPolicy.keep
    public var flushLimit = TimeSpan.seconds(5)
    public var onForeground = ForegroundPolicy.keep
    /// When the app returns to the foreground, a connection that received data within this span is trusted and not
    /// probed. No middlebox forgets it that soon, and the system reports a change of network. Zero always probes.
    public var freshFor = TimeSpan.zero
    public var wakeLock = WakeLockPolicy.never
    /// Time that a client without a connection stays connected in the background after a push. A push also probes a
    /// connection that is open. `nil` ignores pushes.
    public var pushVisitLength: TimeSpan?
    /// `true` if the client handles discarded pushes like a push. Otherwise it ignores them.
    public var syncsOnDiscardedPushes = true
    public var pushToken = PushTokenPolicy.onChange
    /// Like `pushVisitLength`, for the event that the system grants some time in the background.
    public var refreshVisitLength: TimeSpan?
    /// Time without data after which a visit (a short connection in the background) ends early, if the client knows of
    /// no missing message. `nil` keeps the full length.
    public var quietLimit: TimeSpan?
    /// `true` if a visit (a short connection in the background) ends as soon as the server has nothing more to send, by
    /// its own count, and has confirmed all messages. The radio is still active from the last message, so one tail also
    /// covers the close. If the server states no count, the visit does not end early.
    public var endsVisitWhenDone = false
    /// Time that a client without a connection stays connected in the background when its app has a message or a call;
    /// `nil` waits for another reason to connect.
    public var sendVisitLength: TimeSpan?
    /// Interval between visits (short connections) of a client that is closed in the background; `nil` makes none.
    public var pollInterval: TimeSpan?
    public var pollVisitLength = TimeSpan.seconds(10)
    public var pollTiming = TimerOptions()
    /// Waits after visits that met no server, in place of `pollInterval`; `nil` keeps the interval. WorkManager repeats
    /// work that asks for a retry so (androidx.work.WorkRequest: 30 s, doubled or linear, at most 5 h).
    public var pollBackoff: Backoff?
    public var privileges = AppPrivileges()
    /// Timer of the next visit (a short connection in the background).
    public var slot: TimerSlot
    /// Timer of the end of a visit or flush. It is not the timer `slot`, because it does not wake the phone: while it
    /// waits for a sleeping phone, the visits must continue.
    public var visitEndSlot: TimerSlot
    private let passByAddress = PassByAddress()

    public struct State: Hashable, Sendable, BitwiseCopyable {
        enum BackgroundActivity: UInt8 { case none, flushing, visiting }

        var activity = BackgroundActivity.none
        /// Number of visits in a row that met no server. Counted only with `pollBackoff`.
        var failedVisits: UInt8 = 0
        /// `true` if the server has answered during this visit.
        var hasMetServer = false
        var pollDue = Instant.zero
        /// Time at which the visit ends at the latest.
        var visitEnds = Instant.zero
        /// Number of messages that the server has sent, as it stated during this visit; `nil` if it stated none.
        var serverSent: Cursor?
        var isAwake = false

        public init() {}

        /// `true` if the connection stays open only until the server has confirmed all messages.
        public var isFlushing: Bool { activity == .flushing }
        public var isActiveInBackground: Bool { activity != .none }
    }

    /// The visits that a timer begins without a wake lock; `nil` if there are none.
    var unlockedVisit: UnlockedVisit? {
        guard pollInterval != nil, pollTiming.wake != .none, wakeLock != .backgroundActivity, wakeLock != .connected
        else { return nil }
        return UnlockedVisit(length: pollVisitLength, wake: pollTiming.wake)
    }

    public init(slot: TimerSlot, stay: TimerSlot) {
        self.slot = slot
        visitEndSlot = stay
    }

    /// `true` if the policy is to stay connected in the background.
    private func staysConnected(_ session: Session) -> Bool {
        onBackground == .keep || (onBackground == .relyOnPush && !session.canBePushed)
    }

    /// Decision of the life-cycle policy about the connection.
    public enum LifeCycleDecision: Hashable, Sendable {
        case nothing
        /// Closes the connection and stays without one until something needs it.
        case park
        /// Connects. If a connection is already open, tests it by a ping.
        case visit
        case probe, reconnect
    }

    /// Called when the app's process starts. In the background the client connects only if it would stay connected
    /// there.
    public func started(_ session: Session) -> LifeCycleDecision {
        staysConnected(session) || session.isForeground ? .visit : .park
    }

    public func appChanged(_ change: AppChange, isOpen: Bool, _ state: inout State, _ session: inout Session)
        -> LifeCycleDecision
    {
        switch change {
        case .background: return wentToBackground(isOpen: isOpen, &state, &session)
        case .foreground:
            let wasParked = !staysConnected(session)
            endActivity(&state, &session)
            if wasParked && !isOpen { return .visit }
            switch onForeground {
            case .keep: return .nothing
            case .probe: return .probe
            case .reconnect: return .reconnect
            }
        case .expiring: return staysConnected(session) || session.isForeground ? .nothing : .park
        case .refresh: return startVisit(for: refreshVisitLength, &state, &session)
        case .batterySaver, .serviceEnded: return .nothing
        }
    }

    public func pushReceived(_ state: inout State, _ session: inout Session) -> LifeCycleDecision {
        startVisit(for: pushVisitLength, &state, &session)
    }

    public func pushesDiscarded(_ state: inout State, _ session: inout Session) -> LifeCycleDecision {
        syncsOnDiscardedPushes ? pushReceived(&state, &session) : .nothing
    }

    /// Called when the app has a message or a call while the client is parked (stays without a connection).
    public func appRequested(_ state: inout State, _ session: inout Session) -> LifeCycleDecision {
        startVisit(for: sendVisitLength, &state, &session)
    }

    /// Stores the server's message count from its answer to a resume request. A server that continues before the
    /// client's cursor has restarted its count, so that count is not used.
    public func resumeResponded(_ greeting: ResumeResponse, _ state: inout State, _ session: Session) {
        state.hasMetServer = true
        guard state.activity == .visiting, greeting.next >= session.cursor else { return }
        state.serverSent = greeting.sent
    }

    /// `true` if the visit (short background connection) has nothing left to do. Requires that all messages below
    /// `received` have arrived, and that no call is open.
    public func isVisitDone(received: Cursor, _ state: State, _ session: Session) -> Bool {
        guard endsVisitWhenDone, state.activity == .visiting, let server = state.serverSent else { return false }
        return received >= server && session.acknowledged >= session.produced
    }

    /// `true` if a connection that has received nothing for the span `silence` must be probed.
    public func needsProbe(silence: TimeSpan) -> Bool { silence >= freshFor }

    /// Called when the server has confirmed more messages. Ends a flush if all are confirmed.
    public func confirmed(_ state: State, _ session: Session) -> LifeCycleDecision {
        state.isFlushing && session.acknowledged >= session.produced ? .park : .nothing
    }

    /// Called when the connection opens or data arrives on it: extends the visit (short background connection). If the
    /// server has more to send, by its own count, or has not answered yet, the visit may last its full length. While a
    /// long message is in transit, the app receives nothing.
    /// - Parameter receivedUpTo: Everything below it has arrived; `nil` while a snapshot is still to arrive.
    public func extendVisit(receivedUpTo: Cursor?, isResumed: Bool, _ state: State, _ session: inout Session) {
        guard let quietLimit, state.activity == .visiting else { return }
        let rest = state.visitEnds - session.now
        let hasAll = isResumed && receivedUpTo.map { (state.serverSent ?? .start) <= $0 } ?? false
        session.arm(visitEndSlot, after: hasAll ? min(quietLimit, rest) : rest)
    }

    /// Called when the client is parked: from now on it stays without a connection. Schedules the next poll.
    public func parked(_ state: inout State, _ session: inout Session) {
        if state.activity == .visiting, let pollBackoff { countVisit(pollBackoff, &state, &session) }
        endActivity(&state, &session)
        schedulePoll(&state, &session)
    }

    /// Called when the server has answered the set-up of a connection.
    public func serverResponded(_ state: inout State) { state.hasMetServer = true }

    /// Counts a visit that ends. After a failed one, plans the next visit by the backoff.
    private func countVisit(_ backoff: Backoff, _ state: inout State, _ session: inout Session) {
        guard !state.hasMetServer else { return state.failedVisits = 0 }
        let wait = backoff.wait(afterFailures: state.failedVisits, using: &session.random)
        state.failedVisits += state.failedVisits < .max ? 1 : 0
        state.pollDue = session.now(pollTiming.clock) + max(wait, .milliseconds(1))
    }

    /// Called when the poll timer fires: starts the next visit (short background connection).
    public func pollTimerFired(_ state: inout State, _ session: inout Session) -> LifeCycleDecision {
        // The next visit is planned from the last planned time, not from the present, so that visits do not drift.
        if let pollInterval, state.pollDue <= session.now(pollTiming.clock) { state.pollDue += pollInterval }
        schedulePoll(&state, &session)
        // A flush that has not finished by now is abandoned.
        if state.isFlushing { state.activity = .none }
        return startVisit(for: pollVisitLength, &state, &session)
    }

    /// Called when the time of a visit or a flush is over. Decides to close the connection.
    public func visitEndFired(_ state: State) -> LifeCycleDecision { state.activity == .none ? .nothing : .park }

    private func schedulePoll(_ state: inout State, _ session: inout Session) {
        guard let pollInterval else { return }
        let now = session.now(pollTiming.clock)
        if state.pollDue <= now { state.pollDue = now + pollInterval }
        session.arm(slot, after: state.pollDue - now, pollTiming)
    }

    /// Takes or releases the wake lock, if the policy is the one for this `moment`. Emits an action only on a change.
    public func setWakeLock(_ moment: WakeLockPolicy, _ isHeld: Bool, _ state: inout State, _ out: inout Outbox) {
        guard wakeLock == moment, state.isAwake != isHeld else { return }
        state.isAwake = isHeld
        out.append(.stayAwake(isHeld))
    }

    private func wentToBackground(isOpen: Bool, _ state: inout State, _ session: inout Session) -> LifeCycleDecision {
        switch onBackground {
        case _ where staysConnected(session): return .nothing
        case .keep, .close: return .park
        case .flush, .relyOnPush:
            guard isOpen, session.acknowledged < session.produced else { return .park }
            state.activity = .flushing
            session.arm(visitEndSlot, after: flushLimit)
            schedulePoll(&state, &session)
            return .nothing
        }
    }

    /// Called when something needs a connection. If the app would otherwise be closed, it stays connected for the span
    /// `stay`.
    private func startVisit(for stay: TimeSpan?, _ state: inout State, _ session: inout Session) -> LifeCycleDecision {
        guard let stay else { return .nothing }
        if !staysConnected(session) && !session.isForeground && !state.isFlushing {
            if state.activity != .visiting { state.hasMetServer = false }
            state.activity = .visiting
            // The trigger of the visit is newer than the server's last count.
            state.serverSent = nil
            state.visitEnds = session.now + stay
            session.arm(visitEndSlot, after: stay)
        }
        return .visit
    }

    private func endActivity(_ state: inout State, _ session: inout Session) {
        state.activity = .none
        state.serverSent = nil
        session.disarm(slot)
        session.disarm(visitEndSlot)
    }
}

/// Visits of a client in the background without a wake lock: the system keeps the processor awake for a moment of its
/// own. Android holds a wake lock only while the job's code runs (android.app.job.JobService).
public struct UnlockedVisit: Hashable, Sendable {
    public var length: TimeSpan
    public var wake: WakePolicy

    public init(length: TimeSpan, wake: WakePolicy) {
        self.length = length
        self.wake = wake
    }
}
