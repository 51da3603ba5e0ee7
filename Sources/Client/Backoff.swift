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
        /// From the base to three times the wait before, up to the cap; the multiplier has no part in it.
        case decorrelated
        /// The value, and up to so many millionths of it more or less: it may pass the cap (grpc/grpc
        /// `doc/connection-backoff.md`: 20 %, so at most 144 s under a cap of 120 s).
        case spread(Int64)
    }

    public var base: TimeSpan
    /// In millionths: 2,000,000 doubles.
    public var multiplier: Int64
    public var cap: TimeSpan
    public var jitter: Jitter
    /// The wait after the first failure, without jitter; the law begins with the second. nil: it begins at once.
    public var first: TimeSpan?

    public init(
        base: TimeSpan, multiplier: Int64 = 2_000_000, cap: TimeSpan, jitter: Jitter, first: TimeSpan? = nil
    ) {
        self.base = base
        self.multiplier = multiplier
        self.cap = cap
        self.jitter = jitter
        self.first = first
    }

    /// Failures in a row.
    public struct Attempts: Hashable, Sendable, BitwiseCopyable {
        public private(set) var failed: UInt32 = 0
        /// The last wait: decorrelated jitter goes on from it.
        fileprivate var last = TimeSpan.zero

        public init() {}

        public mutating func reset() { self = Attempts() }

        fileprivate mutating func count() { failed = failed == .max ? .max : failed + 1 }
    }

    /// What the law says before jitter after `failed` failures in a row.
    public func delay(afterFailures failed: UInt32) -> TimeSpan {
        guard let first else { return power(failed) }
        return failed == 0 ? first : power(failed - 1)
    }

    private func power(_ steps: UInt32) -> TimeSpan {
        var delay = min(base, cap)
        guard multiplier > 1_000_000 else { return delay }
        var step: UInt32 = 0
        while step < steps && delay < cap {
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
        let isFirst = attempts.failed == 0
        let delay = delay(afterFailures: attempts.failed)
        attempts.count()
        let wait = isFirst && first != nil ? delay : jittered(delay, after: attempts.last, &random)
        attempts.last = wait
        return wait
    }

    private func jittered(_ delay: TimeSpan, after last: TimeSpan, _ random: inout Dice) -> TimeSpan {
        switch jitter {
        case .none: return delay
        case .full: return random.span(from: .zero, to: delay)
        case .equal: return random.span(from: delay / 2, to: delay)
        case .decorrelated:
            let low = min(base, cap)
            return min(cap, random.span(from: low, to: max(low, last * 3)))
        case .spread(let millionths):
            let reach = delay.share(millionths)
            return random.span(from: max(delay - reach, .zero), to: delay + reach)
        }
    }
}

extension Dice {
    /// Anything between, both ends included.
    fileprivate mutating func span(from low: TimeSpan, to high: TimeSpan) -> TimeSpan {
        let range = UInt64(max((high - low).nanoseconds, 0)) &+ 1
        return low + TimeSpan(nanoseconds: Int64(next().scaled(below: range)))
    }
}

extension TimeSpan {
    /// So many millionths of it.
    fileprivate func share(_ millionths: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: Int128(nanoseconds) * Int128(millionths) / 1_000_000))
    }
}

extension SettingsReader {
    /// `backoff: {base: 500ms, multiplier: 2, cap: 32s, jitter: full}`
    public mutating func backoff(_ key: String, default fallback: Backoff, _ help: String = "") -> Backoff {
        group(key, help) { $0.backoffLaw(default: fallback) }
    }

    /// The same, among other settings of one map.
    mutating func backoffLaw(default fallback: Backoff) -> Backoff {
        let base = span("base", default: fallback.base, "the wait after the first failure")
        return Backoff(
            base: base,
            multiplier: value(
                "multiplier", .decimal(in: 1_000_000...1_000_000_000), default: fallback.multiplier,
                "each failure in a row multiplies the wait by this"),
            // Who asks for a longer base means it.
            cap: span("cap", default: max(fallback.cap, base), "no wait is longer, before jitter"),
            jitter: value(
                "jitter", .jitter, default: fallback.jitter,
                "full: from 0 to the wait; equal: its upper half; 20%: so much more or less"),
            first: span("first", "the wait after the first failure, without jitter; `base` follows"))
    }
}

extension Form where Value == Backoff.Jitter {
    /// A word, or a share such as `20%`.
    static var jitter: Form {
        let words: [(String, Backoff.Jitter)] = [
            ("none", .none), ("full", .full), ("equal", .equal), ("decorrelated", .decorrelated),
        ]
        let word = Form.word(words)
        let share = Form<Int64>.ratio(in: 0...1_000_000)
        return Form(
            "none, full, equal, decorrelated or a share such as 20%",
            shape: { .either([word.shape(), share.shape()]) },
            read: { node, faults in
                let isNumber = node.scalar?.utf8.first.map { 48...57 ~= $0 } ?? false
                guard isNumber else { return word.read(node, &faults) }
                return share.read(node, &faults).map { .spread($0) }
            },
            write: { jitter in
                if case .spread(let millionths) = jitter { return share.write(millionths) }
                return word.write(jitter)
            })
    }
}
