public import DeadzoneBase

/// Policy for the waits between attempts to connect: a backoff, where its waits start, when it resets, and when retries
/// stop.
public struct Retry: Sendable {
    public enum WaitOrigin: UInt8, Hashable, Sendable, BitwiseCopyable {
        case failure
        /// The wait counts from the start of the failed attempt. If the attempt took longer than the wait, the next one
        /// follows at once (grpc/grpc `doc/connection-backoff.md`).
        case attempt
        /// Like `attempt`, but jitter applies to the rest of the wait (firebase/firebase-js-sdk
        /// `packages/database/src/core/PersistentConnection.ts`).
        case attemptThenJitter
    }

    /// Event that resets the backoff to its first wait. In addition, a change of network resets it, except under
    /// `never`.
    public enum ResetRule: Hashable, Sendable, BitwiseCopyable {
        /// The connection has opened for the app.
        case opened
        /// The server has sent its part of the set-up: SETTINGS in HTTP/2, the answer to an upgrade.
        case serverResponded
        /// The first message has arrived on the connection.
        case received
        /// The connection was open for at least this long.
        case up(TimeSpan)
        /// Only a change of network resets the backoff.
        case path
        /// No event resets the backoff, not even a change of network.
        case never
    }

    /// Behaviour of retries while the app is in the background.
    public enum BackgroundRetry: UInt8, Hashable, Sendable, BitwiseCopyable {
        case retry
        /// In the background, every wait is the longest possible one.
        case longest
        /// No attempt is made in the background.
        case hold
    }

    /// The wait after the end of a connection that had reset the backoff.
    public struct WaitAfterOpen: Hashable, Sendable, BitwiseCopyable {
        public var wait: TimeSpan
        /// `true` if this wait counts as a failure, so that the backoff continues with its second wait; otherwise it
        /// starts with its first wait after this one.
        public var counts = false

        public init(wait: TimeSpan, counts: Bool = false) {
            self.wait = wait
            self.counts = counts
        }
    }

    /// Limits after which retries stop; the limit that is reached first applies. Then no attempt follows by itself.
    /// Libraries report this end to their app: socket.io's `reconnect_failed`, SignalR's `onclose`, the ClosedHandler of
    /// nats.go. An app that connects again has a setting of its own, `on-path-change` or `life-cycle`.
    public struct RetryLimit: Hashable, Sendable, BitwiseCopyable {
        /// Maximum number of attempts after the first.
        public var retries = UInt32.max
        /// Maximum time from the end of the last connection, or from the first attempt, to the start of the last
        /// attempt.
        public var after = TimeSpan.longest

        public init(retries: UInt32 = .max, after: TimeSpan = .longest) {
            self.retries = retries
            self.after = after
        }
    }

    /// A constant reconnection wait after a long outage: once the client has had no connection for `after`, it waits
    /// exactly `wait` before each attempt, without jitter. A wait that is under way at that moment ends, and the next
    /// attempt is `wait` later.
    ///
    ///     backoff ──no connection for `after`──▶ constant wait
    ///        ▲                                        │
    ///        └──an attempt without an answer──────────┘  (if `restarts`)
    public struct Suspension: Hashable, Sendable, BitwiseCopyable {
        public var after: TimeSpan
        public var wait: TimeSpan
        /// `true` if an attempt with the constant wait that gets no answer starts the time and the backoff again.
        public var restarts = false

        public init(after: TimeSpan, wait: TimeSpan) {
            self.after = after
            self.wait = wait
        }
    }

