/// The histograms of several replicas laid side by side, so that the quantile of any weighting of the replicas is one walk over
/// the buckets that were ever used.
struct PooledSamples {
    struct Entry {
        var bucket: Int
        var replica: Int
        var arrived: Int64
        var aged: Int64
    }

    let replicas: [SpanHistogram]
    let entries: [Entry]

    init(_ replicas: [SpanHistogram]) {
        self.replicas = replicas
        var entries: [Entry] = []
        for (index, histogram) in replicas.enumerated() {
            histogram.forEachBucket { entries.append(Entry(bucket: $0, replica: index, arrived: $1, aged: 0)) }
            histogram.forEachAge { entries.append(Entry(bucket: $0, replica: index, arrived: 0, aged: $1)) }
        }
        // What arrived comes before what was waited for just as long.
        entries.sort { ($0.bucket, $0.aged > 0 ? 1 : 0, $0.replica) < ($1.bucket, $1.aged > 0 ? 1 : 0, $1.replica) }
        self.entries = entries
    }

    /// What `SpanHistogram.quantile` would answer if each replica were merged as often as its weight says.
    func quantile(_ q: Share, weights: [Int64]) -> SpanHistogram.Quantile {
        var (arrived, waiting, lost) = (Int64(0), Int64(0), Int64(0))
        var (least, largest, oldest) = (Int64.max, Int64(-1), Int64(-1))
        for (histogram, weight) in zip(replicas, weights) where weight > 0 {
            arrived += histogram.count * weight
            waiting += histogram.waiting * weight
            lost += histogram.lost * weight
            least = min(least, histogram.least)
            largest = max(largest, histogram.largest)
            oldest = max(oldest, histogram.oldest)
        }
        let rank = q.rank(among: arrived + waiting + lost)
        if rank == 0 { return .nothing }
        if rank > arrived + waiting { return .never }
        if waiting > 0 && q == .all { return largest < oldest ? .atLeast(oldest) : .span(largest) }
        if waiting == 0 && rank == 1 { return .span(least) }
        if rank == arrived && waiting == 0 { return .span(largest) }
        var curve = ProductLimit(of: arrived + waiting + lost)
        var seen: Int64 = 0
        var bound = max(largest, oldest)
        for entry in entries {
            let weight = weights[entry.replica]
            guard weight > 0 else { continue }
            curve.arrive(entry.arrived * weight)
            if entry.arrived > 0 && curve.hasReached(q) {
                return .span(min(max(SpanHistogram.middle(of: entry.bucket), least), largest))
            }
            curve.takeOut(entry.aged * weight)
            if seen < rank { bound = min(max(largest, oldest), SpanHistogram.lowest(of: entry.bucket)) }
            seen += (entry.arrived + entry.aged) * weight
        }
        return .atLeast(bound)
    }
}
