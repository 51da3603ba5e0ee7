public import DeadzonePrimitives

/// One end's view of the path it uses: whether the other end is truly there (RFC 9000 §8.2), and how much may be said before
/// that is known (§8.1).
///
///     validated ──another address──▶ validating ──PATH_RESPONSE──▶ validated
///                                        │ three probe timeouts
///                                        └──▶ failed ──back──▶ validated
public struct QUICPath: Hashable, Sendable, BitwiseCopyable {
    public enum State: UInt8, Hashable, Sendable, BitwiseCopyable {
        case validated, validating, failed
    }

    /// Bytes that may be sent for each one received while the address may be a lie (RFC 9000 §8.1).
    public static let amplification: UInt64 = 3
    /// Datagrams with a PATH_CHALLENGE or PATH_RESPONSE are padded to this (RFC 9000 §8.2.1), like Initials (§14.1).
    public static let padded: UInt32 = 1_200

    public private(set) var state = State.validated
    /// When the validation has failed.
    public private(set) var deadline = Instant.never
    /// When the challenge goes out once more.
    public private(set) var repeatAt = Instant.never
    /// Which validation this is: an answer to an older challenge proves nothing.
    public private(set) var challenge: UInt16 = 0
    private var received: UInt64 = 0
    private var sent: UInt64 = 0
    private var inVain: UInt8 = 0

    public init() {}

    /// It asks again then, or gives the path up.
    public var dueAt: Instant { min(repeatAt, deadline) }

    /// The peer is, or wants to be, somewhere else: a challenge has to go there. `probeTimeout` is that of the old path; that of
    /// the new one is not known and taken from the initial round trip (RFC 9000 §8.2.4).
    public mutating func validate(at now: Instant, probeTimeout: TimeSpan) {
        challenge &+= 1
        state = .validating
        received = 0
        sent = 0
        inVain = 0
        deadline = now + max(probeTimeout, Kernel.quic.probeTimeout()) * 3
        repeatAt = now + Kernel.quic.probeTimeout()
    }

    /// PATH_RESPONSE. True when it proves the path.
    public mutating func respond(to answered: UInt16) -> Bool {
        guard state == .validating, answered == challenge else { return false }
        settle(.validated)
        return true
    }

    /// A challenge is repeated no more often than an Initial would be (RFC 9000 §8.2.1); returns false when the path has failed.
    public mutating func expire(at now: Instant) -> Bool {
        guard now < deadline else {
            settle(.failed)
            return false
        }
        inVain += 1
        repeatAt = now + Kernel.quic.probeTimeout() * (1 << Int64(min(inVain, 20)))
        return true
    }

    /// Back on the path that was proven before. An answer to a challenge of the other one still proves nothing.
    public mutating func goBack() { settle(.validated) }

    public mutating func receive(bytes: UInt32) { received += UInt64(bytes) }
    public mutating func send(bytes: UInt32) { sent += UInt64(bytes) }

    /// What may still be sent to an address that has not been proven. Without a bound where it has.
    public var allowance: UInt64 {
        guard state == .validating else { return .max }
        let bound = received * Self.amplification
        return bound > sent ? bound - sent : 0
    }

    private mutating func settle(_ end: State) {
        state = end
        deadline = .never
        repeatAt = .never
    }
}

/// The connection IDs that a peer has handed out and that no path has used yet: who has none cannot move (RFC 9000 §9.5). An ID
/// that was used is retired, and the peer hands out another (§5.1.1).
public struct QUICSpareIDs: Hashable, Sendable, BitwiseCopyable {
    /// active_connection_id_limit where the peer does not say: one in use, one to spare (RFC 9000 §18.2).
    public static let activeLimit: UInt8 = 2

    public private(set) var count: UInt8

    /// - Parameter activeLimit: Zero and one: none to spare, as behind a load balancer that routes by address.
    public init(activeLimit: UInt8 = Self.activeLimit) { count = activeLimit > 0 ? activeLimit - 1 : 0 }

    public mutating func take() -> Bool {
        guard count > 0 else { return false }
        count -= 1
        return true
    }

    /// NEW_CONNECTION_ID.
    public mutating func add() { count = min(count + 1, .max - 1) }
}
