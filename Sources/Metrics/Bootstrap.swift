import DeadzoneBase

/// Computes 95 % confidence intervals of metrics by drawing replicas with replacement (percentile bootstrap). Source:
/// Efron, "Bootstrap methods: another look at the jackknife", 1979. Each resample draws replicas and computes the
/// statistic. The interval is the middle of the results. The draws depend on the seed alone, so every metric and every
/// strategy of a run uses the same ones.
///
/// The middle 95 % of the results would be too narrow for few replicas: with 10 replicas of normal numbers, it contains
/// the true mean in 89 % of all cases. Therefore the tails are shorter than 2.5 % (`tail`).
struct Bootstrap: Sendable {
    static let resamples = 1_000
    /// For tails of 1, 2, 3, … thousandths, the largest number of replicas with that tail. With n replicas, a tail is
    /// the share of normal numbers below -sqrt(n / (n - 1)) t, where t is the 97.5 % point of Student's t distribution
    /// with n - 1 degrees of freedom. So the interval of a mean is as wide as Student's. Source: Hesterberg, "What
    /// teachers should know about the bootstrap", 2015, "expanded percentile interval".
    private static let replicasOfTails = [
        5, 6, 6, 7, 7, 8, 9, 9, 10, 11, 12, 14, 15, 17, 19, 21, 24, 28, 34, 42, 54, 77, 129, 390,
    ]
    /// Number of batches that the resamples are split into for parallel work.
    static let batchCount = 40

    private let replicas: Int
    private let batches: [DrawBatch]
    /// Thousandths of the results below the interval, and as many above it.
    private let tail: Int64

    /// The replicas that were drawn for one batch of bootstrap resamples, one row per resample.
    private struct DrawBatch {
        /// The number of times each replica was drawn, one row per resample. A count above 255 has a probability below
        /// 1 / 256!.
        var counts: [UInt8]
        /// Index of each drawn replica, one row per resample. Empty if there are more replicas than a byte can index.
        var drawnReplicas: [UInt8] = []
    }

    /// `nil` if the workers were stopped.
    init?(seed: UInt64, replicas: Int, _ workers: some ParallelMap) {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        let size = Self.resamples / Self.batchCount
        let listsDrawnReplicas = replicas <= Weights.maxListedReplicas
        let parts = workers.map(Self.batchCount) { part -> DrawBatch in
            var rows = DrawBatch(counts: [UInt8](repeating: 0, count: size * replicas))
            if listsDrawnReplicas { rows.drawnReplicas.reserveCapacity(size * replicas) }
            for row in 0..<size {
                let first = (part * size + row) * replicas
                for draw in first..<first + replicas {
                    let replica = Int(dice.at(UInt64(draw)).scaled(below: UInt64(replicas)))
                    rows.counts[row * replicas + replica] += 1
                    if listsDrawnReplicas { rows.drawnReplicas.append(UInt8(replica)) }
                }
            }
            return rows
        }
        self.replicas = replicas
        tail = Int64(Self.replicasOfTails.count { $0 < replicas } + 1)
        batches = parts.compactMap(\.self)
        guard batches.count == Self.batchCount else { return nil }
    }

    @inline(__always) func forEach(_ body: (_ draw: Int, Weights) -> Void) {
        let size = Self.resamples / Self.batchCount
        for (index, part) in batches.enumerated() {
            part.counts.withUnsafeBufferPointer { counts in
                part.drawnReplicas.withUnsafeBufferPointer { names in
                    for row in 0..<size {
                        let first = row &* replicas
                        body(
                            index &* size &+ row,
                            Weights(
                                counts.extracting(first..<first &+ replicas),
                                named: names.isEmpty ? nil : names.extracting(first..<first &+ replicas)))
                    }
                }
            }
        }
    }

    /// Results of `body` for every resample, in order.
    @inline(__always) func map<Value>(_ body: (Weights) -> Value) -> [Value] {
        var results: [Value] = []
        results.reserveCapacity(Self.resamples)
        forEach { results.append(body($1)) }
        return results
    }

    /// Weighted sum of the numbers in each resample. The caller guarantees that no sum overflows a 64-bit word.
    func sums(_ numbers: [Int64]) -> [Int64] {
        precondition(numbers.count == replicas, "\(numbers.count) numbers for \(replicas) replicas")
        return numbers.withUnsafeBufferPointer { numbers in
            [Int64](unsafeUninitializedCapacity: Self.resamples) { sums, count in
                let numbers = numbers.baseAddress.unsafelyUnwrapped
                forEach { draw, weights in sums.initializeElement(at: draw, to: weights.sum(numbers)) }
                count = Self.resamples
            }
        }
    }

    /// Ends of the interval. Resamples with nothing to measure are left out. `nil` if all are.
    func percentileInterval(of results: [Int128?]) -> IntervalEnds? {
        // Nearly always all results fit into machine words, which compare in one instruction.
        Self.words(results).map { percentileInterval(of: .words($0)) }
            ?? percentileInterval(of: .wide(results.compactMap(\.self)))
    }

    func percentileInterval(of results: DrawSums) -> IntervalEnds? {
        switch results {
        case .constant(let all): IntervalEnds(low: all, high: all)
        case .words(let words): percentileInterval(among: words).map { IntervalEnds(low: Int128($0), high: Int128($1)) }
        case .wide(let wide): percentileInterval(among: wide).map { IntervalEnds(low: $0, high: $1) }
        }
    }

    /// The results as machine words. `nil` if one does not fit.
    private static func words(_ results: [Int128?]) -> [Int64]? {
        var words: [Int64] = []
        words.reserveCapacity(results.count)
        for case let result? in results {
            guard let word = Int64(exactly: result) else { return nil }
            words.append(word)
        }
        return words
    }

    private func percentileInterval<Value: FixedWidthInteger>(among known: [Value]) -> (low: Value, high: Value)? {
        guard !known.isEmpty else { return nil }
        func place(_ thousandths: Int64) -> Int {
            Int(Share(thousandths: thousandths).rank(among: Int64(known.count))) - 1
        }
        return known.withUnsafeBufferPointer { known in
            (
                Self.element(place(tail), of: known, <),
                Self.element(known.count - 1 - place(1_000 - tail), of: known, >)
            )
        }
    }

    /// Returns the element that would stand at this index if the values were sorted. Fast for small indices only: it
    /// keeps the values up to that index by insertion sort.
    @inline(__always) private static func element<Value: FixedWidthInteger>(
        _ place: Int, of values: UnsafeBufferPointer<Value>, _ isBefore: (Value, Value) -> Bool
    ) -> Value {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: place + 1) { first in
            func insert(_ value: Value, at end: Int) {
                var hole = end
                while hole > 0, isBefore(value, first[hole &- 1]) {
                    first[hole] = first[hole &- 1]
                    hole &-= 1
                }
                first[hole] = value
            }
            for index in 0...place { insert(values[index], at: index) }
            for value in values.extracting((place + 1)...) where isBefore(value, first[place]) {
                insert(value, at: place)
            }
            return first[place]
        }
    }
}
