/// A metric that is a quantile of samples: the level of the quantile, and its unit.
struct QuantileQuery: Sendable {
    let metric: Int
    let share: Share
    let perUnit: Int128
    let isZeroIfEmpty: Bool

    /// Encodes `never`: above every number.
    private static var never: Int128 { .max }
    /// Offset of encoded lower bounds. They sort after every number and before `never`.
    private static var atLeast: Int128 { 1 << 100 }

    /// Encodes a quantile as an integer that sorts like the quantile. `nil` if there was nothing to measure.
    func result(_ answer: SpanHistogram.QuantileResult) -> Int128? {
        switch answer {
        case .span(let span): Int128(span)
        case .atLeast(let span): Self.atLeast + Int128(span)
        case .never: Self.never
        case .nothing: isZeroIfEmpty ? 0 : nil
        }
    }

    func figure(_ result: Int128?) -> Figure {
        guard let result else { return .nothing }
        if result == Self.never { return .never }
        let value = Billionths(result % Self.atLeast, over: perUnit)
        return value.map { result < Self.atLeast ? .value($0) : .atLeast($0) } ?? .nothing
    }
}

extension Catalogue {
    /// For each sample family, the quantile metrics that use it, sorted by share.
    static let queries: [[QuantileQuery]] = families.map { family in
        all.enumerated().compactMap { index, metric in
            guard case .quantile(let samples, let share, let perUnit, let isZeroIfEmpty) = metric.formula,
                samples == family
            else { return nil }
            return QuantileQuery(metric: index, share: share, perUnit: perUnit, isZeroIfEmpty: isZeroIfEmpty)
        }.sorted { $0.share.thousandths < $1.share.thousandths }
    }
}
