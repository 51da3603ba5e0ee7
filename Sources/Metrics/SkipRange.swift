/// A range of sample values in which the quantile of a bootstrap resample need not be located exactly. It contains the
/// quantile of most resamples but neither end of the confidence interval. Any value inside therefore gives the same
/// interval. `isInside` checks afterwards that both interval ends lie outside.
struct SkipRange: Sendable {
    /// Number of resamples that are computed in full before the range is chosen.
    static let pilotResamples = 64
    /// Number of pilot resamples outside the range on each side. 6 of 64 is 9 %, for an interval end at 2.5 %. In six
    /// of a thousand cases that is too little, and the interval end falls inside the range.
    private static let outsidePerSide = 6

    /// First cell after the range.
    let endCell: Int
    /// Blocks of the first cell in the range and of the first cell after it.
    let firstBlock: Int
    let endBlock: Int
    /// For every replica, the number of samples before the range, followed by the number before its end.
    let countsBefore: [Int64]
    /// Quantile values that lie in the range.
    let spans: Range<Int64>
    /// Any value inside the range. It stands for quantiles that are not located.
    let placeholder: Int64

    /// `nil` if a pilot resample has no span, if the range is empty, or if a replica has coarse buckets.
    init?(around scouts: ArraySlice<Int128?>, _ samples: PooledSamples) {
        let pilotSpans = scouts.compactMap { $0.flatMap(Int64.init(exactly:)) }.sorted()
        // With coarse buckets, a quantile can lie outside its original bucket.
        guard pilotSpans.count == Self.pilotResamples, samples.store.hasExactBuckets else { return nil }
        let low = SpanHistogram.bucket(of: pilotSpans[Self.outsidePerSide - 1])
        let high = SpanHistogram.bucket(of: pilotSpans[Self.pilotResamples - Self.outsidePerSide])
        // Bucket of a cell. `nil` if the cell holds waiting samples or several merged buckets.
        func edge(_ cell: Int) -> Int? { samples.cells[cell].isWaiting ? nil : samples.cells[cell].bucket }
        guard low < high, let from = samples.cells.indices.first(where: { edge($0).map { $0 > low } ?? false }),
            let end = samples.cells.indices.last(where: { edge($0).map { $0 <= high } ?? false }),
            let least = edge(from), let beyond = edge(end), from < end
        else { return nil }
        self.endCell = end
        firstBlock = samples.block(of: from)
        endBlock = samples.block(of: end)
        countsBefore = samples.passed(beforeCell: from) + samples.passed(beforeCell: end)
        spans = SpanHistogram.lowest(of: least)..<SpanHistogram.lowest(of: beyond)
        placeholder = pilotSpans[Self.pilotResamples / 2]
        guard spans.contains(placeholder) else { return nil }
    }

    /// `true` if one interval end lies before the range and the other after it, or if nothing was measured.
    func isInside(_ ends: IntervalEnds?) -> Bool {
        ends.map { $0.low < spans.lowerBound && spans.upperBound <= $0.high } ?? true
    }
}
