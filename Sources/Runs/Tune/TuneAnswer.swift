import DeadzoneBase
import DeadzoneClient
import DeadzoneMetrics
import DeadzoneScenarios

/// Makes the answer of a finished search: chooses rows of the front, rounds them, orders their changes, and measures
/// all of it in fresh weathers.
struct TuneAnswer {
    /// Replicas of the tests that round values. Neither the search nor the printed numbers use their weathers.
    private static let testReplicas = 20
    /// Most points of the front that are measured in fresh weathers, beside the proposed rows.
    static let maxFront = 12
    /// A rounded value may be worse by the first share if the test finds the difference, and by the second if it does
    /// not. Without the second bound, many undecided losses would add up.
    private static let (decidedLoss, undecidedLoss) = (0.01, 0.04)
    /// A ratio to the present settings that counts as not worse.
    private static let notWorse = 1.02
    /// If no point differs from the present settings by more than this share, no setting matters.
    static let leastEffect = 0.005

    let plan: TunePlan
    let search: TuneSearch
    let goals: [Metric]
    let executor: ParallelExecutor
    let evaluator: TuneEvaluator
    var checkRuns = 0
    /// Samples of sets of settings in the weathers of the tests, by their changes.
    private var tested: [[String?]: TuneSamples] = [:]

    init(_ plan: TunePlan, _ search: TuneSearch, _ goals: [Metric], by executor: ParallelExecutor) {
        self.plan = plan
        self.search = search
        self.goals = goals
        self.executor = executor
        evaluator = TuneEvaluator(
            scenarios: plan.scenarios, metrics: TuneMaker.watched(goals, plan.demands), executor: executor)
    }

    /// A chosen point of the front.
    struct RowChoice {
        /// Index in the front.
        let index: Int
        var kinds: [TuneReport.ProposalKind]
    }

    /// The best point of each goal, and the knee. A point that has several roles is chosen once.
    static func choices(_ front: [SearchPoint], goals: Int) -> [RowChoice] {
        guard let first = front.first else { return [] }
        if !first.isFeasible { return [RowChoice(index: 0, kinds: [.closest])] }
        var chosen: [RowChoice] = []
        func choose(_ index: Int, _ kind: TuneReport.ProposalKind) {
            if let place = chosen.firstIndex(where: { $0.index == index }) {
                chosen[place].kinds.append(kind)
            } else {
                chosen.append(RowChoice(index: index, kinds: [kind]))
            }
        }
        func best(_ goal: Int) -> Int {
            front.indices.min { (front[$0].objectives[goal], $0) < (front[$1].objectives[goal], $1) } ?? 0
        }
        choose(best(0), .best(0))
        guard goals > 1 else { return chosen }
        // The point with the largest gain, among the points that are better than the present settings in every goal. If
        // there is none, the knee of the front.
        func product(_ index: Int) -> Double { front[index].objectives.reduce(1, *) }
        let better = front.indices.filter { front[$0].objectives.allSatisfy { $0 <= Self.notWorse } }
        let knee = better.min { (product($0), $0) < (product($1), $1) } ?? ParetoOrder.knee(of: front)
        if let knee { choose(knee, .knee) }
        for goal in 1..<goals { choose(best(goal), .best(goal)) }
        return chosen
    }

