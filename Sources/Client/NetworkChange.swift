public import DeadzoneBase

/// A notification of the operating system about a network: available, lost, validated, blocked and so on.
public struct NetworkChange: Hashable, Sendable, BitwiseCopyable {
    public enum NetworkEventKind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// This network is the default now. Before, the default was another network or none.
        case available
        /// The network will be lost soon (Android's `onLosing`).
        case losing
        /// The network is lost. If no other network exists, there is no default any more.
        case lost
        /// The system has found that the network reaches the internet, or that it no longer does.
        case validated, unvalidated
        /// The app may no longer use the network, or may use it again, although it was never lost (Doze, data saver).
        case blocked, unblocked
        /// A property of the network has changed, in a way that affects no connection.
        case capabilities
    }

    public var kind: NetworkEventKind
    /// The network that the notification concerns.
    public var network: Interface
    /// The system's identifier of the network. The same interface with a new handle is another network.
    public var handle: UInt16
    /// The default network after the change; `nil` if there is none.
    public var now: Interface?
    /// `true` if the default network has changed, so that sockets on the old one no longer work.
    public var replacesDefaultPath: Bool

    public init(
        _ kind: NetworkEventKind, of network: Interface, handle: UInt16 = 0, now: Interface?,
        replacesDefaultPath: Bool = false
    ) {
        self.kind = kind
        self.network = network
        self.handle = handle
        self.now = now
        self.replacesDefaultPath = replacesDefaultPath
    }
}

/// The state of the default network, as the operating system reports it.
public struct NetworkView: Hashable, Sendable, BitwiseCopyable {
    public var path: Interface?
    public var handle: UInt16 = 0
    /// `true` if the system has found that the network reaches the internet.
    public var isValidated = false
    /// `true` if the app may not use the network.
    public var isBlocked = false
    /// `true` if the system takes the network as metered (Android) or expensive (iOS), as mobile data are.
    public var isMetered = false
    /// `true` if a tunnel or data session must be set up before packets can be sent. iOS reports this
    /// (`ConnectionRequired`, `NWPath.Status.requiresConnection`). The first packet may trigger the set-up.
    public var needsConnection = false

    public init(path: Interface? = nil, handle: UInt16 = 0, isValidated: Bool = false) {
        self.path = path
        self.handle = handle
        self.isValidated = isValidated
    }
}
