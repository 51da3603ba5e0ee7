import DeadzoneClient
import DeadzoneTransport

/// The subscriptions of one phone as the client's library sees them: which ones it takes for joined, and which requests
/// it has yet to send. Only phones with `streams` at both ends have it.
struct ClientSubscriptions: BitwiseCopyable {
    /// Subscriptions that the client takes for joined.
    private(set) var believed = SubscriptionSet.empty
    /// Subscriptions that the client has ever asked to join.
    private(set) var asked = SubscriptionSet.empty
    /// Requests that the send queue has not taken yet, and the slot of their connection.
    var pendingJoins = SubscriptionSet.empty
    private(set) var joinSlot: UInt8 = 0

    /// Notes that the client asks to join subscriptions on a connection.
    mutating func ask(for subscriptions: SubscriptionSet, _ slot: Int) {
        asked.formUnion(subscriptions)
        believed.subtract(subscriptions)
        pendingJoins.formUnion(subscriptions)
        joinSlot = UInt8(slot)
    }

    /// Applies an answer of the server, or an end that it tells.
    /// - Parameter keepsEnded: `true` if the client goes on to take ended subscriptions for joined.
    mutating func apply(_ change: SubscriptionChange, _ subscriptions: SubscriptionSet, keepsEnded: Bool) {
        switch change {
        case .joined: believed.formUnion(subscriptions)
        case .ended where !keepsEnded: believed.subtract(subscriptions)
        case .ended, .refused: break
        }
    }
}
