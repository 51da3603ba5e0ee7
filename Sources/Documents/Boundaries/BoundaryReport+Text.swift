public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension BoundaryReport {
    /// The demand as text, such as `battery.joules at most 60 J`.
    public var demand: String { "\(subject) \(threshold.words(unit, nil))" }
    /// Metric and phone group, such as `battery.joules of new`.
    public var subject: String { metric + (group.map { " of \($0.escapedForTerminal)" } ?? "") }

    public func text(_ style: Style) -> String {
        var text = style.heading(scenario.escapedForTerminal)
        text +=
            style.wrapped(
                "For which values of \(setting.escapedForTerminal) from \(from) to \(to) is \(demand)?", indent: 0)
            + "\n\n"
        for row in strategies {
            text += style.paint(row.name.escapedForTerminal, .bold) + ": " + row.answer + "\n"
            var table = TextTable(leftAligned: [])
            for trial in row.trials {
                table.row([
                    TextTable.TextCell("  " + trial.value), TextTable.TextCell(trial.measured.text(unit)),
                    trial.isKept ? TextTable.TextCell("holds", .green) : TextTable.TextCell("does not", .red),
                ])
            }
            text += table.text(style) + "\n"
        }
        let runs = replicas == 1 ? "one replica" : "\(replicas) replicas"
        return text
            + style.wrapped(
                "Each value is a run of \(runs), seed \(seed). Between two values with the same result, no value was tried.",
                indent: 0)
            + "\n"
    }
}

extension BoundaryReport.StrategyTrials {
    /// The boundaries in one sentence.
    public var answer: String {
        if edges.isEmpty { return isKeptEverywhere ? "holds at every value tried." : "holds at no value tried." }
        return edges.map { edge in
            edge.before.isKept
                ? "holds up to \(edge.kept.value), does not hold at \(edge.broken.value)"
                : "does not hold at \(edge.broken.value), holds from \(edge.kept.value) on"
        }.joined(separator: "; ") + "."
    }
}
