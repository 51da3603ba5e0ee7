package import DeadzoneMetrics

// Texts about expectations that a run could not judge, shared by all report formats.

extension RunReport {
    /// The verdict for a line of progress, such as `pass`, `FAIL`, `not judged`, or `pass, 1 expectation not judged`.
    package var verdictText: String {
        if isUnjudged { return "not judged" }
        let word = verdict == .pass ? "pass" : "FAIL"
        return unjudged.isEmpty
            ? word : word + ", \(CompareReport.count(unjudged.count, "expectation", "expectations")) not judged"
    }

    var unjudgedSentences: [String] { Self.unjudgedSentences([self]) }

    /// For each reason one sentence, such as `2 expectations are not judged: only replica 0 ran`.
    static func unjudgedSentences(_ runs: [RunReport]) -> [String] {
        let all = runs.flatMap(\.unjudged).map(\.reason)
        let reasons = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return reasons.map { reason in
            let count = all.count { $0 == reason }
            return CompareReport.count(count, "expectation is", "expectations are") + " not judged: \(reason)"
        }
    }

    static func unjudgedText(_ runs: [RunReport], _ style: Style) -> String {
        unjudgedSentences(runs).map { "  \(style.wrapped($0, indent: 2, after: 2))\n" }.joined()
    }
}

extension UnjudgedExpectation {
    var json: JSON {
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        return .object(
            expectation.subject.json.merging([
                "metric": .string(expectation.metric), "bound": .string(expectation.threshold.words(unit, nil)),
                "reason": .string(reason),
            ]) { first, _ in first })
    }
}
