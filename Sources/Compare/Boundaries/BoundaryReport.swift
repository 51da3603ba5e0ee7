public import DeadzoneMetrics

/// Reports for which values of a setting each strategy keeps a bound on a metric. It includes the values where that
/// changes.
public struct BoundaryReport: Sendable {
    public var scenario: String
    /// Path of the setting in the file, as keys.
    public var setting: String
    public var from: String
    public var to: String
    /// The metric that every strategy must keep within the bound.
    public var metric: String
    /// Group of the population to measure. `nil` for all phones.
    public var group: String?
    public var threshold: Threshold
    public var unit: Metric.Unit
    public var seed: UInt64
    public var replicas: Int
    public var strategies: [StrategyTrials]
    /// `false` if the search was stopped early.
    public var isComplete = true

    public init(
        scenario: String, setting: String, from: String, to: String, metric: String, group: String?,
        threshold: Threshold, unit: Metric.Unit, seed: UInt64, replicas: Int, strategies: [StrategyTrials]
    ) {
        self.scenario = scenario
        self.setting = setting
        self.from = from
        self.to = to
        self.metric = metric
        self.group = group
        self.threshold = threshold
        self.unit = unit
        self.seed = seed
        self.replicas = replicas
        self.strategies = strategies
    }

    /// The results of one strategy at all tried values of a setting.
    public struct StrategyTrials: Sendable {
        public var name: String
        /// Trials, sorted by their position in the range.
        public var trials: [BoundaryTrial]

        public init(name: String, trials: [BoundaryTrial]) {
            self.name = name
            self.trials = trials
        }

        /// Neighbouring trials of which one keeps the bound and the other does not. The values between two trials that
        /// agree were not tried.
        public var edges: [Edge] {
            zip(trials, trials.dropFirst()).compactMap { before, after in
                before.isKept == after.isKept ? nil : Edge(before: before, after: after)
            }
        }

        /// `true` if every trial keeps the bound.
        public var isKeptEverywhere: Bool { trials.allSatisfy(\.isKept) }
    }

    public struct BoundaryTrial: Sendable {
        /// Position in the range, from 0 to 1.
        public var fraction: Double
        public var value: String
        public var measured: Figure
        public var isKept: Bool
        /// All results of the trial, for the reasons of edges; of the group, if one is measured. `nil` if unknown.
        public var measurement: Measurement?

        public init(
            fraction: Double, value: String, measured: Figure, isKept: Bool, measurement: Measurement? = nil
        ) {
            self.fraction = fraction
            self.value = value
            self.measured = measured
            self.isKept = isKept
            self.measurement = measurement
        }
    }

    public struct Edge: Sendable {
        public var before: BoundaryTrial
        public var after: BoundaryTrial

        /// The last trial that keeps the bound, and the first that breaks it.
        public var kept: BoundaryTrial { before.isKept ? before : after }
        public var broken: BoundaryTrial { before.isKept ? after : before }

        /// Why the bound on this metric breaks here; `nil` if nothing that is charged to a cause changes.
        public func reason(of metric: String) -> BoundaryReason? {
            guard let kept = kept.measurement, let broken = broken.measurement else { return nil }
            return BoundaryReason(kept: kept, broken: broken, metric: metric)
        }
    }
}
