/// Waits one after the other, as they are. A table can be anything, so that it must make what was seen the likelier the longer it is.
/// Refusals alone tell it: of an attempt that nobody answers it is not seen when the client gave it up.
struct TableFit: Sendable {
    /// Of `composed`.
    private static let most = 16

    /// What each wait of a row may be; the last again and again.
    let waits: [ClosedRange<Double>]
    /// Of an attempt that nobody answers; nil: there was none.
    let timeout: ClosedRange<Double>?

    /// Nil: nobody was refused, or a row differs from another.
    init?(_ seen: [Wait]) {
        var waits: [ClosedRange<Double>] = []
        let refused = Dictionary(grouping: seen.filter { $0.after == .refusal }, by: \.failed)
        while let own = refused[waits.count] {
            guard let wait = Self.common(own.map(\.fromEnd)) else { return nil }
            waits.append(wait)
        }
        guard 2...Self.most ~= waits.count, waits.count == refused.count else { return nil }
        while waits.count > 1, let last = waits.last, waits[waits.count - 2].overlaps(last) {
            waits[waits.count - 2] = waits[waits.count - 2].clamped(to: last)
            waits.removeLast()
        }
        self.waits = waits
        let silent = seen.filter { $0.after == .silence }
        guard !silent.isEmpty else {
            timeout = nil
            return
        }
        let spans = silent.map { wait in
            let own = waits[min(wait.failed, waits.count - 1)]
            return wait.fromBegin - own.upperBound - Wait.late(wait.fromBegin)...wait.fromBegin - own.lowerBound
                + Wait.early
        }
        guard let first = spans.first, spans.allSatisfy({ $0.overlaps(first) }) else { return nil }
        let all = spans.reduce(first) { $0.clamped(to: $1) }
        guard all.upperBound > 0.001 else { return nil }
        timeout = max(0.001, all.lowerBound)...all.upperBound
    }

    /// Nothing is left to chance; each wait is made up, as the first of `WaitLaw` is.
    var bits: Double { -8 * Double(waits.count) }

    var text: String {
        "[" + waits.map { SettingText.span(Round.number(in: $0)) }.joined(separator: ", ") + "]"
    }

    /// Of one wait, seen more than once.
    private static func common(_ spans: [Double]) -> ClosedRange<Double>? {
        guard let least = spans.min(), let most = spans.max() else { return nil }
        let low = max(0, most - Wait.late(most))
        return low <= least + Wait.early ? low...least + Wait.early : nil
    }
}
