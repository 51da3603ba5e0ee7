import DeadzoneBase

/// The number of samples in each bucket of a histogram. Memory is allocated in pages of buckets, and only for pages
/// with a sample.
struct BucketCounts: Sendable {
    private static let pageSize = 32

    /// For each page of buckets, its index in `counts` (in pages) plus one. 0 if nothing has been counted in that page.
    private var pages: [UInt16] = []
    /// Numbers of the allocated pages, in order. They are few, because samples lie close together.
    private var used: [UInt16] = []
    private var counts: [Int64] = []

    mutating func add(_ times: Int64, to bucket: Int) {
        counts[openedPage(bucket / Self.pageSize) + bucket % Self.pageSize] += times
    }

    mutating func merge(_ other: Self) {
        for page in other.used {
            let (mine, theirs) = (openedPage(Int(page)), other.start(ofPage: Int(page)))
            for offset in 0..<Self.pageSize { counts[mine + offset] += other.counts[theirs + offset] }
        }
    }

    subscript(bucket: Int) -> Int64 {
        guard !pages.isEmpty, pages[bucket / Self.pageSize] > 0 else { return 0 }
        return counts[start(ofPage: bucket / Self.pageSize) + bucket % Self.pageSize]
    }

    /// Calls `body` for each non-empty bucket, in order.
    func forEach(_ body: (_ bucket: Int, _ count: Int64) -> Void) {
        for page in used {
            let start = start(ofPage: Int(page))
            for offset in 0..<Self.pageSize {
                let count = counts[start + offset]
                if count != 0 { body(Int(page) * Self.pageSize + offset, count) }
            }
        }
    }

    var total: Int64 {
        var total: Int64 = 0
        forEach { total += $1 }
        return total
    }

    var all: [[Int64]] {
        var all: [[Int64]] = []
        forEach { all.append([Int64($0), $1]) }
        return all
    }

    private func start(ofPage page: Int) -> Int { (Int(pages[page]) - 1) * Self.pageSize }

    /// Start of a page in `counts`. Allocates the page if it does not exist.
    private mutating func openedPage(_ page: Int) -> Int {
        if pages.isEmpty { pages = Array(repeating: 0, count: SpanHistogram.bucketCount / Self.pageSize) }
        if pages[page] == 0 {
            counts.append(contentsOf: repeatElement(0, count: Self.pageSize))
            pages[page] = UInt16(counts.count / Self.pageSize)
            used.insert(UInt16(page), at: used.firstIndex { $0 > page } ?? used.count)
        }
        return start(ofPage: page)
    }
}

extension BucketCounts: BinaryCodable {
    mutating func code(through coder: inout BinaryCoder) {
        var pairs: [(Int, Int128)] = []
        forEach { pairs.append(($0, Int128($1))) }
        coder.code(pairs: pairs) { bucket, times in
            guard (0..<SpanHistogram.bucketCount).contains(bucket), let times = Int64(exactly: times),
                (1...BinaryCoder.validCounts.upperBound).contains(times)
            else {
                return false
            }
            add(times, to: bucket)
            return true
        }
    }
}
