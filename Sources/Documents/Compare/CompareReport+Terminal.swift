public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension CompareReport {
    /// Of each strategy so many changed metrics, the surest first; verbose: all.
    private static let mostRows = 12

    public func terminalText(_ style: Style, isVerbose: Bool = false) -> String {
        var parts = scenarios.map { scenarioText($0, style, isVerbose) }
        parts.append(gateText(style, isVerbose))
        parts.append(regressionText(style))
        let troubles = scenarios.flatMap { scenario in scenario.troubles.map { "\(scenario.name): \($0)" } }
        parts.append(RunReport.troubleText(troubles, style))
        parts.append(uncomparedText(style, isVerbose))
        parts.append(
            style.paint(verdict == .pass ? "pass" : "FAIL", verdict == .pass ? .green : .red) + ": \(summary)\n")
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func scenarioText(_ scenario: ComparedScenario, _ style: Style, _ isVerbose: Bool) -> String {
        let told = scenario.allComparisons.filter { isVerbose || !$0.isUnchanged }
        guard !told.isEmpty else { return "" }
        let replicas = Self.count(scenario.replicas, "replica", "replicas")
        var text =
            style.paint(scenario.name.visible, .bold) + style.paint("  \(replicas), seed \(scenario.seed)", .dim) + "\n"
        var table = TextTable(leftAligned: [0, 4, 5, 6])
        var marks: Set<String> = []
        for comparison in told {
            table.heading("  \(comparison.subject.name.visible): \(comparison.storyText)")
            let rows =
                isVerbose ? (shown: comparison.findings, more: 0) : comparison.rows(atMost: Self.mostRows)
            for change in rows.shown {
                table.heading("    \(change.mark)  \(change.metric.titled)")
                table.row(Self.cells(change))
                marks.insert(change.mark)
            }
            if rows.more > 0 { table.heading("       and \(rows.more) more: -v shows all") }
            if rows.shown.isEmpty && rows.more == 0 { table.heading("       no metric differs") }
        }
        text += table.text(style) + Self.legend(marks, scenario, style)
        for comparison in told { text += Self.divergenceText(comparison, scenario, style) }
        return text
    }

    private static func cells(_ change: MetricChange) -> [TextTable.Cell] {
        let ink: Style.Ink? =
            switch change.decision {
            case .worse: .red
            case .better: .green
            default: nil
            }
        return [
            .init("         " + change.oldText, .dim),
            .init(change.newText, ink), .init(change.changeText, ink), .init(change.differenceText, .dim),
            .init(change.pairsText, .dim), .init(change.pText, .dim),
        ]
    }

    private static func legend(_ marks: Set<String>, _ scenario: ComparedScenario, _ style: Style) -> String {
        var notes: [String] = []
        if marks.contains("!") { notes.append("! worse, not by chance") }
        if marks.contains("+") { notes.append("+ better, not by chance") }
        if marks.contains(".") { notes.append(". not by chance, and too little to care") }
        if marks.contains("~") {
            let advice = scenario.comparisons.lazy.compactMap(scenario.advice).first
            notes.append("~ undecided: " + (advice ?? "may be chance"))
        }
        guard !notes.isEmpty else { return "" }
        notes.append("means over replicas; [ ] is where the difference lies, by the test of p, after Holm")
        return "  " + style.paint(style.wrapped(notes.joined(separator: "; "), indent: 2), .dim) + "\n"
    }

    static func divergenceText(
        _ comparison: StrategyComparison, _ scenario: ComparedScenario, _ style: Style
    ) -> String {
        guard let divergence = comparison.divergence else { return "" }
        var text = "  \(comparison.strategy.visible) first does something else in \(divergence.placeText)\n"
        if !divergence.events.isEmpty {
            text +=
                style.paint(
                    "  what happens there now (what did before, baseline diff --trace tells):",
                    .dim) + "\n"
        }
        for event in divergence.events { text += "    \(event.visible)\n" }
        if divergence.unseen > 0 { text += style.paint("    and \(divergence.unseen) more", .dim) + "\n" }
        return text
    }

    private func gateText(_ style: Style, _ isVerbose: Bool) -> String {
        let told = outcomes.filter { isVerbose || $0.outcome.verdict == .fail }
        guard !outcomes.isEmpty else { return "" }
        var text = style.paint("Gates", .bold) + "\n"
        for outcome in told {
            let (word, ink): (String, Style.Ink?) =
                outcome.isFailure ? ("FAIL", .red) : outcome.isWarning ? ("warn", nil) : ("pass", .green)
            let place =
                outcome.isExpectation ? " (expected by the scenario)" : " (\(outcome.place?.text.visible ?? ""))"
            text +=
                "  " + (ink.map { style.paint(word, $0) } ?? word)
                + "  \(outcome.scenario.visible): \(outcome.sentence)"
            text += style.paint(place, .dim) + "\n"
            if let worst = outcome.worst, let words = outcome.worstText {
                text += "        \(words)\n        \(worst.command.visible)\n"
            }
        }
        let held = outcomes.count { $0.outcome.verdict == .pass }
        text += "  \(held) of \(outcomes.count) hold\n"
        return text + (pendingText.map { "  " + style.paint(style.wrapped($0, indent: 2), .dim) + "\n" } ?? "")
    }

    func uncomparedText(_ style: Style, _ isVerbose: Bool) -> String {
        guard !uncompared.isEmpty else { return "" }
        var text = style.paint("Not compared", .bold) + "\n"
        let told = isVerbose ? uncompared[...] : uncompared.prefix(Self.mostRows)
        for one in told { text += "  \(one.name.visible): \(one.sentence)\n" }
        let more = uncompared.count - told.count
        if more > 0 { text += style.paint("  and \(more) more: -v shows all", .dim) + "\n" }
        return text + "  " + style.paint(style.wrapped(Uncompared.advice, indent: 2), .dim) + "\n"
    }

    private func regressionText(_ style: Style) -> String {
        guard !regressions.isEmpty else { return "" }
        var text = style.paint("Regressions", .bold) + "\n"
        for regression in regressions.prefix(20) {
            let change = regression.change
            text +=
                "  " + style.paint("FAIL", .red) + "  \(regression.scenario.name.visible): \(change.metric.titled) of "
            text += "\(regression.subject.name.visible) went from \(change.oldText) to \(change.newText)\n"
        }
        if regressions.count > 20 { text += "  and \(regressions.count - 20) more\n" }
        return text
    }
}
