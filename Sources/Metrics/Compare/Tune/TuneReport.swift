/// The answer of `tune`: settings of a strategy that are better than the present ones, and the evidence for them.
package struct TuneReport: Sendable {
    package var tool: String
    package var strategy: String
    /// The scenarios of the search, then those held out.
    package var scenarios: [TunedScenario]
    package var settings: [TunedSetting]
    package var goals: [Metric]
    package var demands: [TuneDemand]
    /// Seed of the printed numbers. The search uses other weathers, derived from it.
    package var seed: UInt64
    /// Replicas of the printed numbers.
    package var replicas: Int
    package var effort: TuneEffort
    /// The present settings in the fresh weathers.
    package var present: TuneRow
    /// The proposals, each different from the others: cheapest, knee, fastest. Empty if no settings meet the demands,
    /// or if none is better than the present ones.
    package var rows: [TuneRow]
    /// Other points of the front, in the fresh weathers.
    package var front: [TuneRow] = []
    /// Every evaluated point, in the order of the search.
    package var points: [TunePoint] = []
    /// The changes from the present settings to the proposed ones, best first.
    package var path: [TuneStep] = []
    /// Demands that break if one number of the proposed row is a tenth lower or higher.
    package var edges: [TuneEdge] = []
    /// For each goal, how much worse fresh weathers are than the weathers of the search.
    package var overfit: [Overfit] = []
    package var outcome: TuneOutcome
    /// `false` if the search was stopped early. Numbers are then those of the search.
    package var isComplete: Bool
    /// Reasons why a run proves nothing, such as a timeline entry without effect.
    package var troubles: [String] = []
    /// Settings of the strategy that take one of several words and that the search did not vary, as `--vary` takes
    /// them. Empty if some settings meet the demands.
    package var unvariedSwitches: [String] = []

    package init(
        tool: String, strategy: String, scenarios: [TunedScenario], settings: [TunedSetting], goals: [Metric],
        demands: [TuneDemand], seed: UInt64, replicas: Int, effort: TuneEffort, present: TuneRow,
        rows: [TuneRow] = [], outcome: TuneOutcome, isComplete: Bool
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
        self.outcome = outcome
        self.isComplete = isComplete
    }

    /// Index of the proposed row: the knee if it is better than the present settings beyond chance, otherwise another
    /// row that is. Rows that keep the demands and make no other primary metric worse come first. `nil` without rows.
    package var proposed: Int? {
        let knee = rows.indices.sorted { rows[$0].kinds.contains(.knee) && !rows[$1].kinds.contains(.knee) }
        let better = knee.filter { isBetter(rows[$0]) }
        let harmless = better.first { index in
            rows[index].meetsDemands && rows[index].results.allSatisfy(\.worse.isEmpty)
        }
        return harmless ?? better.first ?? knee.first
    }

    /// `true` if a row is better than the present settings in some goal beyond chance, or keeps demands that they
    /// break.
    package func isBetter(_ row: TuneRow) -> Bool {
        zip(goals, row.changes).contains { $1.isBetter($0.better) } || (row.meetsDemands && !present.meetsDemands)
    }

    /// `true` if a row is worse than the present settings in some goal: beyond chance, or by a share that is not called
    /// harmless.
    package func isTrade(_ row: TuneRow) -> Bool {
        zip(goals, row.changes).contains { metric, change in
            let loss = (change.change ?? 0) * (metric.better == .higher ? -1 : 1)
            return change.isWorse(metric.better) || loss > Self.suspectLoss
        }
    }

    /// `true` if no test of a goal can be decided, whatever the results are.
    package var hasTooFewReplicas: Bool { replicas < fewestPairs(forTests: 1) }

    /// For each goal in which no proposal is better than the present settings, the best point of the front that seems
    /// better there and keeps the demands. `front` is an index into the points of the front.
    package var missedGains: [(goal: Int, front: Int)] {
        goals.indices.compactMap { goal in
            let better = goals[goal].better
            guard !rows.contains(where: { $0.changes[goal].isBetter(better) }) else { return nil }
            func gain(_ index: Int) -> Double { front[index].changes[goal].change?.magnitude ?? 0 }
            let found = front.indices.filter { front[$0].meetsDemands && front[$0].changes[goal].isBetter(better) }
            return found.max { gain($0) < gain($1) }.map { (goal, $0) }
        }
    }

    /// `true` if a change of one point of the front is beyond chance, although it was chosen among all of them
    /// (Bonferroni).
    package func isProven(_ gain: (goal: Int, front: Int)) -> Bool {
        front[gain.front].changes[gain.goal].p * Double(front.count) < RelativeChange.level
    }

    /// An undecided loss of this share is not called harmless.
    private static let suspectLoss = 0.05

    /// `true` if every demand holds in the proposed row.
    package var meetsDemands: Bool {
        proposed.map { rows[$0].meetsDemands } ?? (outcome != .noneMeetsDemands && present.meetsDemands)
    }
}

