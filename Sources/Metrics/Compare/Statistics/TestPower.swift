/// Statistical power of a comparison: how many replicas would decide about a difference, and the smallest difference
/// that the present replicas can find. Both use the normal approximation of the test of a mean, with the spread of this
/// sample, so they are estimates.
struct TestPower {
    /// Probability with which a difference should be found.
    static let wanted = 0.8
    /// A larger number is reported as no number: the difference is not worth the time.
    static let maxReplicas = 10_000

    private let level: Double

    /// - Parameter level: Significance level of one test, after the adjustment for the size of its family.
    init(level: Double) { self.level = level }

    private var reach: Double { normalQuantile(tail: level / 2) + normalQuantile(tail: 1 - Self.wanted) }

    /// Smallest difference of the mean that `count` replicas find with the wanted probability.
    func detectable(spread: Double, count: Int) -> Double { reach * spread / Double(count).squareRoot() }

    /// Number of replicas that find this difference of the mean. `nil` if there are more than `maxReplicas`.
    ///
    /// A test also has to estimate the spread, which costs a few more replicas than the normal approximation says. A
    /// permutation test needs as many as a t-test (Guenther, "Sample size formulas for normal theory t tests", 1981).
    /// - Parameter isPaired: `false` if each side has this number of replicas of its own.
    func replicas(toFind difference: Double, spread: Double, isPaired: Bool = true) -> Int? {
        guard difference != 0 else { return nil }
        let ratio = reach * spread / difference
        let quantile = normalQuantile(tail: level / 2)
        return Self.whole(ratio * ratio + quantile * quantile / (isPaired ? 2 : 4))
    }

    /// Number of replicas that contain at least this number of unequal pairs with the wanted probability. `nil` if
    /// there are more than `maxReplicas`.
    /// - Parameter share: Share of unequal pairs, above 0.
    static func replicas(withUnequalPairs pairs: Int, share: Double) -> Int? {
        // The probability that the last of these pairs is in the replica number `count` (negative binomial).
        var probability = (0..<pairs).reduce(1.0) { product, _ in product * share }
        var (count, sum) = (pairs, probability)
        while sum < wanted {
            guard count < maxReplicas else { return nil }
            probability *= (1 - share) * Double(count) / Double(count - pairs + 1)
            count += 1
            sum += probability
        }
        return count
    }

    /// Number of unequal pairs that find this share of pairs with one sign, by the sign test. For values that are not
    /// numbers.
    func replicas(toFindShare share: Double) -> Int? {
        guard share > 0.5 else { return nil }
        let deviation = (share * (1 - share)).squareRoot()
        let ratio =
            (normalQuantile(tail: level / 2) / 2 + normalQuantile(tail: 1 - Self.wanted) * deviation) / (share - 0.5)
        return Self.whole(ratio * ratio)
    }

    private static func whole(_ count: Double) -> Int? {
        count <= Double(maxReplicas) ? Int(count.rounded(.up)) : nil
    }
}

/// The value that a standard normal variable exceeds with this probability, by bisection. `tail` is from 0 to 0.5.
func normalQuantile(tail: Double) -> Double {
    var (low, high) = (0.0, 10.0)
    for _ in 0..<60 {
        let middle = (low + high) / 2
        if normalTail(middle) > tail { low = middle } else { high = middle }
    }
    return high
}
