import DeadzoneBase
package import DeadzoneMetrics

// Wording of findings, shared by all report formats.

extension MetricChange {
    /// Sign of a table row, so that colour is never the only mark.
    var mark: String {
        switch decision {
        case .same: "="
        case .better: "+"
        case .worse: "!"
        case .changed: "*"
        case .small: "."
        case .undecided: "~"
        }
    }

    /// Value with unit, such as `38.2 J`.
    var newText: String { new.text(metric.unit) }
    var oldText: String { old.text(metric.unit) }

    /// `true` if the figures are means over the replicas and look different from those of the run report, as a quantile
    /// of all replicas together differs from the mean of their quantiles.
    package var isMeanOfReplicas: Bool {
        let ofRun = (old: whole.old.text(metric.unit), new: whole.new.text(metric.unit))
        return (oldText, newText) != ofRun
    }

    /// The values of the run report, such as ` (means of the replicas; 1831 ms and 553.8 s in all together)`. Empty if
    /// they look the same.
    var wholeText: String {
        guard isMeanOfReplicas else { return "" }
        return
            " (means of the replicas; \(whole.old.text(metric.unit)) and \(whole.new.text(metric.unit)) in all together)"
    }

    /// Change of the figure, such as `+12%`, or a note that it now arrives or no longer arrives.
    package var changeText: String { Self.changeText(old, new) }

    static func changeText(_ old: Figure, _ new: Figure) -> String {
        switch (old, new) {
        case (.value(let old), .value(let new)):
            return old == new ? "" : NumberText.change(from: old, to: new) ?? (new > old ? "from 0" : "")
        case (.never, .value): return "now reached"
        case (.value, .never): return "no longer reached"
        default: return ""
        }
    }

    /// Difference of the means with its confidence interval, in the unit of the figures: `-0.41 J [-0.52, -0.30]`.
    package var differenceText: String {
        // With one pair, the figures themselves show the difference.
        guard contrast.count > 1 else { return "" }
        guard let difference = contrast.difference else { return old == new ? "" : "some replicas have no number" }
        let largest = [old, new].compactMap(\.billionths).max() ?? .zero
        let unit = PrintedUnit(metric.unit, for: largest)
        let interval =
            contrast.interval.map { " [\(Self.signed($0.lowerBound, unit)), \(Self.signed($0.upperBound, unit))]" }
            ?? ""
        return Self.signed(difference, unit) + (unit.name.isEmpty ? "" : " " + unit.name) + interval
    }

    private static func signed(_ number: Int128, _ unit: PrintedUnit) -> String {
        let text = unit.text(Billionths(count: Int128(number.magnitude)))
        return number == 0 ? text : (number < 0 ? "-" : "+") + text
    }

    /// Number of pairs with the more frequent direction, such as `lower in 18 of 20`.
    var pairsText: String {
        guard contrast.isPaired else { return "unpaired" }
        if contrast.lower == 0 && contrast.higher == 0 { return "" }
        let (word, count) =
            contrast.lower >= contrast.higher ? ("lower", contrast.lower) : ("higher", contrast.higher)
        return "\(word) in \(count) of \(contrast.count)"
    }

    /// Adjusted p value with three decimal places, or `p < 0.001`.
    package var pText: String {
        if contrast.count <= 1 { return "" }
        if adjusted >= 1 { return "p = 1" }
        let thousandths = Int((adjusted * 1_000).rounded())
        if thousandths == 0 { return "p < 0.001" }
        return "p = " + NumberText.decimal(Billionths(count: Int128(thousandths) * 1_000_000), places: 3)
    }
}

extension Metric {
    /// Label and name of the metric, such as `Energy (battery.joules)`.
    var titled: String { "\(label) (\(name))" }
}

extension GateOutcome {
    /// The bound as text.
    package var boundText: String { outcome.expectation.threshold.words(unitOfMetric, outcome.bounds) }

    package var valueText: String { outcome.valueText }

    var unitOfMetric: Metric.Unit { Catalogue.metric(named: metric)?.unit ?? .count }

    /// The place of the bound: `gates.yaml:4:12`, or `expected by the scenario`.
    var placeText: String { isExpectation ? "expected by the scenario" : place?.text.escapedForTerminal ?? "" }

    /// One sentence, such as `keepalive.pings of tuned is 12; the bound is at most 3`.
    var sentence: String {
        "\(metric) of \(subject.name.escapedForTerminal) is \(valueText); the bound is \(boundText)"
    }

