import DeadzonePrimitives

/// The percentile bootstrap over replicas (Efron, "Bootstrap methods: another look at the jackknife", 1979): replicas are drawn
/// with replacement, the statistic is computed of each such draw, and the middle 95 % of the results are the interval. The
/// draws are a function of the seed alone, so every metric and every strategy of a run meets the same ones.
struct Bootstrap: Sendable {
    static let resamples = 1_000
    /// Parts that the draws are handed out in.
    static let parts = 40

    private let replicas: Int
    private let drawn: [Part]

    /// Draws that one hand made, each behind the last.
    private struct Part {
        /// How often each replica was drawn. That one is drawn more than 255 times has, of so many replicas that it could be, a
        /// probability below 1 / 256!.
        var counts: [UInt8]
        /// Which were drawn; of no more than can be told by a byte.
        var names: [UInt8] = []
    }

    /// Nil where the hands are stopped.
    init?(seed: UInt64, replicas: Int, _ hands: some Hands) {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        let size = Self.resamples / Self.parts
        let isNamed = replicas <= Weights.mostNamed
        let parts = hands.each(Self.parts) { part -> Part in
            var rows = Part(counts: [UInt8](repeating: 0, count: size * replicas))
            if isNamed { rows.names.reserveCapacity(size * replicas) }
            for row in 0..<size {
                let first = (part * size + row) * replicas
                for draw in first..<first + replicas {
                    let replica = Int(dice.at(UInt64(draw)).scaled(below: UInt64(replicas)))
                    rows.counts[row * replicas + replica] += 1
                    if isNamed { rows.names.append(UInt8(replica)) }
                }
            }
            return rows
        }
        self.replicas = replicas
        drawn = parts.compactMap(\.self)
        guard drawn.count == Self.parts else { return nil }
    }

    @inline(__always) func forEach(_ body: (_ draw: Int, Weights) -> Void) {
        let size = Self.resamples / Self.parts
        for (index, part) in drawn.enumerated() {
            part.counts.withUnsafeBufferPointer { counts in
                part.names.withUnsafeBufferPointer { names in
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

    /// What becomes of each draw.
    @inline(__always) func map<Value>(_ body: (Weights) -> Value) -> [Value] {
        var results: [Value] = []
        results.reserveCapacity(Self.resamples)
        forEach { results.append(body($1)) }
        return results
    }

    /// Of each draw. To be asked where no sum can be wider than a word.
    func sums(_ numbers: [Int64]) -> [Int64] {
        precondition(numbers.count == replicas, "\(numbers.count) numbers of \(replicas) replicas")
        return numbers.withUnsafeBufferPointer { numbers in
            [Int64](unsafeUninitializedCapacity: Self.resamples) { sums, count in
                let numbers = numbers.baseAddress.unsafelyUnwrapped
                forEach { draw, weights in sums.initializeElement(at: draw, to: weights.sum(numbers)) }
                count = Self.resamples
            }
        }
    }

    /// Where the middle 95 % of what the resamples came to begin and end. Those in which there was nothing to measure are left out;
    /// nil if all are.
    static func ends(of results: [Int128?]) -> Ends? {
        // Nearly always all of them are machine words, which compare by one instruction.
        words(results).map { ends(of: .words($0)) } ?? ends(of: .wide(results.compactMap(\.self)))
    }

    static func ends(of results: DrawSums) -> Ends? {
        switch results {
        case .alike(let all): Ends(low: all, high: all)
        case .words(let words): ends(among: words).map { Ends(low: Int128($0), high: Int128($1)) }
        case .wide(let wide): ends(among: wide).map { Ends(low: $0, high: $1) }
        }
    }

    /// Nil if one is wider.
    private static func words(_ results: [Int128?]) -> [Int64]? {
        var words: [Int64] = []
        words.reserveCapacity(results.count)
        for case let result? in results {
            guard let word = Int64(exactly: result) else { return nil }
            words.append(word)
        }
        return words
    }

    private static func ends<Value: FixedWidthInteger>(among known: [Value]) -> (low: Value, high: Value)? {
        guard !known.isEmpty else { return nil }
        func place(_ thousandths: Int64) -> Int {
            Int(Share(thousandths: thousandths).rank(among: Int64(known.count))) - 1
        }
        return known.withUnsafeBufferPointer { known in
            (element(place(25), of: known, <), element(known.count - 1 - place(975), of: known, >))
        }
    }

    /// What would stand at this place if they were sorted. Made for places near the first: only what comes before is kept.
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
