public import DeadzoneMetrics
import DeadzonePrimitives

/// Compares what runs came to. Replicas of one seed met the same weather, so they are compared pair by pair; others are
/// compared as two samples.
public struct Comparer: Sendable {
    /// A change of less than this share of the old number is no news.
    public let floor: Billionths
    private let seed: UInt64
    /// Made once for each number of replicas.
    private var exchanges: [Sides: Exchanges] = [:]

    private struct Sides: Hashable {
        let new: Int
        /// Nil: the sides are pairs.
        let old: Int?
    }

    public init(floor: Billionths, seed: UInt64) {
        self.floor = floor
        self.seed = seed
    }

    /// A strategy and what it was in the baseline, and each group that both have.
    /// - Parameter measured: what the tool of the baseline could measure.
    public mutating func compare(
        _ name: String, _ new: BaselineRun, with old: BaselineRun, measured: [String]
    ) -> StrategyComparison? {
        guard let ours = new.strategy(named: name), let theirs = old.strategy(named: name) else { return nil }
        let isPaired = new.seed == old.seed
        let common = min(new.replicas, old.replicas)
        let known = Set(measured)
        let metrics = Catalogue.all.filter { known.contains($0.name) }
        let sides = Pair(metrics: metrics, ours: ours, theirs: theirs, isPaired: isPaired)
        return compared(sides) { changes, tests in
            StrategyComparison(
                strategy: name, against: nil, hash: ours.hash, oldHash: theirs.hash, isPaired: isPaired,
                unchangedReplicas: isPaired ? (0..<common).count { ours.digests[$0] == theirs.digests[$0] } : nil,
                replicas: common, changes: changes, tests: tests,
                unmeasured: Catalogue.all.map(\.name).filter { !known.contains($0) },
                divergence: isPaired ? ours.divergence(from: theirs, new, old) : nil)
        }
    }

    /// A strategy beside another one of the same run, and each group under the one beside the same under the other.
    public mutating func compare(_ name: String, against other: String, in run: BaselineRun) -> StrategyComparison? {
        guard let ours = run.strategy(named: name), let theirs = run.strategy(named: other) else { return nil }
        let sides = Pair(metrics: Catalogue.all, ours: ours, theirs: theirs, isPaired: true)
        return compared(sides) { changes, tests in
            StrategyComparison(
                strategy: name, against: other, hash: ours.hash, oldHash: theirs.hash, isPaired: true,
                unchangedReplicas: nil, replicas: run.replicas,
                changes: changes, tests: tests, unmeasured: [], divergence: nil)
        }
    }

    private struct Pair {
        let metrics: [Metric]
        let ours: BaselineStrategy
        let theirs: BaselineStrategy
        let isPaired: Bool
    }

    /// All phones, and every group that both sides have: each adjusts for its own metrics, as strategies do.
    private mutating func compared(
        _ pair: Pair, _ make: (_ changes: [MetricChange], _ tests: Int) -> StrategyComparison
    ) -> StrategyComparison {
        let (changes, tests) = changes(pair, of: nil)
        var whole = make(changes, tests)
        for group in pair.ours.groups.keys.sorted() where pair.theirs.groups[group] != nil {
            let (changes, tests) = self.changes(pair, of: group)
            var part = make(changes, tests)
            part.group = group
            // Where paths part is told once.
            part.divergence = nil
            whole.groups.append(part)
        }
        return whole
    }

    private mutating func changes(
        _ pair: Pair, of group: String?
    ) -> (changes: [MetricChange], tests: Int) {
        let (metrics, isPaired) = (pair.metrics, pair.isPaired)
        let sides = metrics.map {
            (pair.ours.series(of: $0.name, in: group), pair.theirs.series(of: $0.name, in: group))
        }
        var contrasts = sides.map { contrast($0.each.map(\.sample), $1.each.map(\.sample), isPaired: isPaired) }
        // A metric that differs nowhere can reject nothing whatever the signs are, so it is no test among the others.
        let tests = metrics.indices.filter { !metrics[$0].isPartOfEnergy && contrasts[$0].differs }
        let p = tests.map { contrasts[$0].p }
        // The parts of the energy are looked at where the whole has been; they are not told as findings of their own.
        var adjusted = contrasts.map(\.p)
        var levels = [Double](repeating: MetricChange.level, count: metrics.count)
        for (index, (one, level)) in zip(tests, zip(holm(p), holmLevels(p, MetricChange.level))) {
            (adjusted[index], levels[index]) = (one, level)
        }
        for index in metrics.indices { contrasts[index].settle(at: levels[index]) }
        let changes = metrics.indices.map { index in
            MetricChange(
                metrics[index], new: sides[index].0.whole, old: sides[index].1.whole, contrasts[index],
                adjusted: adjusted[index], floor: floor)
        }
        return (changes, tests.count)
    }

    private mutating func contrast(_ new: [Int128?], _ old: [Int128?], isPaired: Bool) -> Contrast {
        if isPaired { return Contrast(new: new, old: old) { made(Sides(new: $0, old: nil)) } }
        return Contrast(unpaired: new.compactMap(\.self), old.compactMap(\.self)) { made(Sides(new: $0, old: $1)) }
    }

    private mutating func made(_ sides: Sides) -> Exchanges {
        if let known = exchanges[sides] { return known }
        let made =
            sides.old.map { Exchanges(new: sides.new, old: $0, seed: seed) } ?? Exchanges(pairs: sides.new, seed: seed)
        exchanges[sides] = made
        return made
    }
}

extension Figure {
    /// As statistics see it: what is at least so much counts with that. Nil where there was nothing to measure.
    var sample: Int128? {
        switch self {
        case .value(let value), .atLeast(let value): value.count
        case .never: ReplicaValue.never
        case .nothing: nil
        }
    }
}

extension BaselineStrategy {
    /// The earliest minute, over all replicas, in which something else happens.
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
        if let index = (0..<shared).first(where: { new[$0] != old[$0] }) { return index / digitsPerMinute }
        return new.count == old.count ? nil : shared / digitsPerMinute
    }
}
