/// Lengths of time, counted in buckets, in nanoseconds. Log-linear in the manner of HdrHistogram (Tene): below 2,048 ns a
/// bucket is one nanosecond; above, every power of two is cut into 1,024 buckets, and a bucket answers with its middle, so
/// that a quantile is off by at most 1 / 2,048 = 0.0489 %. Count, sum, least and largest are exact. Integers only: `merge`
/// commutes and associates.
///
/// What never arrives is mass beyond every number: it counts in the rank of a quantile and has no value.
public struct SpanHistogram: Sendable {
    /// How many arrived.
    public private(set) var count: Int64 = 0
    /// How many never did.
    public private(set) var lost: Int64 = 0
    public private(set) var sum: Int128 = 0
    /// Of those that arrived; `Int64.max` and -1 when none did.
    public private(set) var least: Int64 = .max
    public private(set) var largest: Int64 = -1

    /// Where in `counts` the page of a bucket begins, in pages, plus one; 0: nothing has been counted there yet.
    private var pages: [UInt16] = []
    private var counts: [Int64] = []

    public init() {}

    /// `span` is not negative.
    public mutating func record(_ span: Int64, times: Int64 = 1) {
        precondition(span >= 0 && times >= 0, "cannot count \(span) ns \(times) times")
        guard times > 0 else { return }
        count += times
        sum += Int128(span) * Int128(times)
        least = min(least, span)
        largest = max(largest, span)
        add(times, toBucket: Self.bucket(of: span))
    }

    public mutating func lose(_ times: Int64) {
        precondition(times >= 0, "cannot lose \(times)")
        lost += times
    }

    public mutating func merge(_ other: Self) {
        count += other.count
        lost += other.lost
        sum += other.sum
        least = min(least, other.least)
        largest = max(largest, other.largest)
        other.forEachBucket { add($1, toBucket: $0) }
    }

    /// Non-empty buckets from the shortest to the longest.
    func forEachBucket(_ body: (_ bucket: Int, _ count: Int64) -> Void) {
        for (page, start) in pages.enumerated() where start != 0 {
            for offset in 0..<Self.pageSize {
                let count = counts[(Int(start) - 1) * Self.pageSize + offset]
                if count != 0 { body(page * Self.pageSize + offset, count) }
            }
        }
    }

    private mutating func add(_ times: Int64, toBucket bucket: Int) {
        let page = bucket / Self.pageSize
        if pages.isEmpty { pages = Array(repeating: 0, count: Self.bucketCount / Self.pageSize) }
        if pages[page] == 0 {
            counts.append(contentsOf: repeatElement(0, count: Self.pageSize))
            pages[page] = UInt16(counts.count / Self.pageSize)
        }
        counts[(Int(pages[page]) - 1) * Self.pageSize + bucket % Self.pageSize] += times
    }
}

// The grid. A bucket number is the shift that brings a span below 2,048, times 1,024, plus the shifted span: the numbers of
// neighbours follow each other through all powers of two.
extension SpanHistogram {
    private static let resolution = 1_024
    private static let pageSize = 32
    static let bucketCount = 54 * resolution

    static func bucket(of span: Int64) -> Int {
        let shift = max(0, 53 - span.leadingZeroBitCount)
        return shift * resolution + Int(span >> Int64(shift))
    }

    /// The middle of a bucket, the value it answers with.
    static func middle(of bucket: Int) -> Int64 {
        let shift = max(0, bucket / resolution - 1)
        let lowest = Int64(bucket - shift * resolution) << Int64(shift)
        return lowest + (Int64(1) << Int64(shift)) / 2
    }
}

extension SpanHistogram {
    /// The shortest span that at least the share `q` of all, the lost ones included, do not exceed (nearest rank, NumPy's
    /// `inverted_cdf`). Nil when that one never arrived, or when there was nothing to count. The first and last rank are exact.
    public func quantile(_ q: Share) -> Int64? {
        let rank = q.rank(among: count + lost)
        guard rank >= 1 && rank <= count else { return nil }
        if rank == 1 { return least }
        if rank == count { return largest }
        var seen: Int64 = 0
        var answer: Int64?
        forEachBucket { bucket, count in
            seen += count
            if answer == nil && seen >= rank { answer = Self.middle(of: bucket) }
        }
        return answer.map { min(max($0, least), largest) }
    }
}

extension SpanHistogram: Equatable {
    /// Equal when they answer every question alike; in which order the pages came to be does not matter.
    public static func == (a: Self, b: Self) -> Bool {
        guard a.count == b.count && a.lost == b.lost && a.sum == b.sum else { return false }
        guard a.least == b.least && a.largest == b.largest else { return false }
        return a.buckets == b.buckets
    }

    private var buckets: [[Int64]] {
        var all: [[Int64]] = []
        forEachBucket { all.append([Int64($0), $1]) }
        return all
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
        total == 0 ? 0 : max(1, Int64((Int128(total) * Int128(thousandths) + 999) / 1_000))
    }
}
