public import DeadzoneClient
public import DeadzoneJournal
public import DeadzonePrimitives

/// What the operating system asks for, in order.
public enum SystemStep: BitwiseCopyable, Sendable, Noting {
    /// For the books.
    case note(Note)
    /// The app is told.
    case tell(Event)
    /// The processor has slept so long.
    case slept(TimeSpan)
    /// It stops the app, or lets it run again; before that it was stopped, or not.
    case stops(wasStopped: Bool)
    /// The process is gone.
    case ended(Kind)
    /// A new process starts.
    case started
    /// The app runs, and can look at what came meanwhile.
    case runs
    /// The firewall closes, or opens, before the app's packets.
    case blocks(Bool)
    /// The kernel takes the sockets of the app.
    case takesSockets
    /// A push that had to wait is asked about again.
    case allowsPushes
    /// What the user and the app can see of the phone may be otherwise than before.
    case looks
}
