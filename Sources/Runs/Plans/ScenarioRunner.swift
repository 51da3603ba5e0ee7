import DeadzoneHost
public import DeadzoneCompare
import DeadzoneEngine
public import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld

/// Runs the scenarios of a comparison, one after another, and returns their results for the comparison.
public struct ScenarioRunner {
    private let executor: ParallelExecutor

    public init(by executor: ParallelExecutor) { self.executor = executor }

    public struct FinishedScenario {
        public let kept: BaselineRun
        /// Reasons why the run proves nothing.
        public let troubles: [String]
        public let model: ModelNotes

        public init(kept: BaselineRun, troubles: [String], model: ModelNotes) {
            self.kept = kept
            self.troubles = troubles
            self.model = model
        }
    }

    /// Runs one scenario. The result is `nil` if the run was stopped before one replica was finished.
    public func run(_ part: ComparePlan.ScenarioComparison) throws -> (finished: FinishedScenario?, isComplete: Bool) {
        var simulationPlan = SimulationPlan(
            part.scenario, part.namedStrategies.map(\.strategy), seed: part.seed, replicas: part.replicas)
        simulationPlan.keepsReplicaDetails = true
        let progress = executor.progress(visible(part.scenario.name), total: simulationPlan.partCount)
        let results = simulationPlan.run(by: executor) { progress.advance() }
        progress.finish(
            "\(plural(part.namedStrategies.count, "strategy", "strategies")), \(plural(part.replicas, "replica"))")
        let builder = BaselineMaker(scenario: part.scenario, namedStrategies: part.namedStrategies, seed: part.seed)
        let reporting = ReportMaker(part.scenario, part.namedStrategies, seed: part.seed, by: executor)
        guard let report = try reporting.report(results) else { return (nil, results.isComplete) }
        return (
            FinishedScenario(kept: builder.run(results, report), troubles: report.troubles, model: report.model),
            report.isComplete
        )
    }

    /// Simulates the replica of a divergence again and records its minute. Returns `nil` if the minute is unknown.
    /// - Parameter make: creates a recorder for a time range.
    public func rerunDivergence<R: Recorder>(
        _ divergence: Divergence, of strategy: String, _ part: ComparePlan.ScenarioComparison,
        into make: (Range<Instant>) -> R
    ) -> R? {
        guard let from = divergence.from.map({ Instant.zero + $0 }),
            let index = part.namedStrategies.firstIndex(where: { $0.name == strategy })
        else { return nil }
        // Records at the horizon itself belong to the last minute.
        let end = max(from + divergence.length, from)
        let isLast = end >= part.scenario.world.horizon
        var recorder = make(from..<(isLast ? end + .nanoseconds(1) : end))
        let simulation = Simulation(
            world: part.scenario.world, strategy: part.namedStrategies[index].strategy,
            groupStrategies: part.scenario.groupStrategies, seed: divergence.seed)
        for phones in simulation.blocks() {
            simulation.run(phones, into: &recorder, isCancelled: executor.isStopped)
        }
        return recorder
    }
}
