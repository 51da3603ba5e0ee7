package import DeadzoneBase

/// Measured capacity of a link over time, replayed in a loop for as long as a scenario lasts. It is either a list of
/// times at each of which up to 1,500 bytes leave (Mahimahi), or a list of rates, each valid until the next.
///
///     opportunities   ·  ·   ··     ·|·  ·   ··     ·|      the last line is the period
///     rates           ▁▁▁▇▇▇▇▃▃▃▃▃▃▃▃|▁▁▁▇▇▇▇▃▃▃▃▃▃▃▃|      the last rate holds as long as the one before it
///
/// Copies of the value share the numbers. A link that follows a trace holds a `TraceCursor`.
package struct LinkTrace: Hashable, Sendable {
    package static let maxRows = 4_000_000
    /// Number of bytes that may leave at each time in a Mahimahi trace: a packet of the usual size (ravinet/mahimahi,
    /// src/frontend/link_queue.hh has 1,504, four of which are the header of its TUN device).
    package static let opportunityBytes: UInt32 = 1_500

    /// Times at which bytes may leave, or at which rates start, in nanoseconds from the start of the period; never
    /// decreasing.
    let times: [Int64]
    /// Rate in bits per second from the entry of `times` with the same index on. Empty if `times` are opportunities.
    let rates: [Int64]
    /// Length of the trace in nanoseconds, after which it repeats.
    package let period: Int64

    package enum TraceError: Error, Hashable, Sendable {
        case empty, tooManyRows, fallingTime(row: Int), noPeriod, carriesNothing
    }

    /// Creates a trace from Mahimahi opportunities, the times at which bytes may leave, in nanoseconds. The last time
    /// is the length of the period.
    package init(opportunities times: [Int64]) throws(TraceError) {
        guard let last = times.last else { throw .empty }
        guard times.count <= Self.maxRows else { throw .tooManyRows }
        guard last > 0 else { throw .noPeriod }
        for row in times.indices where times[row] < (row > 0 ? times[row - 1] : 0) { throw .fallingTime(row: row) }
        self.times = times
        rates = []
        period = last
    }

    /// Creates a trace from rates in bits per second, each valid from its start time in nanoseconds. The first start is
    /// the beginning of the trace, on any clock. The last rate holds as long as the one before it; a single rate holds
    /// for a second.
    package init(starts: [Int64], bitsPerSecond: [Int64]) throws(TraceError) {
        guard let first = starts.first, let last = starts.last, starts.count == bitsPerSecond.count else {
            throw .empty
        }
        guard starts.count <= Self.maxRows else { throw .tooManyRows }
        for row in starts.indices.dropFirst() where starts[row] <= starts[row - 1] { throw .fallingTime(row: row) }
        guard bitsPerSecond.contains(where: { $0 > 0 }), bitsPerSecond.allSatisfy({ $0 >= 0 }) else {
            throw .carriesNothing
        }
        times = starts.map { $0 - first }
        rates = bitsPerSecond
        period = last - first + (starts.count > 1 ? last - starts[starts.count - 2] : 1_000_000_000)
    }

    package var count: Int { times.count }

    /// Rows of the trace. `time` is in nanoseconds from the start; `rate` is in bits per second, or -1 for an
    /// opportunity.
    package var rows: [(time: Int64, rate: Int64)] {
        times.indices.map { (times[$0], rates.isEmpty ? -1 : rates[$0]) }
    }

    /// Average capacity of the trace in bits per second; at least 1.
    package var meanBitsPerSecond: Int64 {
        let bits =
            rates.isEmpty
            ? Int128(times.count) * Int128(Self.opportunityBytes) * 8 * 1_000_000_000 : bitNanoseconds
        return max(Int64(clamping: bits / Int128(period)), 1)
    }

    /// Capacity of a whole period of a trace of rates: the sum of rate (bits per second) × duration (nanoseconds).
    private var bitNanoseconds: Int128 {
        var sum: Int128 = 0
        for row in times.indices { sum += Int128(rates[row]) * Int128(end(of: row) - times[row]) }
        return sum
    }

    private func end(of row: Int) -> Int64 { row + 1 < times.count ? times[row + 1] : period }
}

/// The current position of one direction of a link in its capacity trace.
package struct TraceCursor: Hashable, Sendable, BitwiseCopyable {
    /// Number of the last opportunity that was used, counted from the start of the simulation. -1 if none was used.
    var ordinal: Int64 = -1
    /// Number of bytes that may still leave in the last opportunity that was used.
    var left: UInt32 = 0

    package init() {}
}

extension LinkTrace {
    /// Returns the time at which the last byte of a packet of `bytes` bytes leaves. Earlier packets occupy the link
    /// until `busyUntil`.
    package func departure(bytes: UInt32, at now: Instant, busyUntil: Instant, _ cursor: inout TraceCursor) -> Instant {
        rates.isEmpty ? useOpportunities(bytes, at: now, &cursor) : departureAtRates(bytes, from: max(now, busyUntil))
    }

    /// Returns the number of bytes that the link has accepted, but that have not left by `now`.
    package func backlog(at now: Instant, busyUntil: Instant, _ cursor: TraceCursor) -> Int64 {
        guard now < busyUntil else { return 0 }
        if !rates.isEmpty { return bytesAtRates(from: now, until: busyUntil) }
        let first = ordinal(notBefore: now)
        guard first <= cursor.ordinal else { return 0 }
        return (cursor.ordinal - first + 1) * Int64(Self.opportunityBytes) - Int64(cursor.left)
    }

    /// Returns the departure time in a trace of opportunities, and marks them as used. An unused opportunity is lost.
    /// The next packet uses the rest of a partly used one.
    private func useOpportunities(_ bytes: UInt32, at now: Instant, _ cursor: inout TraceCursor) -> Instant {
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

    /// Returns the number of the first opportunity at or after `now`. The end of a period is also the beginning of the
    /// next: opportunities at both times occur separately, as in the file.
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

    /// Returns the departure time in a trace of rates, rounded up to a nanosecond: by then the last bit has left.
    private func departureAtRates(_ bytes: UInt32, from start: Instant) -> Instant {
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
                    // Skip whole periods at once; the last one is computed row by row.
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

    /// Returns the number of bytes, rounded up, that leave between two times in a trace of rates.
    private func bytesAtRates(from start: Instant, until end: Instant) -> Int64 {
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
