public import DeadzonePrimitives

/// Waits between attempts to connect: a backoff law, what its waits are counted from, what makes it begin anew, and when it
/// ends.
public struct Retry: Sendable {
    public enum Anchor: UInt8, Hashable, Sendable, BitwiseCopyable {
        case failure
        /// From the beginning of the attempt that failed: one that took longer than the wait is followed at once
        /// (grpc/grpc `doc/connection-backoff.md`).
        case attempt
        /// The same, and jitter is drawn of what is left of the wait (firebase/firebase-js-sdk
        /// `packages/database/src/core/PersistentConnection.ts`).
        case attemptThenJitter
    }

    /// What makes the law begin anew, beside a change of network that does.
    public enum Reset: Hashable, Sendable, BitwiseCopyable {
        /// The connection is open to the app.
        case opened
        /// The server has said its part of the set-up: SETTINGS in HTTP/2, the answer to an upgrade.
        case greeted
        /// The first message has come.
        case received
        /// The connection was open for so long.
        case up(TimeSpan)
        /// Nothing but a change of network.
        case path
        /// Nothing at all.
        case never
    }

    /// While the app is in the background.
    public enum Hidden: UInt8, Hashable, Sendable, BitwiseCopyable {
        case retry
        /// Every wait is as long as it can get.
        case longest
        /// No attempt is made.
        case hold
    }

