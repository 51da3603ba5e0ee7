/// What two strategies, or a strategy before and after a change, came to in one metric: how far apart they are, and whether
/// the weathers that were looked at can tell.
public struct Contrast: Hashable, Sendable {
    public enum Test: String, Hashable, Sendable {
        /// Paired: both met the same weather, replica by replica.
        case signedRank = "wilcoxon"
        /// Not paired.
        case rankSum = "mann-whitney"
    }

    public let test: Test
    /// Pairs in which both came to something; or how many of the new were measured.
    public let count: Int
    /// The median of the differences new − old; unpaired, the difference of the medians. Nil if there is none.
    public let difference: Int128?
    /// Of the difference, by bootstrap.
    public let interval: ClosedRange<Int128>?
    /// Two-sided; not yet adjusted for the number of metrics.
    public let p: Double
    public let isExact: Bool
    /// -1: the new numbers are rather lower.
    public let direction: Int
    /// Pairs in which the new number is lower, the same, higher.
    public let lower: Int
    public let same: Int
    public let higher: Int

    /// Replica by replica; `nil` where one of them came to nothing.
    public init(new: [Int128?], old: [Int128?], draws: (Int) -> MedianDraws) {
        let differences = zip(new, old).compactMap { new, old in
            new.flatMap { new in old.map { Sample.difference(new, $0) } }
        }.sorted()
        let ranks = SignedRank(differences)
        test = .signedRank
        count = differences.count
        difference = Sample.median(ofSorted: differences)
        lower = differences.count { $0 < 0 }
        same = differences.count { $0 == 0 }
        higher = differences.count { $0 > 0 }
        // Most metrics of most comparisons do not differ anywhere.
        interval =
            differences.isEmpty
            ? nil
            : differences.first == differences.last
                ? differences[0]...differences[0]
                : MedianDraws.interval(draws(differences.count).medians(ofSorted: differences))
        p = ranks.p
        isExact = ranks.isExact
        direction = ranks.direction
    }

    /// Of replicas under other weathers.
    public init(unpaired new: [Int128], _ old: [Int128], draws: (_ count: Int, _ stream: UInt32) -> MedianDraws) {
        let (new, old) = (new.sorted(), old.sorted())
        let ranks = RankSum(new, old)
        test = .rankSum
        count = new.count
        (lower, same, higher) = (0, 0, 0)
        p = ranks.p
        isExact = ranks.isExact
        direction = ranks.direction
        guard let ours = Sample.median(ofSorted: new), let theirs = Sample.median(ofSorted: old) else {
            (difference, interval) = (nil, nil)
            return
        }
        difference = Sample.difference(ours, theirs)
        let pairs = zip(
            draws(new.count, 0).medians(ofSorted: new), draws(old.count, 1).medians(ofSorted: old))
        interval = MedianDraws.interval(
            pairs.map { new, old in new.flatMap { new in old.map { Sample.difference(new, $0) } } })
    }
}
