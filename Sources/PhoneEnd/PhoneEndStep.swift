public import DeadzoneClient
public import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// What the phone's end of connections asks for, in order. It knows neither who carries its packets nor what the server has said
/// with them, nor what truly becomes of a connection.
public enum PhoneEndStep: BitwiseCopyable, Sendable, Noting {
    /// For the books.
    case note(Note)
    /// The app is told.
    case tell(Event)
    /// Into the phone's network stack, from this address.
    case leave(Packet, Interface, epoch: UInt16, slot: Int, generation: UInt16)
    /// The library looks again whether there is room for a call.
    case lookAgain(call: UInt32, at: Instant, slot: Int, generation: UInt16)

    // What has come.
    /// Hand over what the server has said, item by item, until there is no more.
    case read(slot: Int)
    /// Messages of the server, on a stream or alone.
    case received(slot: Int, Run)
    case receivedAlone(first: UInt32, last: UInt32, bytes: UInt32, slot: Int)
    /// The server's kernel has confirmed everything of the app's below this.
    case confirmed(slot: Int, before: UInt32)
    /// Everything anew, as it was when the server had written so much.
    case receivedAll(slot: Int, Run)
    /// The server has said what it has of the session.
    case resumed(slot: Int)
    /// The session stands: a server that promises signs of life begins with them.
    case promised(slot: Int)
    /// A sign of life of the server.
    case beat(slot: Int)
    /// The server turns the session away.
    case turnedAway(slot: Int, isPermanent: Bool)

    // What the app believes of its connections.
    /// From now on in this one.
    case opened(slot: Int)
    /// No byte on it will ever be answered, and the phone has found out.
    case died(slot: Int)
    /// No longer in this one.
    case disbelieved(slot: Int)
    /// There is none any more, and nobody is left to believe.
    case ended(slot: Int)
    /// The server was heard on one that the app believes in.
    case heard(slot: Int)
    /// The phone's side gives it up.
    case gaveUp(slot: Int)
    /// Whoever wants no connection waits for none.
    case wantsNone

    // What the server's end takes part in.
    /// Both ends saw the answer come back, so long after what it answers.
    case measured(slot: Int, TimeSpan)
    /// The address is known: datagrams need no more.
    case sendsDatagrams(slot: Int)
    case leftDatagrams(slot: Int)
    /// A call goes on a stream of its own.
    case asked(call: UInt32, slot: Int)
}

/// What the system lets the app do.
public struct Leave: BitwiseCopyable, Sendable {
    public var runs: Bool
    public var mayTalk: Bool

    @inlinable public init(runs: Bool, mayTalk: Bool) {
        self.runs = runs
        self.mayTalk = mayTalk
    }
}
