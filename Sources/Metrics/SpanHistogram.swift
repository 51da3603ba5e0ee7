public import DeadzonePrimitives

/// Lengths of time, counted in buckets, in nanoseconds. Log-linear in the manner of HdrHistogram (Tene): below 2,048 ns a
/// bucket is one nanosecond; above, every power of two is cut into 1,024 buckets, and a bucket answers with its middle, so
/// that a quantile is off by at most 1 / 2,048 = 0.0489 %. Count, sum, least and largest are exact. Integers only: `merge`
/// commutes and associates.
///
/// What never arrives is mass beyond every number: it counts in the rank of a quantile and has no value. What is still waited
/// for has waited at least its age: a censored sample (`ProductLimit`).
public struct SpanHistogram: Sendable, Taped {
    /// How many arrived.
    public private(set) var count: Int64 = 0
    /// How many never did.
    public private(set) var lost: Int64 = 0
    public private(set) var sum: Int128 = 0
    /// Of those that arrived; `Int64.max` and -1 when none did.
    public private(set) var least: Int64 = .max
    public private(set) var largest: Int64 = -1

    /// How many are still waited for, and how long the oldest of them has been; -1 when there is none.
    public private(set) var waiting: Int64 = 0
    public private(set) var oldest: Int64 = -1

    private var arrivals = BucketCounts()
    private var ages = BucketCounts()

    public init() {}

    /// `span` is not negative.
    public mutating func record(_ span: Int64, times: Int64 = 1) {
        precondition(span >= 0 && times >= 0, "cannot count \(span) ns \(times) times")
        guard times > 0 else { return }
        count += times
        sum += Int128(span) * Int128(times)
        least = min(least, span)
        largest = max(largest, span)
        arrivals.add(times, to: Self.bucket(of: span))
    }

    public mutating func lose(_ times: Int64) {
        precondition(times >= 0, "cannot lose \(times)")
        lost += times
    }

    /// Something has been waited for so long and has not come yet. `age` is not negative.
    public mutating func wait(_ age: Int64) {
        precondition(age >= 0, "cannot have waited \(age) ns")
        waiting += 1
        oldest = max(oldest, age)
        ages.add(1, to: Self.bucket(of: age))
    }

    public mutating func merge(_ other: Self) {
        count += other.count
        lost += other.lost
        sum += other.sum
        least = min(least, other.least)
        largest = max(largest, other.largest)
        waiting += other.waiting
        oldest = max(oldest, other.oldest)
        // Most samples of most replicas are none.
        if other.count > 0 { arrivals.merge(other.arrivals) }
        if other.waiting > 0 { ages.merge(other.ages) }
    }

    public mutating func pass(through tape: inout Tape) {
        tape.pass(&count)
        tape.pass(&lost)
        tape.pass(&sum)
        tape.pass(&least)
        tape.pass(&largest)
        tape.pass(&waiting)
        tape.pass(&oldest)
        tape.pass(&arrivals)
        tape.pass(&ages)
    }

    /// Non-empty buckets of what arrived, from the shortest to the longest.
    func forEachBucket(_ body: (_ bucket: Int, _ count: Int64) -> Void) { arrivals.forEach(body) }

    /// The same of what is waited for, by its age.
    func forEachAge(_ body: (_ bucket: Int, _ count: Int64) -> Void) { ages.forEach(body) }
}

// The grid. A bucket number is the shift that brings a span below 2,048, times 1,024, plus the shifted span: the numbers of
// neighbours follow each other through all powers of two.
extension SpanHistogram {
    private static let resolution = 1_024
    static let bucketCount = 54 * resolution
    /// Buckets that agree but for so many bits are of one power of two.
    static let mostCoarseness = 10

    static func bucket(of span: Int64) -> Int {
        let shift = max(0, 53 - span.leadingZeroBitCount)
        return shift * resolution + Int(span >> Int64(shift))
    }

    /// The middle of a bucket, the value it answers with.
    static func middle(of bucket: Int) -> Int64 { lowest(of: bucket) + (Int64(1) << shift(of: bucket)) / 2 }

    /// What everything in a bucket is at least.
    static func lowest(of bucket: Int) -> Int64 {
        Int64(bucket - Int(shift(of: bucket)) * resolution) << shift(of: bucket)
    }

    private static func shift(of bucket: Int) -> Int64 { Int64(max(0, bucket / resolution - 1)) }
}

extension SpanHistogram: Equatable {
    /// Equal when they answer every question alike; in which order the pages came to be does not matter.
    public static func == (a: Self, b: Self) -> Bool {
        guard a.count == b.count && a.lost == b.lost && a.sum == b.sum else { return false }
        guard a.least == b.least && a.largest == b.largest && a.oldest == b.oldest else { return false }
        return a.arrivals.all == b.arrivals.all && a.ages.all == b.ages.all
    }
}

/// A share of a whole in thousandths, from 0 to 1,000: what a quantile is asked for.
public struct Share: Hashable, Sendable {
    public let thousandths: Int64

    public init(thousandths: Int64) {
        precondition((0...1_000).contains(thousandths), "not a share: \(thousandths) thousandths")
        self.thousandths = thousandths
    }

    public static func percent(_ count: Int64) -> Share { Share(thousandths: count * 10) }
    public static let all = Share(thousandths: 1_000)

    /// The place, from 1, of the first element that this share of `total` does not exceed; 0 when there are none.
    func rank(among total: Int64) -> Int64 {
        // In thousands and what is left of them, so that no product is wider than a word.
        let (thousands, rest) = total.quotientAndRemainder(dividingBy: 1_000)
        return total == 0 ? 0 : max(1, thousands * thousandths + (rest * thousandths + 999) / 1_000)
    }
}
