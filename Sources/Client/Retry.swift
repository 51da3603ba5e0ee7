public import DeadzonePrimitives
public import DeadzoneSettings

/// Waits between attempts to connect: a backoff law, what its waits are counted from, and how its timer runs.
public struct Retry: Sendable {
    public enum Anchor: UInt8, Hashable, Sendable, BitwiseCopyable {
        case failure
        /// From the beginning of the attempt that failed: one that took longer than the wait is followed at once
        /// (grpc/grpc `doc/connection-backoff.md`).
        case attempt
    }

    public var law: Backoff
    public var anchor: Anchor
    /// An attempt may take so long, or as long as the wait that would follow it, whichever is more (the MIN_CONNECT_TIMEOUT of
    /// the same document, 20 s).
    public var minConnectTimeout: TimeSpan?
    public var timing: Timing
    public var slot: TimerSlot

    public struct State: Hashable, Sendable, BitwiseCopyable {
        public private(set) var attempts = Backoff.Attempts()
        fileprivate var startedAt = Instant.zero

        public init() {}

        public mutating func reset() { attempts.reset() }

        fileprivate mutating func wait(_ law: Backoff, _ random: inout Dice) -> TimeSpan {
            law.next(&attempts, using: &random)
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
        state.startedAt = session.now(timing.clock)
    }

    /// The attempt, or the connection, came to nothing: the next one is due when the timer fires.
    public func wait(_ state: inout State, _ session: inout Session) {
        var wait = state.wait(law, &session.random)
        if anchor == .attempt { wait -= session.now(timing.clock) - state.startedAt }
        session.arm(slot, after: wait, timing)
    }

    /// How long the present attempt may take, by this law alone.
    public func connectTimeout(_ state: State) -> TimeSpan? {
        minConnectTimeout.map { max($0, law.delay(afterFailures: state.attempts.failed)) }
    }
}

extension SettingsReader {
    /// `backoff: {base: 1s, multiplier: 1.6, cap: 2m, jitter: 20%, from: attempt, wake: alarm}`
    public mutating func retry(_ key: String, slot: TimerSlot, default fallback: Backoff, _ help: String = "") -> Retry
    {
        group(key, help) { settings in
            var retry = Retry(law: settings.backoffLaw(default: fallback), slot: slot)
            retry.anchor = settings.word(
                "from", of: [("failure", Retry.Anchor.failure), ("attempt", .attempt)], default: .failure,
                "what the wait is counted from: the failure, or the beginning of the attempt")
            retry.minConnectTimeout = settings.span(
                "min-connect-timeout", in: .milliseconds(1) ... .longest,
                "an attempt may take this or the wait after it, whichever is more; replaces connect's timeout")
            retry.timing = settings.timing("the wait")
            return retry
        }
    }
}
