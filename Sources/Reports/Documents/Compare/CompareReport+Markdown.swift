import DeadzoneBase
package import DeadzoneMetrics

extension CompareReport {
    private static let maxRows = 30
    /// Most characters of a sentence with several names.
    private static let maxSummary = 1_000

    /// Line of a report without news. `.ci/comment` then writes no new comment.
    private static let noNews = "<!-- deadzone: nothing changed -->\n\n"

    /// `true` if a reviewer has something to read: changed behaviour, or a failure.
    private var isNews: Bool {
        verdict == .fail || reference != .baseline || identicalScenarios != scenarios.count || !uncompared.isEmpty
            || !unjudged.isEmpty || !renameSentences.isEmpty
    }

    /// Markdown for a step summary or a pull request comment: the verdict, the failures with commands that show them,
    /// then the changes.
    package var markdown: String {
        let identity = identityText.map { Markdown.escaped($0, atMost: Self.maxSummary) + "\n\n" } ?? ""
        let heading =
            "## Deadzone: \(statedVerdict.words)\n\n" + identity
            + "\(Markdown.escaped(summary, atMost: Self.maxSummary))\n\n" + (isNews ? "" : Self.noNews)
            + renameSentences.prefix(Self.maxRows).map { Markdown.escaped($0, atMost: Self.maxSummary) + "\n\n" }
            .joined()
        let primary = scenarios.map(primaryMarkdown).filter { !$0.isEmpty }
        let details = scenarios.map(scenarioMarkdown).filter { !$0.isEmpty }
        return Markdown.truncated([heading] + gateMarkdown + primary + details + roomMarkdown) {
            "\nand \($0) more parts, left out because of the size limit\n"
        }
    }

    private var gateMarkdown: [String] {
        var pieces: [String] = []
        for scenario in scenarios {
            for trouble in scenario.troubles {
                pieces.append(
                    "- ❌ **\(Markdown.escaped(scenario.name))**: invalid run: \(Markdown.escaped(trouble))\n")
            }
        }
        // Without an empty line, a reader takes the next paragraph for a part of the list's last item.
        if !pieces.isEmpty { pieces.append("\n") }
        for outcome in outcomes where outcome.isFailure || outcome.isWarning {
            let sign = outcome.isFailure ? "❌" : "⚠️ warning:"
            var text =
                "\(sign) **\(Markdown.escaped(outcome.scenario))**, **\(Markdown.escaped(outcome.subject.name))**: "
            text += "`\(outcome.metric)` is \(Markdown.escaped(outcome.valueText)); "
            text += "the bound is \(Markdown.escaped(outcome.boundText)) (\(Markdown.escaped(outcome.placeText)))\n"
            if let worst = outcome.worst, let words = outcome.worstText {
                text += "\n\(Markdown.escaped(words))\n\n" + worst.commands.map(Markdown.fenced).joined()
            }
            pieces.append(text + "\n")
        }
        for one in unjudged.prefix(Self.maxRows) {
            let note = Markdown.escaped(one.note, atMost: Self.maxSummary)
            pieces.append("- **\(Markdown.escaped(one.scenario))**: \(note)\n")
        }
        if !unjudged.isEmpty { pieces.append("\n") }
        if let pendingText { pieces.append(Markdown.escaped(pendingText) + "\n\n") }
        for one in uncompared.prefix(Self.maxRows) {
            let sign = isStrict ? "❌ " : ""
            pieces.append(
                "- \(sign)**\(Markdown.escaped(one.name))** was not compared. \(Markdown.escaped(one.sentence))\n")
        }
        if !uncompared.isEmpty { pieces.append("\n") }
        for regression in regressions {
            pieces.append(
                "❌ **\(Markdown.escaped(regression.scenario.name))**: \(Markdown.escaped(regression.sentence, atMost: Self.maxSummary))\n\n"
            )
        }
        for open in openQuestions {
            pieces.append(
                "⚠️ **\(Markdown.escaped(open.scenario.name))**: \(Markdown.escaped(open.sentence, atMost: Self.maxSummary))\n\n"
            )
        }
        return pieces
    }