extension TuneReport {
    /// The conclusion of the search.
    package enum TuneOutcome: String, Hashable, Sendable {
        case improved
        /// No settings are better than the present ones, beyond chance.
        case presentIsBest = "present-is-best"
        /// All settings that were tried give nearly the same results.
        case nothingMatters = "nothing-matters"
        /// No settings that were tried meet all demands. The rows then break them least.
        case noneMeetsDemands = "none-meets-demands"
    }

    package struct TunedScenario: Hashable, Sendable {
        package let name: String
        package let worldHash: String
        /// `true` if the search never saw the scenario.
        package let isHeldOut: Bool

        package init(name: String, worldHash: String, isHeldOut: Bool) {
            self.name = name
            self.worldHash = worldHash
            self.isHeldOut = isHeldOut
        }
    }

    package struct TunedSetting: Hashable, Sendable {
        /// Path below the strategy, such as `keepalive.interval`.
        package let name: String
        /// Present value as text; `nil` if the setting is absent.
        package let present: String?
        /// The values that may be tried, such as `20s to 30m` or `none, full`.
        package let range: String

        package init(name: String, present: String?, range: String) {
            self.name = name
            self.present = present
            self.range = range
        }
    }

    package struct TuneDemand: Hashable, Sendable {
        /// Name of the metric.
        package let name: String
        package let unit: Metric.Unit
        package let threshold: Threshold
        /// `true` if the user did not state the demand.
        package let isImplied: Bool

        /// Amount by which a value breaks the demand; 0 if it is kept. A demand is kept where nothing happens that its
        /// metric measures. One that refers to the present settings is kept if they have no value to compare with.
        package func excess(of value: Figure, reference: Figure?) -> Double {
            let reference = reference ?? .nothing
            if threshold.reference != nil, reference.double == nil { return 0 }
            if value == .nothing, reference == .nothing { return 0 }
            return threshold.excess(of: value, reference: reference)
        }

        package init(name: String, unit: Metric.Unit, threshold: Threshold, isImplied: Bool) {
            self.name = name
            self.unit = unit
            self.threshold = threshold
            self.isImplied = isImplied
        }
    }

    /// Numbers of simulations.
    package struct TuneEffort: Hashable, Sendable {
        package var budget: Int
        /// Simulations of the search.
        package var searchRuns = 0
        /// Simulations that round, check and measure the answer.
        package var checkRuns = 0
        /// Evaluated points, and those of them that were raised to many replicas.
        package var points = 0
        package var raised = 0
        /// Points that the strategy refuses, such as a timeout longer than its interval.
        package var refused = 0

        package init(budget: Int) { self.budget = budget }
    }

    /// The kinds of a proposal. One row can be several.
    package enum ProposalKind: Hashable, Sendable {
        /// Best in the goal with this index.
        case best(Int)
        case knee
        /// Breaks the demands least, because no settings meet them.
        case closest
    }

