/// The difference of one metric between two sets of results, with its statistical significance. The sets are two
/// strategies, or the results before and after a change.
package struct Contrast: Sendable {
    package enum Test: String, Hashable, CaseIterable, Sendable {
        /// Tests of the mean. Old and new values are swapped within each replica (paired), or between replicas with
        /// different random conditions.
        case pairs = "paired-permutation"
        case samples = "permutation"
        /// Tests of ranks, paired and unpaired. They are used if some value never arrives, because then no mean exists.
        case signedRank = "wilcoxon"
        case rankSum = "mann-whitney"
    }

    package let test: Test
    /// Number of pairs with both values measured. For unpaired samples, the number of new values.
    package let count: Int
    /// Mean of the old values over replicas. The new mean is `old` plus `difference`. `nil` if there is no mean.
    package let old: Int128?
    package let difference: Int128?
    /// Standard deviation of one replica's difference. `nil` without a mean, or with fewer than two replicas.
    package let spread: Double?
    /// Confidence interval of the difference. Its level is known only after all metrics are tested. `nil` if the
    /// replicas do not determine it.
    package private(set) var interval: ClosedRange<Int128>?
    /// One minus the level.
    package private(set) var confidence: Double?
    /// Two-sided p-value, not adjusted for the number of metrics.
    package let p: Double
    /// -1 if the new numbers tend to be lower, 1 if higher, 0 if neither.
    package let direction: Int
    /// Number of pairs in which the new value is lower, equal, higher.
    package let lower: Int
    package let same: Int
    package let higher: Int
    /// Number of replicas in which only one of the two values was measured.
    package let unmatched: Int
    private var shifts: PermutationShifts?

    package var isPaired: Bool { test == .pairs || test == .signedRank }
    /// `true` if some values differ, so that a test could find something.
    package var differs: Bool {
        if isPaired { return same < count }
        // Without a mean, unpaired values differ, unless there are none.
        return p < 1 || difference.map { $0 != 0 } ?? (count > 0)
    }

    /// Compares replica by replica. `nil` marks a replica without a measured value.
    package init(new: [Int128?], old: [Int128?], permutations: (Int) -> Permutations) {
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
            spread = nil
            return
        }
        (test, self.old, difference, direction) = (.pairs, mean, change, Int(change.signum()))
        spread = ReplicaValue.variance(differences)?.squareRoot()
        // Most metrics of most comparisons do not differ anywhere.
        shifts = lower + higher == 0 ? nil : permutations(count).shifts(of: differences)
        p = shifts?.p ?? 1
    }

    /// Compares replicas with different random conditions.
    package init(unpaired new: [Int128], _ old: [Int128], permutations: (_ new: Int, _ old: Int) -> Permutations) {
        count = new.count
        (lower, same, higher, unmatched) = (0, 0, 0, 0)
        guard let ours = ReplicaValue.mean(new), let theirs = ReplicaValue.mean(old) else {
            let ranks = RankSum(new, old)
            (test, self.old, difference, p, direction) = (.rankSum, nil, nil, ranks.p, ranks.direction)
            spread = nil
            return
        }
        // The variance of a difference of two independent values.
        let (ourVariance, theirVariance) = (ReplicaValue.variance(new), ReplicaValue.variance(old))
        spread = ourVariance.flatMap { ours in theirVariance.map { (ours + $0).squareRoot() } }
        (test, self.old, difference, direction) = (.samples, theirs, ours - theirs, Int((ours - theirs).signum()))
        shifts = Set(new + old).count < 2 ? nil : permutations(new.count, old.count).shifts(of: new, old)
        p = shifts?.p ?? 1
    }

    /// Computes the confidence interval by inverting the same test at this level. It contains zero exactly if p is at
    /// least the level.
    package mutating func computeInterval(at level: Double) {
        guard let difference, differs else { return }
        interval = shifts?.interval(at: level) ?? (shifts == nil ? difference...difference : nil)
        confidence = interval.map { _ in 1 - level }
        shifts = nil
    }
}
