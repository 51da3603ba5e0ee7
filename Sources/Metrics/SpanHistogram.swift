package import DeadzoneBase

/// A histogram of durations in nanoseconds with a bounded relative error. It is log-linear like HdrHistogram (Tene):
/// below 2,048 ns a bucket is one nanosecond wide. Above, every power of two is split into 1,024 buckets. A bucket is
/// represented by its middle, so a quantile is off by at most 1 / 2,048 = 0.0489 %. Count, sum, least and largest are
/// exact. All values are integers, so `merge` commutes and associates.
///
/// A sample that never arrives has no value. It counts in the rank of a quantile, above every number. A sample that
/// still waits has waited at least its age: it is censored (`ProductLimit`).
package struct SpanHistogram: Sendable, BinaryCodable {
    /// Number of samples that arrived.
    package private(set) var count: Int64 = 0
    /// Number of samples that will never arrive.
    package private(set) var lost: Int64 = 0
    package private(set) var sum: Int128 = 0
    /// Extremes of the samples that arrived. `Int64.max` and -1 if none did.
    package private(set) var least: Int64 = .max
    package private(set) var largest: Int64 = -1

    /// Number of samples that still wait, and the age of the oldest. -1 if there is none.
    package private(set) var waiting: Int64 = 0
    package private(set) var oldest: Int64 = -1

    private var arrivals = BucketCounts()
    private var ages = BucketCounts()

    package init() {}

    /// Counts samples that arrived. `span` is not negative.
    package mutating func record(_ span: Int64, times: Int64 = 1) {
        precondition(
            span >= 0 && times >= 0, "a count needs a span and a number of at least 0, not \(span) ns and \(times)")
        guard times > 0 else { return }
        count += times
        sum += Int128(span) * Int128(times)
        least = min(least, span)
        largest = max(largest, span)
        arrivals.add(times, to: Self.bucket(of: span))
    }

    package mutating func recordLost(_ times: Int64) {
        precondition(times >= 0, "the number of lost samples must be at least 0, not \(times)")
        lost += times
    }

    /// Counts a sample that has waited this long and has not arrived yet. `age` is not negative.
    package mutating func recordWaiting(_ age: Int64) {
        precondition(age >= 0, "an age must be at least 0, not \(age) ns")
        waiting += 1
        oldest = max(oldest, age)
        ages.add(1, to: Self.bucket(of: age))
    }

    package mutating func merge(_ other: Self) {
        count += other.count
        lost += other.lost
        sum += other.sum
        least = min(least, other.least)
        largest = max(largest, other.largest)
        waiting += other.waiting
        oldest = max(oldest, other.oldest)
        // Most sample families of most replicas are empty.
        if other.count > 0 { arrivals.merge(other.arrivals) }
        if other.waiting > 0 { ages.merge(other.ages) }
    }

    package mutating func code(through coder: inout BinaryCoder) {
        coder.code(&count)
        coder.code(&lost)
        coder.code(&sum)
        coder.code(&least)
        coder.code(&largest)
        coder.code(&waiting)
        coder.code(&oldest)
        coder.code(&arrivals)
        coder.code(&ages)
        coder.require(isConsistent)
    }

    /// `false` if the numbers contradict each other, as after reading a file that this code did not write.
    private var isConsistent: Bool {
        let counts = [count, lost, waiting]
        guard counts.allSatisfy(BinaryCoder.validCounts.contains), BinaryCoder.validSums.contains(sum) else {
            return false
        }
        let hasExtremes = count == 0 ? least == .max && largest == -1 : least >= 0 && least <= largest
        return hasExtremes && (waiting == 0 ? oldest == -1 : oldest >= 0)
            && arrivals.total == count && ages.total == waiting
    }

    /// Calls `body` for each non-empty bucket of arrived samples, from the shortest to the longest.
    func forEachBucket(_ body: (_ bucket: Int, _ count: Int64) -> Void) { arrivals.forEach(body) }

    /// Calls `body` for each bucket of the waiting samples, which are counted by age.
    func forEachAge(_ body: (_ bucket: Int, _ count: Int64) -> Void) { ages.forEach(body) }
}

// Bucket layout. A bucket number is 1,024 times the shift that brings a span below 2,048, plus the shifted span. Bucket
// numbers of neighbours are therefore consecutive across all powers of two.
extension SpanHistogram {
    private static let resolution = 1_024
    static let bucketCount = 54 * resolution
    /// Number of low bits that can be dropped from a bucket number without leaving its power of two.
    static let maxCoarseness = 10

    static func bucket(of span: Int64) -> Int {
        let shift = max(0, 53 - span.leadingZeroBitCount)
        return shift * resolution + Int(span >> Int64(shift))
    }

    /// Middle of a bucket, the value that represents it.
    static func middle(of bucket: Int) -> Int64 { lowest(of: bucket) + (Int64(1) << shift(of: bucket)) / 2 }

    /// Lower edge of a bucket.
    static func lowest(of bucket: Int) -> Int64 {
        Int64(bucket - Int(shift(of: bucket)) * resolution) << shift(of: bucket)
    }

    private static func shift(of bucket: Int) -> Int64 { Int64(max(0, bucket / resolution - 1)) }
}

extension SpanHistogram: Equatable {
    /// Equal if all counts and extremes are equal. The order in which pages were allocated does not matter.
    package static func == (a: Self, b: Self) -> Bool {
        guard a.count == b.count && a.lost == b.lost && a.sum == b.sum else { return false }
        guard a.least == b.least && a.largest == b.largest && a.oldest == b.oldest else { return false }
        return a.arrivals.all == b.arrivals.all && a.ages.all == b.ages.all
    }
}

/// A share of a whole in thousandths, from 0 to 1,000, such as the level of a quantile.
package struct Share: Hashable, Sendable {
    package let thousandths: Int64

    package init(thousandths: Int64) {
        precondition((0...1_000).contains(thousandths), "not a share: \(thousandths) thousandths")
        self.thousandths = thousandths
    }

    package static func percent(_ count: Int64) -> Share { Share(thousandths: count * 10) }
    package static let all = Share(thousandths: 1_000)

    /// Rank, from 1, of the first element that this share of `total` does not exceed. 0 if there are no elements.
    func rank(among total: Int64) -> Int64 {
        // Split into thousands and remainder, so that no product overflows a word.
        let (thousands, rest) = total.quotientAndRemainder(dividingBy: 1_000)
        return total == 0 ? 0 : max(1, thousands * thousandths + (rest * thousandths + 999) / 1_000)
    }
}
