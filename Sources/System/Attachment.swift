public import DeadzonePrimitives

/// The network that an interface joins.
public struct Attachment: Hashable, Sendable, BitwiseCopyable {
    /// From the address to the first packet that gets through; the system tells the app before that.
    public var usableAfter: TimeSpan
    /// Nothing but the portal answers until somebody signs in, so long; nil: it is no portal.
    public var portal: TimeSpan?
    /// The system tells the app so much later; nil: as the platform does.
    public var announcedAfter: TimeSpan?

    public init(usableAfter: TimeSpan = .zero, portal: TimeSpan? = nil, announcedAfter: TimeSpan? = nil) {
        self.usableAfter = usableAfter
        self.portal = portal
        self.announcedAfter = announcedAfter
    }

    public static let plain = Attachment()
}

/// What iOS asks before an app's packets may leave over a network.
public enum Access: Hashable, Sendable, BitwiseCopyable {
    /// Nothing, or no longer.
    case open
    /// The user does not let the app use it.
    case refused
    /// A connection has to stand first, a tunnel or a data session. What wants to leave sets it up in so long; nil: nothing does.
    case needsConnection(TimeSpan?)
}

/// Events of networks that change nothing.
public enum Spurious: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Signal strength, bandwidth estimate.
    case capabilities
    /// The default network is announced once more.
    case available
    /// The network is said to be lost, and available again at once.
    case flap
}

/// How the sockets of a lost path learn of it.
public enum OldPath: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// The operating system closes them with an error and says that the network is lost.
    case error
    /// They go on accepting writes that no one will answer; the app hears only of the new network.
    case silent
    /// They do, and the system says that the network is lost: it took it away and told no socket (RFC 9293 §3.5.1).
    case halfOpen
    /// The server's side, or a middlebox, resets them.
    case reset
    /// They are ended in order.
    case ended
}
