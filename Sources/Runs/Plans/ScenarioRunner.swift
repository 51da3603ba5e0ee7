import DeadzoneHost
public import DeadzoneCompare
import DeadzoneEngine
public import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneWorld

/// Runs the parts of a plan, one after the other, and keeps what a comparison needs.
public struct ScenarioRunner {
    private let crew: Crew

    public init(by crew: Crew) { self.crew = crew }

    public struct Finished {
        public let kept: BaselineRun
        /// Why it proves nothing.
        public let troubles: [String]
        public let model: ModelNotes

        public init(kept: BaselineRun, troubles: [String], model: ModelNotes) {
            self.kept = kept
            self.troubles = troubles
            self.model = model
        }
    }

    /// Nil if it was stopped before one replica was finished.
    public func run(_ part: ComparePlan.Part) throws -> (finished: Finished?, isComplete: Bool) {
        var assignment = Assignment(
            part.scenario, part.contenders.map(\.strategy), seed: part.seed, replicas: part.replicas)
        assignment.keepsEach = true
        let progress = crew.progress(visible(part.scenario.name), total: assignment.size)
        let yield = assignment.run(by: crew) { progress.advance() }
        progress.finish(
            "\(plural(part.contenders.count, "strategy", "strategies")), \(plural(part.replicas, "replica"))")
        let maker = BaselineMaker(scenario: part.scenario, contenders: part.contenders, seed: part.seed)
        let reporting = ReportMaker(part.scenario, part.contenders, seed: part.seed, by: crew)
        guard let report = try reporting.report(yield) else { return (nil, yield.isComplete) }
        return (
            Finished(kept: maker.run(yield, report), troubles: report.troubles, model: report.model), report.isComplete
        )
    }

    /// What happens now in the minute of a divergence: that replica is simulated once more. Nil where no minute is known.
    /// - Parameter make: a recorder of what lies within a stretch of time.
    public func again<R: Recorder>(
        _ divergence: Divergence, of strategy: String, _ part: ComparePlan.Part, into make: (Range<Instant>) -> R
    ) -> R? {
        guard let from = divergence.from.map({ Instant.zero + $0 }),
            let index = part.contenders.firstIndex(where: { $0.name == strategy })
        else { return nil }
        // What is recorded at the horizon belongs to the last minute.
        let end = max(from + divergence.length, from)
        let isLast = end >= part.scenario.world.horizon
        var recorder = make(from..<(isLast ? end + .nanoseconds(1) : end))
        let simulation = Simulation(
            world: part.scenario.world, strategy: part.contenders[index].strategy,
            own: part.scenario.ownStrategies, seed: divergence.seed)
        for phones in simulation.blocks() {
            simulation.run(phones, into: &recorder, isCancelled: crew.isStopped)
        }
        return recorder
    }
}
