import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneScenarios
import DeadzoneSimulator

/// Finds the energy that goes with each entry of a timeline: runs the scenario again without the entry, with the same
/// random numbers and messages, and takes the difference.
///
/// The radio cannot charge its energy to entries: a reconnection sends bytes that also carry messages, and a tail is
/// shared. The difference counts everything that follows from an entry, also energy that it saved. Entries that depend
/// on each other, such as a network that is left and joined again, may differ by more than their sum.
package struct EntryEnergy {
    private let simulationPlan: SimulationPlan
    private let scenario: Scenario
    private let executor: ParallelExecutor

    package init(_ simulationPlan: SimulationPlan, _ scenario: Scenario, by executor: ParallelExecutor) {
        self.simulationPlan = simulationPlan
        self.scenario = scenario
        self.executor = executor
    }

    /// Returns the report with the energy of each entry. The report is incomplete if the runs were stopped.
    package func addingEnergy(_ report: RunReport) -> RunReport {
        var report = report
        let entries = scenario.conditions.filter { $0.origin == .timeline }
        let progress = executor.progress(
            visible(scenario.name) + ", without each entry", total: entries.count * simulationPlan.partCount)
        for (row, entry) in entries.enumerated() {
            let plan = simulationPlan.without(entry.changes)
            let results = plan.run(by: executor, onPart: { progress.advance() })
            guard results.isComplete else {
                report.isComplete = false
                break
            }
            for index in report.strategies.indices where row < report.strategies[index].entries.count {
                guard case .value(let with)? = report.strategies[index].measurement.figure("battery.joules") else {
                    continue
                }
                report.strategies[index].entries[row].joules = SignedBillionths(
                    with, minus: results.byStrategy[index].replicas.joulesPerPhone)
            }
        }
        progress.clear()
        return report
    }
}
