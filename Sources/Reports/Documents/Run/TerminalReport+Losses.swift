import DeadzoneBase
package import DeadzoneMetrics

/// Lost messages by cause, and the cost of each entry of the timeline, as tables with a column for each strategy.
extension RunReport {
    /// - Parameter isFull: `true` to add the places of the losses and the silence by cause.
    func lossText(_ style: Style, isFull: Bool) -> String {
        let losses = strategies.map(\.measurement.losses)
        var tables: [(title: String, unit: Metric.Unit, columns: [[LossTables.LossRow]])] = []
        for (direction, way) in [(Direction.down, "server to app"), (.up, "app to server")] {
            tables.append(("Lost by cause, \(way)", .count, losses.map { $0.byCause(direction) }))
            if isFull { tables.append(("Lost by place, \(way)", .count, losses.map { $0.byPlace(direction) })) }
        }
        if isFull { tables.append(("Silence by cause", .seconds, losses.map(\.silenceByCause))) }
        let shown = tables.filter { $0.columns.contains { $0.contains { $0.value != .zero } } }
        guard !shown.isEmpty else { return "" }
        return style.columnBlocks(strategies.count) { columns in
            var table = TextTable(leftAligned: [0])
            table.row(header(columns, cells: 2))
            for part in shown { rows(part.title, part.unit, part.columns, columns, &table) }
            return table.text(style)
        }
    }

    private func header(_ shown: Range<Int>, cells: Int) -> [TextTable.TextCell] {
        var header: [TextTable.TextCell] = [.init(""), .init("")]
        for index in shown {
            header.append(.init(strategies[index].name.escapedForTerminal, .bold))
            header += Array(repeating: .init(""), count: cells - 1)
        }
        return header
    }

    private func rows(
        _ title: String, _ unit: Metric.Unit, _ columns: [[LossTables.LossRow]], _ shown: Range<Int>,
        _ table: inout TextTable
    ) {
        table.heading(title)
        let totals = columns.map { $0.reduce(Int128(0)) { $0 + $1.value.count } }
        let printed = PrintedUnit(unit, for: Billionths(count: totals.max() ?? 0))
        for row in columns[0].indices where columns.contains(where: { $0[row].value != .zero }) {
            var cells: [TextTable.TextCell] = [.init("  " + columns[0][row].title), .init(printed.name, .dim)]
            for index in shown {
                let (value, total) = (columns[index][row].value, totals[index])
                let share = total == 0 ? 0 : (value.count * 100 + total / 2) / total
                cells.append(.init(printed.text(value)))
                cells.append(.init(value == .zero ? "" : share == 0 ? "<1%" : "\(share)%", .dim))
            }
            table.row(cells)
        }
    }

    // MARK: Entries

    /// The cost of each entry of the timeline: messages lost, seconds of silence, and joules if they were computed.
    func entryText(_ style: Style) -> String {
        guard let first = strategies.first?.entries else { return "" }
        let rows = first.indices.filter { row in strategies.contains { $0.entries[row].isCharged } }
        guard !rows.isEmpty else { return "" }
        let hasEnergy = strategies.contains { $0.entries.contains { $0.joules != nil } }
        let text = style.columnBlocks(strategies.count) { shown in
            var table = TextTable(leftAligned: [0])
            table.heading("Cost of each timeline entry")
            table.row(header(shown, cells: hasEnergy ? 3 : 2))
            var units: [TextTable.TextCell] = [.init(""), .init("")]
            for _ in shown {
                units += [.init("lost", .dim), .init("silent", .dim)] + (hasEnergy ? [.init("energy", .dim)] : [])
            }
            table.row(units)
            for row in rows {
                var cells: [TextTable.TextCell] = [.init("  " + first[row].writtenText.escapedForTerminal), .init("")]
                for index in shown {
                    let cost = strategies[index].entries[row]
                    cells.append(.init(NumberText.short(cost.share.lost)))
                    cells.append(.init(NumberText.short(cost.share.silence) + " s"))
                    if hasEnergy { cells.append(.init(cost.joules?.text ?? "")) }
                }
                table.row(cells)
            }
            return table.text(style)
        }
        let note =
            hasEnergy
            ? "energy: difference to the same run without the entry; an entry that others build on may make no sense alone"
            : "energy is not charged to entries; --entry-energy runs the scenario without each of them"
        return text + "  " + style.paint(style.wrapped(note, indent: 2, after: 2), .dim) + "\n"
    }
}

extension EntryCost {
    /// "Wi-Fi left, cellular joined"
    package var title: String {
        switch kind {
        case .entry(let name): name.title
        case .unwritten: "changes that are no entries"
        case .none: "no entry"
        }
    }

    /// "line 27: {at: 5h1m, wifi: office, portal: 10m}"
    var writtenText: String {
        if case .entry(let name) = kind { "line \(name.line): \(name.text)" } else { title }
    }

    /// "5h1m: Wi-Fi portal"
    package var datedTitle: String {
        guard case .entry(let name) = kind else { return title }
        return "\(name.timeOfDay?.text ?? DurationText.short(name.at)): \(title)"
    }
}

extension SignedBillionths {
    /// "+1.2 J"
    package var text: String {
        let unit = PrintedUnit(.joules, for: magnitude)
        return count == 0 ? "0 J" : (count < 0 ? "-" : "+") + unit.text(magnitude) + " " + unit.name
    }
}
