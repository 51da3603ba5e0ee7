import DeadzoneBase
package import DeadzoneMetrics

/// Sentences for the summary of a comparison: regressions, open questions, and the replicas that would decide them. All
/// formats use them. `CompareReport.verdict` decides the verdict itself.
extension CompareReport {
    private static let maxNames = 3
    private static let maxNameLength = 60

    /// First line of a comparison with a baseline, such as `Behaviour identical in 6 of 7 scenarios (digests equal); 1
    /// changed: Elevator`. `nil` without a baseline.
    package var identityText: String? {
        guard let same = identicalScenarios, !scenarios.isEmpty else { return nil }
        let count = scenarios.count
        var text = "Behaviour identical in "
        text +=
            same == count
            ? BoundCount.all(count, "scenario", "scenarios")
            : "\(same) of \(Self.count(count, "scenario", "scenarios"))"
        if same > 0 { text += " (digests equal)" }
        let compared = scenarios.filter { !$0.comparisons.isEmpty }
        let changed = compared.filter { !$0.comparisons.allSatisfy(\.isUnchanged) }
        if !changed.isEmpty {
            let names = changed.prefix(Self.maxNames).map { Self.short($0.name) }
            let more = changed.count - names.count
            text += "; \(changed.count) changed: "
            text += (names + (more > 0 ? ["and \(more) more"] : [])).joined(separator: ", ")
        }
        let open = compared.filter { hasUncomparedStrategy($0) && $0.comparisons.allSatisfy(\.isUnchanged) }
        if let first = open.first {
            text += "; \(open.count) with strategies that were not compared: \(Self.short(first.name))"
            text += open.count > 1 ? ", and \(open.count - 1) more" : ""
        }
        let parts = scenarios.filter { $0.partlyCompared != nil }
        if let first = parts.first {
            text += "; \(first.replicaText)" + (count > 1 ? " in \(Self.short(first.name))" : "")
            text += parts.count > 1 ? " and not all in \(parts.count - 1) more" : ""
        }
        let rest = scenarios.filter(\.comparisons.isEmpty)
        let moved = rest.count { one in
            uncompared.contains { $0.scenario == one.name && $0.strategy == nil && $0.reason == .otherWorld }
        }
        if rest.count > moved { text += "; \(rest.count - moved) without a baseline" }
        return text + (moved > 0 ? "; \(moved) with another world than the baseline" : "")
    }

    /// Part of the summary, such as `2 regressions (delivery.down.lost of tuned: 0 -> 21.5; …)`. `nil` if there are
    /// none.
    var regressionSummary: String? {
        guard !regressions.isEmpty else { return nil }
        let count = Self.count(regressions.count, "regression", "regressions")
        return "\(count) (\(changes(regressions, \.lossText)))"
    }

    /// Part of the summary, such as `too few to decide: 1 of 20 replicas compared: a baseline with --replicas 20 would
    /// decide`. `nil` if enough replicas were compared.
    var scarceSummary: String? {
        guard let first = tooFewCompared.first, let part = first.partlyCompared else { return nil }
        let name = scenarios.count > 1 ? " in \(Self.short(first.name))" : ""
        let more = tooFewCompared.count > 1 ? ", and too few in \(tooFewCompared.count - 1) more" : ""
        let needed = max(part.of, PrimaryMetric.neededReplicas)
        let advice =
            first.baselineReplicas == part.replicas ? "a baseline with --replicas \(needed)" : "--replicas \(needed)"
        return "too few to decide: \(first.replicaText)\(name)\(more) (\(advice) would decide)"
    }

    /// First part of the summary of an undecided comparison, such as `delivery.down.lost of tuned: 25 -> 29.6, worse in
    /// 5 of 5 replicas (a baseline with --replicas 9 would decide)`. `nil` for any other verdict.
    var unanimousSummary: String? {
        guard statedVerdict == .undecided, !unanimousLosses.isEmpty else { return nil }
        return changes(unanimousLosses) { one in
            let change = one.change
            let count = change.contrast.count
            let needed = change.neededReplicas.map { " (a baseline with --replicas \($0) would decide)" } ?? ""
            return ", worse in \(count) of \(Self.count(count, "replica", "replicas"))" + needed
        }
    }

