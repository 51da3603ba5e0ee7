public import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

extension BoundaryReport {
    /// `battery.joules at most 60 J`
    public var demand: String { "\(subject) \(threshold.words(unit, nil))" }
    /// `battery.joules of new`
    public var subject: String { metric + (group.map { " of \($0.visible)" } ?? "") }

    public func text(_ style: Style) -> String {
        var text = style.heading(scenario.visible)
        text +=
            style.wrapped("Where is \(demand), as \(setting.visible) goes from \(from) to \(to)?", indent: 0) + "\n\n"
        for row in strategies {
            text += style.paint(row.name.visible, .bold) + ": " + row.answer + "\n"
            var table = TextTable(leftAligned: [])
            for trial in row.trials {
                table.row([
                    TextTable.Cell("  " + trial.value), TextTable.Cell(trial.measured.text(unit)),
                    trial.isKept ? TextTable.Cell("holds", .green) : TextTable.Cell("does not", .red),
                ])
            }
            text += table.text(style) + "\n"
        }
        let runs = replicas == 1 ? "one replica" : "\(replicas) replicas"
        return text
            + style.wrapped(
                "Each value is a run of \(runs), seed \(seed). Between two values that agree nothing was tried.",
                indent: 0)
            + "\n"
    }
}

extension BoundaryReport.Row {
    /// In a sentence.
    public var answer: String {
        if edges.isEmpty { return isKeptEverywhere ? "holds at every value tried." : "holds nowhere." }
        return edges.map { edge in
            edge.before.isKept
                ? "holds up to \(edge.kept.value), and no longer at \(edge.broken.value)"
                : "holds from \(edge.kept.value) on, and not yet at \(edge.broken.value)"
        }.joined(separator: "; ") + "."
    }
}
