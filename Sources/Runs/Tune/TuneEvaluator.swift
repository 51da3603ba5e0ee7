import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import Synchronization

/// Values of the watched metrics of one set of settings, by scenario, metric and replica.
struct TuneSamples: Sendable {
    /// `nil` if there was nothing to measure.
    private(set) var values: [[[Int128?]]]
    /// `false` if a phone stopped before the end, so that the values prove nothing.
    private(set) var isSound: Bool

    init(scenarios: Int, metrics: Int) {
        values = Array(repeating: Array(repeating: [], count: metrics), count: scenarios)
        isSound = true
    }

    var replicas: Int { values.first?.first?.count ?? 0 }

    mutating func append(_ figures: [Int128?], scenario: Int) {
        for metric in figures.indices { values[scenario][metric].append(figures[metric]) }
    }

    mutating func append(_ other: TuneSamples) {
        for scenario in values.indices {
            for metric in values[scenario].indices { values[scenario][metric] += other.values[scenario][metric] }
        }
        isSound = isSound && other.isSound
    }

    mutating func noteStop() { isSound = false }

    /// Keeps the first scenarios only.
    mutating func keep(first count: Int) { values = Array(values.prefix(count)) }
}

/// Runs strategies in the scenarios of a search. Every strategy meets the same weathers, so results can be compared
/// replica by replica.
struct TuneEvaluator: Sendable {
    let scenarios: [Scenario]
    /// Indices of the watched metrics in the catalogue: goals first, then demands.
    let metrics: [Int]
    let executor: ParallelExecutor

    /// Runs strategies in some replicas. `nil` if the run was stopped.
    /// - Parameter seed: seed of the weathers; replicas of another seed have other weathers.
    func samples(
        of strategies: [NamedStrategy], seed: UInt64, replicas: Range<Int>, _ advance: @escaping @Sendable (Int) -> Void
    ) -> [TuneSamples]? {
        var all = strategies.map { _ in TuneSamples(scenarios: scenarios.count, metrics: metrics.count) }
        guard !strategies.isEmpty else { return all }
        for (index, scenario) in scenarios.enumerated() {
            let plan = SimulationPlan(
                scenario, strategies, seed: seed, replicas: replicas.count, focus: Focus(replica: replicas.lowerBound))
            guard let results = run(plan, into: &all, scenario: index, advance) else { return nil }
            for (strategy, result) in results.byStrategy.enumerated() where !result.stops.sentences.isEmpty {
                all[strategy].noteStop()
            }
        }
        return all
    }

    /// Runs a plan and appends the values of each replica. `nil` if the run was stopped.
    func run(
        _ plan: SimulationPlan, into all: inout [TuneSamples], scenario: Int,
        _ advance: @escaping @Sendable (Int) -> Void
    ) -> SimulationPlan.RunResults? {
        let collected = Mutex<[[[Int128?]]]>([])
        let (metrics, count) = (metrics, all.count)
        let results = plan.run(
            by: executor.withoutProgress,
            onReplica: { _, replica in
                let figures = replica.strategies.map { strategy in metrics.map { strategy.figures[$0].sample } }
                // Replicas are delivered in order.
                collected.withLock { $0.append(figures) }
                advance(count)
            })
        guard results.isComplete, !executor.isStopped() else { return nil }
        for replica in collected.withLock({ $0 }) {
            for strategy in replica.indices { all[strategy].append(replica[strategy], scenario: scenario) }
        }
        return results
    }
}
