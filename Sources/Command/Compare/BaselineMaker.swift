import DeadzoneEngine
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneReporting
import DeadzoneScenarios

/// From a scenario and what its strategies yielded to what a baseline keeps of them.
struct BaselineMaker {
    let scenario: Scenario
    let contenders: [Contender]
    let seed: UInt64

    /// Nil if not even one replica was finished.
    func run(_ yield: Assignment.Yield) -> BaselineRun? {
        guard let count = yield.replicas.first?.count, count > 0 else { return nil }
        return BaselineRun(
            name: scenario.name, worldHash: scenario.worldHash.hex, seed: seed, replicas: count,
            minute: MinuteDigests(until: scenario.world.horizon).length,
            strategies: zip(contenders, yield.replicas).map(strategy))
    }

    /// A replica's own numbers are those of a run of that replica alone, so that the command that repeats it shows them.
    private func strategy(_ contender: Contender, _ replicas: [Assignment.Harvest]) -> BaselineStrategy {
        func measurement(_ folds: [RunFold]) -> Measurement {
            Measurement(of: folds, prices: scenario.prices, seed: seed)
        }
        return BaselineStrategy(
            name: contender.name, hash: contender.hash.hex, digests: replicas.map(\.digest.hex),
            minutes: replicas.map { $0.minutes?.minutes ?? [] }, whole: measurement(replicas.map(\.fold)),
            replicas: replicas.map { measurement([$0.fold]) })
    }
}

extension Baseline {
    /// What this version of the tool measures.
    static let metricsOfThisTool = Catalogue.all.map(\.name)

    static func of(_ runs: [BaselineRun]) -> Baseline {
        Baseline(tool: toolVersion, metrics: metricsOfThisTool, runs: runs)
    }
}
