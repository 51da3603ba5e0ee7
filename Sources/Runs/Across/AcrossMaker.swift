package import DeadzoneMetrics
package import DeadzoneScenarios

/// Compares the runs of a scenario across networks: radio profiles and platforms that are axes of its matrix.
package enum AcrossMaker {
    /// The metrics of each replica that decide a comparison. `nil` if the run needs no comparison across networks: it
    /// is no cell on a network, or it has one strategy.
    package static func series(
        _ results: SimulationPlan.RunResults, _ report: RunReport, _ scenario: Scenario,
        _ namedStrategies: [NamedStrategy]
    ) -> BaselineRun? {
        guard scenario.isOnNetwork, namedStrategies.count > 1 else { return nil }
        return pairedSeries(results, report, scenario, namedStrategies, PrimaryMetric.all.map(\.name))
    }

    /// Some metrics of each replica, for differences by pairs of replicas. The plan must keep the details of its replicas.
    package static func pairedSeries(
        _ results: SimulationPlan.RunResults, _ report: RunReport, _ scenario: Scenario,
        _ namedStrategies: [NamedStrategy], _ metrics: [String]
    ) -> BaselineRun {
        let maker = BaselineMaker(scenario: scenario, namedStrategies: namedStrategies, seed: report.seed)
        var run = maker.run(results, report)
        let kept = Set(metrics)
        for index in run.strategies.indices {
            run.strategies[index].series = run.strategies[index].series.filter { kept.contains($0.key) }
            run.strategies[index].groups = [:]
        }
        return run
    }

    /// One report for each scenario that ran on several networks, and for each cell of its other axes.
    /// - Parameter finished: complete runs, at their positions among all runs of the command.
    package static func reports(of finished: ArraySlice<FinishedRun>) -> [AcrossReport] {
        var groups: [(name: String, share: Int64?, runs: [NetworkRun], networks: [[CellAxis]])] = []
        for index in finished.indices where finished[index].scenario.isOnNetwork {
            let run = finished[index]
            let name = run.report.scenario.name(without: isNetwork)
            let network = run.report.scenario.cell.filter { isNetwork($0.key) }
            let member = NetworkRun(run.report, run: index, series: run.networkSeries)
            // The same scenario can be named twice.
            if let group = groups.lastIndex(where: { $0.name == name }), !groups[group].networks.contains(network) {
                groups[group].runs.append(member)
                groups[group].networks.append(network)
            } else {
                groups.append((name, run.scenario.acrossShare, [member], [network]))
            }
        }
        let reports = groups.filter { $0.runs.count > 1 }.map { group in
            AcrossReport(
                group.runs, share: group.share.map { Billionths(count: Int128($0) * 1_000) },
                floor: GateFile.defaultFloor, isNetwork: isNetwork)
        }
        // With one strategy and no expectations there is nothing to say.
        return reports.filter { $0.strategies.count > 1 || $0.expectations != nil }
    }

    private static func isNetwork(_ axis: String) -> Bool { NetworkAxis(rawValue: axis) != nil }
}
