public import DeadzoneBase

/// Limits the number of pings that a client sends without other data.
///
/// gRPC's core (grpc/grpc `src/core/ext/transport/chttp2/transport/ping_rate_policy.cc`): after
/// MAX_PINGS_WITHOUT_DATA = 2 pings it sends none before its next HEADERS or DATA. Since gRFC L116 (an experiment) it
/// sends one a minute instead. grpc-swift 1 (grpc/grpc-swift 1.x `Sources/GRPC/GRPCKeepaliveHandlers.swift`,
/// `ConnectionKeepalive.swift`) counts only while no stream is open. It allows one more than its 2, and leaves 5 min
/// between pings.
public struct PingBudget: Hashable, Sendable {
    public enum OverBudgetPolicy: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Beyond the limit, sends no ping until other data is sent; a ping that was due is sent with that data.
        case block
        /// Beyond the limit, sends one ping per `throttle` span.
        case throttle
    }

    public enum PingCountRule: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Counts every ping since data was last sent.
        case always
        /// Counts and limits pings only while no stream is open.
        case withoutStreams
    }

    /// Maximum number of pings without other data (gRPC's MAX_PINGS_WITHOUT_DATA); 0 sets no limit.
    public var most: UInt8 = 2
    public var overBudget = OverBudgetPolicy.block
    public var throttle = TimeSpan.minutes(1)
    /// Minimum time between two pings.
    public var gap = TimeSpan.zero
    public var counting = PingCountRule.always

    public init() {}

    public struct State: Hashable, Sendable, BitwiseCopyable {
        var sent: UInt8 = 0
        /// `true` if a ping is due and waits until other data is sent.
        var isPingPending = false
        var lastAt = Instant.never

        public init() {}
    }

    /// Called when a connection opens. The HEADERS of the first stream count as data, so a new connection without a
    /// stream may not ping yet.
    func opened(_ state: inout State, hasStreams: Bool) {
        state = State()
        if counting == .always && !hasStreams { state.sent = most }
    }

    func streamsChanged(_ areOpen: Bool, _ state: inout State) {
        if areOpen { state.sent = 0 }
    }

    /// Called when data other than a ping was sent. Returns `true` if a delayed ping is sent now.
    func sentData(_ state: inout State, hasStreams: Bool) -> Bool {
        if counting == .always || hasStreams { state.sent = 0 }
        defer { state.isPingPending = false }
        return state.isPingPending
    }

    func sentPing(_ state: inout State, hasStreams: Bool, _ now: Instant) {
        state.isPingPending = false
        state.lastAt = now
        if counting == .always || !hasStreams { state.sent = min(state.sent, .max - 1) + 1 }
    }

    /// Returns the time until the next check whether a ping is allowed; `nil` if the ping may be sent now.
    func delayBeforePing(_ state: inout State, _ hasStreams: Bool, _ now: Instant) -> TimeSpan? {
        guard counting == .always || !hasStreams else { return nil }
        let since = state.lastAt == .never ? TimeSpan.longest : now - state.lastAt
        let isSpent = most != 0 && (counting == .always ? state.sent >= most : state.sent > most)
        if isSpent && overBudget == .block {
            state.isPingPending = counting == .always
            return .longest
        }
        let wanted = isSpent ? max(throttle, gap) : gap
        return since < wanted ? wanted - since : nil
    }
}
