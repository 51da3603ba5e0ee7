public import DeadzoneClient
public import DeadzoneJournal
public import DeadzonePrimitives

/// What networks that come and go ask for, in order.
public enum NetworksStep: BitwiseCopyable, Sendable, Noting {
    /// For the books.
    case note(Note)
    /// The system tells the app.
    case tell(NetworkChange)
    /// The interface has an address, and its links begin anew.
    case attached(Interface)
    /// It has none any more, and what waits for its radio is gone.
    case detached(Interface)
    /// Sockets of a network that is gone, or of one of its addresses, learn of it in this manner. `isReplaced`: a better
    /// network has taken its place.
    case endSockets(Interface, address: UInt16?, OldPath, isReplaced: Bool)
    /// Streams that the system keeps for an app are told that they lead nowhere, unless they are on the default network.
    case endStreams
}
