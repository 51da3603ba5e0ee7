public import DeadzoneBase

/// An event that a strategy handles: data has arrived, a timer has fired, the network or the app has changed. The list
/// of events is closed, so events can be logged, compared and replayed.
public enum Event: Hashable, Sendable, BitwiseCopyable {
    /// The app's process has started. No connection exists. No timer exists, except alarms and jobs that an earlier
    /// process left with the system (Android).
    case started
    /// The connection is open for the app's data. The message stream continues at `resumedAt`, or starts there with new
    /// messages only.
    case opened(ConnectionSlot, resumedAt: Cursor)
    /// The server has sent its part of the connection set-up: its SETTINGS in HTTP/2, its answer to an upgrade or to a
    /// first request. If the app may send before that, this event comes after `opened`.
    case serverResponded(ConnectionSlot)
    case failed(ConnectionSlot, ConnectFailure)
    /// The server refuses the session. It also ends the connection, which the next event reports.
    case sessionRefused(ConnectionSlot, SessionRefusal)
    case closed(ConnectionSlot, CloseReason)
    /// The server has stated a code for the end that the next event reports: a close code, an HTTP status, or the
    /// reason code of another protocol.
    case codeStated(ConnectionSlot, UInt16)
    /// All messages of the server up to the cursor have arrived.
    case received(ConnectionSlot, upTo: Cursor, bytes: UInt32)
    /// The server has confirmed that it received all the app's messages up to the cursor.
    case acknowledged(ConnectionSlot, Cursor)
    /// The server's program has refused the app's message at the cursor; it has all earlier messages. It ignores the
    /// later ones until the client sends them again (`sendAgain`).
    case messageRefused(ConnectionSlot, Cursor, MessageRefusal)
    /// The server has answered how much of the app's first message it has (`askOffset`).
    case offsetStated(ConnectionSlot)
    /// The server has joined subscriptions, has refused to, or has ended them. Only a server with `streams` does so.
    case subscriptions(ConnectionSlot, SubscriptionChange, SubscriptionSet)
    /// The server has answered the call with this index.
    case answered(ConnectionSlot, call: UInt32)
    /// The server has answered the call with this index with an error.
    case rejected(ConnectionSlot, call: UInt32, CallRefusal)
    case pong(ConnectionSlot, after: TimeSpan)
    /// The server has sent a heartbeat of its own. `every` is the interval at which each end should send heartbeats;
    /// zero if the server states none.
    case heartbeat(ConnectionSlot, every: TimeSpan)
    /// The server has announced that it accepts no new streams or calls on this connection and will close it soon.
    case goingAway(ConnectionSlot, GoAway)
    /// The socket accepts no more data until the event `writable`. Data that was sent meanwhile waits in the app.
    case stalled(ConnectionSlot)
    /// The socket accepts data again.
    case writable(ConnectionSlot)
    case fired(TimerSlot)
    case network(NetworkChange)
    /// The app's credentials have changed, or a request for new ones has failed. Before `started`, a new process gets
    /// the stored token. Only a server that uses credentials causes this event.
    case credentials(CredentialsChange)
    case app(AppChange)
    /// The push service has woken the app, because the server has something new.
    case pushWoken
    /// The push service has discarded the pushes that waited for the app, because there were too many
    /// (`onDeletedMessages` of Firebase Cloud Messaging).
    case pushesDiscarded
    /// The app's push token has become void, and the system has a new one (`onNewToken`). The server cannot wake the
    /// app until it knows the new token.
    case pushTokenChanged
    case wantsToSend(Message)
    /// The app makes a call to the server and waits for the answer.
    case wantsToCall(Message)
    /// The server has answered the client's resume request. This event comes before `opened` if opening waits for the
    /// answer, otherwise after it.
    case resumeResponse(ConnectionSlot, ResumeResponse)
}

