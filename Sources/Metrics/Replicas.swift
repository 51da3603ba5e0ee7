/// What is kept of the replicas of one strategy: everything together, and of each replica what an interval needs. Of many that is at
/// most `mostBytes` each, whatever happened in them: where samples take more, their buckets are made coarser, for the intervals
/// alone.
public struct Replicas: Sendable {
    /// Less than four kilobytes by what the draws of the bootstrap take, one byte for each resample, and by the room that arrays
    /// have to spare, an eighth.
    static let mostBytes = (4_096 - Bootstrap.resamples) * 8 / 9
    /// Few replicas may take more, together this.
    private static let spareBytes = 32 << 20

    /// All of them, merged.
    public private(set) var whole: RunFold
    public private(set) var count = 0
    /// In femtojoules.
    private(set) var energy = EnergyTable()
    /// Of each ratio of the catalogue.
    private(set) var tops = Array(repeating: Column(), count: Catalogue.ratios.count)
    private(set) var bottoms = Array(repeating: Column(), count: Catalogue.ratios.count)
    /// Of each family of samples.
    private(set) var books = Array(repeating: SampleBook(), count: Catalogue.families.count)
    let prices: Prices
    private let room: Int

    /// - Parameter planned: how many are to come, all in all.
    public init(prices: Prices, planned: Int) { self.init(RunFold(), prices, planned) }

    /// - Parameter whole: of nothing, or of what comes first.
    private init(_ whole: RunFold, _ prices: Prices, _ planned: Int) {
        self.whole = whole
        self.prices = prices
        room = max(Self.mostBytes, Self.spareBytes / max(planned, 1))
    }

    /// Of which a replica's own numbers can be asked, too.
    public init(of fold: RunFold, prices: Prices, planned: Int = 1) {
        self.init(fold, prices, planned)
        add(fold)
    }

    public mutating func add(_ fold: RunFold) {
        let replica = Replica(fold, prices)
        for (index, ratio) in Catalogue.ratios.enumerated() {
            tops[index].append(ratio.top(replica))
            bottoms[index].append(ratio.bottom(replica))
        }
        let histograms = Catalogue.families.map { fold[$0] }
        var fixed = 0
        for index in books.indices { fixed += books[index].bytesEach }
        for index in tops.indices { fixed += tops[index].bytesEach + bottoms[index].bytesEach }
        let (codes, bits) = Self.codes(histograms, room: room - fixed)
        for index in histograms.indices { books[index].add(histograms[index], codes[index], coarseness: bits) }
        energy.add(replica.energy)
        if count == 0 { whole = fold } else { whole.merge(fold) }
        count += 1
    }

    /// Buckets as coarse as it takes, none coarser than a power of two.
    private static func codes(_ histograms: [SpanHistogram], room: Int) -> (codes: [[UInt8]], coarseness: Int) {
        var bits = 0
        while true {
            let codes = histograms.map { SampleBook.code($0, coarseness: bits) }
            if bits == SpanHistogram.mostCoarseness || codes.reduce(0, { $0 + $1.count }) <= room {
                return (codes, bits)
            }
            bits += 1
        }
    }

    /// Those of the other come behind.
    public mutating func append(_ other: Self) {
        for index in tops.indices {
            tops[index].append(other.tops[index])
            bottoms[index].append(other.bottoms[index])
        }
        for index in books.indices { books[index].append(other.books[index]) }
        energy.add(other.energy)
        whole.merge(other.whole)
        count += other.count
    }

    /// What all of this takes in memory, beside the merged sums, which do not grow.
    var keptBytes: Int {
        (tops + bottoms).reduce(0) { $0 + $1.bytes } + books.reduce(0) { $0 + $1.keptBytes }
    }
}

extension Catalogue {
    struct Ratio: Sendable {
        let metric: Int
        let top: Formula.Quantity
        let times: Int128
        let bottom: Formula.Quantity
    }

    /// What is a sum over a sum, in the order of the catalogue.
    static let ratios: [Ratio] = all.enumerated().compactMap { index, metric in
        switch metric.formula {
        case .ratio(let top, let times, let bottom, _): Ratio(metric: index, top: top, times: times, bottom: bottom)
        case .energy(let part, let isOfProcessor):
            Ratio(metric: index, top: { part($0.energy) }, times: 1) {
                $0.phones * 1_000_000_000_000_000 * (isOfProcessor ? $0.platforms : 1)
            }
        case .quantile: nil
        }
    }

    /// Samples that some quantile is of, each once.
    static let families: [Samples] = all.reduce(into: []) { families, metric in
        if case .quantile(let samples, _, _, _) = metric.formula, !families.contains(samples) {
            families.append(samples)
        }
    }
}
