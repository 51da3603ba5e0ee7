public import DeadzonePrimitives

/// Everything a strategy is ever told. A closed list: it can be logged, compared and replayed.
public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// The process runs; no connection, and no timer but the alarms and jobs that one before it has left with the system
    /// (Android).
    case started
    /// The server answered: a session goes on from `resumedAt`, or begins with what is new.
    case opened(ConnectionSlot, resumedAt: Cursor)
    /// The server has said its part of the set-up: its SETTINGS in HTTP/2, its answer to an upgrade or a first request. Where
    /// the app may speak before that, it comes later than `opened`.
    case greeted(ConnectionSlot)
    case failed(ConnectionSlot, Failure)
    /// The server will not open the session. It ends the connection, which is told next.
    case turnedAway(ConnectionSlot, SessionRefusal)
    case closed(ConnectionSlot, CloseReason)
    /// Everything up to the cursor is here.
    case received(ConnectionSlot, upTo: Cursor, bytes: UInt32)
    /// The server has everything of ours up to the cursor.
    case acknowledged(ConnectionSlot, Cursor)
    /// The server has answered the call of this index.
    case answered(ConnectionSlot, call: UInt32)
    /// The server has answered the call with an error.
    case rejected(ConnectionSlot, call: UInt32, CallRefusal)
    case pong(ConnectionSlot, after: TimeSpan)
    /// The server gave a sign of life by itself; `every`: how often it wants one of each end, zero if it does not say.
    case heartbeat(ConnectionSlot, every: TimeSpan)
    /// The server will take nothing new on this connection and close it soon.
    case goingAway(ConnectionSlot, GoAway)
    /// The socket takes no more until `writable`: what was handed over waits in the app.
    case stalled(ConnectionSlot)
    /// It does again.
    case writable(ConnectionSlot)
    case fired(TimerSlot)
    case network(NetworkChange)
    case app(AppChange)
    /// The push service woke the app: there is something new at the server.
    case pushWoken
    case wantsToSend(Message)
    /// The app asks the server something and waits for the answer.
    case wantsToCall(Message)
    /// What the server says to a client that resumes: before `opened` where its answer is awaited, afterwards where it is not.
    case resumed(ConnectionSlot, Greeting)
}

/// A server's answer to a client that resumes.
public struct Greeting: Hashable, Sendable, BitwiseCopyable {
    /// Which life of the server its numbers are of; 0: it does not say.
    public var epoch: UInt32
    /// The number after its newest message: what it has sent, by its own count.
    public var sent: Cursor
    /// It has everything of the client's below this.
    public var received: Cursor
    /// It goes on here. Behind the client's cursor: what lies between does not come any more.
    public var next: Cursor
    /// Everything below `next` comes in one piece.
    public var bringsSnapshot: Bool

    public init(
        epoch: UInt32 = 0, sent: Cursor, received: Cursor, next: Cursor, bringsSnapshot: Bool = false
    ) {
        self.epoch = epoch
        self.sent = sent
        self.received = received
        self.next = next
        self.bringsSnapshot = bringsSnapshot
    }
}

extension Event {
    /// The connection that it is about.
    public var connection: ConnectionSlot? {
        switch self {
        case .opened(let slot, _), .greeted(let slot), .failed(let slot, _), .turnedAway(let slot, _),
            .closed(let slot, _),
            .received(let slot, _, _),
            .acknowledged(let slot, _), .pong(let slot, _), .answered(let slot, _), .rejected(let slot, _, _),
            .goingAway(let slot, _),
            .heartbeat(let slot, _), .stalled(let slot), .writable(let slot), .resumed(let slot, _):
            slot
        case .started, .fired, .network, .app, .pushWoken, .wantsToSend, .wantsToCall: nil
        }
    }
}

/// Why an attempt never opened.
public enum Failure: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system names no network.
    case noPath
    /// The transport gave up waiting.
    case timedOut
    case refused
    /// The server's name could not be resolved.
    case unresolved
    /// Somebody else answered, who could not prove to be the server: a captive portal.
    case untrusted
    /// The server answered that it will not open the session.
    case turnedAway
}

/// Why a server would not open a session: HTTP's 503 or 401, a close code, an error of a stream.
public struct SessionRefusal: Hashable, Sendable, BitwiseCopyable {
    /// It never will.
    public var isPermanent: Bool
    /// Retry-After: when it may be asked again, as it wishes.
    public var retryAfter: TimeSpan?

    public init(isPermanent: Bool, retryAfter: TimeSpan? = nil) {
        self.isPermanent = isPermanent
        self.retryAfter = retryAfter
    }
}

/// Why a connection that was open is so no longer, as its owner was told.
public enum CloseReason: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system took the network away and said so.
    case pathLost
    /// The transport gave up retransmitting.
    case timedOut
    /// The server, or a middlebox in its name, reset it.
    case reset
    /// The server ended it in order.
    case ended
    /// The server ended it because it does not know who is there: trying again as the same changes nothing.
    case denied
}

/// Why a server says goodbye (RFC 9113 §6.8, §7).
public enum GoAway: UInt8, Hashable, Sendable, BitwiseCopyable {
    case noError
    /// ENHANCE_YOUR_CALM with `too_many_pings`.
    case tooManyPings
}

/// How a call ended that was not answered in time, as the app is told: some of gRPC's status codes.
public enum CallFailure: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case deadlineExceeded
    /// No connection, or a server that cannot now.
    case unavailable
    /// Too much was asked of the server, or by this client.
    case resourceExhausted
    /// The server will never do it.
    case permissionDenied
}

/// What the operating system says to the app about itself.
public enum AppChange: UInt8, Hashable, Sendable, BitwiseCopyable {
    case foreground, background
    /// The time that the system grants in the background is nearly over.
    case expiring
    /// The system grants some time in the background.
    case refresh
    /// Battery saver was turned on, or off: `Session.isSaving` says which. What `ACTION_POWER_SAVE_MODE_CHANGED` and
    /// `NSProcessInfoPowerStateDidChange` tell whoever runs.
    case batterySaver
}
