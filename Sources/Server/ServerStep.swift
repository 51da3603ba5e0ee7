import DeadzoneClient
public import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// What a server asks for, in order. It knows neither who carries its packets nor what becomes of them.
public enum ServerStep: BitwiseCopyable, Sendable, Noting {
    /// For the books.
    case note(Note)
    /// Into the network, towards the phone.
    case leave(Packet, Address, slot: Int, generation: UInt16, sentAt: Instant)
    /// Its program comes back to a matter of this connection later.
    case later(Matter, at: Instant, slot: Int, generation: UInt16)
    /// The instances that all phones share take it in their order.
    case queue(Arrival)
    /// One of them no longer has a connection, and the balancer counts.
    case left(instance: UInt8)
    /// Its program reads: hand over what the phone has written, one by one, until there is no more.
    case read(slot: Int, Reading)
    /// Its program goes on after a pause: it reads, and the phone hears that it can say more if it could not.
    case thaw(slot: Int)
    /// Everything that could leave has left.
    case flushed(slot: Int)
    /// A connection may be truly another than before.
    case changed
    /// The session is on a connection from now on: what was broken is whole.
    case attached
    /// It goes on with this message, and will not send what lies before it, though it was asked for if `isGap`.
    case goesOn(slot: Int, at: UInt32, isGap: Bool)
    /// It begins with everything anew.
    case beginsAnew(slot: Int, at: UInt32, isAsked: Bool)
    /// It had something to say, of which connections that were given up would have heard.
    case wrote
    /// It took messages of the app from here on though it had taken none from `next` on: those between do not come.
    case passedUp(from: UInt32, upTo: UInt32)
    /// Datagrams of the app below this have come or are gone.
    case cameUp(before: UInt32)
    /// The push service shall wake the app; `isForPending`: if there is anything that the phone does not have.
    case push(isUrgent: Bool, isForPending: Bool)
    /// The program looks again whether there is something to announce.
    case announcePending
}

/// What a program comes back to.
public enum Matter: Hashable, Sendable, BitwiseCopyable {
    /// The session that was asked for.
    case session
    /// The answer to a call.
    case answer(UInt32)
    /// The refusal of a call that waited in vain.
    case refusal(UInt32)
    /// Room for an answer that found none.
    case room(UInt32)
}

/// Why a program reads, and so what it does when it has read.
public enum Reading: Hashable, Sendable, BitwiseCopyable {
    /// Something has come.
    case news
    /// It goes on after a pause. `wasHeldBack`: the phone could not say more, and hears now that it can.
    case thaw(wasHeldBack: Bool)
}

/// Where a phone is reached: an address of one of its interfaces.
public struct Address: Hashable, Sendable, BitwiseCopyable {
    public var interface: Interface
    public var epoch: UInt16

    public init(_ interface: Interface, epoch: UInt16) {
        self.interface = interface
        self.epoch = epoch
    }
}

/// What has reached the server that all phones share.
public struct Arrival: Sendable, BitwiseCopyable {
    public var at: Instant
    /// Whose it is; the lane's to fill in.
    public var lane: UInt32 = 0
    /// Its place among the arrivals of its lane.
    public var sequence: UInt32
    // In this order it takes four words, where those of a whole herd may lie at once.
    public var matter: Matter
    private var place: UInt8
    public var generation: UInt16
    /// Who has its connection; nil: nobody yet, or nobody in particular.
    public var instance: UInt8?

    public var slot: Int { Int(place) }

    public enum Matter: Hashable, Sendable, BitwiseCopyable {
        /// Its session is asked for, and its TLS has cost the server so much.
        case session(handshake: TimeSpan)
        case call(UInt32)
    }

    init(at: Instant, sequence: UInt32, slot: Int, generation: UInt16, instance: UInt8?, matter: Matter) {
        self.at = at
        self.sequence = sequence
        self.matter = matter
        place = UInt8(slot)
        self.generation = generation
        self.instance = instance
    }
}

/// What a client says of itself whenever it asks for a session or sends messages.
public struct Introduction: Hashable, Sendable, BitwiseCopyable {
    /// The life of the server that its cursor counts in; 0: of none in particular.
    public var epoch: UInt32
    /// Each message has a key of its own.
    public var keysMessages: Bool

    public init(epoch: UInt32, keysMessages: Bool) {
        self.epoch = epoch
        self.keysMessages = keysMessages
    }
}

/// What the server says with the session (see `DeadzoneClient.Greeting`).
public struct SessionStart: Hashable, Sendable, BitwiseCopyable {
    /// The first message that it sends, what it has of the app's, and how far its own count was.
    public internal(set) var resumedAt: UInt32 = 0
    public internal(set) var confirmedUp: UInt32 = 0
    public internal(set) var sent: UInt32 = 0
    public internal(set) var bringsSnapshot = false
}
