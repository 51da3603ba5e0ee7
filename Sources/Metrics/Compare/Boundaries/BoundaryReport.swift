/// Reports for which values of a setting each strategy keeps a bound on a metric. It includes the values where that
/// changes.
package struct BoundaryReport: Sendable {
    package var scenario: String
    /// Path of the setting in the file, as keys.
    package var setting: String
    package var from: String
    package var to: String
    /// The metric that every strategy must keep within the bound.
    package var metric: String
    /// Group of the population to measure. `nil` for all phones.
    package var group: String?
    package var threshold: Threshold
    package var unit: Metric.Unit
    package var seed: UInt64
    package var replicas: Int
    package var strategies: [StrategyTrials]
    /// `false` if the search was stopped early.
    package var isComplete = true

    package init(
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
    package struct StrategyTrials: Sendable {
        package var name: String
        /// Trials, sorted by their position in the range.
        package var trials: [BoundaryTrial]

        package init(name: String, trials: [BoundaryTrial]) {
            self.name = name
            self.trials = trials
        }

        /// Neighbouring trials of which one keeps the bound and the other does not. The values between two trials that
        /// agree were not tried.
        package var edges: [Edge] {
            zip(trials, trials.dropFirst()).compactMap { before, after in
                before.isKept == after.isKept ? nil : Edge(before: before, after: after)
            }
        }

        /// `true` if every trial keeps the bound.
        package var isKeptEverywhere: Bool { trials.allSatisfy(\.isKept) }
    }

    package struct BoundaryTrial: Sendable {
        /// Position in the range, from 0 to 1.
        package var fraction: Double
        package var value: String
        package var measured: Figure
        package var isKept: Bool
        /// All results of the trial, for the reasons of edges; of the group, if one is measured. `nil` if unknown.
        package var measurement: Measurement?

        package init(
            fraction: Double, value: String, measured: Figure, isKept: Bool, measurement: Measurement? = nil
        ) {
            self.fraction = fraction
            self.value = value
            self.measured = measured
            self.isKept = isKept
            self.measurement = measurement
        }
    }

    package struct Edge: Sendable {
        package var before: BoundaryTrial
        package var after: BoundaryTrial

        /// The last trial that keeps the bound, and the first that breaks it.
        package var kept: BoundaryTrial { before.isKept ? before : after }
        package var broken: BoundaryTrial { before.isKept ? after : before }

        /// Why the bound on this metric breaks here; `nil` if nothing that is charged to a cause changes.
        package func reason(of metric: String) -> BoundaryReason? {
            guard let kept = kept.measurement, let broken = broken.measurement else { return nil }
            return BoundaryReason(kept: kept, broken: broken, metric: metric)
        }
    }
}
