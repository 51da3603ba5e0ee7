import DeadzoneBase
import DeadzoneMetrics

extension RunReport {
    /// Table by phone group: each metric has one row per group; strategies are columns.
    func groupText(_ style: Style, isVerbose: Bool) -> String {
        guard let groups = strategies.first?.groups, !groups.isEmpty else { return "" }
        let metrics = metricsOfGroups(isFull: isVerbose)
        guard !metrics.isEmpty else { return "" }
        return style.columnBlocks(strategies.count) { shown in
            var table = TextTable()
            table.row(
                [.init("By group", .bold), .init("")]
                    + shown.map { .init(strategies[$0].name.escapedForTerminal, .bold) })
            for metric in metrics {
                let figures = strategies.map { strategy in
                    strategy.groups.map { $0.measurement.figure(metric.name) ?? .nothing }
                }
                let most = figures.joined().compactMap(\.billionths).max() ?? .zero
                let unit = PrintedUnit(metric.unit, for: most)
                let title = title(of: metric) + (isVerbose ? " (\(metric.name))" : "")
                table.row([.init("  " + title), .init(unit.name, .dim)])
                for (place, group) in groups.enumerated() {
                    table.row(
                        [.init("    " + group.title.escapedForTerminal), .init("")]
                            + shown.map { .init(figures[$0][place].text(in: unit)) })
                }
            }
            return table.text(style)
        }
    }
}
