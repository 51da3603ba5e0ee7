import DeadzoneBase
package import DeadzoneMetrics

extension TuneReport {
    /// The answer for a terminal: the conclusion, the rows beside the present settings, the path, and the YAML to
    /// paste.
    package func text(_ style: Style) -> String {
        let names = scenarios.filter { !$0.isHeldOut }.map(\.name.escapedForTerminal).joined(separator: ", ")
        var text = style.heading("Settings of \(strategy.escapedForTerminal) in \(names)")
        text += style.wrapped(sentence.escapedForTerminal, indent: 0) + "\n"
        for trouble in troubles { text += style.wrapped("Warning: \(trouble.escapedForTerminal)", indent: 2) + "\n" }
        text += "\n" + (isComplete ? resultTable(style) : claimTable(style)) + settingTable(style)
        if !path.isEmpty { text += pathTable(style) }
        if let proposed, isComplete, outcome != .noneMeetsDemands, !rows[proposed].paste.isEmpty {
            text += "\n" + style.heading("Paste into the scenario, for \(title(of: rows[proposed]))")
            text += rows[proposed].paste
        }
        text += "\n"
        let notes =
            (isComplete ? [edgeText, missedText] : []) + [switchText, effortText]
            + (isComplete ? [weatherText, overfitText] : [])
        for note in notes where !note.isEmpty { text += style.wrapped(note.escapedForTerminal, indent: 0) + "\n" }
        return text
    }

    private var heads: [TextTable.TextCell] {
        [.init(presentTitle, .bold)] + rows.map { .init(title(of: $0), .bold) }
    }

    private func resultTable(_ style: Style) -> String {
        style.columnBlocks(rows.count + 1) { shown in
            var table = TextTable()
            table.row([.init("")] + shown.map { heads[$0] })
            for (index, scenario) in scenarios.enumerated() {
                table.heading(self.title(of: scenario).escapedForTerminal)
                rows(of: index, shown, &table)
            }
            if scenarios.count(where: { !$0.isHeldOut }) > 1, !rows.isEmpty {
                table.heading("All scenarios of the search, mean ratio to present")
                for (goal, metric) in goals.enumerated() {
                    table.row(
                        [.init("  " + metric.label)]
                            + shown.map { column in
                                .init(
                                    column == 0 ? "" : Self.text(rows[column - 1].changes[goal]),
                                    Self.attribute(column == 0 ? nil : rows[column - 1].changes[goal], metric))
                            })
                }
            }
            return table.text(style) + "\n"
        }
    }

    /// The changes that a stopped search has seen.
    private func claimTable(_ style: Style) -> String {
        var table = TextTable()
        table.row([.init("Seen by the search")] + heads)
        for (goal, metric) in goals.enumerated() {
            let cells = rows.map { row in row.claimed[goal].map(Self.percent) ?? "-" }
            table.row([.init("  " + metric.label), .init("")] + cells.map { .init($0) })
        }
        return table.text(style) + "\n"
    }

    private func rows(of scenario: Int, _ shown: Range<Int>, _ table: inout TextTable) {
        let results = ([present] + rows).map { $0.results[scenario] }
        for (goal, metric) in goals.enumerated() {
            let unit = PrintedUnit(metric.unit, for: results.compactMap { $0.means[goal].billionths }.max() ?? .zero)
            let name = unit.name.isEmpty ? "" : " \(unit.name)"
            table.row(
                [.init("  " + metric.label)]
                    + shown.map { column in
                        let figure = results[column].means[goal]
                        return .init(figure.text(in: unit) + (figure.billionths == nil ? "" : name))
                    })
            if rows.isEmpty { continue }
            table.row(
                [.init("    change", .dim)]
                    + shown.map { column in
                        let change = column == 0 ? nil : results[column].changes[goal]
                        return .init(change.map(Self.text) ?? "", Self.attribute(change, metric))
                    })
        }
        let isJudged = demands.indices.contains(where: isShown) || results.contains { !$0.worse.isEmpty }
        if isJudged { table.row([.init("  " + Self.pooledTitle, .dim)]) }
        for metric in PrimaryMetric.all.map(\.name) {
            let found = results.map { $0.worse.first { $0.metric.name == metric } }
            guard let label = found.compactMap(\.self).first?.metric.label else { continue }
            table.row(
                [.init("  " + label)]
                    + shown.map { column in .init(found[column].map { text(of: $0) + " ✗" } ?? "", .red) })
        }
        for (index, demand) in demands.enumerated() where isShown(index) {
            table.row(
                [.init("  " + text(of: demand))]
                    + shown.map { column in
                        let result = results[column].demands[index]
                        let words = "\(result.figure.text(demand.unit)), holds in \(result.keptReplicas) of \(replicas)"
                        return .init(words + (result.isKept ? "" : " ✗"), result.isKept ? nil : .red)
                    })
        }
    }

    private static func attribute(_ change: RelativeChange?, _ metric: Metric) -> Style.TextAttribute? {
        guard let change else { return nil }
        return change.isBetter(metric.better) ? .green : change.isWorse(metric.better) ? .red : .dim
    }

    /// The settings, with those that some row changes first.
    private func settingTable(_ style: Style) -> String {
        let changed = settings.indices.filter { setting in rows.contains { $0.values[setting] != nil } }
        let others = settings.indices.filter { !changed.contains($0) }
        var text = ""
        if !changed.isEmpty {
            var table = TextTable()
            table.row([.init("Settings", .bold)] + heads)
            for setting in changed {
                table.row(
                    [
                        .init("  " + settings[setting].name.escapedForTerminal),
                        .init(settings[setting].present ?? "absent"),
                    ]
                        + rows.map { row in
                            row.values[setting].map { .init($0.escapedForTerminal, .bold) } ?? .init("as it is", .dim)
                        })
            }
            text += table.text(style)
        }
        guard !others.isEmpty else { return text }
        let list = others.map { "\(settings[$0].name) \(settings[$0].present ?? "absent")" }.joined(separator: ", ")
        let lead = rows.isEmpty ? "Varied: " : "Left as they are: "
        return text + style.wrapped("  " + lead + list.escapedForTerminal, indent: 4) + "\n"
    }

    private func pathTable(_ style: Style) -> String {
        guard let proposed else { return "" }
        var table = TextTable(leftAligned: Set(0...goals.count))
        table.row([.init("")] + goals.map { .init($0.label, .dim) })
        for (number, step) in path.enumerated() {
            table.row(
                [.init("  \(number + 1). " + text(of: step).escapedForTerminal)]
                    + zip(goals, step.changes).map { .init(Self.text($1), Self.attribute($1, $0)) })
        }
        return "\n" + style.heading("From present to \(title(of: rows[proposed])), one change at a time")
            + table.text(style)
            + (neededText.isEmpty
                ? "" : "  " + style.wrapped(neededText.escapedForTerminal, indent: 2, after: 2) + "\n")
    }
}
