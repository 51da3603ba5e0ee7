import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
import DeadzoneScenarios

/// Runs the scenarios of a corpus again: each with the strategies that its expectations name, and nothing else.
package struct CorpusReplayer {
    private let files: ScenarioFiles
    private let executor: ParallelExecutor

    package init(_ files: ScenarioFiles, by executor: ParallelExecutor) {
        self.files = files
        self.executor = executor
    }

    package func report() throws -> CorpusReport {
        var report = CorpusReport(tool: toolVersion)
        let scenarios = files.files.flatMap { file in file.loaded.scenarios.map { (file.name, $0) } }
        let progress = executor.progress("replay", total: scenarios.count)
        try executor.inOrder(scenarios.count) { index, executor in
            defer { progress.advance() }
            return Result { try Self.replay(scenarios[index].1, by: executor.withoutProgress) }
        } take: { (index, result: Result<RunReport?, any Error>) throws in
            guard let run = try result.get(), run.isComplete else {
                report.isComplete = false
                return false
            }
            Self.add(run, scenarios[index], &report)
            return true
        }
        progress.clear()
        return report
    }

    private static func replay(_ scenario: Scenario, by executor: ParallelExecutor) throws -> RunReport? {
        let thresholds = try scenario.expectations.compactMap { bound in
            try Catalogue.metric(named: bound.metric).map { try Threshold(bound.bound, in: $0.unit) }
        }
        let named = Set(scenario.expectations.map(\.strategy)).union(thresholds.compactMap(\.reference))
        let strategies = scenario.strategies.filter { named.contains($0.name) }
        guard !strategies.isEmpty else {
            throw ToolFault(
                .nothingMatched, "\(quote(scenario.name)) expects nothing",
                help: ["a scenario of a corpus has its demand under `expect:`"])
        }
        let seed = scenario.seed ?? 1
        let plan = SimulationPlan(scenario, strategies, seed: seed, replicas: scenario.replicas)
        return try ReportMaker(scenario, strategies, seed: seed, by: executor).report(plan.run(by: executor))
    }

    private static func add(
        _ run: RunReport, _ source: (file: String, scenario: Scenario), _ report: inout CorpusReport
    ) {
        for trouble in run.troubles { report.troubles.append("\(source.file): \(trouble)") }
        for strategy in run.strategies {
            for outcome in strategy.outcomes {
                guard let metric = Catalogue.metric(named: outcome.expectation.metric) else { continue }
                // After a repair, nothing may be left to measure: without a dead connection, none has a length.
                let isKept = outcome.verdict == .pass || outcome.value == .nothing
                report.outcomes.append(
                    CorpusReport.CorpusOutcome(
                        file: source.file, scenario: source.scenario.name, strategy: strategy.name,
                        metric: metric.name, unit: metric.unit, threshold: outcome.expectation.threshold,
                        value: outcome.value, isKept: isKept))
            }
        }
    }
}
