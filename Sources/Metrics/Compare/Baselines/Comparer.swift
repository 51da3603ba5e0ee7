import DeadzoneBase

/// Compares the results of a run with a baseline, or of two strategies, by statistical tests. Replicas with the same
/// seed had the same random conditions, so they are compared pair by pair. Other replicas are compared as two
/// independent samples.
package struct Comparer: Sendable {
    /// Relative changes below this share of the old number are not reported as changes.
    package let floor: Billionths
    private let seed: UInt64
    /// Permutations, cached by the number of replicas.
    private var permutations: [ReplicaCounts: Permutations] = [:]

    private struct ReplicaCounts: Hashable {
        let new: Int
        /// `nil` if the replicas are paired.
        let old: Int?
    }

    package init(floor: Billionths, seed: UInt64) {
        self.floor = floor
        self.seed = seed
    }

    /// Compares a strategy with its state in the baseline, and each group that both have.
    /// - Parameter measured: Metrics that the baseline's tool could measure.
    package mutating func compare(
        _ name: String, _ new: BaselineRun, with old: BaselineRun, measured: [String]
    ) -> StrategyComparison? {
        guard let ours = new.strategy(named: name), let theirs = old.strategy(named: name) else { return nil }
        let isPaired = new.seed == old.seed
        let common = min(new.replicas, old.replicas)
        let known = Set(measured)
        let metrics = Catalogue.all.filter { known.contains($0.name) }
        let sides = ComparedPair(metrics: metrics, ours: ours, theirs: theirs, isPaired: isPaired)
        return compared(sides) { changes, tests in
            StrategyComparison(
                strategy: name, against: nil, hash: ours.hash, oldHash: theirs.hash, isPaired: isPaired,
                unchangedReplicas: isPaired ? (0..<common).count { ours.digests[$0] == theirs.digests[$0] } : nil,
                replicas: common, changes: changes, tests: tests,
                unmeasured: Catalogue.all.map(\.name).filter { !known.contains($0) },
                divergence: isPaired ? ours.divergence(from: theirs, new, old) : nil)
        }
    }

    /// Compares a strategy with another one of the same run. Each group under it is compared with the same group under
    /// the other strategy.
    package mutating func compare(_ name: String, against other: String, in run: BaselineRun) -> StrategyComparison? {
        guard let ours = run.strategy(named: name), let theirs = run.strategy(named: other) else { return nil }
        let sides = ComparedPair(metrics: Catalogue.all, ours: ours, theirs: theirs, isPaired: true)
        return compared(sides) { changes, tests in
            StrategyComparison(
                strategy: name, against: other, hash: ours.hash, oldHash: theirs.hash, isPaired: true,
                unchangedReplicas: nil, replicas: run.replicas,
                changes: changes, tests: tests, unmeasured: [], divergence: nil)
        }
    }

    /// Compares two strategies of a run by the metrics that decide a comparison, for all phones together. The decisions
    /// are those of `compare`.
    package mutating func primaryChanges(
        of name: String, against other: String, in run: BaselineRun
    ) -> (changes: [MetricChange], tests: Int)? {
        guard let ours = run.strategy(named: name), let theirs = run.strategy(named: other) else { return nil }
        let primary = PrimaryMetric.all.compactMap { Catalogue.metric(named: $0.name) }
        return changes(ComparedPair(metrics: primary, ours: ours, theirs: theirs, isPaired: true), of: nil)
    }

    private struct ComparedPair {
        let metrics: [Metric]
        let ours: BaselineStrategy
        let theirs: BaselineStrategy
        let isPaired: Bool
    }

    /// Compares all phones, and each group that both sides have. Each of these adjusts its p-values over its own
    /// metrics, in two families.
    private mutating func compared(
        _ pair: ComparedPair, _ make: (_ changes: [MetricChange], _ tests: Int) -> StrategyComparison
    ) -> StrategyComparison {
        let (changes, tests) = changes(pair, of: nil)
        var whole = make(changes, tests)
        for group in pair.ours.groups.keys.sorted() where pair.theirs.groups[group] != nil {
            let (changes, tests) = self.changes(pair, of: group)
            var part = make(changes, tests)
            part.group = group
            // The divergence is reported once, with all phones.
            part.divergence = nil
            whole.groups.append(part)
        }
        return whole
    }

    private mutating func changes(
        _ pair: ComparedPair, of group: String?
    ) -> (changes: [MetricChange], tests: Int) {
        let (metrics, isPaired) = (pair.metrics, pair.isPaired)
        let sides = metrics.map { metric in
            let all = (pair.ours.series(of: metric.name, in: group), pair.theirs.series(of: metric.name, in: group))
            return isPaired ? BaselineStrategy.MetricSeries.overCommonReplicas(all.0, all.1, metric.name) : all
        }
        var contrasts = sides.map { contrast($0.each.map(\.sample), $1.each.map(\.sample), isPaired: isPaired) }
        let known = Set(metrics.map(\.name))
        let families = metrics.map { MetricFamily.of($0, among: known) }
        let tests = AdjustedTests(metrics, families, contrasts)
        for index in metrics.indices { contrasts[index].computeInterval(at: tests.levels[index]) }
        let changes = metrics.indices.map { index in
            MetricChange(
                metrics[index], families[index], new: sides[index].0.whole, old: sides[index].1.whole,
                contrasts[index], adjusted: tests.adjusted[index], level: tests.levels[index], floor: floor)
        }
        return (changes, tests.primaryCount)
    }

    private mutating func contrast(_ new: [Int128?], _ old: [Int128?], isPaired: Bool) -> Contrast {
        if isPaired { return Contrast(new: new, old: old) { cachedPermutations(ReplicaCounts(new: $0, old: nil)) } }
        return Contrast(unpaired: new.compactMap(\.self), old.compactMap(\.self)) {
            cachedPermutations(ReplicaCounts(new: $0, old: $1))
        }
    }

    private mutating func cachedPermutations(_ sides: ReplicaCounts) -> Permutations {
        if let known = permutations[sides] { return known }
        let made =
            sides.old.map { Permutations(new: sides.new, old: $0, seed: seed) }
            ?? Permutations(pairs: sides.new, seed: seed)
        permutations[sides] = made
        return made
    }
}

