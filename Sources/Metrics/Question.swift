/// One quantile that is asked of a family of samples.
struct Question: Sendable {
    let metric: Int
    let share: Share
    let perUnit: Int128
    let isZeroIfEmpty: Bool

    /// What never arrives is beyond every number.
    private static var never: Int128 { .max }
    /// What is at least so much comes before that and behind every number.
    private static var atLeast: Int128 { 1 << 100 }

    /// An integer that compares as the answers do; nil if there was nothing to measure.
    func result(_ answer: SpanHistogram.Quantile) -> Int128? {
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
    /// Of each family.
    static let questions: [[Question]] = families.map { family in
        all.enumerated().compactMap { index, metric in
            guard case .quantile(let samples, let share, let perUnit, let isZeroIfEmpty) = metric.formula,
                samples == family
            else { return nil }
            return Question(metric: index, share: share, perUnit: perUnit, isZeroIfEmpty: isZeroIfEmpty)
        }.sorted { $0.share.thousandths < $1.share.thousandths }
    }
}
