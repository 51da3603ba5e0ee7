import DeadzoneBase
import DeadzoneTransport

/// The true state of one connection, which only the simulation knows, independently of what each end believes.
struct ConnectionTruth: BitwiseCopyable {
    enum State: UInt8, BitwiseCopyable {
        /// There is no connection.
        case absent
        /// The connection works: a byte sent now would be answered.
        case working
        /// The connection is cut off: no coverage, no internet, or a frozen server. It works again when the cause is
        /// over.
        case blocked
        /// No byte sent on it, now or later, will ever be answered.
        case dead
    }

    var state = State.absent
    /// `true` if the connection is one of the paths to a peer.
    var isPeerPath = false
    /// Start of the period that is being recorded: when `state` last changed. For a dead connection that the client
    /// believes open, a new period also starts when the system stops the app or lets it run again.
    var since = Instant.zero
    /// Time at which the connection died. Valid only while `state` is `dead`.
    var diedAt = Instant.never
    /// The slot's previous connection, if the phone closed it while it was cut off and it might still have worked
    /// again; otherwise `nil`.
    var abandoned: AbandonedConnection?

    var isUntouched: Bool { state == .absent && abandoned == nil }
}
