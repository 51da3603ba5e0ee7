public import DeadzonePrimitives
import DeadzoneServer

/// Where rounds of phones that meet begin and end.
public struct Rounds: Sendable {
    public let length: TimeSpan
    public let horizon: Instant
    /// So many are no longer than the grace of instances that leave: no phone has gone on beyond the end of one.
    public let most: Int64
    /// Nothing happens to a phone any more that has nothing to do.
    public let endsEarly: Bool

    public init(_ world: World) {
        length = world.roundLength
        horizon = world.horizon
        let cluster = world.server.cluster
        endsEarly = !cluster.cuts
        let grace = cluster.cuts ? cluster.autoscaling?.grace : nil
        most = grace.map { max($0.nanoseconds / max(world.roundLength.nanoseconds, 1), 1) } ?? .max
    }

    public func begin(of number: Int64) -> Instant { .zero + length * number }
    /// The first that begins then or later.
    public func first(from instant: Instant) -> Int64 {
        (instant.nanoseconds + length.nanoseconds - 1) / length.nanoseconds
    }

    public func number(of instant: Instant) -> Int64 { instant.nanoseconds / length.nanoseconds }
    public func end(of number: Int64) -> Instant { min(.zero + length * (number + 1), horizon) }
    public func isOver(_ instant: Instant) -> Bool { horizon <= instant }
}
