public import DeadzonePrimitives

/// What the operating system says about networks.
public struct NetworkChange: Hashable, Sendable, BitwiseCopyable {
    public enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// This network is the default now, in place of another or of none.
        case available
        /// The network will go soon (Android's `onLosing`).
        case losing
        /// The network is gone. Without another one there is no default.
        case lost
        /// The system has found that the network reaches the internet, or that it no longer does.
        case validated, unvalidated
        /// The app may not use the network, or may again, though it never went (Doze, data saver).
        case blocked, unblocked
        /// Something about the same network changed that matters to no connection.
        case capabilities
    }

    public var kind: Kind
    /// What it is about.
    public var network: Interface
    /// The system's name for it: the same interface with a new handle is another network.
    public var handle: UInt16
    /// The default network now, or none.
    public var now: Interface?
    /// Another default network than before: sockets of the old one are of no use.
    public var replacesDefaultPath: Bool

    public init(
        _ kind: Kind, of network: Interface, handle: UInt16 = 0, now: Interface?, replacesDefaultPath: Bool = false
    ) {
        self.kind = kind
        self.network = network
        self.handle = handle
        self.now = now
        self.replacesDefaultPath = replacesDefaultPath
    }
}

/// What the operating system would answer if it were asked about the default network.
public struct NetworkView: Hashable, Sendable, BitwiseCopyable {
    public var path: Interface?
    public var handle: UInt16 = 0
    /// The system has reached the internet over it.
    public var isValidated = false
    /// The app may not use it.
    public var isBlocked = false
    /// Something has to be set up before packets can leave: a tunnel, a data session. iOS says so (`ConnectionRequired`,
    /// `NWPath.Status.requiresConnection`); the first packet that wants to leave may do it.
    public var needsConnection = false

    public init(path: Interface? = nil, handle: UInt16 = 0, isValidated: Bool = false) {
        self.path = path
        self.handle = handle
        self.isValidated = isValidated
    }
}
