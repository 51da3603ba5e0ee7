import DeadzoneClient
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneTransport

/// One connection of a phone as both ends know it, and as it truly is.
struct Line: ~Copyable {
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
        /// Cut off: no coverage, no internet, a frozen server. When that is over, the connection works again.
        case blocked
        /// No byte sent on it now or later will ever be answered.
        case dead
    }

    var belief = Belief.closed
    var truth = Truth.absent
    /// When the period on the books began: with `truth`, or when an app that believes in a dead connection was last stopped.
    var since = Instant.zero
    /// When it died, if it is dead.
    var diedAt = Instant.never
    /// An earlier connection of the slot that may have been given up for nothing.
    var givenUp: GivenUp?
    let terms: UnsafePointer<Terms>
    /// The server's kernel has its end of it; since when, if it is the server's and no portal's.
    var serverHolds = false
    var heldSince = Instant.never
    /// The server's program serves the phone's session on it.
    var isAttached = false
    /// The phone has heard what the server's program says to a session; a datagram asks for none.
    var isAnswered = false
    /// The server has written its last byte.
    var isEnding = false
    /// The server's program will never look at it: it was accepted while the program was frozen.
    var isForgotten = false
    /// A hello of it has come to the server, which took or refused it.
    var isJudged = false
    /// The server has it in its accept queue.
    var isQueued = false
    /// A portal has answered in the server's name.
    var isCaptured = false
    /// The server wants to know who asks before the session counts.
    var authenticates = false
    /// The server has told the phone to go away: the library opens no new stream on it.
    var isDismissed = false
    var interface = Interface.wifi
    /// The interface's epoch it was opened over.
    var epoch: UInt16 = 0
    let generation: UInt16
    /// Bit n: a call whose index ends in n waits in the client's library for room.
    var unasked: UInt64 = 0
    /// The same: a call that went over this connection, and one that the server's program has seen on it.
    var asked: UInt64 = 0
    var seen: UInt64 = 0
    /// The server has had more to say than the window let it, since; `.never`: it has not.
    var shutSince = Instant.never
    /// The same of the app, and of its send buffer.
    var shutUpSince = Instant.never
    var fullSince = Instant.never
    var resuming = Resuming.fresh
    /// The connection is gone, and the app, which does not run, has yet to be told.
    var untoldLoss: CloseReason?
    /// Where the server went on: the first message that it sends, and what it has of the app's.
    var resumedAt: UInt32 = 0
    var confirmedUp: UInt32 = 0
    /// How far its own count was then.
    var serverSent: UInt32 = 0
    /// Everything anew has yet to be written; the server has promised it.
    var owesSnapshot = false
    var bringsSnapshot = false
    /// When the app last said something, as the server's program knows.
    var saidAt = Instant.zero
    var pings = Pings()
    var talk = Talk()
    var client = TCPEnd()
    var server = TCPEnd()

    /// What the boxes on its path remember of it, of which connection on which address, and when the first of them forgets.
    var mappings = Mappings()
    var mappingsOf: UInt64 = 0
    var mappingEnds = Instant.never
    var mappingState = Mappings.Standing.whole
    /// The way from the server's name to an address of it, and when its next step is due.
    var approach: Approach?
    var approachEnds = Instant.never
    private let anchor = Anchor()

    init(_ terms: UnsafePointer<Terms>, generation: UInt16 = 0) {
        self.terms = terms
        self.generation = generation
    }

    var carrier: Carrier { terms.pointee.carrier }
    /// As it was made.
    var isUntouched: Bool {
        belief == .closed && truth == .absent && !serverHolds && generation == 0 && givenUp == nil && unasked == 0
            && heldSince == .never && mappingEnds == .never && approachEnds == .never && client.phase == .closed
    }
    var isDatagram: Bool { carrier.kind == .datagram }
    var isResuming: Bool { resuming != .fresh }
    /// How each end is set, for as long as the connection lives.
    var upward: TCPRules { terms.pointee.upward }
    var downward: TCPRules { terms.pointee.downward }
    /// Opened with early data, which nobody has seen yet.
    var isUnheard: Bool { belief == .open && upward.isEarly && !isJudged }
    /// What ends it from one side: a TCP segment with RST, a CONNECTION_CLOSE.
    var goodbyeBytes: UInt32 { isQUIC ? QUICWire.close : Wire.tcp }
    var setup: Setup { carrier.setup(isResuming: isResuming, authenticates: authenticates) }
}

/// The pings of an app on one connection, and which of them came back. They come back in order.
struct Pings: BitwiseCopyable, Sendable {
    private(set) var written: UInt32 = 0
    private var answered: UInt32 = 0
    /// When the oldest that is out was written, and the latest.
    private var oldestAt = Instant.never
    private var latestAt = Instant.never

    mutating func wrote(at now: Instant) {
        if answered == written { oldestAt = now }
        latestAt = now
        written += 1
    }

    /// Pongs up to this number have come; how long the oldest of their pings was out.
    mutating func heard(upTo end: UInt32, at now: Instant) -> TimeSpan {
        let span = now - oldestAt
        answered = end
        // Of more than two that are out, those between are taken for the latest.
        oldestAt = latestAt
        return span
    }
}
