import DeadzoneBase
package import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator

/// Builds the baseline entry of a scenario (its saved results for later comparison) from the results of its strategies.
struct BaselineMaker {
    let scenario: Scenario
    let namedStrategies: [NamedStrategy]
    let seed: UInt64

    func run(_ results: SimulationPlan.RunResults, _ report: RunReport) -> BaselineRun {
        BaselineRun(
            name: scenario.name, worldHash: scenario.worldHash.hex, seed: seed, replicas: results.replicaCount,
            minute: MinuteDigests(until: scenario.world.horizon).length,
            strategies: namedStrategies.indices.map {
                strategy(namedStrategies[$0], results.byStrategy[$0], report.strategies[$0])
            })
    }

    /// Stores each replica's figures as a run of that replica alone gives them, so that the repeat command shows the
    /// same numbers.
    private func strategy(_ namedStrategy: NamedStrategy, _ result: StrategyResults, _ report: StrategyReport)
        -> BaselineStrategy
    {
        var strategy = BaselineStrategy(
            name: namedStrategy.name, hash: namedStrategy.hash.hex, digests: result.digests.map(\.hex),
            minutes: result.minutes.map(\.minutes), whole: report.measurement, replicas: result.replicaColumns)
        for (group, columns) in zip(report.groups, result.groupReplicaColumns) {
            strategy.add(group: group.name, whole: group.measurement, replicas: columns)
        }
        return strategy
    }
}

extension Baseline {
    /// Names of the metrics of this tool version.
    static let metricsOfThisTool = Catalogue.all.map(\.name)

    package static func of(_ runs: [BaselineRun]) -> Baseline {
        Baseline(tool: toolVersion, metrics: metricsOfThisTool, runs: runs)
    }
}
