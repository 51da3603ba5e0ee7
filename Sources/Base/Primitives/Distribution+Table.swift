/// One point of a measured distribution: a value, and the probability that the value is not exceeded.
public struct Quantile: Hashable, Sendable, BitwiseCopyable {
    public let probability: Probability
    public let value: Int64

    @inlinable public init(_ probability: Probability, _ value: Int64) {
        self.probability = probability
        self.value = value
    }

    /// Creates a point from a probability in parts per million: 950,000 is the 95th percentile.
    @inlinable public init(ppm: UInt64, _ value: Int64) {
        self.init(Probability(ppm, of: 1_000_000), value)
    }
}

extension [Quantile] {
    /// Returns the linearly interpolated value at a probability below 1, given in units of 2^-63. The value is rounded
    /// to the nearest integer.
    func value(at probability: UInt64) -> Int64 {
        // The last point at or before the probability, and the next one. The first point is at 0, the last at 1.
        var low = 0
        var high = count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle].probability.halves <= probability { low = middle } else { high = middle }
        }
        let (from, to) = (self[low], self[high])
        let width = to.probability.halves - from.probability.halves
        let rise = UInt128(UInt64(bitPattern: to.value &- from.value))
        let area = rise * UInt128(probability - from.probability.halves) + UInt128(width / 2)
        return from.value &+ Int64(bitPattern: UInt64(area / UInt128(width)))
    }
}
