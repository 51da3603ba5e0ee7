/// The results of all replicas of one strategy: the merged records, and the data for confidence intervals. With many
/// replicas, each takes at most `maxBytesPerReplica`, whatever happened in it. If samples need more, their buckets
/// become coarser. That affects only the intervals.
package struct Replicas: Sendable {
    /// Memory bound per replica. It leaves room within four kilobytes for one byte per bootstrap resample and for the
    /// spare capacity of arrays, an eighth.
    static let maxBytesPerReplica = (4_096 - Bootstrap.resamples) * 8 / 9
    /// A few replicas may take more, up to this total.
    private static let minTotalBytes = 32 << 20

    /// All replicas merged.
    package private(set) var merged: RunFold
    package private(set) var count = 0
    /// Energy of all replicas, in femtojoules.
    private(set) var energy = EnergyTable()
    /// For each ratio of the catalogue, its numerators and denominators by replica.
    private(set) var tops = Array(repeating: ReplicaColumn(), count: Catalogue.ratios.count)
    private(set) var bottoms = Array(repeating: ReplicaColumn(), count: Catalogue.ratios.count)
    /// For each sample family, its samples by replica.
    private(set) var stores = Array(repeating: SampleStore(), count: Catalogue.families.count)
    let prices: Prices
    private let bytesPerReplica: Int

    /// - Parameter planned: The total number of replicas that will be added.
    package init(prices: Prices, planned: Int) { self.init(RunFold(), prices, planned) }

    /// - Parameter whole: An empty fold, or the fold of the first replica.
    private init(_ whole: RunFold, _ prices: Prices, _ planned: Int) {
        self.merged = whole
        self.prices = prices
        bytesPerReplica = max(Self.maxBytesPerReplica, Self.minTotalBytes / max(planned, 1))
    }

    /// Creates the results of a single replica, which can be measured alone.
    package init(of fold: RunFold, prices: Prices, planned: Int = 1) {
        self.init(fold, prices, planned)
        add(fold)
    }

    package mutating func add(_ fold: RunFold) {
        let replica = PricedReplica(fold, prices)
        for (index, ratio) in Catalogue.ratios.enumerated() {
            tops[index].append(ratio.top(replica))
            bottoms[index].append(ratio.bottom(replica))
        }
        let histograms = Catalogue.families.map { fold[$0] }
        var fixed = 0
        for index in stores.indices { fixed += stores[index].bytesPerReplica }
        for index in tops.indices { fixed += tops[index].bytesPerValue + bottoms[index].bytesPerValue }
        let (codes, bits) = Self.codes(histograms, room: bytesPerReplica - fixed)
        for index in histograms.indices { stores[index].add(histograms[index], codes[index], coarseness: bits) }
        if count == 0 {
            (energy, merged) = (replica.energy, fold)
        } else {
            energy.add(replica.energy)
            merged.merge(fold)
        }
        count += 1
    }

    /// Encodes the histograms with the finest buckets that fit. No bucket becomes coarser than a power of two.
    private static func codes(_ histograms: [SpanHistogram], room: Int) -> (codes: [[UInt8]], coarseness: Int) {
        var bits = 0
        while true {
            let codes = histograms.map { SampleStore.code($0, coarseness: bits) }
            if bits == SpanHistogram.maxCoarseness || codes.reduce(0, { $0 + $1.count }) <= room {
                return (codes, bits)
            }
            bits += 1
        }
    }

    /// Appends the replicas of the other.
    package mutating func append(_ other: Self) {
        for index in tops.indices {
            tops[index].append(other.tops[index])
            bottoms[index].append(other.bottoms[index])
        }
        for index in stores.indices { stores[index].append(other.stores[index]) }
        energy.add(other.energy)
        merged.merge(other.merged)
        count += other.count
    }

    /// Mean energy of one phone, as `battery.joules`.
    package var joulesPerPhone: Billionths {
        Billionths(count: EnergyTable(meanOf: energy, phones: Int128(merged.phones)).total)
    }

    /// Memory of the per-replica data, without the merged fold, which does not grow.
    var storedBytes: Int {
        (tops + bottoms).reduce(0) { $0 + $1.bytes } + stores.reduce(0) { $0 + $1.storedBytes }
    }
}

extension Catalogue {
    struct RatioFormula: Sendable {
        let metric: Int
        let top: Formula.ReplicaQuantity
        let times: Int128
        let bottom: Formula.ReplicaQuantity
        /// The part of the mean energy that is the metric's value; `nil` if the metric is the quotient itself.
        var energyPart: (@Sendable (EnergyTable) -> Int128)?
    }

    /// All metrics that are a sum over a sum, in the order of the catalogue.
    static let ratios: [RatioFormula] = all.enumerated().compactMap { index, metric in
        switch metric.formula {
        case .ratio(let top, let times, let bottom, _):
            RatioFormula(metric: index, top: top, times: times, bottom: bottom)
        case .energy(let part, let isOfProcessor):
            RatioFormula(
                metric: index, top: { part($0.energy) }, times: 1,
                bottom: { $0.phones * 1_000_000_000_000_000 * (isOfProcessor ? $0.platformCount : 1) },
                energyPart: part)
        case .quantile: nil
        }
    }

    /// All sample families that some quantile uses, each once.
    static let families: [SampleFamily] = all.reduce(into: []) { families, metric in
        if case .quantile(let samples, _, _, _) = metric.formula, !families.contains(samples) {
            families.append(samples)
        }
    }
}
