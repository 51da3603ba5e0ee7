/// What two strategies, or a strategy before and after a change, came to in one metric: how far apart they are, and whether
/// the weathers that were looked at can tell.
public struct Contrast: Sendable {
    public enum Test: String, Hashable, CaseIterable, Sendable {
        /// Of the mean: before and now change places within each replica, or between replicas under other weathers.
        case pairs = "paired-permutation"
        case samples = "permutation"
        /// Of ranks, where something never arrives, so that there is no mean: paired, and not paired.
        case signedRank = "wilcoxon"
        case rankSum = "mann-whitney"
    }

    public let test: Test
    /// Pairs in which both came to something; or how many of the new were measured.
    public let count: Int
    /// Mean over replicas, before; now it is that and the difference. Nil if there is none.
    public let old: Int128?
    public let difference: Int128?
    /// Where the difference lies, at a level that is settled when all metrics are known; nil: the replicas cannot tell.
    public private(set) var interval: ClosedRange<Int128>?
    /// One less the level.
    public private(set) var confidence: Double?
    /// Two-sided; not yet adjusted for the number of metrics.
    public let p: Double
    /// -1: the new numbers are rather lower.
    public let direction: Int
    /// Pairs in which the new number is lower, the same, higher.
    public let lower: Int
    public let same: Int
    public let higher: Int
    /// Replicas in which only one of the two came to something.
    public let unmatched: Int
    private var shifts: Shifts?

    public var isPaired: Bool { test == .pairs || test == .signedRank }
    /// Somewhere it is not what it was, so that a test could say something.
    public var differs: Bool { isPaired ? same < count : p < 1 || difference != 0 }

    /// Replica by replica; `nil` where one of them came to nothing.
    public init(new: [Int128?], old: [Int128?], exchanges: (Int) -> Exchanges) {
        let pairs = zip(new, old).compactMap { new, old in new.flatMap { new in old.map { (new: new, old: $0) } } }
        let differences = pairs.map { ReplicaValue.difference($0.new, $0.old) }
        count = pairs.count
        unmatched = zip(new, old).count { ($0 == nil) != ($1 == nil) }
        lower = differences.count { $0 < 0 }
        same = differences.count { $0 == 0 }
        higher = differences.count { $0 > 0 }
        guard let mean = ReplicaValue.mean(pairs.map(\.old)), let change = ReplicaValue.mean(differences) else {
            let ranks = SignedRank(differences)
            (test, self.old, difference, p, direction) = (.signedRank, nil, nil, ranks.p, ranks.direction)
            return
        }
        (test, self.old, difference, direction) = (.pairs, mean, change, Int(change.signum()))
        // Most metrics of most comparisons do not differ anywhere.
        shifts = lower + higher == 0 ? nil : exchanges(count).shifts(of: differences)
        p = shifts?.p ?? 1
    }

    /// Of replicas under other weathers.
    public init(unpaired new: [Int128], _ old: [Int128], exchanges: (_ new: Int, _ old: Int) -> Exchanges) {
        count = new.count
        (lower, same, higher, unmatched) = (0, 0, 0, 0)
        guard let ours = ReplicaValue.mean(new), let theirs = ReplicaValue.mean(old) else {
            let ranks = RankSum(new, old)
            (test, self.old, difference, p, direction) = (.rankSum, nil, nil, ranks.p, ranks.direction)
            return
        }
        (test, self.old, difference, direction) = (.samples, theirs, ours - theirs, Int((ours - theirs).signum()))
        shifts = Set(new + old).count < 2 ? nil : exchanges(new.count, old.count).shifts(of: new, old)
        p = shifts?.p ?? 1
    }

    /// Says where the difference lies, by the same test at this level: zero is inside exactly if p is no less.
    public mutating func settle(at level: Double) {
        guard let difference, differs else { return }
        interval = shifts?.interval(at: level) ?? (shifts == nil ? difference...difference : nil)
        confidence = interval.map { _ in 1 - level }
        shifts = nil
    }
}
