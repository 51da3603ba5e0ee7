public import DeadzoneCompare
public import DeadzoneJournal
public import DeadzoneMetrics
public import DeadzoneScenarios

/// A finished simulation run of one scenario, or of one cell of its matrix, with all its strategies.
public struct FinishedRun: Sendable {
    public let report: RunReport
    public let scenario: Scenario
    public let namedStrategies: [NamedStrategy]
    private let simulationPlan: SimulationPlan
    /// Aggregated records for charts, one per strategy, over all replicas; empty if no charts are drawn.
    public let totals: [RunFold]
    /// Metrics of each replica, for the comparison across networks. `nil` if there is none.
    public let networkSeries: BaselineRun?
    /// `true` if the user stopped the tool; unfinished output is then discarded.
    private let isStopped: @Sendable () -> Bool

    public init(
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
    public var phone: UInt32 { simulationPlan.phone ?? simulationPlan.firstComparedPhone }

    /// Records everything that happened to one strategy in the first replica of this run.
    public func journal(of strategy: Int, into recorder: inout some Recorder) {
        simulationPlan.rerun(strategy, 0, into: &recorder, isStopped)
    }
}
