import DeadzoneCompare
import DeadzoneEngine
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneTraces

/// Runs the parts of a plan, one after the other, and keeps what a comparison needs.
struct ScenarioRunner {
    let jobs: Int
    let invocation: Invocation
    let surroundings: Surroundings

    struct Finished {
        let kept: BaselineRun
        let report: RunReport
    }

    /// Nil if it was stopped before one replica was finished.
    func run(_ part: ComparePlan.Part) throws -> (finished: Finished?, isComplete: Bool) {
        let assignment = assignment(of: part)
        let progress = Progress(
            visible(part.scenario.name), total: assignment.size, surroundings, isSilent: invocation.has(.quiet))
        let yield = assignment.run(jobs: jobs, isStopped: surroundings.isInterrupted) { progress.advance() }
        progress.finish(
            "\(plural(part.contenders.count, "strategy", "strategies")), \(plural(part.replicas, "replica"))")
        let maker = BaselineMaker(scenario: part.scenario, contenders: part.contenders, seed: part.seed)
        let reporting = ReportMaker(
            scenario: part.scenario, contenders: part.contenders, seed: part.seed, jobs: jobs,
            surroundings: surroundings, isSilent: invocation.has(.quiet))
        guard let report = try reporting.report(yield) else { return (nil, yield.isComplete) }
        return (Finished(kept: maker.run(yield, report), report: report), report.isComplete)
    }

    private func assignment(of part: ComparePlan.Part) -> Assignment {
        var assignment = Assignment(
            part.scenario, part.contenders.map(\.strategy), seed: part.seed, replicas: part.replicas)
        assignment.keepsEach = true
        return assignment
    }

    /// The same with what happens there now: that replica is simulated once more.
    func told(_ divergence: Divergence, of strategy: String, _ part: ComparePlan.Part) -> Divergence {
        guard let minute = divergence.minute,
            let index = part.contenders.firstIndex(where: { $0.name == strategy })
        else { return divergence }
        var lines: [Int: String] = [:]
        for condition in part.scenario.conditions {
            for change in condition.changes { lines[change] = condition.text }
        }
        let length = divergence.length.nanoseconds
        let from = Instant.zero + .nanoseconds(Int64(minute) * length)
        // What is recorded at the horizon belongs to the last minute.
        let end = max(from + .nanoseconds(length), from)
        let isLast = end >= part.scenario.world.horizon
        var happening = Happening(
            in: from..<(isLast ? end + .nanoseconds(1) : end),
            line: EventLine(strategy: strategy, replica: divergence.replica, conditions: lines),
            hasManyPhones: part.scenario.world.phones > 1)
        let simulation = Simulation(
            world: part.scenario.world, strategy: part.contenders[index].strategy, seed: divergence.seed)
        for phones in simulation.shards() {
            simulation.run(phones, into: &happening, isCancelled: surroundings.isInterrupted)
        }
        var told = divergence
        told.events = happening.events
        told.unseen = happening.unseen
        return told
    }

    /// Repeats one replica of some strategies.
    static func command(_ file: String, _ strategies: [String], _ seed: UInt64) -> String {
        "deadzone run \(shellWord(file)) --seed \(seed) --replicas 1"
            + strategies.map { " --strategy " + shellWord($0) }.joined()
    }
}
