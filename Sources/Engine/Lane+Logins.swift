import DeadzoneClient
import DeadzonePrimitives
import DeadzoneTransport

/// A server that sets connections up and then does not know who is there: an expired token, an account service that is away.
/// The set-up succeeds, the connection is open to the client, and the first thing that it hears is that it may not stay (close
/// code 1008 of RFC 6455 §7.4.1, UNAUTHENTICATED, CONNACK 5 of MQTT).
extension Lane {
    mutating func refuseLogin(_ slot: Int, at refusedAt: Instant, _ stage: inout Stage) {
        lines[slot].saidAt = refusedAt
        lines[slot].resumedAt = writtenDown.index
        if case .from(let cursor) = lines[slot].resuming { lines[slot].resumedAt = cursor.position }
        openWindowDown(slot, stage)
        writeAnswer(toFlight: lines[slot].setup.session, slot)
        sayDown(.loginRefused, slot)
        sayDown(.end, slot)
        lines[slot].isEnding = true
        flushServer(slot, at: refusedAt, &stage)
    }
}
