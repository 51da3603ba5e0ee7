public import DeadzoneBase

extension Backoff {
    /// Rule by which a wait between attempts is randomised. `v` is the wait without jitter.
    public enum JitterRule: Hashable, Sendable, BitwiseCopyable {
        case none
        /// Uniform between 0 and the wait `v`.
        case full
        /// Uniform between half of the wait `v` and `v`.
        case equal
        /// Uniform between the base wait and three times the previous wait, limited by the cap. The growth rule has no
        /// effect.
        case decorrelated
        /// The wait `v`, changed at random by at most this share of `v` in either direction. The share is in
        /// millionths.
        case spread(Int64)
        /// The wait `v` plus a uniform random value between the two spans.
        case plus(TimeSpan, TimeSpan)
        /// The wait `v` times a uniform random factor between the two values, in millionths.
        case times(Int64, Int64)
        /// The wait `v`, changed by r times this share of `v`. The share is in millionths; r is a random number from 0
        /// to 1. The change is subtracted if the first decimal of r is even, and added if it is odd (socketio/socket.io
        /// `packages/socket.io-client/lib/contrib/backo2.ts`).
        case parity(Int64)
        /// Adds a uniform random value between the two spans to the base wait. The value is drawn once per process
        /// (pladaria/reconnecting-websocket `reconnecting-websocket.ts`): clients differ from each other, but each
        /// client repeats the same waits.
        case perProcess(TimeSpan, TimeSpan)
    }

    func jittered(_ wait: TimeSpan, by jitter: JitterRule, since last: TimeSpan, _ random: inout Dice) -> TimeSpan {
        switch jitter {
        case .none, .perProcess: return wait
        case .full: return random.span(from: .zero, to: wait, usually: wait)
        case .equal: return random.span(from: wait / 2, to: wait, usually: wait)
        case .decorrelated:
            let low = min(base, cap)
            // The first wait starts from the base (aws-samples/aws-arch-backoff-simulator
            // `src/backoff_simulator.py`).
            let high = max(low, last) * 3
            return min(cap, random.span(from: low, to: high, usually: high))
        case .spread(let millionths):
            let reach = wait.share(millionths)
            return random.span(from: max(wait - reach, .zero), to: wait + reach, usually: wait)
        case .plus(let low, let high): return random.span(from: wait + low, to: wait + high, usually: wait)
        case .times(let low, let high):
            return random.span(from: wait.share(low), to: wait.share(high), usually: wait)
        case .parity(let millionths): return random.deviation(of: wait, millionths)
        }
    }
}

extension Dice {
    /// Draws a span uniformly between `low` and `high`, both included.
    /// - Parameter usual: The result if `fixedDraw` is `.usual`: the wait without its jitter.
    public mutating func span(from low: TimeSpan, to high: TimeSpan, usually usual: TimeSpan) -> TimeSpan {
        switch fixedDraw {
        case .usual: return usual
        case .lowest: return low
        case .highest: return high
        case nil:
            let range = UInt64(max((high - low).nanoseconds, 0)) &+ 1
            return low + TimeSpan(nanoseconds: Int64(next().scaled(below: range)))
        }
    }

    /// Draws a wait with `parity` jitter. If `fixedDraw` is set, the nominal bounds are used. The real minimum is
    /// higher by a tenth of the reach, because for r of at least 0.9 the change is added.
    fileprivate mutating func deviation(of wait: TimeSpan, _ millionths: Int64) -> TimeSpan {
        let reach = wait.share(millionths)
        if fixedDraw != nil { return span(from: max(wait - reach, .zero), to: wait + reach, usually: wait) }
        let tenths: UInt64 = 10
        let bits = next()
        let size = TimeSpan(nanoseconds: Int64(bits.scaled(below: UInt64(reach.nanoseconds) &+ 1)))
        return bits.scaled(below: tenths) % 2 == 0 ? max(wait - size, .zero) : wait + size
    }
}

extension TimeSpan {
    /// Returns the given number of millionths of the span: 500,000 returns half of it.
    fileprivate func share(_ millionths: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: Int128(nanoseconds) * Int128(millionths) / 1_000_000))
    }
}
