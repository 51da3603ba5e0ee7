import DeadzoneBase

/// Effects that `Connections` requests from the simulation, in order.
enum ConnectionsEffect: BitwiseCopyable, Sendable, JournalingEffect {
    /// Write a journal entry.
    case note(JournalEntry)
    /// The true state of a connection begins: the client considers it open.
    case stateBegan
    /// The true state of a connection has changed.
    case stateChanged
    /// An outage begins, or the outage that lasts has another cause. `change`: index of the timeline change that led to
    /// it; `nil` if none did.
    case outageBegan(LossCause, change: UInt16?)
    /// The outage is over: a connection works.
    case outageEnded
}
