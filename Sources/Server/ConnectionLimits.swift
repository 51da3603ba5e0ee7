public import DeadzonePrimitives

/// How long a server keeps a connection (gRFC A9). Either limit ends it by GOAWAY in two stages; open streams have the grace.
///
///     MAX_CONNECTION_IDLE    since the last stream ended; never while one is open
///     MAX_CONNECTION_AGE     since the connection began, ±10 % so that those that came together do not leave together
///     MAX_CONNECTION_AGE_GRACE
public struct ConnectionLimits: Hashable, Sendable, BitwiseCopyable {
    public var idle: TimeSpan?
    public var age: TimeSpan?
    /// nil: streams may take as long as they like.
    public var ageGrace: TimeSpan?

    public init(idle: TimeSpan? = nil, age: TimeSpan? = nil, ageGrace: TimeSpan? = nil) {
        self.idle = idle
        self.age = age
        self.ageGrace = ageGrace
    }

    /// What one connection's server remembers.
    public struct State: Hashable, Sendable, BitwiseCopyable {
        private(set) var idleAt = Instant.never
        private(set) var agedAt = Instant.never

        public init() {}

        public var deadline: Instant { min(idleAt, agedAt) }

        fileprivate mutating func set(idleAt: Instant) { self.idleAt = idleAt }
        fileprivate mutating func set(agedAt: Instant) { self.agedAt = agedAt }
    }

    /// Why a connection is to go.
    public enum Reason: Hashable, Sendable { case idle, age }

    /// - Parameter word: One of the phone's dice, for the ±10 %.
    public func opened(_ state: inout State, hasStreams: Bool, word: UInt64, at now: Instant) {
        state = State()
        if let age {
            let tenth = age / 10
            let spread = TimeSpan(nanoseconds: Int64(word.scaled(below: UInt64(tenth.nanoseconds) * 2 + 1)))
            state.set(agedAt: now + (age - tenth + spread))
        }
        streams(hasStreams, &state, at: now)
    }

    /// The first stream was opened, or the last one ended.
    public func streams(_ areOpen: Bool, _ state: inout State, at now: Instant) {
        guard let idle else { return }
        state.set(idleAt: areOpen ? .never : now + idle)
    }

    /// A limit is reached, and each of them once.
    public func expire(_ state: inout State, at now: Instant) -> Reason? {
        guard state.deadline <= now else { return nil }
        let reason = state.agedAt <= now ? Reason.age : .idle
        state = State()
        return reason
    }

    /// How long streams may take that are open when it goes.
    public func grace(_ reason: Reason) -> TimeSpan {
        switch reason {
        case .age: ageGrace ?? .longest
        // There are none; those opened before the client knew are served.
        case .idle: .longest
        }
    }
}
