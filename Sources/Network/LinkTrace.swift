public import DeadzonePrimitives

/// What a link could carry when somebody measured it, repeated for as long as a scenario lasts. Either a list of moments at
/// each of which up to 1,500 bytes leave (Mahimahi), or a list of rates, each valid until the next.
///
///     opportunities   ·  ·   ··     ·|·  ·   ··     ·|      the last line is the period
///     rates           ▁▁▁▇▇▇▇▃▃▃▃▃▃▃▃|▁▁▁▇▇▇▇▃▃▃▃▃▃▃▃|      the last rate holds as long as the one before it
///
/// The numbers are held once, whoever copies the value; a link that follows a trace holds a `TraceCursor`.
public struct LinkTrace: Hashable, Sendable {
    public static let mostRows = 4_000_000
    /// What one line of a Mahimahi trace lets pass: a packet of the usual size (ravinet/mahimahi, src/frontend/link_queue.hh
    /// has 1,504, four of which are the header of its TUN device).
    public static let opportunityBytes: UInt32 = 1_500

    /// Moments of opportunities, or where rates begin, in nanoseconds from the start of the period; never falling.
    let times: [Int64]
    /// Bits in a second from each of `times` on; none where the trace has opportunities.
    let rates: [Int64]
    /// In nanoseconds.
    public let period: Int64

    public enum Trouble: Error, Hashable, Sendable {
        case empty, tooManyRows, fallingTime(row: Int), noPeriod, carriesNothing
    }

    /// Mahimahi: `times` in nanoseconds, each one opportunity. The last one is the period.
    public init(opportunities times: [Int64]) throws(Trouble) {
        guard let last = times.last else { throw .empty }
        guard times.count <= Self.mostRows else { throw .tooManyRows }
        guard last > 0 else { throw .noPeriod }
        for row in times.indices where times[row] < (row > 0 ? times[row - 1] : 0) { throw .fallingTime(row: row) }
        self.times = times
        rates = []
        period = last
    }

    /// Rates in bits per second from these moments on. The first moment is where the trace begins, whatever clock it was
    /// taken by; the last rate holds as long as the one before it, a single one for a second.
    public init(starts: [Int64], bitsPerSecond: [Int64]) throws(Trouble) {
        guard let first = starts.first, let last = starts.last, starts.count == bitsPerSecond.count else {
            throw .empty
        }
        guard starts.count <= Self.mostRows else { throw .tooManyRows }
        for row in starts.indices.dropFirst() where starts[row] <= starts[row - 1] { throw .fallingTime(row: row) }
        guard bitsPerSecond.contains(where: { $0 > 0 }), bitsPerSecond.allSatisfy({ $0 >= 0 }) else {
            throw .carriesNothing
        }
        times = starts.map { $0 - first }
        rates = bitsPerSecond
        period = last - first + (starts.count > 1 ? last - starts[starts.count - 2] : 1_000_000_000)
    }

    public var count: Int { times.count }

    /// What the trace says, line by line: nanoseconds, and bits per second or -1 for an opportunity.
    public var rows: [(time: Int64, rate: Int64)] {
        times.indices.map { (times[$0], rates.isEmpty ? -1 : rates[$0]) }
    }

    /// What the trace carries on average, for whoever needs one number for it: at least a bit.
    public var meanBitsPerSecond: Int64 {
        let bits =
            rates.isEmpty
            ? Int128(times.count) * Int128(Self.opportunityBytes) * 8 * 1_000_000_000 : bitNanoseconds
        return max(Int64(clamping: bits / Int128(period)), 1)
    }

    /// Of a whole period, in bits × nanoseconds per second.
    private var bitNanoseconds: Int128 {
        var sum: Int128 = 0
        for row in times.indices { sum += Int128(rates[row]) * Int128(end(of: row) - times[row]) }
        return sum
    }

    private func end(of row: Int) -> Int64 { row + 1 < times.count ? times[row + 1] : period }
}

/// Where one direction of a link stands in its trace.
public struct TraceCursor: Hashable, Sendable, BitwiseCopyable {
    /// The opportunity that was used last, counted from the beginning of time, and what is left of it.
    var ordinal: Int64 = -1
    var left: UInt32 = 0

