package import DeadzoneBase
import DeadzoneTransport

/// Rules of a push service that stores the pushes of a phone, and the usual options of the server's messages.
package struct PushQueueRules: Hashable, Sendable, BitwiseCopyable {
    /// As in `PushOptions`, for messages without options of their own.
    package var collapseKeys: UInt16 = 1
    /// As in `PushOptions`, for messages without options of their own.
    package var timeToLive = PushOptions.longestTimeToLive
    /// Maximum number of pushes without a collapse key that wait for a phone. One more discards all pushes that wait,
    /// and the app is notified of it. 100 in Firebase Cloud Messaging
    /// (firebase.google.com/docs/cloud-messaging/customize-messages/collapsible-message-types).
    package var pendingLimit: UInt16 = 100
    /// Maximum number of different collapse keys that wait for a phone: 4 in Firebase Cloud Messaging (same page, which
    /// says that any of them may be dropped; assumed here: the oldest).
    package var keyLimit: UInt8 = 4

    package init() {}

    /// First address of the random collapse keys; beyond those of calls, sessions, tokens and refusals.
    private static let keyAddress: UInt64 = 1 << 43

    /// Chooses the options of the push for a message. Messages of different streams have different collapse keys.
    /// - Parameter own: Options of the message's stream, if it has any.
    /// - Returns: The collapse key, or 0 for none; and the time to live.
    func options(
        of message: UInt32, _ own: (options: PushOptions, stream: UInt16)?, _ dice: Dice
    ) -> (key: UInt32, timeToLive: TimeSpan) {
        let timeToLive = own?.options.timeToLive ?? timeToLive
        let keys = own?.options.collapseKeys ?? collapseKeys
        guard keys > 0 else { return (0, timeToLive) }
        let number = UInt32(dice.at(Self.keyAddress + UInt64(message)).scaled(below: UInt64(keys)) + 1)
        return (UInt32(own.map { $0.stream + 1 } ?? 0) << 16 | number, timeToLive)
    }
}
