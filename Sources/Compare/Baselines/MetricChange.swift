public import DeadzoneMetrics
public import DeadzonePrimitives

/// The change of one metric of a strategy against the baseline or against another strategy.
public struct MetricChange: Sendable {
    /// The conclusion about the change of a metric, from the statistical test and the size of the change.
    public enum Assessment: String, Hashable, Sendable {
        /// Equal in every replica.
        case same
        /// The change is statistically significant, and not below the floor (smallest reported change).
        case better, worse
        /// Changed significantly, but neither direction is better for this metric.
        case changed
        /// Significant, but below the floor.
        case small
        /// The replicas do not allow a conclusion.
        case undecided
    }

    /// Significance level for p-values that are adjusted for the number of metrics.
    public static let level = 0.05

    public let metric: Metric
    /// Means over the compared replicas, so that `old` plus the difference equals `new`. If some replica has no number,
    /// the values of the run report.
    public let new: Figure
    public let old: Figure
    /// The values of the run report: quantiles and maxima over all replicas together.
    public let whole: (new: Figure, old: Figure)
    public let contrast: Contrast
    /// The p-value after Holm's adjustment over all metrics that differ in some replica.
    public let adjusted: Double
    public let decision: Assessment

    init(
        _ metric: Metric, new: Figure, old: Figure, _ contrast: Contrast, adjusted: Double, floor: Billionths
    ) {
        self.metric = metric
        whole = (new, old)
        if let before = contrast.old, let difference = contrast.difference {
            self.old = .value(Billionths(count: before))
            self.new = .value(Billionths(count: before + difference))
        } else {
            (self.new, self.old) = (new, old)
        }
        self.contrast = contrast
        self.adjusted = adjusted
        decision = Self.decision(metric, self.new, self.old, contrast, adjusted, floor)
    }

    /// The test decides whether the change is chance. The displayed figures decide its size. A rank test can point in
    /// the other direction than the figures; then the change is undecided.
    private static func decision(
        _ metric: Metric, _ new: Figure, _ old: Figure, _ contrast: Contrast, _ adjusted: Double, _ floor: Billionths
    ) -> Assessment {
        if new == old, contrast.unmatched == 0, !contrast.differs { return .same }
        guard adjusted < level, contrast.direction != 0 else { return .undecided }
        let direction = Figure.isLower(new, old) ? -1 : Figure.isLower(old, new) ? 1 : 0
        guard direction == contrast.direction else { return .undecided }
        if isSmall(new, old, floor) { return .small }
        switch metric.better {
        case .neither: return .changed
        case .lower: return direction < 0 ? .better : .worse
        case .higher: return direction > 0 ? .better : .worse
        }
    }

    private static func isSmall(_ new: Figure, _ old: Figure, _ floor: Billionths) -> Bool {
        guard case .value(let new) = new, case .value(let old) = old else { return false }
        let reach = old.times(floor).count.magnitude
        return (new.count - old.count).magnitude < reach
    }
}

/// The changes of all metrics of one strategy against the baseline or another strategy.
public struct StrategyComparison: Sendable {
    public var strategy: String
    /// Group of the population. `nil` for all phones.
    public var group: String?
    /// The other strategy of the run. `nil` if the reference is the strategy itself in the baseline.
    public var against: String?
    public var hash: String
    /// Hash of the reference: of the baseline's version or of the other strategy.
    public var oldHash: String
    /// `true` if replicas are compared pair by pair under the same random conditions.
    public var isPaired: Bool
    /// Number of replicas without any changed event. `nil` if it cannot be known.
    public var unchangedReplicas: Int?
    public var replicas: Int
    public var changes: [MetricChange]
    /// Number of metrics that were tested, for which Holm's method adjusts.
    public var tests: Int
    /// Metrics that the baseline's tool did not measure.
    public var unmeasured: [String]
    public var divergence: Divergence?
    /// Comparisons of each group, in the order of their names.
    public var groups: [StrategyComparison] = []

    public var subject: Subject { Subject(strategy, group: group) }

    /// This comparison, followed by those of its groups.
    public var withGroups: [StrategyComparison] { [self] + groups }

    public func change(of metric: String) -> MetricChange? { changes.first { $0.metric.name == metric } }

    /// `true` if every record of every replica is unchanged.
    public var isUnchanged: Bool { unchangedReplicas == replicas }

    /// Fewest unequal pairs for which an adjusted p-value can fall below the level. The p-value of n pairs is never
    /// below 2 / 2^n.
    public var neededReplicas: Int {
        var count = 1
        while 2 / Double(UInt64(1) << UInt64(count)) * Double(max(1, tests)) >= MetricChange.level { count += 1 }
        return count
    }

    /// Metrics that differ in some replica: worse first, then better, then undecided. Within each, headline metrics
    /// come first, then the order of the catalogue. The parts of the energy are omitted, because their sum is included.
    public var findings: [MetricChange] {
        let order: [MetricChange.Assessment] = [.worse, .better, .changed, .undecided, .small]
        return order.flatMap { decision in
            let alike = changes.filter { $0.decision == decision && !$0.metric.isPartOfEnergy }
            return alike.filter(\.isHeadline) + alike.filter { !$0.isHeadline }
        }
    }

    /// The first rows of the findings, and the number of those omitted. Every metric that became worse is shown, since
    /// it makes the comparison fail. Other metrics are shown only if a run's table has them. The rest repeats the same
    /// in other units, or matters to few readers.
    public func rows(atMost most: Int) -> (shown: [MetricChange], more: Int) {
        let findings = findings
        let shown = findings.filter { $0.decision == .worse || $0.isHeadline }
            .prefix(max(most, findings.count { $0.decision == .worse }))
        return (Array(shown), findings.count - shown.count)
    }
}

extension MetricChange {
    fileprivate var isHeadline: Bool { Headlines.names.contains(metric.name) }
}

/// The first replica and simulated minute in which a strategy behaves differently from the baseline.
public struct Divergence: Hashable, Sendable {
    public var replica: Int
    public var seed: UInt64
    /// `nil` if only the order of events at the same instants differs, or if the baseline stores no minutes of that
    /// replica.
    public var minute: Int?
    public var length: TimeSpan
    /// Events in that minute of the new run, one line each.
    public var events: [String] = []
    /// Number of further events.
    public var unseen = 0

    public var from: TimeSpan? { minute.map { .nanoseconds(Int64($0) * length.nanoseconds) } }
}
