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

    func results(_ draws: Bootstrap) -> [Int128?] {
        let tops = top.sums(draws)
        guard bottom.areSame else { return zip(tops, bottom.sums(draws)).map { result($0, over: $1) } }
        return bottom.sum == 0 ? tops.map { _ in nil } : tops.map { $0 }
    }

    /// An integer that compares as the values do; nil if there was nothing to measure.
    private func result(_ top: Int128, over bottom: Int128) -> Int128? {
        // With the same denominator everywhere results compare by their numerators.
        if self.bottom.areSame { return bottom == 0 ? nil : top }
        return Billionths(top, times: times, over: bottom)?.count
    }

    func figure(_ result: Int128?) -> Figure {
        guard let result else { return .nothing }
        guard bottom.areSame else { return .value(Billionths(count: result)) }
        return Billionths(result, times: times, over: bottom.sum).map { .value($0) } ?? .nothing
    }
}
