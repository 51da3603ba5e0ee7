import DeadzoneMetrics

/// A metric that has a summary card at the top of the report page, such as battery or latency.
struct HeadlineMetric {
    let title: String
    /// Statistic shown, such as `95th percentile`; empty if the metric has only one value.
    var statistic = ""
    let name: String
    /// Text after the winner's name, such as "spends least".
    let superlative: String

    /// Heading of the card, such as `Latency to the app, 95th percentile`.
    var heading: String { statistic.isEmpty ? title : title + ", " + statistic }

    private static let battery = HeadlineMetric(
        title: "Battery", name: "battery.joules", superlative: "uses the least energy")
    private static let speeds = [
        HeadlineMetric(
            title: "Latency to the app", statistic: "95th percentile", name: "latency.down.p95",
            superlative: "has the lowest latency"),
        HeadlineMetric(
            title: "Latency of calls", statistic: "95th percentile", name: "latency.call.p95",
            superlative: "has the lowest latency"),
        HeadlineMetric(
            title: "Latency to the server", statistic: "95th percentile", name: "latency.up.p95",
            superlative: "has the lowest latency"
        ),
        HeadlineMetric(
            title: "Freshness", statistic: "95th percentile", name: "freshness.p95",
            superlative: "shows the newest data"),
    ]
    private static let losses = [
        HeadlineMetric(
            title: "Lost, server to app", name: "delivery.down.lost", superlative: "loses the fewest messages"),
        HeadlineMetric(
            title: "Calls that succeed", name: "calls.success_ratio", superlative: "has the most successful calls"),
        HeadlineMetric(
            title: "Lost, app to server", name: "delivery.up.lost", superlative: "loses the fewest messages"),
    ]
    private static let recovery = HeadlineMetric(
        title: "Served again after an outage", statistic: "95th percentile", name: "recovery.p95",
        superlative: "recovers fastest")
    private static let zombieTime = HeadlineMetric(
        title: "Zombie time", statistic: "longest", name: "zombie.max", superlative: "has the shortest zombie time")

    /// Standard metrics that were measured: battery, latency, delivery and zombie time.
    static func standard(_ report: RunReport) -> [HeadlineMetric] {
        [
            battery.measured(in: report), speed(report), losses.lazy.compactMap { $0.measured(in: report) }.first,
            zombieTime.measured(in: report),
        ].compactMap(\.self)
    }

    /// Metrics with a card: the standard metrics, both directions of the latency, and the recovery. A further loss has a
    /// card if some strategy has lost or pending messages there.
    static func cards(_ report: RunReport) -> [HeadlineMetric] {
        func isSeen(_ metric: HeadlineMetric) -> Bool {
            let names = [metric.name, metric.name.replacing(".lost", with: ".pending")]
            return report.strategies.contains { strategy in
                names.contains { strategy.measurement.figure($0)?.isNonzero ?? false }
            }
        }
        let latencies = speeds.filter { $0.name.hasPrefix("latency.") }.compactMap { $0.measured(in: report) }
        let lost = losses.compactMap { $0.measured(in: report) }
        let shown = lost.indices.filter { $0 == 0 || isSeen(lost[$0]) }.map { lost[$0] }
        return [battery.measured(in: report)].compactMap(\.self)
            + (latencies.isEmpty ? [speed(report)].compactMap(\.self) : latencies) + shown
            + [zombieTime, recovery].compactMap { $0.measured(in: report) }
    }

    /// Metrics that the scenario lists as columns; without columns, the standard metrics.
    static func columns(of report: RunReport) -> [HeadlineMetric] {
        let asked = report.scenario.columns.compactMap { name in
            Catalogue.metric(named: name).map { HeadlineMetric(title: $0.label, name: name, superlative: "") }
        }
        return asked.isEmpty ? standard(report) : asked.compactMap { $0.measured(in: report) }
    }

    static func speed(_ report: RunReport) -> HeadlineMetric? {
        speeds.lazy.compactMap { $0.measured(in: report) }.first
    }

    private func measured(in report: RunReport) -> HeadlineMetric? {
        report.strategies.contains { $0.measurement.figure(name) ?? .nothing != .nothing } ? self : nil
    }

    /// Value with a unit that keeps it short.
    static func number(_ name: String, _ measurement: Measurement) -> String {
        guard let metric = Catalogue.metric(named: name), let figure = measurement.figure(name) else { return "–" }
        return text(figure, metric)
    }

    /// Formats a duration of two hours or more in hours; `nil` for other values.
    private static func hours(_ value: Billionths, _ unit: Metric.Unit) -> String? {
        let hour: Int128 = unit == .seconds ? 3_600 : unit == .milliseconds ? 3_600_000 : 0
        guard hour > 0, value.count >= 2 * hour * 1_000_000_000 else { return nil }
        return NumberText.short(Billionths(count: value.count / hour)) + " h"
    }

    static func text(_ figure: Figure, _ metric: Metric) -> String {
        switch figure {
        case .value(let value):
            if let hours = Self.hours(value, metric.unit) { return hours }
            let unit = PrintedUnit(metric.unit, for: value)
            return unit.text(value) + (unit.name.isEmpty ? "" : unit.name == "%" ? "%" : " " + unit.name)
        case .atLeast(let value): return "> " + text(.value(value), metric)
        case .never: return "never"
        case .nothing: return "–"
        }
    }
}
