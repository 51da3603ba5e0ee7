/// A metric that is a sum over a sum, with both read out of the folds once, so that it can be repeated for any weighting of the
/// replicas.
struct Ratio: Sendable {
    let metric: Int
    private let top: Column
    private let times: Int128
    private let bottom: Column

    /// In the order of the catalogue.
    static func all(of replicas: Replicas) -> [Ratio] {
        Catalogue.ratios.enumerated().map { index, ratio in
            Ratio(metric: ratio.metric, top: replicas.tops[index], times: ratio.times, bottom: replicas.bottoms[index])
        }
    }

    /// No weighting changes it.
    var isCertain: Bool { top.areSame && bottom.areSame }

    /// An integer that compares as the values do; nil if there was nothing to measure. Without weights each replica counts once.
    func result(_ weights: Weights?) -> Int128? {
        let sum = weights.map(top.sum) ?? top.sum
        // With the same denominator everywhere results compare by their numerators.
        if bottom.areSame { return bottom.sum == 0 ? nil : sum }
        return Billionths(sum, times: times, over: weights.map(bottom.sum) ?? bottom.sum)?.count
    }

    func figure(_ result: Int128?) -> Figure {
        guard let result else { return .nothing }
        guard bottom.areSame else { return .value(Billionths(count: result)) }
        return Billionths(result, times: times, over: bottom.sum).map { .value($0) } ?? .nothing
    }
}
