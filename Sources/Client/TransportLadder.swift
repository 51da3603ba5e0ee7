public import DeadzoneBase

/// Policy for several transports, the preferred one first: when a client falls to the next transport, and when it tries
/// the preferred one again.
///
///     first ──failed attempts──> next ──failed attempts──> last ──failed attempts──> first, after the usual wait
///     next, last ──the server answers──> remembered ──time over, or another network──> first
///
/// A fall needs no wait, because the next attempt tests something else. A transport is remembered only once the server
/// has answered over it: if all transports fail, the network is gone, and nothing is known about the first one.
/// Chromium marks QUIC as broken in the same case (`net/http/broken_alternative_services.cc`), for 5 min, then twice as
/// long each time; Phoenix falls to long polling 2.5 s after it began a WebSocket (`longPollFallbackMs`).
///
/// Attempts follow one another. Clients that race two transports (Chromium) are not modelled: a short limit of an
/// attempt comes close.
public struct TransportLadder: Hashable, Sendable {
    /// Largest number of transports; a state has four bits for them.
    static let maxTransports = 4

    /// The time for which a client remembers the transport over which the server has answered.
    public enum LadderMemory: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// Every connection begins with the first transport.
        case nothing
        /// Until another network becomes the default.
        case network
        /// Until the process ends, on every network.
        case process
    }

    public var transports: [Transport]
    /// Number of failed attempts in a row over one transport before the client falls to the next one.
    public var failures: UInt8 = 1
    /// Time limit of an attempt over each transport but the last; `nil` uses the limit of all attempts.
    public var attemptLimit: TimeSpan?
    public var memory = LadderMemory.network
    /// Time after which the first transport is tried again; `.longest` if only another network ends the memory.
    public var climbsAfter = TimeSpan.longest
    /// The time doubles each time that the first transport fails again, up to this limit.
    public var climbLimit = TimeSpan.longest

    public init(_ transports: [Transport]) {
        precondition(
            (1...Self.maxTransports).contains(transports.count),
            "a ladder of \(transports.count) transports; the most is \(Self.maxTransports)")
        self.transports = transports
    }

    /// The present transport of one phone, and what its client remembers.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        /// Second of the run from which the first transport is tried again: 0 if no transport is remembered, the largest
        /// number if the time is not limited. Seconds, so that the state takes one word.
        fileprivate var until: UInt32 = 0
        /// The network to which the memory belongs.
        fileprivate var network: UInt16 = 0
        /// Index of the transport in the two lowest bits; in the four highest a bit for each transport over which the
        /// server has answered.
        private var bits: UInt8 = 0
        /// Failed attempts in a row over the transport, in the four lowest bits; above them the number of times in a row
        /// that a lower transport was remembered.
        private var counts: UInt8 = 0

        public init() {}

        /// Index of the transport of the present attempt or connection.
        public internal(set) var index: Int {
            get { Int(bits & 3) }
            set { bits = bits & ~3 | UInt8(newValue) }
        }
        var hasAnswered: Bool { bits >> 4 & 1 << UInt8(index) != 0 }
        fileprivate var isRemembered: Bool { until > 0 }

        fileprivate var failed: UInt8 {
            get { counts & 15 }
            set { counts = counts & ~15 | min(newValue, 15) }
        }
        fileprivate var falls: UInt8 {
            get { counts >> 4 }
            set { counts = min(newValue, 15) << 4 | counts & 15 }
        }

        fileprivate mutating func noteAnswer() { bits |= 1 << (UInt8(index) + 4) }

        /// Returns to the first transport.
        fileprivate mutating func climb() {
            (index, failed, until) = (0, 0, 0)
        }
    }

    public func transport(_ state: State) -> Transport { transports[state.index] }

    /// `true` if another transport follows the present one.
    private func hasNext(_ state: State) -> Bool { state.index + 1 < transports.count }

    /// Called when an attempt begins: tries the first transport again if its time has come.
    public func began(_ state: inout State, _ session: Session) {
        if memory == .network, let path = session.path {
            // Handles are counted for each interface.
            let network = session.network.handle << 3 | UInt16(path.rawValue)
            if network != state.network {
                state.climb()
                (state.falls, state.network) = (0, network)
            }
        }
        if state.isRemembered, state.until < .max, Self.second(of: session.now) >= state.until { state.climb() }
    }

    /// Returns the time limit of the present attempt; `nil` if this policy sets none.
    public func connectTimeout(_ state: State) -> TimeSpan? { hasNext(state) ? attemptLimit : nil }

    /// Called when an attempt has failed. Returns `true` if the client tries the next transport at once.
    public func failed(_ kind: EndKind, _ state: inout State) -> Bool {
        guard Self.mayDependOnTransport(kind) else { return false }
        state.failed += 1
        guard failures <= state.failed else { return false }
        state.failed = 0
        if hasNext(state) {
            state.index += 1
            state.until = 0
            return true
        }
        if !state.isRemembered { state.index = 0 }
        return false
    }

    /// Called when the server has answered on a connection: the transport works on this network.
    public func answered(_ state: inout State, _ session: Session) {
        state.failed = 0
        state.noteAnswer()
        if state.index == 0 {
            state.falls = 0
        } else if memory != .nothing, !state.isRemembered {
            state.until = until(state, session.now)
            state.falls += 1
        }
    }

    /// Called when a connection has ended on which the server had answered.
    public func ended(_ state: inout State) { if memory == .nothing { state.climb() } }

    private func until(_ state: State, _ now: Instant) -> UInt32 {
        guard climbsAfter < .longest else { return .max }
        var span = climbsAfter
        for _ in 0..<state.falls where span < climbLimit { span = span + span }
        return max(Self.second(of: now + min(span, climbLimit) + .nanoseconds(999_999_999)), 1)
    }

    /// The second of the run in which an instant lies; the largest number but one if it is later.
    private static func second(of instant: Instant) -> UInt32 {
        UInt32(min((instant - Instant.zero).nanoseconds / 1_000_000_000, Int64(UInt32.max - 1)))
    }

    /// `false` for failures that every transport would have: no network, no address, a refusal of the server's program.
    private static func mayDependOnTransport(_ kind: EndKind) -> Bool {
        switch kind {
        case .unanswered, .refused, .timedOut, .reset, .ended, .silent: true
        case .noPath, .unresolved, .untrusted, .turnedAway, .forbidden, .pathLost, .denied, .completed, .goAway,
            .tooManyPings:
            false
        }
    }
}