    package var worstText: String? {
        worst.map { worst in
            let threshold = outcome.expectation.threshold
            let place = threshold.reference == GateJudge.baseline ? " in the baseline" : ""
            var was = worst.reference.map { " against \($0.text(unitOfMetric))\(place)" } ?? ""
            // Without the bound of the replica, two equal numbers do not look like a violation.
            if let reference = worst.reference, let bounds = threshold.resolved(reference: reference),
                reference != .value(bounds.lowerBound)
            {
                let ends = Set([bounds.lowerBound, bounds.upperBound]).sorted().map { $0.text(unitOfMetric) }
                was += ", where the bound is \(ends.joined(separator: " to "))"
            }
            return "worst in replica \(worst.replica), seed \(worst.seed): \(worst.value.text(unitOfMetric))\(was)"
        }
    }

    /// Distance beyond the bound, relative to the bound. Sorts the worst outcomes first; infinite if there is no
    /// number.
    var excess: Double {
        guard let bounds = outcome.bounds, case .value(let value) = outcome.value else { return .infinity }
        let distance =
            value < bounds.lowerBound
            ? bounds.lowerBound.double - value.double : max(0, value.double - bounds.upperBound.double)
        return distance / max(abs(bounds.lowerBound.double), 1e-9)
    }
}

extension UnjudgedBound {
    /// One sentence, such as `battery.joules of a, at most 1% of c, was not judged: strategy `c` does not run`.
    package var sentence: String {
        let expectation = bound.expectation
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        return "\(expectation.metric) of \(expectation.subject.name.escapedForTerminal), "
            + "\(expectation.threshold.words(unit, nil)), was not judged: \(bound.reason)"
    }

    /// The sentence, and the place of the bound.
    package var note: String {
        sentence + (place.isExpectation ? " (expected by the scenario)" : " (\(place.text.escapedForTerminal))")
    }
}

extension Divergence {
    package var locationText: String {
        guard let from else { return "replica \(replica), seed \(seed)" }
        let end = from + length
        return "replica \(replica), seed \(seed), between \(DurationText.short(from)) and \(DurationText.short(end))"
    }
}

extension StrategyComparison {
    /// One line that says what is compared: the other strategy, or the settings and the replicas with changed
    /// behaviour.
    package var summaryText: String {
        if let against { return "against \(against.escapedForTerminal)" }
        let replicas = replicas == 1 ? "1 replica" : "\(replicas) replicas"
        let settings = hash == oldHash ? "same settings" : "different settings"
        guard let unchangedReplicas else { return "\(settings), different seeds, not paired" }
        if unchangedReplicas == self.replicas { return "\(settings), same behaviour in \(replicas)" }
        return "\(settings), different behaviour in \(self.replicas - unchangedReplicas) of \(replicas)"
    }
}

extension CompareReport {
    /// One sentence for each strategy that was only renamed, such as `` `patient` is called `calm` now``.
    var renameSentences: [String] {
        scenarios.flatMap { scenario in
            scenario.comparisons.compactMap { comparison in
                comparison.formerName.map { old in
                    (scenarios.count > 1 ? scenario.name.escapedForTerminal + ": " : "")
                        + "`\(old.escapedForTerminal)` is called `\(comparison.strategy.escapedForTerminal)` now"
                }
            }
        }
    }
}

extension ComparedScenario {
    /// For example `20 replicas`, or `1 of 20 replicas compared`.
    package var replicaText: String {
        guard let part = partlyCompared else { return CompareReport.count(replicas, "replica", "replicas") }
        return "\(part.replicas) of \(part.of) replicas compared"
    }

    /// Advice to run more replicas if there are too few to decide among the primary metrics; otherwise `nil`.
    package func advice(for comparison: StrategyComparison) -> String? {
        let needed = PrimaryMetric.neededReplicas
        let isOpen = comparison.findings.contains { $0.family == .primary && $0.decision == .undecided }
        // A run can have more replicas than its baseline.
        let common = min(replicas, comparison.replicas)
        guard common < needed, isOpen else { return nil }
        let few = CompareReport.count(common, "replica is", "replicas are")
        let more =
            comparison.against == nil ? "save a baseline with at least \(needed)" : "run at least \(needed)"
        return "\(few) too few to decide the primary metrics: \(more): --replicas \(needed)"
    }
}

extension CompareReport {
    /// Part of the summary if a run has another seed than its baseline: then it cannot be known whether the behaviour
    /// changed. `nil` if all seeds are equal.
    private var seedText: String? {
        guard let one = scenarios.first(where: { $0.comparisons.contains { $0.unchangedReplicas == nil } }) else {
            return nil
        }
        let before = one.baselineSeed.map { ", the baseline has \($0)" } ?? ", not that of the baseline"
        return "seed \(one.seed)\(before), so different conditions can be the reason"
    }

