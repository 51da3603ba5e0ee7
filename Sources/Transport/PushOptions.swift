package import DeadzoneBase

/// Priority of the push that a server requests when it has a message for a phone without a connection.
package enum PushPolicy: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case none, normal, high
}

/// The options with which a server passes a message to a push service.
package struct PushOptions: Hashable, Sendable, BitwiseCopyable {
    package var priority: PushPolicy
    /// Number of different collapse keys of the messages: a newer message replaces a waiting one with the same key. 0
    /// if messages have no key, so that each waits by itself.
    package var collapseKeys: UInt16 = 1
    /// Time for which the push service stores a message that it cannot deliver; zero stores none.
    package var timeToLive = longestTimeToLive

    /// Firebase Cloud Messaging stores a message for at most four weeks, which is also its default
    /// (firebase.google.com/docs/cloud-messaging, "Set the lifespan of a message").
    package static let longestTimeToLive = TimeSpan.hours(24 * 28)

    package init(priority: PushPolicy) { self.priority = priority }
}
