package import DeadzoneBase

/// Defines latency spikes: times during which every packet of a link direction takes longer. For example, a scheduler
/// neglects the phone, or a neighbour uploads. Each spike and each pause between spikes is drawn by its number, so the
/// traffic does not change when they occur.
package struct LatencySpikes: Hashable, Sendable {
    /// Time from the end of one spike to the start of the next, in nanoseconds.
    package var every: Distribution
    /// Duration of a spike, in nanoseconds.
    package var length: Distribution
    /// Additional delay of packets that are sent during a spike, in nanoseconds. One value is drawn for each spike.
    package var extra: Distribution

    package init(every: Distribution, length: Distribution, extra: Distribution) {
        self.every = every
        self.length = length
        self.extra = extra
    }
}

/// State of the latency spikes on one link: start and end of the current or next spike.
package struct SpikeWeather: Sendable, BitwiseCopyable {
    private var number: UInt64 = 0
    private var begins = Instant.never
    private var ends = Instant.never

    /// Flag in the number of a random draw, for start and length of spikes. It keeps them apart from the draws of the
    /// loss model's dwell times, which count from zero on the same dice.
    private static let timingDraws: UInt64 = 1 << 62
    /// Flag in the number of a random draw, for the additional delay of spikes.
    private static let delayDraws: UInt64 = 1 << 63

    package init(_ spikes: LatencySpikes?, dwells: Dice) {
        if let spikes { draw(spikes, after: .zero, dwells) }
    }

    package mutating func extraDelay(at now: Instant, _ spikes: LatencySpikes, dwells: Dice) -> TimeSpan {
        while ends <= now && ends != .never {
            number += 1
            draw(spikes, after: ends, dwells)
        }
        guard begins <= now else { return .zero }
        return TimeSpan(nanoseconds: max(spikes.extra.draw(dwells.at(Self.delayDraws | number)), 0))
    }

    /// Draws start and end of the next spike. Pause and spike together take at least a nanosecond, so that time always
    /// advances.
    private mutating func draw(_ spikes: LatencySpikes, after end: Instant, _ dwells: Dice) {
        let dice = dwells.pair(at: Self.timingDraws | number)
        begins = end + .nanoseconds(max(spikes.every.draw(dice.0), 0))
        ends = begins + .nanoseconds(max(spikes.length.draw(dice.1), 1))
    }
}
