public import DeadzonePrimitives

/// What a server does about clients that ping too often (gRFC A8).
///
/// The automaton is that of grpc/grpc `src/core/ext/transport/chttp2/transport/ping_abuse_policy.cc` and of grpc-go
/// `internal/transport/http2_server.go` `handlePing`: a ping is compared with the one before it, good or bad; a good one takes
/// no strike back; anything the server says clears everything. Other servers compare with the last *good* ping (gRFC A8 as
/// written, swift-nio-transport), count from the birth of the connection (grpc-java) or forgive with every good ping
/// (grpc-swift 1): those differ in `receive` alone.
public struct PingPolicy: Hashable, Sendable, BitwiseCopyable {
    /// PERMIT_KEEPALIVE_TIME of gRFC A8.
    public static let floor = TimeSpan.minutes(5)
    /// What A8 asks for where no stream is open and PERMIT_WITHOUT_CALLS is off.
    public static let floorWithoutStreams = TimeSpan.hours(2)
    /// MAX_PING_STRIKES of gRFC A8: the next one is the last.
    public static let strikes: UInt8 = 2

    public let floor: TimeSpan
    public let floorWithoutStreams: TimeSpan
    /// Zero: nobody is ever sent away.
    public let strikesAllowed: UInt8
    public private(set) var strikes: UInt8 = 0
    /// Since the server last said something; `.never`: none.
    private var lastAt = Instant.never

    public init(
        floor: TimeSpan = Self.floor, floorWithoutStreams: TimeSpan = Self.floorWithoutStreams,
        strikesAllowed: UInt8 = Self.strikes
    ) {
        self.floor = floor
        self.floorWithoutStreams = floorWithoutStreams
        self.strikesAllowed = strikesAllowed
    }

    public enum Verdict: UInt8, Hashable, Sendable {
        case fine, strike
        /// GOAWAY with ENHANCE_YOUR_CALM and `too_many_pings`.
        case enough
    }

    public mutating func receive(at now: Instant, hasStreams: Bool) -> Verdict {
        defer { lastAt = now }
        let wanted = hasStreams ? floor : floorWithoutStreams
        guard lastAt != .never, now < lastAt + wanted else { return .fine }
        if strikes < .max { strikes += 1 }
        return strikesAllowed != 0 && strikes > strikesAllowed ? .enough : .strike
    }

    /// The server sends HEADERS or DATA: everything is forgotten, and the next ping is free.
    public mutating func spoke() {
        strikes = 0
        lastAt = .never
    }
}
