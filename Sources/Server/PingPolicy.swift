public import DeadzonePrimitives

/// What a server does about clients that ping too often (gRFC A8), as five kinds of servers do it.
///
///     kind       a ping is compared with     first ping      a good ping     the server says something
///     text       the last good one           free            strikes stay    everything is forgotten
///     core       the last one of any kind    two free        strikes stay    everything is forgotten
///     go         the last one of any kind    free            strikes stay    everything is forgotten
///     java       the last good one, or the   when old        strikes stay    back to the connection's birth
///                connection's birth          enough
///     swift1     the last good one; only     free            strikes gone    nothing
///                where no stream is open
///
/// The core's second ping is free, too, as it answers the first together with a WINDOW_UPDATE for the stream's request.
///
/// Sources: `text` is gRFC A8 as written and grpc/grpc-swift-nio-transport
/// `Server/Connection/ServerConnectionManagementHandler+StateMachine.swift`; `core` grpc/grpc
/// `src/core/ext/transport/chttp2/transport/ping_abuse_policy.cc`; `go` grpc/grpc-go `internal/transport/http2_server.go`
/// `handlePing`; `java` grpc/grpc-java `core/src/main/java/io/grpc/internal/KeepAliveEnforcer.java`; `swift1` grpc/grpc-swift
/// (1.x) `Sources/GRPC/GRPCKeepaliveHandlers.swift`. Go remembers that it spoke in a flag and looks at it with the next ping;
/// that comes to the same as the core's.
public struct PingPolicy: Hashable, Sendable, BitwiseCopyable {
    public enum Variant: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case text, core, go, java, swift1
    }

    /// PERMIT_KEEPALIVE_TIME of gRFC A8.
    public static let floor = TimeSpan.minutes(5)
    /// What A8 asks for where no stream is open and PERMIT_WITHOUT_CALLS is off.
    public static let floorWithoutStreams = TimeSpan.hours(2)
    /// MAX_PING_STRIKES of gRFC A8: the next one is the last.
    public static let strikes: UInt8 = 2

    public let variant: Variant
    /// PERMIT_WITHOUT_CALLS: without a stream the same floor holds as with one.
    public let permitsWithoutStreams: Bool
    /// Zero: nobody is ever sent away.
    public let strikesAllowed: UInt8
    public private(set) var strikes: UInt8 = 0
    public let floor: TimeSpan
    public let floorWithoutStreams: TimeSpan
    private var bornAt = Instant.zero
    /// The ping that the next one is compared with; `.never`: none, it is free.
    private var lastAt = Instant.never
    /// Of the core: it owes WINDOW_UPDATE for the stream's request and says it with its answer to the first ping, which forgets all pings
    /// (`FlushWindowUpdates` in `writing.cc`; run with grpcio 1.85.1: GOAWAY at the fifth ping).
    private var owesWindow = false

    public init(
        _ variant: Variant = .core, floor: TimeSpan = Self.floor,
        floorWithoutStreams: TimeSpan = Self.floorWithoutStreams, permitsWithoutStreams: Bool = false,
        strikesAllowed: UInt8 = Self.strikes
    ) {
        self.variant = variant
        self.permitsWithoutStreams = permitsWithoutStreams
        self.strikesAllowed = strikesAllowed
        // Java takes no floor above what it asks for without calls.
        self.floor = variant == .java ? min(floor, floorWithoutStreams) : floor
        self.floorWithoutStreams = floorWithoutStreams
        opened(at: .zero)
    }

    public enum Verdict: UInt8, Hashable, Sendable {
        case fine, strike
        /// GOAWAY with ENHANCE_YOUR_CALM and `too_many_pings`.
        case enough
    }

    /// The connection exists from now on.
    public mutating func opened(at now: Instant) {
        bornAt = now
        strikes = 0
        lastAt = variant == .java ? now : .never
    }

    /// A stream's request was read.
    public mutating func heardRequest() { owesWindow = variant == .core }

    public mutating func receive(at now: Instant, hasStreams: Bool) -> Verdict {
        let isEarly = isEarly(at: now, hasStreams: hasStreams)
        if owesWindow && hasStreams {
            spoke()
            owesWindow = false
            return .fine
        }
        let remembersAll = variant == .core || variant == .go
        if !isEarly || remembersAll { lastAt = now }
        guard isEarly else {
            if variant == .swift1 { strikes = 0 }
            return .fine
        }
        if strikes < .max { strikes += 1 }
        return strikesAllowed != 0 && strikes > strikesAllowed ? .enough : .strike
    }

    private func isEarly(at now: Instant, hasStreams: Bool) -> Bool {
        // It looks at pings only where no stream is open and they are permitted all the same.
        if variant == .swift1 && (hasStreams || !permitsWithoutStreams) { return false }
        let wanted = hasStreams || permitsWithoutStreams ? floor : floorWithoutStreams
        return lastAt != .never && now < lastAt + wanted
    }

    /// The server sends HEADERS or DATA.
    public mutating func spoke() {
        switch variant {
        case .text, .core, .go, .java: opened(at: bornAt)
        case .swift1: break
        }
    }

    /// A ping that was struck is answered like any other; grpc-swift 1 leaves it without an answer.
    public var answersStrikes: Bool { variant != .swift1 }
}
