package import DeadzoneBase
package import DeadzoneClient

/// Settings of a server's errors and overload: shares of failing requests, rate limit and processing capacity. The
/// fault of a request depends only on the call and on how often it has arrived, so two strategies meet the same errors.
package struct ServerFaults: Hashable, Sendable {
    /// Share of calls that fail with UNAVAILABLE and may succeed when they are sent again.
    package var transient = Probability.zero
    /// Share of these transient failures that occur after the answer's headers were sent.
    package var afterHeaders = Probability.zero
    /// Share of calls that fail each time they are sent.
    package var permanent = Probability.zero
    /// Share of calls that are rejected before the program sees them (REFUSED_STREAM).
    package var unprocessed = Probability.zero
    /// Retry delay, or ban on retries, that the server sends with a transient error.
    package var pushback = CallRefusal.Pushback.none
    package var rateLimit: RateLimit?
    package var rateLimitPushback = CallRefusal.Pushback.none
    /// Maximum number of requests per second that an instance processes, over all phones. `nil` sets no limit. Excess
    /// requests wait; beyond `queue` waiting requests they are refused.
    package var requestsPerSecond: UInt32?
    package var queue: UInt32 = 1_000
    /// Maximum time that a request waits before it is processed. A request that waits longer leaves the queue and is
    /// refused. `nil` lets it wait for ever. Models HAProxy's `timeout queue` (503 to the client, docs.haproxy.org,
    /// "timeout queue"), and `timeout` of `queue` in nginx (502). A worker finishes every request that it has started:
    /// neither program detects that a client has given up meanwhile.
    package var queueTimeout: TimeSpan?
    package var overloadPushback = CallRefusal.Pushback.none

    /// Errors of single messages; `nil` refuses none.
    package var messages: MessageFaults?

    /// Share of session requests that fail, but may succeed when they are sent again.
    package var sessionTransient = Probability.zero
    /// Share of phones for which every session request fails.
    package var sessionPermanent = Probability.zero
    /// Retry-After time that is sent with a transient failure of a session request. `nil` sends none.
    package var retryAfter: TimeSpan?

    package init() {}
}

/// Processor time that a server spends on a full and on a resumed TLS handshake.
/// If the server has a rate of connections, it sets them up one after the other, and each cost delays later ones.
package struct HandshakeCost: Hashable, Sendable {
    package var full: TimeSpan
    package var resumed: TimeSpan

    package init(full: TimeSpan, resumed: TimeSpan) {
        self.full = full
        self.resumed = resumed
    }

    func cost(_ security: Transport.TLSMode) -> TimeSpan {
        switch security {
        case .none: .zero
        case .tls12, .tls13: full
        case .tls12Resumed, .tls13Resumed, .tls13Early: resumed
        }
    }
}

/// Settings of a deploy, in which the server's instances are replaced one after the other. Each replaced instance ends
/// the connections that it holds.
package struct Deploy: Hashable, Sendable {
    /// Time from the replacement of the first instance to that of the last. Zero replaces all at once.
    package var over: TimeSpan
    package var instances: UInt16
    /// `true` if replaced instances reset their connections; `false` if they close them gracefully (GOAWAY, FIN).
    package var isAbrupt: Bool

    package init(over: TimeSpan, instances: UInt16 = 10, isAbrupt: Bool = false) {
        precondition(instances > 0, "a deploy needs at least one instance")
        self.over = over
        self.instances = instances
        self.isAbrupt = isAbrupt
    }
}

/// The reason why the server refuses a call. On the stream, one number encodes the reason and the call's index.
package enum RefusalCode: UInt32, CaseIterable {
    case transient, committed, permanent, rateLimited, overloaded, unprocessed, unauthenticated

    private static let kinds: UInt32 = 8

    package init?(item: UInt32) { self.init(rawValue: item % Self.kinds) }

    package static func call(ofItem item: UInt32) -> UInt32 { item / kinds }

    func item(_ call: UInt32) -> UInt32 {
        precondition(call < UInt32.max / Self.kinds, "call index \(call) does not fit into the item number")
        return call * Self.kinds + rawValue
    }

    package func callRefusal(_ troubles: ServerFaults) -> CallRefusal {
        switch self {
        case .transient: CallRefusal(.unavailable, pushback: troubles.pushback)
        case .committed: CallRefusal(.unavailable, pushback: troubles.pushback, isCommitted: true)
        case .permanent: CallRefusal(.permissionDenied)
        case .unauthenticated: CallRefusal(.permissionDenied, needsCredentials: true)
        case .rateLimited: CallRefusal(.resourceExhausted, pushback: troubles.rateLimitPushback)
        // gRPC's own servers answer RESOURCE_EXHAUSTED for a limit, and load shedders UNAVAILABLE (grpc/grpc
        // `doc/statuscodes.md`: "server shutting down", and "some resource has been exhausted").
        case .overloaded: CallRefusal(.unavailable, pushback: troubles.overloadPushback)
        case .unprocessed: CallRefusal(.unavailable, isUnprocessed: true)
        }
    }
}
