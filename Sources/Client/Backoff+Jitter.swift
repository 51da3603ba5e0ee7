public import DeadzonePrimitives

extension Backoff {
    /// What chance makes of a wait `v`.
    public enum Jitter: Hashable, Sendable, BitwiseCopyable {
        case none
        /// Anything from 0 to `v`.
        case full
        /// The upper half of `v`.
        case equal
        /// From the base to three times the wait before, up to the cap; growth has no part in it.
        case decorrelated
        /// `v`, and up to so many millionths of it more or less.
        case spread(Int64)
        /// `v` plus anything between.
        case plus(TimeSpan, TimeSpan)
        /// `v` times anything between, in millionths.
        case times(Int64, Int64)
        /// One number r from 0 to 1 gives both size and sign: r × so many millionths of `v`, less where the first decimal of r
        /// is even, more where it is odd (socketio/socket.io `packages/socket.io-client/lib/contrib/backo2.ts`).
        case parity(Int64)
        /// Anything between is added to the base, drawn once in the life of a process (pladaria/reconnecting-websocket
        /// `reconnecting-websocket.ts`): clients differ, and each of them is a clock.
        case perProcess(TimeSpan, TimeSpan)
    }

    func jittered(_ wait: TimeSpan, by jitter: Jitter, since last: TimeSpan, _ random: inout Dice) -> TimeSpan {
        switch jitter {
        case .none, .perProcess: return wait
        case .full: return random.span(from: .zero, to: wait, usually: wait)
        case .equal: return random.span(from: wait / 2, to: wait, usually: wait)
        case .decorrelated:
            let low = min(base, cap)
            // The first goes on from the base (aws-samples/aws-arch-backoff-simulator `src/backoff_simulator.py`).
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
    /// Anything between, both ends included.
    /// - Parameter usual: What a rehearsal takes instead: the law without its jitter.
    public mutating func span(from low: TimeSpan, to high: TimeSpan, usually usual: TimeSpan) -> TimeSpan {
        switch rehearsal {
        case .usual: return usual
        case .lowest: return low
        case .highest: return high
        case nil:
            let range = UInt64(max((high - low).nanoseconds, 0)) &+ 1
            return low + TimeSpan(nanoseconds: Int64(next().scaled(below: range)))
        }
    }

    /// A rehearsal has it within the nominal bounds, though the lowest is missed by a tenth of the reach: there the sign turns.
    fileprivate mutating func deviation(of wait: TimeSpan, _ millionths: Int64) -> TimeSpan {
        let reach = wait.share(millionths)
        if rehearsal != nil { return span(from: max(wait - reach, .zero), to: wait + reach, usually: wait) }
        let tenths: UInt64 = 10
        let bits = next()
        let size = TimeSpan(nanoseconds: Int64(bits.scaled(below: UInt64(reach.nanoseconds) &+ 1)))
        return bits.scaled(below: tenths) % 2 == 0 ? max(wait - size, .zero) : wait + size
    }
}

extension TimeSpan {
    /// So many millionths of it.
    fileprivate func share(_ millionths: Int64) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: Int128(nanoseconds) * Int128(millionths) / 1_000_000))
    }
}
