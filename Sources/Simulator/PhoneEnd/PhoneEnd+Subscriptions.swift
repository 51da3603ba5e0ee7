package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Requests of the client to join subscriptions.
extension PhoneEnd {
    /// Sends a request to join each of the subscriptions, and removes those that were sent.
    /// - Parameter bytes: Payload of one request.
    package mutating func sendJoins(
        _ subscriptions: inout SubscriptionSet, bytes: UInt32, _ slot: Int, at now: Instant,
        _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        guard connections[slot].belief == .open, !connections[slot].isDatagram else { return }
        sendPendingFrames(slot)
        _ = connections[slot].kernel.write(
            .join, &subscriptions, payload: bytes, cause: connections[slot].config.pointee.joinCause,
            connections[slot].upward)
        flush(slot, at: now, &out)
    }
}
