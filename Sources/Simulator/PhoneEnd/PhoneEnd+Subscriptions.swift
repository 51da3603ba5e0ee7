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
        let rules = connections[slot].upward
        let size = rules.pointee.framing.message(bytes)
        var rest = subscriptions
        while let numbers = rest.popRange() {
            let first = SubscriptionFrame(.join, UInt8(numbers.lowerBound)).item
            guard
                connections[slot].kernel.write(
                    .subscription, first, upTo: first + UInt32(numbers.count), bytes: size * UInt32(numbers.count),
                    cause: connections[slot].config.pointee.joinCause, rules)
            else { break }
            subscriptions = rest
        }
        flush(slot, at: now, &out)
    }
}
