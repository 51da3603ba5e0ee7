public import DeadzoneCompare
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneWorld

/// From a scenario and what its strategies yielded to what a baseline keeps of them.
struct BaselineMaker {
    let scenario: Scenario
    let contenders: [Contender]
    let seed: UInt64

    func run(_ yield: Assignment.Yield, _ report: RunReport) -> BaselineRun {
        BaselineRun(
            name: scenario.name, worldHash: scenario.worldHash.hex, seed: seed, replicas: yield.count,
            minute: MinuteDigests(until: scenario.world.horizon).length,
            strategies: contenders.indices.map {
                strategy(contenders[$0], yield.crops[$0], report.strategies[$0])
            })
    }

    /// A replica's own numbers are those of a run of that replica alone, so that the command that repeats it shows them.
    private func strategy(_ contender: Contender, _ crop: Crop, _ report: StrategyReport) -> BaselineStrategy {
        var strategy = BaselineStrategy(
            name: contender.name, hash: contender.hash.hex, digests: crop.digests.map(\.hex),
            minutes: crop.minutes.map(\.minutes), whole: report.measurement, replicas: crop.each)
        for (group, columns) in zip(report.groups, crop.eachOfGroups) {
            strategy.add(group: group.name, whole: group.measurement, replicas: columns)
        }
        return strategy
    }
}

extension Baseline {
    /// What this version of the tool measures.
    static let metricsOfThisTool = Catalogue.all.map(\.name)

    public static func of(_ runs: [BaselineRun]) -> Baseline {
        Baseline(tool: toolVersion, metrics: metricsOfThisTool, runs: runs)
    }
}
