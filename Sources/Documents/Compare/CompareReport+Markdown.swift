public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension CompareReport {
    private static let mostRows = 30

    /// For a step summary or a comment on a pull request: the verdict, what fails and how to see it, then what changed.
    public var markdown: String {
        let heading = "## Deadzone: \(verdict == .pass ? "pass ✅" : "fail ❌")\n\n\(Markdown.escaped(summary))\n\n"
        let gates = gateMarkdown
        let details = scenarios.map(scenarioMarkdown).filter { !$0.isEmpty }
        return Markdown.fitted([heading] + gates + details) { "\nand \($0) more parts that do not fit here\n" }
    }

    private var gateMarkdown: [String] {
        var pieces: [String] = []
        for scenario in scenarios {
            for trouble in scenario.troubles {
                pieces.append(
                    "- ❌ **\(Markdown.escaped(scenario.name))** proves nothing: \(Markdown.escaped(trouble))\n")
            }
        }
        for outcome in outcomes where outcome.isFailure || outcome.isWarning {
            let sign = outcome.isFailure ? "❌" : "⚠️ warning:"
            var text =
                "\(sign) **\(Markdown.escaped(outcome.scenario))**, **\(Markdown.escaped(outcome.subject.name))**: "
            text += "`\(outcome.metric)` is \(Markdown.escaped(outcome.valueText)); "
            text += "the bound is \(Markdown.escaped(outcome.boundText))\n"
            if let worst = outcome.worst, let words = outcome.worstText {
                text += "\n\(Markdown.escaped(words))\n\n" + Markdown.code(worst.command)
            }
            pieces.append(text + "\n")
        }
        if let pendingText { pieces.append(Markdown.escaped(pendingText) + "\n\n") }
        for one in uncompared.prefix(Self.mostRows) {
            pieces.append("- **\(Markdown.escaped(one.name))** is not compared. \(Markdown.escaped(one.sentence))\n")
        }
        for regression in regressions {
            let change = regression.change
            pieces.append(
                "❌ **\(Markdown.escaped(regression.scenario.name))**, **\(Markdown.escaped(regression.subject.name))**: "
                    + "`\(change.metric.name)` went from \(Markdown.escaped(change.oldText)) to "
                    + "\(Markdown.escaped(change.newText))\n\n")
        }
        return pieces
    }

    private func scenarioMarkdown(_ scenario: ComparedScenario) -> String {
        let told = scenario.allComparisons.filter { !$0.isUnchanged }
        guard !told.isEmpty else { return "" }
        var text = "<details><summary>\(Markdown.escaped(scenario.name))</summary>\n\n"
        for comparison in told {
            text += "**\(Markdown.escaped(comparison.subject.name))**, \(Markdown.escaped(comparison.storyText))\n\n"
            let rows = comparison.rows(atMost: Self.mostRows)
            text += Markdown.table(
                ["", "metric", "before", "now", "change", "difference [where it lies]", "pairs", "p"],
                rows.shown.map { change in
                    [change.sign, "`\(change.metric.name)`"]
                        + [
                            change.oldText, change.newText, change.changeText, change.differenceText, change.pairsText,
                            change.pText,
                        ].map(Markdown.escaped)
                })
            if rows.more > 0 { text += "\nand \(rows.more) more\n" }
            if let divergence = comparison.divergence {
                text += "\nFirst does something else in \(Markdown.escaped(divergence.placeText)).\n"
                if !divergence.events.isEmpty { text += "\n" + Markdown.lines(divergence.events) }
            }
            text += "\n"
        }
        return text + Markdown.code(scenario.command) + "\n</details>\n\n"
    }
}

extension Markdown {
    fileprivate static func lines(_ lines: [String]) -> String {
        "```text\n" + lines.map { $0.visible.replacing("```", with: "'''") + "\n" }.joined() + "```\n"
    }
}

extension MetricChange {
    fileprivate var sign: String {
        switch decision {
        case .worse: "🔺 worse"
        case .better: "✅ better"
        case .changed: "changed"
        case .small: "small"
        case .undecided: "&#126;"
        case .same: "="
        }
    }
}
