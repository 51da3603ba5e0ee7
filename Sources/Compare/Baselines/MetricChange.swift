public import DeadzoneMetrics
public import DeadzonePrimitives

/// How one metric of one strategy stands to its reference: to itself in a baseline, or to another strategy.
public struct MetricChange: Sendable {
    /// What may be said of it.
    public enum Decision: String, Hashable, Sendable {
        /// Equal in every replica.
        case same
        /// Not by chance, and by more than the floor.
        case better, worse
        /// The same of a metric of which neither direction is better.
        case changed
        /// Not by chance, and too little to care.
        case small
        /// The replicas cannot tell.
        case undecided
    }

    /// Below this a difference is not put down to chance, once it is adjusted for the number of metrics.
    public static let level = 0.05

    public let metric: Metric
    /// Means over the replicas compared, so that the one and the difference make the other; where in some replica there is no
    /// number, as the report of a run has them.
    public let new: Figure
    public let old: Figure
    /// As the report of a run has them: quantiles and largest ones of all replicas together.
    public let whole: (new: Figure, old: Figure)
    public let contrast: Contrast
    /// The p-value after Holm, over the metrics that differ anywhere.
    public let adjusted: Double
    public let decision: Decision

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

    /// The test decides whether it is chance; the figures that everybody reads, how much it is. Of ranks alone these may point
    /// elsewhere: then nothing is decided.
    private static func decision(
        _ metric: Metric, _ new: Figure, _ old: Figure, _ contrast: Contrast, _ adjusted: Double, _ floor: Billionths
    ) -> Decision {
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

/// All metrics of one strategy beside its reference.
public struct StrategyComparison: Sendable {
    public var strategy: String
    /// A group of the population; nil: all phones.
    public var group: String?
    /// Another strategy of the run; nil: the strategy itself, as the baseline has it.
    public var against: String?
    public var hash: String
    /// In the baseline, or of the other strategy.
    public var oldHash: String
    /// Replica by replica under the same weather.
    public var isPaired: Bool
    /// Replicas in which everything happened as before; nil where that cannot be known.
    public var unchangedReplicas: Int?
    public var replicas: Int
    public var changes: [MetricChange]
    /// How many of them were tested, so how many Holm has adjusted for.
    public var tests: Int
    /// What the baseline's tool did not measure.
    public var unmeasured: [String]
    public var divergence: Divergence?
    /// What it comes to in each group, in the order of their names.
    public var groups: [StrategyComparison] = []

    public var subject: Subject { Subject(strategy, group: group) }

    /// It, and behind it its groups.
    public var withGroups: [StrategyComparison] { [self] + groups }

    public func change(of metric: String) -> MetricChange? { changes.first { $0.metric.name == metric } }

    /// Every record of every replica is what it was.
    public var isUnchanged: Bool { unchangedReplicas == replicas }

    /// So many pairs of unlike sign at least, or no p-value stays below the level: that of n pairs is never below 2 / 2^n.
    public var neededReplicas: Int {
        var count = 1
        while 2 / Double(UInt64(1) << UInt64(count)) * Double(max(1, tests)) >= MetricChange.level { count += 1 }
        return count
    }

    /// What differs anywhere, worse before better before undecided; within them what a reader asks first, then as the
    /// catalogue has it. The parts of the energy are left out: their sum is there.
    public var findings: [MetricChange] {
        let order: [MetricChange.Decision] = [.worse, .better, .changed, .undecided, .small]
        return order.flatMap { decision in
            let alike = changes.filter { $0.decision == decision && !$0.metric.isPartOfEnergy }
            return alike.filter(\.isHeadline) + alike.filter { !$0.isHeadline }
        }
    }

    /// The first of them: what is worse always, since that is what fails. Of the rest what no table of a run shows is left
    /// out: it says the same again in other units, or is of interest to few.
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

/// Where a strategy first does something else than in the baseline.
public struct Divergence: Hashable, Sendable {
    public var replica: Int
    public var seed: UInt64
    /// Nil: something happens in another order at the same instants, or the baseline keeps no minutes of that replica.
    public var minute: Int?
    public var length: TimeSpan
    /// What happens now in that minute, a line each.
    public var events: [String] = []
    /// How many more there are.
    public var unseen = 0

    public var from: TimeSpan? { minute.map { .nanoseconds(Int64($0) * length.nanoseconds) } }
}