    /// Returns the report; `nil` if the run was stopped.
    mutating func report() throws -> TuneReport? {
        let front = search.front
        let points = front.map { search.tried[$0].point }
        let choices = Self.choices(points, goals: goals.count)
        var rows: [TuneReport.TuneRow] = []
        var present = plan.row([], presentValues)
        // Rounding can make two rows equal, or lead back to the present settings.
        func add(_ kinds: [TuneReport.ProposalKind], _ values: [String?], claimed: [Double?]) {
            if values == presentValues {
                present.kinds += kinds
            } else if let place = rows.firstIndex(where: { $0.values == values }) {
                rows[place].kinds += kinds
            } else {
                rows.append(plan.row(kinds, values, claimed: claimed))
            }
        }
        for choice in choices {
            guard let values = rounded(search.tried[front[choice.index]].values) else { return nil }
            add(choice.kinds, values, claimed: Self.claimed(points[choice.index], goals))
        }
        guard var report = try measured(present, rows, front) else { return nil }
        // Rounding may give up a gain that the search or the tests did not see. If fresh weathers prove it, the point
        // is rounded less, or not at all.
        for loss in [Self.decidedLoss, nil] where report.outcome != .nothingMatters {
            let gains = report.missedGains.filter(report.isProven)
            if gains.isEmpty { break }
            for gain in gains {
                let point = report.front[gain.front]
                guard let values = loss.map({ rounded(point.values, undecidedLoss: $0) }) ?? point.values else {
                    return nil
                }
                present.kinds.removeAll { $0 == .best(gain.goal) }
                for index in rows.indices { rows[index].kinds.removeAll { $0 == .best(gain.goal) } }
                add([.best(gain.goal)], values, claimed: point.claimed)
            }
            guard let again = try measured(present, rows, front) else { return nil }
            report = again
        }
        if let proposed = report.proposed {
            let values = report.rows[proposed].values
            guard let steps = path(to: values), let measured = measuredPath(steps, to: values) else { return nil }
            report.path = measured
            guard let edges = edges(of: report.rows[proposed]) else { return nil }
            report.edges = edges
        }
        report.effort.checkRuns = checkRuns
        return report
    }

    /// The change of each goal against the present settings in the weathers of the search.
    static func claimed(_ point: SearchPoint, _ goals: [Metric]) -> [Double?] {
        zip(goals, point.objectives).map { metric, objective in
            guard objective < TuneScorer.worstRatio else { return nil }
            // If higher values of the metric are better, its objective is the inverse ratio.
            return metric.better == .higher ? 1 / objective - 1 : objective - 1
        }
    }

    // MARK: Rounding

    /// Samples in the weathers of the tests. The inner `nil` is a refused set of settings, the outer one a stopped run.
    mutating func test(_ all: [[String?]]) -> [TuneSamples?]? {
        let open = all.reduce(into: [[String?]]()) { if tested[$1] == nil && !$0.contains($1) { $0.append($1) } }
        let read = open.map { plan.strategy.reading(plan.space.changes($0)) }
        let valid = open.indices.filter { read[$0] != nil }
        let first = TuneSearch.manyReplicas
        let samples = evaluator.samples(
            of: valid.compactMap { read[$0] }, seed: plan.searchSeed, replicas: first..<first + Self.testReplicas
        ) { _ in }
        guard let samples else { return nil }
        checkRuns += valid.count * Self.testReplicas * plan.scenarios.count
        for (index, samples) in zip(valid, samples) { tested[open[index]] = samples }
        return all.map { tested[$0] }
    }

    var presentValues: [String?] { plan.space.settings.map { _ in nil } }

    /// The scorer of the tests; `nil` if the run was stopped.
    mutating func testScorer() -> TuneScorer? {
        guard let present = test([presentValues])?.first ?? nil else { return nil }
        return TuneScorer(goals: goals, demands: plan.demands, present: present, beside: [present])
    }

    /// The values of a point with fewer changes and rounder values, as long as the paired test finds no goal worse and
    /// no demand is broken more. `nil` if the run was stopped.
    /// - Parameter undecidedLoss: Largest loss that the test does not have to find.
    private mutating func rounded(
        _ values: [String?], undecidedLoss: Double = TuneAnswer.undecidedLoss
    ) -> [String?]? {
        guard let scorer = testScorer(), let exact = test([values])?.first ?? nil else { return nil }
        var settling = SettlingSearch(values)
        let settings = plan.space.settings
        let nearby = zip(settings, values).map { setting, value in
            value.map(setting.rounderValues) ?? []
        }
        // First the present values, then rounder ones.
        let levels =
            [settings.map { _ in String??.some(nil) }]
            + (0..<(nearby.map(\.count).max() ?? 0)).map { level in
                nearby.map { level < $0.count ? String??.some($0[level]) : nil }
            }
        for replacements in levels {
            let isComplete = settling.settle(replacements) { values -> Bool? in
                guard let samples = test([values]) else { return nil }
                return samples[0].map { isAsGood($0, as: exact, scorer, undecidedLoss) } ?? false
            }
            guard isComplete else { return nil }
        }
        // Rounder values can make a change needless that was needed beside the exact ones.
        var last = SettlingSearch(settling.values)
        for index in settling.values.indices where settling.values[index] != nil {
            let replacements = settings.indices.map { $0 == index ? String??.some(nil) : nil }
            let isComplete = last.settle(replacements) { values -> Bool? in
                guard let samples = test([values]) else { return nil }
                return samples[0].map { isAsGood($0, as: exact, scorer, undecidedLoss) } ?? false
            }
            guard isComplete else { return nil }
        }
        return last.values
    }