    /// Part of the summary about gates or expectations. `nil` if there are none.
    private var boundSummary: String? {
        guard !outcomes.isEmpty else { return nil }
        let failures = outcomes.filter(\.isFailure)
        let held = outcomes.count { $0.outcome.verdict == .pass }
        if !failures.isEmpty {
            return boundCount.doNotHold(failures.count, of: outcomes.count) + " (\(listed(failures)))"
        }
        if held == 0 {
            return Self.count(
                outcomes.count, "\(boundCount.one) that only warns does not hold",
                "\(boundCount.many) that only warn do not hold")
        }
        return boundCount.someHold(held, of: outcomes.count)
    }

    /// One sentence for a heading.
    package var summary: String {
        let warnings = outcomes.count(where: \.isWarning)
        var parts: [String] = []
        if !isComplete { parts.append("stopped before its end") }
        let unsound = scenarios.count { !$0.troubles.isEmpty }
        if unsound > 0 { parts.append(Self.count(unsound, "scenario run is invalid", "scenario runs are invalid")) }
        if let scarceSummary { parts.append(scarceSummary) }
        if let unanimousSummary { parts.append(unanimousSummary) }
        if !forbiddenGaps.isEmpty {
            parts.append("not compared, which --strict forbids: " + Uncompared.summary(forbiddenGaps))
        }
        if let regressionSummary { parts.append(regressionSummary) }
        if let boundSummary { parts.append(boundSummary) }
        if let openSummary { parts.append(openSummary) }
        if warnings > 0, warnings < outcomes.count { parts.append(Self.count(warnings, "warning", "warnings")) }
        if reference == .baseline {
            let changed = scenarios.count { $0.comparisons.contains { $0.unchangedReplicas != nil && !$0.isUnchanged } }
            if changed > 0 {
                parts.append(
                    "\(changed) of \(Self.count(scenarios.count, "scenario behaves", "scenarios behave")) differently")
            } else if let seedText {
                parts.append(seedText)
            } else {
                parts.append(uncompared.isEmpty ? "no behaviour changed" : "no compared behaviour changed")
            }
        }
        if case .strategy(let name) = reference {
            let all = scenarios.flatMap { $0.allComparisons.flatMap(\.findings) }
            let counts = [(MetricChange.Assessment.better, "better"), (.worse, "worse"), (.undecided, "undecided")]
                .compactMap {
                    decision, word in
                    let count = all.count { $0.decision == decision }
                    return count == 0 ? nil : "\(count) \(word)"
                }
            parts.append(
                "against \(name.escapedForTerminal): " + (counts.isEmpty ? "the same" : counts.joined(separator: ", ")))
        }
        if !unjudged.isEmpty { parts.append(Self.count(unjudged.count, "bound", "bounds") + " not judged") }
        if !uncompared.isEmpty, forbiddenGaps.isEmpty {
            parts.append("not compared: " + Uncompared.summary(uncompared))
        }
        return parts.isEmpty ? "compared" : parts.joined(separator: "; ")
    }

    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

extension CompareReport {
    /// Note on bounds that hold while messages or calls are still pending. `nil` if there are none.
    var pendingText: String? {
        let count = outcomes.count { $0.outcome.verdict == .pass && $0.outcome.pending != nil }
        guard count > 0 else { return nil }
        return
            "\(Self.count(count, "bound", "bounds")) held while messages or calls were pending; -v and --json show how many"
    }
}

extension Uncompared.UncomparedReason {
    fileprivate var words: String {
        switch self {
        case .new: "new: not in the baseline"
        case .gone: "gone: in the baseline, but not named here"
        case .otherWorld: "changed: its world differs from the baseline"
        }
    }

    /// Text after a count, as in `2 new`.
    fileprivate var countLabel: String { self == .otherWorld ? "with another world" : rawValue }
}

extension Uncompared {
    package var name: String { ([scenario] + [strategy, group].compactMap(\.self)).joined(separator: ", ") }

    /// One sentence, such as `new: not in the baseline; 2 gates of the baseline decide nothing`.
    package var sentence: String {
        let gates = CompareReport.count(
            undecidedGates, "gate of the baseline cannot be checked", "gates of the baseline cannot be checked")
        return reason.words + (undecidedGates == 0 ? "" : "; " + gates)
    }

    /// Counts by reason for the summary line, such as `2 new, 1 gone`.
    static func summary(_ all: [Uncompared]) -> String {
        UncomparedReason.allCases.compactMap { reason in
            let count = all.count { $0.reason == reason }
            return count == 0 ? nil : "\(count) \(reason.countLabel)"
        }.joined(separator: ", ")
    }

    static let advice =
        "deadzone baseline save FILE… --baseline FILE saves the named scenarios again and keeps the others; --replace removes the others"
}
