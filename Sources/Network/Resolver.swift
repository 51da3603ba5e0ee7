public import DeadzonePrimitives

/// How the phone turns the server's name into addresses, and what those addresses are worth.
public struct Resolver: Hashable, Sendable {
    /// One kind of address of the server.
    public enum Family: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        case works
        /// The name has such an address, and what is sent to it vanishes.
        case broken
        /// Nobody answers whether the name has one.
        case unanswered
        /// The name has none.
        case absent
    }

    /// What a resolver does that cannot resolve.
    public enum Failing: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// It does not answer.
        case silent
        /// It answers at once that it cannot (SERVFAIL).
        case refusing
    }

    /// How long an answer is kept; zero: not at all. Kept for one network: another one asks anew, as Android's resolver
    /// does, which has a cache for each network (packages/modules/DnsResolver, res_cache.cpp).
    public var ttl: TimeSpan
    /// Before the question is asked again.
    public var timeout: TimeSpan
    /// Questions before the name is given up.
    public var attempts: UInt8
    /// What the resolver itself takes, beside the link's round trip.
    public var work: TimeSpan
    public var ipv4: Family
    public var ipv6: Family
    public var failing: Failing

    /// Timeout 5 s and two attempts: `RES_TIMEOUT` and `RES_DFLRETRY` of resolv.h, in glibc (resolv.conf(5)) as in Android's
    /// resolver. A minute of TTL is assumed.
    public init(
        ttl: TimeSpan = .seconds(60), timeout: TimeSpan = .seconds(5), attempts: UInt8 = 2, work: TimeSpan = .zero,
        ipv4: Family = .works, ipv6: Family = .absent, failing: Failing = .silent
    ) {
        self.ttl = ttl
        self.timeout = timeout
        self.attempts = attempts
        self.work = work
        self.ipv4 = ipv4
        self.ipv6 = ipv6
        self.failing = failing
    }

    /// One question for A and one for AAAA, each IPv4 and UDP 28, header 12, a name of 22 (assumed), type and class 4 (RFC
    /// 1035 §4.1), EDNS 11 (RFC 6891 §6.1.2).
    public static let questionBytes: UInt32 = 2 * (28 + 12 + 22 + 4 + 11)
    /// The questions again, with a record of 16 and one of 28 bytes (RFC 1035 §4.1.3 with a compressed name, RFC 3596 §2.2).
    public static let answerBytes: UInt32 = questionBytes + 16 + 28
    /// A SYN to an address that nobody has; as `HandshakeLeg` has it.
    public static let knockBytes: UInt32 = 60
    /// Of the second address, if the first has not answered (RFC 8305 §5).
    public static let attemptDelay = TimeSpan.milliseconds(250)
    /// For the AAAA answer, once the A answer is there (RFC 8305 §3).
    public static let resolutionDelay = TimeSpan.milliseconds(50)
    /// Until Linux gives up on an address that does not answer: SYN at 0, 1, 3, 7, 15, 31, 63 s (`tcp_syn_retries` 6,
    /// Documentation/networking/ip-sysctl.rst).
    public static let kernelPatience = TimeSpan.seconds(127)
}

/// One connection on its way from a name to an address that answers.
///
///     asking ──answer──▶ (lacking ─50 ms or no AAAA at all─▶) knocking ──next address──▶ going
///       └─ no answer: ask again, give up after `attempts`        └─ last address: give up
///
/// The diagram lies where the name is known already (no asking), and where the first address works (no knocking). Once it
/// goes, the SYNs that a racing client left at a broken address are no longer repeated.
public struct Approach: Hashable, Sendable, BitwiseCopyable {
    private enum Stage: UInt8, BitwiseCopyable {
        case asking, lacking, knocking, over
    }

    /// What to do now.
    public enum Step: Hashable, Sendable {
        case wait
        /// Send the questions (again).
        case ask
        /// Send a SYN to an address that will not answer.
        case knock
        /// Connect: the address is a good one.
        case go
        case unresolved
        case timedOut
    }

