public import DeadzoneMetrics

/// What `compare` found, as every kind of report reads it. Equal inputs give equal reports.
public struct CompareReport: Sendable {
    public var tool: String
    /// What the strategies were compared with.
    public var reference: Reference
    /// Changes of less than this share are no news.
    public var floor: Billionths
    public var scenarios: [ComparedScenario]
    /// What could not be compared.
    public var uncompared: [Uncompared]
    /// Whether gates were given; without them a regression is what fails.
    public var hasGates: Bool
    /// False if it was stopped before its end.
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

    /// Against a baseline and without gates, what has become worse beyond chance and floor decides.
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

/// One scenario, or one cell of a matrix.
public struct ComparedScenario: Sendable {
    public var name: String
    public var worldHash: String
    public var seed: UInt64
    public var replicas: Int
    public var comparisons: [StrategyComparison]
    public var outcomes: [GateOutcome]
    /// Why the run proves nothing, one sentence each.
    public var troubles: [String]
    /// Runs it again with all its replicas.
    public var command: String
    /// What its numbers stand on; nil where nothing was run.
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

    /// Of strategies, and behind each those of its groups.
    public var allComparisons: [StrategyComparison] { comparisons.flatMap(\.withGroups) }
}

/// A metric that has become worse.
public struct Regression: Sendable {
    public var scenario: ComparedScenario
    public var subject: Subject
    public var change: MetricChange
}
