import DeadzoneMetrics
import DeadzonePrimitives

/// The answer on a terminal: who is better at what, whether the expectations hold, and what the numbers stand on.
extension RunReport {
    /// - Parameters:
    ///   - reproduce: the command that gives this run again.
    ///   - isVerbose: names every source and every assumption of the model.
    public func terminalText(_ style: Style, reproduce: String, isVerbose: Bool = false) -> String {
        let isShort = isMany && !isVerbose
        var parts = [
            heading(style), isShort ? rowsText(style) : comparisonText(style),
            isShort ? causesText(style) : energyText(style),
        ]
        parts.append(expectationText(style))
        parts.append(Self.troubleText(troubles, style))
        parts.append(model.text(style, isVerbose: isVerbose))
        parts.append(reproductionText(style, reproduce))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func heading(_ style: Style) -> String {
        var facts = [DurationText.short(scenario.duration)]
        if scenario.phones > 1 { facts.append("\(scenario.phones) phones") }
        facts.append(replicas == 1 ? "1 replica" : "\(replicas) replicas")
        facts.append("seed \(seed)")
        var text = style.paint(scenario.name.visible, .bold) + "\n"
        if !scenario.about.isEmpty { text += style.wrapped(scenario.about.visible, indent: 0) + "\n" }
        return text + style.paint(facts.joined(separator: ", "), .dim) + "\n"
    }

    private func expectationText(_ style: Style) -> String {
        let outcomes = strategies.flatMap(\.outcomes)
        guard !outcomes.isEmpty else { return "" }
        var table = TextTable(leftAligned: [0, 1, 2, 3, 4])
        table.heading("Expectations")
        for outcome in outcomes { table.row(outcome.cells) }
        return table.text(style) + Self.sum(outcomes, style)
    }

    static func sum(_ outcomes: [Outcome], _ style: Style) -> String {
        let failed = outcomes.count { $0.verdict == .fail }
        let sum = failed == 0 ? "all \(outcomes.count) hold" : "\(failed) of \(outcomes.count) do not hold"
        return "  " + style.paint(sum, failed == 0 ? .green : .red) + "\n"
    }

    /// Why the run proves nothing, one sentence each; empty for a sound one.
    var troubles: [String] {
        var lines = isComplete ? [] : ["stopped before its end: the numbers cover a part of the run"]
        lines += vacuous
        lines += strategies.flatMap { strategy in strategy.stops.map { "\(strategy.name): \($0)" } }
        for strategy in strategies where strategy.measurement.unreadable > 0 {
            lines.append("\(strategy.name): \(strategy.measurement.unreadable) records could not be read")
        }
        return lines
    }

    static func troubleText(_ lines: [String], _ style: Style) -> String {
        guard !lines.isEmpty else { return "" }
        return style.paint("This run proves nothing", .red) + "\n"
            + lines.map { "  " + style.wrapped($0.visible, indent: 2) + "\n" }.joined()
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

extension Outcome {
    /// Verdict, strategy, metric, bound, and what it came to.
    var cells: [TextTable.Cell] {
        let unit = Catalogue.metric(named: expectation.metric)?.unit ?? .count
        return [
            .init(verdict == .pass ? "  pass" : "  FAIL", verdict == .pass ? .green : .red),
            .init(expectation.strategy.visible), .init(expectation.metric.visible),
            .init(expectation.threshold.words(unit, bounds)), .init(valueText.visible),
        ]
    }
}