/// A server's answer to a client's request to resume: at which positions both message streams continue.
public struct ResumeResponse: Hashable, Sendable, BitwiseCopyable {
    /// The server epoch (incarnation) that the positions in this answer belong to; 0 if the server does not state one.
    public var epoch: UInt32
    /// Position after the server's newest message: the number of messages that it has sent, by its own count.
    public var sent: Cursor
    /// The server has received all the client's messages below this cursor.
    public var received: Cursor
    /// Position at which the server continues to send. If it is beyond the client's cursor, the server no longer sends
    /// the messages in between.
    public var next: Cursor
    /// `true` if the server sends everything below `next` as one snapshot.
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
    /// The connection that the event concerns; `nil` if it concerns none.
    public var connection: ConnectionSlot? {
        switch self {
        case .opened(let slot, _), .serverResponded(let slot), .failed(let slot, _), .sessionRefused(let slot, _),
            .closed(let slot, _), .codeStated(let slot, _),
            .received(let slot, _, _),
            .acknowledged(let slot, _), .messageRefused(let slot, _, _), .offsetStated(let slot), .pong(let slot, _),
            .subscriptions(let slot, _, _),
            .answered(let slot, _), .rejected(let slot, _, _),
            .goingAway(let slot, _),
            .heartbeat(let slot, _), .stalled(let slot), .writable(let slot), .resumeResponse(let slot, _):
            slot
        case .started, .fired, .network, .credentials, .app, .pushWoken, .pushesDiscarded, .pushTokenChanged,
            .wantsToSend, .wantsToCall:
            nil
        }
    }
}

/// Reason for which an attempt to connect failed before the connection opened.
public enum ConnectFailure: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system reports no network.
    case noPath
    /// The transport timed out before the connection opened.
    case timedOut
    case refused
    /// The server's name could not be resolved.
    case unresolved
    /// Another host answered and could not prove to be the server: a captive portal.
    case untrusted
    /// The server refused the session.
    case sessionRefused
}

/// A server's refusal of a session: HTTP's 503 or 401, a close code, or a stream error.
public struct SessionRefusal: Hashable, Sendable, BitwiseCopyable {
    /// `true` if the server will also refuse later attempts.
    public var isPermanent: Bool
    /// Time to wait before another attempt, as the server requests (Retry-After); `nil` if it requests none.
    public var retryAfter: TimeSpan?

    public init(isPermanent: Bool, retryAfter: TimeSpan? = nil) {
        self.isPermanent = isPermanent
        self.retryAfter = retryAfter
    }
}

/// Reason for which an open connection has ended, as reported to the client.
public enum CloseReason: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The operating system removed the network and reported it.
    case pathLost
    /// The transport gave up retransmitting unacknowledged data.
    case timedOut
    /// The server, or a middlebox on its behalf, reset the connection.
    case reset
    /// The server closed the connection gracefully.
    case ended
    /// The server ended the connection because it does not accept the client's credentials. Another attempt with the
    /// same credentials is refused as well.
    case denied
    /// The server's program ended the session's stream with success, and then the connection: gRPC's status OK, close
    /// code 1000 of a WebSocket.
    case completed
}

/// Reason that a server states in GOAWAY, the announcement that it ends a connection (RFC 9113 §6.8, §7).
public enum GoAway: UInt8, Hashable, Sendable, BitwiseCopyable {
    case noError
    /// The client sent too many pings: ENHANCE_YOUR_CALM with `too_many_pings`.
    case tooManyPings
}

/// Reason for which a call failed, as reported to the app: some of gRPC's status codes.
public enum CallFailure: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case deadlineExceeded
    /// There was no connection, or the server is temporarily unable to answer.
    case unavailable
    /// The server received too many requests, in total or from this client.
    case resourceExhausted
    /// The server refuses the call permanently.
    case permissionDenied
}

/// A notification of the operating system about the app itself, such as a move to the background.
public enum AppChange: UInt8, Hashable, Sendable, BitwiseCopyable {
    case foreground, background
    /// The time that the system grants the app in the background is nearly over.
    case expiring
    /// The system grants the app some time in the background (background refresh).
    case refresh
    /// Battery saver was switched on or off; `Session.isBatterySaverOn` has the new state. The running app receives
    /// it as `ACTION_POWER_SAVE_MODE_CHANGED` or `NSProcessInfoPowerStateDidChange`.
    case batterySaver
    /// The system has ended the app's foreground service, because its time is over or the user restricted the app. The
    /// app receives it as `Service.onTimeout`.
    case serviceEnded
}
