extension SpanHistogram {
    package enum QuantileResult: Hashable, Sendable {
        case span(Int64)
        /// Too many samples still wait: only a lower bound is known.
        case atLeast(Int64)
        /// The quantile falls among samples that never arrive.
        case never
        /// There are no samples.
        case nothing
    }

    /// The shortest span that at least the share `q` of all samples, including lost ones, do not exceed (nearest rank,
    /// NumPy's `inverted_cdf`). The first and the last rank are exact.
    ///
    /// If samples still wait, it is the shortest span at which the product-limit curve reaches the share. If the curve
    /// does not reach it, the result is a lower bound: the quantile with each waiting sample counted as if it arrived
    /// now.
    package func quantile(_ q: Share) -> QuantileResult {
        let rank = q.rank(among: count + waiting + lost)
        if rank == 0 { return .nothing }
        if rank > count + waiting { return .never }
        if waiting > 0 { return censoredQuantile(q, rank: rank) }
        if rank == 1 { return .span(least) }
        if rank == count { return .span(largest) }
        var seen: Int64 = 0
        var answer = QuantileResult.never
        forEachBucket { bucket, count in
            if seen < rank && rank <= seen + count { answer = .span(clamped(bucket)) }
            seen += count
        }
        return answer
    }

    private func clamped(_ bucket: Int) -> Int64 { min(max(Self.middle(of: bucket), least), largest) }

    private func censoredQuantile(_ q: Share, rank: Int64) -> QuantileResult {
        if q == .all { return largest < oldest ? .atLeast(oldest) : .span(largest) }
        var curve = ProductLimit(of: count + waiting + lost)
        var seen: Int64 = 0
        var least = max(largest, oldest)
        var answer: QuantileResult?
        forEachBucket { bucket, arrived, aged in
            curve.arrive(arrived)
            if answer == nil && arrived > 0 && curve.hasReached(q) { answer = .span(clamped(bucket)) }
            curve.censor(aged)
            if seen < rank && rank <= seen + arrived + aged { least = min(least, Self.lowest(of: bucket)) }
            seen = curve.removedCount
        }
        return answer ?? .atLeast(least)
    }

    /// Calls `body` for each non-empty bucket, with its arrived and its waiting samples.
    func forEachBucket(_ body: (_ bucket: Int, _ arrived: Int64, _ aged: Int64) -> Void) {
        var waiting: [(bucket: Int, count: Int64)] = []
        forEachAge { waiting.append(($0, $1)) }
        var next = 0
        forEachBucket { bucket, arrived in
            while next < waiting.count, waiting[next].bucket < bucket {
                body(waiting[next].bucket, 0, waiting[next].count)
                next += 1
            }
            let isShared = next < waiting.count && waiting[next].bucket == bucket
            body(bucket, arrived, isShared ? waiting[next].count : 0)
            if isShared { next += 1 }
        }
        for entry in waiting[next...] { body(entry.bucket, 0, entry.count) }
    }
}
