import DeadzoneCompare
import DeadzoneMetrics
import DeadzonePrimitives

/// The cells of a matrix as rows, strategies and metrics as columns: a curve at a glance.
enum GridTable {
    /// - Parameters:
    ///   - runs: the cells, in the order of the matrix.
    ///   - metrics: the columns under each strategy; names that no metric has are left out. Nil: those that the scenario has
    ///     expectations of, or else a few that were measured.
    static func text(_ runs: [RunReport], metrics names: [String]? = nil, _ style: Style) -> String {
        guard let first = runs.first else { return "" }
        let metrics = (names ?? usual(runs)).compactMap(Catalogue.metric(named:))
        let axes = first.scenario.cell.map(\.key)
        var table = TextTable(leftAligned: Set(0..<max(axes.count, 1)))
        let strategies = first.strategies.map(\.name)
        let units = metrics.map { unit(of: $0, runs) }
        table.row(
            axes.map { _ in .init("") }
                + strategies.flatMap { name in
                    metrics.indices.map { .init($0 == 0 ? name.visible : "", .bold) }
                } + [.init("")])
        // A title takes as many lines as it needs; they end on one, beside the axes.
        let titles = zip(metrics, units).map(title)
        let height = titles.map(\.count).max() ?? 0
        for line in 0..<height {
            let cells = titles.map { title in
                TextTable.Cell(line < height - title.count ? "" : title[line - height + title.count], .dim)
            }
            table.row(
                axes.map { .init(line == height - 1 ? $0.visible : "", .bold) } + strategies.flatMap { _ in cells }
                    + [.init("")])
        }
        for run in runs {
            var cells: [TextTable.Cell] = run.scenario.cell.map { .init($0.value.visible) }
            for name in strategies {
                let strategy = run.strategies.first { $0.name == name }
                for (metric, unit) in zip(metrics, units) {
                    cells.append(.init(strategy?.measurement.figure(metric.name)?.text(in: unit) ?? "-"))
                }
            }
            // Nothing is said where nothing was demanded.
            let isJudged = run.verdict == .fail || run.strategies.contains { !$0.outcomes.isEmpty }
            cells.append(
                .init(!isJudged ? "" : run.verdict == .pass ? "pass" : "FAIL", run.verdict == .pass ? .green : .red))
            table.row(cells)
        }
        return table.text(style)
    }

    /// Columns of a number are wide enough for so much of a title.
    private static let titleWidth = 18

    /// What the metric is, and its unit behind it.
    private static func title(_ metric: Metric, _ unit: PrintedUnit) -> [String] {
        let words = metric.label + (unit.name.isEmpty ? "" : " [\(unit.name)]")
        return Style(hasColour: false, width: titleWidth).wrapped(words, indent: 0)
            .split(separator: "\n").map(String.init)
    }

    private static func usual(_ runs: [RunReport]) -> [String] {
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
            runs.contains { $0.strategies.contains { $0.measurement.figure(name)?.isSomething ?? false } }
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
