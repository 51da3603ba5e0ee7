import DeadzoneBase
package import DeadzoneMetrics

extension RunReport {
    /// Metrics as rows, strategies as columns. The other strategies are compared with the first.
    func comparisonText(_ style: Style, namesMetrics: Bool = false) -> String {
        let measurements = strategies.map(\.measurement)
        let rows = groups(isFull: namesMetrics).map { group in
            (group.title, group.metrics.map { ($0, Ranking($0, measurements)) })
        }
        var marks = Set(rows.flatMap { $0.1.flatMap { $0.1.marks.map(\.rawValue) } })
        let isOpen = rows.contains { _, metrics in
            metrics.contains { metric, _ in measurements.contains { $0.figure(metric.name)?.isOpen ?? false } }
        }
        if isOpen { marks.insert(">") }
        let text = style.columnBlocks(strategies.count) { shown in
            // Metric names get a column if the terminal is wide enough.
            let hasNames = namesMetrics && !(style.hasFixedWidth && style.width < 110)
            let lead = hasNames ? 3 : 2
            var table = TextTable(leftAligned: Set([0, lead - 2] + (0..<shown.count).map { lead + 3 * $0 + 1 }))
            var header = Array(repeating: TextTable.TextCell(""), count: lead)
            for index in shown {
                header += [.init(strategies[index].name.escapedForTerminal, .bold), .init(""), .init("")]
            }
            table.row(header)
            for (heading, metrics) in rows {
                table.heading(heading)
                for (metric, comparison) in metrics {
                    let name = namesMetrics && !hasNames ? " (\(metric.name))" : ""
                    var cells: [TextTable.TextCell] = [.init("  " + title(of: metric) + name)]
                    if hasNames { cells.append(.init(metric.name, .dim)) }
                    table.row(cells + numbers(metric, measurements, comparison, shown))
                }
            }
            return table.text(style)
        }
        let hidden = groups.reduce(0) { $0 + $1.metrics.count } - rows.reduce(0) { $0 + $1.1.count }
        let more = hidden > 0 ? "  " + style.paint("\(hidden) more rows with -v", .dim) + "\n" : ""
        return text + legend(style, marks) + more + batteryHint(style) + bottomLineText(style)
    }

    /// A hint that the scenario has no battery, so that no energy is a share of it.
    private func batteryHint(_ style: Style) -> String {
        guard let text = missingBattery else { return "" }
        return "  " + style.paint(style.wrapped(text, indent: 2, after: 2), .dim) + "\n"
    }

    /// Says what to write for battery percentages; `nil` if the scenario has a battery, or there is no energy.
    package var missingBattery: String? {
        let measurements = strategies.map(\.measurement)
        guard measurements.contains(where: { $0.figure("battery.joules")?.isNonzero ?? false }),
            measurements.allSatisfy({ $0.figure("battery.percent") == .nothing })
        else { return nil }
        return "no battery in the scenario, so no % and mAh: write phone: {battery: 15.4Wh}"
    }

    /// `false` for one replica, and for a stopped run without computed intervals. Then nothing is decided.
    var hasIntervals: Bool { replicas > 1 && isComplete }

    /// Without intervals nothing is decided: the legend says so once instead of each row.
    func sign(_ mark: Ranking.RankMark) -> String { !hasIntervals && mark == .undecided ? "" : mark.rawValue }

    private func numbers(
        _ metric: Metric, _ measurements: [Measurement], _ comparison: Ranking, _ shown: Range<Int>
    ) -> [TextTable.TextCell] {
        let figures = measurements.map { $0.figure(metric.name) ?? .nothing }
        let unit = PrintedUnit(metric.unit, for: figures.compactMap(\.billionths).max() ?? .zero)
        var cells: [TextTable.TextCell] = [.init(unit.name, .dim)]
        for index in shown {
            let isBest = comparison.marks[index] == .best
            cells.append(.init(figures[index].text(in: unit), isBest ? .green : nil))
            cells.append(.init(sign(comparison.marks[index]), isBest ? .green : .dim))
            cells.append(.init(index == 0 ? "" : Self.change(from: figures[0], to: figures[index]), .dim))
        }
        return cells
    }

    private static func change(from old: Figure, to new: Figure) -> String {
        guard case .value(let old) = old, case .value(let new) = new, old != new else { return "" }
        return NumberText.change(from: old, to: new) ?? ""
    }

