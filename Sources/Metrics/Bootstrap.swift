import DeadzonePrimitives

/// How often each replica counts.
typealias Weights = UnsafeBufferPointer<UInt8>

/// The percentile bootstrap over replicas (Efron, "Bootstrap methods: another look at the jackknife", 1979): replicas are drawn
/// with replacement, the statistic is computed of each such draw, and the middle 95 % of the results are the interval. The
/// draws are a function of the seed alone, so every metric and every strategy of a run meets the same ones.
struct Bootstrap: Sendable {
    static let resamples = 1_000
    /// Parts that the draws are handed out in.
    static let parts = 40

    private let replicas: Int
    /// How often each replica was drawn, resample by resample, in the parts in which they were. That one is drawn more than 255
    /// times has, of so many replicas that it could be, a probability below 1 / 256!.
    private let drawn: [[UInt8]]

    /// Nil where the hands are stopped.
    init?(seed: UInt64, replicas: Int, _ hands: some Hands) {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        let size = Self.resamples / Self.parts
        let parts = hands.each(Self.parts) { part -> [UInt8] in
            var rows = [UInt8](repeating: 0, count: size * replicas)
            for row in 0..<size {
                let first = (part * size + row) * replicas
                for draw in first..<first + replicas {
                    rows[row * replicas + Int(dice.at(UInt64(draw)).scaled(below: UInt64(replicas)))] += 1
                }
            }
            return rows
        }
        self.replicas = replicas
        drawn = parts.compactMap(\.self)
        guard drawn.count == Self.parts else { return nil }
    }

    @inline(__always) func forEach(_ body: (_ draw: Int, Weights) -> Void) {
        var draw = 0
        for part in drawn {
            part.withUnsafeBufferPointer { rows in
                for first in stride(from: 0, to: rows.count, by: replicas) {
                    body(draw, Weights(rebasing: rows[first..<first + replicas]))
                    draw += 1
                }
            }
        }
    }

    /// What becomes of each draw.
    @inline(__always) func map(_ body: (Weights) -> Int128) -> [Int128] {
        var results: [Int128] = []
        results.reserveCapacity(Self.resamples)
        forEach { results.append(body($1)) }
        return results
    }

    /// The middle 95 % of what the resamples came to. Those in which there was nothing to measure are left out; nil if all are.
    static func middle(of results: [Int128?], _ figure: (Int128?) -> Figure) -> Interval? {
        // Nearly always all of them are machine words, which compare by one instruction.
        if let words = words(results) {
            return ends(of: words).map { Interval(low: figure(Int128($0)), high: figure(Int128($1))) }
        }
        return ends(of: results.compactMap(\.self)).map { Interval(low: figure($0), high: figure($1)) }
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

    private static func ends<Value: FixedWidthInteger>(of known: [Value]) -> (low: Value, high: Value)? {
        guard !known.isEmpty else { return nil }
        func place(_ thousandths: Int64) -> Int {
            Int(Share(thousandths: thousandths).rank(among: Int64(known.count))) - 1
        }
        let low = element(place(25), of: known, <)
        let high = element(known.count - 1 - place(975), of: known, >)
        return (low, high)
    }

    /// What would stand at this place if they were sorted. Made for places near the first: only what comes before is kept.
    @inline(__always) private static func element<Value: FixedWidthInteger>(
        _ place: Int, of values: [Value], _ isBefore: (Value, Value) -> Bool
    ) -> Value {
        var first = values[...place].sorted(by: isBefore)
        var last = first[place]
        for value in values[(place + 1)...] where isBefore(value, last) {
            var hole = place
            while hole > 0, isBefore(value, first[hole - 1]) {
                first[hole] = first[hole - 1]
                hole -= 1
            }
            first[hole] = value
            last = first[place]
        }
        return last
    }
}
