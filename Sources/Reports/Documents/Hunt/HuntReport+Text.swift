import DeadzoneBase
package import DeadzoneMetrics

extension HuntReport {
    /// The answer for a terminal: for each demand the conclusion, the scenario, its story, and the surviving clients.
    package func text(_ style: Style) -> String {
        var text = style.heading("Hunt for \(strategy.escapedForTerminal) in \(scenario.escapedForTerminal)")
        for index in demands.indices {
            let isBroken = finds.contains { $0.demand == index }
            let mark = isBroken ? style.paint("✗", .red) : style.paint("✓", .green)
            text += "\(mark) " + style.wrapped(sentence(index), indent: 2, after: 2) + "\n"
        }
        for find in finds { text += "\n" + section(find, style) }
        return text + "\n" + style.wrapped(effortText, indent: 0) + "\n"
    }

    private func section(_ find: HuntFind, _ style: Style) -> String {
        let demand = demands[find.demand]
        var text = style.heading("\(demand.metric) in this world")
        text += find.yaml + "\n"
        for (number, entry) in find.entries.enumerated() {
            text += "\(number + 1). " + style.wrapped(entry.text.escapedForTerminal, indent: 3, after: 3) + "\n   "
            text += style.wrapped(entry.story.escapedForTerminal, indent: 3, after: 3) + "\n"
        }
        if !find.messages.isEmpty { text += "   Messages: \(find.messages.joined(separator: ", ")).\n" }
        text += "\n"
        for range in find.ranges { text += "  " + style.wrapped(self.text(of: range), indent: 4, after: 2) + "\n" }
        for line in [origin(of: find), seeds(of: find)] + clients(of: find) {
            text += style.wrapped(line.escapedForTerminal, indent: 0) + "\n"
        }
        if let file = find.file { text += style.wrapped("Written to \(file.escapedForTerminal)", indent: 0) + "\n" }
        return text
    }

    /// The answer as Markdown, for a step summary.
    package var markdown: String {
        var text = "### Hunt for \(strategy) in \(scenario)\n\n"
        for index in demands.indices { text += "- \(sentence(index))\n" }
        for find in finds {
            text += "\n#### \(demands[find.demand].metric)\n\n```yaml\n\(find.yaml)```\n\n"
            for (number, entry) in find.entries.enumerated() {
                text += "\(number + 1). `\(entry.text)`: \(entry.story)\n"
            }
            text += "\n" + ([origin(of: find), seeds(of: find)] + clients(of: find)).joined(separator: " ") + "\n"
        }
        return text + "\n" + effortText + "\n"
    }
}

extension CorpusReport {
    /// One line for each demand of the corpus, and a summary.
    package func text(_ style: Style) -> String {
        var table = TextTable(leftAligned: [0, 1, 2])
        for outcome in outcomes {
            table.row([
                .init(outcome.isKept ? "holds" : "BREAKS", outcome.isKept ? .green : .red),
                .init(outcome.file.escapedForTerminal), .init(outcome.strategy.escapedForTerminal),
                .init("\(outcome.metric) \(outcome.threshold.words(outcome.unit, nil))"),
                .init(outcome.value.text(outcome.unit)),
            ])
        }
        var text = outcomes.isEmpty ? "" : table.text(style) + "\n"
        for trouble in troubles { text += style.wrapped("Warning: \(trouble.escapedForTerminal)", indent: 2) + "\n" }
        return text + summary + "\n"
    }

    private var summary: String {
        let broken = outcomes.count { !$0.isKept }
        if outcomes.isEmpty, isComplete { return "0 demands: the folder contains no scenario." }
        return "\(plural(outcomes.count, "demand")), \(broken) broken" + (isComplete ? "" : ", stopped early")
    }

    /// One line for each demand, and the summary, for a step summary.
    package var markdown: String {
        var text = "### Replay of finds\n\n"
        for outcome in outcomes {
            let verdict = outcome.isKept ? "holds" : "**BREAKS**"
            text +=
                "- \(verdict): `\(outcome.file)`, \(outcome.strategy), \(outcome.metric) "
                + "\(outcome.threshold.words(outcome.unit, nil)): \(outcome.value.text(outcome.unit))\n"
        }
        for trouble in troubles { text += "- Warning: \(trouble)\n" }
        return text + (outcomes.isEmpty && troubles.isEmpty ? "" : "\n") + summary + "\n"
    }
}
