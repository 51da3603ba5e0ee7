package import DeadzoneBase

/// State of a link's loss model: for Gilbert–Elliott, the current good or bad period and its end. The length of the
/// n-th period depends only on n (even periods are good). So the number of packets sent does not change when bad
/// periods occur.
package struct LossWeather: Sendable, BitwiseCopyable {
    private var dwell: UInt32 = 0
    private var dwellEnds = Instant.never

    package init(_ model: LossModel, dwells: Dice) {
        if case .gilbertElliott(let goodMean, _, _, _) = model {
            dwellEnds = .zero + Self.length(mean: goodMean, dwells.at(0))
        }
    }

    package mutating func loses(_ dice: UInt64, at now: Instant, _ model: LossModel, dwells: Dice) -> Bool {
        switch model {
        case .independent(let probability):
            return probability.hits(dice)
        case .gilbertElliott(let goodMean, let badMean, let lossInGood, let lossInBad):
            while dwellEnds <= now {
                dwell += 1
                let mean = dwell.isMultiple(of: 2) ? goodMean : badMean
                dwellEnds += Self.length(mean: mean, dwells.at(UInt64(dwell)))
            }
            return (dwell.isMultiple(of: 2) ? lossInGood : lossInBad).hits(dice)
        }
    }

    /// Draws the length of a period: at least a nanosecond, so that time always advances.
    private static func length(mean: TimeSpan, _ dice: UInt64) -> TimeSpan {
        TimeSpan(nanoseconds: max(Distribution.exponential(mean: mean.nanoseconds).draw(dice), 1))
    }
}
