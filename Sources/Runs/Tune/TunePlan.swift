import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios

/// A checked request of `tune`, before anything runs.
struct TunePlan {
    let scenarios: [Scenario]
    let heldOut: [Scenario]
    let strategy: TunableStrategy
    let present: NamedStrategy
    let space: TuneSpace
    private(set) var demands: [TuneReport.TuneDemand]
    /// Goals that the user named; empty if they depend on what the scenarios measure.
    let namedGoals: [Metric]
    let budget: Int
    let seed: UInt64
    /// Replicas of the fresh weathers. Without a number of the user's, never fewer than can decide, whatever the
    /// scenarios say: with five pairs, no test could find any settings better.
    let replicas: Int

    /// Seed of the weathers of the search. No run of the user has them, because it is derived from a replica number
    /// that is larger than any allowed one.
    var searchSeed: UInt64 { seed.seed(ofReplica: 1 << 40) }

    init(_ request: TuneRequest, _ vocabulary: Vocabulary) throws(ToolFault) {
        let all = request.scenarios + request.heldOut
        guard let first = all.first, !request.scenarios.isEmpty else {
            throw ToolFault(.nothingMatched, "there is no scenario to search", help: ["name a scenario file"])
        }
        let named = try Self.strategy(request.strategy, first)
        for scenario in all.dropFirst() {
            let other = try Self.strategy(named.name, scenario)
            guard other.hash == named.hash else {
                if !scenario.labels.isEmpty {
                    throw ToolFault(
                        .conflict, "the matrix of \(quote(scenario.name)) changes strategy \(quote(named.name))",
                        help: ["`tune` varies settings by itself: remove this axis of `matrix:`, and use --vary"])
                }
                throw ToolFault(
                    .conflict,
                    "strategy \(quote(named.name)) has other settings in \(quote(first.name)) than in \(quote(scenario.name))",
                    help: [
                        "put the strategy into a file of its own, and add it to all scenarios: --with FILE.yaml --strategy NAME"
                    ])
            }
        }
        scenarios = request.scenarios
        heldOut = request.heldOut
        strategy = TunableStrategy(named, in: first, vocabulary)
        present = named
        space = try TuneSpace(strategy, varying: request.varied)
        namedGoals = try Self.goals(request.goals)
        demands = try Self.demands(request.demands)
        budget = request.budget
        let least = TuneSearch.leastBudget(scenarios: request.scenarios.count)
        guard budget >= least else {
            throw ToolFault(
                .badFlagValue, "`--budget \(budget)` is too small",
                help: [
                    "\(plural(request.scenarios.count, "scenario")) need at least \(least) simulations; the usual budget is \(TuneRequest.usualBudget)"
                ])
        }
        seed = request.seed ?? first.seed ?? 1
        replicas = request.replicas ?? max(PrimaryMetric.neededReplicas, all.map(\.replicas).max() ?? 0)
    }

    private static func strategy(_ name: String?, _ scenario: Scenario) throws(ToolFault) -> NamedStrategy {
        if let name {
            let selection = StrategySelection(names: [name])
            guard let found = try selection.selected(scenario).first else {
                throw ToolFault(.unknownName, "unknown strategy \(quote(name))")
            }
            return found
        }
        if let only = scenario.strategies.first, scenario.strategies.count == 1 { return only }
        let names = scenario.strategies.map { visible($0.name, atMost: 60) }.joined(separator: ", ")
        throw ToolFault(
            .missingArgument, "`--strategy` is missing: \(quote(scenario.name)) has several strategies",
            help: ["choose one of these: \(names)"])
    }

    private static func goals(_ names: [String]) throws(ToolFault) -> [Metric] {
        var goals: [Metric] = []
        for name in names {
            let metric = try DemandText.metric(name)
            guard metric.better != .neither else {
                throw ToolFault(
                    .badFlagValue, "`--for` cannot be \(quote(name)): no direction of this metric is better",
                    help: ["deadzone list metrics shows which direction is better"])
            }
            if goals.contains(where: { $0.name == name }) {
                throw ToolFault(.conflict, "`--for` names \(quote(name)) twice", help: ["name each metric once"])
            }
            goals.append(metric)
        }
        guard goals.count <= maxGoals else {
            throw ToolFault(
                .badFlagValue, "`--for` names \(goals.count) metrics",
                help: [
                    "name at most \(maxGoals); write the others as demands: --subject-to 'METRIC: BOUND'"
                ])
        }
        return goals
    }

    /// With more goals nearly every point is on the front.
    private static let maxGoals = 3

    /// The demands that the user names, and that no more is lost than now. A demand on a loss replaces the implied one.
    private static func demands(_ texts: [String]) throws(ToolFault) -> [TuneReport.TuneDemand] {
        var named: [TuneReport.TuneDemand] = []
        for text in texts { named.append(try demand(text, isImplied: false)) }
        var implied: [TuneReport.TuneDemand] = []
        for name in TuneRequest.losses where !named.contains(where: { $0.name == name }) {
            implied.append(try demand("\(name): at most 100% of \(TuneRequest.present)", isImplied: true))
        }
        return named + implied
    }

    /// The same plan with the bounds that goals imply if the user names no demand.
    func bounding(_ goals: [Metric]) throws(ToolFault) -> TunePlan {
        guard demands.allSatisfy(\.isImplied) else { return self }
        var plan = self
        for goal in goals {
            let bound =
                goal.better == .higher
                ? "at least \(10_000 / TuneRequest.worstPercent)%" : "at most \(TuneRequest.worstPercent)%"
            plan.demands.append(
                try Self.demand("\(goal.name): \(bound) of \(TuneRequest.present)", isImplied: true))
        }
        return plan
    }

    private static func demand(_ text: String, isImplied: Bool) throws(ToolFault) -> TuneReport.TuneDemand {
        let demand = try DemandText(text, flag: "subject-to")
        if let reference = demand.threshold.reference, reference != TuneRequest.present {
            throw ToolFault(
                .badFlagValue, "`--subject-to` cannot refer to \(quote(reference))",
                help: ["a bound can refer to the present settings: 'at most 100% of \(TuneRequest.present)'"])
        }
        return TuneReport.TuneDemand(
            name: demand.metric.name, unit: demand.metric.unit, threshold: demand.threshold, isImplied: isImplied)
    }
}