    public init() {}
}

extension LinkTrace {
    /// When the last of these bytes leaves, if they follow what left or will leave until `busyUntil`.
    public func serve(bytes: UInt32, at now: Instant, busyUntil: Instant, _ cursor: inout TraceCursor) -> Instant {
        rates.isEmpty ? spend(bytes, at: now, &cursor) : flow(bytes, from: max(now, busyUntil))
    }

    /// What has been accepted and has not left by now.
    public func backlog(at now: Instant, busyUntil: Instant, _ cursor: TraceCursor) -> Int64 {
        guard now < busyUntil else { return 0 }
        if !rates.isEmpty { return flowed(from: now, until: busyUntil) }
        let first = ordinal(notBefore: now)
        guard first <= cursor.ordinal else { return 0 }
        return (cursor.ordinal - first + 1) * Int64(Self.opportunityBytes) - Int64(cursor.left)
    }

    /// An opportunity that nothing used is gone; what a packet leaves of one is the next packet's.
    private func spend(_ bytes: UInt32, at now: Instant, _ cursor: inout TraceCursor) -> Instant {
        let first = ordinal(notBefore: now)
        if cursor.ordinal < first {
            cursor.ordinal = first
            cursor.left = Self.opportunityBytes
        }
        if bytes <= cursor.left {
            cursor.left -= bytes
        } else {
            let missing = UInt64(bytes - cursor.left)
            let more = (missing + UInt64(Self.opportunityBytes) - 1) / UInt64(Self.opportunityBytes)
            cursor.ordinal += Int64(more)
            cursor.left = UInt32(more * UInt64(Self.opportunityBytes) - missing)
        }
        return max(now, moment(of: cursor.ordinal))
    }

    /// The end of a period is the beginning of the next one: an opportunity of both moments comes twice, as in the file.
    private func ordinal(notBefore now: Instant) -> Int64 {
        var (cycles, offset) = now.nanoseconds.quotientAndRemainder(dividingBy: period)
        if offset == 0 && cycles > 0 {
            cycles -= 1
            offset = period
        }
        return cycles * Int64(times.count) + Int64(row(notBefore: offset))
    }

    private func moment(of ordinal: Int64) -> Instant {
        let (cycles, row) = ordinal.quotientAndRemainder(dividingBy: Int64(times.count))
        return .zero + .nanoseconds(period) * cycles + .nanoseconds(times[Int(row)])
    }

    private func row(notBefore offset: Int64) -> Int {
        var low = 0
        var high = times.count
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Rounded up to a nanosecond: by then the last bit has left.
    private func flow(_ bytes: UInt32, from start: Instant) -> Instant {
        var need = Int128(bytes) * 8_000_000_000
        var (cycles, offset) = start.nanoseconds.quotientAndRemainder(dividingBy: period)
        var row = self.row(notBefore: offset + 1) - 1
        var hasWrapped = false
        while need > 0 {
            let capacity = Int128(rates[row]) * Int128(end(of: row) - offset)
            if need <= capacity {
                let rate = Int128(rates[row])
                offset += Int64((need + rate - 1) / rate)
                break
            }
            need -= capacity
            row += 1
            if row == times.count {
                row = 0
                cycles += 1
                if !hasWrapped {
                    // Whole periods at once; the last of them bit by bit.
                    let whole = (need - 1) / bitNanoseconds
                    cycles += Int64(clamping: whole)
                    need -= whole * bitNanoseconds
                    hasWrapped = true
                }
            }
            offset = times[row]
        }
        return .zero + .nanoseconds(period) * cycles + .nanoseconds(offset)
    }

    /// Bytes, rounded up, that leave between two moments.
    private func flowed(from start: Instant, until end: Instant) -> Int64 {
        var sum: Int128 = 0
        var at = start.nanoseconds
        while at < end.nanoseconds {
            let offset = at % period
            let row = self.row(notBefore: offset + 1) - 1
            let span = min(self.end(of: row) - offset, end.nanoseconds - at)
            sum += Int128(rates[row]) * Int128(span)
            at += span
        }
        return Int64(clamping: (sum + 7_999_999_999) / 8_000_000_000)
    }
}
