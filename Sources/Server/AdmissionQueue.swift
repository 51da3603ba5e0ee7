public import DeadzonePrimitives

/// A server that sets up connections one after the other, first come first served. The queue has no end: what waits too long
/// is given up by its client.
public struct AdmissionQueue: Sendable {
    /// What one connection costs the server.
    public let serviceTime: TimeSpan
    private var freeAt = Instant.zero

    public init(acceptsPerSecond: UInt32) {
        precondition(acceptsPerSecond > 0, "a server that accepts nothing serves no one")
        serviceTime = .seconds(1) / Int64(acceptsPerSecond)
    }

    /// When the connection that arrives now has been set up. Arrivals come in order of time.
    /// - Parameter cost: What this one costs beside, such as its handshake.
    public mutating func admit(at now: Instant, beside cost: TimeSpan = .zero) -> Instant {
        freeAt = max(freeAt, now) + serviceTime + cost
        return freeAt
    }
}
