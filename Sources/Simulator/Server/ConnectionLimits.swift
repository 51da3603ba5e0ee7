package import DeadzoneBase

/// Limits on the idle time and the age of a connection, after which the server closes it (gRFC A9). A connection at
/// either limit is closed by GOAWAY in two stages; open streams get the grace period.
///
///     MAX_CONNECTION_IDLE    since the last stream ended; never while one is open
///     MAX_CONNECTION_AGE     since the connection began, ±10 % so that connections of the same age do not end together
///     MAX_CONNECTION_AGE_GRACE
///
/// The limit of a session is one of the server's program: it ends the session's stream with success, and then the
/// connection.
package struct ConnectionLimits: Hashable, Sendable, BitwiseCopyable {
    package var idle: TimeSpan?
    package var age: TimeSpan?
    /// Time that open streams may take to end after the age limit. `nil` sets no limit.
    package var ageGrace: TimeSpan?
    /// Length of a session, after which the program ends its stream with success. `nil` sets no limit.
    package var session: TimeSpan?

    /// The times at which one connection reaches its limits of idle time and age.
    package struct State: Hashable, Sendable, BitwiseCopyable {
        private(set) var idleAt = Instant.never
        /// Time of the age limit or of the session's limit, whichever comes first.
        private(set) var agedAt = Instant.never
        /// `true` if `agedAt` is the session's limit.
        private(set) var endsSession = false

        package init() {}

        package var deadline: Instant { min(idleAt, agedAt) }

        fileprivate mutating func set(idleAt: Instant) { self.idleAt = idleAt }
        fileprivate mutating func set(agedAt: Instant) { self.agedAt = agedAt }

        fileprivate mutating func set(sessionEndsAt end: Instant) {
            endsSession = end < agedAt
            agedAt = min(agedAt, end)
        }
    }

    /// The limit that a connection has reached, so that the server closes it.
    package enum LimitReason: Hashable, Sendable { case idle, age, session }

    /// Starts the limits of a new connection.
    /// - Parameter word: Random number of the phone, for the ±10 % of the age limit.
    package func opened(_ state: inout State, hasStreams: Bool, word: UInt64, at now: Instant) {
        state = State()
        if let age {
            let tenth = age / 10
            let spread = TimeSpan(nanoseconds: Int64(word.scaled(below: UInt64(tenth.nanoseconds) * 2 + 1)))
            state.set(agedAt: now + (age - tenth + spread))
        }
        if let session { state.set(sessionEndsAt: now + session) }
        streamsChanged(hasStreams, &state, at: now)
    }

    /// Restarts the idle limit when the last stream has ended, or stops it when a stream is open.
    package func streamsChanged(_ areOpen: Bool, _ state: inout State, at now: Instant) {
        guard let idle else { return }
        state.set(idleAt: areOpen ? .never : now + idle)
    }

    /// Returns the limit that the connection has reached, and clears both limits. `nil` if it has reached none.
    package func expire(_ state: inout State, at now: Instant) -> LimitReason? {
        guard state.deadline <= now else { return nil }
        let reason = state.agedAt > now ? LimitReason.idle : state.endsSession ? .session : .age
        state = State()
        return reason
    }

    /// Maximum time that streams which are still open may take to end, after the connection has reached this limit.
    package func grace(_ reason: LimitReason) -> TimeSpan {
        switch reason {
        case .age: ageGrace ?? .longest
        // No stream is open then; streams opened before the client received GOAWAY are served.
        case .idle, .session: .longest
        }
    }
}