/// The p-values of one comparison after Holm's adjustment, and the level at which each metric was tested. Primary and
/// secondary metrics are two families: the number of secondary metrics must not weaken a test of the primary ones.
private struct AdjustedTests {
    private(set) var adjusted: [Double]
    private(set) var levels: [Double]
    /// Number of primary metrics that differ in some replica.
    let primaryCount: Int

    init(_ metrics: [Metric], _ families: [MetricFamily], _ contrasts: [Contrast]) {
        adjusted = contrasts.map(\.p)
        levels = [Double](repeating: MetricChange.level, count: metrics.count)
        // A metric that is equal everywhere can never be rejected, whatever the signs are. It does not count as a test.
        func tested(_ family: MetricFamily) -> [Int] {
            metrics.indices.filter { families[$0] == family && contrasts[$0].differs }
        }
        let primary = tested(.primary)
        primaryCount = primary.count
        for tests in [primary, tested(.secondary)] {
            let p = tests.map { contrasts[$0].p }
            for (index, (one, level)) in zip(tests, zip(holm(p), holmLevels(p, MetricChange.level))) {
                (adjusted[index], levels[index]) = (one, level)
            }
        }
        // A copy has the level of its original, so both have the same result. The parts of the energy are not findings:
        // a reader looks at them after the total.
        for index in metrics.indices where families[index] == .copy {
            let original = MetricFamily.originals[metrics[index].name]
            guard let place = metrics.firstIndex(where: { $0.name == original }), contrasts[place].differs else {
                continue
            }
            levels[index] = levels[place]
            adjusted[index] = min(1, contrasts[index].p * MetricChange.level / levels[place])
        }
    }
}

extension Figure {
    /// The value for statistics: a lower bound counts as its number. `nil` if there was nothing to measure.
    package var sample: Int128? {
        switch self {
        case .value(let value), .atLeast(let value): value.count
        case .never: ReplicaValue.never
        case .nothing: nil
        }
    }
}

extension BaselineStrategy {
    /// The earliest minute, over all replicas, in which the events differ.
    func divergence(from old: BaselineStrategy, _ run: BaselineRun, _ oldRun: BaselineRun) -> Divergence? {
        let changed = zip(digests, old.digests).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        guard let first = changed.first else { return nil }
        func divergence(_ replica: Int, _ minute: Int?) -> Divergence {
            Divergence(
                replica: replica, seed: run.seed.seed(ofReplica: replica), minute: minute, length: run.minute)
        }
        guard run.minute == oldRun.minute else { return divergence(first, nil) }
        let found = changed.compactMap { replica -> (minute: Int, replica: Int)? in
            guard replica < min(minutes.count, old.minutes.count) else { return nil }
            return Self.firstDifference(minutes[replica], old.minutes[replica]).map { ($0, replica) }
        }
        guard let earliest = found.min(by: { ($0.minute, $0.replica) < ($1.minute, $1.replica) }) else {
            return divergence(first, nil)
        }
        return divergence(earliest.replica, earliest.minute)
    }

    private static func firstDifference(_ new: String, _ old: String) -> Int? {
        let (new, old) = (Array(new.utf8), Array(old.utf8))
        let shared = min(new.count, old.count)
        if let index = (0..<shared).first(where: { new[$0] != old[$0] }) { return index / MinuteHash.length }
        return new.count == old.count ? nil : shared / MinuteHash.length
    }
}
