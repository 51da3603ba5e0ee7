import DeadzoneClient
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// What the programs at both ends of a connection remember of the protocol that they speak over its stream.
struct Talk: BitwiseCopyable, Sendable {
    /// The server's, of HTTP/2: what it makes of pings, and how far it is with saying goodbye.
    var policy = PingPolicy()
    var draining = HTTP2Draining(grace: .zero)
    /// The server's, of a long poll.
    var exchange = Exchange(patience: .zero)
    /// What each end has taken of the other's stream and not granted anew, of HTTP/2.
    var takenUp = Taken()
    var takenDown = Taken()
    /// What has come for an app that does not run, in bytes.
    var unreadBytes = (connection: UInt32.zero, stream: UInt32.zero)
    /// What the phone's library and the server's program have yet to say, for want of a place.
    var owedUp = Owed()
    var owedDown = Owed()
    /// Calls that the server has seen on the connection, and those of them that it has yet to answer.
    var calls: UInt32 = 0
    var openCalls: UInt32 = 0
    /// The phone has been told that the server does not know who it is.
    var isDenied = false
    /// QUIC.
    var moves = Moves()
    /// What the server's program has said of the app's messages, and the app of the server's.
    var receipts = Receipts()
    var receiptsDown = Receipts()
    /// The server's: its keepalive, its heartbeat, and how long it keeps the connection.
    var probe = Heartbeat.State()
    var beat = Heartbeat.State()
    var limits = ConnectionLimits.State()
    var beatsSent: UInt32 = 0
    /// The phone's: pings of the server that wait for the app to run.
    var unread = Numbers()
    /// The session is on a newer connection; this one finishes what was begun on it.
    var isPassedOn = false

    /// Numbers of pings.
    struct Numbers: BitwiseCopyable, Sendable {
        var first: UInt32 = 0
        var last: UInt32 = 0

        mutating func add(_ run: Run) {
            if first == last { first = run.first }
            last = run.last
        }
    }

    struct Taken: BitwiseCopyable, Sendable {
        var connection = HTTP2Credit()
        var stream = HTTP2Credit()

        init() {}

        init(window: HTTP2Allowance) {
            connection = HTTP2Credit(window: window.connection.open)
            stream = HTTP2Credit(window: window.stream.open)
        }
    }

    /// Client's streams have odd numbers (RFC 9113 §5.1.1): the session's is the first, each call has one more.
    var lastStream: UInt32 { 1 + 2 * calls }

    mutating func answered() { openCalls -= min(openCalls, 1) }
}

extension Line {
    /// The server may speak only when it was asked.
    var isAnswersOnly: Bool { carrier.kind == .polling || carrier.kind == .longPolling }
    var isHTTP2: Bool { carrier.kind == .http2 }
    var isQUIC: Bool { carrier.kind == .quic }
    /// As the server sees it: the session's stream is open for as long as the connection, a call's until it is answered.
    var hasStreams: Bool { (carrier.holdsStream && !talk.isPassedOn) || talk.openCalls > 0 }
    /// It outlives its address: it waits for another path.
    var canMove: Bool { belief == .open && talk.moves.isAllowed }
}
