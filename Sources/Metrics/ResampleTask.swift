/// A unit of work of the bootstrap for one thread: the ratio metrics that share their resamples, or all quantiles of one
/// set of samples.
enum ResampleTask: Sendable {
    case ratios([RatioMetric])
    case samples(SampleStore, [QuantileQuery])

    /// All tasks of one strategy, the slow ones first. Most metrics of most runs are equal in every replica and need no
    /// resampling.
    static func all(of replicas: Replicas) -> [ResampleTask] {
        guard replicas.count > 1 else { return [] }
        let books = zip(replicas.stores, Catalogue.queries).filter { !$0.0.isEmpty }
        return books.map { .samples($0, $1) }
            + RatioMetric.groups(RatioMetric.all(of: replicas).filter { !$0.isConstant }).map { .ratios($0) }
    }

    func intervals(_ bootstrap: Bootstrap) -> [(metric: Int, interval: Interval?)] {
        switch self {
        case .ratios(let ratios):
            let ends = ratios.first?.ends(bootstrap)
            return ratios.map { ($0.metric, ends?.interval($0.figure)) }
        case .samples(let store, let queries):
            let isLong = store.codedLength > PooledSamples.minMergeBytes
            let intervals =
                (isLong
                    ? Self.percentileIntervals(PooledSamples(store, queries, mergesDistantBuckets: true), bootstrap)
                    : nil)
                ?? Self.percentileIntervals(PooledSamples(store, queries, mergesDistantBuckets: false), bootstrap)
            guard let intervals else { preconditionFailure("the answer lies in buckets that are not adjacent") }
            return zip(queries, intervals).map { ($0.metric, $1) }
        }
    }

    /// Confidence interval of each query. `nil` if a quantile falls into merged buckets, so the buckets must be kept
    /// apart.
    ///
    /// If an interval end turns out to lie inside a skip range, all resamples are computed again without skip ranges.
    private static func percentileIntervals(
        _ samples: PooledSamples, _ bootstrap: Bootstrap, usesSkipRanges: Bool = true
    ) -> [Interval?]? {
        let queries = samples.queries
        var results = queries.map { _ in [Int128?](repeating: nil, count: Bootstrap.resamples) }
        var answers = queries.map { _ in SpanHistogram.QuantileResult.nothing }
        var skipRanges = queries.map { _ in SkipRange?.none }
        let counts = samples.counts(bootstrap)
        var isKnown = true
        bootstrap.forEach { draw, weights in
            if usesSkipRanges, draw == SkipRange.pilotResamples {
                skipRanges = results.map { SkipRange(around: $0.prefix(SkipRange.pilotResamples), samples) }
            }
            isKnown = isKnown && samples.answer(weights, counts[draw], skipRanges, &answers)
            guard isKnown else { return }
            for index in queries.indices { results[index][draw] = queries[index].result(answers[index]) }
        }
        guard isKnown else { return nil }
        let ends = results.map { bootstrap.percentileInterval(of: $0) }
        guard zip(skipRanges, ends).allSatisfy({ $0?.isInside($1) ?? true }) else {
            return percentileIntervals(samples, bootstrap, usesSkipRanges: false)
        }
        return zip(queries, ends).map { query, ends in ends?.interval(query.figure) }
    }
}
