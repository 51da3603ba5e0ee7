package import DeadzoneBase

/// The rate limit for one client's requests: a token bucket that holds `burst` requests and gains one each `every`. It
/// uses the generic cell rate algorithm (ITU-T I.371 Annex A), which stores one instant.
package struct RateLimit: Hashable, Sendable {
    package let every: TimeSpan
    package let burst: UInt32

    package init(every: TimeSpan, burst: UInt32) {
        precondition(
            every > .zero && burst > 0, "a rate limit must admit some calls: \(burst) each \(every.nanoseconds) ns")
        self.every = every
        self.burst = burst
    }

    /// Admits one request, if the bucket is not empty.
    /// - Parameter fullAt: Time at which the bucket will be full again; `.zero` at first.
    /// - Returns: `false` if the bucket is empty. The request is then refused, and the state stays the same.
    package func admits(at now: Instant, fullAt: inout Instant) -> Bool {
        let next = max(fullAt, now) + every
        guard next - now <= every * Int64(burst) else { return false }
        fullAt = next
        return true
    }
}