    /// The primary metrics of every strategy that differs. They are never folded away.
    private func primaryMarkdown(_ scenario: ComparedScenario) -> String {
        var rows: [[String]] = []
        for comparison in scenario.allComparisons where !comparison.isUnchanged {
            for change in comparison.findings where change.family == .primary {
                rows.append([
                    Markdown.escaped(comparison.subject.name), "`\(change.metric.name)`",
                    Markdown.escaped(change.oldText), Markdown.escaped(change.newText),
                    Markdown.escaped(change.changeText), comparison.sign(of: change),
                    Markdown.escaped(change.detectableText),
                ])
            }
        }
        guard !rows.isEmpty else { return "" }
        let more = rows.count - Self.maxRows
        let compared = scenario.partlyCompared?.replicas ?? scenario.replicas
        return "**\(Markdown.escaped(scenario.name))**, primary metrics\n\n"
            + Markdown.table(
                ["strategy", "metric", "before", "now", "change", "verdict", "would be found"],
                Array(rows.prefix(Self.maxRows)))
            + (more > 0 ? "\nand \(more) more\n" : "")
            + "\n*would be found*: the smallest effect that \(Self.count(compared, "replica", "replicas")) "
            + "would have shown in four of five comparisons. *before* and *now* are means over the replicas; gates and "
            + "`run` judge all replicas together.\n\n"
    }

    private func scenarioMarkdown(_ scenario: ComparedScenario) -> String {
        let listed = scenario.allComparisons.filter { !$0.isUnchanged }
        guard !listed.isEmpty else { return "" }
        let part = scenario.partlyCompared == nil ? "" : ", \(scenario.replicaText)"
        var text = "<details><summary>\(Markdown.escaped(scenario.name))\(part)</summary>\n\n"
        for comparison in listed {
            text += "**\(Markdown.escaped(comparison.subject.name))**, \(Markdown.escaped(comparison.summaryText))\n\n"
            let rows = comparison.rows(atMost: Self.maxRows)
            text += Markdown.table(
                ["", "metric", "before", "now", "change", "difference [interval]", "pairs", "p"],
                rows.shown.map { change in
                    [comparison.sign(of: change), "`\(change.metric.name)`"]
                        + [
                            change.oldText, change.newText, change.changeText, change.differenceText, change.pairsText,
                            change.pText,
                        ].map { Markdown.escaped($0) }
                })
            if rows.more > 0 { text += "\nand \(rows.more) more exploratory\n" }
            if let divergence = comparison.divergence {
                text += "\nFirst difference: \(Markdown.escaped(divergence.locationText)).\n"
                if !divergence.events.isEmpty { text += "\n" + Markdown.lines(divergence.events) }
            }
            text += "\n"
        }
        return text + Markdown.fenced(scenario.command) + "\n</details>\n\n"
    }
}

extension CompareReport.StatedVerdict {
    fileprivate var words: String {
        switch self {
        case .pass: "pass ✅"
        case .fail: "fail ❌"
        case .undecided: "undecided ⚠️"
        }
    }
}

extension Markdown {
    fileprivate static func lines(_ lines: [String]) -> String {
        "```text\n" + lines.map { $0.escapedForTerminal.replacing("```", with: "'''") + "\n" }.joined() + "```\n"
    }
}

extension StrategyComparison {
    fileprivate func sign(of change: MetricChange) -> String {
        switch change.decision {
        case .worse: "🔺 worse"
        case .better: isFlattered(change) ? "lower, but more was lost" : "✅ better"
        case .changed: "changed"
        case .small: "negligible"
        case .undecided: "&#126; undecided"
        case .same: "="
        }
    }
}