    public private(set) var deadline = Instant.never
    public let began: Instant
    private var stage: Stage
    private let races: Bool
    /// For each address; what the kernel has where nobody said.
    private let patience: TimeSpan
    private var asked: UInt8 = 0
    private var isTold = false
    /// Of the address that is knocked at.
    private var knocks: UInt8 = 0
    private var knockingSince = Instant.zero
    private var isAtSecond = false

    public init(races: Bool, patience: TimeSpan?, at now: Instant) {
        began = now
        stage = .asking
        self.races = races
        self.patience = min(patience ?? Resolver.kernelPatience, Resolver.kernelPatience)
    }

    /// - Parameter isKnown: The answer is in the cache.
    public mutating func start(_ resolver: Resolver, isKnown: Bool, at now: Instant) -> Step {
        if isKnown { return dial(resolver, at: now) }
        return ask(resolver, at: now)
    }

    /// The answer is here. Later answers to the same question change nothing.
    public mutating func answer(_ resolver: Resolver, at now: Instant) -> Step {
        guard stage == .asking else { return .wait }
        guard resolver.ipv6 == .unanswered || resolver.ipv4 == .unanswered else { return dial(resolver, at: now) }
        stage = .lacking
        if races { deadline = now + Resolver.resolutionDelay }
        return .wait
    }

    /// The resolver says that it cannot.
    public mutating func refuse() -> Step {
        guard stage == .asking else { return .wait }
        return end(.unresolved)
    }

    public mutating func expire(_ resolver: Resolver, at now: Instant) -> Step {
        switch stage {
        case .asking: return asked < resolver.attempts ? ask(resolver, at: now) : end(.unresolved)
        case .lacking:
            return asked < resolver.attempts && !races ? again(resolver, at: now) : dial(resolver, at: now)
        case .knocking: return knockOn(resolver, at: now)
        case .over: return .wait
        }
    }

    private mutating func ask(_ resolver: Resolver, at now: Instant) -> Step {
        stage = .asking
        return again(resolver, at: now)
    }

    private mutating func again(_ resolver: Resolver, at now: Instant) -> Step {
        asked += 1
        deadline = now + resolver.timeout
        return .ask
    }

    /// The addresses, IPv6 first where there is one (RFC 6724 §2.1 prefers it).
    private mutating func dial(_ resolver: Resolver, at now: Instant) -> Step {
        switch (resolver.ipv6, resolver.ipv4) {
        case (.works, _): end(.go)
        case (.broken, .works), (.broken, .broken): knock(at: now)
        case (.broken, _): last(at: now)
        case (_, .works): end(.go)
        case (_, .broken): last(at: now)
        default: end(.unresolved)
        }
    }

    private mutating func knock(at now: Instant) -> Step {
        stage = .knocking
        knocks = 1
        knockingSince = now
        deadline = now + min(races && !isAtSecond ? Resolver.attemptDelay : .seconds(1), patience)
        return .knock
    }

    private mutating func last(at now: Instant) -> Step {
        isAtSecond = true
        return knock(at: now)
    }

    /// SYN again after 1, 2, 4, … s, and the next address after 250 ms or when patience is at its end.
    private mutating func knockOn(_ resolver: Resolver, at now: Instant) -> Step {
        let givenUpAt = knockingSince + patience
        if !isAtSecond, races || givenUpAt <= now {
            return resolver.ipv4 == .works ? end(.go) : last(at: now)
        }
        if givenUpAt <= now { return end(.timedOut) }
        knocks += 1
        deadline = min(now + .seconds(1) * (1 << Int64(knocks - 1)), givenUpAt)
        return .knock
    }

    /// True once: when the name has come to its end after questions, with or without addresses.
    public mutating func endsQuestions() -> Bool {
        defer { isTold = true }
        return asked > 0 && !isTold
    }

    private mutating func end(_ step: Step) -> Step {
        stage = .over
        deadline = .never
        return step
    }
}

/// What the phone remembers of the server's name, on one network.
public struct NameCache: Hashable, Sendable, BitwiseCopyable {
    private var until = Instant.zero
    private var network: UInt32 = .max

    public init() {}

    public func knows(at now: Instant, on network: UInt32) -> Bool { self.network == network && now < until }

    public mutating func learn(_ resolver: Resolver, at now: Instant, on network: UInt32) {
        until = now + resolver.ttl
        self.network = network
    }
}
