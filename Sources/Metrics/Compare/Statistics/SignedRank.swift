/// Wilcoxon's two-sided signed-rank test: checks whether paired differences tend to be positive or negative. Source:
/// Wilcoxon, "Individual comparisons by ranking methods", 1945. It computes how likely this imbalance of signs among
/// the larger differences is if both signs are equally likely.
///
/// Zeros are dropped, as Wilcoxon did and as `scipy.stats.wilcoxon` does by default. Up to `exactUpTo` non-zero
/// differences the probability is exact: all 2^n choices of signs are counted. Equal differences share their ranks in
/// the count too. SciPy counts as if there were no ties, and so does not use the exact distribution if there are ties.
/// Above the limit, the test uses the normal distribution. The variance is corrected for ties, without a continuity
/// correction, as SciPy's `approx`.
package struct SignedRank: Hashable, Sendable {
    /// Same limit as SciPy: above it, SciPy's `auto` is `approx`.
    package static let exactUpTo = 50

    /// Number of non-zero differences.
    package let count: Int
    /// Twice the sum of the ranks of the positive differences.
    package let doubledSum: Int
    package let p: Double
    package let isExact: Bool

    /// -1, 0 or 1: which sign has the larger sum of ranks.
    package var direction: Int { (2 * doubledSum - count * (count + 1)).signum() }

    package init(_ differences: [Int128]) {
        let differences = differences.filter { $0 != 0 }
        count = differences.count
        isExact = count <= Self.exactUpTo
        guard count > 0 else {
            (doubledSum, p) = (0, 1)
            return
        }
        let ranks = Ranks(differences.map { Int128($0.magnitude) })
        doubledSum = zip(differences, ranks.doubled).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
        p = isExact ? Self.exact(ranks.doubled, doubledSum) : Self.normal(ranks, count, doubledSum)
    }

    private static func exact(_ ranks: [Int], _ sum: Int) -> Double {
        let largest = ranks.reduce(0, +)
        // Number of sign choices for each rank sum: at most 2^50 in total.
        var ways = [UInt64](repeating: 0, count: largest + 1)
        ways[0] = 1
        var reach = 0
        for rank in ranks {
            reach += rank
            for total in stride(from: reach, through: rank, by: -1) { ways[total] += ways[total - rank] }
        }
        // The distribution is symmetric, so both tails are equal.
        let tail = ways[...min(sum, largest - sum)].reduce(0, +)
        return min(1, 2 * Double(tail) / Double(UInt64(1) << UInt64(ranks.count)))
    }

    private static func normal(_ ranks: Ranks, _ count: Int, _ sum: Int) -> Double {
        let n = Double(count)
        let variance = (n * (n + 1) * (2 * n + 1) - ranks.tieTerm / 2) / 24
        guard variance > 0 else { return 1 }
        let distance = abs(Double(sum) / 2 - n * (n + 1) / 4)
        return min(1, 2 * normalTail(distance / variance.squareRoot()))
    }
}
