public import DeadzonePrimitives

/// Times in which every packet of a direction takes longer: a scheduler that forgot the phone, a neighbour's upload. Weather:
/// each calm and each spike is drawn by its number, so that no traffic can move them.
public struct LatencySpikes: Hashable, Sendable {
    /// From the end of one to the beginning of the next, in nanoseconds.
    public var every: Distribution
    /// How long one lasts, in nanoseconds.
    public var length: Distribution
    /// What it adds to the delay of each packet offered while it lasts, in nanoseconds; one value for each spike.
    public var extra: Distribution

    public init(every: Distribution, length: Distribution, extra: Distribution) {
        self.every = every
        self.length = length
        self.extra = extra
    }
}

/// Which spike is the next, or lasts.
public struct SpikeWeather: Sendable, BitwiseCopyable {
    private var number: UInt64 = 0
    private var begins = Instant.never
    private var ends = Instant.never

    /// Apart from the dwells of losses, which count from zero on the same dice.
    private static let places: UInt64 = 1 << 62
    private static let extras: UInt64 = 1 << 63

    public init(_ spikes: LatencySpikes?, dwells: Dice) {
        if let spikes { draw(spikes, after: .zero, dwells) }
    }

    public mutating func extra(at now: Instant, _ spikes: LatencySpikes, dwells: Dice) -> TimeSpan {
        while ends <= now && ends != .never {
            number += 1
            draw(spikes, after: ends, dwells)
        }
        guard begins <= now else { return .zero }
        return TimeSpan(nanoseconds: max(spikes.extra.draw(dwells.at(Self.extras | number)), 0))
    }

    /// Calm and spike take at least a nanosecond together, so that time goes on whatever the dice say.
    private mutating func draw(_ spikes: LatencySpikes, after end: Instant, _ dwells: Dice) {
        let dice = dwells.pair(at: Self.places | number)
        begins = end + .nanoseconds(max(spikes.every.draw(dice.0), 0))
        ends = begins + .nanoseconds(max(spikes.length.draw(dice.1), 1))
    }
}
