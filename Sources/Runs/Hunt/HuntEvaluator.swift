import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator

/// The worlds and demands of one search, from which each thread makes its evaluator.
struct HuntTask: Sendable {
    let worlds: HuntWorlds
    let demands: [HuntReport.HuntDemand]
    /// Seed of worlds without a seed of their own.
    let seed: UInt64
}

/// Runs a client in searched worlds and judges the demands.
struct HuntEvaluator {
    let worlds: HuntWorlds
    let demands: [HuntReport.HuntDemand]
    /// Seed of worlds without a seed of their own.
    let seed: UInt64
    private let variants: ScenarioVariants

    /// Reads the scenario's files. Each thread needs an evaluator of its own.
    init(_ task: HuntTask) {
        (worlds, demands, seed) = (task.worlds, task.demands, task.seed)
        variants = task.worlds.variants
    }

    /// Loads the world of a genome. `nil` if the scenario language refuses it.
    func scenario(_ genome: WorldGenome) -> Scenario? {
        variants.scenario(.map(worlds.overrides(genome, isFile: false)))
    }

    /// The result of one world.
    struct HuntTrial: Sendable {
        let figures: [Figure]
        /// Figures of the reference strategy; `nil` for demands without one.
        let references: [Figure?]
        /// The breach of each demand; `nil` if it is kept.
        let breaches: [Breach?]
        /// How near each demand is to breaking, from 0 to 1.
        let closeness: [Double]
        let coverage: [(bucket: UInt16, hits: UInt8)]
        /// `true` if each entry of the timeline had an effect.
        let isEffective: Bool
    }

    /// The way in which a demand breaks. Shrinking keeps it, so that it does not slip to another fault.
    struct Breach: Hashable, Sendable {
        enum BreachShape: Hashable, Sendable { case value, atLeast, never }
        let shape: BreachShape
        /// The most frequent cause, if messages were lost.
        let cause: LossCause?
    }

    /// Runs a world. `nil` if the scenario language refuses it, or if the phone was stopped.
    func trial(_ genome: WorldGenome) -> HuntTrial? {
        guard let scenario = scenario(genome) else { return nil }
        return trial(scenario, seed: genome.seed ?? seed)
    }

    func trial(_ scenario: Scenario, seed: UInt64) -> HuntTrial? {
        guard let subject = scenario.strategies.first(where: { $0.name == worlds.subject }),
            let run = run(subject.strategy, in: scenario, seed: seed)
        else { return nil }
        let own = Measurement(of: [run.fold], prices: scenario.prices, seed: 0)
        var other: Measurement?
        if let name = worlds.reference, demands.contains(where: { $0.threshold.reference != nil }),
            let reference = scenario.strategies.first(where: { $0.name == name })
        {
            guard let run = self.run(reference.strategy, in: scenario, seed: seed) else { return nil }
            other = Measurement(of: [run.fold], prices: scenario.prices, seed: 0)
        }
        return trial(own, other, run, scenario)
    }

    private func trial(_ own: Measurement, _ other: Measurement?, _ run: HuntRun, _ scenario: Scenario) -> HuntTrial {
        let figures = demands.map { own.figure($0.metric) ?? .nothing }
        let references = demands.map { demand in
            demand.threshold.reference == nil ? nil : other?.figure(demand.metric)
        }
        let breaches = demands.indices.map { index in
            breach(of: demands[index], figures[index], references[index], run.fold)
        }
        let late = lateness(run, scenario)
        let closeness = demands.indices.map { index in
            max(
                Self.closeness(demands[index].threshold, figures[index], references[index]),
                demands[index].needsRecovery ? late : 0)
        }
        return HuntTrial(
            figures: figures, references: references, breaches: breaches, closeness: closeness,
            coverage: run.coverage.classes,
            isEffective: scenario.conditions.allSatisfy { $0.tookEffect(in: run.fold) })
    }

