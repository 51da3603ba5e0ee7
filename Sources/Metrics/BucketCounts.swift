import DeadzonePrimitives

/// How many fell into each bucket. Only pages of buckets in which something was counted take room.
struct BucketCounts: Sendable {
    private static let pageSize = 32

    /// Where in `counts` the page of a bucket begins, in pages, plus one; 0: nothing has been counted there yet.
    private var pages: [UInt16] = []
    private var counts: [Int64] = []

    mutating func add(_ times: Int64, to bucket: Int) {
        let page = bucket / Self.pageSize
        if pages.isEmpty { pages = Array(repeating: 0, count: SpanHistogram.bucketCount / Self.pageSize) }
        if pages[page] == 0 {
            counts.append(contentsOf: repeatElement(0, count: Self.pageSize))
            pages[page] = UInt16(counts.count / Self.pageSize)
        }
        counts[(Int(pages[page]) - 1) * Self.pageSize + bucket % Self.pageSize] += times
    }

    subscript(bucket: Int) -> Int64 {
        let page = pages.isEmpty ? 0 : Int(pages[bucket / Self.pageSize])
        return page == 0 ? 0 : counts[(page - 1) * Self.pageSize + bucket % Self.pageSize]
    }

    /// Those that are not empty, in order.
    func forEach(_ body: (_ bucket: Int, _ count: Int64) -> Void) {
        for (page, start) in pages.enumerated() where start != 0 {
            for offset in 0..<Self.pageSize {
                let count = counts[(Int(start) - 1) * Self.pageSize + offset]
                if count != 0 { body(page * Self.pageSize + offset, count) }
            }
        }
    }

    var all: [[Int64]] {
        var all: [[Int64]] = []
        forEach { all.append([Int64($0), $1]) }
        return all
    }
}

extension BucketCounts: Taped {
    mutating func pass(through tape: inout Tape) {
        var pairs: [(Int, Int128)] = []
        forEach { pairs.append(($0, Int128($1))) }
        tape.pass(pairs: pairs) { bucket, times in
            guard (0..<SpanHistogram.bucketCount).contains(bucket), let times = Int64(exactly: times) else {
                return false
            }
            add(times, to: bucket)
            return true
        }
    }
}
