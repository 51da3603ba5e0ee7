import DeadzoneHost
import DeadzoneMetrics
import DeadzoneScenarios

/// The search of `tune`: many points with two replicas each, then the best of them with three. Half of the points are
/// spread over the space. Most of the others are children of the best points: those from which a model of the evaluated
/// points expects most. Every evaluated point is kept.
///
/// Few replicas are enough to find good points, because all points meet the same weathers. The numbers of the best
/// points are then too good (winner's curse), so no number of the search is printed as a result. Successive halving,
/// which discards points early, was measured and found worse than random search. Children from the start, and six
/// replicas for fewer points, were worse in one of six scenarios and not better in any.
struct TuneSearch {
    /// Replicas of every point, and of the best ones.
    static let (fewReplicas, manyReplicas) = (2, 3)
    /// Most points of one generation. A generation is proposed from the points before it, whatever the number of
    /// threads.
    private static let generationSize = 40
    /// Points that become parents of the next generation.
    private static let parents = 30
    /// Most points that are raised to many replicas.
    private static let maxRaised = 150
    /// Share of the budget that raises points.
    private static let raisingShare = 0.15
    /// Share of the points that are spread over the space before the best ones have children.
    private static let spreadShare = 0.5
    /// After that, one point in this many is spread over the space.
    private static let spreadInterval = 10
    /// Candidates for each place of a generation that the model fills. One in four is spread over the space.
    private static let (candidates, spreadCandidateInterval) = (16, 4)
    /// Number of the first spread candidate: beyond the numbers of the points that are spread over the space.
    private static let firstSpreadCandidate = 1 << 24
    /// Proposals for one place of a generation, if earlier ones are refused or known.
    private static let maxProposals = 20
    /// Points with two replicas that a search needs at least.
    private static let leastPoints = 16

    /// Smallest budget for a number of scenarios.
    static func leastBudget(scenarios: Int) -> Int {
        scenarios * (leastPoints * fewReplicas + 4 * (manyReplicas - fewReplicas))
    }

    struct TriedPoint {
        let position: [Double]
        /// One value for each setting; `nil` keeps the present value.
        let values: [String?]
        let strategy: NamedStrategy
        var samples: TuneSamples
        var point: SearchPoint
    }

    private let space: TuneSpace
    private let strategy: TunableStrategy
    private let evaluator: TuneEvaluator
    private let seed: UInt64
    private let goals: [Metric]
    private let demands: [TuneReport.TuneDemand]
    private let proposer: PointProposer
    private let presentStrategy: NamedStrategy

    /// The points in the order of the search. The first is the present settings.
    private(set) var tried: [TriedPoint] = []
    private(set) var effort: TuneReport.TuneEffort
    /// `nil` until the first generation was run.
    private(set) var scorer: TuneScorer?
    private var known: Set<String> = []
    private var (nextSpread, nextChild) = (0, 0)
    private var ranking: CandidateRanking

    init(
        _ space: TuneSpace, _ strategy: TunableStrategy, present: NamedStrategy, _ evaluator: TuneEvaluator,
        seed: UInt64, goals: [Metric], demands: [TuneReport.TuneDemand], budget: Int
    ) {
        self.space = space
        self.strategy = strategy
        presentStrategy = present
        self.evaluator = evaluator
        self.seed = seed
        self.goals = goals
        self.demands = demands
        effort = TuneReport.TuneEffort(budget: budget)
        proposer = PointProposer(space.dimensions, seed: seed)
        ranking = CandidateRanking(space.dimensions)
    }

    /// Simulations that raise the best points.
    private var raisingBudget: Int {
        let each = (Self.manyReplicas - Self.fewReplicas) * evaluator.scenarios.count
        return min(Self.maxRaised, Int(Double(effort.budget) * Self.raisingShare) / each) * each
    }

    /// Runs the search. Returns `false` if it was stopped; the generation in progress is then discarded.
    mutating func run(_ progress: Progress) -> Bool {
        let cost = Self.fewReplicas * evaluator.scenarios.count
        let points = (effort.budget - raisingBudget) / cost
        let size = min(Self.generationSize, max(Self.leastPoints / 2, points / 6))
        while tried.count < points {
            let hasChildren = Double(tried.count) >= Self.spreadShare * Double(points)
            let proposals = propose(min(size, points - tried.count), hasChildren: hasChildren)
            // All values of the space are known.
            if proposals.isEmpty { break }
            guard evaluate(proposals, progress) else { return false }
        }
        return raise(progress)
    }

    private typealias Proposal = (position: [Double], values: [String?], strategy: NamedStrategy)

    private mutating func propose(_ count: Int, hasChildren: Bool) -> [Proposal] {
        var proposals: [Proposal] = []
        if tried.isEmpty {
            let position = space.settings.map(\.presentPosition)
            let values = position.map { _ in String?.none }
            known.insert(Self.key(values))
            proposals.append((position, values, presentStrategy))
            proposals += singleChanges(atMost: count / 2)
        }
        let best = hasChildren ? ParetoOrder(tried.map(\.point)).best(Self.parents).map { tried[$0].position } : []
        if hasChildren {
            while proposals.count * Self.spreadInterval < count, let proposal = fresh(of: [], isChild: false) {
                proposals.append(proposal)
            }
            proposals += promising(count - proposals.count, best)
        }
        // Without promising candidates, any children will do.
        var place = 0
        while proposals.count < count, place < count * 2 {
            let isChild = hasChildren && !place.isMultiple(of: Self.spreadInterval)
            if let proposal = fresh(of: best, isChild: isChild) {
                proposals.append(proposal)
            }
            place += 1
        }
        return proposals
    }

