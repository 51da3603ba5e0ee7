package import DeadzoneBase

/// Properties of the network that an interface joins: delays until it is usable, and a captive portal.
package struct Attachment: Hashable, Sendable, BitwiseCopyable {
    /// Time from getting the address to the first packet that passes. The system notifies the app at the beginning of
    /// this time.
    package var usableAfter: TimeSpan
    /// Time until the user signs in at a captive portal. Only the portal answers before. `nil` without a portal.
    package var portal: TimeSpan?
    /// Delay of the system's notification to the app; `nil` for the platform's own delay.
    package var announcedAfter: TimeSpan?
    /// `true` if the system takes the network as metered; `nil` for what it takes an interface of its kind for.
    package var isMetered: Bool?
    /// The hosts that packets from the network can reach.
    package var reach: Reach

    package init(
        usableAfter: TimeSpan = .zero, portal: TimeSpan? = nil, announcedAfter: TimeSpan? = nil,
        isMetered: Bool? = nil, reach: Reach = .all
    ) {
        self.reach = reach
        self.usableAfter = usableAfter
        self.portal = portal
        self.announcedAfter = announcedAfter
        self.isMetered = isMetered
    }

    package static let plain = Attachment()
}

/// A notification of the operating system about a network that has not really changed.
package enum SpuriousEvent: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The signal strength or the bandwidth estimate changed.
    case capabilities
    /// The network is announced as available once more.
    case available
    /// The network is announced as lost, and as available again immediately.
    case flap
}

/// How the sockets of a lost network path notice the loss, if they notice it.
package enum PathLossSignal: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The operating system closes the sockets with an error and announces the loss of the network.
    case error
    /// The sockets continue to accept writes that are never answered. The app is notified only of the new network.
    case silent
    /// Like `silent`, but the system announces the loss of the network. It removed the network without notifying any
    /// socket (RFC 9293 §3.5.1).
    case halfOpen
    /// The server's side or a middlebox resets the connections.
    case reset
    /// The connections are closed gracefully.
    case ended
}
