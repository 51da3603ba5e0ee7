import DeadzonePrimitives

/// The percentile bootstrap of a median (Efron, "Bootstrap methods: another look at the jackknife", 1979). A resample's median
/// is one of the numbers, or the middle of two, and which of them by rank does not depend on what they are: so the ranks are
/// drawn once for a number of replicas, and serve every metric and every strategy.
///
/// Not BCa: its acceleration is a jackknife, and the jackknife of a median is inconsistent (Efron, 1979, section 3).
public struct MedianDraws: Sendable {
    public static let resamples = 1_000

    /// The ranks of the lower and the upper middle in each resample.
    private let middles: [(Int, Int)]

    /// - Parameter stream: different numbers give independent draws of one seed.
    public init(count: Int, seed: UInt64, stream: UInt32 = 0) {
        precondition(count > 0, "nothing to draw from")
        let dice = Dice(seed: seed, phone: PhoneID(stream), purpose: .bootstrap)
        var tally = [UInt32](repeating: 0, count: count)
        middles = (0..<Self.resamples).map { resample in
            for index in tally.indices { tally[index] = 0 }
            let first = UInt64(resample) * UInt64(count)
            for draw in 0..<UInt64(count) { tally[Int(dice.at(first + draw).scaled(below: UInt64(count)))] += 1 }
            return (Self.rank(UInt32((count - 1) / 2), tally), Self.rank(UInt32(count / 2), tally))
        }
    }

    /// Whose turn it is at this place, counted from zero, when all are laid out in order.
    private static func rank(_ place: UInt32, _ tally: [UInt32]) -> Int {
        var seen: UInt32 = 0
        for (rank, times) in tally.enumerated() {
            seen += times
            if seen > place { return rank }
        }
        return tally.count - 1
    }

    /// The median of each resample; nil where it lies between the two infinities.
    func medians(ofSorted numbers: [Int128]) -> [Int128?] {
        middles.map { Sample.middle(numbers[$0.0], numbers[$0.1]) }
    }

    /// The middle 95 % of the resamples' medians, by the nearest rank; nil if some have none.
    static func interval(_ medians: [Int128?]) -> ClosedRange<Int128>? {
        let sorted = medians.compactMap(\.self).sorted()
        guard sorted.count == resamples else { return nil }
        return sorted[resamples * 25 / 1_000 - 1]...sorted[resamples * 975 / 1_000 - 1]
    }
}
