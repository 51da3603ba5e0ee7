public import DeadzonePrimitives

/// How long to wait before the next attempt:
///
///     growth ──> cap ──> jitter ──> plus ──> cap
///
/// (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). `capped` says which of the two caps are there.
/// All of it saturates: after a million failures a wait is long, and never negative.
public struct Backoff: Hashable, Sendable {
    /// What a further failure does to the wait.
    public enum Growth: Hashable, Sendable, BitwiseCopyable {
        /// Multiplies it by so many millionths: 2,000,000 doubles.
        case times(Int64)
        /// Adds so much.
        case step(TimeSpan)
        /// Takes the next of these, and the last again and again. The base has no part in it.
        case table(Waits)
    }

    /// Where the cap is applied.
    public enum Capped: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Jitter may pass it (grpc/grpc `doc/connection-backoff.md`: 20 %, so at most 144 s under a cap of 120 s).
        case beforeJitter
        /// Waits beyond it lose their jitter, all of them to the same value (socketio/socket.io
        /// `packages/socket.io-client/lib/contrib/backo2.ts`).
        case afterJitter
        case both
    }

    public var base: TimeSpan
    public var growth: Growth
    public var cap: TimeSpan
    public var capped = Capped.beforeJitter
    public var jitter: Jitter
    /// Of the first wait, where it is another one; nil: the same, or none where `first` is given.
    public var firstJitter: Jitter?
    /// The wait after the first failure; the law begins with the second. nil: it begins at once.
    public var first: TimeSpan?
    /// Added to every wait, whatever jitter leaves of it.
    public var plus = TimeSpan.zero

    public init(
        base: TimeSpan, multiplier: Int64 = 2_000_000, cap: TimeSpan, jitter: Jitter, first: TimeSpan? = nil
    ) {
        self.init(base: base, growth: .times(multiplier), cap: cap, jitter: jitter)
        self.first = first
    }

    public init(base: TimeSpan, growth: Growth, cap: TimeSpan, jitter: Jitter = .none) {
        self.base = base
        self.growth = growth
        self.cap = cap
        self.jitter = jitter
    }

    /// These waits one after the other, the last again and again.
    public init(table: Waits, jitter: Jitter = .none) {
        self.init(base: .zero, growth: .table(table), cap: .longest, jitter: jitter)
    }

    /// Failures in a row.
    public struct Attempts: Hashable, Sendable, BitwiseCopyable {
        public internal(set) var failed: UInt32 = 0
        /// The last wait: decorrelated jitter goes on from it.
        var last = TimeSpan.zero
        /// What this process has drawn to add to the base; below zero: nothing was drawn yet.
        var drawnOnce = TimeSpan(nanoseconds: -1)

        public init() {}

        /// What was drawn for the process stays.
        public mutating func reset() {
            failed = 0
            last = .zero
        }

        mutating func count() { failed = failed == .max ? .max : failed + 1 }
    }

    /// What the law says after `failed` failures in a row, before jitter, but with what is added to every wait and both caps.
    public func delay(afterFailures failed: UInt32) -> TimeSpan { finished(level(failed, from: base)) }

    /// The wait before the next attempt, counted.
    /// - Parameters:
    ///   - elapsed: Has passed already, and is taken off before jitter.
    ///   - atCap: The wait is as long as it can get, however few attempts have failed.
    public func next(
        _ attempts: inout Attempts, less elapsed: TimeSpan = .zero, atCap: Bool = false, using random: inout Dice
    ) -> TimeSpan {
        if case .perProcess(let low, let high) = jitter, attempts.drawnOnce < .zero {
            attempts.drawnOnce = random.span(from: low, to: high, usually: low)
        }
        let failed = attempts.failed
        attempts.count()
        let level = atCap ? highest : level(failed, from: base + max(attempts.drawnOnce, .zero))
        let wait = finished(
            jittered(max(level - elapsed, .zero), by: jitter(after: failed), since: attempts.last, &random))
        attempts.last = wait
        return wait
    }

    private func finished(_ wait: TimeSpan) -> TimeSpan {
        let wait = wait + plus
        return capped == .beforeJitter ? wait : min(wait, cap)
    }

    private func jitter(after failed: UInt32) -> Jitter {
        guard failed == 0 else { return jitter }
        return firstJitter ?? (first == nil ? jitter : .none)
    }

    // MARK: Growth

    private func level(_ failed: UInt32, from base: TimeSpan) -> TimeSpan {
        if let first, failed == 0 { return first }
        let steps = first == nil ? failed : failed - 1
        let limit = capped == .afterJitter ? TimeSpan.longest : cap
        switch growth {
        case .times(let multiplier) where jitter != .decorrelated:
            return Self.power(min(base, limit), multiplier, steps, limit)
        // What three times the wait before comes to at most.
        case .times: return Self.power(min(base, limit), 3_000_000, steps == .max ? .max : steps + 1, limit)
        case .step(let step): return min(base + step * Int64(steps), limit)
        case .table(let waits): return min(waits[steps], limit)
        }
    }

    private var highest: TimeSpan {
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
            // A base of zero, or one too small for the multiplier to move, stays where it is.
            guard next > delay else { return delay }
            delay = min(next, cap)
            step += 1
        }
        return delay
    }
}

extension Backoff {
    /// Waits one after the other; a fixed number of places, because a law is copied with the facet that holds it.
    public struct Waits: Hashable, Sendable, BitwiseCopyable {
        public static let capacity = 16

        private var places = InlineArray<16, TimeSpan>(repeating: .zero)
        public let count: Int

        public init(_ waits: [TimeSpan]) {
            precondition(1...Self.capacity ~= waits.count, "1 to \(Self.capacity) waits, not \(waits.count)")
            count = waits.count
            for (index, wait) in waits.enumerated() { places[index] = wait }
        }

        /// The last of them beyond the end.
        public subscript(index: UInt32) -> TimeSpan { places[min(Int(index), count - 1)] }

        public var all: [TimeSpan] { (0..<count).map { places[$0] } }

        public static func == (a: Self, b: Self) -> Bool { a.all == b.all }
        public func hash(into hasher: inout Hasher) { hasher.combine(all) }
    }
}
