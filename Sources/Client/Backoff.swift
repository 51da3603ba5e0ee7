public import DeadzoneBase

/// Computes the wait before the next attempt after one or more failures, in these stages:
///
///     growth ──> cap ──> jitter ──> plus ──> cap
///
/// (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). `capPlacement` selects which of the
/// two caps apply. All arithmetic saturates: after a million failures a wait is long, and never negative.
public struct Backoff: Hashable, Sendable {
    /// Rule by which each further failure increases the wait.
    public enum GrowthRule: Hashable, Sendable, BitwiseCopyable {
        /// Multiplies the wait by this factor, in millionths: 2,000,000 doubles the wait.
        case times(Int64)
        /// Adds this span to the wait.
        case step(TimeSpan)
        /// Takes the next wait from the table; the last entry repeats. `base` has no effect.
        case table(WaitTable)
    }

    /// Stage at which the cap (the upper limit) is applied to the wait: before jitter, after it, or both.
    public enum CapPlacement: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// The cap is applied before jitter, so jitter may exceed it (grpc/grpc `doc/connection-backoff.md`: 20 %, so
        /// at most 144 s under a cap of 120 s).
        case beforeJitter
        /// The cap is applied after jitter, so waits above the cap lose their jitter and all become equal
        /// (socketio/socket.io `packages/socket.io-client/lib/contrib/backo2.ts`).
        case afterJitter
        case both
    }

    public var base: TimeSpan
    public var growth: GrowthRule
    public var cap: TimeSpan
    public var capPlacement = CapPlacement.beforeJitter
    public var jitter: JitterRule
    /// Jitter of the first wait. If `nil`, `jitter` applies, or no jitter if `first` is set.
    public var firstJitter: JitterRule?
    /// The wait after the first failure; the wait after the second failure is then `base`. If `nil`, the first wait is
    /// `base`.
    public var first: TimeSpan?
    /// Constant span that is added to every wait, after jitter.
    public var plus = TimeSpan.zero

    public init(
        base: TimeSpan, multiplier: Int64 = 2_000_000, cap: TimeSpan, jitter: JitterRule, first: TimeSpan? = nil
    ) {
        self.init(base: base, growth: .times(multiplier), cap: cap, jitter: jitter)
        self.first = first
    }

    public init(base: TimeSpan, growth: GrowthRule, cap: TimeSpan, jitter: JitterRule = .none) {
        self.base = base
        self.growth = growth
        self.cap = cap
        self.jitter = jitter
    }

    /// Creates a backoff that takes its waits from a table; the last entry repeats.
    public init(table: WaitTable, jitter: JitterRule = .none) {
        self.init(base: .zero, growth: .table(table), cap: .longest, jitter: jitter)
    }

    /// The state of a backoff: number of consecutive failures, previous wait, and the random jitter that was drawn
    /// once when the process started.
    public struct Attempts: Hashable, Sendable, BitwiseCopyable {
        public internal(set) var failed: UInt32 = 0
        /// The previous wait; decorrelated jitter computes the next one from it.
        var lastWait = TimeSpan.zero
        /// Value that `perProcess` jitter adds to the base; negative if it was not drawn yet.
        var perProcessDraw = TimeSpan(nanoseconds: -1)

        public init() {}

        /// Sets the number of failures to zero. The value drawn for the process is kept.
        public mutating func reset() {
            failed = 0
            lastWait = .zero
        }

        mutating func count() { failed = failed == .max ? .max : failed + 1 }
    }

    /// Returns the wait after `failed` failures in a row, without jitter, but with `plus` and both caps.
    public func delay(afterFailures failed: UInt32) -> TimeSpan { withPlusAndCap(level(failed, from: base)) }

    /// Draws the wait after `failed` failures in a row.
    public func wait(afterFailures failed: UInt8, using random: inout Dice) -> TimeSpan {
        var attempts = Attempts()
        attempts.failed = UInt32(failed)
        return next(&attempts, using: &random)
    }

    /// Returns the wait before the next attempt, and counts the failure.
    /// - Parameters:
    ///   - elapsed: Part of the wait that has already passed; it is subtracted before jitter.
    ///   - atCap: If `true`, returns the longest possible wait, regardless of the number of failures.
    public func next(
        _ attempts: inout Attempts, less elapsed: TimeSpan = .zero, atCap: Bool = false, using random: inout Dice
    ) -> TimeSpan {
        if case .perProcess(let low, let high) = jitter, attempts.perProcessDraw < .zero {
            attempts.perProcessDraw = random.span(from: low, to: high, usually: low)
        }
        let failed = attempts.failed
        attempts.count()
        let level = atCap ? longestWait : level(failed, from: base + max(attempts.perProcessDraw, .zero))
        let wait = withPlusAndCap(
            jittered(max(level - elapsed, .zero), by: jitter(after: failed), since: attempts.lastWait, &random))
        attempts.lastWait = wait
        return wait
    }

    private func withPlusAndCap(_ wait: TimeSpan) -> TimeSpan {
        let wait = wait + plus
        return capPlacement == .beforeJitter ? wait : min(wait, cap)
    }

    private func jitter(after failed: UInt32) -> JitterRule {
        guard failed == 0 else { return jitter }
        return firstJitter ?? (first == nil ? jitter : .none)
    }

    // MARK: Growth

    private func level(_ failed: UInt32, from base: TimeSpan) -> TimeSpan {
        if let first, failed == 0 { return first }
        let steps = first == nil ? failed : failed - 1
        let limit = capPlacement == .afterJitter ? TimeSpan.longest : cap
        switch growth {
        case .times(let multiplier) where jitter != .decorrelated:
            return Self.power(min(base, limit), multiplier, steps, limit)
        // Upper bound of decorrelated jitter: three times the previous wait.
        case .times: return Self.power(min(base, limit), 3_000_000, steps == .max ? .max : steps + 1, limit)
        case .step(let step): return min(base + step * Int64(steps), limit)
        case .table(let waits): return min(waits[steps], limit)
        }
    }

    private var longestWait: TimeSpan {
        switch growth {
        case .times(...1_000_000), .step(.zero): min(base, cap)
        case .times, .step: cap
        case .table(let waits): waits[.max]
        }
    }

    private static func power(_ base: TimeSpan, _ multiplier: Int64, _ steps: UInt32, _ cap: TimeSpan) -> TimeSpan {
        var delay = base
        guard multiplier > 1_000_000 else { return delay }
        var step: UInt32 = 0
        while step < steps && delay < cap {
            let (high, low) = delay.nanoseconds.multipliedFullWidth(by: multiplier)
            guard high == 0, low / 1_000_000 <= UInt64(Int64.max) else { return cap }
            let next = TimeSpan(nanoseconds: Int64(low / 1_000_000))
            // A base of zero, or a base too small for the multiplier to change it, stays as it is.
            guard next > delay else { return delay }
            delay = min(next, cap)
            step += 1
        }
        return delay
    }
}

extension Backoff {
    /// A list of waits with a fixed capacity, one for each failure in a row. It is stored inline, because a backoff is
    /// copied together with the policy that holds it.
    public struct WaitTable: Hashable, Sendable, BitwiseCopyable {
        public static let capacity = 16

        private var places = InlineArray<16, TimeSpan>(repeating: .zero)
        public let count: Int

        public init(_ waits: [TimeSpan]) {
            precondition(1...Self.capacity ~= waits.count, "1 to \(Self.capacity) waits, not \(waits.count)")
            count = waits.count
            for (index, wait) in waits.enumerated() { places[index] = wait }
        }

        /// Returns the wait at this index. Beyond the end, the last entry is returned.
        public subscript(index: UInt32) -> TimeSpan { places[min(Int(index), count - 1)] }

        package var all: [TimeSpan] { (0..<count).map { places[$0] } }

        public static func == (a: Self, b: Self) -> Bool { a.all == b.all }
        public func hash(into hasher: inout Hasher) { hasher.combine(all) }
    }
}
