import DeadzoneCompare
import DeadzoneDocuments
import DeadzoneMetrics

/// What a client is for, as one metric: the first screen has one card for each.
struct Goal {
    let title: String
    /// Of many values the one that is shown.
    var which = ""
    let name: String
    /// "tuned is cheapest".
    let superlative: String

    /// `Latency to the app, 95th percentile`.
    var heading: String { which.isEmpty ? title : title + ", " + which }

    private static let battery = Goal(title: "Battery", name: "battery.joules", superlative: "spends least")
    private static let speeds = [
        Goal(
            title: "Latency to the app", which: "95th percentile", name: "latency.down.p95", superlative: "is quickest"),
        Goal(title: "Latency of calls", which: "95th percentile", name: "latency.call.p95", superlative: "is quickest"),
        Goal(
            title: "Latency to the server", which: "95th percentile", name: "latency.up.p95", superlative: "is quickest"
        ),
        Goal(title: "Freshness", which: "95th percentile", name: "freshness.p95", superlative: "is freshest"),
    ]
    private static let losses = [
        Goal(title: "Lost, server to app", name: "delivery.down.lost", superlative: "loses fewest"),
        Goal(title: "Calls that succeed", name: "calls.success_ratio", superlative: "succeeds most"),
        Goal(title: "Lost, app to server", name: "delivery.up.lost", superlative: "loses fewest"),
    ]
    private static let honesty = Goal(
        title: "Zombie time", which: "longest", name: "zombie.max", superlative: "is deceived for the shortest time")

    /// Battery, speed, delivery, honesty: those of which something was measured.
    static func of(_ report: RunReport) -> [Goal] {
        [
            battery.measured(in: report), speed(report), losses.lazy.compactMap { $0.measured(in: report) }.first,
            honesty.measured(in: report),
        ].compactMap(\.self)
    }

    /// What the author of a scenario has asked for as columns; else the same.
    static func asked(of report: RunReport) -> [Goal] {
        let asked = report.scenario.columns.compactMap { name in
            Catalogue.metric(named: name).map { Goal(title: $0.label, name: name, superlative: "") }
        }
        return asked.isEmpty ? of(report) : asked.compactMap { $0.measured(in: report) }
    }

    static func speed(_ report: RunReport) -> Goal? { speeds.lazy.compactMap { $0.measured(in: report) }.first }

    private func measured(in report: RunReport) -> Goal? {
        report.strategies.contains { $0.measurement.figure(name) ?? .nothing != .nothing } ? self : nil
    }

    /// With its unit, in the unit that keeps it short.
    static func number(_ name: String, _ measurement: Measurement) -> String {
        guard let metric = Catalogue.metric(named: name), let figure = measurement.figure(name) else { return "–" }
        return text(figure, metric)
    }

    /// What takes hours is said in hours.
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
