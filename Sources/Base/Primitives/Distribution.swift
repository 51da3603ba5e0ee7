/// A probability distribution of integers: maps 64 random bits to a count or a number of nanoseconds. Invalid
/// parameters are rejected when the distribution is created, so every existing distribution can be drawn from.
///
/// A continuous distribution is rounded to the nearest integer and saturates at the limits of `Int64`.
public struct Distribution: Hashable, Sendable {
    /// The type of a distribution (normal, Pareto and so on) and its parameters as given at creation. Used by code that
    /// describes a distribution.
    package enum ProbabilityLaw: Hashable, Sendable {
        case constant(Int64)
        case uniform(Int64, Int64)
        case exponential(mean: Int64)
        case normal(mean: Int64, deviation: Int64)
        case logNormal(median: Int64, sigmaPPM: Int64)
        case pareto(scale: Int64, shapePPM: Int64)
        case table([Quantile])
    }

    @usableFromInline enum LawTag: UInt8, Sendable, BitwiseCopyable {
        case constant, uniform, exponential, normal, logNormal, pareto, table
    }

    // Stored as separate fields, not as a `ProbabilityLaw`: most draws read two numbers, and a law that contains a
    // table would be retained on each draw.
    @usableFromInline let kind: LawTag
    @usableFromInline let first: Int64
    @usableFromInline let second: Int64
    let quantiles: [Quantile]

    package var law: ProbabilityLaw {
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

    /// The value of a constant distribution; `nil` for any other type.
    @inlinable package var constant: Int64? { kind == .constant ? first : nil }

    private init(_ kind: LawTag, _ first: Int64 = 0, _ second: Int64 = 0, _ quantiles: [Quantile] = []) {
        self.kind = kind
        self.first = first
        self.second = second
        self.quantiles = quantiles
    }

    public static func constant(_ value: Int64) -> Distribution { Distribution(.constant, value) }

    /// Creates a distribution in which every integer from `lowest` to `highest`, both included, is equally likely.
    public static func uniform(_ lowest: Int64, _ highest: Int64) -> Distribution {
        precondition(lowest <= highest, "uniform from \(lowest) up to \(highest): the first is the larger")
        return Distribution(.uniform, lowest, highest)
    }

    public static func exponential(mean: Int64) -> Distribution {
        precondition(mean >= 0, "exponential: a mean of \(mean) is negative")
        return Distribution(.exponential, mean)
    }

    /// Creates a normal distribution. Nothing is cut off: if the mean is only a few deviations above 0, some draws are
    /// negative. Code that draws a delay or a size must clamp it to its valid range.
    public static func normal(mean: Int64, deviation: Int64) -> Distribution {
        precondition(deviation >= 0, "normal: a deviation of \(deviation) is negative")
        return Distribution(.normal, mean, deviation)
    }

    /// Creates a log-normal distribution: the logarithm is normally distributed around that of `median`, with a
    /// deviation of `sigmaPPM` millionths.
    public static func logNormal(median: Int64, sigmaPPM: Int64) -> Distribution {
        precondition(median >= 0, "log-normal: a median of \(median) is negative")
        precondition(sigmaPPM >= 0, "log-normal: a sigma of \(sigmaPPM) ppm is negative")
        return Distribution(.logNormal, median, sigmaPPM)
    }

    /// Creates a Pareto distribution: values are never below `scale`, and above x with probability (scale / x)^shape. A
    /// shape of at most 1 (1,000,000 ppm) has no mean, a shape of at most 2 has no variance.
    public static func pareto(scale: Int64, shapePPM: Int64) -> Distribution {
        precondition(scale >= 0, "Pareto: a scale of \(scale) is negative")
        precondition(shapePPM > 0, "Pareto: a shape of \(shapePPM) ppm is not positive")
        return Distribution(.pareto, scale, shapePPM)
    }

    /// Creates a measured distribution: linear interpolation between quantiles, from probability 0 to probability 1. If
    /// two points have the same probability, values between them never occur. If two points have the same value, that
    /// value has a probability of its own.
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
