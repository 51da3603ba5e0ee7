public import DeadzoneClient
public import DeadzonePrimitives

/// What goes wrong in the server's program. Which request meets what is weather: a function of the call and of how often it
/// has come, so two strategies meet the same errors.
public struct ServerTroubles: Hashable, Sendable {
    /// Calls answered with UNAVAILABLE, of all that come.
    public var transient = Probability.zero
    /// Of those: how many after the headers of an answer.
    public var afterHeaders = Probability.zero
    /// Calls that it will never do. One that meets this meets it each time.
    public var permanent = Probability.zero
    /// Calls that its program never sees (REFUSED_STREAM).
    public var unprocessed = Probability.zero
    /// What it says with a transient error.
    public var pushback = CallRefusal.Pushback.none
    public var rateLimit: RateLimit?
    public var rateLimitPushback = CallRefusal.Pushback.none
    /// Requests of all phones together that it can do in a second; nil: as many as come. More wait, and beyond `queue` are
    /// refused.
    public var requestsPerSecond: UInt32?
    public var queue: UInt32 = 1_000
    /// A request on which work has not begun after so long leaves the queue, and is refused then; nil: it waits for ever. HAProxy's
    /// `timeout queue` (503 to the client, docs.haproxy.org, "timeout queue"), and `timeout` of `queue` in nginx (502). A worker that has
    /// taken a request up carries it through: neither knows who has given up meanwhile.
    public var queueTimeout: TimeSpan?
    public var overloadPushback = CallRefusal.Pushback.none

    /// Sessions that it will not open now, of all that are asked for.
    public var sessionTransient = Probability.zero
    /// Phones whose sessions it will never open.
    public var sessionPermanent = Probability.zero
    /// What it says with the former: Retry-After.
    public var retryAfter: TimeSpan?

    public init() {}
}

/// What TLS costs a server's processor where connections are set up one after the other.
public struct HandshakeCost: Hashable, Sendable {
    public var full: TimeSpan
    public var resumed: TimeSpan

    public init(full: TimeSpan, resumed: TimeSpan) {
        self.full = full
        self.resumed = resumed
    }

    func of(_ security: Carrier.Security) -> TimeSpan {
        switch security {
        case .none: .zero
        case .tls12, .tls13: full
        case .tls12Resumed, .tls13Resumed, .tls13Early: resumed
        }
    }
}

/// A deploy: the server's instances are replaced one after the other, and each ends the connections that it holds.
public struct Deploy: Hashable, Sendable {
    /// From the first to the last; zero: all at once.
    public var over: TimeSpan
    public var instances: UInt16
    /// Connections are reset; otherwise ended in order (GOAWAY, FIN).
    public var isAbrupt: Bool

    public init(over: TimeSpan, instances: UInt16 = 10, isAbrupt: Bool = false) {
        precondition(instances > 0, "a server has instances")
        self.over = over
        self.instances = instances
        self.isAbrupt = isAbrupt
    }
}

/// How a call is refused, as it stands on the stream: with the call's index in one number.
public enum Refusal: UInt32, CaseIterable {
    case transient, committed, permanent, rateLimited, overloaded, unprocessed

    private static let kinds: UInt32 = 8

    public init?(item: UInt32) { self.init(rawValue: item % Self.kinds) }

    public static func call(ofItem item: UInt32) -> UInt32 { item / kinds }

    func item(_ call: UInt32) -> UInt32 {
        precondition(call < UInt32.max / Self.kinds, "call \(call) has no place on the stream")
        return call * Self.kinds + rawValue
    }

    public func told(_ troubles: ServerTroubles) -> CallRefusal {
        switch self {
        case .transient: CallRefusal(.unavailable, pushback: troubles.pushback)
        case .committed: CallRefusal(.unavailable, pushback: troubles.pushback, isCommitted: true)
        case .permanent: CallRefusal(.permissionDenied)
        case .rateLimited: CallRefusal(.resourceExhausted, pushback: troubles.rateLimitPushback)
        // gRPC's own servers answer RESOURCE_EXHAUSTED for a limit, and load shedders UNAVAILABLE (grpc/grpc
        // `doc/statuscodes.md`: "server shutting down", and "some resource has been exhausted").
        case .overloaded: CallRefusal(.unavailable, pushback: troubles.overloadPushback)
        case .unprocessed: CallRefusal(.unavailable, isUnprocessed: true)
        }
    }
}