    /// Part of the summary, such as `undecided: latency.down.p95 of tuned: 1.5 s -> 1.7 s (40 replicas would decide)`.
    /// An undecided comparison begins with its unanimous losses, so they are not repeated. `nil` if nothing else seems
    /// worse.
    var openSummary: String? {
        let isUndecided = statedVerdict == .undecided
        let first = Set(isUndecided ? unanimousLosses.map(\.identity) : [])
        let rest = openQuestions.filter { !first.contains($0.identity) }
        guard !rest.isEmpty else { return nil }
        return (isUndecided ? "also undecided: " : "undecided: ")
            + changes(rest) { one in " (\(one.change.neededText))" }
    }

    /// Part of the last line of `baseline diff`, such as `losses differ (delivery.down.lost of tuned: 0 -> 21.5)`.
    /// `nil` if no loss differs.
    var lossSummary: String? {
        guard !changedLosses.isEmpty else { return nil }
        let list = listed(changedLosses) { one in
            let (whole, unit) = (one.change.whole, one.change.metric.unit)
            return title(one.change.metric.name, one.subject, in: one.scenario.name)
                + "\(whole.old.text(unit)) -> \(whole.new.text(unit))"
        }
        return "losses differ (\(list))"
    }

    private func changes(_ all: [Regression], _ more: (Regression) -> String) -> String {
        listed(all) { one in
            title(one.change.metric.name, one.subject, in: one.scenario.name)
                + "\(one.change.oldText) -> \(one.change.newText)\(more(one))"
        }
    }

    /// The bounds that do not hold, such as `delivery.down.lost of tuned: 21.5`.
    func listed(_ failures: [GateOutcome]) -> String {
        listed(failures) { title($0.metric, $0.subject, in: $0.scenario) + $0.outcome.value.text($0.unitOfMetric) }
    }

    private func listed<Item>(_ all: [Item], _ text: (Item) -> String) -> String {
        let names = all.prefix(Self.maxNames).map(text)
        let rest = all.count - names.count
        return (names + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
    }

    private func title(_ metric: String, _ subject: Subject, in scenario: String) -> String {
        "\(metric) of \(Self.short(subject.name))" + (scenarios.count > 1 ? " in \(Self.short(scenario))" : "") + ": "
    }

    private static func short(_ name: String) -> String {
        let text = name.escapedForTerminal
        return text.count > maxNameLength ? String(text.prefix(maxNameLength)) + "…" : text
    }
}

extension Regression {
    /// For a cost, such as `, while delivery.down.lost fell from 48.8 to 0`. Empty if no loss fell.
    fileprivate var lossText: String {
        let losses = fallenLosses.map { "\($0.metric.name) fell from \($0.oldText) to \($0.newText)" }
        return losses.isEmpty ? "" : ", while " + losses.joined(separator: " and ")
    }

    /// Texts that identify the metric among those of all scenarios.
    fileprivate var identity: [String] { [scenario.name, subject.name, change.metric.name] }

    /// One sentence for an annotation, a JUnit case or a list.
    package var sentence: String {
        let what = "\(change.metric.titled) of \(subject.name.escapedForTerminal)"
        let values = "from \(change.oldText) to \(change.newText)\(change.wholeText)"
        if change.isFact { return "\(what) changed \(values): nothing was lost before, under the same seeds" }
        guard change.decision == .undecided else { return "\(what) changed \(values)\(lossText)" }
        if change.isWorseInEveryReplica, let needed = change.neededReplicas {
            let count = change.contrast.count
            return
                "\(what) is worse in \(count) of \(CompareReport.count(count, "replica", "replicas")), \(values), but so few cannot decide: a baseline with --replicas \(needed) would"
        }
        return "\(what) seems to change \(values), but this is undecided: \(change.neededText)"
    }
}

extension MetricChange {
    /// The number of replicas that would decide an undecided change: `40 replicas would decide`.
    package var neededText: String {
        neededReplicas.map { "about \($0) replicas would decide" } ?? "no usual number of replicas would decide"
    }

    /// The smallest change that the replicas would find in four of five comparisons, such as `> 2.1 J`. Empty if
    /// unknown.
    package var detectableText: String {
        guard let detectable, contrast.differs else { return "" }
        return "> " + Figure.value(detectable).text(metric.unit)
    }
}
