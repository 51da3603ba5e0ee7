import DeadzoneBase
import DeadzoneMetrics
import DeadzoneReports
import DeadzoneRuns

/// The figures that stay in view beside the sliders: the primary metrics of each client, as `compare` lists them, and
/// how they differ from the results before the last change.
struct StudioFigures {
    /// Metrics that the page keeps for each replica. The total energy and the calls have cards of the report.
    static let pairedMetrics = PrimaryMetric.all.map(\.name) + ["battery.joules", "calls.success_ratio"]

    let report: RunReport
    /// Number of replicas of the scenario; the report has fewer if the run was stopped.
    let planned: Int
    var series: BaselineRun?
    var before: BaselineRun?

    /// Members of the frame with the results.
    var members: [String: JSON] {
        var shown = ReportPage.primaryMetrics(of: report)
        if let total = Catalogue.metric(named: "battery.joules") { shown.append((total, "Energy in total")) }
        var members: [String: JSON] = [
            "replicas": .integer(Int128(report.replicas)), "planned": .integer(Int128(planned)),
            "energy": .array(
                report.strategies.map { strategy in
                    let joules = strategy.measurement.figure("battery.joules")?.double
                    return .object(["name": .string(strategy.name), "joules": joules.map { .number($0) } ?? .null])
                }),
            "metrics": .array(
                shown.map { metric, label in
                    .object(["name": .string(metric.name), "label": .string(label), "about": .string(metric.label)])
                }),
            "clients": .array(
                report.strategies.indices.map { index in client(index, shown.map(\.metric)) }),
        ]
        if let series { members["before"] = .string(Baseline.of([series]).text) }
        return members
    }

    private func client(_ index: Int, _ metrics: [Metric]) -> JSON {
        let strategy = report.strategies[index]
        let changes = changes(of: strategy.name)
        let cells = metrics.map { metric -> JSON in
            let figure = strategy.measurement.figure(metric.name) ?? .nothing
            var cell: [String: JSON] = ["text": .string(ReportPage.text(figure, metric))]
            if case .value(let value) = figure { cell["value"] = .number(value.double) }
            if let change = changes[metric.name], let difference = PairedDifference(change) {
                cell["interval"] = .string(difference.intervalText)
                cell["difference"] = .string(difference.text)
                cell["isDecided"] = .bool([.better, .worse, .small, .changed].contains(change.decision))
            }
            return .object(cell)
        }
        return .object(["name": .string(strategy.name), "cells": .array(cells)])
    }

    /// Changes against the results before, by metric. Empty if these had other seeds or no such client.
    private func changes(of name: String) -> [String: MetricChange] {
        guard let series, let before, before.seed == series.seed, before.replicas == series.replicas else { return [:] }
        var comparer = Comparer(floor: .zero, seed: series.seed)
        let compared = comparer.compare(name, series, with: before, measured: Self.pairedMetrics)
        return Dictionary((compared?.changes ?? []).map { ($0.metric.name, $0) }) { first, _ in first }
    }
}
