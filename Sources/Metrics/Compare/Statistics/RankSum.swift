/// The two-sided Mann-Whitney test: checks whether one of two unpaired samples tends to have larger values. Source: "On
/// a test of whether one of two random variables is stochastically larger than the other", 1947. Like
/// `scipy.stats.mannwhitneyu`, it is exact if there are no ties and one sample has at most eight values. Otherwise it
/// uses the normal distribution, corrected for ties and for continuity.
package struct RankSum: Hashable, Sendable {
    /// Same limit as SciPy.
    package static let exactUpTo = 8
    /// Largest size of the other sample for an exact test. Beyond it, the counts would be large and the difference
    /// negligible.
    private static let largestPartner = 10_000

    /// Twice the number of pairs in which the first sample's value is larger. A tie adds one.
    package let doubledU: Int
    package let p: Double
    package let isExact: Bool
    private let pairs: Int

    /// -1 if the first sample's values tend to be smaller, 1 if larger, 0 if neither.
    package var direction: Int { (doubledU - pairs).signum() }

    package init(_ first: [Int128], _ second: [Int128]) {
        pairs = first.count * second.count
        let ranks = Ranks(first + second)
        doubledU = ranks.doubled.prefix(first.count).reduce(0, +) - first.count * (first.count + 1)
        isExact =
            ranks.ties.isEmpty && min(first.count, second.count) <= Self.exactUpTo
            && max(first.count, second.count) <= Self.largestPartner
        guard pairs > 0 else {
            p = 1
            return
        }
        let u = max(doubledU, 2 * pairs - doubledU)
        p =
            isExact
            ? Self.exact(u / 2, min(first.count, second.count), max(first.count, second.count))
            : Self.normal(u, Double(first.count), Double(second.count), ranks.tieTerm)
    }

    /// Counts the arrangements by U: the coefficients of the Gaussian binomial, multiplied factor by factor.
    private static func exact(_ u: Int, _ few: Int, _ many: Int) -> Double {
        var ways = [Int128](repeating: 0, count: few * many + 1)
        ways[0] = 1
        for step in 1...few {
            // Multiply by 1 − q^(many + step), then divide by 1 − q^step. Both work in place and are truncated at the
            // largest needed degree.
            for index in stride(from: ways.count - 1, through: many + step, by: -1) {
                ways[index] -= ways[index - many - step]
            }
            for index in stride(from: step, to: ways.count, by: 1) { ways[index] += ways[index - step] }
        }
        let all = ways.reduce(0, +)
        return min(1, 2 * Double(ways[u...].reduce(0, +)) / Double(all))
    }

    private static func normal(_ doubledU: Int, _ first: Double, _ second: Double, _ tieTerm: Double) -> Double {
        let n = first + second
        let variance = first * second / 12 * (n + 1 - tieTerm / (n * (n - 1)))
        guard variance > 0 else { return 1 }
        let distance = Double(doubledU) / 2 - first * second / 2 - 0.5
        return min(1, 2 * normalTail(distance / variance.squareRoot()))
    }
}
