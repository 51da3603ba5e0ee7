public import DeadzoneClient
import DeadzoneNetwork
public import DeadzonePrimitives
public import DeadzoneProtocols
public import DeadzoneTransport

/// One connection of a phone as its own end knows it.
public struct Line: ~Copyable {
    /// What the client believes.
    public enum Belief: UInt8, BitwiseCopyable, Sendable {
        case closed, opening, open
    }

    public internal(set) var belief = Belief.closed
    @usableFromInline let terms: UnsafePointer<Terms>
    /// The phone has heard what the server's program says to a session; a datagram asks for none.
    var isAnswered = false
    /// The server has told the phone to go away: the library opens no new stream on it.
    public internal(set) var isDismissed = false
    public internal(set) var interface = Interface.wifi
    /// The interface's epoch it was opened over.
    public internal(set) var epoch: UInt16 = 0
    public let generation: UInt16
    /// Bit n: a call whose index ends in n waits in the client's library for room.
    var unasked: UInt64 = 0
    /// The same: a call that went over this connection.
    var asked: UInt64 = 0
    /// The app has had more to say than the window let it, since; `.never`: it has not. The same of its send buffer.
    var shutUpSince = Instant.never
    var fullSince = Instant.never
    public internal(set) var resuming = Resuming.fresh
    /// The connection is gone, and the app, which does not run, has yet to be told.
    public internal(set) var untoldLoss: CloseReason?
    var pings = Pings()
    var talk = Talk()
    public internal(set) var client = TCPEnd()

    /// The way from the server's name to an address of it, and when its next step is due.
    var approach: Approach?
    var approachEnds = Instant.never
    private let anchor = Anchor()

    init(_ terms: UnsafePointer<Terms>, generation: UInt16 = 0) {
        self.terms = terms
        self.generation = generation
    }

    public var carrier: Carrier { terms.pointee.carrier }
    /// As it was made.
    var isUntouched: Bool {
        belief == .closed && generation == 0 && unasked == 0 && approachEnds == .never && client.phase == .closed
    }
    public var isDatagram: Bool { terms.pointee.isDatagram }
    var isHTTP2: Bool { terms.pointee.isHTTP2 }
    @inlinable public var isQUIC: Bool { terms.pointee.isQUIC }
    public var isUDP: Bool { terms.pointee.isUDP }
    public var isEarly: Bool { terms.pointee.isEarly }
    /// It outlives its address: it waits for another path.
    public var canMove: Bool { belief == .open && talk.moves.isAllowed }
    var isResuming: Bool { resuming != .fresh }
    /// How each end is set, for as long as the connection lives.
    public var upward: UnsafePointer<TCPRules> { terms.upward }
    var downward: UnsafePointer<TCPRules> { terms.downward }
    var goodbyeBytes: UInt32 { terms.pointee.goodbyeBytes }
    var setup: Setup { terms.setup(isResuming: isResuming) }

    /// The app could say more, and may not yet; and it was so when that was looked at last.
    @inline(__always)
    var isWaiting: Bool { belief == .open && (client.isBehind || unasked != 0) }
    var wasWaiting: Bool { shutUpSince != .never || fullSince != .never }
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