extension SettingsReader {
    /// Reads the transports of a ladder; empty without one. The first is the preferred one.
    mutating func ladderKinds() -> [Transport.TransportKind] {
        let most = TransportLadder.maxTransports
        let kinds =
            list(
                "ladder", of: .word(Transport.TransportKind.words), counts: 2...most,
                "several protocols instead of `kind`, the preferred one first; the next one is tried after failures"
            ) ?? []
        for (index, kind) in kinds.enumerated() where kind == .datagram || kinds[..<index].contains(kind) {
            let word = Transport.TransportKind.words.first { $0.1 == kind }?.0 ?? ""
            let (message, label) =
                kind == .datagram
                ? ("`datagram` in a ladder", "datagrams report no failure")
                : ("`\(word)` twice in a ladder", "each transport once")
            note(Fault(.contradiction, at: mark(of: "ladder"), width: 6, message, label: label))
        }
        return isDescribing ? [] : kinds
    }

    /// Reads when a client falls to the next transport and when it climbs again.
    mutating func ladder(_ transports: [Transport]) -> TransportLadder? {
        guard transports.count > 1 || isDescribing else {
            for key in ["falls-after", "climbs", "remembers"] {
                // A ladder with a fault has been reported.
                if has("ladder") { _ = custom(key) { .anything } } else { refuse(key, without: "ladder") }
            }
            return nil
        }
        var ladder = TransportLadder(transports)
        let limits = TimeSpan.milliseconds(1) ... .longest
        let plain = ValueFormat<TimeSpan>.span(in: limits).map {
            (limit: Optional($0), failures: UInt8(1))
        } back: {
            $0.limit ?? .longest
        }
        let falls = either(
            "falls-after",
            "time limit of an attempt over each transport but the last, or a map; default: one failed attempt",
            plain: plain
        ) { settings in
            let limit = settings.span("limit", in: limits, "time limit of such an attempt; default: `connect: timeout`")
            let failures = settings.count(
                "failures", default: 1, in: 1...15, "failed attempts in a row before the next transport is tried")
            return (limit: limit, failures: UInt8(failures))
        }
        if let falls { (ladder.attemptLimit, ladder.failures) = falls }
        ladder.readClimbs(&self)
        return ladder
    }
}

extension TransportLadder {
    fileprivate mutating func readClimbs(_ settings: inout SettingsReader) {
        let spans = TimeSpan.seconds(1) ... .hours(24 * 366)
        let plain = ValueFormat<TimeSpan>.span(in: spans).map {
            (after: $0, cap: $0)
        } back: {
            $0.after
        }
        let climbs = settings.either(
            "climbs", "time after which the first transport is tried again, or a map; default: never", plain: plain
        ) { settings in
            let after = settings.span(
                "after", default: .minutes(5), in: spans,
                "time after which the first attempt tries the first transport again")
            let cap = settings.span(
                "cap", default: after, in: spans,
                "the time doubles each time that the first transport fails again, up to this limit")
            return (after: after, cap: max(after, cap))
        }
        memory = settings.word(
            "remembers", of: [("nothing", LadderMemory.nothing), ("network", .network), ("process", .process)],
            default: .network,
            "how long a transport that works is used: for one connection, until another network becomes the default, or until the process ends"
        )
        if let climbs { (climbsAfter, climbLimit) = climbs }
        guard memory == .nothing, climbs != nil, !settings.isDescribing else { return }
        settings.note(
            Fault(
                .contradiction, at: settings.mark(of: "climbs"), width: 6, "`climbs` beside `remembers: nothing`",
                label: "every connection begins with the first transport"))
    }
}
