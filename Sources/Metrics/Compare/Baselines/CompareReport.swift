/// The result of the command `compare`, as the output formats need it. Equal inputs give equal reports.
package struct CompareReport: Sendable {
    package var tool: String
    /// The baseline or strategy that the strategies were compared with.
    package var reference: Reference
    /// Relative changes below this share are not reported as changes.
    package var floor: Billionths
    package var scenarios: [ComparedScenario]
    /// Scenarios, strategies and groups that could not be compared.
    package var uncompared: [Uncompared]
    /// Gates and expectations that could not be judged.
    package var unjudged: [UnjudgedBound] = []
    /// `true` if the recommended gates apply: no primary metric may become significantly worse than in the baseline.
    package var usesRecommendedGates: Bool
    /// `true` if anything that is not compared fails the comparison.
    package var isStrict = false
    /// `false` if the comparison was stopped early.
    package var isComplete: Bool
    /// Name of the applied preset of gates, such as `recommended@1`. `nil` if there is none.
    package var preset: String?

    package enum Reference: Hashable, Sendable {
        case none
        case baseline
        case strategy(String)
    }

    package init(
        tool: String, reference: Reference, floor: Billionths, scenarios: [ComparedScenario],
        uncompared: [Uncompared] = [], usesRecommendedGates: Bool, isComplete: Bool
    ) {
        self.tool = tool
        self.reference = reference
        self.floor = floor
        self.scenarios = scenarios
        self.uncompared = uncompared
        self.usesRecommendedGates = usesRecommendedGates
        self.isComplete = isComplete
    }

    package var outcomes: [GateOutcome] { scenarios.flatMap(\.outcomes) }

    /// Primary metrics that became worse than in the baseline: significantly and by more than a negligible amount, or
    /// from no loss to some. They fail the comparison, unless the file of gates replaces this rule for a metric.
    package var regressions: [Regression] {
        guard reference == .baseline, usesRecommendedGates else { return [] }
        return primaryChanges { scenario, subject, change in
            change.decision == .worse
                && !scenario.replaced.contains(GateTarget(subject: subject, metric: change.metric.name))
        }
    }

    /// Primary metrics that seem worse, but not beyond chance. They do not fail the comparison.
    package var openQuestions: [Regression] {
        guard reference == .baseline else { return [] }
        return primaryChanges { _, _, change in change.isOpenQuestion }
    }

    /// Open questions that every replica answers with "worse". They do not fail the comparison, but it does not pass
    /// either. Empty if the file of gates decides alone, and without the metrics for which it replaces the rule.
    package var unanimousLosses: [Regression] {
        guard reference == .baseline, usesRecommendedGates else { return [] }
        return primaryChanges { scenario, subject, change in
            change.isWorseInEveryReplica
                && !scenario.replaced.contains(GateTarget(subject: subject, metric: change.metric.name))
        }
    }

    /// Numbers of lost messages and failed calls that differ from the baseline, in either direction and by any amount.
    package var changedLosses: [Regression] {
        guard reference == .baseline else { return [] }
        return primaryChanges { _, _, change in
            change.decision != .same && PrimaryMetric.named(change.metric.name)?.isLoss ?? false
        }
    }

    private func primaryChanges(
        where isWanted: (ComparedScenario, Subject, MetricChange) -> Bool
    ) -> [Regression] {
        scenarios.flatMap { scenario in
            scenario.allComparisons.flatMap { comparison in
                comparison.findings.filter {
                    $0.family == .primary && isWanted(scenario, comparison.subject, $0)
                }.map { Regression(scenario: scenario, subject: comparison.subject, change: $0) }
            }
        }
    }

    /// Number of scenarios with the same digests as in the baseline. `nil` without a baseline. A scenario does not
    /// count if one of its strategies was not compared.
    package var identicalScenarios: Int? {
        guard reference == .baseline else { return nil }
        return scenarios.count {
            !$0.comparisons.isEmpty && $0.comparisons.allSatisfy(\.isUnchanged) && !hasUncomparedStrategy($0)
        }
    }

    /// `true` if only one of the run and the baseline has some strategy of the scenario. Groups do not count: the
    /// digests of all phones include their records.
    package func hasUncomparedStrategy(_ scenario: ComparedScenario) -> Bool {
        uncompared.contains { $0.scenario == scenario.name && $0.strategy != nil && $0.group == nil }
    }

    package var verdict: Verdict {
        let isKept = outcomes.allSatisfy { !$0.isFailure } && regressions.isEmpty && forbiddenGaps.isEmpty
        return isKept && isComplete && scenarios.allSatisfy(\.troubles.isEmpty) ? .pass : .fail
    }

    /// The items that are not compared, if they fail the comparison. Empty unless the comparison is strict.
    package var forbiddenGaps: [Uncompared] { isStrict ? uncompared : [] }

    /// The verdict for a reader. The exit code knows only pass and fail: `undecided` exits as `pass` does.
    package enum StatedVerdict: String, Hashable, CaseIterable, Sendable { case pass, fail, undecided }

    package var statedVerdict: StatedVerdict {
        if verdict == .fail { return .fail }
        let isJudged = unjudged.isEmpty || !outcomes.isEmpty || (reference == .baseline && usesRecommendedGates)
        return unanimousLosses.isEmpty && isJudged && tooFewCompared.isEmpty ? .pass : .undecided
    }

    /// Scenarios with too few common replicas to decide about the primary metrics. Empty if the file of gates decides
    /// alone.
    package var tooFewCompared: [ComparedScenario] {
        guard reference == .baseline, usesRecommendedGates else { return [] }
        return scenarios.filter(\.lacksCommonReplicas)
    }
}