    /// The present settings with one setting at a quarter or three quarters of its range. They show which settings
    /// matter at all.
    private mutating func singleChanges(atMost count: Int) -> [Proposal] {
        var proposals: [Proposal] = []
        for part in [0.25, 0.75] {
            for dimension in space.settings.indices where proposals.count < count {
                var position = space.settings.map(\.presentPosition)
                position[dimension] = part
                var values = space.values(at: position)
                // The other settings keep their values exactly.
                for other in values.indices where other != dimension { values[other] = nil }
                if let proposal = accepted(position, values) { proposals.append(proposal) }
            }
        }
        return proposals
    }

    /// The candidates from which the model expects most. Fewer than wanted if it expects nothing from the others.
    private mutating func promising(_ count: Int, _ parents: [[Double]]) -> [Proposal] {
        var candidates: [[Double]] = []
        for place in 0..<count * Self.candidates {
            candidates.append(
                place.isMultiple(of: Self.spreadCandidateInterval)
                    ? proposer.spread(Self.firstSpreadCandidate + nextChild) : proposer.child(nextChild, of: parents))
            nextChild += 1
        }
        var proposals: [Proposal] = []
        for index in ranking.best(2 * count, of: candidates, knowing: tried.map(\.point)) where proposals.count < count
        {
            let position = candidates[index]
            if let proposal = accepted(position, space.values(at: position)) { proposals.append(proposal) }
        }
        return proposals
    }

    /// A point that is neither known nor refused by the strategy's reader; `nil` if none was found.
    private mutating func fresh(of best: [[Double]], isChild: Bool) -> Proposal? {
        for _ in 0..<Self.maxProposals {
            let position = isChild ? proposer.child(nextChild, of: best) : proposer.spread(nextSpread)
            if isChild { nextChild += 1 } else { nextSpread += 1 }
            if let proposal = accepted(position, space.values(at: position)) { return proposal }
        }
        return nil
    }

    private mutating func accepted(_ position: [Double], _ values: [String?]) -> Proposal? {
        guard known.insert(Self.key(values)).inserted else { return nil }
        guard let strategy = strategy.reading(space.changes(values)) else {
            effort.refused += 1
            return nil
        }
        return (position, values, strategy)
    }

    private static func key(_ values: [String?]) -> String {
        values.map { $0 ?? "" }.joined(separator: "\u{0}")
    }

    private mutating func evaluate(_ proposals: [Proposal], _ progress: Progress) -> Bool {
        let samples = evaluator.samples(
            of: proposals.map(\.strategy), seed: seed, replicas: 0..<Self.fewReplicas
        ) { count in
            for _ in 0..<count { progress.advance() }
        }
        guard let samples else { return false }
        effort.searchRuns += proposals.count * Self.fewReplicas * evaluator.scenarios.count
        let scorer = scorer ?? TuneScorer(goals: goals, demands: demands, present: samples[0], beside: samples)
        self.scorer = scorer
        for (proposal, samples) in zip(proposals, samples) {
            tried.append(
                TriedPoint(
                    position: proposal.position, values: proposal.values, strategy: proposal.strategy, samples: samples,
                    point: SearchPoint(
                        position: proposal.position, objectives: scorer.objectives(samples),
                        violation: scorer.violation(samples))))
        }
        effort.points = tried.count
        return true
    }

    /// Raises the best points and the present settings to many replicas.
    private mutating func raise(_ progress: Progress) -> Bool {
        let each = (Self.manyReplicas - Self.fewReplicas) * evaluator.scenarios.count
        let best = ParetoOrder(tried.map(\.point)).best(raisingBudget / each).filter { $0 != 0 }
        let chosen = [0] + best.prefix(max(0, raisingBudget / each - 1)).sorted()
        let samples = evaluator.samples(
            of: chosen.map { tried[$0].strategy }, seed: seed, replicas: Self.fewReplicas..<Self.manyReplicas
        ) { count in
            for _ in 0..<count { progress.advance() }
        }
        guard let samples else { return false }
        effort.searchRuns += chosen.count * each
        effort.raised = chosen.count
        for (index, more) in zip(chosen, samples) { tried[index].samples.append(more) }
        let scorer = TuneScorer(
            goals: goals, demands: demands, present: tried[0].samples, beside: chosen.map { tried[$0].samples })
        self.scorer = scorer
        // Points with few replicas keep their ratios to the present settings in the same replicas.
        for index in chosen {
            tried[index].point.objectives = scorer.objectives(tried[index].samples)
            tried[index].point.violation = scorer.violation(tried[index].samples)
        }
        return true
    }
}

extension TuneSearch {
    /// Indices of the points with the most replicas.
    var finalists: [Int] {
        let most = tried.map(\.samples.replicas).max() ?? 0
        return tried.indices.filter { tried[$0].samples.replicas == most }
    }

    /// Indices of the finalists that no other finalist beats, sorted by the first goal. Without one that meets the
    /// demands, the one that breaks them least.
    var front: [Int] {
        let finalists = finalists
        let order = ParetoOrder(finalists.map { tried[$0].point })
        let front = order.front.map { finalists[$0] }
        return front.isEmpty ? order.best(1).map { finalists[$0] } : front
    }
}
