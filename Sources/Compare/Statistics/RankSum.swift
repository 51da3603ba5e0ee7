/// The test of Mann and Whitney, two-sided ("On a test of whether one of two random variables is stochastically larger than
/// the other", 1947), for samples that are not paired. As `scipy.stats.mannwhitneyu`: exact where nothing is tied and one
/// sample has at most eight; else the normal law, corrected for ties and for continuity.
public struct RankSum: Hashable, Sendable {
    /// As in SciPy.
    public static let exactUpTo = 8
    /// The other sample of an exact test; beyond it the counts would be large and the difference nothing.
    private static let largestPartner = 10_000

    /// Twice the number of pairs in which the first sample's number is the larger; a tie counts one.
    public let doubledU: Int
    public let p: Double
    public let isExact: Bool
    private let pairs: Int

    /// -1, 0 or 1: whether the first sample's numbers are rather smaller or larger.
    public var direction: Int { (doubledU - pairs).signum() }

    public init(_ first: [Int128], _ second: [Int128]) {
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

    /// Counts the arrangements by U: the coefficients of the Gaussian binomial, made factor by factor.
    private static func exact(_ u: Int, _ few: Int, _ many: Int) -> Double {
        var ways = [Int128](repeating: 0, count: few * many + 1)
        ways[0] = 1
        for step in 1...few {
            // Times 1 − q^(many + step), then divided by 1 − q^step; both in place, cut off at the degree that counts.
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
