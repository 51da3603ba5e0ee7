import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
package import DeadzoneMetrics
package import DeadzoneScenarios

/// Searches for the best settings of a strategy, rounds them, and measures them in weathers that the search never saw.
package struct TuneMaker {
    let plan: TunePlan
    let executor: ParallelExecutor

    /// Checks the request. Nothing runs.
    package init(_ request: TuneRequest, _ vocabulary: Vocabulary, by executor: ParallelExecutor) throws(ToolFault) {
        plan = try TunePlan(request, vocabulary)
        self.executor = executor
    }

    /// Returns the report; `nil` if the search was stopped before its first generation. A search that was stopped later
    /// returns its best points, with the numbers of the search.
    package func report() throws -> TuneReport? {
        guard let goals = try goals() else { return nil }
        let plan = try plan.bounding(goals)
        let evaluator = evaluator(goals, plan.demands)
        var search = TuneSearch(
            plan.space, plan.strategy, present: plan.present, evaluator, seed: plan.searchSeed, goals: goals,
            demands: plan.demands, budget: plan.budget)
        let progress = executor.progress("tune", total: plan.budget)
        let isSearched = search.run(progress)
        progress.clear()
        guard !search.tried.isEmpty else { return nil }
        guard isSearched else { return stopped(plan, search, goals) }
        var answer = TuneAnswer(plan, search, goals, by: executor)
        return try answer.report() ?? stopped(plan, search, goals)
    }

    private func evaluator(_ goals: [Metric], _ demands: [TuneReport.TuneDemand]) -> TuneEvaluator {
        TuneEvaluator(scenarios: plan.scenarios, metrics: Self.watched(goals, demands), executor: executor)
    }

    /// Indices of the metrics of goals and demands in the catalogue.
    static func watched(_ goals: [Metric], _ demands: [TuneReport.TuneDemand]) -> [Int] {
        (goals.map(\.name) + demands.map(\.name)).compactMap { name in Catalogue.all.firstIndex { $0.name == name } }
    }

    /// The named goals, or energy and the first latency that every scenario measures. `nil` if the run was stopped.
    private func goals() throws -> [Metric]? {
        let names = [TuneRequest.energy] + TuneRequest.latencies
        let candidates = plan.namedGoals.isEmpty ? names.compactMap(Catalogue.metric(named:)) : plan.namedGoals
        guard
            let samples = evaluator(candidates, plan.demands).samples(
                of: [plan.present], seed: plan.searchSeed, replicas: 0..<TuneSearch.manyReplicas, { _ in })
        else { return nil }
        func isMeasured(_ goal: Int) -> Bool {
            samples[0].values.allSatisfy { $0[goal].contains { $0 != nil } }
        }
        try checkDemands(samples[0], after: candidates.count)
        if !plan.namedGoals.isEmpty {
            if let missing = candidates.indices.first(where: { !isMeasured($0) }) {
                throw ToolFault(
                    .badFlagValue, "\(quote(candidates[missing].name)) has no value in some scenario",
                    help: ["nothing happens there that this metric measures; choose another one with --for"])
            }
            return candidates
        }
        let latency = candidates.indices.dropFirst().first(where: isMeasured)
        return [candidates[0]] + (latency.map { [candidates[$0]] } ?? [])
    }

    /// A demand on a metric without a value would hold whatever the settings are.
    private func checkDemands(_ present: TuneSamples, after goals: Int) throws(ToolFault) {
        for (index, demand) in plan.demands.enumerated() where !demand.isImplied {
            let isMeasured = present.values.contains { $0[goals + index].contains { $0 != nil } }
            guard !isMeasured else { continue }
            throw ToolFault(
                .badFlagValue, "\(quote(demand.name)) has no value in any scenario",
                help: ["nothing happens that this metric measures; choose another one with --subject-to"])
        }
    }

    /// The report of a search that was stopped: the front until then, with the numbers of the search.
    private func stopped(_ plan: TunePlan, _ search: TuneSearch, _ goals: [Metric]) -> TuneReport {
        let front = search.front
        let rows = TuneAnswer.choices(front.map { search.tried[$0].point }, goals: goals.count).map { choice in
            let point = search.tried[front[choice.index]]
            return plan.row(choice.kinds, point.values, claimed: TuneAnswer.claimed(point.point, goals))
        }
        var report = TuneReport(
            tool: toolVersion, strategy: plan.strategy.name, scenarios: plan.facts, settings: plan.settingFacts,
            goals: goals, demands: plan.demands, seed: plan.seed, replicas: plan.replicas, effort: search.effort,
            present: TuneReport.TuneRow(values: plan.space.settings.map { _ in nil }), rows: rows,
            outcome: .improved, isComplete: false)
        report.points = search.facts
        return report
    }
}

extension TunePlan {
    /// A row without results, with its YAML.
    func row(_ kinds: [TuneReport.ProposalKind], _ values: [String?], claimed: [Double?] = []) -> TuneReport.TuneRow {
        let changes = space.changes(values)
        var row = TuneReport.TuneRow(kinds: kinds, values: values, claimed: claimed)
        row.preset = blockText(strategy.settings(changes))
        guard !changes.isEmpty else { return row }
        let own = Node.map([Node.MapEntry(key: strategy.name, value: TunableStrategy.node(of: changes))])
        row.paste = blockText(.map([Node.MapEntry(key: "strategies", value: own)]))
        return row
    }

    var facts: [TuneReport.TunedScenario] {
        func facts(_ scenarios: [Scenario], _ isHeldOut: Bool) -> [TuneReport.TunedScenario] {
            scenarios.map {
                TuneReport.TunedScenario(name: $0.name, worldHash: $0.worldHash.hex, isHeldOut: isHeldOut)
            }
        }
        return facts(scenarios, false) + facts(heldOut, true)
    }

    var settingFacts: [TuneReport.TunedSetting] {
        space.settings.map { TuneReport.TunedSetting(name: $0.name, present: $0.present, range: $0.range) }
    }
}

extension TuneSearch {
    /// Every evaluated point for the report.
    var facts: [TuneReport.TunePoint] {
        let front = Set(front)
        return tried.indices.map { index in
            let point = tried[index]
            return TuneReport.TunePoint(
                values: point.values, objectives: point.point.objectives, violation: point.point.violation,
                replicas: point.samples.replicas, isOnFront: front.contains(index))
        }
    }
}
