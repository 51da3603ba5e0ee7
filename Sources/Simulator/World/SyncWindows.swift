package import DeadzoneBase

/// Divides simulated time into equal intervals (sync windows) in which coupled phones run without affecting each other.
package struct SyncWindows: Sendable {
    package let length: TimeSpan
    package let horizon: Instant
    /// Maximum number of windows that phones run before the server handles their requests (lookahead). These windows
    /// are no longer than the grace period of server instances that shut down, so no phone runs beyond its end.
    package let maxPerLookahead: Int64
    /// `true` if a phone without further events can be finished before the horizon.
    package let endsEarly: Bool

    package init(_ world: World) {
        length = world.syncWindowLength
        horizon = world.horizon
        let cluster = world.server.cluster
        endsEarly = !cluster.resetsOnScaleDown
        let grace = cluster.resetsOnScaleDown ? cluster.autoscaling?.grace : nil
        maxPerLookahead = grace.map { max($0.nanoseconds / max(world.syncWindowLength.nanoseconds, 1), 1) } ?? .max
    }

    package func begin(of number: Int64) -> Instant { .zero + length * number }
    /// Returns the number of the first window that begins at this instant or later.
    package func first(from instant: Instant) -> Int64 {
        (instant.nanoseconds + length.nanoseconds - 1) / length.nanoseconds
    }

    package func number(of instant: Instant) -> Int64 { instant.nanoseconds / length.nanoseconds }
    package func end(of number: Int64) -> Instant { min(.zero + length * (number + 1), horizon) }
    package func isOver(_ instant: Instant) -> Bool { horizon <= instant }
}