    /// The value that the demand judges for another strategy in the same world; `nil` if the phone was stopped.
    func figure(_ demand: Int, _ strategy: AnyStrategy, in scenario: Scenario, seed: UInt64) -> Figure? {
        run(strategy, in: scenario, seed: seed).map {
            Measurement(of: [$0.fold], prices: scenario.prices, seed: 0).figure(demands[demand].metric) ?? .nothing
        }
    }

    /// `true` if the demand holds for a value.
    func isKept(_ demand: Int, _ figure: Figure, reference: Figure?) -> Bool {
        guard let bounds = demands[demand].threshold.resolved(reference: reference) else { return false }
        return demands[demand].threshold.isKept(by: figure, bounds)
    }

    private func run(_ strategy: AnyStrategy, in scenario: Scenario, seed: UInt64) -> HuntRun? {
        var run = HuntRun(coverage: DecisionCoverage(of: scenario.world))
        Simulation(world: scenario.world, strategy: strategy, seed: seed).run(0..<1, into: &run)
        return run.fold.count(of: .stopped) == 0 ? run : nil
    }

    /// Values that measure nothing prove nothing, so they break no demand.
    private func breach(
        of demand: HuntReport.HuntDemand, _ figure: Figure, _ reference: Figure?, _ fold: RunFold
    ) -> Breach? {
        guard figure != .nothing, let bounds = demand.threshold.resolved(reference: reference),
            !demand.threshold.isKept(by: figure, bounds)
        else { return nil }
        let shape: Breach.BreachShape
        switch figure {
        case .value: shape = .value
        case .atLeast: shape = .atLeast
        case .never, .nothing: shape = .never
        }
        return Breach(shape: shape, cause: Self.mainCause(demand.metric, fold))
    }

    private static func mainCause(_ metric: String, _ fold: RunFold) -> LossCause? {
        let directions: [String: Direction] = ["delivery.down.lost": .down, "delivery.up.lost": .up]
        guard let direction = directions[metric] else { return nil }
        let counts = LossCause.allCases.map { ($0, fold.losses.count(direction, $0)) }.filter { $0.1 > 0 }
        return counts.max { ($0.1, $1.0.rawValue) < ($1.1, $0.0.rawValue) }?.0
    }

    /// Time from the last change of the world until the client opened its last connection, as a share of the time until
    /// the world ends. A count of messages that must be zero has no distance. A late connection is the next thing to none.
    private func lateness(_ run: HuntRun, _ scenario: Scenario) -> Double {
        let calm = scenario.world.timeline.map(\.at).max() ?? .zero
        let rest = scenario.world.horizon - calm
        guard run.lastOpened > calm, rest > .zero else { return 0 }
        return Double((run.lastOpened - calm).nanoseconds) / Double(rest.nanoseconds)
    }

    static func closeness(_ threshold: Threshold, _ figure: Figure, _ reference: Figure?) -> Double {
        guard let bounds = threshold.resolved(reference: reference), let value = figure.double else { return 0 }
        let (low, high) = (bounds.lowerBound.double, bounds.upperBound.double)
        switch threshold.relation {
        case .below, .atMost, .equal, .between: return high > 0 ? min(1, max(0, value / high)) : 0
        case .above, .atLeast: return value > 0 ? min(1, max(0, low / value)) : 0
        }
    }
}

/// Records one run of a searched world: metrics and coverage.
private struct HuntRun: Recorder {
    var fold = RunFold()
    var coverage: DecisionCoverage
    /// Instant at which the last connection opened; zero if none did.
    private(set) var lastOpened = Instant.zero

    init(coverage: DecisionCoverage) { self.coverage = coverage }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        fold.record(batch)
        coverage.record(batch)
        for record in batch where record.kind == .opened { lastOpened = max(lastOpened, record.at) }
    }

    mutating func merge(_ other: Self) {
        fold.merge(other.fold)
        coverage.merge(other.coverage)
        lastOpened = max(lastOpened, other.lastOpened)
    }
}

extension HuntReport.HuntDemand {
    /// `true` if the demand breaks when the client is not connected again after the disturbances.
    fileprivate var needsRecovery: Bool { isCalm || metric.hasSuffix(".pending") }
}
