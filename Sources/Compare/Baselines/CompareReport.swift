public import DeadzoneMetrics

/// The result of the command `compare`, as the output formats need it. Equal inputs give equal reports.
public struct CompareReport: Sendable {
    public var tool: String
    /// The baseline or strategy that the strategies were compared with.
    public var reference: Reference
    /// Relative changes below this share are not reported as changes.
    public var floor: Billionths
    public var scenarios: [ComparedScenario]
    /// Scenarios, strategies and groups that could not be compared.
    public var uncompared: [Uncompared]
    /// `true` if gates were given. Without gates, a regression makes the comparison fail.
    public var hasGates: Bool
    /// `false` if the comparison was stopped early.
    public var isComplete: Bool

    public enum Reference: Hashable, Sendable {
        case none
        case baseline
        case strategy(String)
    }

    public init(
        tool: String, reference: Reference, floor: Billionths, scenarios: [ComparedScenario],
        uncompared: [Uncompared] = [], hasGates: Bool, isComplete: Bool
    ) {
        self.tool = tool
        self.reference = reference
        self.floor = floor
        self.scenarios = scenarios
        self.uncompared = uncompared
        self.hasGates = hasGates
        self.isComplete = isComplete
    }

    public var outcomes: [GateOutcome] { scenarios.flatMap(\.outcomes) }

    /// Metrics that became significantly worse by more than the floor. They decide the verdict if there is a baseline
    /// and no gates.
    public var regressions: [Regression] {
        guard reference == .baseline, !hasGates else { return [] }
        return scenarios.flatMap { scenario in
            scenario.allComparisons.flatMap { comparison in
                comparison.changes.filter { $0.decision == .worse && !$0.metric.isPartOfEnergy }.map {
                    Regression(scenario: scenario, subject: comparison.subject, change: $0)
                }
            }
        }
    }

    public var verdict: Verdict {
        let isKept = outcomes.allSatisfy { !$0.isFailure } && regressions.isEmpty
        return isKept && isComplete && scenarios.allSatisfy(\.troubles.isEmpty) ? .pass : .fail
    }
}

/// The comparison result of one scenario, or of one cell of its matrix.
public struct ComparedScenario: Sendable {
    public var name: String
    public var worldHash: String
    public var seed: UInt64
    public var replicas: Int
    public var comparisons: [StrategyComparison]
    public var outcomes: [GateOutcome]
    /// Reasons why the run proves nothing, one sentence each.
    public var troubles: [String]
    /// Command that runs the scenario again with all its replicas.
    public var command: String
    /// Assumptions behind the numbers. `nil` if nothing was simulated.
    public var model: ModelNotes?

    public init(
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

    /// Each strategy's comparison, followed by those of its groups.
    public var allComparisons: [StrategyComparison] { comparisons.flatMap(\.withGroups) }
}

/// A metric that became significantly worse than in the baseline, with its scenario and strategy.
public struct Regression: Sendable {
    public var scenario: ComparedScenario
    public var subject: Subject
    public var change: MetricChange
}
