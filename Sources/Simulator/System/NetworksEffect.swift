package import DeadzoneBase
package import DeadzoneClient

/// Effects that `Networks` requests from the simulation, in order, such as a notification to the app.
package enum NetworksEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Write a journal entry.
    case note(JournalEntry)
    /// Notify the app of a network change.
    case notifyApp(NetworkChange)
    /// The interface has got an address. Its links start with empty queues.
    case attached(Interface)
    /// The interface has lost its address. Packets that wait for its radio are dropped.
    case detached(Interface)
    /// The sockets of a network that is gone receive this signal; with `address`, only the sockets of that address.
    /// `isReplaced`: a better network has taken its place.
    case endSockets(Interface, address: UInt16?, PathLossSignal, isReplaced: Bool)
    /// Close the app's streams of the system's network framework, unless they are on the default network.
    case endStreams
}
