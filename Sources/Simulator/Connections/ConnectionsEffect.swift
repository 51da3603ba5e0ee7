import DeadzoneBase

/// Effects that `Connections` requests from the simulation, in order.
enum ConnectionsEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Write a journal entry.
    case note(JournalEntry)
    /// The true state of a connection begins: the client considers it open.
    case stateBegan
    /// The true state of a connection has changed.
    case stateChanged
}
