package import DeadzoneBase

/// Tracks if the peer's address on a QUIC path is proven, and limits the data sent before that. Sources:
/// RFC 9000 §8.2 for the proof, §8.1 for the limit.
///
///     validated ──another address──▶ validating ──PATH_RESPONSE──▶ validated
///                                        │ three probe timeouts
///                                        └──▶ failed ──back──▶ validated
package struct QUICPath: Hashable, Sendable, BitwiseCopyable {
    package enum State: UInt8, Hashable, Sendable, BitwiseCopyable {
        case validated, validating, failed
    }

    /// Number of bytes that may be sent for each byte received while the peer's address is not proven (RFC 9000 §8.1).
    package static let amplification: UInt64 = 3
    /// Size in bytes to which datagrams with a PATH_CHALLENGE or PATH_RESPONSE are padded (RFC 9000 §8.2.1), like
    /// Initials (§14.1).
    package static let padded: UInt32 = 1_200

    package private(set) var state = State.validated
    /// Time at which the validation of the path fails; `.never` if none is in progress.
    package private(set) var deadline = Instant.never
    /// Time at which the challenge is sent again; `.never` if no validation is in progress.
    package private(set) var repeatAt = Instant.never
    /// Number of the current challenge, raised by one for each validation. A response to an older challenge proves
    /// nothing.
    package private(set) var challenge: UInt16 = 0
    private var received: UInt64 = 0
    private var sent: UInt64 = 0
    private var repeatCount: UInt8 = 0

    package init() {}

    /// Time of the next action of the path validation: the challenge is repeated or the path fails. `.never` if none is
    /// due.
    package var dueAt: Instant { min(repeatAt, deadline) }

    /// Starts validating the peer's address because it is, or may be, a new one. The caller must send a challenge to
    /// it. `probeTimeout` is that of the old path. That of the new path is unknown and follows from the initial round
    /// trip (RFC 9000 §8.2.4).
    package mutating func validate(at now: Instant, probeTimeout: TimeSpan) {
        challenge &+= 1
        state = .validating
        received = 0
        sent = 0
        repeatCount = 0
        deadline = now + max(probeTimeout, Kernel.quic.probeTimeout()) * 3
        repeatAt = now + Kernel.quic.probeTimeout()
    }

    /// Handles a PATH_RESPONSE. Returns `true` if it answers the current challenge and so proves the path.
    package mutating func acceptResponse(to answered: UInt16) -> Bool {
        guard state == .validating, answered == challenge else { return false }
        endValidation(.validated)
        return true
    }

    /// Handles a passed deadline: schedules the next challenge and returns `true`, or returns `false` if the path has
    /// failed. Challenges are repeated no more often than an Initial would be (RFC 9000 §8.2.1).
    package mutating func expire(at now: Instant) -> Bool {
        guard now < deadline else {
            endValidation(.failed)
            return false
        }
        repeatCount += 1
        repeatAt = now + Kernel.quic.probeTimeout() * (1 << Int64(min(repeatCount, 20)))
        return true
    }

    /// Returns to the path that was proven before. A late answer to a challenge on the other path is ignored.
    package mutating func revertToValidatedPath() { endValidation(.validated) }

    package mutating func countReceived(bytes: UInt32) { received += UInt64(bytes) }
    package mutating func countSent(bytes: UInt32) { sent += UInt64(bytes) }

    /// Number of bytes that may still be sent while the peer's address is not proven. `.max` if it is proven.
    package var allowance: UInt64 {
        guard state == .validating else { return .max }
        let bound = received * Self.amplification
        return bound > sent ? bound - sent : 0
    }

    private mutating func endValidation(_ end: State) {
        state = end
        deadline = .never
        repeatAt = .never
    }
}

/// Counts the unused connection IDs that a QUIC peer has issued. Without one, an end cannot migrate to another path.
/// (RFC 9000 §9.5.) A used ID is retired, and the peer issues another one (§5.1.1).
package struct QUICSpareIDs: Hashable, Sendable, BitwiseCopyable {
    /// Default active_connection_id_limit: two IDs, one in use and one to spare (RFC 9000 §18.2).
    package static let activeLimit: UInt8 = 2

    package private(set) var count: UInt8

    /// Creates the counter, with one of the `activeLimit` IDs in use.
    /// - Parameter activeLimit: With zero or one there is no spare ID, as behind a balancer that routes by address.
    package init(activeLimit: UInt8 = Self.activeLimit) { count = activeLimit > 0 ? activeLimit - 1 : 0 }

    package mutating func takeOne() -> Bool {
        guard count > 0 else { return false }
        count -= 1
        return true
    }

    /// Counts the new connection ID of a received NEW_CONNECTION_ID frame.
    package mutating func add() { count = min(count + 1, .max - 1) }
}