    /// One set of settings with its results.
    package struct TuneRow: Sendable {
        package var kinds: [ProposalKind]
        /// One value for each setting; `nil` keeps the present value.
        package var values: [String?]
        /// Results by scenario, in the order of the report's scenarios.
        package var results: [TuneResult]
        /// Change of each goal against the present settings, over the scenarios of the search together.
        package var changes: [RelativeChange]
        /// The same change as the search saw it before rounding; `nil` if it has no number.
        package var claimed: [Double?]
        /// The changed settings as YAML, to paste into the scenario. Empty without changes.
        package var paste = ""
        /// All settings as a preset file.
        package var preset = ""

        package init(
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
        package var changed: [Int] { values.indices.filter { values[$0] != nil } }

        package var meetsDemands: Bool { results.allSatisfy { $0.demands.allSatisfy(\.isKept) } }
    }

    /// The results of one set of settings in one scenario.
    package struct TuneResult: Sendable {
        /// One figure for each goal, as `run` prints it, and its 95 % interval. A percentile is that of the samples of
        /// all replicas together.
        package var figures: [Figure]
        package var intervals: [Interval?]
        /// For each goal, the mean of the replicas' own values. The changes compare these means, so reports show them.
        package var means: [Figure]
        package var changes: [RelativeChange]
        package var demands: [DemandResult]
        /// Primary metrics that are worse than with the present settings, beyond chance, and that no goal and no named
        /// demand is about.
        package var worse: [WorseMetric] = []

        /// - Parameter means: `nil` if each mean is the figure itself.
        package init(
            figures: [Figure], intervals: [Interval?], means: [Figure]? = nil, changes: [RelativeChange],
            demands: [DemandResult]
        ) {
            self.figures = figures
            self.intervals = intervals
            self.means = means ?? figures
            self.changes = changes
            self.demands = demands
        }
    }

    /// A metric that becomes worse without being asked about.
    package struct WorseMetric: Sendable {
        package let metric: Metric
        package let present: Figure
        package let new: Figure

        package init(_ metric: Metric, present: Figure, new: Figure) {
            self.metric = metric
            self.present = present
            self.new = new
        }
    }

    package struct DemandResult: Hashable, Sendable {
        package var figure: Figure
        package var isKept: Bool
        /// Number of single replicas in which the demand holds.
        package var keptReplicas: Int

        package init(figure: Figure, isKept: Bool, keptReplicas: Int) {
            self.figure = figure
            self.isKept = isKept
            self.keptReplicas = keptReplicas
        }
    }

    /// One evaluated point of the search.
    package struct TunePoint: Sendable {
        package var values: [String?]
        /// One number for each goal: the mean over scenarios of the ratio to the present settings.
        package var objectives: [Double]
        package var violation: Double
        package var replicas: Int
        /// `true` if no other point with as many replicas is better in every goal.
        package var isOnFront: Bool

        package init(
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
    package struct TuneStep: Sendable {
        /// Indices of the settings. More than one if the first of them alone is refused.
        package var settings: [Int]
        /// Change of each goal by this step alone.
        package var changes: [RelativeChange]
        /// Change of each goal if the proposed row lacks this step alone; empty if such settings are refused.
        package var without: [RelativeChange]

        package init(settings: [Int], changes: [RelativeChange], without: [RelativeChange] = []) {
            self.settings = settings
            self.changes = changes
            self.without = without
        }
    }

    /// A value of one setting close to that of the proposed row, which breaks a demand.
    package struct TuneEdge: Hashable, Sendable {
        /// Index of the setting, and of the first demand that breaks.
        package let setting: Int
        package let value: String
        package let demand: Int

        package init(setting: Int, value: String, demand: Int) {
            self.setting = setting
            self.value = value
            self.demand = demand
        }
    }

    /// Difference between fresh weathers and the weathers of the search, for one goal over several points.
    package struct Overfit: Hashable, Sendable {
        /// Mean over the points of (fresh ratio divided by searched ratio) minus 1; above 0 if the search was too
        /// optimistic.
        package var mean: Double
        package var range: ClosedRange<Double>
        package var points: Int

        package init(mean: Double, range: ClosedRange<Double>, points: Int) {
            self.mean = mean
            self.range = range
            self.points = points
        }
    }
}
