/// A metric's arithmetic with everything read out of the folds once, so that it can be repeated for any weighting of them.
/// Results are integers that only compare; the two that are wanted become figures.
enum Statistic {
    /// Every replica has the same denominator, so results compare by their numerators.
    case mean(top: [Int128], times: Int128, over: Int128)
    case ratio(top: [Int128], times: Int128, bottom: [Int128])
    case quantile(PooledSamples, Share, perUnit: Int128, isZeroIfEmpty: Bool)

    /// What never arrives is beyond every number.
    static let never = Int128.max
    /// What is at least so much comes before that and behind every number.
    static let atLeast: Int128 = 1 << 100

    init(_ formula: Formula, of replicas: [Replica]) {
        switch formula {
        case .ratio(let top, let factor, let bottom, _):
            self = Self.ratio(replicas.map(top), times: factor, replicas.map(bottom))
        case .energy(let part, let isOfProcessor):
            let joule: Int128 = 1_000_000_000_000_000
            self = Self.ratio(
                replicas.map { part($0.energy) }, times: 1,
                replicas.map { $0.phones * joule * (isOfProcessor ? $0.platforms : 1) })
        case .quantile(let histogram, let q, let perUnit, let isZeroIfEmpty):
            self = .quantile(
                PooledSamples(replicas.map { histogram($0.fold) }), q, perUnit: perUnit, isZeroIfEmpty: isZeroIfEmpty)
        }
    }

    private static func ratio(_ top: [Int128], times factor: Int128, _ bottom: [Int128]) -> Self {
        bottom.allSatisfy { $0 == bottom[0] }
            ? .mean(top: top, times: factor, over: bottom[0] * Int128(bottom.count))
            : .ratio(top: top, times: factor, bottom: bottom)
    }

    /// Nil if there was nothing to measure. There are as many weights in all as replicas.
    func result(weights: [Int64]) -> Int128? {
        switch self {
        case .mean(let top, _, let bottom):
            return bottom == 0 ? nil : Self.sum(top, weights)
        case .ratio(let top, let factor, let bottom):
            return Billionths(Self.sum(top, weights), times: factor, over: Self.sum(bottom, weights))?.count
        case .quantile(let samples, let q, _, let isZeroIfEmpty):
            switch samples.quantile(q, weights: weights) {
            case .span(let span): return Int128(span)
            case .atLeast(let span): return Self.atLeast + Int128(span)
            case .never: return Self.never
            case .nothing: return isZeroIfEmpty ? 0 : nil
            }
        }
    }

    func figure(_ result: Int128?) -> Figure {
        guard let result else { return .nothing }
        if result == Self.never { return .never }
        switch self {
        case .mean(_, let factor, let bottom):
            return Billionths(result, times: factor, over: bottom).map { .value($0) } ?? .nothing
        case .ratio: return .value(Billionths(count: result))
        case .quantile(_, _, let perUnit, _):
            let value = Billionths(result % Self.atLeast, over: perUnit)
            return value.map { result < Self.atLeast ? .value($0) : .atLeast($0) } ?? .nothing
        }
    }

    /// Most metrics of most runs are the same in every replica; those need no thousand resamples.
    func interval(by bootstrap: Bootstrap, around figure: Figure) -> Interval? {
        if case .mean(let top, _, _) = self, top.allSatisfy({ $0 == top[0] }) {
            return figure == .nothing ? nil : Interval(low: figure, high: figure)
        }
        return bootstrap.interval(of: result).map { Interval(low: self.figure($0.low), high: self.figure($0.high)) }
    }

    private static func sum(_ values: [Int128], _ weights: [Int64]) -> Int128 {
        var sum: Int128 = 0
        for index in values.indices { sum += values[index] * Int128(weights[index]) }
        return sum
    }
}
