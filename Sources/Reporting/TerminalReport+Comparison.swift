import DeadzoneMetrics
import DeadzonePrimitives

extension RunReport {
    /// Metrics as rows, strategies as columns. The first strategy is what the others are compared with.
    func comparisonText(_ style: Style) -> String {
        let measurements = strategies.map(\.measurement)
        var table = TextTable(leftAligned: Set([0] + (0..<strategies.count).map { 2 + 3 * $0 + 1 }))
        var header: [TextTable.Cell] = [.init(""), .init("")]
        for strategy in strategies { header += [.init(strategy.name.visible, .bold), .init(""), .init("")] }
        table.row(header)
        var marks: Set<String> = []
        for group in groups {
            table.heading(group.title)
            for metric in group.metrics {
                let comparison = Comparison(metric, measurements)
                for mark in comparison.marks { marks.insert(mark.rawValue) }
                if measurements.contains(where: { $0.figure(metric.name)?.isOpen ?? false }) { marks.insert(">") }
                table.row(row(metric, measurements, comparison))
            }
        }
        return table.text(style) + legend(style, marks)
    }

    private func row(
        _ metric: Metric, _ measurements: [Measurement], _ comparison: Comparison
    ) -> [TextTable.Cell] {
        let figures = measurements.map { $0.figure(metric.name) ?? .nothing }
        let unit = PrintedUnit(metric.unit, for: figures.compactMap(\.billionths).max() ?? .zero)
        var cells: [TextTable.Cell] = [.init("  " + metric.title(phones: scenario.phones)), .init(unit.name, .dim)]
        for (index, figure) in figures.enumerated() {
            let isBest = comparison.marks[index] == .best
            cells.append(.init(figure.text(in: unit), isBest ? .green : nil))
            cells.append(.init(comparison.marks[index].rawValue, isBest ? .green : .dim))
            cells.append(.init(index == 0 ? "" : Self.change(from: figures[0], to: figure), .dim))
        }
        return cells
    }

    private static func change(from old: Figure, to new: Figure) -> String {
        guard case .value(let old) = old, case .value(let new) = new, old != new else { return "" }
        return NumberText.change(from: old, to: new) ?? ""
    }

    func legend(_ style: Style, _ marks: Set<String>, more: String? = nil) -> String {
        var notes: [String] = []
        if marks.contains("*") { notes.append("* best, its 95% interval apart from the others") }
        if marks.contains("?") { notes.append("? least, but it did less: more of its messages were lost or pending") }
        if marks.contains("~") {
            notes.append(
                replicas == 1
                    ? "~ undecided: one replica has no interval, run more with --replicas"
                    : "~ undecided: 95% intervals overlap")
        }
        if marks.contains(">") { notes.append("> so much at least: too many are pending to say more") }
        if let more {
            notes.append(more)
        } else if strategies.count > 1, let first = strategies.first {
            notes.append("percentages: against \(first.name.visible)")
        }
        return notes.isEmpty
            ? "" : "  " + style.paint(style.wrapped(notes.joined(separator: "; "), indent: 2), .dim) + "\n"
    }

    /// Joules by cause and by state; what is below one percent of every strategy's total is one row.
    func energyText(_ style: Style) -> String {
        var table = TextTable(leftAligned: Set([0]))
        var header: [TextTable.Cell] = [.init(""), .init("")]
        for strategy in strategies { header += [.init(strategy.name.visible, .bold), .init("")] }
        table.row(header)
        rows("Energy by cause", strategies.map(\.measurement.energyByCause), &table)
        rows("Energy by state", strategies.map(\.measurement.energyByState), &table)
        return strategies.contains { $0.measurement.figure("battery.joules")?.billionths ?? .zero != .zero }
            ? table.text(style) : ""
    }

    private func rows(
        _ title: String, _ columns: [[(name: String, joules: Billionths)]], _ table: inout TextTable
    ) {
        guard let names = columns.first?.map(\.name) else { return }
        table.heading(title)
        let totals = columns.map { $0.reduce(Int128(0)) { $0 + $1.joules.count } }
        let unit = PrintedUnit(.joules, for: Billionths(count: totals.max() ?? 0))
        var rest = [Int128](repeating: 0, count: columns.count)
        func row(_ name: String, _ joules: [Int128]) {
            var cells: [TextTable.Cell] = [.init("  " + name), .init(unit.name, .dim)]
            for (value, total) in zip(joules, totals) {
                let share = total == 0 ? 0 : (value * 100 + total / 2) / total
                cells.append(.init(unit.text(Billionths(count: value))))
                cells.append(.init(value == 0 ? "" : share == 0 ? "<1%" : "\(share)%", .dim))
            }
            table.row(cells)
        }
        for (index, name) in names.enumerated() {
            let joules = columns.map { $0[index].joules.count }
            if zip(joules, totals).contains(where: { $0 * 100 >= $1 && $0 > 0 }) {
                row(name, joules)
            } else {
                for column in rest.indices { rest[column] += joules[column] }
            }
        }
        if rest.contains(where: { $0 > 0 }) { row("other", rest) }
    }
}

extension Figure {
    /// The number that is printed, be it the value or what it is at least.
    var billionths: Billionths? {
        switch self {
        case .value(let value), .atLeast(let value): value
        case .never, .nothing: nil
        }
    }

    /// It is so much at least.
    var isOpen: Bool { if case .atLeast = self { true } else { false } }

    var isSomething: Bool { self != .nothing && self != .value(.zero) }

    /// `never` where so much was lost that there is no number, `> 58` where so much is pending that no more can be said, a dash
    /// where there was nothing to measure.
    func text(in unit: PrintedUnit) -> String {
        switch self {
        case .value(let value): unit.text(value)
        case .atLeast(let value): "> " + unit.text(value)
        case .never: "never"
        case .nothing: "-"
        }
    }

    /// With its unit, for a sentence.
    func text(_ unit: Metric.Unit) -> String {
        guard let value = billionths else { return text(in: PrintedUnit(unit, for: .zero)) }
        return (isOpen ? "> " : "") + value.text(unit)
    }
}

extension Billionths {
    func text(_ unit: Metric.Unit) -> String {
        let printed = PrintedUnit(unit, for: self)
        let number = printed.text(self)
        if printed.name.isEmpty { return number }
        return printed.name == "%" ? number + "%" : "\(number) \(printed.name)"
    }
}
