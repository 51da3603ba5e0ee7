import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTransport

/// One connection of a phone as both ends know it, and as it truly is.
struct Line: BitwiseCopyable, Sendable {
    /// What the client believes.
    enum Belief: UInt8, BitwiseCopyable, Sendable {
        case closed, opening, open
    }

    /// What is so.
    enum Truth: UInt8, BitwiseCopyable, Sendable {
        /// There is none.
        case absent
        /// A byte sent now would be answered.
        case working
        /// No coverage; when it returns, the connection works again.
        case blocked
        /// No byte sent on it now or later will ever be answered.
        case dead
    }

    var belief = Belief.closed
    var truth = Truth.absent
    /// When `truth` began.
    var since = Instant.zero
    var carrier = Carrier.stream
    /// The server holds its end of it.
    var serverHolds = false
    /// The server has it in its accept queue: a repeated hello is the same one.
    var isQueued = false
    var interface = Interface.wifi
    /// The interface's epoch it was opened over.
    var epoch: UInt16 = 0
    var generation: UInt16 = 0
    var resuming = Resuming.fresh
    var handshake: Handshake?
    var client = StreamEnd(sending: .up, from: 0, expecting: 0)
    var server = StreamEnd(sending: .down, from: 0, expecting: 0)

    var isResuming: Bool { resuming != .fresh }
}
