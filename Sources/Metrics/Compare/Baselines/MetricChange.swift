package import DeadzoneBase

/// The change of one metric of a strategy against the baseline or against another strategy.
package struct MetricChange: Sendable {
    /// The conclusion about the change of a metric, from the statistical test and the size of the change.
    package enum Assessment: String, Hashable, Sendable {
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
    package static let level = 0.05

    package let metric: Metric
    package let family: MetricFamily
    /// Means over the compared replicas, so that `old` plus the difference equals `new`. If some replica has no number,
    /// the values of the run report.
    package let new: Figure
    package let old: Figure
    /// The values of the run report: quantiles and maxima over all replicas together.
    package let whole: (new: Figure, old: Figure)
    package let contrast: Contrast
    /// The p-value after Holm's adjustment over the metrics of the same family that differ in some replica.
    package let adjusted: Double
    package let decision: Assessment
    /// `true` if messages or calls were lost where none was lost before, under the same seeds. Then no test is needed.
    package let isFact: Bool
    /// `true` if the change is smaller than the floor, or than a user could notice.
    package let isNegligible: Bool
    /// Estimated number of replicas that would decide about a difference of this size. `nil` if it is decided, or if
    /// more than `TestPower.maxReplicas` are needed.
    package let neededReplicas: Int?
    /// Smallest difference of the mean that these replicas would find in four of five comparisons. `nil` without a mean.
    package let detectable: Billionths?

    /// - Parameters:
    ///   - level: The level at which the p-value was tested, after the adjustment.
    ///   - floor: Relative changes below this share are negligible. With 0, no change is.
    init(
        _ metric: Metric, _ family: MetricFamily, new: Figure, old: Figure, _ contrast: Contrast, adjusted: Double,
        level: Double, floor: Billionths
    ) {
        self.metric = metric
        self.family = family
        whole = (new, old)
        if let before = contrast.old, let difference = contrast.difference {
            self.old = .value(Billionths(count: before))
            self.new = .value(Billionths(count: before + difference))
        } else {
            (self.new, self.old) = (new, old)
        }
        self.contrast = contrast
        self.adjusted = adjusted
        let primary = PrimaryMetric.named(metric.name)
        isNegligible = Self.isNegligible(self.new, self.old, floor, primary?.negligible ?? .zero)
        isFact =
            primary?.isLoss ?? false && contrast.isPaired && contrast.old == 0 && contrast.higher > 0
            && contrast.lower == 0
        decision =
            isFact ? .worse : Self.decision(metric, self.new, self.old, contrast, adjusted, isNegligible: isNegligible)
        let power = TestPower(level: level)
        neededReplicas =
            decision == .undecided
            ? power.replicas(
                toDecide: contrast, at: level, atLeast: family == .primary ? PrimaryMetric.neededReplicas : 1) : nil
        detectable = contrast.spread.map {
            Billionths(count: Int128(power.detectable(spread: $0, count: contrast.count).rounded()))
        }
    }

    /// The test decides whether the change is chance. The displayed figures decide its size. A rank test can point in
    /// the other direction than the figures; then the change is undecided.
    private static func decision(
        _ metric: Metric, _ new: Figure, _ old: Figure, _ contrast: Contrast, _ adjusted: Double, isNegligible: Bool
    ) -> Assessment {
        if new == old, contrast.unmatched == 0, !contrast.differs { return .same }
        guard adjusted < level, contrast.direction != 0 else { return .undecided }
        let direction = Figure.isLower(new, old) ? -1 : Figure.isLower(old, new) ? 1 : 0
        guard direction == contrast.direction else { return .undecided }
        if isNegligible { return .small }
        switch metric.better {
        case .neither: return .changed
        case .lower: return direction < 0 ? .better : .worse
        case .higher: return direction > 0 ? .better : .worse
        }
    }

    private static func isNegligible(
        _ new: Figure, _ old: Figure, _ floor: Billionths, _ least: Billionths
    ) -> Bool {
        guard floor > .zero, case .value(let new) = new, case .value(let old) = old else { return false }
        let size = (new.count - old.count).magnitude
        return size < old.times(floor).count.magnitude || size < least.count.magnitude
    }

    /// `true` if the displayed figures became worse.
    package var isTowardsWorse: Bool {
        switch metric.better {
        case .lower: Figure.isLower(old, new)
        case .higher: Figure.isLower(new, old)
        case .neither: false
        }
    }

    /// `true` for a primary metric that seems worse by more than a negligible amount, although the replicas cannot tell.
    package var isOpenQuestion: Bool {
        family == .primary && decision == .undecided && !isNegligible && isTowardsWorse
    }

    /// `true` for an open question to which every replica gives the same answer: the metric is worse in all of them,
    /// and only their number is too small for the test.
    package var isWorseInEveryReplica: Bool {
        isOpenQuestion && contrast.isPaired && contrast.unmatched == 0
            && (metric.better == .lower ? contrast.higher : contrast.lower) == contrast.count
    }
}

extension TestPower {
    /// - Parameters:
    ///   - level: The level at which the test was made.
    ///   - floor: Fewest replicas that can decide about the family of the metric.
    fileprivate func replicas(toDecide contrast: Contrast, at level: Double, atLeast floor: Int) -> Int? {
        let unequal = contrast.lower + contrast.higher
        let fewest = fewestPairs(forTests: Int((MetricChange.level / level).rounded()))
        // If all pairs have the same sign, p depends only on their number, not on their spread.
        if contrast.isPaired, contrast.count > 0, max(contrast.lower, contrast.higher) == contrast.count {
            return max(floor, fewest, contrast.count + 1)
        }
        var estimate: Int?
        if let difference = contrast.difference, let spread = contrast.spread {
            estimate = replicas(toFind: Double(difference), spread: spread, isPaired: contrast.isPaired)
        } else if contrast.isPaired, unequal > 0 {
            estimate = replicas(toFindShare: Double(max(contrast.lower, contrast.higher)) / Double(unequal))
            // Equal pairs do not count: round up to the replicas that contain this number of unequal pairs on average.
            estimate = estimate.map { ($0 * contrast.count + unequal - 1) / unequal }
        }
        guard let estimate else { return nil }
        var least = fewest
        if contrast.isPaired {
            let share = Double(unequal) / Double(contrast.count)
            guard let replicas = Self.replicas(withUnequalPairs: fewest, share: share) else { return nil }
            least = replicas
        }
        // More than there are now: these did not decide.
        let needed = max(estimate, least, floor, contrast.count + 1)
        return needed <= Self.maxReplicas ? needed : nil
    }
}

/// The changes of all metrics of one strategy against the baseline or another strategy.
package struct StrategyComparison: Sendable {
    package var strategy: String
    /// Group of the population. `nil` for all phones.
    package var group: String?
    /// The other strategy of the run. `nil` if the reference is the strategy itself in the baseline.
    package var against: String?
    /// Name of the strategy in the baseline, if it has another one there. `nil` if the names are equal.
    package var formerName: String?
    package var hash: String
    /// Hash of the reference: of the baseline's version or of the other strategy.
    package var oldHash: String
    /// `true` if replicas are compared pair by pair under the same random conditions.
    package var isPaired: Bool
    /// Number of replicas without any changed event. `nil` if it cannot be known.
    package var unchangedReplicas: Int?
    package var replicas: Int
    package var changes: [MetricChange]
    /// Number of primary metrics that were tested, for which Holm's method adjusts.
    package var tests: Int
    /// Metrics that the baseline's tool did not measure.
    package var unmeasured: [String]
    package var divergence: Divergence?
    /// Comparisons of each group, in the order of their names.
    package var groups: [StrategyComparison] = []

    package var subject: Subject { Subject(strategy, group: group) }

    /// This comparison, followed by those of its groups.
    package var withGroups: [StrategyComparison] { [self] + groups }

    /// `true` for a cost that became better while more messages or calls were lost: a client that does less pays less.
    package func isFlattered(_ change: MetricChange) -> Bool {
        change.decision == .better && Ranking.isCost(change.metric)
            && changes.contains { $0.decision == .worse && PrimaryMetric.named($0.metric.name)?.isLoss ?? false }
    }

    /// For a cost that became worse: the losses of messages or calls that fell. A client that does more pays more.
    package func fallenLosses(beside change: MetricChange) -> [MetricChange] {
        guard change.decision == .worse, Ranking.isCost(change.metric) else { return [] }
        return changes.filter { $0.decision == .better && PrimaryMetric.named($0.metric.name)?.isLoss ?? false }
    }

    package func change(of metric: String) -> MetricChange? { changes.first { $0.metric.name == metric } }

    /// `true` if every record of every replica is unchanged.
    package var isUnchanged: Bool { unchangedReplicas == replicas }

    /// The changes of the primary metrics, also of those that are equal. The total energy takes the place of the energy
    /// above idle in an old baseline.
    package var primaryChanges: [MetricChange] {
        PrimaryMetric.all.compactMap { change(of: $0.name) }
            + changes.filter { $0.family == .primary && PrimaryMetric.named($0.metric.name) == nil }
    }

    /// Metrics that differ in some replica: all primary ones, then the secondary ones. Within each family: worse,
    /// better, changed, undecided, negligible. Copies and the parts of the energy are omitted, because their originals
    /// are included.
    package var findings: [MetricChange] {
        let order: [MetricChange.Assessment] = [.worse, .better, .changed, .undecided, .small]
        let secondary = changes.filter { $0.family == .secondary }
        return [primaryChanges, secondary.filter(\.isHeadline) + secondary.filter { !$0.isHeadline }].flatMap {
            family in
            order.flatMap { decision in family.filter { $0.decision == decision } }
        }
    }

    /// The findings, followed by the copies and the parts of the energy that differ.
    package var allDifferences: [MetricChange] {
        findings + changes.filter { $0.decision != .same && ($0.family == .copy || $0.family == .part) }
    }

    /// The first rows of the findings, and the number of those omitted. Every primary metric that differs is shown.
    /// Secondary metrics are shown if a run's table has them and the change is decided.
    package func rows(atMost most: Int) -> (shown: [MetricChange], more: Int) {
        let findings = findings
        let primary = findings.filter { $0.family == .primary }
        let decided: [MetricChange.Assessment] = [.worse, .better, .changed]
        let secondary = findings.filter { $0.family == .secondary && $0.isHeadline && decided.contains($0.decision) }
        let shown = primary + secondary.prefix(max(0, most - primary.count))
        return (shown, findings.count - shown.count)
    }
}

extension MetricChange {
    fileprivate var isHeadline: Bool { Headlines.names.contains(metric.name) }
}

/// The first replica and simulated minute in which a strategy behaves differently from the baseline.
package struct Divergence: Hashable, Sendable {
    package var replica: Int
    package var seed: UInt64
    /// `nil` if only the order of events at the same instants differs, or if the baseline stores no minutes of that
    /// replica.
    package var minute: Int?
    package var length: TimeSpan
    /// Events in that minute of the new run, one line each.
    package var events: [String] = []
    /// Number of further events.
    package var unseen = 0

    package var from: TimeSpan? { minute.map { .nanoseconds(Int64($0) * length.nanoseconds) } }
}
