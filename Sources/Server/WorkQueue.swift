public import DeadzonePrimitives

/// A server's program that does one request after the other, of all clients together: the more come, the longer each takes,
/// and what finds the queue full is refused.
public struct WorkQueue: Sendable {
    /// What one request takes.
    public let serviceTime: TimeSpan
    /// How many may wait beside the one that is worked on.
    public let places: UInt32
    private var freeAt = Instant.zero

    public init(requestsPerSecond: UInt32, places: UInt32) {
        precondition(requestsPerSecond > 0, "a server that does nothing serves no one")
        serviceTime = max(.seconds(1) / Int64(requestsPerSecond), .nanoseconds(1))
        self.places = places
    }

    /// When the request that arrives now is done; nil: the queue is full. Arrivals come in order of time.
    public mutating func offer(at now: Instant) -> Instant? {
        let backlog = max(freeAt, now) - now
        guard backlog <= serviceTime * Int64(places) else { return nil }
        freeAt = max(freeAt, now) + serviceTime
        return freeAt
    }
}
