/// Estimates a client's backoff as a fixed list of waits between connection attempts, from recorded waits.
///
/// A table can fit anything, so a longer table must make the observations more likely. Only refused attempts determine
/// the table: for unanswered attempts the time at which the client gave up is often not visible. Where it is, the wait
/// must be that of the table.
struct BackoffTableFit: Sendable {
    /// Maximum table length in `composed`.
    private static let most = 16

    /// Range of each wait in the table; the last one repeats.
    let waits: [ClosedRange<Double>]
    /// Timeout of unanswered attempts; `nil` if there were none.
    let timeout: ClosedRange<Double>?

    /// `nil` if no attempt was refused, or if the recorded series differ.
    init?(_ seen: [RetryWait]) {
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
        let given = silent.filter { $0.limit != nil }
        guard
            given.allSatisfy({ wait in
                let own = waits[min(wait.failed, waits.count - 1)]
                let low = max(0, wait.fromEnd - RetryWait.late(wait.fromEnd))
                return own.overlaps(low...max(low, wait.fromEnd + RetryWait.early))
            })
        else { return nil }
        let spans = silent.map { wait in
            if let limit = wait.limit { return limit - RetryWait.late(limit)...limit + RetryWait.early }
            let own = waits[min(wait.failed, waits.count - 1)]
            return wait.fromBegin - own.upperBound - RetryWait.late(wait.fromBegin)...wait.fromBegin - own.lowerBound
                + RetryWait.early
        }
        guard let first = spans.first, spans.allSatisfy({ $0.overlaps(first) }) else { return nil }
        let all = spans.reduce(first) { $0.clamped(to: $1) }
        guard all.upperBound > 0.001 else { return nil }
        timeout = max(0.001, all.lowerBound)...all.upperBound
    }

    /// Likelihood in bits: no randomness, but each wait has a complexity cost, like `first` of `BackoffModel`.
    var bits: Double { -8 * Double(waits.count) }

    var text: String {
        "[" + waits.map { SettingText.span(RoundNumber.number(in: $0)) }.joined(separator: ", ") + "]"
    }

    /// Common range of one wait that was observed several times.
    private static func common(_ spans: [Double]) -> ClosedRange<Double>? {
        guard let least = spans.min(), let most = spans.max() else { return nil }
        let low = max(0, most - RetryWait.late(most))
        return low <= least + RetryWait.early ? low...least + RetryWait.early : nil
    }
}
