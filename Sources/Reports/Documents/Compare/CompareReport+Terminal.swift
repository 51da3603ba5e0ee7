import DeadzoneBase
package import DeadzoneMetrics

extension CompareReport {
    /// Most changed metrics shown for each strategy, the most certain first. Verbose output shows all.
    private static let maxRows = 12

    package func terminalText(_ style: Style, isVerbose: Bool = false) -> String {
        var parts = identityText.map { ["\($0)\n"] } ?? []
        parts.append(renameSentences.map { $0 + "\n" }.joined())
        parts += scenarios.map { scenarioText($0, style, isVerbose) }
        parts.append(gateText(style, isVerbose))
        parts.append(regressionText(style))
        let troubles = scenarios.flatMap { scenario in scenario.troubles.map { "\(scenario.name): \($0)" } }
        parts.append(RunReport.troubleText(troubles, style))
        parts.append(uncomparedText(style, isVerbose))
        parts.append(roomText(style))
        let word =
            switch statedVerdict {
            case .pass: style.paint("pass", .green)
            case .fail: style.paint("FAIL", .red)
            case .undecided: style.paint("undecided", .bold)
            }
        parts.append(word + ": \(summary)\n")
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func scenarioText(_ scenario: ComparedScenario, _ style: Style, _ isVerbose: Bool) -> String {
        let listed = scenario.allComparisons.filter { isVerbose || !$0.isUnchanged }
        guard !listed.isEmpty else { return "" }
        var text =
            style.paint(scenario.name.escapedForTerminal, .bold)
            + style.paint("  \(scenario.replicaText), seed \(scenario.seed)", .dim) + "\n"
        var table = TextTable(leftAligned: [0, 4, 5, 6, 7])
        var marks: Set<String> = []
        var hasFact = false
        for comparison in listed {
            table.heading("  \(comparison.subject.name.escapedForTerminal): \(comparison.summaryText)")
            let rows =
                isVerbose ? (shown: comparison.findings, more: 0) : comparison.rows(atMost: Self.maxRows)
            for (index, change) in rows.shown.enumerated() {
                if change.family == .secondary, index == 0 || rows.shown[index - 1].family == .primary {
                    table.heading("    exploratory, these never fail the comparison:")
                }
                let isFlattered = comparison.isFlattered(change)
                let mark = isFlattered ? "?" : change.mark
                table.heading("    \(mark)  \(change.metric.titled)")
                table.row(Self.cells(change, isFlattered: isFlattered))
                marks.insert(mark)
                hasFact = hasFact || change.isFact
            }
            if rows.more > 0 { table.heading("       and \(rows.more) more exploratory; -v shows all") }
            if rows.shown.isEmpty && rows.more == 0 { table.heading("       no metric differs") }
        }
        text += table.text(style) + Self.legend(marks, hasFact: hasFact, scenario, style)
        for comparison in listed { text += Self.divergenceText(comparison, style) }
        return text
    }

    private static func cells(_ change: MetricChange, isFlattered: Bool) -> [TextTable.TextCell] {
        let attribute: Style.TextAttribute? =
            switch change.decision {
            case .worse: .red
            case .better: isFlattered ? nil : .green
            default: nil
            }
        return [
            .init("         " + change.oldText, .dim),
            .init(change.newText, attribute), .init(change.changeText, attribute), .init(change.differenceText, .dim),
            .init(change.pairsText, .dim), .init(change.pText, .dim),
            .init(change.decision == .undecided ? change.detectableText : "", .dim),
        ]
    }

    private static func legend(
        _ marks: Set<String>, hasFact: Bool, _ scenario: ComparedScenario, _ style: Style
    ) -> String {
        var notes: [String] = []
        if marks.contains("!") {
            let fact = ", or lost where the reference lost nothing (a fact, whatever p is)"
            notes.append("! significantly worse" + (hasFact ? fact : ""))
        }
        if marks.contains("+") { notes.append("+ significantly better") }
        if marks.contains("?") { notes.append("? significantly lower, but more was lost, so it is no gain") }
        if marks.contains(".") { notes.append(". changed, negligible") }
        if marks.contains("~") {
            let advice = scenario.comparisons.lazy.compactMap(scenario.advice).first
            notes.append("~ undecided: " + (advice ?? "can be chance; > the smallest change that would be found"))
        }
        guard !notes.isEmpty else { return "" }
        notes.append(
            "means over replicas (gates and `run` judge all replicas together); [ ] interval of the difference, from the same test as p, with Holm correction in each family"
        )
        return "  " + style.paint(style.wrapped(notes.joined(separator: "; "), indent: 2), .dim) + "\n"
    }

    static func divergenceText(_ comparison: StrategyComparison, _ style: Style) -> String {
        guard let divergence = comparison.divergence else { return "" }
        var text = "  first difference of \(comparison.strategy.escapedForTerminal): \(divergence.locationText)\n"
        if !divergence.events.isEmpty {
            text +=
                style.paint(
                    "  events there now (baseline diff --trace also shows the earlier event):",
                    .dim) + "\n"
        }
        for event in divergence.events { text += "    \(event.escapedForTerminal)\n" }
        if divergence.unseen > 0 { text += style.paint("    and \(divergence.unseen) more", .dim) + "\n" }
        return text
    }

    private func gateText(_ style: Style, _ isVerbose: Bool) -> String {
        let listed = outcomes.filter { isVerbose || $0.outcome.verdict == .fail }
        guard !outcomes.isEmpty || !unjudged.isEmpty else { return "" }
        var text = style.paint(boundHeading, .bold) + "\n"
        for outcome in listed {
            let (word, attribute): (String, Style.TextAttribute?) =
                outcome.isFailure ? ("FAIL", .red) : outcome.isWarning ? ("warn", nil) : ("pass", .green)
            text +=
                "  " + (attribute.map { style.paint(word, $0) } ?? word)
                + "  \(outcome.scenario.escapedForTerminal): \(outcome.sentence)"
            text += style.paint(" (\(outcome.placeText))", .dim) + "\n"
            if let worst = outcome.worst, let words = outcome.worstText {
                text += "        \(words)\n"
                text += worst.commands.map { "        \($0.escapedForTerminal)\n" }.joined()
            }
        }
        let held = outcomes.count { $0.outcome.verdict == .pass }
        if !outcomes.isEmpty { text += "  \(boundCount.someHold(held, of: outcomes.count))\n" }
        for one in isVerbose ? unjudged[...] : unjudged.prefix(Self.maxRows) {
            text += "  \(one.scenario.escapedForTerminal): \(one.note)\n"
        }
        let more = isVerbose ? 0 : unjudged.count - Self.maxRows
        if more > 0 { text += style.paint("  and \(more) more; -v shows all", .dim) + "\n" }
        return text + (pendingText.map { "  " + style.paint(style.wrapped($0, indent: 2), .dim) + "\n" } ?? "")
    }

    func uncomparedText(_ style: Style, _ isVerbose: Bool) -> String {
        guard !uncompared.isEmpty else { return "" }
        var text = style.paint("Not compared", .bold) + "\n"
        let listed = isVerbose ? uncompared[...] : uncompared.prefix(Self.maxRows)
        for one in listed { text += "  \(one.name.escapedForTerminal): \(one.sentence)\n" }
        let more = uncompared.count - listed.count
        if more > 0 { text += style.paint("  and \(more) more; -v shows all", .dim) + "\n" }
        return text + "  " + style.paint(style.wrapped(Uncompared.advice, indent: 2), .dim) + "\n"
    }

    private func regressionText(_ style: Style) -> String {
        guard !regressions.isEmpty else { return "" }
        var text = style.paint("Regressions", .bold) + "\n"
        for regression in regressions.prefix(20) {
            text +=
                "  " + style.paint("FAIL", .red)
                + "  \(regression.scenario.name.escapedForTerminal): \(regression.sentence)\n"
        }
        if regressions.count > 20 { text += "  and \(regressions.count - 20) more\n" }
        return text
    }
}
