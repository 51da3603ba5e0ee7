import DeadzoneBase
import DeadzoneClient

/// The time for which subscriptions were not joined on an open connection, and the present period in which the client
/// takes a dead one for joined (the client is deaf).
struct SubscriptionPeriods: BitwiseCopyable {
    private var measuredAt = Instant.zero
    private var outCount: UInt8 = 0
    private var deafSince = Instant.never
    /// Time in which subscriptions were not joined on an open connection, as a sum over the subscriptions.
    private(set) var outTime = TimeSpan.zero

    /// Updates the measured times after a change.
    /// - Parameters:
    ///   - dead: Subscriptions that are not joined; empty without an open connection.
    ///   - believed: Subscriptions that the client takes for joined.
    /// - Returns: The length of a deaf period that ends now; otherwise `nil`.
    mutating func update(dead: SubscriptionSet, believed: SubscriptionSet, at now: Instant) -> TimeSpan? {
        outTime = outTime + (now - measuredAt) * Int64(outCount)
        measuredAt = now
        outCount = UInt8(dead.count)
        let isDeaf = !dead.intersection(believed).isEmpty
        guard isDeaf != (deafSince != .never) else { return nil }
        let since = deafSince
        deafSince = isDeaf ? now : .never
        // A new connection joins its subscriptions at the instant at which it opens.
        return isDeaf || since == now ? nil : now - since
    }
}
