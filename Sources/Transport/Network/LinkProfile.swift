package import DeadzoneBase

/// The properties of a network path in both directions: delay, rate, loss, queue and latency spikes.
package struct LinkProfile: Hashable, Sendable {
    package var up: LinkDirection
    package var down: LinkDirection

    package init(up: LinkDirection, down: LinkDirection) {
        self.up = up
        self.down = down
    }
}

/// The properties of one direction of a link: its delay, rate, loss and queue. Bytes wait in a queue (first in, first
/// out) that drains at `bitsPerSecond`, or as `trace` says. Then they are delayed by `delay`.
package struct LinkDirection: Hashable, Sendable {
    /// One-way delay in nanoseconds; at least `floor`.
    package var delay: Distribution
    /// Minimum delay of a packet, whatever `delay` returns.
    package var floor: TimeSpan
    /// Rate at which the queue drains, in bits per second. With a trace: its mean rate, used to compute radio time.
    package var bitsPerSecond: Int64
    package var loss: LossModel
    /// Measured capacity of the link over time. It replaces the constant rate. `nil` if there is none.
    package var trace: LinkTrace?
    /// Limit of the queue before the link; `nil` if it is unlimited.
    package var queue: QueueBound?
    package var spikes: LatencySpikes?
    /// Packets that arrive late, so that later ones overtake them. `nil` if all packets keep their order.
    package var reordering: Reordering?
    private let passByAddress = PassByAddress()

    package init(
        delay: Distribution, floor: TimeSpan, bitsPerSecond: Int64, loss: LossModel, trace: LinkTrace? = nil,
        queue: QueueBound? = nil, spikes: LatencySpikes? = nil, reordering: Reordering? = nil
    ) {
        self.delay = delay
        self.floor = floor
        self.bitsPerSecond = bitsPerSecond
        self.loss = loss
        self.trace = trace
        self.queue = queue
        self.spikes = spikes
        self.reordering = reordering
    }
}

/// The limit of a link's queue, in bytes or waiting time. Data that exceeds it is dropped. Data that does not fit is
/// dropped (drop-tail); data that finds the queue empty always enters. A deep queue before a slow link delays
/// everything else: bufferbloat.
package enum QueueBound: Hashable, Sendable, BitwiseCopyable {
    case bytes(Int64)
    /// Maximum waiting time. Data that would wait longer is dropped.
    case wait(TimeSpan)
}

/// Packets that take another way through the network and arrive late. Packets that were sent later overtake them.
package struct Reordering: Hashable, Sendable, BitwiseCopyable {
    /// Share of the packets that arrive late.
    package var share: Probability
    /// Time by which they arrive late.
    package var delay: TimeSpan

    package init(share: Probability, delay: TimeSpan) {
        self.share = share
        self.delay = delay
    }
}

package enum LossModel: Hashable, Sendable {
    /// Each packet is lost with this probability, independently of others.
    case independent(Probability)
    /// The link alternates between a good and a bad state. The time in a state is exponentially distributed with its
    /// mean, and each state has its own loss probability.
    case gilbertElliott(goodMean: TimeSpan, badMean: TimeSpan, lossInGood: Probability, lossInBad: Probability)
}
