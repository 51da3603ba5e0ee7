public import DeadzonePrimitives
import DeadzoneServer

/// Divides simulated time into equal intervals (sync windows) in which coupled phones run without affecting each other.
public struct SyncWindows: Sendable {
    public let length: TimeSpan
    public let horizon: Instant
    /// Maximum number of windows that phones run before the server handles their requests (lookahead). These windows
    /// are no longer than the grace period of server instances that shut down, so no phone runs beyond its end.
    public let maxPerLookahead: Int64
    /// `true` if a phone without further events can be finished before the horizon.
    public let endsEarly: Bool

    public init(_ world: World) {
        length = world.syncWindowLength
        horizon = world.horizon
        let cluster = world.server.cluster
        endsEarly = !cluster.resetsOnScaleDown
        let grace = cluster.resetsOnScaleDown ? cluster.autoscaling?.grace : nil
        maxPerLookahead = grace.map { max($0.nanoseconds / max(world.syncWindowLength.nanoseconds, 1), 1) } ?? .max
    }

    public func begin(of number: Int64) -> Instant { .zero + length * number }
    /// Returns the number of the first window that begins at this instant or later.
    public func first(from instant: Instant) -> Int64 {
        (instant.nanoseconds + length.nanoseconds - 1) / length.nanoseconds
    }

    public func number(of instant: Instant) -> Int64 { instant.nanoseconds / length.nanoseconds }
    public func end(of number: Int64) -> Instant { min(.zero + length * (number + 1), horizon) }
    public func isOver(_ instant: Instant) -> Bool { horizon <= instant }
}
