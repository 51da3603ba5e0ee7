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

/// One direction of a link. Bytes wait for each other (first in, first out) at `bitsPerSecond`, or as `trace` has it, then
/// take `delay`.
public struct LinkDirection: Hashable, Sendable {
    /// One way, in nanoseconds; at least `floor`.
    public var delay: Distribution
    /// No packet is faster than this.
    public var floor: TimeSpan
    /// Of a traced direction: its mean, by which the radio reckons.
    public var bitsPerSecond: Int64
    public var loss: LossModel
    /// What was measured, instead of a constant rate.
    public var trace: LinkTrace?
    /// What may wait in front of the link; nil: everything.
    public var queue: QueueBound?
    public var spikes: LatencySpikes?
    private let lent = Lent()

    public init(
        delay: Distribution, floor: TimeSpan, bitsPerSecond: Int64, loss: LossModel, trace: LinkTrace? = nil,
        queue: QueueBound? = nil, spikes: LatencySpikes? = nil
    ) {
        self.delay = delay
        self.floor = floor
        self.bitsPerSecond = bitsPerSecond
        self.loss = loss
        self.trace = trace
        self.queue = queue
        self.spikes = spikes
    }
}

/// How much may wait. What finds no place is dropped (drop-tail); what finds the queue empty always enters. A deep queue in
/// front of a slow link is what delays everything else: bufferbloat.
public enum QueueBound: Hashable, Sendable, BitwiseCopyable {
    case bytes(Int64)
    /// What would wait longer than this is dropped.
    case wait(TimeSpan)
}

public enum LossModel: Hashable, Sendable {
    /// Every packet by itself.
    case independent(Probability)
    /// A good and a bad state with exponential dwell times; each loses packets by its own probability.
    case gilbertElliott(goodMean: TimeSpan, badMean: TimeSpan, lossInGood: Probability, lossInBad: Probability)
}
