package import DeadzoneBase

/// Settings of a simulated DNS resolver: how it answers for the server's name, and whether the addresses work.
package struct Resolver: Hashable, Sendable {
    /// Says if the server's IPv4 or IPv6 address exists, is found by a DNS query, and works.
    package enum AddressStatus: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case works
        /// The name has such an address, but packets to it are dropped.
        case broken
        /// The DNS query for such an address is never answered.
        case unanswered
        /// The name has no such address.
        case absent
    }

    /// Says how a DNS resolver behaves while it cannot resolve names: silent, or with an error.
    package enum FailureMode: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// The resolver does not answer queries.
        case silent
        /// The resolver answers queries at once with an error (SERVFAIL).
        case refusing
    }

    /// Time for which the phone caches an answer; zero for no cache. The cache belongs to one network: another network
    /// requires a new query, as in Android's resolver, which has a cache for each network
    /// (packages/modules/DnsResolver, res_cache.cpp).
    package var ttl: TimeSpan
    /// Time for which the phone caches a response without an address; zero for no cache.
    package var negativeTTL: TimeSpan
    /// Time after which an unanswered query is repeated.
    package var timeout: TimeSpan
    /// Number of unanswered queries after which resolution fails.
    package var attempts: UInt8
    /// Time that the resolver takes to process a query, in addition to the link's round trip.
    package var work: TimeSpan
    package var ipv4: AddressStatus
    package var ipv6: AddressStatus
    package var failureMode: FailureMode
    /// Differences of the resolvers of single networks.
    package var wifi = NetworkDifference()
    package var cellular = NetworkDifference()
    /// `true` if the client has an address, but the network has no route of its family. `view` alone sets it.
    package internal(set) var hasNoRoute = false

    /// Creates a resolver. The defaults for timeout (5 s) and attempts (two) are `RES_TIMEOUT` and `RES_DFLRETRY` of
    /// resolv.h, in glibc (resolv.conf(5)) and in Android's resolver. The default TTL of one minute is assumed.
    package init(
        ttl: TimeSpan = .seconds(60), negativeTTL: TimeSpan = .zero, timeout: TimeSpan = .seconds(5),
        attempts: UInt8 = 2, work: TimeSpan = .zero,
        ipv4: AddressStatus = .works, ipv6: AddressStatus = .absent, failureMode: FailureMode = .silent
    ) {
        self.ttl = ttl
        self.negativeTTL = negativeTTL
        self.timeout = timeout
        self.attempts = attempts
        self.work = work
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.failureMode = failureMode
    }

    /// Size in bytes of two queries, for A and for AAAA. Each has: IPv4 and UDP headers 28, DNS header 12, a name of 22
    /// (assumed), type and class 4 (RFC 1035 §4.1), EDNS 11 (RFC 6891 §6.1.2).
    package static let questionBytes: UInt32 = 2 * (28 + 12 + 22 + 4 + 11)
    /// Size in bytes of both answers: the queries again, with an A record of 16 bytes and an AAAA record of 28 bytes
    /// (RFC 1035 §4.1.3 with a compressed name, RFC 3596 §2.2).
    package static let answerBytes: UInt32 = questionBytes + 16 + 28
    /// `Packet.number` of an answer without an address.
    package static let failure: UInt16 = 0
    /// `Packet.number` of an answer with the address of this number.
    package static func answer(with address: UInt16) -> UInt16 { address &+ 1 }
    /// Number of the address in an answer; `nil` if it has none.
    package static func address(inAnswer number: UInt16) -> UInt16? { number == failure ? nil : number &- 1 }
    /// Size in bytes of a SYN to an address at which there is no host; the same as `ConnectionSetup.syn`.
    package static let synBytes: UInt32 = 60
    /// Time after which the second address is tried if the first has not answered (RFC 8305 §5).
    package static let connectionAttemptDelay = TimeSpan.milliseconds(250)
    /// Maximum wait for the answer of the second address family after the first has arrived, as for AAAA after A (RFC
    /// 8305 §3).
    package static let resolutionDelay = TimeSpan.milliseconds(50)
    /// Time after which Linux gives up on an address that does not answer: SYN at 0, 1, 3, 7, 15, 31, 63 s
    /// (`tcp_syn_retries` 6, Documentation/networking/ip-sysctl.rst).
    package static let kernelConnectTimeout = TimeSpan.seconds(127)
}

