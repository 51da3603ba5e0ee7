public import DeadzonePrimitives

/// How often one client may ask: a bucket that holds `burst` requests and gains one each `every` (the generic cell rate
/// algorithm, ITU-T I.371 Annex A, which needs one instant to remember).
public struct RateLimit: Hashable, Sendable {
    public let every: TimeSpan
    public let burst: UInt32

    public init(every: TimeSpan, burst: UInt32) {
        precondition(
            every > .zero && burst > 0, "a limit lets something through: \(burst) each \(every.nanoseconds) ns")
        self.every = every
        self.burst = burst
    }

    /// - Parameter fullAt: When the bucket will be full again; `.zero` at first.
    /// - Returns: False if there is nothing in it; then nothing is taken.
    public func admits(at now: Instant, fullAt: inout Instant) -> Bool {
        let next = max(fullAt, now) + every
        guard next - now <= every * Int64(burst) else { return false }
        fullAt = next
        return true
    }
}
