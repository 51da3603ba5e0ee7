import DeadzoneBase
import DeadzoneHost
import DeadzoneMetrics
import DeadzoneRuns
import DeadzoneScenarios

/// A scenario of a `run` command, or one cell of its matrix, and what to simulate of it.
struct PlannedScenario: Sendable {
    /// Index of the file.
    let file: Int
    let isLastOfFile: Bool
    let scenario: Scenario
    let namedStrategies: [NamedStrategy]
    let seed: UInt64
    let simulationPlan: SimulationPlan
    /// Results that shards have computed; `nil` if the scenario is simulated now.
    let gathered: ShardSet.ShardResults?
    /// `true` if the phones behind all metrics are wanted, not only those behind failed expectations.
    let wantsWitnesses: Bool

    /// The common name of all cells of a matrix.
    var nameWithoutCell: String {
        let labels = scenario.labels
        let suffix = labels.isEmpty ? "" : " [" + labels.map { "\($0.axis)=\($0.value)" }.joined(separator: ", ") + "]"
        return String(scenario.name.dropLast(suffix.count))
    }
}

/// The results of one simulated scenario or cell.
struct SimulatedScenario: Sendable {
    /// `nil` if the run was stopped before its first replica ended.
    var report: RunReport?
    let replicaCount: Int
    /// Data for charts; empty if none are drawn.
    let totals: [RunFold]
    /// Metrics of each replica, to compare networks; `nil` without `--across`.
    let networkSeries: BaselineRun?
}

/// Simulates the scenarios of a `run` command. Several threads call it at once.
struct ScenarioSimulator: Sendable {
    let options: RunOptions
    let onReplica: (@Sendable (Int, ReplicaResult) -> Void)?
    let progress: FileProgress
    let requestedCount: Int

    func simulated(_ planned: PlannedScenario, by executor: ParallelExecutor) throws -> SimulatedScenario {
        let file = progress.began(planned.file, planned.nameWithoutCell)
        let results = planned.simulationPlan.run(
            by: executor, from: planned.gathered, onPart: { progress.advance(file) }, onReplica: onReplica)
        if planned.gathered != nil, !results.isComplete, !executor.isStopped() {
            throw ToolFault.otherScenario(planned.scenario.name)
        }
        var report = try ReportMaker(
            planned.scenario, planned.namedStrategies, seed: planned.seed, focus: options.focus, by: executor
        ).report(results)
        if let whole = report, whole.isComplete {
            report = WitnessFinder(planned.simulationPlan, results, by: executor).addingWitnesses(
                whole, onlyFailed: !planned.wantsWitnesses)
        }
        if options.wantsEntryEnergy, let whole = report, whole.isComplete {
            report = EntryEnergy(planned.simulationPlan, planned.scenario, by: executor).addingEnergy(whole)
        }
        return SimulatedScenario(
            report: report, replicaCount: results.replicaCount,
            totals: options.results.totals(of: results, requestedCount: requestedCount),
            networkSeries: report.flatMap {
                AcrossMaker.series(results, $0, planned.scenario, planned.namedStrategies)
            })
    }
}
