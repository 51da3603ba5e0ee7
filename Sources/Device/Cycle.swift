public import DeadzonePrimitives

/// Something that comes round: paging occasions, on-durations, beacons. The phase is the network's own; traffic never
/// restarts it.
public struct Cycle: Hashable, Sendable, BitwiseCopyable {
    /// From one beginning to the next; zero: there is no cycle, and no wait for it.
    public var period: TimeSpan
    /// How long after each beginning the phone goes on listening.
    public var on: TimeSpan

    public init(period: TimeSpan, on: TimeSpan = .zero) {
        self.period = period
        self.on = on
    }

    public static let none = Cycle(period: .zero)

    /// The first instant from `now` on at which the phone listens. `offset` is the phase, in nanoseconds.
    public func nextOn(from now: Instant, offset: Int64) -> Instant {
        let period = period.nanoseconds
        guard period > 0 else { return now }
        let into = (now.nanoseconds - offset % period + period) % period
        return into == 0 || into < on.nanoseconds ? now : now + .nanoseconds(period - into)
    }
}
