import DeadzoneBase
import DeadzoneMetrics

/// Formats the results of a scenario matrix as a terminal table. It has one row for each cell, one column for each
/// strategy and metric. If the table is too wide, the strategies are divided among several tables, one below the other.
enum MatrixTable {
    /// Width in columns at which a table for a file is divided. A terminal has its own width.
    static let fileWidth = 200

    /// - Parameters:
    ///   - runs: The cells, in matrix order.
    ///   - metrics: Names of the columns under each strategy; unknown names are skipped. `nil` selects the metrics of
    ///     the scenario's expectations, or else a few that were measured.
    static func text(_ runs: [RunReport], metrics names: [String]? = nil, _ style: Style) -> String {
        guard let first = runs.first else { return "" }
        let metrics = (names ?? defaultMetrics(runs)).compactMap(Catalogue.metric(named:))
        let units = metrics.map { unit(of: $0, runs) }
        let strategies = first.strategies.map(\.name)
        let width = style.hasFixedWidth ? style.width : fileWidth
        return style.columnBlocks(strategies.count, width: width) { block in
            text(runs, Array(strategies[block]), Array(zip(metrics, units)), style)
        }
    }

    private static func text(
        _ runs: [RunReport], _ strategies: [String], _ columns: [(metric: Metric, unit: PrintedUnit)], _ style: Style
    ) -> String {
        let axes = runs[0].scenario.cell.map(\.key)
        var table = TextTable(leftAligned: Set(0..<max(axes.count, 1)))
        table.row(
            axes.map { _ in .init("") }
                + strategies.flatMap { name in
                    columns.indices.map { .init($0 == 0 ? name.escapedForTerminal : "", .bold) }
                } + [.init("")])
        // Titles may take several lines. They are bottom-aligned, so that their last lines share a row with the axis
        // names.
        let titles = columns.map { title($0.metric, $0.unit) }
        let height = titles.map(\.count).max() ?? 0
        for line in 0..<height {
            let cells = titles.map { title in
                TextTable.TextCell(line < height - title.count ? "" : title[line - height + title.count], .dim)
            }
            table.row(
                axes.map { .init(line == height - 1 ? $0.escapedForTerminal : "", .bold) }
                    + strategies.flatMap { _ in cells }
                    + [.init("")])
        }
        for run in runs {
            var cells: [TextTable.TextCell] = run.scenario.cell.map { .init($0.value.escapedForTerminal) }
            for name in strategies {
                let strategy = run.strategies.first { $0.name == name }
                for (metric, unit) in columns {
                    cells.append(.init(strategy?.measurement.figure(metric.name)?.text(in: unit) ?? "-"))
                }
            }
            // A passing run without expectations shows no verdict.
            let isJudged = run.verdict == .fail || run.strategies.contains { !$0.outcomes.isEmpty }
            let isPass = run.verdict == .pass
            cells.append(
                isJudged
                    ? .init(isPass ? "pass" : "FAIL", isPass ? .green : .red)
                    : .init(run.isUnjudged ? "not judged" : ""))
            table.row(cells)
        }
        return table.text(style)
    }

    /// Width in columns at which a title is wrapped.
    private static let titleWidth = 18

    /// Label of the metric and its unit, wrapped into lines.
    private static func title(_ metric: Metric, _ unit: PrintedUnit) -> [String] {
        let words = metric.label + (unit.name.isEmpty ? "" : " [\(unit.name)]")
        return Style(hasColour: false, width: titleWidth).wrapped(words, indent: 0)
            .split(separator: "\n").map(String.init)
    }

    private static func defaultMetrics(_ runs: [RunReport]) -> [String] {
        let demanded = runs.flatMap { $0.strategies.flatMap { $0.outcomes.map(\.expectation.metric) } }
        var names: [String] = []
        for name in demanded where !names.contains(name) { names.append(name) }
        if !names.isEmpty { return names }
        let sameLength = Set(runs.map(\.scenario.duration)).count == 1
        let energy = sameLength ? "battery.joules" : "battery.joules_per_hour"
        let few = [
            energy, "latency.down.p95", "latency.probe.p5", "latency.probe.p50", "latency.probe.p95",
            "delivery.down.lost", "zombie.max",
        ]
        return few.filter { name in
            guard let metric = Catalogue.index[name] else { return false }
            return runs.contains { $0.strategies.contains { $0.measurement.figures[metric].isNonzero } }
        }
    }

    /// One unit for a whole column, so that its numbers can be compared by eye.
    private static func unit(of metric: Metric, _ runs: [RunReport]) -> PrintedUnit {
        let values = runs.flatMap { run in
            run.strategies.compactMap { $0.measurement.figure(metric.name)?.billionths }
        }
        return PrintedUnit(metric.unit, for: values.max() ?? .zero)
    }
}
