/// The histograms of several replicas laid side by side, so that the quantile of any weighting of the replicas is one walk over
/// the buckets that were ever used.
struct PooledSamples {
    struct Entry {
        var bucket: Int
        var replica: Int
        var count: Int64
    }

    let replicas: [SpanHistogram]
    let entries: [Entry]

    init(_ replicas: [SpanHistogram]) {
        self.replicas = replicas
        var entries: [Entry] = []
        for (index, histogram) in replicas.enumerated() {
            histogram.forEachBucket { entries.append(Entry(bucket: $0, replica: index, count: $1)) }
        }
        entries.sort { ($0.bucket, $0.replica) < ($1.bucket, $1.replica) }
        self.entries = entries
    }

    /// What `SpanHistogram.quantile` would answer if each replica were merged as often as its weight says.
    func quantile(_ q: Share, weights: [Int64]) -> Quantile {
        var arrived: Int64 = 0
        var lost: Int64 = 0
        var least = Int64.max
        var largest: Int64 = -1
        for (histogram, weight) in zip(replicas, weights) where weight > 0 {
            arrived += histogram.count * weight
            lost += histogram.lost * weight
            least = min(least, histogram.least)
            largest = max(largest, histogram.largest)
        }
        let rank = q.rank(among: arrived + lost)
        if rank == 0 { return .nothing }
        if rank > arrived { return .never }
        if rank == 1 { return .span(least) }
        if rank == arrived { return .span(largest) }
        var seen: Int64 = 0
        for entry in entries {
            seen += entry.count * weights[entry.replica]
            if seen >= rank { return .span(min(max(SpanHistogram.middle(of: entry.bucket), least), largest)) }
        }
        return .never
    }

    enum Quantile: Hashable {
        case span(Int64), never, nothing
    }
}
