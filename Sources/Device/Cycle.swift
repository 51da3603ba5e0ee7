package import DeadzoneBase

/// A recurring time at which a phone listens to its network: paging occasions, on-durations, beacons. The network sets
/// the phase; traffic never restarts the cycle.
package struct Cycle: Hashable, Sendable, BitwiseCopyable {
    /// Time from one start of listening to the next; zero if there is no cycle, and no wait for it.
    package var period: TimeSpan
    /// Time that the phone listens after each start.
    package var on: TimeSpan

    package init(period: TimeSpan, on: TimeSpan = .zero) {
        self.period = period
        self.on = on
    }

    package static let none = Cycle(period: .zero)

    /// Returns the first instant from `now` on at which the phone listens. `offset` is the phase of the cycle, in
    /// nanoseconds.
    package func nextOn(from now: Instant, offset: Int64) -> Instant {
        let period = period.nanoseconds
        guard period > 0 else { return now }
        let into = (now.nanoseconds - offset % period + period) % period
        return into == 0 || into < on.nanoseconds ? now : now + .nanoseconds(period - into)
    }
}
