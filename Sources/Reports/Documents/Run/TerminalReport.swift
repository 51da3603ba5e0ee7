import DeadzoneBase
package import DeadzoneMetrics

/// Terminal text of a run: comparison of the strategies, expectations, and the model behind the numbers.
extension RunReport {
    /// - Parameters:
    ///   - reproduce: The command that repeats this run.
    ///   - showCommand: The start of a command that shows one phone of this run.
    ///   - isVerbose: `true` to list every metric, every source and every assumption of the model.
    package func terminalText(_ style: Style, reproduce: String, showCommand: String = "", isVerbose: Bool = false)
        -> String
    {
        let isShort = isMany && !isVerbose
        var parts = [
            heading(style), isShort ? rowsText(style) : comparisonText(style, namesMetrics: isVerbose),
            isShort ? causesText(style) : energyText(style),
        ]
        if !isShort { parts.append(lossText(style, isFull: isVerbose)) }
        if isVerbose { parts.append(entryText(style)) }
        if !isShort { parts.append(groupText(style, isVerbose: isVerbose)) }
        if isVerbose { parts.append(witnessText(style, showCommand: showCommand)) }
        parts.append(expectationText(style, showCommand: showCommand))
        parts.append(Self.troubleText(troubles, style))
        parts.append(model.text(style, isVerbose: isVerbose))
        parts.append(reproductionText(style, reproduce))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        var facts = [DurationText.short(scenario.duration)]
        if let start = scenario.startOfDay { facts.append("from \(TimeOfDay(sinceMidnight: start).text)") }
        if let phone = focus.phone {
            facts.append("phone \(phone) only")
        } else if scenario.phones > 1 {
            facts.append("\(scenario.phones) phones")
        }
        facts.append(
            focus.replica.map { "replica \($0) only" }
                ?? (replicas == 1 ? "1 replica" : "\(replicas) replicas"))
        facts.append("seed \(seed)")
        var text = style.paint(scenario.name.escapedForTerminal, .bold) + "\n"
        if !scenario.about.isEmpty { text += style.wrapped(scenario.about.escapedForTerminal, indent: 0) + "\n" }
        return text + style.paint(facts.joined(separator: ", "), .dim) + "\n"
    }

    private func expectationText(_ style: Style, showCommand: String) -> String {
        let outcomes = strategies.flatMap(\.outcomes)
        let unjudged = Self.unjudgedText([self], style)
        guard !outcomes.isEmpty else { return unjudged.isEmpty ? "" : style.heading("Expectations") + unjudged }
        var table = TextTable(leftAligned: [0, 1, 2, 3, 4])
        table.heading("Expectations")
        for outcome in outcomes { table.row(outcome.cells) }
        let text = table.text(style)
        let rows = style.fits(text) ? text : style.heading("Expectations") + outcomes.map { $0.line(style) }.joined()
        return rows + Self.outcomeSummary(outcomes, style) + unjudged + showCommandText(showCommand)
    }

    /// Commands that show the phones behind failed expectations.
    private func showCommandText(_ showCommand: String) -> String {
        var lines: [String] = []
        for strategy in strategies {
            for outcome in strategy.outcomes where outcome.verdict == .fail && outcome.expectation.subject.group == nil
            {
                guard let witness = strategy.witnesses[outcome.expectation.metric] else { continue }
                let line =
                    "  see \(outcome.expectation.metric): \((showCommand + " " + strategy.strategyFlag).escapedForTerminal) \(witness.flags)\n"
                if !lines.contains(line) { lines.append(line) }
            }
        }
        return lines.joined()
    }

    /// For each metric that comes from one phone (a maximum or a percentile): the flags that show this phone.
    private func witnessText(_ style: Style, showCommand: String) -> String {
        var table = TextTable(leftAligned: [0, 1, 2])
        table.heading("Replica and phone of each value: \(showCommand.escapedForTerminal) --strategy STRATEGY, and")
        let known = groups.flatMap(\.metrics).filter { metric in
            strategies.contains { $0.witnesses[metric.name] != nil }
        }
        for metric in known {
            for strategy in strategies {
                guard let witness = strategy.witnesses[metric.name] else { continue }
                table.row([.init("  " + metric.name), .init(strategy.name.escapedForTerminal), .init(witness.flags)])
            }
        }
        return known.isEmpty ? "" : table.text(style)
    }

    /// Reasons why the run fails, one phrase each: failed expectations first, then troubles.
    package var failures: [String] {
        let bounds = strategies.flatMap { strategy in
            strategy.outcomes.filter { $0.verdict == .fail }.map { outcome in
                let unit = Catalogue.metric(named: outcome.expectation.metric)?.unit ?? .count
                let bound = outcome.expectation.threshold.words(unit, outcome.bounds)
                return
                    "\(outcome.expectation.metric) of \(outcome.expectation.subject.name.escapedForTerminal) is \(outcome.value.text(unit)), not \(bound)"
            }
        }
        return bounds + troubles.map(\.escapedForTerminal)
    }

    static func outcomeSummary(_ outcomes: [Outcome], _ style: Style) -> String {
        let failed = outcomes.count { $0.verdict == .fail }
        let sum = BoundCount.sum(failed, of: outcomes.count)
        return "  " + style.paint(sum, failed == 0 ? .green : .red) + "\n"
    }

    static func troubleText(_ lines: [String], _ style: Style) -> String {
        guard !lines.isEmpty else { return "" }
        return style.paint("Invalid run", .red) + "\n"
            + lines.map { "  " + style.wrapped($0.escapedForTerminal, indent: 2, after: 2) + "\n" }.joined()
    }

    private func reproductionText(_ style: Style, _ command: String) -> String {
        var table = TextTable(leftAligned: [0, 1, 2])
        table.heading("Reproduce")
        for strategy in strategies {
            table.row([
                .init("  digest"), .init(strategy.name.escapedForTerminal),
                .init(strategy.digest.escapedForTerminal, .dim),
            ])
        }
        return table.text(style) + "  " + command.escapedForTerminal + "\n"
    }
}

extension StrategyReport {
    /// The strategy as a command-line flag.
    var strategyFlag: String { "--strategy " + ShellWord.text(name) }
}

extension Outcome {
    /// Table cells: verdict, subject, metric, bound and measured value.
    var cells: [TextTable.TextCell] {
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        return [
            .init(verdict == .pass ? "  pass" : "  FAIL", verdict == .pass ? .green : .red),
            .init(expectation.subject.name.escapedForTerminal), .init(expectation.metric.escapedForTerminal),
            .init(expectation.threshold.words(unit, bounds)), .init(valueText.escapedForTerminal),
        ]
    }

    /// The same cells as wrapped text, for a terminal that is too narrow for the table.
    fileprivate func line(_ style: Style) -> String {
        let words = cells.dropFirst().map(\.text).joined(separator: "  ")
        return style.paint(cells[0].text, cells[0].attribute ?? .bold) + "  "
            + style.wrapped(words, indent: 8, after: 8)
            + "\n"
    }
}