    func legend(_ style: Style, _ marks: Set<String>, more: String? = nil) -> String {
        var notes = legendNotes(marks, best: "*")
        if let more {
            notes.append(more)
        } else if strategies.count > 1, let first = strategies.first {
            notes.append("% is relative to \(first.name.escapedForTerminal)")
        }
        return notes.isEmpty
            ? "" : "  " + style.paint(style.wrapped(notes.joined(separator: "; "), indent: 2, after: 2), .dim) + "\n"
    }

    /// The meaning of the marks in a table of strategies.
    /// - Parameters:
    ///   - marks: The marks that the table has, and `>` if a value is a lower bound.
    ///   - best: How the table shows the best value.
    func legendNotes(_ marks: Set<String>, best: String) -> [String] {
        var notes: [String] = []
        if marks.contains("*") { notes.append("\(best) best (95% CI does not overlap the others)") }
        if marks.contains("?") { notes.append("? lowest only because it delivered fewer messages") }
        if marks.contains("~") {
            notes.append(
                hasIntervals
                    ? "~ undecided: 95% CIs overlap"
                    : replicas == 1
                        ? "one replica has no confidence interval, so nothing is decided: use more with --replicas"
                        : "stopped before the confidence intervals were computed, so nothing is decided")
        }
        if marks.contains(">") { notes.append("> at least this much: too many messages are pending") }
        return notes
    }

    /// Joules by cause and by state. Rows below one percent of each strategy's total are summed as "other".
    func energyText(_ style: Style) -> String {
        let text = style.columnBlocks(strategies.count) { shown in
            var table = TextTable(leftAligned: Set([0]))
            var header: [TextTable.TextCell] = [.init(""), .init("")]
            for index in shown { header += [.init(strategies[index].name.escapedForTerminal, .bold), .init("")] }
            table.row(header)
            rows("Energy by cause", strategies.map(\.measurement.energyByCause), shown, &table)
            rows("Energy by state", strategies.map(\.measurement.energyByState), shown, &table)
            return table.text(style)
        }
        return strategies.contains { $0.measurement.figure("battery.joules")?.billionths ?? .zero != .zero }
            ? text : ""
    }

    private func rows(
        _ title: String, _ columns: [[(name: String, joules: Billionths)]], _ shown: Range<Int>,
        _ table: inout TextTable
    ) {
        guard let names = columns.first?.map(\.name) else { return }
        table.heading(title)
        let totals = columns.map { $0.reduce(Int128(0)) { $0 + $1.joules.count } }
        let unit = PrintedUnit(.joules, for: Billionths(count: totals.max() ?? 0))
        var rest = [Int128](repeating: 0, count: columns.count)
        func row(_ name: String, _ joules: [Int128]) {
            var cells: [TextTable.TextCell] = [.init("  " + name), .init(unit.name, .dim)]
            for index in shown {
                let (value, total) = (joules[index], totals[index])
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
    /// The printed number: the value or its lower bound.
    var billionths: Billionths? {
        switch self {
        case .value(let value), .atLeast(let value): value
        case .never, .nothing: nil
        }
    }

    /// `true` if only a lower bound is known.
    package var isOpen: Bool { if case .atLeast = self { true } else { false } }

    /// Formats the figure: a number, `never` if too much was lost for a number, `> 58` if only a lower bound is known,
    /// a dash if nothing was measured.
    func text(in unit: PrintedUnit) -> String {
        switch self {
        case .value(let value): unit.text(value)
        case .atLeast(let value): "> " + unit.text(value)
        case .never: "never"
        case .nothing: "-"
        }
    }

    /// The text with its unit, for a cell of a table without a column of units.
    func text(withUnit unit: PrintedUnit) -> String {
        let isNumber = billionths != nil && !unit.name.isEmpty
        return text(in: unit) + (isNumber ? (unit.name == "%" ? "" : " ") + unit.name : "")
    }

    /// The text with its unit, for a sentence.
    package func text(_ unit: Metric.Unit) -> String {
        guard let value = billionths else { return text(in: PrintedUnit(unit, for: .zero)) }
        return (isOpen ? "> " : "") + value.text(unit)
    }
}

extension Billionths {
    package func text(_ unit: Metric.Unit) -> String {
        let printed = PrintedUnit(unit, for: self)
        let number = printed.text(self)
        if printed.name.isEmpty { return number }
        return printed.name == "%" ? number + "%" : "\(number) \(printed.name)"
    }
}
