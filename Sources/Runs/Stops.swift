import DeadzoneJournal
import DeadzoneLane
import DeadzonePrimitives

/// Phones whose run was ended before the horizon, by reason.
struct Stops: Recorder, Taped {
    private struct First: Comparable {
        let at: Instant
        let phone: UInt32

        static func < (a: Self, b: Self) -> Bool { (a.phone, a.at) < (b.phone, b.at) }
    }

    /// By code: how many, and the first in order of phones, so that threads cannot show.
    private var rows: [UInt16: (count: Int, first: First)] = [:]

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        for record in batch where record.kind == .stopped {
            add(record.tag, 1, First(at: record.at, phone: record.lane))
        }
    }

    mutating func merge(_ other: Stops) {
        for (code, row) in other.rows { add(code, row.count, row.first) }
    }

    mutating func pass(through tape: inout Tape) {
        var codes = rows.keys.sorted()
        tape.pass(growing: &codes)
        for code in codes {
            var (count, at, phone) = rows[code].map { ($0.count, $0.first.at.nanoseconds, $0.first.phone) } ?? (0, 0, 0)
            tape.pass(&count)
            tape.pass(&at)
            tape.pass(&phone)
            rows[code] = (count, First(at: Instant(nanoseconds: at), phone: phone))
        }
    }

    private mutating func add(_ code: UInt16, _ count: Int, _ first: First) {
        let known = rows[code]
        rows[code] = ((known?.count ?? 0) + count, min(known?.first ?? first, first))
    }

    /// One sentence for each reason.
    var sentences: [String] {
        rows.sorted { $0.key < $1.key }.map { code, row in
            let reason = StopCode(rawValue: code)?.explanation ?? "code \(code)"
            let milliseconds = row.first.at.nanoseconds / 1_000_000
            return plural(row.count, "phone") + " stopped, the first (phone \(row.first.phone)) at "
                + "\(milliseconds) ms: \(reason)"
        }
    }
}
