import DeadzoneBase
import DeadzoneClient

/// Performs the strategy's actions that concern the phone's end of a connection alone.
extension PhoneEnd {
    /// - Parameters:
    ///   - received: Number of the server's messages that have arrived.
    ///   - selected: Slot of the path to a peer that the client uses; `nil` without a peer.
    mutating func perform(
        _ action: Action, received: UInt32, selected: UInt8?, at now: Instant, _ out: inout EffectQueue<PhoneEndEffect>
    ) {
        switch action {
        case .ping(let slot):
            ping(Int(slot.index), nominates: selected == slot.index, at: now, &out)
        case .call(let slot, let call):
            sendCall(call, Int(slot.index), at: now, &out)
        case .abandon(let call, let failure):
            abandon(call: call, failure, at: now, &out)
        case .acknowledge(let slot, let cursor):
            acknowledge(Int(slot.index), upTo: min(cursor.position, received), at: now, &out)
        case .exchange(let slot, let message, let begun):
            if begun < now { out.note(.exchangeRepeated, value: Int64(message.position)) }
            exchange(message.position, Int(slot.index), begun: begun, at: now, &out)
        case .handshake(let slot, let flight, let isResumed):
            sendFlight(flight, isResumed, Int(slot.index), at: now, &out)
        case .sendAgain(let slot, let from, let upTo):
            sendAgain(from.position, upTo.position, Int(slot.index), at: now, &out)
        case .askOffset(let slot):
            askOffset(Int(slot.index), at: now, &out)
        case .resync(let slot):
            guard requestSnapshot(Int(slot.index)) else { return }
            out.append(.snapshotRequested)
            flush(Int(slot.index), at: now, &out)
        default: preconditionFailure("an action that is not of the phone's end alone")
        }
    }
}
