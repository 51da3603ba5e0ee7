import DeadzoneBase
import DeadzoneTransport

/// A connection that the phone closed while it was cut off, although it might have worked again later.
///
/// Only later events show whether closing it was a mistake.
struct AbandonedConnection: BitwiseCopyable, Sendable {
    var interface: Interface
    var epoch: UInt16
    var number: UInt16
    /// Time at which the server or a middlebox on the path would have dropped the connection if the phone had kept it.
    var until: Instant
}

/// Detects false drops: connections that the phone (the app or its kernel) closes although they are good. A connection
/// that is closed while it is cut off counts as good if its path returns while the server would still have held it.
///
/// Where this is inaccurate: only the latest doubtful connection of each slot is tracked. A server that would have
/// closed the connection gracefully meanwhile, as in a deploy, is assumed to have kept it.
extension PhoneSimulation {
    mutating func recordAbandoned(_ slot: Int, _ context: inout WorkerContext) {
        switch connectionTruths[slot].state {
        case .absent, .dead: break
        case .working: journal(.falseDrop, value: Int64(phoneEnd[slot].generation), &context)
        // A box that blocks the connection's protocol does not go away when the signal returns.
        case .blocked where connectionTruths[slot].boxes.status == .cut: break
        case .blocked:
            var until = min(server.giveUpTime(slot, at: now), connectionTruths[slot].boxes.endsAt)
            if phoneEnd[slot].isQUIC { until = min(until, server.silenceEnds(slot)) }
            connectionTruths[slot].abandoned = AbandonedConnection(
                interface: phoneEnd[slot].interface, epoch: phoneEnd[slot].epoch, number: phoneEnd[slot].generation,
                until: until
            )
        }
    }

    /// Decides, after a change of conditions, whether the slot's abandoned connection would work again now, or never
    /// will.
    mutating func reassessAbandoned(_ slot: Int, _ context: inout WorkerContext) {
        guard let given = connectionTruths[slot].abandoned else { return }
        if !holdsAddress(given.interface, given.epoch, context) || server.isDown || given.until <= now {
            connectionTruths[slot].abandoned = nil
        } else if networkWorks(given.interface, context) && !server.isFrozen {
            connectionTruths[slot].abandoned = nil
            journal(.falseDrop, value: Int64(given.number), &context)
        }
    }

    /// Shortens the time for which the server would have kept an abandoned connection. Called when the server writes a
    /// message: its retransmissions would fail, so it would drop the connection after the retransmission limit.
    mutating func noteWriteToAbandoned() {
        for slot in Self.slots where connectionTruths[slot].abandoned != nil {
            connectionTruths[slot].abandoned?.until = min(
                connectionTruths[slot].abandoned?.until ?? .never, now + Server.retransmissionLimit)
        }
    }
}