    public var backoff: Backoff
    public var waitOrigin: WaitOrigin
    public var reset = ResetRule.opened
    public var limit = RetryLimit()
    public var suspension: Suspension?
    public var inBackground = BackgroundRetry.retry
    /// Reactions by kind of end, where they differ from the wait of this policy.
    public var onEnd = EndReactions()
    /// The wait after the end of a connection that had reset the backoff; `nil` uses the first wait of the backoff.
    public var afterOpen: WaitAfterOpen?
    /// Like `afterOpen`, but for a connection that the client itself found dead; `nil` uses `afterOpen`.
    public var afterSilence: WaitAfterOpen?
    /// Minimum of the time limit of an attempt. The limit is this or the wait that follows the attempt, whichever is
    /// more (the MIN_CONNECT_TIMEOUT of `doc/connection-backoff.md`, 20 s). `nil` sets no limit.
    public var minConnectTimeout: TimeSpan?
    public var timing: TimerOptions
    public var slot: TimerSlot
    private let passByAddress = PassByAddress()

    public struct State: Hashable, Sendable, BitwiseCopyable {
        public private(set) var attempts = Backoff.Attempts()
        fileprivate var startedAt = Instant.zero
        fileprivate var openedAt = Instant.zero
        /// Time since which no connection is open; `.never` if one is open, or none was requested.
        fileprivate var downSince = Instant.never
        /// The wait that follows the present attempt; negative if it is drawn when the attempt fails.
        fileprivate var drawnWait = TimeSpan(nanoseconds: -1)
        /// `true` if the connection that is open has reset the backoff.
        fileprivate var isBackoffReset = false

        public init() {}

        /// `true` if the connection of the latest attempt has opened.
        var hasOpened: Bool { startedAt <= openedAt }

        public mutating func reset() {
            attempts.reset()
            drawnWait = TimeSpan(nanoseconds: -1)
            isBackoffReset = true
        }

        /// Takes the connection that has opened since `before` for a failed attempt: its open has reset nothing.
        mutating func takeBackOpening(since before: State) {
            attempts = before.attempts
            drawnWait = before.drawnWait
            isBackoffReset = false
            openedAt = .never
        }

        fileprivate mutating func count() { attempts.count() }
        fileprivate mutating func restore(_ attempts: Backoff.Attempts) { self.attempts = attempts }

        fileprivate mutating func next(
            _ backoff: Backoff, less elapsed: TimeSpan, atCap: Bool, _ random: inout Dice
        ) -> TimeSpan {
            backoff.next(&attempts, less: elapsed, atCap: atCap, using: &random)
        }
    }

    public init(
        backoff: Backoff, waitOrigin: WaitOrigin = .failure, timing: TimerOptions = TimerOptions(), slot: TimerSlot
    ) {
        self.backoff = backoff
        self.waitOrigin = waitOrigin
        self.timing = timing
        self.slot = slot
    }

    /// Called when an attempt begins: disarms the retry timer.
    public func began(_ state: inout State, _ session: inout Session) {
        session.disarm(slot)
        let now = session.now(timing.clock)
        state.startedAt = now
        state.isBackoffReset = false
        if state.downSince == .never { state.downSince = now }
        // The limit of the attempt is the wait after it, so the wait is drawn now.
        if minConnectTimeout != nil { state.drawnWait = draw(less: .zero, &state, &session) }
    }

    public func opened(_ state: inout State, _ session: Session) {
        state.openedAt = session.now(timing.clock)
        state.downSince = .never
        if reset == .opened { state.reset() }
    }

    /// Called when the server has sent its part of the set-up, which may reset the backoff.
    public func serverResponded(_ state: inout State) {
        if reset == .serverResponded && !state.isBackoffReset { state.reset() }
    }

    /// Called when a message has arrived, which may reset the backoff.
    public func received(_ state: inout State) {
        if reset == .received && !state.isBackoffReset { state.reset() }
    }

    /// Resets the backoff, because a change of network or a similar event makes success more likely.
    public func restartBackoff(_ state: inout State) {
        state.downSince = .never
        if reset != .never { state.reset() }
    }

