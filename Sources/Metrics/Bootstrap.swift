import DeadzonePrimitives

/// The percentile bootstrap over replicas (Efron, "Bootstrap methods: another look at the jackknife", 1979): replicas are drawn
/// with replacement, the statistic is computed of each such draw, and the middle 95 % of the results are the interval. The
/// draws are a function of the seed alone, so every metric and every strategy of a run meets the same ones.
struct Bootstrap: Sendable {
    static let resamples = 1_000

    /// How often each replica was drawn, one row for each resample.
    let weights: [[Int64]]

    init(seed: UInt64, replicas: Int, resamples: Int = Self.resamples) {
        let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .bootstrap)
        weights = (0..<resamples).map { resample in
            var row = [Int64](repeating: 0, count: replicas)
            for draw in 0..<replicas {
                row[Int(dice.at(UInt64(resample * replicas + draw)).scaled(below: UInt64(replicas)))] += 1
            }
            return row
        }
    }

    /// The middle 95 % of a statistic of the weighted replicas. Resamples in which there was nothing to measure are left out;
    /// nil if all are.
    func interval(of statistic: ([Int64]) -> Int128?) -> (low: Int128, high: Int128)? {
        let results = weights.compactMap(statistic).sorted()
        guard !results.isEmpty else { return nil }
        func place(_ thousandths: Int64) -> Int128 {
            results[Int(Share(thousandths: thousandths).rank(among: Int64(results.count))) - 1]
        }
        return (place(25), place(975))
    }
}

/// Between these a metric's value lies in 95 % of the resamples.
public struct Interval: Hashable, Sendable {
    public var low: Figure
    public var high: Figure

    public init(low: Figure, high: Figure) {
        self.low = low
        self.high = high
    }

    /// No number belongs to both.
    public func isApart(from other: Self) -> Bool {
        Figure.isLower(high, other.low) || Figure.isLower(other.high, low)
    }
}

extension Figure {
    /// For certain: what never arrives is beyond every number, and nothing is beyond that. What is at least so much is above
    /// what is less, and may be above anything else.
    public static func isLower(_ a: Figure, _ b: Figure) -> Bool {
        switch (a, b) {
        case (.value(let a), .value(let b)), (.value(let a), .atLeast(let b)): a < b
        case (.value, _), (.atLeast, .never), (_, .nothing): a != .nothing
        default: false
        }
    }
}
