extension SpanHistogram {
    public enum Quantile: Hashable, Sendable {
        case span(Int64)
        /// So many are still waited for that no more can be said.
        case atLeast(Int64)
        /// It falls among what never arrives.
        case never
        /// There was nothing to count.
        case nothing
    }

    /// The shortest span that at least the share `q` of all, the lost ones included, do not exceed (nearest rank, NumPy's
    /// `inverted_cdf`). The first and the last rank are exact. Where some are still waited for, the shortest at which the
    /// product-limit curve reaches that share. Where it does not, what is certain: the quantile with each of them counted as
    /// if it arrived now.
    public func quantile(_ q: Share) -> Quantile {
        let rank = q.rank(among: count + waiting + lost)
        if rank == 0 { return .nothing }
        if rank > count + waiting { return .never }
        if waiting > 0 { return censoredQuantile(q, rank: rank) }
        if rank == 1 { return .span(least) }
        if rank == count { return .span(largest) }
        var seen: Int64 = 0
        var answer = Quantile.never
        forEachBucket { bucket, count in
            if seen < rank && rank <= seen + count { answer = .span(clamped(bucket)) }
            seen += count
        }
        return answer
    }

    private func clamped(_ bucket: Int) -> Int64 { min(max(Self.middle(of: bucket), least), largest) }

    private func censoredQuantile(_ q: Share, rank: Int64) -> Quantile {
        if q == .all { return largest < oldest ? .atLeast(oldest) : .span(largest) }
        var curve = ProductLimit(of: count + waiting + lost)
        var seen: Int64 = 0
        var least = max(largest, oldest)
        var answer: Quantile?
        forEachBucket { bucket, arrived, aged in
            curve.arrive(arrived)
            if answer == nil && arrived > 0 && curve.hasReached(q) { answer = .span(clamped(bucket)) }
            curve.takeOut(aged)
            if seen < rank && rank <= seen + arrived + aged { least = min(least, Self.lowest(of: bucket)) }
            seen = curve.passed
        }
        return answer ?? .atLeast(least)
    }

    /// What arrived and what is waited for, side by side.
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
