public import DeadzonePrimitives
public import DeadzoneSettings

/// How long to wait before the next attempt: `base × multiplier^n` up to `cap`, then jitter on the capped value
/// (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
public struct Backoff: Hashable, Sendable {
    public enum Jitter: Hashable, Sendable, BitwiseCopyable {
        case none
        /// Anything from 0 to the value.
        case full
        /// The upper half of the value.
        case equal
    }

    public var base: TimeSpan
    /// In millionths: 2,000,000 doubles.
    public var multiplier: Int64
    public var cap: TimeSpan
    public var jitter: Jitter

    public init(base: TimeSpan, multiplier: Int64 = 2_000_000, cap: TimeSpan, jitter: Jitter) {
        self.base = base
        self.multiplier = multiplier
        self.cap = cap
        self.jitter = jitter
    }

    /// Failures in a row.
    public struct Attempts: Hashable, Sendable, BitwiseCopyable {
        public private(set) var failed: UInt32 = 0

        public init() {}

        public mutating func reset() { failed = 0 }

        fileprivate mutating func count() { failed = failed == .max ? .max : failed + 1 }
    }

    /// What the law says before jitter after `failed` failures in a row.
    public func delay(afterFailures failed: UInt32) -> TimeSpan {
        var delay = min(base, cap)
        guard multiplier > 1_000_000 else { return delay }
        var step: UInt32 = 0
        while step < failed && delay < cap {
            let (high, low) = delay.nanoseconds.multipliedFullWidth(by: multiplier)
            guard high == 0, low < UInt64(Int64.max) else { return cap }
            let next = TimeSpan(nanoseconds: Int64(low / 1_000_000))
            // A base of zero, or one too small for the multiplier to move, stays where it is.
            guard next > delay else { return delay }
            delay = min(next, cap)
            step += 1
        }
        return delay
    }

    /// The wait before the next attempt, counted.
    public func next(_ attempts: inout Attempts, using random: inout Dice) -> TimeSpan {
        let delay = delay(afterFailures: attempts.failed)
        attempts.count()
        let range = UInt64(max(delay.nanoseconds, 0)) &+ 1
        switch jitter {
        case .none: return delay
        case .full: return TimeSpan(nanoseconds: Int64(random.next().scaled(below: range)))
        case .equal:
            let half = delay.nanoseconds / 2
            let rest = UInt64(max(delay.nanoseconds - half, 0)) &+ 1
            return TimeSpan(nanoseconds: half + Int64(random.next().scaled(below: rest)))
        }
    }
}

extension SettingsReader {
    /// `backoff: {base: 500ms, multiplier: 2, cap: 32s, jitter: full}`
    public mutating func backoff(_ key: String, default fallback: Backoff, _ help: String = "") -> Backoff {
        group(key, help) { settings in
            Backoff(
                base: settings.span("base", default: fallback.base, "the wait after the first failure"),
                multiplier: settings.value(
                    "multiplier", .decimal(in: 1_000_000...1_000_000_000), default: fallback.multiplier,
                    "each failure in a row multiplies the wait by this"),
                cap: settings.span("cap", default: fallback.cap, "no wait is longer, before jitter"),
                jitter: settings.word(
                    "jitter", of: [("none", Backoff.Jitter.none), ("full", .full), ("equal", .equal)],
                    default: fallback.jitter, "none; full: from 0 to the wait; equal: its upper half"))
        }
    }
}
