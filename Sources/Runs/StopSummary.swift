import DeadzoneBase
import DeadzoneSimulator

/// Counts the phones that stopped before the end of the simulated time, by reason.
struct StopSummary: Recorder, BinaryCodable {
    private struct FirstStop: Comparable {
        let at: Instant
        let phone: UInt32

        static func < (a: Self, b: Self) -> Bool { (a.phone, a.at) < (b.phone, b.at) }
    }

    /// By stop code: the number of phones, and the stop with the lowest phone number. The choice by phone number
    /// makes the result independent of threads.
    private var totals: [UInt16: (count: Int, first: FirstStop)] = [:]

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.kind == .stopped {
            add(record.tag, 1, FirstStop(at: record.at, phone: record.phone))
        }
    }

    mutating func merge(_ other: StopSummary) {
        for (code, row) in other.totals { add(code, row.count, row.first) }
    }

    mutating func code(through coder: inout BinaryCoder) {
        var codes = totals.keys.sorted()
        coder.code(growing: &codes)
        for code in codes {
            var (count, at, phone) =
                totals[code].map { ($0.count, $0.first.at.nanoseconds, $0.first.phone) } ?? (0, 0, 0)
            coder.code(&count)
            coder.code(&at)
            coder.code(&phone)
            coder.require((0...Int(UInt32.max)).contains(count))
            totals[code] = (count, FirstStop(at: Instant(nanoseconds: at), phone: phone))
        }
    }

    private mutating func add(_ code: UInt16, _ count: Int, _ first: FirstStop) {
        let known = totals[code]
        totals[code] = ((known?.count ?? 0) + count, min(known?.first ?? first, first))
    }

    /// One sentence for each reason.
    var sentences: [String] {
        totals.sorted { $0.key < $1.key }.map { code, row in
            let reason = StopCode(rawValue: code)?.explanation ?? "code \(code)"
            let milliseconds = row.first.at.nanoseconds / 1_000_000
            return plural(row.count, "phone") + " stopped, the first (phone \(row.first.phone)) at "
                + "\(milliseconds) ms: \(reason)"
        }
    }
}
