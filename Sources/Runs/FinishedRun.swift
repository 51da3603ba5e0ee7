package import DeadzoneBase
package import DeadzoneMetrics
package import DeadzoneScenarios

/// A finished simulation run of one scenario, or of one cell of its matrix, with all its strategies.
package struct FinishedRun: Sendable {
    package let report: RunReport
    package let scenario: Scenario
    package let namedStrategies: [NamedStrategy]
    private let simulationPlan: SimulationPlan
    /// Aggregated records for charts, one per strategy, over all replicas; empty if no charts are drawn.
    package let totals: [RunFold]
    /// Metrics of each replica, for the comparison across networks. `nil` if there is none.
    package let networkSeries: BaselineRun?
    /// `true` if the user stopped the tool; unfinished output is then discarded.
    private let isStopped: @Sendable () -> Bool

    package init(
        report: RunReport, scenario: Scenario, namedStrategies: [NamedStrategy], simulationPlan: SimulationPlan,
        totals: [RunFold] = [], networkSeries: BaselineRun? = nil,
        isStopped: @escaping @Sendable () -> Bool
    ) {
        self.report = report
        self.scenario = scenario
        self.namedStrategies = namedStrategies
        self.simulationPlan = simulationPlan
        self.totals = totals
        self.networkSeries = networkSeries
        self.isStopped = isStopped
    }

    /// The phone that pictures and packet captures show: the requested one, otherwise the first that runs the
    /// compared strategy.
    package var phone: UInt32 { simulationPlan.phone ?? simulationPlan.firstComparedPhone }

    /// Records everything that happened to one strategy in the first replica of this run.
    package func journal(of strategy: Int, into recorder: inout some Recorder) {
        simulationPlan.rerun(strategy, 0, into: &recorder, isStopped)
    }

    /// Records what happened to each strategy in the first replica, the strategies on separate threads.
    /// - Returns: The recorders in the order of the strategies; fewer if the run was stopped.
    package func journals<R: Recorder & Sendable>(by executor: ParallelExecutor, into recorder: R) -> [R] {
        executor.map(namedStrategies.count) { strategy in
            var own = recorder
            journal(of: strategy, into: &own)
            return own
        }.compactMap(\.self)
    }
}
