import DeadzoneBase

/// Effects that `Connections` requests from the simulation, in order.
enum ConnectionsEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Write a journal entry.
    case note(JournalEntry)
    /// The true state of a connection that the client considered open has changed.
    case stateChanged
    /// `Connections.outage` has begun, has ended, or has another cause.
    case outageChanged
}
