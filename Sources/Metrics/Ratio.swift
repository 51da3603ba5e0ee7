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

    /// With each replica once.
    var result: Int128? { result(top.sum, over: bottom.sum) }

    /// Of what the draws come to.
    func ends(_ draws: Bootstrap) -> Ends? {
        let tops = top.sums(draws)
        // With the same denominator everywhere results compare by their numerators.
        if bottom.areSame { return bottom.sum == 0 ? nil : Bootstrap.ends(of: tops) }
        let bottoms = bottom.sums(draws)
        return Bootstrap.ends(of: (0..<Bootstrap.resamples).map { result(tops[$0], over: bottoms[$0]) })
    }

    /// An integer that compares as the values do; nil if there was nothing to measure.
    private func result(_ top: Int128, over bottom: Int128) -> Int128? {
        if self.bottom.areSame { return bottom == 0 ? nil : top }
        return Billionths(top, times: times, over: bottom)?.count
    }

    func figure(_ result: Int128?) -> Figure {
        guard let result else { return .nothing }
        guard bottom.areSame else { return .value(Billionths(count: result)) }
        return Billionths(result, times: times, over: bottom.sum).map { .value($0) } ?? .nothing
    }
}
