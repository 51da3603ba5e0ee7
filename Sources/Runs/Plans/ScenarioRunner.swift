package import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator

/// Runs the scenarios of a comparison and returns their results in order.
package struct ScenarioRunner: Sendable {
    private let executor: ParallelExecutor

    package init(by executor: ParallelExecutor) { self.executor = executor }

    package struct FinishedScenario: Sendable {
        package let kept: BaselineRun
        /// Reasons why the run proves nothing.
        package let troubles: [String]
        package let model: ModelNotes
        /// `false` if the run was stopped early. This is one of the troubles, too.
        package let isComplete: Bool

        package init(kept: BaselineRun, troubles: [String], model: ModelNotes, isComplete: Bool = true) {
            self.kept = kept
            self.troubles = troubles
            self.model = model
            self.isComplete = isComplete
        }
    }

    /// Runs the scenarios, several at once, and passes their results on in order. Returns `false` if the runs were
    /// stopped.
    package func run(
        _ parts: [ComparePlan.ScenarioComparison],
        take: (ComparePlan.ScenarioComparison, FinishedScenario) throws -> Void
    ) throws -> Bool {
        var (takenCount, isComplete) = (0, true)
        // One line is drawn for all scenarios; each gets its own line at its end.
        let all =
            parts.count > 1
            ? executor.progress("\(parts.count) scenarios", total: parts.reduce(0) { $0 + Self.plan($1).partCount })
            : nil
        let lines = parts.map { executor.progress(visible($0.scenario.name), total: Self.plan($0).partCount) }
        try executor.inOrder(parts.count) { index, executor in
            Result { try finished(parts[index], by: executor) { (all ?? lines[index]).advance() } }
        } take: { (index, outcome: Result<(finished: FinishedScenario?, isComplete: Bool), any Error>) throws in
            takenCount += 1
            let (part, (finished, isWhole)) = (parts[index], try outcome.get())
            all?.clear()
            lines[index].finish(
                (isWhole ? "" : "stopped, ")
                    + "\(plural(part.namedStrategies.count, "strategy", "strategies")), "
                    + Self.counted(finished?.kept.replicas ?? 0, of: part.replicas))
            if let finished { try take(part, finished) }
            isComplete = isWhole
            return isComplete
        }
        all?.clear()
        return isComplete && takenCount == parts.count
    }

    /// `20 replicas`, or `172 of 3000 replicas` after a stop.
    private static func counted(_ count: Int, of planned: Int) -> String {
        (count < planned ? "\(count) of " : "") + plural(planned, "replica")
    }

    private static func plan(_ part: ComparePlan.ScenarioComparison) -> SimulationPlan {
        var plan = SimulationPlan(
            part.scenario, part.namedStrategies, seed: part.seed, replicas: part.replicas)
        plan.keepsReplicaDetails = true
        return plan
    }

    /// Runs one scenario. The result is `nil` if the run was stopped before one replica was finished.
    private func finished(
        _ part: ComparePlan.ScenarioComparison, by executor: ParallelExecutor, onPart: @escaping @Sendable () -> Void
    ) throws -> (finished: FinishedScenario?, isComplete: Bool) {
        let results = Self.plan(part).run(by: executor, onPart: onPart)
        let builder = BaselineMaker(scenario: part.scenario, namedStrategies: part.namedStrategies, seed: part.seed)
        let reporting = ReportMaker(part.scenario, part.namedStrategies, seed: part.seed, by: executor)
        guard let report = try reporting.report(results) else { return (nil, results.isComplete) }
        return (
            FinishedScenario(
                kept: builder.run(results, report), troubles: report.troubles, model: report.model,
                isComplete: report.isComplete),
            report.isComplete
        )
    }

    /// Simulates the replica of a divergence again and records its minute. Returns `nil` if the minute is unknown.
    /// - Parameter make: creates a recorder for a time range.
    package func rerunDivergence<R: Recorder>(
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
