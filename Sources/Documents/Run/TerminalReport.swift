public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// The answer on a terminal: who is better at what, whether the expectations hold, and what the numbers stand on.
extension RunReport {
    /// - Parameters:
    ///   - reproduce: the command that gives this run again.
    ///   - look: the beginning of a command that shows one phone of it.
    ///   - isVerbose: names every metric, every source and every assumption of the model.
    public func terminalText(_ style: Style, reproduce: String, look: String = "", isVerbose: Bool = false) -> String {
        let isShort = isMany && !isVerbose
        var parts = [
            heading(style), isShort ? rowsText(style) : comparisonText(style, namesMetrics: isVerbose),
            isShort ? causesText(style) : energyText(style),
        ]
        if !isShort { parts.append(groupText(style, isVerbose: isVerbose)) }
        if isVerbose { parts.append(witnessText(style, look: look)) }
        parts.append(expectationText(style, look: look))
        parts.append(Self.troubleText(troubles, style))
        parts.append(model.text(style, isVerbose: isVerbose))
        parts.append(reproductionText(style, reproduce))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        var facts = [DurationText.short(scenario.duration)]
        if let phone = focus.phone {
            facts.append("phone \(phone) alone")
        } else if scenario.phones > 1 {
            facts.append("\(scenario.phones) phones")
        }
        facts.append(
            focus.replica.map { "replica \($0) alone" }
                ?? (replicas == 1 ? "1 replica" : "\(replicas) replicas"))
        facts.append("seed \(seed)")
        var text = style.paint(scenario.name.visible, .bold) + "\n"
        if !scenario.about.isEmpty { text += style.wrapped(scenario.about.visible, indent: 0) + "\n" }
        return text + style.paint(facts.joined(separator: ", "), .dim) + "\n"
    }

    private func expectationText(_ style: Style, look: String) -> String {
        let outcomes = strategies.flatMap(\.outcomes)
        guard !outcomes.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3, 4])
        table.heading("Expectations")
        for outcome in outcomes { table.row(outcome.cells) }
        let text = table.text(style)
        let rows = style.fits(text) ? text : style.heading("Expectations") + outcomes.map { $0.line(style) }.joined()
        return rows + Self.sum(outcomes, style) + lookText(look)
    }

    /// Commands that show the phones behind what failed.
    private func lookText(_ look: String) -> String {
        var lines: [String] = []
        for strategy in strategies {
            for outcome in strategy.outcomes where outcome.verdict == .fail && outcome.expectation.subject.group == nil
            {
                guard let witness = strategy.witnesses[outcome.expectation.metric] else { continue }
                let line =
                    "  see \(outcome.expectation.metric): \((look + " " + strategy.chosen).visible) \(witness.flags)\n"
                if !lines.contains(line) { lines.append(line) }
            }
        }
        return lines.joined()
    }

    /// Everything that one sample stands for, and whose it is.
    private func witnessText(_ style: Style, look: String) -> String {
        var table = TextTable(leftAligned: [0, 1, 2])
        table.heading("Whose it is: \(look.visible) --strategy STRATEGY, and")
        let known = groups.flatMap(\.metrics).filter { metric in
            strategies.contains { $0.witnesses[metric.name] != nil }
        }
        for metric in known {
            for strategy in strategies {
                guard let witness = strategy.witnesses[metric.name] else { continue }
                table.row([.init("  " + metric.name), .init(strategy.name.visible), .init(witness.flags)])
            }
        }
        return known.isEmpty ? "" : table.text(style)
    }

    /// Why the run fails, one phrase each; what was demanded first.
    public var failures: [String] {
        let bounds = strategies.flatMap { strategy in
            strategy.outcomes.filter { $0.verdict == .fail }.map { outcome in
                let unit = Catalogue.metric(named: outcome.expectation.metric)?.unit ?? .count
                let bound = outcome.expectation.threshold.words(unit, outcome.bounds)
                return
                    "\(outcome.expectation.metric) of \(outcome.expectation.subject.name.visible) is \(outcome.value.text(unit)), not \(bound)"
            }
        }
        return bounds + troubles.map(\.visible)
    }

    static func sum(_ outcomes: [Outcome], _ style: Style) -> String {
        let failed = outcomes.count { $0.verdict == .fail }
        let sum = failed == 0 ? "all \(outcomes.count) hold" : "\(failed) of \(outcomes.count) do not hold"
        return "  " + style.paint(sum, failed == 0 ? .green : .red) + "\n"
    }

    static func troubleText(_ lines: [String], _ style: Style) -> String {
        guard !lines.isEmpty else { return "" }
        return style.paint("This run proves nothing", .red) + "\n"
            + lines.map { "  " + style.wrapped($0.visible, indent: 2, after: 2) + "\n" }.joined()
    }

    private func reproductionText(_ style: Style, _ command: String) -> String {
        var table = TextTable(leftAligned: [0, 1, 2])
        table.heading("Reproduce")
        for strategy in strategies {
            table.row([.init("  digest"), .init(strategy.name.visible), .init(strategy.digest.visible, .dim)])
        }
        return table.text(style) + "  " + command.visible + "\n"
    }
}

extension StrategyReport {
    /// As the command takes it.
    var chosen: String { "--strategy " + ShellWord.text(name) }
}

extension Outcome {
    /// Verdict, strategy, metric, bound, and what it came to.
    var cells: [TextTable.Cell] {
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        return [
            .init(verdict == .pass ? "  pass" : "  FAIL", verdict == .pass ? .green : .red),
            .init(expectation.subject.name.visible), .init(expectation.metric.visible),
            .init(expectation.threshold.words(unit, bounds)), .init(valueText.visible),
        ]
    }

    /// The same where a row is too wide.
    fileprivate func line(_ style: Style) -> String {
        let words = cells.dropFirst().map(\.text).joined(separator: "  ")
        return style.paint(cells[0].text, cells[0].ink ?? .bold) + "  " + style.wrapped(words, indent: 8, after: 8)
            + "\n"
    }
}
