/// What one end of a connection has yet to say of its protocol, because its stream had no place for it: each word once, and what
/// can be added up added up. It is said as soon as there is a place, before anything else; so no word is lost to a full socket.
///
///     said ──place──▶ on the stream
///       └─ no place ─▶ owed ──a place, at the next flush──▶ on the stream
public struct Owed: BitwiseCopyable, Sendable {
    /// Bit n: the word whose item is n.
    @usableFromInline var words: UInt16 = 0
    @usableFromInline var confirmations: UInt32 = 0
    @usableFromInline var grant: UInt32 = 0
    @usableFromInline var grantStream: UInt32 = 0
    /// Pongs up to this number; zero: none.
    @usableFromInline var pongs: UInt32 = 0

    public init() {}

    @inlinable public var isEmpty: Bool {
        words == 0 && confirmations == 0 && grant == 0 && grantStream == 0 && pongs == 0
    }

    public mutating func add(_ word: Word) {
        switch word {
        case .confirmation(let count): confirmations = confirmations.addingClamped(count)
        case .grant(let bytes): grant = grant.addingClamped(bytes)
        case .grantStream(let bytes): grantStream = grantStream.addingClamped(bytes)
        case .pong(let number): pongs = number + 1
        default: words |= 1 << word.item
        }
    }

    /// What comes next: pongs, for which there is always a place, and the end of the stream last.
    @inlinable public var first: Word? { isEmpty ? nil : next }

    @usableFromInline var next: Word? {
        if pongs > 0 { return .pong(pongs - 1) }
        if words & ~Self.end != 0 { return Word(item: UInt32((words & ~Self.end).trailingZeroBitCount)) }
        if grant > 0 { return .grant(grant) }
        if grantStream > 0 { return .grantStream(grantStream) }
        if confirmations > 0 { return .confirmation(confirmations) }
        return words == 0 ? nil : .end
    }

    /// It is on the stream.
    public mutating func remove(_ word: Word) {
        switch word {
        case .confirmation: confirmations = 0
        case .grant: grant = 0
        case .grantStream: grantStream = 0
        case .pong: pongs = 0
        default: words &= ~(1 << word.item)
        }
    }

    private static let end: UInt16 = 1 << Word.end.item
}

extension UInt32 {
    /// No window is wider than 2^31 − 1 (RFC 9113 §6.9.1).
    fileprivate func addingClamped(_ more: UInt32) -> UInt32 {
        let (sum, overflow) = addingReportingOverflow(more)
        return Swift.min(overflow ? .max : sum, UInt32(HTTP2Window.largest))
    }
}

/// What control bytes on a stream say. It stands in their item's number.
public enum Word: Hashable, Sendable {
    /// GOAWAY: the first, and the one that ends the matter with the streams that count.
    case goAway, goAwaySettled
    /// GOAWAY with ENHANCE_YOUR_CALM.
    case tooManyPings
    /// A request that the server may hold, and its answer.
    case poll, pollAnswer
    /// A sign of life of the server's that needs no answer. It is never owed: what fills the socket is as good.
    case heartbeat
    /// The session is not opened: not now, or never.
    case turnedAway, turnedAwayForGood
    /// FIN, on a track of its own.
    case end
    /// The server does not know who is there.
    case loginRefused
    /// The client asks for everything anew.
    case resync
    /// Answers to so many messages, PUBACKs.
    case confirmation(UInt32)
    /// WINDOW_UPDATE of the connection's window, and of the stream's.
    case grant(UInt32), grantStream(UInt32)
    /// The answer to the ping of this number, on a track of its own.
    case pong(UInt32)

    private static let grants: UInt32 = 16

    public init?(item: UInt32) {
        switch item {
        case 0: self = .goAway
        case 1: self = .tooManyPings
        case 2: self = .goAwaySettled
        case 3: self = .poll
        case 4: self = .pollAnswer
        case 5: self = .end
        case 6: self = .confirmation(1)
        case 7: self = .heartbeat
        case 8: self = .loginRefused
        case 9: self = .resync
        case 12: self = .turnedAway
        case 13: self = .turnedAwayForGood
        case Self.grants...: self = item & 1 == 0 ? .grant(item >> 1) : .grantStream(item >> 1)
        default: return nil
        }
    }

    public var item: UInt32 {
        switch self {
        case .goAway: 0
        case .tooManyPings: 1
        case .goAwaySettled: 2
        case .poll: 3
        case .pollAnswer: 4
        case .end: 5
        case .confirmation: 6
        case .heartbeat: 7
        case .loginRefused: 8
        case .resync: 9
        case .turnedAway: 12
        case .turnedAwayForGood: 13
        // Half a window is far more than the words above.
        case .grant(let bytes): max(bytes, Self.grants) << 1
        case .grantStream(let bytes): max(bytes, Self.grants) << 1 | 1
        case .pong(let number): number
        }
    }

    public var track: Track {
        switch self {
        case .pong: .pong
        case .end: .finish
        default: .control
        }
    }

    public func bytes(_ framing: Framing) -> UInt32 {
        switch self {
        case .goAway, .goAwaySettled: framing.control(HTTP2Wire.goAway(.noError))
        case .tooManyPings: framing.control(HTTP2Wire.goAway(.enhanceYourCalm))
        case .poll, .pollAnswer, .pong: framing.ping
        // A response of some hundred bytes, or a close frame with its reason (assumed).
        case .turnedAway, .turnedAwayForGood: framing.control(150)
        case .end, .heartbeat: 1
        // The code of RFC 6455 §7.4.1, and little else elsewhere.
        case .loginRefused: framing.control(2)
        // A StreamRequest with a cursor and a session (`Envelope`).
        case .resync: framing.message(41)
        case .confirmation(let count): framing.confirmation * count
        case .grant, .grantStream: framing.control(HTTP2Wire.windowUpdate)
        }
    }
}