    /// Called when an attempt or a connection has failed: arms the timer of the next attempt.
    /// - Parameters:
    ///   - wasSilent: `true` if the client closed the connection because it received nothing.
    ///   - isUnanswered: `true` if the attempt got no answer.
    ///   - reaction: The reaction to this kind of end. Reactions without a wait are the caller's.
    /// - Returns: `false` if there is no further attempt.
    public func wait(
        wasOpen: Bool, wasSilent: Bool = false, isUnanswered: Bool = false,
        reaction: EndReactions.EndReaction = .usual, _ state: inout State, _ session: inout Session
    ) -> Bool {
        let now = session.now(timing.clock)
        if wasOpen {
            state.downSince = now
            if case .up(let least) = reset, least <= now - state.openedAt { state.reset() }
        }
        switch reaction {
        case .usual, .stop, .hold: break
        case .uncounted:
            let attempts = state.attempts
            defer { state.restore(attempts) }
            return wait(wasOpen: wasOpen, wasSilent: wasSilent, isUnanswered: isUnanswered, &state, &session)
        case .longest:
            state.drawnWait = TimeSpan(nanoseconds: -1)
            return arm(after: draw(less: .zero, atCap: true, &state, &session), at: now, state, &session)
        case .wait(let exact):
            state.drawnWait = TimeSpan(nanoseconds: -1)
            return arm(after: exact, at: now, state, &session)
        }
        if wasOpen {
            if let renewal = wasSilent ? afterSilence ?? afterOpen : afterOpen, state.isBackoffReset {
                if renewal.counts { state.count() }
                session.arm(slot, after: renewal.wait, timing)
                return true
            }
        }
        if isUnanswered, let suspension, suspension.restarts,
            suspension.after <= state.startedAt - state.downSince
        {
            state.downSince = state.startedAt
            state.reset()
        }
        let elapsed = now - state.startedAt
        let isKnown = state.drawnWait >= .zero
        var wait =
            isKnown ? state.drawnWait : draw(less: waitOrigin == .attemptThenJitter ? elapsed : .zero, &state, &session)
        state.drawnWait = TimeSpan(nanoseconds: -1)
        if waitOrigin == .attempt { wait = max(wait - elapsed, .zero) }
        if let suspension { wait = suspension.replacing(wait, at: now, state) }
        return arm(after: wait, at: now, state, &session)
    }

    /// Arms the timer of the next attempt. Returns `false` if a limit of the retries is reached.
    private func arm(after wait: TimeSpan, at now: Instant, _ state: State, _ session: inout Session) -> Bool {
        let isInTime = limit.after == .longest || now - state.downSince + wait < limit.after
        guard state.attempts.failed <= limit.retries, isInTime else { return false }
        session.arm(slot, after: wait, timing)
        return true
    }

    private func draw(
        less elapsed: TimeSpan, atCap: Bool = false, _ state: inout State, _ session: inout Session
    ) -> TimeSpan {
        let atCap = atCap || (inBackground == .longest && !session.isForeground)
        return state.next(backoff, less: elapsed, atCap: atCap, &session.random)
    }

    /// Called when no attempt is allowed now, although none has failed. If the retry timer wakes the phone, the wake-up
    /// may allow an attempt. Then the timer is armed, without counting a failure.
    public func waitIfItWakes(_ state: State, _ session: inout Session) {
        var uncounted = state
        if timing.wake != .none { _ = wait(wasOpen: false, &uncounted, &session) }
    }

    /// Returns the time limit of the present attempt by this policy; `nil` if it sets none.
    public func connectTimeout(_ state: State) -> TimeSpan? { minConnectTimeout.map { max($0, state.drawnWait) } }

    /// `true` if no attempt is allowed until the app returns to the foreground.
    public func holds(_ session: Session) -> Bool { inBackground == .hold && !session.isForeground }
}

extension Retry.Suspension {
    /// Returns the wait in place of `wait`, which begins at `now`.
    fileprivate func replacing(_ wait: TimeSpan, at now: Instant, _ state: Retry.State) -> TimeSpan {
        guard state.downSince != .never else { return wait }
        let begin = state.downSince + after
        guard begin < now + wait || begin <= now else { return wait }
        return begin <= state.startedAt ? self.wait : max(begin + self.wait - now, .zero)
    }
}
