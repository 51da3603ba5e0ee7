/// A metric that is the quotient of two sums over replicas. Both are read from the folds once, so that it can be
/// computed for any resample.
struct RatioMetric: Sendable {
    let metric: Int
    private let top: ReplicaColumn
    private let times: Int128
    private let bottom: ReplicaColumn

    /// All ratio metrics, in the order of the catalogue.
    static func all(of replicas: Replicas) -> [RatioMetric] {
        Catalogue.ratios.enumerated().map { index, ratio in
            RatioMetric(
                metric: ratio.metric, top: replicas.tops[index], times: ratio.times, bottom: replicas.bottoms[index])
        }
    }

    /// Groups metrics with the same interval ends: metrics with equal numerators over constant denominators,
    /// such as joules, joules per hour and percent of the battery.
    static func groups(_ ratios: [RatioMetric]) -> [[RatioMetric]] {
        ratios.reduce(into: [[RatioMetric]]()) { groups, ratio in
            if let index = groups.firstIndex(where: { $0[0].sharesResamples(with: ratio) }) {
                groups[index].append(ratio)
            } else {
                groups.append([ratio])
            }
        }
    }

    private func sharesResamples(with other: RatioMetric) -> Bool {
        bottom.isConstant && other.bottom.isConstant && bottom.sum != 0 && other.bottom.sum != 0 && top == other.top
    }

    /// `true` if no resample can change the value.
    var isConstant: Bool { top.isConstant && bottom.isConstant }

    /// Interval ends from the resamples.
    func ends(_ draws: Bootstrap) -> IntervalEnds? {
        let tops = top.sums(draws)
        // With a constant denominator, the results compare by their numerators.
        if bottom.isConstant { return bottom.sum == 0 ? nil : draws.percentileInterval(of: tops) }
        let bottoms = bottom.sums(draws)
        return draws.percentileInterval(of: (0..<Bootstrap.resamples).map { result(tops[$0], over: bottoms[$0]) })
    }

    /// An integer that sorts like the value. `nil` if there was nothing to measure.
    private func result(_ top: Int128, over bottom: Int128) -> Int128? {
        if self.bottom.isConstant { return bottom == 0 ? nil : top }
        return Billionths(top, times: times, over: bottom)?.count
    }

    func figure(_ result: Int128?) -> Figure {
        guard let result else { return .nothing }
        guard bottom.isConstant else { return .value(Billionths(count: result)) }
        return Billionths(result, times: times, over: bottom.sum).map { .value($0) } ?? .nothing
    }
}
