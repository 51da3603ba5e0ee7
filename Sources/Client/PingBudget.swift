public import DeadzonePrimitives

/// How many pings a client allows itself while it has nothing else to say.
///
/// gRPC's core (grpc/grpc `src/core/ext/transport/chttp2/transport/ping_rate_policy.cc`): after MAX_PINGS_WITHOUT_DATA = 2 pings
/// no more before the next HEADERS or DATA of its own; since gRFC L116 (an experiment) one a minute instead. grpc-swift 1
/// (grpc/grpc-swift 1.x `Sources/GRPC/GRPCKeepaliveHandlers.swift`, `ConnectionKeepalive.swift`): counts only while no stream is
/// open, lets one more than its 2 pass, and leaves 5 min between them.
public struct PingBudget: Hashable, Sendable {
    public enum Beyond: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// None until there is something else to say; what was due goes along with it.
        case block
        /// One in `throttle`.
        case throttle
    }

    public enum Counting: UInt8, Hashable, Sendable, BitwiseCopyable {
        /// Every ping since data was last sent.
        case always
        /// Those while no stream is open, and it is looked at only then.
        case withoutStreams
    }

    /// MAX_PINGS_WITHOUT_DATA; 0: as many as it likes.
    public var most: UInt8 = 2
    public var beyond = Beyond.block
    public var throttle = TimeSpan.minutes(1)
    /// Between two pings.
    public var gap = TimeSpan.zero
    public var counting = Counting.always

    public init() {}

    public struct State: Hashable, Sendable, BitwiseCopyable {
        var sent: UInt8 = 0
        /// A ping is due, and waits for something to go along with.
        var isOwed = false
        var lastAt = Instant.never

        public init() {}
    }

    /// The HEADERS of a first stream are data: a new connection without one may not ping yet.
    func opened(_ state: inout State, hasStreams: Bool) {
        state = State()
        if counting == .always && !hasStreams { state.sent = most }
    }

    func streams(_ areOpen: Bool, _ state: inout State) {
        if areOpen { state.sent = 0 }
    }

    /// True: a ping that was held back goes now.
    func sentData(_ state: inout State, hasStreams: Bool) -> Bool {
        if counting == .always || hasStreams { state.sent = 0 }
        defer { state.isOwed = false }
        return state.isOwed
    }

    func sentPing(_ state: inout State, hasStreams: Bool, _ now: Instant) {
        state.isOwed = false
        state.lastAt = now
        if counting == .always || !hasStreams { state.sent = min(state.sent, .max - 1) + 1 }
    }

    /// Nil: the ping may go. Otherwise how long to wait before it is worth looking again.
    func refuses(_ state: inout State, _ hasStreams: Bool, _ now: Instant) -> TimeSpan? {
        guard counting == .always || !hasStreams else { return nil }
        let since = state.lastAt == .never ? TimeSpan.longest : now - state.lastAt
        let isSpent = most != 0 && (counting == .always ? state.sent >= most : state.sent > most)
        if isSpent && beyond == .block {
            state.isOwed = counting == .always
            return .longest
        }
        let wanted = isSpent ? max(throttle, gap) : gap
        return since < wanted ? wanted - since : nil
    }
}
