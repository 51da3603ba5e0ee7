package import DeadzoneBase
package import DeadzoneTransport

/// All settings of the simulated server: capacity, keepalive, history, faults and limits.
package struct ServerProfile: Hashable, Sendable {
    /// The server's instances, the load balancer before them and the database behind them.
    package var cluster = ClusterProfile()
    /// Maximum number of new connections per second that one instance accepts, over all phones. `nil` sets no limit.
    package var acceptsPerSecond: UInt32?
    /// Minimum time between two pings of an HTTP/2 client. An earlier ping is a strike, and too many strikes end the
    /// connection. `nil` uses the usual minimum of `pingPolicy`; if that is `nil` as well, every ping is allowed.
    package var pingFloor: TimeSpan?
    /// The gRPC implementation that defines how early pings (strikes) are counted. `nil` selects grpc/grpc's if
    /// `pingFloor` is set.
    package var pingPolicy: PingPolicy.Implementation?
    /// Number of early pings (strikes) that the server tolerates on a connection.
    package var pingStrikes = PingPolicy.strikes
    /// PERMIT_WITHOUT_CALLS: `true` if the usual minimum time between pings also applies on a connection without
    /// streams.
    package var permitsPingsWithoutCalls = false
    /// Limits on the idle time and the age of a connection.
    package var limits = ConnectionLimits()
    /// HTTP/2 only: gRPC's keepalive pings, with which the server checks that the client is alive. `nil` sends none.
    package var keepalive: Heartbeat?
    /// Heartbeats with which the server program checks that the client is alive. `nil` if it does not check.
    package var heartbeat: Heartbeat?
    /// Maximum time that the server holds a long poll open for a message, before it answers without one.
    package var longPollTimeout = PollHold.hold
    /// Maximum time that streams which are open at the start of draining may take to end. Kubernetes kills a pod after
    /// 30 s (kubernetes/api `core/v1/types.go`, `TerminationGracePeriodSeconds`).
    package var grace = TimeSpan.seconds(30)
    /// Time without packets after which a QUIC connection ends: 30 s as in quic-go/quic-go
    /// `internal/protocol/params.go`, `DefaultIdleTimeout`.
    package var quicIdle = TimeSpan.seconds(30)
    /// `true` if QUIC connections may migrate to another address. A load balancer that routes by address does not allow
    /// it (RFC 9000 §18.2, disable_active_migration).
    package var allowsMigration = true
    /// Says if the server sends a push to wake the app when it has a message and no connection of the phone.
    package var push = PushPolicy.none
    /// Rules of a push service that stores several pushes. `nil` if at most one push waits.
    package var pushQueue: PushQueueRules?
    /// Rules for how long the server keeps messages for resuming clients.
    package var history = History()
    /// Rules for how long the server keeps a session, and how restarts affect it.
    package var session = SessionRules()
    /// Method by which the server detects duplicates of the app's messages.
    package var dedup = Dedup.none
    /// Time from the first transmission of a confirmable message of CoAP during which its repeats are recognised by
    /// their message id; `.zero` recognises none. The default is EXCHANGE_LIFETIME with the default parameters (RFC
    /// 7252 §4.8.2). The RFC recommends to recognise repeats (§4.5), and some servers do not
    /// (contiki-os/contiki#2085, obgm/libcoap#1993).
    package var exchangeLifetime = ServerProfile.usualExchangeLifetime
    package static let usualExchangeLifetime = TimeSpan.seconds(247)
    /// Rules for when the server program confirms messages with receipts. `nil` sends none: the app then treats a
    /// kernel acknowledgement as confirmation.
    package var receipts: ReceiptRules?
    package var faults = ServerFaults()
    /// Rules for access tokens that expire. `nil` if sessions and calls need none.
    package var credentials: CredentialRules?
    /// Rules for subscriptions that share a connection and can end alone. `nil` if the session is the only one.
    package var streams: SubscriptionRules?
    /// Rules by which other users see the phone's user as online or away. `nil` if the server shows none.
    package var presence: PresenceRules?
    /// The peer behind the server's relay, for clients that also reach it directly. `nil` if there is none.
    package var peer: PeerRules?
    /// Codes that the server states when it ends a connection.
    package var codes = EndCodes()
    /// Rules for messages that a connection does not accept, because the phone reads too slowly.
    package var slowConsumers = SlowConsumers()
    /// Size of the kernel's send buffer in bytes (SO_SNDBUF). `nil` uses the kernel's default size.
    package var sendBuffer: UInt32?
    /// Time that the server takes to authenticate the client, in one more round trip before the session is usable.
    /// `nil` if the session is usable with the last flight of the handshake.
    package var authentication: TimeSpan?
    /// Processor time of a TLS handshake, in addition to `acceptsPerSecond`. Without that rate, a handshake takes this
    /// time and delays no other. `nil` if `acceptsPerSecond` includes TLS, or if TLS takes no time.
    package var handshakeCost: HandshakeCost?
    /// Time that the server takes from a call's arrival to its answer.
    package var thinkTime: TimeSpan
    /// Time without data from the client after which its connection is closed gracefully. `nil` disables this.
    package var idleLimit: TimeSpan?
    private let passByAddress = PassByAddress()

    package init(acceptsPerSecond: UInt32? = nil, thinkTime: TimeSpan = .zero, idleLimit: TimeSpan? = nil) {
        self.acceptsPerSecond = acceptsPerSecond
        self.thinkTime = thinkTime
        self.idleLimit = idleLimit
    }
}

extension ServerProfile {
    /// `true` if phones compete for the server's capacity, when they open a session or wait for an answer. `false` if
    /// the phones are independent of each other.
    package var isShared: Bool { sharesSessions || sharesCalls }
    var sharesSessions: Bool { acceptsPerSecond != nil || cluster != ClusterProfile() }
    var sharesCalls: Bool { faults.requestsPerSecond != nil || cluster.database != nil }

    /// Time after which a rejected client shall try again (Retry-After). `nil` if the server sends none.
    package var retryAfter: TimeSpan? { cluster.shedding ?? faults.retryAfter }
}

/// Properties that are computed for each connection. They read the profile through the pointer, to avoid a copy.
extension UnsafePointer<ServerProfile> {
    /// The policy that limits how often clients may ping. `nil` if all pings are allowed.
    var pings: PingPolicy? {
        guard pointee.pingFloor != nil || pointee.pingPolicy != nil else { return nil }
        return PingPolicy(
            pointee.pingPolicy ?? .core, floor: pointee.pingFloor ?? PingPolicy.floor,
            permitsWithoutStreams: pointee.permitsPingsWithoutCalls, strikesAllowed: pointee.pingStrikes)
    }
}
