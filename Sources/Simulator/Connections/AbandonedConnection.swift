import DeadzoneBase
import DeadzoneTransport

/// A connection that the phone closed while it was cut off, although it might have worked again later.
///
/// Only later events show whether closing it was a mistake.
struct AbandonedConnection: BitwiseCopyable, Sendable {
    var interface: Interface
    var addressNumber: UInt16
    var number: UInt16
    /// Time at which the server or a middlebox on the path would have dropped the connection if the phone had kept it.
    var until: Instant
}

/// Detects false drops: connections that the phone (the app or its kernel) closes although they are good. A connection
/// that is closed while it is cut off counts as good if its path returns while the server would still have held it.
///
/// Where this is inaccurate: only the latest doubtful connection of each slot is tracked. A server that would have
/// closed the connection gracefully meanwhile, as in a deploy, is assumed to have kept it.
extension Connections {
    /// Called when the phone gives up the connection by its own decision.
    /// - Parameters:
    ///   - connection: The connection, and the time until which it would have been kept.
    ///   - isProtocolBlocked: `true` if a middlebox blocks its protocol.
    mutating func giveUp(
        _ slot: Int, _ connection: AbandonedConnection, isProtocolBlocked: Bool,
        _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        switch truths[slot].state {
        case .absent, .dead: break
        case .working: out.note(.falseDrop, value: Int64(connection.number))
        // A box that blocks the connection's protocol does not go away when the signal returns.
        case .blocked: if !isProtocolBlocked { truths[slot].abandoned = connection }
        }
    }

    /// Decides, after a change of conditions, whether the slot's abandoned connection would work again now, or never
    /// will.
    /// - Parameter facts: The facts about the abandoned connection.
    mutating func reassessAbandoned(
        _ slot: Int, _ facts: ConnectionFacts, at now: Instant, _ out: inout EffectQueue<ConnectionsEffect>
    ) {
        guard let given = truths[slot].abandoned else { return }
        if facts.state == .dead || given.until <= now {
            truths[slot].abandoned = nil
        } else if facts.state == .working {
            truths[slot].abandoned = nil
            out.note(.falseDrop, value: Int64(given.number))
        }
    }

    /// Shortens the time for which the server would have kept an abandoned connection. Called when the server writes a
    /// message: its retransmissions would fail, so it would drop the connection after the retransmission limit.
    mutating func limitAbandoned(until end: Instant) {
        for slot in Self.slots where truths[slot].abandoned != nil {
            truths[slot].abandoned?.until = min(truths[slot].abandoned?.until ?? .never, end)
        }
    }

    /// Forgets abandoned connections, because they will never work again: those over this interface, or all.
    mutating func forgetAbandoned(over interface: Interface? = nil) {
        for slot in Self.slots where interface == nil || truths[slot].abandoned?.interface == interface {
            truths[slot].abandoned = nil
        }
    }
}
