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
    /// Calls that the server has seen on the connection.
    var calls: UInt32 = 0
    /// QUIC.
    var moves = Moves()

    struct Taken: BitwiseCopyable, Sendable {
        var connection = HTTP2Credit()
        var stream = HTTP2Credit()
    }

    /// Client's streams have odd numbers (RFC 9113 §5.1.1): the session's is the first, each call has one more.
    var lastStream: UInt32 { 1 + 2 * calls }
}

/// What control bytes on a stream say. It stands in their item's number.
enum Word: Hashable, Sendable {
    /// GOAWAY: the first, and the one that ends the matter with the streams that count.
    case goAway, goAwaySettled
    /// GOAWAY with ENHANCE_YOUR_CALM.
    case tooManyPings
    /// A request that the server may hold, and its answer.
    case poll, pollAnswer
    /// An answer to what was sent, a PUBACK.
    case confirmation
    /// WINDOW_UPDATE of the connection's window, and of the stream's.
    case grant(UInt32), grantStream(UInt32)

    private static let grants: UInt32 = 16

    init?(item: UInt32) {
        switch item {
        case 0: self = .goAway
        case 1: self = .tooManyPings
        case 2: self = .goAwaySettled
        case 3: self = .poll
        case 4: self = .pollAnswer
        case 5: self = .confirmation
        case Self.grants...: self = item & 1 == 0 ? .grant(item >> 1) : .grantStream(item >> 1)
        default: return nil
        }
    }

    var item: UInt32 {
        switch self {
        case .goAway: 0
        case .tooManyPings: 1
        case .goAwaySettled: 2
        case .poll: 3
        case .pollAnswer: 4
        case .confirmation: 5
        // Half a window is far more than the words above.
        case .grant(let bytes): max(bytes, Self.grants) << 1
        case .grantStream(let bytes): max(bytes, Self.grants) << 1 | 1
        }
    }
}

extension Line {
    /// The server may speak only when it was asked.
    var isAnswersOnly: Bool { carrier.kind == .polling || carrier.kind == .longPolling }
    var isHTTP2: Bool { carrier.kind == .http2 }
    var isQUIC: Bool { carrier.kind == .quic }
    /// It outlives its address: it waits for another path.
    var canMove: Bool { belief == .open && talk.moves.isAllowed }
}
