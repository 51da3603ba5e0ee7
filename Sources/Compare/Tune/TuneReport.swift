public import DeadzoneMetrics

/// The answer of `tune`: settings of a strategy that are better than the present ones, and the evidence for them.
public struct TuneReport: Sendable {
    public var tool: String
    public var strategy: String
    /// The scenarios of the search, then those held out.
    public var scenarios: [TunedScenario]
    public var settings: [TunedSetting]
    public var goals: [Metric]
    public var demands: [TuneDemand]
    /// Seed of the printed numbers. The search uses other weathers, derived from it.
    public var seed: UInt64
    /// Replicas of the printed numbers.
    public var replicas: Int
    public var effort: TuneEffort
    /// The present settings in the fresh weathers.
    public var present: TuneRow
    /// The proposals, each different from the others: cheapest, knee, fastest. Empty if no settings meet the demands,
    /// or if none is better than the present ones.
    public var rows: [TuneRow]
    /// Other points of the front, in the fresh weathers.
    public var front: [TuneRow]
    /// Every evaluated point, in the order of the search.
    public var points: [TunePoint]
    /// The changes from the present settings to the proposed ones, best first.
    public var path: [TuneStep]
    /// For each goal, how much worse fresh weathers are than the weathers of the search.
    public var overfit: [Overfit]
    public var outcome: TuneOutcome
    /// `false` if the search was stopped early. Numbers are then those of the search.
    public var isComplete: Bool
    /// Reasons why a run proves nothing, such as a timeline entry without effect.
    public var troubles: [String] = []

    public init(
        tool: String, strategy: String, scenarios: [TunedScenario], settings: [TunedSetting], goals: [Metric],
        demands: [TuneDemand], seed: UInt64, replicas: Int, effort: TuneEffort, present: TuneRow,
        rows: [TuneRow] = [], front: [TuneRow] = [], points: [TunePoint] = [], path: [TuneStep] = [],
        overfit: [Overfit] = [], outcome: TuneOutcome, isComplete: Bool
    ) {
        self.tool = tool
        self.strategy = strategy
        self.scenarios = scenarios
        self.settings = settings
        self.goals = goals
        self.demands = demands
        self.seed = seed
        self.replicas = replicas
        self.effort = effort
        self.present = present
        self.rows = rows
        self.front = front
        self.points = points
        self.path = path
        self.overfit = overfit
        self.outcome = outcome
        self.isComplete = isComplete
    }

    /// Index of the proposed row: the knee if it is better than the present settings beyond chance, otherwise another
    /// row that is. `nil` without rows.
    public var proposed: Int? {
        let knee = rows.indices.sorted { rows[$0].kinds.contains(.knee) && !rows[$1].kinds.contains(.knee) }
        return knee.first { isBetter(rows[$0]) } ?? knee.first
    }

    /// `true` if a row is better than the present settings in some goal beyond chance, or keeps demands that they
    /// break.
    public func isBetter(_ row: TuneRow) -> Bool {
        zip(goals, row.changes).contains { $1.isBetter($0.better) } || (row.meetsDemands && !present.meetsDemands)
    }

    /// `true` if a row is worse than the present settings in some goal: beyond chance, or by a share that is not called
    /// harmless.
    public func isTrade(_ row: TuneRow) -> Bool {
        zip(goals, row.changes).contains { metric, change in
            let loss = (change.change ?? 0) * (metric.better == .higher ? -1 : 1)
            return change.isWorse(metric.better) || loss > Self.suspectLoss
        }
    }

    /// An undecided loss of this share is not called harmless.
    private static let suspectLoss = 0.05

    /// `true` if every demand holds in the proposed row.
    public var meetsDemands: Bool {
        proposed.map { rows[$0].meetsDemands } ?? (outcome != .noneMeetsDemands && present.meetsDemands)
    }
}

extension TuneReport {
    /// The conclusion of the search.
    public enum TuneOutcome: String, Hashable, Sendable {
        case improved
        /// No settings are better than the present ones, beyond chance.
        case presentIsBest = "present-is-best"
        /// All settings that were tried give nearly the same results.
        case nothingMatters = "nothing-matters"
        /// No settings that were tried meet all demands. The rows then break them least.
        case noneMeetsDemands = "none-meets-demands"
    }

    public struct TunedScenario: Hashable, Sendable {
        public let name: String
        public let worldHash: String
        /// `true` if the search never saw the scenario.
        public let isHeldOut: Bool

        public init(name: String, worldHash: String, isHeldOut: Bool) {
            self.name = name
            self.worldHash = worldHash
            self.isHeldOut = isHeldOut
        }
    }

    public struct TunedSetting: Hashable, Sendable {
        /// Path below the strategy, such as `keepalive.interval`.
        public let name: String
        /// Present value as text; `nil` if the setting is absent.
        public let present: String?
        /// The values that may be tried, such as `20s to 30m` or `none, full`.
        public let range: String

        public init(name: String, present: String?, range: String) {
            self.name = name
            self.present = present
            self.range = range
        }
    }

