public import DeadzonePrimitives
public import DeadzoneTransport

public struct ServerProfile: Hashable, Sendable {
    /// Its instances, what is before them and behind them.
    public var cluster = ClusterProfile()
    /// New connections that an instance can accept in a second, shared by all phones; nil: no limit.
    public var acceptsPerSecond: UInt32?
    /// Pings of HTTP/2 clients that come sooner than this are struck, and too many of them end the connection; nil: the usual
    /// floor of `pingPolicy`, and without one it never minds.
    public var pingFloor: TimeSpan?
    /// Whose way of counting early pings it has; nil: grpc/grpc's, where there is a floor.
    public var pingPolicy: PingPolicy.Variant?
    /// Early pings that it bears.
    public var pingStrikes = PingPolicy.strikes
    /// PERMIT_WITHOUT_CALLS: pings are welcome on a connection without streams as on any other.
    public var permitsPingsWithoutCalls = false
    /// How long it keeps a connection, and how it makes sure of the client: gRPC's keepalive on HTTP/2, the protocol's own
    /// heartbeat elsewhere.
    public var limits = ConnectionLimits()
    public var keepalive: Heartbeat?
    public var heartbeat: Heartbeat?
    /// How long it waits for something to say before it answers a long poll.
    public var hold = Exchange.hold
    /// How long streams that are open when it drains may take to end. Kubernetes kills a pod after 30 s
    /// (kubernetes/api `core/v1/types.go`, `TerminationGracePeriodSeconds`).
    public var grace = TimeSpan.seconds(30)
    /// Silence that ends a QUIC connection: 30 s as in quic-go/quic-go `internal/protocol/params.go`, `DefaultIdleTimeout`.
    public var quicIdle = TimeSpan.seconds(30)
    /// QUIC connections may move to another address; behind a load balancer that goes by addresses they may not
    /// (RFC 9000 §18.2, disable_active_migration).
    public var allowsMigration = true
    /// A message for a phone whose connection it does not hold: it asks the push service to wake the app.
    public var push = PushHabit.none
    /// What it keeps of its messages, and what it remembers of a session.
    public var history = History()
    public var session = SessionRules()
    /// How it knows a message of the app that it has had before.
    public var dedup = Dedup.none
    /// When its program says how far it has come; nil: the app takes its kernel's word for it.
    public var receipts: ReceiptRules?
    public var troubles = ServerTroubles()
    /// What its program does with messages that a connection does not take, and what its kernel takes of them (SO_SNDBUF);
    /// nil: as the kernel has it.
    public var slowConsumers = SlowConsumers()
    public var sendBuffer: UInt32?
    /// A session counts only once the server has made sure who asks, which takes a round trip more, and so long; nil: with the
    /// last flight of the set-up.
    public var authentication: TimeSpan?
    /// Beside `acceptsPerSecond`; nil: TLS is part of that.
    public var handshakeCost: HandshakeCost?
    /// From a call's arrival to its answer.
    public var think: TimeSpan
    /// A connection on which the client said nothing for so long is ended in order; nil: never.
    public var idleLimit: TimeSpan?
    private let lent = Lent()

    public init(acceptsPerSecond: UInt32? = nil, think: TimeSpan = .zero, idleLimit: TimeSpan? = nil) {
        self.acceptsPerSecond = acceptsPerSecond
        self.think = think
        self.idleLimit = idleLimit
    }
}

extension ServerProfile {
    /// All phones wait for the same, when they ask for a session or for an answer; without either they do not meet.
    public var isShared: Bool { sharesSessions || sharesCalls }
    var sharesSessions: Bool { acceptsPerSecond != nil || cluster != ClusterProfile() }
    var sharesCalls: Bool { troubles.requestsPerSecond != nil || cluster.database != nil }

    /// When it wishes that those come again whom it turns away.
    public var retryAfter: TimeSpan? { cluster.shedding ?? troubles.retryAfter }
}

/// Asked for each connection, of the profile where it lies.
extension UnsafePointer<ServerProfile> {
    /// How it judges pings; nil: all are welcome.
    var pings: PingPolicy? {
        guard pointee.pingFloor != nil || pointee.pingPolicy != nil else { return nil }
        return PingPolicy(
            pointee.pingPolicy ?? .core, floor: pointee.pingFloor ?? PingPolicy.floor,
            permitsWithoutStreams: pointee.permitsPingsWithoutCalls, strikesAllowed: pointee.pingStrikes)
    }
}

/// What a server asks of the push service when it has a message and no connection of the phone.
public enum PushHabit: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    case none, normal, high
}
