public import DeadzoneCompare
import DeadzoneHost
import DeadzoneJournal
public import DeadzoneRuns
public import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneShipped

/// Tests claims of articles: runs each required scenario once and applies the claims' rules to the results.
public struct ClaimMaker {
    private let vocabulary: Vocabulary
    private let executor: ParallelExecutor
    private let text: (String) -> String?

    /// - Parameter text: Returns the text of a scenario by its name. By default, the built-in scenarios.
    public init(
        _ vocabulary: Vocabulary = .standard, by executor: ParallelExecutor,
        text: @escaping (String) -> String? = Self.shipped
    ) {
        self.vocabulary = vocabulary
        self.executor = executor
        self.text = text
    }

    /// The built-in copy of a scenario under Scenarios/claims.
    public static func shipped(_ name: String) -> String? { shippedClaims.first { $0.name == name }?.text }

    /// Reports in the order of the claims. Empty if the run was stopped.
    public func reports(of claims: [ArticleClaim]) throws -> [ClaimReport] {
        var names: [String] = []
        for name in claims.compactMap(\.scenario) where !names.contains(name) { names.append(name) }
        let worlds = try names.map { (name: $0, cells: try scenarios(of: $0)) }
        let progress = executor.progress("claims", total: worlds.reduce(0) { $0 + $1.cells.count })
        var runs: [String: [ClaimRun]] = [:]
        for world in worlds where !executor.isStopped() {
            let kinds = claims.filter { $0.scenario == world.name }.reduce(into: Set<RecordKind>()) {
                $0.formUnion($1.kinds)
            }
            runs[world.name] = try world.cells.compactMap { scenario in
                defer { progress.advance() }
                return try run(scenario, of: world.name, recording: kinds)
            }
        }
        progress.clear()
        return executor.isStopped() ? [] : try claims.map { $0.report(try $0.cells(runs[$0.scenario ?? ""] ?? [])) }
    }

    /// The cells of the scenario's matrix.
    private func scenarios(of name: String) throws(ToolFault) -> [Scenario] {
        guard let text = text(name) else { throw ToolFault(.runFailed, "there is no scenario \(name) of a claim") }
        let file = "claims/\(name).yaml"
        let loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(Array(text.utf8), name: file)
        guard loaded.faults.isEmpty else {
            let faults = loaded.faults.sorted.map { "line \($0.mark.line): \($0.message)" }
            throw ToolFault(.runFailed, "\(file) cannot be run", help: faults)
        }
        return loaded.scenarios
    }

    /// Runs one cell. Returns `nil` if the run was stopped. Throws if the run proves nothing, because it is then no
    /// measurement.
    private func run(_ scenario: Scenario, of name: String, recording kinds: Set<RecordKind>) throws -> ClaimRun? {
        let seed = scenario.seed ?? 1
        let simulationPlan = SimulationPlan(
            scenario, scenario.strategies.map(\.strategy), seed: seed, replicas: scenario.replicas)
        let results = simulationPlan.run(by: executor.withoutProgress)
        guard results.isComplete else { return nil }
        let maker = ReportMaker(scenario, scenario.strategies, seed: seed, by: executor.withoutProgress)
        guard let report = try maker.report(results), report.isComplete else { return nil }
        if let trouble = report.troubles.first { throw ToolFault(.runFailed, "claims/\(name).yaml: \(trouble)") }
        var eventTimes: [String: EventTimesByKind] = [:]
        for (index, namedStrategy) in scenario.strategies.enumerated() where !kinds.isEmpty {
            var told = EventTimesByKind(of: kinds)
            simulationPlan.rerun(index, 0, into: &told, executor.isStopped)
            eventTimes[namedStrategy.name] = told
        }
        return ClaimRun(labels: scenario.labels.map(\.value), report: report, eventTimes: eventTimes)
    }
}
