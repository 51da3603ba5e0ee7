/// Where most resamples have their answer, and neither end of an interval should lie. Of who is known to be within, nobody asks where:
/// as long as both ends turn out to be without, that is all the same.
struct Fence: Sendable {
    /// So many resamples are answered before there is a fence.
    static let scouts = 64
    /// So many of them lie without at each side: 9 % for the 2.5 % that are looked for, which is too little for six in a thousand
    /// fences.
    private static let without = 6

    /// Of the samples, the first cell behind it.
    let end: Int
    /// The blocks that its first cell and the first behind it are in.
    let firstBlock: Int
    let endBlock: Int
    /// Of every replica, how many come before its first cell; and then, before the first behind it.
    let before: [Int64]
    /// What is answered there.
    let spans: Range<Int64>
    /// One such answer.
    let inside: Int64

    /// Nil where a scout has no span to tell, nothing lies between, or a replica's buckets are coarse.
    init?(around scouts: ArraySlice<Int128?>, _ samples: PooledSamples) {
        let told = scouts.compactMap { $0.flatMap(Int64.init(exactly:)) }.sorted()
        // There an answer can lie beside its bucket.
        guard told.count == Self.scouts, samples.book.isFine else { return nil }
        let low = SpanHistogram.bucket(of: told[Self.without - 1])
        let high = SpanHistogram.bucket(of: told[Self.scouts - Self.without])
        // Of a bucket by itself, the first cell.
        func edge(_ cell: Int) -> Int? { samples.cells[cell].isAged ? nil : samples.cells[cell].bucket }
        guard low < high, let from = samples.cells.indices.first(where: { edge($0).map { $0 > low } ?? false }),
            let end = samples.cells.indices.last(where: { edge($0).map { $0 <= high } ?? false }),
            let least = edge(from), let beyond = edge(end), from < end
        else { return nil }
        self.end = end
        firstBlock = samples.block(of: from)
        endBlock = samples.block(of: end)
        before = samples.passed(beforeCell: from) + samples.passed(beforeCell: end)
        spans = SpanHistogram.lowest(of: least)..<SpanHistogram.lowest(of: beyond)
        inside = told[Self.scouts / 2]
        guard spans.contains(inside) else { return nil }
    }

    /// One end lies before it and one behind; there are none where nothing was measured.
    func isBetween(_ ends: Ends?) -> Bool {
        ends.map { $0.low < spans.lowerBound && spans.upperBound <= $0.high } ?? true
    }
}
