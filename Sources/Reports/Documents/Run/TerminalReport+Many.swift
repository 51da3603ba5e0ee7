import DeadzoneBase
import DeadzoneMetrics

/// Table of many strategies for a terminal: each has a row, because a column for each would not fit. Only a few metrics
/// are shown.
extension RunReport {
    /// The most strategies that are shown as columns.
    static let mostColumns = 8
    private static let mostMetrics = 10
    private static let mostCauses = 8
    private static let titleWidth = 12

    var isMany: Bool { strategies.count > Self.mostColumns }

    /// Strategies as rows, in the order of the file; the best of each metric is marked.
    func rowsText(_ style: Style) -> String {
        let measurements = strategies.map(\.measurement)
        let metrics = rowMetrics(measurements)
        let units = metrics.map { metric in
            let figures = measurements.compactMap { $0.figure(metric.name)?.billionths }
            return PrintedUnit(metric.unit, for: figures.max() ?? .zero)
        }
        let comparisons = metrics.map { Ranking($0, measurements) }
        // A number and its mark are columns of their own, so that numbers stay in line.
        var table = TextTable(leftAligned: Set([0] + metrics.indices.map { 2 + 2 * $0 }))
        let titles = zip(metrics, units).map {
            self.title(of: $0) + ($1.name.isEmpty ? "" : " [\($1.name)]")
        }
        for line in Self.titles(titles) {
            var cells: [TextTable.TextCell] = [.init("")]
            for title in line { cells += [.init(title, .dim), .init("")] }
            table.row(cells)
        }
        var marks: Set<String> = []
        for (index, strategy) in strategies.enumerated() {
            var cells: [TextTable.TextCell] = [.init("  " + strategy.name.escapedForTerminal)]
            for column in metrics.indices {
                let mark = comparisons[column].marks[index]
                let figure = measurements[index].figure(metrics[column].name) ?? .nothing
                marks.insert(mark.rawValue)
                if figure.isOpen { marks.insert(">") }
                cells.append(.init(figure.text(in: units[column]), mark == .best ? .green : nil))
                cells.append(.init(sign(mark), mark == .best ? .green : .dim))
            }
            table.row(cells)
        }
        return table.text(style) + legend(style, marks, more: "-v shows every metric, with a column for each strategy")
            + bottomLineText(style)
    }

    /// The largest causes of energy, for each strategy.
    func causesText(_ style: Style) -> String {
        let spent = strategies.map(\.measurement.energyByCause)
        let totals = spent.map { $0.reduce(Int128(0)) { $0 + $1.joules.count } }
        guard let names = spent.first?.map(\.name), let most = totals.max(), most > 0 else { return "" }
        // Ordered by the largest share of any strategy; causes below one percent are left out.
        var shares: [(cause: Int, share: Int128)] = []
        for cause in names.indices {
            var share: Int128 = 0
            for (row, total) in zip(spent, totals) where total > 0 {
                share = max(share, row[cause].joules.count * 1_000 / total)
            }
            if share >= 10 { shares.append((cause, share)) }
        }
        shares.sort { ($1.share, $0.cause) < ($0.share, $1.cause) }
        let largest = shares.prefix(Self.mostCauses).map(\.cause).sorted()
        let unit = PrintedUnit(.joules, for: Billionths(count: most))
        var table = TextTable(leftAligned: [0])
        table.heading("Energy by cause [\(unit.name)]")
        let titles = [""] + largest.map { names[$0] } + ["other", "all"]
        table.row(titles.map { TextTable.TextCell($0, .dim) })
        for (index, strategy) in strategies.enumerated() {
            let own = largest.map { spent[index][$0].joules.count }
            let numbers = own + [totals[index] - own.reduce(0, +), totals[index]]
            var cells: [TextTable.TextCell] = [.init("  " + strategy.name.escapedForTerminal)]
            for number in numbers { cells.append(.init(unit.text(Billionths(count: number)))) }
            table.row(cells)
        }
        return table.text(style)
    }

    private func rowMetrics(_ measurements: [Measurement]) -> [Metric] {
        let usual = [
            "battery.joules", "battery.above_idle_joules", "battery.percent_per_hour", "latency.down.p95",
            "latency.call.p95", "latency.up.p95",
            "delivery.down.lost", "calls.success_ratio", "delivery.up.lost", "zombie.max", "recovery.p95",
            "connection.handshakes", "keepalive.pings",
        ]
        let judged = strategies.flatMap { $0.outcomes.map(\.expectation.metric) }
        var chosen: Set<String> = []
        // The scenario's own columns have a place before the usual ones.
        for name in scenario.columns + usual + judged where chosen.count < Self.mostMetrics {
            if measurements.contains(where: { ($0.figure(name) ?? .nothing) != .nothing }) { chosen.insert(name) }
        }
        var names: [String] = []
        for name in usual + scenario.columns + judged where chosen.contains(name) && !names.contains(name) {
            names.append(name)
        }
        return names.compactMap(Catalogue.metric(named:))
    }

    /// Wraps each title; all titles end on the last line.
    private static func titles(_ titles: [String]) -> [[String]] {
        let style = Style(hasColour: false, width: titleWidth)
        let wrapped: [[String]] = titles.map { title in
            style.wrapped(title, indent: 0).split(separator: "\n").map(String.init)
        }
        let height = wrapped.map(\.count).max() ?? 0
        return (0..<height).map { line -> [String] in
            wrapped.map { words -> String in line < height - words.count ? "" : words[line - height + words.count] }
        }
    }
}
