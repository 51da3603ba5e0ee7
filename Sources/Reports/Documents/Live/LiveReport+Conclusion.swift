import DeadzoneBase
import DeadzoneMetrics

/// The verdict of a live run with the reasons for it.
extension LiveReport {
    /// The verdict and what decided it, for example `fail: 1 of 2 expectations does not hold`.
    var conclusion: String {
        if isUnjudged {
            let one = unjudged.count == 1 ? unjudged.first : nil
            return "not judged: " + (one ?? "none of \(unjudged.count) expectations can be judged")
        }
        var reasons = isComplete ? [] : ["the run was stopped before its end"]
        if let trouble = troubles.first {
            reasons.append(trouble + (troubles.count > 1 ? ", and \(plural(troubles.count - 1, "other problem"))" : ""))
        }
        reasons += Self.summary(outcomes.map { ($0.expectation.metric, $0.verdict == .pass) }, "expectation")
        reasons += Self.summary(presetChecks.map { ($0.name, $0.isKept) }, "rule", of: " of the preset")
        if !unjudged.isEmpty { reasons.append("\(plural(unjudged.count, "expectation")) not judged") }
        if reasons.isEmpty { reasons = ["the scenario expects nothing of the client"] }
        return "\(verdict.rawValue): " + reasons.joined(separator: "; ")
    }

    /// Heading of the page, in a few words.
    var headline: String {
        if !isComplete { return "Stopped before its end" }
        if !troubles.isEmpty { return "The run is invalid" }
        if isUnjudged { return "Expectations not judged" }
        let judged = [("expectations", outcomes.count), ("rules of the preset", presetChecks.count)]
        let failed = [outcomes.count { $0.verdict == .fail }, presetChecks.count { !$0.isKept }]
        if verdict == .fail {
            let names = zip(judged, failed).filter { $0.1 > 0 }.map(\.0.0)
            return "Some \(names.joined(separator: " and ")) do not hold"
        }
        let names = judged.filter { $0.1 > 0 }.map(\.0)
        guard !names.isEmpty else { return "No expectations" }
        return "All \(unjudged.isEmpty ? "" : "judged ")\(names.joined(separator: " and ")) hold"
    }

    /// Says how many checks of one kind hold, and which do not. Empty without any check.
    private static func summary(_ checks: [(name: String, isKept: Bool)], _ noun: String, of whole: String = "")
        -> [String]
    {
        guard !checks.isEmpty else { return [] }
        let failed = checks.filter { !$0.isKept }.map(\.name)
        guard !failed.isEmpty else {
            return [checks.count == 1 ? "the \(noun)\(whole) holds" : "all \(checks.count) \(noun)s\(whole) hold"]
        }
        let verb = failed.count == 1 ? "does" : "do"
        let names = failed.prefix(3).joined(separator: ", ") + (failed.count > 3 ? ", …" : "")
        return ["\(failed.count) of \(plural(checks.count, noun))\(whole) \(verb) not hold (\(names))"]
    }
}

extension LiveReport.PresetCheck {
    var isKept: Bool { inside == of }
}