/// The comparison result of one scenario, or of one cell of its matrix.
package struct ComparedScenario: Sendable {
    package var name: String
    package var worldHash: String
    package var seed: UInt64
    /// Seed of the baseline. `nil` if there is none.
    package var baselineSeed: UInt64?
    package var replicas: Int
    /// Number of replicas of the baseline. `nil` if there is none.
    package var baselineReplicas: Int?
    package var comparisons: [StrategyComparison]
    package var outcomes: [GateOutcome]
    /// Recommended gates that the file of gates replaces by its own bound.
    package var replaced: Set<GateTarget> = []
    /// Reasons why the run proves nothing, one sentence each.
    package var troubles: [String]
    /// Command that runs the scenario again with all its replicas.
    package var command: String
    /// Assumptions behind the numbers. `nil` if nothing was simulated.
    package var model: ModelNotes?

    package init(
        name: String, worldHash: String, seed: UInt64, replicas: Int, comparisons: [StrategyComparison],
        outcomes: [GateOutcome], troubles: [String], command: String, model: ModelNotes? = nil
    ) {
        self.name = name
        self.worldHash = worldHash
        self.seed = seed
        self.replicas = replicas
        self.comparisons = comparisons
        self.outcomes = outcomes
        self.troubles = troubles
        self.command = command
        self.model = model
    }

    /// The replicas that were compared, if the run or the baseline has more. `nil` if all were compared. Replicas with
    /// different seeds are no pairs, so all of them are used.
    package var partlyCompared: (replicas: Int, of: Int)? {
        guard let baselineReplicas, baselineReplicas != replicas, !comparisons.isEmpty,
            comparisons.allSatisfy(\.isPaired)
        else { return nil }
        return (min(replicas, baselineReplicas), max(replicas, baselineReplicas))
    }

    /// `true` if too few replicas were compared to decide about the primary metrics of a changed strategy, and more
    /// replicas exist on one side.
    package var lacksCommonReplicas: Bool {
        guard let partlyCompared, partlyCompared.replicas < PrimaryMetric.neededReplicas else { return false }
        return comparisons.contains { !$0.isUnchanged || $0.hash != $0.oldHash }
    }

    /// Each strategy's comparison, followed by those of its groups.
    package var allComparisons: [StrategyComparison] { comparisons.flatMap(\.withGroups) }
}

/// A metric that has become worse, or that seems worse.
package struct Regression: Sendable {
    package var scenario: ComparedScenario
    package var subject: Subject
    package var change: MetricChange

    /// Losses of the same phones that fell while this cost rose.
    package var fallenLosses: [MetricChange] {
        scenario.allComparisons.first { $0.subject == subject }?.fallenLosses(beside: change) ?? []
    }
}