    public struct TuneDemand: Hashable, Sendable {
        /// Name of the metric.
        public let name: String
        public let unit: Metric.Unit
        public let threshold: Threshold
        /// `true` if the user did not state the demand.
        public let isImplied: Bool

        /// Amount by which a value breaks the demand; 0 if it is kept. An implied demand is kept if the present
        /// settings have no value to compare with.
        public func excess(of value: Figure, reference: Figure?) -> Double {
            if isImplied, reference?.double == nil { return 0 }
            return threshold.excess(of: value, reference: reference)
        }

        public init(name: String, unit: Metric.Unit, threshold: Threshold, isImplied: Bool) {
            self.name = name
            self.unit = unit
            self.threshold = threshold
            self.isImplied = isImplied
        }
    }

    /// Numbers of simulations.
    public struct TuneEffort: Hashable, Sendable {
        public var budget: Int
        /// Simulations of the search.
        public var searchRuns = 0
        /// Simulations that round, check and measure the answer.
        public var checkRuns = 0
        /// Evaluated points, and those of them that were raised to many replicas.
        public var points = 0
        public var raised = 0
        /// Points that the strategy refuses, such as a timeout longer than its interval.
        public var refused = 0

        public init(budget: Int) { self.budget = budget }
    }

    /// The kinds of a proposal. One row can be several.
    public enum ProposalKind: Hashable, Sendable {
        /// Best in the goal with this index.
        case best(Int)
        case knee
        /// Breaks the demands least, because no settings meet them.
        case closest
    }

    /// One set of settings with its results.
    public struct TuneRow: Sendable {
        public var kinds: [ProposalKind]
        /// One value for each setting; `nil` keeps the present value.
        public var values: [String?]
        /// Results by scenario, in the order of the report's scenarios.
        public var results: [TuneResult]
        /// Change of each goal against the present settings, over the scenarios of the search together.
        public var changes: [RelativeChange]
        /// The same change as the search saw it before rounding; `nil` if it has no number.
        public var claimed: [Double?]
        /// The changed settings as YAML, to paste into the scenario. Empty without changes.
        public var paste = ""
        /// All settings as a preset file.
        public var preset = ""

        public init(
            kinds: [ProposalKind] = [], values: [String?], results: [TuneResult] = [], changes: [RelativeChange] = [],
            claimed: [Double?] = []
        ) {
            self.kinds = kinds
            self.values = values
            self.results = results
            self.changes = changes
            self.claimed = claimed
        }

        /// Indices of the settings that differ from the present ones.
        public var changed: [Int] { values.indices.filter { values[$0] != nil } }

        public var meetsDemands: Bool { results.allSatisfy { $0.demands.allSatisfy(\.isKept) } }
    }

    /// The results of one set of settings in one scenario.
    public struct TuneResult: Sendable {
        /// One figure for each goal, as `run` prints it, and its 95 % interval.
        public var figures: [Figure]
        public var intervals: [Interval?]
        public var changes: [RelativeChange]
        public var demands: [DemandResult]

        public init(
            figures: [Figure], intervals: [Interval?], changes: [RelativeChange], demands: [DemandResult]
        ) {
            self.figures = figures
            self.intervals = intervals
            self.changes = changes
            self.demands = demands
        }
    }

    public struct DemandResult: Hashable, Sendable {
        public var figure: Figure
        public var isKept: Bool
        /// Number of single replicas in which the demand holds.
        public var keptReplicas: Int

        public init(figure: Figure, isKept: Bool, keptReplicas: Int) {
            self.figure = figure
            self.isKept = isKept
            self.keptReplicas = keptReplicas
        }
    }

    /// One evaluated point of the search.
    public struct TunePoint: Sendable {
        public var values: [String?]
        /// One number for each goal: the mean over scenarios of the ratio to the present settings.
        public var objectives: [Double]
        public var violation: Double
        public var replicas: Int
        /// `true` if no other point with as many replicas is better in every goal.
        public var isOnFront: Bool

        public init(
            values: [String?], objectives: [Double], violation: Double, replicas: Int, isOnFront: Bool
        ) {
            self.values = values
            self.objectives = objectives
            self.violation = violation
            self.replicas = replicas
            self.isOnFront = isOnFront
        }
    }

    /// One change on the way from the present settings to the proposed ones.
    public struct TuneStep: Sendable {
        /// Indices of the settings. More than one if the first of them alone is refused.
        public var settings: [Int]
        /// Change of each goal by this step alone.
        public var changes: [RelativeChange]

        public init(settings: [Int], changes: [RelativeChange]) {
            self.settings = settings
            self.changes = changes
        }
    }

    /// Difference between fresh weathers and the weathers of the search, for one goal over several points.
    public struct Overfit: Hashable, Sendable {
        /// Mean over the points of (fresh ratio divided by searched ratio) minus 1; above 0 if the search was too
        /// optimistic.
        public var mean: Double
        public var range: ClosedRange<Double>
        public var points: Int

        public init(mean: Double, range: ClosedRange<Double>, points: Int) {
            self.mean = mean
            self.range = range
            self.points = points
        }
    }
}
