import DeadzoneBase
package import DeadzoneMetrics

extension BoundaryReport {
    /// The demand as text, such as `battery.joules at most 60 J`.
    package var demand: String { "\(subject) \(threshold.words(nil, number))" }
    /// Unit in which all figures of the report are printed, so that they can be compared.
    private var printedUnit: PrintedUnit {
        let numbers = strategies.flatMap { $0.trials.compactMap { $0.measured.billionths } } + threshold.numbers
        return PrintedUnit(unit, for: numbers.max() ?? .zero)
    }
    /// Formats a number in the unit of the report.
    private func number(_ value: Billionths) -> String { text(of: .value(value)) }
    /// Formats a figure in the unit of the report.
    package func text(of figure: Figure) -> String {
        let (number, name) = (figure.text(in: printedUnit), printedUnit.name)
        guard figure.billionths != nil, !name.isEmpty else { return number }
        return name == "%" ? number + "%" : "\(number) \(name)"
    }
    /// Metric and phone group, such as `battery.joules of new`.
    package var subject: String { metric + (group.map { " of \($0.escapedForTerminal)" } ?? "") }

    package func text(_ style: Style) -> String {
        var text = style.heading(scenario.escapedForTerminal)
        text +=
            style.wrapped(
                "For which values of \(setting.escapedForTerminal) from \(from) to \(to) is \(demand)?", indent: 0)
            + "\n\n"
        for row in strategies {
            text += style.paint(row.name.escapedForTerminal, .bold) + ": " + row.answer + "\n"
            for reason in reasons(of: row) { text += style.wrapped("Why: " + reason, indent: 2) + "\n" }
            var table = TextTable(leftAligned: [])
            for trial in row.trials {
                table.row([
                    TextTable.TextCell("  " + trial.value), TextTable.TextCell(self.text(of: trial.measured)),
                    trial.isKept ? TextTable.TextCell("holds", .green) : TextTable.TextCell("does not", .red),
                ])
            }
            text += table.text(style) + "\n"
        }
        if !isComplete {
            let count = strategies.first?.trials.count ?? 0
            text +=
                style.wrapped(
                    "Stopped early: \(plural(count, "value")) tried, and the answers above are only as exact as these.",
                    indent: 0) + "\n"
        }
        let runs = replicas == 1 ? "one replica" : "\(replicas) replicas"
        return text
            + style.wrapped(
                "Each value is a run of \(runs), seed \(seed). Between two values with the same result, no value was tried.",
                indent: 0)
            + "\n"
    }
}

extension BoundaryReport {
    /// One sentence for each edge with a known reason.
    func reasons(of row: StrategyTrials) -> [String] { row.edges.compactMap(reason) }

    func reason(of edge: Edge) -> String? {
        guard let reason = edge.reason(of: metric) else { return nil }
        let events = reason.events.map { " (" + $0.text(edge) + ")" } ?? ""
        return reason.change.text(edge) + events + "."
    }
}

extension BoundaryReason.CauseChange {
    /// The quantity with its values at both trials, such as `lost messages, server to app, by cause "packet lost on the
    /// path": 12 at 5m, 0 at 4m`.
    fileprivate func text(_ edge: BoundaryReport.Edge) -> String {
        let printed = PrintedUnit(unit, for: max(kept, broken))
        func number(_ value: Billionths) -> String {
            printed.text(value) + (printed.name.isEmpty ? "" : printed.name == "%" ? "%" : " " + printed.name)
        }
        let quantity =
            switch kind {
            case .lostDown: "messages lost from server to app, cause \"\(title)\""
            case .lostUp: "messages lost from app to server, cause \"\(title)\""
            case .silence: "time without a working connection, cause \"\(title)\""
            case .metric: "\(title) (\(name))"
            }
        return "\(quantity): \(number(broken)) at \(edge.broken.value), \(number(kept)) at \(edge.kept.value)"
    }
}

extension BoundaryReport.StrategyTrials {
    /// The boundaries in one sentence.
    package var answer: String {
        if edges.isEmpty { return isKeptEverywhere ? "holds at every value tried." : "holds at no value tried." }
        return edges.map { edge in
            edge.before.isKept
                ? "holds up to \(edge.kept.value), does not hold at \(edge.broken.value)"
                : "does not hold at \(edge.broken.value), holds from \(edge.kept.value) on"
        }.joined(separator: "; ") + "."
    }
}
