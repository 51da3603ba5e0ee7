public import DeadzonePrimitives

/// The impairments of a path in both directions.
public struct LinkProfile: Hashable, Sendable {
    public var up: LinkDirection
    public var down: LinkDirection

    public init(up: LinkDirection, down: LinkDirection) {
        self.up = up
        self.down = down
    }
}

/// One direction of a link. Bytes wait for each other (first in, first out) at `bitsPerSecond`, then take `delay`.
public struct LinkDirection: Hashable, Sendable {
    /// One way, in nanoseconds; at least `floor`.
    public var delay: Distribution
    /// No packet is faster than this.
    public var floor: TimeSpan
    public var bitsPerSecond: Int64
    public var loss: LossModel

    public init(delay: Distribution, floor: TimeSpan, bitsPerSecond: Int64, loss: LossModel) {
        self.delay = delay
        self.floor = floor
        self.bitsPerSecond = bitsPerSecond
        self.loss = loss
    }
}

public enum LossModel: Hashable, Sendable {
    /// Every packet by itself.
    case independent(Probability)
    /// A good and a bad state with exponential dwell times; each loses packets by its own probability.
    case gilbertElliott(goodMean: TimeSpan, badMean: TimeSpan, lossInGood: Probability, lossInBad: Probability)
}