/// State machine that resolves the server's name and selects an address that answers, for one connection attempt.
///
///     querying ──answer──▶ (waitingForOtherFamily ─50 ms or no AAAA at all─▶) connecting ──next address──▶ ended
///       └─ no answer: query again, give up after `attempts`                     └─ last address: give up
///
/// Where the diagram is inaccurate: there is no querying if the name is already known, and no connecting if the first address
/// works. After the end, the SYNs that a racing client sent to a broken address are no longer repeated.
package struct AddressResolution: Hashable, Sendable, BitwiseCopyable {
    private enum ResolutionStage: UInt8, BitwiseCopyable {
        case querying, waitingForOtherFamily, connecting, ended
    }

    /// The next action of the client while it resolves the server's name and tries its addresses.
    package enum ResolutionAction: Hashable, Sendable {
        case wait
        /// Send the DNS queries, for the first time or again.
        case ask
        /// Send a SYN to an address that will not answer.
        case knock
        /// Connect to the selected address, which works.
        case go
        case unresolved
        /// Fail at once: the network has no route to an address of this family (ENETUNREACH).
        case unreachable
        case timedOut
    }

    package private(set) var deadline = Instant.never
    package let startedAt: Instant
    private var stage: ResolutionStage
    private let races: Bool
    /// Maximum time for each address. The kernel's limit applies if the client has none or a longer one.
    private let addressTimeout: TimeSpan
    private var queryCount: UInt8 = 0
    private var hasReportedEnd = false
    /// Number of SYNs sent to the address that is being tried.
    private var synCount: UInt8 = 0
    /// Time at which the first SYN to the current address was sent.
    private var attemptStart = Instant.zero
    private var isLastAddress = false

    package init(races: Bool, addressTimeout: TimeSpan?, at now: Instant) {
        startedAt = now
        stage = .querying
        self.races = races
        self.addressTimeout = min(addressTimeout ?? Resolver.kernelConnectTimeout, Resolver.kernelConnectTimeout)
    }

    /// `true` if the attempt began with a known address, without a query.
    package var isKept: Bool { queryCount == 0 }

    /// Starts the resolution and returns the first action.
    /// - Parameter isKnown: `true` if the answer is in the DNS cache, so that no query is needed.
    package mutating func start(_ resolver: Resolver, isKnown: Bool, at now: Instant) -> ResolutionAction {
        if isKnown { return selectAddress(resolver, at: now) }
        return startQuery(resolver, at: now)
    }

    /// Handles the resolver's answer and returns the next action. Later answers to the same query change nothing.
    package mutating func receiveAnswer(_ resolver: Resolver, at now: Instant) -> ResolutionAction {
        guard stage == .querying else { return .wait }
        guard resolver.ipv6 == .unanswered || resolver.ipv4 == .unanswered else {
            return selectAddress(resolver, at: now)
        }
        stage = .waitingForOtherFamily
        if races { deadline = now + Resolver.resolutionDelay }
        return .wait
    }

    /// Handles the resolver's answer that it cannot resolve the name.
    package mutating func receiveFailure() -> ResolutionAction {
        guard stage == .querying else { return .wait }
        return finish(.unresolved)
    }

    package mutating func expire(_ resolver: Resolver, at now: Instant) -> ResolutionAction {
        switch stage {
        case .querying: return queryCount < resolver.attempts ? startQuery(resolver, at: now) : finish(.unresolved)
        case .waitingForOtherFamily:
            return queryCount < resolver.attempts && !races
                ? sendQuery(resolver, at: now) : selectAddress(resolver, at: now)
        case .connecting: return continueAttempt(resolver, at: now)
        case .ended: return .wait
        }
    }

    private mutating func startQuery(_ resolver: Resolver, at now: Instant) -> ResolutionAction {
        stage = .querying
        return sendQuery(resolver, at: now)
    }

    private mutating func sendQuery(_ resolver: Resolver, at now: Instant) -> ResolutionAction {
        queryCount += 1
        deadline = now + resolver.timeout
        return .ask
    }

    /// Selects an address and returns the next action. IPv6 is first if there is such an address (RFC 6724 §2.1 prefers
    /// it).
    private mutating func selectAddress(_ resolver: Resolver, at now: Instant) -> ResolutionAction {
        if resolver.hasNoRoute { return finish(.unreachable) }
        return switch (resolver.ipv6, resolver.ipv4) {
        case (.works, _): finish(.go)
        case (.broken, .works), (.broken, .broken): startAttempt(at: now)
        case (.broken, _): startLastAttempt(at: now)
        case (_, .works): finish(.go)
        case (_, .broken): startLastAttempt(at: now)
        default: finish(.unresolved)
        }
    }

    private mutating func startAttempt(at now: Instant) -> ResolutionAction {
        stage = .connecting
        synCount = 1
        attemptStart = now
        deadline = now + min(races && !isLastAddress ? Resolver.connectionAttemptDelay : .seconds(1), addressTimeout)
        return .knock
    }

    private mutating func startLastAttempt(at now: Instant) -> ResolutionAction {
        isLastAddress = true
        return startAttempt(at: now)
    }

    /// Continues the connection attempt at its deadline: repeats the SYN after 1, 2, 4, … s, or tries the next address.
    /// With racing, that is after 250 ms; otherwise after the time limit of the address.
    private mutating func continueAttempt(_ resolver: Resolver, at now: Instant) -> ResolutionAction {
        let givenUpAt = attemptStart + addressTimeout
        if !isLastAddress, races || givenUpAt <= now {
            return resolver.ipv4 == .works ? finish(.go) : startLastAttempt(at: now)
        }
        if givenUpAt <= now { return finish(.timedOut) }
        synCount += 1
        deadline = min(now + .seconds(1) * (1 << Int64(synCount - 1)), givenUpAt)
        return .knock
    }

    /// Returns `true` if queries were sent, but only at the first call. Call this when resolution has ended, with or
    /// without addresses.
    package mutating func reportQueriesEnded() -> Bool {
        defer { hasReportedEnd = true }
        return queryCount > 0 && !hasReportedEnd
    }

    private mutating func finish(_ step: ResolutionAction) -> ResolutionAction {
        stage = .ended
        deadline = .never
        return step
    }
}

/// The phone's cached response to a query of the server's name, valid on one network until it expires.
package struct DNSCache: Hashable, Sendable, BitwiseCopyable {
    private var expiresAt = Instant.zero
    private var network: UInt32 = .max
    /// `Packet.number` of the response.
    private var response: UInt16 = 0

    package init() {}

    /// The `Packet.number` of the response on this network; `nil` if there is none, or it has expired.
    package func response(at now: Instant, on network: UInt32) -> UInt16? {
        self.network == network && now < expiresAt ? response : nil
    }

    package mutating func store(_ response: UInt16, _ resolver: Resolver, at now: Instant, on network: UInt32) {
        let life = response == Resolver.failure ? resolver.negativeTTL : resolver.ttl
        guard life > .zero || response != Resolver.failure else { return }
        self.response = response
        expiresAt = now + life
        self.network = network
    }
}
