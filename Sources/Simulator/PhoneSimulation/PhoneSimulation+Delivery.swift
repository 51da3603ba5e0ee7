import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `Delivery`, the ledger of a phone's messages, and accounts for all messages at the horizon.
extension PhoneSimulation {
    @inline(__always)
    mutating func applyDeliveryEffect(_ index: Int, _ context: inout WorkerContext) {
        switch context.effects.delivery[index] {
        case .note(let note):
            // Messages that a dead subscription lost are charged to the timeline change that ended it.
            guard note.kind == .lostDown, let subscriptions = context.subscriptions,
                var loss = MessageLoss(tag: note.tag, value: note.value), loss.cause == .streamDead
            else { return write(note, &context) }
            while let part = subscriptions.server.pointee.removeFirstPart(of: &loss) {
                write(JournalEntry(part, .down), &context)
            }
        case .enteredBuffer(let message): phoneEnd.grant(for: message)
        case .creditFreed: callPhoneEnd(&context) { $0.flushOpen(at: $1, &$2) }
        }
    }

    mutating func beginFreshness(_ context: inout WorkerContext) {
        let written = server.written.index
        callDelivery(&context) { $0.beginFreshness(written: written, &$1, &$2) }
    }

    // MARK: The horizon

    mutating func finishMessages(_ context: inout WorkerContext) {
        // A datagram that is not in flight at the horizon never arrives.
        let onDatagrams = server.usesDatagrams
        let inAir = onDatagrams ? packetNetwork.datagramsInFlight(.down, context.packets) : nil
        let (written, arrived) = (server.written.index, server.arrived.index)
        finishSubscriptions(&context)
        let (unreachable, place) = server.unreachable(
            from: max(delivery.received, delivery.seen.index), (latestConnection(0), latestConnection(1)), introduction,
            at: now)
        callDelivery(&context) {
            $0.finishDown(written: written, unreachable: unreachable, at: place, inFlight: inAir, &$1, &$2)
        }
        // Messages that only a dead connection carries never arrive.
        var carried = packetNetwork.datagramsInFlight(.up, context.packets)
        for slot in Self.slots where connections.truths[slot].state != .dead {
            carried += phoneEnd.uplinkInFlight(slot, arrived: arrived)
        }
        callDelivery(&context) { [carried] in
            $0.finishUp(arrived: arrived, carried: carried, isDatagram: onDatagrams, &$1, &$2)
        }
    }

    private func latestConnection(_ slot: Int) -> LatestConnection? {
        guard phoneEnd[slot].generation > 0 else { return nil }
        return LatestConnection(
            resuming: phoneEnd[slot].resuming, next: phoneEnd.nextRequest(slot, sessionView),
            isAlive: phoneEnd[slot].belief != .closed && connections.truths[slot].state != .dead)
    }
}
