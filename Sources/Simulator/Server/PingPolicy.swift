package import DeadzoneBase

/// Rules by which a server closes connections of clients that ping too often (gRFC A8), in five implementations. A ping
/// that comes too early is a strike; too many strikes close the connection. The table lists how the implementations
/// differ:
///
///     kind       a ping is compared with     first ping      a good ping     the server sends HEADERS or DATA
///     text       the last good one           free            strikes stay    strikes and last ping are cleared
///     core       the last one of any kind    two free        strikes stay    strikes and last ping are cleared
///     go         the last one of any kind    free            strikes stay    strikes and last ping are cleared
///     java       the last good one, or the   when old        strikes stay    strikes are cleared, the last ping
///                connection's birth          enough                          becomes the connection's birth
///     swift1     the last good one; only     free            strikes gone    nothing changes
///                where no stream is open
///
/// The core's second ping is also free, because the core answers the first together with a WINDOW_UPDATE for the
/// stream's request.
///
/// Sources: `text` is gRFC A8 as written and grpc/grpc-swift-nio-transport
/// `Server/Connection/ServerConnectionManagementHandler+StateMachine.swift`; `core` grpc/grpc
/// `src/core/ext/transport/chttp2/transport/ping_abuse_policy.cc`; `go` grpc/grpc-go
/// `internal/transport/http2_server.go` `handlePing`; `java` grpc/grpc-java
/// `core/src/main/java/io/grpc/internal/KeepAliveEnforcer.java`; `swift1` grpc/grpc-swift (1.x)
/// `Sources/GRPC/GRPCKeepaliveHandlers.swift`. Go sets a flag when it sends and checks it with the next ping; the
/// result is the same as the core's.
package struct PingPolicy: Hashable, Sendable, BitwiseCopyable {
    package enum Implementation: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case text, core, go, java, swift1
    }

    /// Default minimum time between two pings: PERMIT_KEEPALIVE_TIME of gRFC A8.
    package static let floor = TimeSpan.minutes(5)
    /// Default minimum time between two pings when no stream is open and PERMIT_WITHOUT_CALLS is off (gRFC A8).
    package static let floorWithoutStreams = TimeSpan.hours(2)
    /// Default number of tolerated early pings: MAX_PING_STRIKES of gRFC A8. One more strike closes the connection.
    package static let strikes: UInt8 = 2

    package let implementation: Implementation
    /// PERMIT_WITHOUT_CALLS: `true` if the same minimum time between pings applies with and without open streams.
    package let permitsWithoutStreams: Bool
    /// Number of strikes (early pings) that are tolerated. One more closes the connection; zero never closes it.
    package let strikesAllowed: UInt8
    package private(set) var strikes: UInt8 = 0
    package let floor: TimeSpan
    private var openedAt = Instant.zero
    /// Time of the ping with which the next one is compared. `.never` if there is none: the next ping is then no
    /// strike.
    private var lastPingAt = Instant.never
    /// Core only: `true` if a WINDOW_UPDATE for the stream's request is pending. It is sent with the answer to the
    /// first ping, which clears all pings (`FlushWindowUpdates` in `writing.cc`; run with grpcio 1.85.1: GOAWAY at the
    /// fifth ping).
    private var owesWindowUpdate = false

    package init(
        _ variant: Implementation = .core, floor: TimeSpan = Self.floor, permitsWithoutStreams: Bool = false,
        strikesAllowed: UInt8 = Self.strikes
    ) {
        self.implementation = variant
        self.permitsWithoutStreams = permitsWithoutStreams
        self.strikesAllowed = strikesAllowed
        // Java caps the floor at the one without calls.
        self.floor = variant == .java ? min(floor, Self.floorWithoutStreams) : floor
        opened(at: .zero)
    }

    package enum PingVerdict: UInt8, Hashable, Sendable {
        case fine, strike
        /// Close the connection with GOAWAY, ENHANCE_YOUR_CALM and `too_many_pings`.
        case tooMany
    }

    /// Resets the policy's state for a new connection.
    package mutating func opened(at now: Instant) {
        openedAt = now
        strikes = 0
        lastPingAt = implementation == .java ? now : .never
    }

    /// Records that the program has read a request that opened a stream.
    package mutating func receivedRequest() { owesWindowUpdate = implementation == .core }

    package mutating func receive(at now: Instant, hasStreams: Bool) -> PingVerdict {
        let isEarly = isEarly(at: now, hasStreams: hasStreams)
        if owesWindowUpdate && hasStreams {
            sentData()
            owesWindowUpdate = false
            return .fine
        }
        let remembersAll = implementation == .core || implementation == .go
        if !isEarly || remembersAll { lastPingAt = now }
        guard isEarly else {
            if implementation == .swift1 { strikes = 0 }
            return .fine
        }
        if strikes < .max { strikes += 1 }
        return strikesAllowed != 0 && strikes > strikesAllowed ? .tooMany : .strike
    }

    private func isEarly(at now: Instant, hasStreams: Bool) -> Bool {
        // This implementation judges pings only if no stream is open and pings without calls are permitted.
        if implementation == .swift1 && (hasStreams || !permitsWithoutStreams) { return false }
        let wanted = hasStreams || permitsWithoutStreams ? floor : Self.floorWithoutStreams
        return lastPingAt != .never && now < lastPingAt + wanted
    }

    /// Records that the server sends HEADERS or DATA, which in most implementations clears the strikes.
    package mutating func sentData() {
        switch implementation {
        case .text, .core, .go, .java: opened(at: openedAt)
        case .swift1: break
        }
    }

    /// `true` if the server answers a ping that counts as a strike. grpc-swift 1 does not.
    package var answersStrikes: Bool { implementation != .swift1 }
}
