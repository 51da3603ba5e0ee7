public import DeadzoneMetrics

/// For which values of one setting a strategy does what is demanded of it, and where that ends.
public struct BoundaryReport: Sendable {
    public var scenario: String
    /// The place of the setting in the file, by its keys.
    public var setting: String
    public var from: String
    public var to: String
    /// What is demanded of every strategy: this metric, within this bound.
    public var metric: String
    /// Of this group of the population alone; nil: of all phones.
    public var group: String?
    public var threshold: Threshold
    public var unit: Metric.Unit
    public var seed: UInt64
    public var replicas: Int
    public var strategies: [Row]

    public init(
        scenario: String, setting: String, from: String, to: String, metric: String, group: String?,
        threshold: Threshold, unit: Metric.Unit, seed: UInt64, replicas: Int, strategies: [Row]
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

    /// One strategy along the whole way.
    public struct Row: Sendable {
        public var name: String
        /// In the order of their places.
        public var trials: [Trial]

        public init(name: String, trials: [Trial]) {
            self.name = name
            self.trials = trials
        }

        /// Neighbours of which one keeps what is demanded and the other does not. What lies between two trials that agree was not
        /// looked at.
        public var edges: [Edge] {
            zip(trials, trials.dropFirst()).compactMap { before, after in
                before.isKept == after.isKept ? nil : Edge(before: before, after: after)
            }
        }

        /// One word for the whole way, where nothing changes on it.
        public var isKeptEverywhere: Bool { trials.allSatisfy(\.isKept) }
    }

    public struct Trial: Sendable {
        /// From 0 to 1.
        public var place: Double
        public var value: String
        public var measured: Figure
        public var isKept: Bool

        public init(place: Double, value: String, measured: Figure, isKept: Bool) {
            self.place = place
            self.value = value
            self.measured = measured
            self.isKept = isKept
        }
    }

    public struct Edge: Sendable {
        public var before: Trial
        public var after: Trial

        /// The last value on the good side, and the first on the bad one.
        public var kept: Trial { before.isKept ? before : after }
        public var broken: Trial { before.isKept ? after : before }
    }
}