    /// What a server that does not know who is there is answered with.
    public enum Denied: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// A wait like any other.
        case retry
        /// No attempt, until a new path, a push or the foreground asks for one: only the app can get another token.
        case stop
    }

    /// The wait after a connection that made the law begin anew.
    public struct Renewal: Hashable, Sendable, BitwiseCopyable {
        public var wait: TimeSpan
        /// The law goes on as after a failure; otherwise it begins with the wait after this one.
        public var counts = false

        public init(wait: TimeSpan, counts: Bool = false) {
            self.wait = wait
            self.counts = counts
        }
    }

    /// When it is given up: whichever comes first.
    public struct Limit: Hashable, Sendable, BitwiseCopyable {
        /// So many attempts after the first.
        public var retries = UInt32.max
        /// No attempt begins so long after there was last a connection, or after the first attempt.
        public var after = TimeSpan.longest

        public init(retries: UInt32 = .max, after: TimeSpan = .longest) {
            self.retries = retries
            self.after = after
        }
    }

    /// So long without a connection, and every wait is this, without jitter.
    public struct Suspension: Hashable, Sendable, BitwiseCopyable {
        public var after: TimeSpan
        public var wait: TimeSpan

        public init(after: TimeSpan, wait: TimeSpan) {
            self.after = after
            self.wait = wait
        }
    }

    public var law: Backoff
    public var anchor: Anchor
    public var reset = Reset.opened
    public var limit = Limit()
    public var suspension: Suspension?
    public var hidden = Hidden.retry
    public var denied = Denied.retry
    /// Where the connection was good enough for the law to begin anew.
    public var afterOpen: Renewal?
    /// The same of one that its owner has found dead, if that is another wait.
    public var afterSilence: Renewal?
    /// An attempt may take so long, or as long as the wait that follows it, whichever is more (the MIN_CONNECT_TIMEOUT of
    /// `doc/connection-backoff.md`, 20 s).
    public var minConnectTimeout: TimeSpan?
    public var timing: Timing
    public var slot: TimerSlot
    private let lent = Lent()

    public struct State: Hashable, Sendable, BitwiseCopyable {
        public private(set) var attempts = Backoff.Attempts()
        fileprivate var startedAt = Instant.zero
        fileprivate var openedAt = Instant.zero
        /// Since when there is no connection; never: there is one, or none was asked for.
        fileprivate var downSince = Instant.never
        /// The wait that follows the attempt under way; below zero: it is drawn when it is needed.
        fileprivate var drawn = TimeSpan(nanoseconds: -1)
        /// The law has begun anew with the connection that is open.
        fileprivate var isFresh = false

        public init() {}

        public mutating func reset() {
            attempts.reset()
            drawn = TimeSpan(nanoseconds: -1)
            isFresh = true
        }

        fileprivate mutating func count() { attempts.count() }

        fileprivate mutating func next(
            _ law: Backoff, less elapsed: TimeSpan, atCap: Bool, _ random: inout Dice
        ) -> TimeSpan {
            law.next(&attempts, less: elapsed, atCap: atCap, using: &random)
        }
    }

    public init(law: Backoff, anchor: Anchor = .failure, timing: Timing = Timing(), slot: TimerSlot) {
        self.law = law
        self.anchor = anchor
        self.timing = timing
        self.slot = slot
    }

    /// An attempt begins: no timer asks for another.
    public func began(_ state: inout State, _ session: inout Session) {
        session.disarm(slot)
        let now = session.now(timing.clock)
        state.startedAt = now
        state.isFresh = false
        if state.downSince == .never { state.downSince = now }
        // The attempt's own limit is the wait after it, which has to be known now.
        if minConnectTimeout != nil { state.drawn = draw(less: .zero, &state, &session) }
    }

    public func opened(_ state: inout State, _ session: Session) {
        state.openedAt = session.now(timing.clock)
        state.downSince = .never
        if reset == .opened { state.reset() }
    }

    /// The server has said its part of the set-up.
    public func greeted(_ state: inout State) {
        if reset == .greeted && !state.isFresh { state.reset() }
    }

    /// A message has come.
    public func received(_ state: inout State) {
        if reset == .received && !state.isFresh { state.reset() }
    }

    /// A change of network, or something as good, gives reason to hope.
    public func revived(_ state: inout State) {
        state.downSince = .never
        if reset != .never { state.reset() }
    }

    /// The attempt, or the connection, came to nothing: the next one is due when the timer fires.
    /// - Parameter wasSilent: Nobody has ended the connection but its owner, who heard nothing.
    /// - Returns: False if there will be none.
    public func wait(
        wasOpen: Bool, wasSilent: Bool = false, _ state: inout State, _ session: inout Session
    ) -> Bool {
        let now = session.now(timing.clock)
        if wasOpen {
            state.downSince = now
            if case .up(let least) = reset, least <= now - state.openedAt { state.reset() }
            if let renewal = wasSilent ? afterSilence ?? afterOpen : afterOpen, state.isFresh {
                if renewal.counts { state.count() }
                session.arm(slot, after: renewal.wait, timing)
                return true
            }
        }
        let elapsed = now - state.startedAt
        let isKnown = state.drawn >= .zero
        var wait =
            isKnown ? state.drawn : draw(less: anchor == .attemptThenJitter ? elapsed : .zero, &state, &session)
        state.drawn = TimeSpan(nanoseconds: -1)
        if anchor == .attempt { wait = max(wait - elapsed, .zero) }
        let down = now - state.downSince
        if let suspension, suspension.after <= down { wait = suspension.wait }
        let isInTime = limit.after == .longest || down + wait < limit.after
        guard state.attempts.failed <= limit.retries, isInTime else { return false }
        session.arm(slot, after: wait, timing)
        return true
    }

    private func draw(less elapsed: TimeSpan, _ state: inout State, _ session: inout Session) -> TimeSpan {
        let atCap = hidden == .longest && !session.isForeground
        return state.next(law, less: elapsed, atCap: atCap, &session.random)
    }

    /// There may be no attempt now, and none has failed. A timer that wakes the phone can change that.
    public func waitIfItWakes(_ state: State, _ session: inout Session) {
        var uncounted = state
        if timing.wake != .none { _ = wait(wasOpen: false, &uncounted, &session) }
    }

    /// How long the present attempt may take, by this law alone.
    public func connectTimeout(_ state: State) -> TimeSpan? { minConnectTimeout.map { max($0, state.drawn) } }

    /// No attempt may be made now; `.foreground` is the word to wait for.
    public func holds(_ session: Session) -> Bool { hidden == .hold && !session.isForeground }
}