    private func isAsGood(
        _ candidate: TuneSamples, as exact: TuneSamples, _ scorer: TuneScorer, _ undecidedLoss: Double
    ) -> Bool {
        guard candidate.isSound, scorer.violation(candidate) <= scorer.violation(exact) * (1 + Self.decidedLoss)
        else { return false }
        return goals.indices.allSatisfy { goal in
            let change = RelativeChange(
                new: scorer.paired(candidate, goal), old: scorer.paired(exact, goal), permutations: permutations)
            let worse = goals[goal].better == .higher ? -(change.change ?? 0) : change.change ?? 0
            if change.isWorse(goals[goal].better) { return change.change != nil && worse <= Self.decidedLoss }
            return worse <= undecidedLoss
        }
    }

    func permutations(_ pairs: Int) -> Permutations { Permutations(pairs: pairs, seed: plan.seed) }

    // MARK: The path of single changes

    /// One step of the path, and the strategy after it.
    private struct PathStep {
        let settings: [Int]
        let strategy: NamedStrategy
    }

    /// The steps with their changes in fresh weathers, each also as the last one.
    private mutating func measuredPath(_ steps: [PathStep], to values: [String?]) -> [TuneReport.TuneStep]? {
        let rests = steps.map { step in
            plan.strategy.reading(
                plan.space.changes(values.indices.map { step.settings.contains($0) ? nil : values[$0] }))
        }
        let samples = evaluator.samples(
            of: [plan.present] + steps.map(\.strategy) + rests.compactMap(\.self), seed: plan.seed,
            replicas: 0..<plan.replicas
        ) { _ in }
        guard let samples else { return nil }
        checkRuns += samples.count * plan.replicas * plan.scenarios.count
        let scorer = TuneScorer(goals: goals, demands: plan.demands, present: samples[0], beside: samples)
        func changes(_ new: TuneSamples, since old: TuneSamples) -> [RelativeChange] {
            goals.indices.map { goal in
                RelativeChange(
                    new: scorer.paired(new, goal), old: scorer.paired(old, goal), permutations: permutations)
            }
        }
        var others = samples.dropFirst(1 + steps.count)
        return steps.indices.map { step in
            let rest = rests[step] == nil ? nil : others.popFirst()
            return TuneReport.TuneStep(
                settings: steps[step].settings, changes: changes(samples[step + 1], since: samples[step]),
                without: rest.map { changes($0, since: samples[steps.count]) } ?? [])
        }
    }

    /// The changes from the present settings to the proposed ones, in order, each as the settings that change together.
    private mutating func path(to values: [String?]) -> [PathStep]? {
        let changes = values.indices.filter { values[$0] != nil }
        guard let scorer = testScorer() else { return nil }
        func partial(_ made: [Int]) -> [String?] { values.indices.map { made.contains($0) ? values[$0] : nil } }
        let order = ChangePath.order(changes) { sets -> [Double]? in
            test(sets.map(partial))?.map { samples in
                guard let samples else { return .greatestFiniteMagnitude }
                return scorer.objectives(samples).reduce(0, +) + Self.demandWeight * scorer.violation(samples)
            }
        }
        guard let order else { return nil }
        var (steps, made, open): ([PathStep], [Int], [Int]) = ([], [], [])
        for change in order {
            made.append(change)
            open.append(change)
            // A change that is refused without the next one is made together with it.
            guard let strategy = plan.strategy.reading(plan.space.changes(partial(made))) else { continue }
            steps.append(PathStep(settings: open, strategy: strategy))
            open = []
        }
        return steps
    }

    /// Weight of broken demands against ratios, in the order of single changes.
    private static let demandWeight = 10.0
}
