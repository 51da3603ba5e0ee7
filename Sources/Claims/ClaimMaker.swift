import DeadzoneBase
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneRuns
package import DeadzoneScenarios
import DeadzoneShipped

/// Tests claims of articles: runs each required scenario once and applies the claims' rules to the results.
package struct ClaimMaker: Sendable {
    private let vocabulary: Vocabulary
    private let executor: ParallelExecutor
    private let text: @Sendable (String) -> String?

    /// - Parameter text: Returns the text of a scenario by its name. By default, the built-in scenarios.
    package init(
        _ vocabulary: Vocabulary = .standard, by executor: ParallelExecutor,
        text: @escaping @Sendable (String) -> String? = Self.shipped
    ) {
        self.vocabulary = vocabulary
        self.executor = executor
        self.text = text
    }

    /// The built-in copy of a scenario under Scenarios/claims.
    @Sendable package static func shipped(_ name: String) -> String? { shippedClaims.first { $0.name == name }?.text }

    /// Reports in the order of the claims. Empty if the run was stopped.
    package func reports(of claims: [ArticleClaim], in world: ClaimWorld = .builtIn) throws -> [ClaimReport] {
        if world.isChanged, let computed = claims.first(where: { $0.scenario == nil }) {
            throw ToolFault(
                .conflict, "\(computed.id) is computed, and depends on no world",
                help: ["leave it out, or leave out `--world` and `--set`"])
        }
        let groups = try groups(of: claims, in: world)
        let cells = groups.flatMap { group in
            let kinds = group.claims.reduce(into: Set<RecordKind>()) { $0.formUnion($1.kinds) }
            return group.cells.map { (scenario: $0, group: group, kinds: kinds) }
        }
        let progress = executor.progress("claims", total: cells.count)
        var runs: [String: [ClaimRun]] = [:]
        try executor.inOrder(cells.count) { index, executor in
            defer { progress.advance() }
            let cell = cells[index]
            return Result {
                try run(cell.scenario, named: cell.group.name, in: world, recording: cell.kinds, by: executor)
            }
        } take: { (index, outcome: Result<ClaimRun?, any Error>) throws in
            guard let run = try outcome.get() else { return false }
            for claim in cells[index].group.claims { runs[claim.id, default: []].append(run) }
            return true
        }
        progress.clear()
        guard !executor.isStopped() else { return [] }
        return try claims.map { try report($0, runs[$0.id] ?? [], in: world) }
    }

    private func report(_ claim: ArticleClaim, _ runs: [ClaimRun], in world: ClaimWorld) throws -> ClaimReport {
        guard world.isChanged else { return claim.report(try claim.cells(runs), in: world) }
        let report = claim.report(claim.cells(ofUser: runs), in: world)
        try claim.checkMeasured(report, in: world.name(of: claim.scenario ?? ""))
        return report
    }

    /// Claims that are measured by the same runs.
    private struct ClaimGroup {
        let name: String
        let cells: [Scenario]
        let claims: [ArticleClaim]
    }

    private func groups(of claims: [ArticleClaim], in world: ClaimWorld) throws(ToolFault) -> [ClaimGroup] {
        var groups: [ClaimGroup] = []
        if let scenarios = world.scenarios {
            groups = [ClaimGroup(name: world.name(of: ""), cells: scenarios, claims: claims)]
        } else {
            for name in claims.compactMap(\.scenario) where !groups.contains(where: { $0.name == name }) {
                let own = claims.filter { $0.scenario == name }
                groups.append(ClaimGroup(name: name, cells: try scenarios(of: name, in: world), claims: own))
            }
        }
        guard world.isChanged else { return groups }
        for group in groups {
            for claim in group.claims {
                let name = claim.scenario ?? ""
                try claim.check(group.cells, named: world.name(of: name), shipped: text(name))
            }
        }
        return groups
    }

    /// The cells of the scenario's matrix.
    private func scenarios(of name: String, in world: ClaimWorld) throws(ToolFault) -> [Scenario] {
        guard let text = text(name) else { throw ToolFault(.runFailed, "there is no scenario \(name) of a claim") }
        let file = "claims/\(name).yaml"
        let loaded = ScenarioLoader(vocabulary, read: ScenarioFiles.read).load(
            Array(text.utf8), name: file, overrides: world.overrides?.node)
        guard loaded.faults.isEmpty else {
            if let fault = world.overrides?.fault(among: loaded.faults) { throw fault }
            let faults = loaded.faults.sorted.map { "line \($0.mark.line): \($0.message)" }
            throw ToolFault(.runFailed, "\(file) cannot be run", help: faults)
        }
        return loaded.scenarios
    }

    /// Runs one cell. Returns `nil` if the run was stopped. Throws if the run proves nothing, because it is then no
    /// measurement.
    private func run(
        _ scenario: Scenario, named name: String, in world: ClaimWorld, recording kinds: Set<RecordKind>,
        by executor: ParallelExecutor
    ) throws -> ClaimRun? {
        let seed = world.change.seed ?? scenario.seed ?? 1
        let simulationPlan = SimulationPlan(
            scenario, scenario.strategies, seed: seed,
            replicas: world.change.replicas ?? scenario.replicas)
        let results = simulationPlan.run(by: executor.withoutProgress)
        guard results.isComplete else { return nil }
        let maker = ReportMaker(scenario, scenario.strategies, seed: seed, by: executor.withoutProgress)
        guard let report = try maker.report(results), report.isComplete else { return nil }
        if let trouble = report.troubles.first {
            throw ToolFault(.runFailed, "\(world.name(of: name)): \(trouble)")
        }
        var eventTimes: [String: EventTimesByKind] = [:]
        for (index, namedStrategy) in scenario.strategies.enumerated() where !kinds.isEmpty {
            var told = EventTimesByKind(of: kinds)
            simulationPlan.rerun(index, 0, into: &told, executor.isStopped)
            eventTimes[namedStrategy.name] = told
        }
        return ClaimRun(
            labels: scenario.labels.map(\.value), report: report, timeInBackground: scenario.timeInBackground,
            eventTimes: eventTimes)
    }
}
