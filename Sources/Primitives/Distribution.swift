/// An integer distribution: what 64 random bits are turned into a count or a number of nanoseconds by. A parameter that
/// makes no sense is refused where the distribution is made; whatever exists can be drawn from.
///
/// A continuous law is rounded to the nearest integer and saturates at the ends of `Int64`.
public struct Distribution: Hashable, Sendable {
    /// What was asked for; matched upon by whoever describes a distribution.
    public enum Law: Hashable, Sendable {
        case constant(Int64)
        case uniform(Int64, Int64)
        case exponential(mean: Int64)
        case normal(mean: Int64, deviation: Int64)
        case logNormal(median: Int64, sigmaPPM: Int64)
        case pareto(scale: Int64, shapePPM: Int64)
        case table([Quantile])
    }

    @usableFromInline enum Kind: UInt8, Sendable, BitwiseCopyable {
        case constant, uniform, exponential, normal, logNormal, pareto, table
    }

    // Side by side, not in a law: most draws read two numbers, and a law with a table in it would be retained for each.
    @usableFromInline let kind: Kind
    @usableFromInline let first: Int64
    @usableFromInline let second: Int64
    let quantiles: [Quantile]

    public var law: Law {
        switch kind {
        case .constant: .constant(first)
        case .uniform: .uniform(first, second)
        case .exponential: .exponential(mean: first)
        case .normal: .normal(mean: first, deviation: second)
        case .logNormal: .logNormal(median: first, sigmaPPM: second)
        case .pareto: .pareto(scale: first, shapePPM: second)
        case .table: .table(quantiles)
        }
    }

    /// Of the law of that name; nil of any other.
    @inlinable public var constant: Int64? { kind == .constant ? first : nil }

    private init(_ kind: Kind, _ first: Int64 = 0, _ second: Int64 = 0, _ quantiles: [Quantile] = []) {
        self.kind = kind
        self.first = first
        self.second = second
        self.quantiles = quantiles
    }

    public static func constant(_ value: Int64) -> Distribution { Distribution(.constant, value) }

    /// Both ends belong to it, and every integer between them is equally likely.
    public static func uniform(_ lowest: Int64, _ highest: Int64) -> Distribution {
        precondition(lowest <= highest, "uniform from \(lowest) up to \(highest): the first is the larger")
        return Distribution(.uniform, lowest, highest)
    }

    public static func exponential(mean: Int64) -> Distribution {
        precondition(mean >= 0, "exponential: a mean of \(mean) is negative")
        return Distribution(.exponential, mean)
    }

    /// Nothing is cut off: wherever the mean is few deviations above 0, some draws are negative. Whoever draws a delay or a
    /// size bounds it by what those can be.
    public static func normal(mean: Int64, deviation: Int64) -> Distribution {
        precondition(deviation >= 0, "normal: a deviation of \(deviation) is negative")
        return Distribution(.normal, mean, deviation)
    }

    /// The logarithm is normal around that of `median`, with a deviation of `sigmaPPM` millionths.
    public static func logNormal(median: Int64, sigmaPPM: Int64) -> Distribution {
        precondition(median >= 0, "log-normal: a median of \(median) is negative")
        precondition(sigmaPPM >= 0, "log-normal: a sigma of \(sigmaPPM) ppm is negative")
        return Distribution(.logNormal, median, sigmaPPM)
    }

    /// Never below `scale`; above x with probability (scale / x)^shape. A shape of at most 1 (1,000,000 ppm) has no mean, one
    /// of at most 2 no variance.
    public static func pareto(scale: Int64, shapePPM: Int64) -> Distribution {
        precondition(scale >= 0, "Pareto: a scale of \(scale) is negative")
        precondition(shapePPM > 0, "Pareto: a shape of \(shapePPM) ppm is not positive")
        return Distribution(.pareto, scale, shapePPM)
    }

    /// A measured distribution: straight lines between quantiles, from probability 0 to probability 1. Two points of one
    /// probability are a gap in what can happen, two points of one value are a lump of probability on it.
    public static func table(_ quantiles: [Quantile]) -> Distribution {
        precondition(
            quantiles.first?.probability == .zero && quantiles.last?.probability == .one,
            "a table begins at probability 0 and ends at 1, got \(quantiles)")
        precondition(
            zip(quantiles, quantiles.dropFirst()).allSatisfy {
                $0.probability <= $1.probability && $0.value <= $1.value
            },
            "probabilities and values of a table never fall, got \(quantiles)")
        return Distribution(.table, 0, 0, quantiles)
    }
}
