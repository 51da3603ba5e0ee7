import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `Delivery`, the ledger of a phone's messages, and forwards the strategy's message actions to
/// it.
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
        case .creditFreed:
            for slot in Self.slots where phoneEnd[slot].belief == .open {
                callPhoneEnd(&context) { $0.flush(slot, at: $1, &$2) }
            }
        }
    }

    mutating func beginFreshness(_ context: inout WorkerContext) {
        let written = server.written.index
        callDelivery(&context) { $0.beginFreshness(written: written, &$1, &$2) }
    }

    // MARK: The horizon

    mutating func finishMessages(_ context: inout WorkerContext) {
        // A datagram that is not in flight at the horizon never arrives.
        let onDatagrams = Self.slots.contains { server.isHeld($0) && phoneEnd[$0].isDatagram }
        let inAir = onDatagrams ? countInFlight(.datagram, hops: [.toEdge, .heldByEdge], context) : nil
        let (written, arrived) = (server.written.index, server.arrived.index)
        finishSubscriptions(&context)
        let (unreachable, place) = (unreachableMessages(), unreachablePlace)
        callDelivery(&context) {
            $0.finishDown(written: written, unreachable: unreachable, at: place, inFlight: inAir, &$1, &$2)
        }
        let carried = uplinkMessagesInFlight(context)
        callDelivery(&context) { $0.finishUp(arrived: arrived, carried: carried, isDatagram: onDatagrams, &$1, &$2) }
    }

    /// The place at which messages are lost that the client's next session would skip.
    private mutating func lossPlace(of resuming: ResumeRequest) -> LossPlace {
        switch resuming {
        case .fresh, .snapshot: .sessionStart
        case .from: server.forgets(resuming, introduction, at: now) ? .serverSession : .serverHistory
        }
    }

    /// The place at which messages are lost that no connection carries at the horizon.
    private var unreachablePlace: LossPlace {
        mutating get {
            for slot in Self.slots where phoneEnd[slot].generation > 0 {
                let place = lossPlace(of: phoneEnd[slot].resuming)
                if place != .sessionStart { return place }
            }
            return .sessionStart
        }
    }

    /// The message at which a new connection would begin if it resumed in the same way as the one in this slot, from the
    /// current cursor. `nil` if the server would send a snapshot.
    mutating func resumePosition(like slot: Int) -> UInt32? {
        var resuming = phoneEnd[slot].resuming
        if case .from = resuming { resuming = .from(host.session.cursor) }
        return server.resumePosition(for: resuming, introduction, at: now)
    }

    /// Records messages as skipped that the server does not send in a new session.
    /// - Parameter gap: The place at which requested messages are lost; `nil` if the client requested none of them.
    mutating func continueStream(_ slot: Int, at next: UInt32, gap: LossPlace?, _ context: inout WorkerContext) {
        // The cursor can be ahead of the shown messages: a process that ended had stored it.
        let place = gap ?? (phoneEnd[slot].resuming == .fresh ? .sessionStart : .appMemory)
        passLeftOut(before: next, &context)
        callDelivery(&context) { $0.continueStream(at: next, isGap: gap != nil, place: place, &$1, &$2) }
    }

    /// Records the app's messages `from ..< upTo` as lost, because the server has received a later one.
    mutating func loseUplink(_ from: UInt32, _ upTo: UInt32, _ context: inout WorkerContext) {
        let isDatagram = Self.slots.contains { server.isHeld($0) && phoneEnd[$0].isDatagram }
        callDelivery(&context) { $0.loseUp(from, upTo, isDatagram: isDatagram, &$2) }
        delivery.settleRefused(from, upTo, host.session)
    }

    /// Number of messages from app to server that are in flight. Messages that only a dead connection carries never
    /// arrive and are not counted.
    private func uplinkMessagesInFlight(_ context: borrowing WorkerContext) -> Int64 {
        var carried = countInFlight(.datagram, hops: [.heldByPhone, .toServer], context)
        let arrived = server.arrived.index
        for slot in Self.slots
        where phoneEnd[slot].belief == .open && !phoneEnd[slot].isDatagram && connections.truths[slot].state != .dead {
            let from = max(phoneEnd[slot].kernel.confirmed, arrived)
            carried += Int64(max(phoneEnd[slot].kernel.offeredEnd, from) - from)
        }
        return carried
    }

    private func countInFlight(
        _ content: Packet.PacketContent, hops: [PacketLocation], _ context: borrowing WorkerContext
    ) -> Int64 {
        var count: Int64 = 0
        context.packets.pool.forEach(in: packetNetwork.packetsInFlight) { flight in
            if flight.packet.content == content && hops.contains(flight.location) { count += 1 }
        }
        return count
    }

    /// Number of messages from the server that cannot reach the app: no connection carries them any more, and a new
    /// connection would not deliver them.
    private mutating func unreachableMessages() -> Int64 {
        let had = max(delivery.received, delivery.seen.index)
        guard had < server.written.index else { return 0 }
        var reached = server.written.index
        for slot in Self.slots where phoneEnd[slot].generation > 0 {
            let carries = phoneEnd[slot].belief != .closed && connections.truths[slot].state != .dead
            if server.isHeld(slot) && carries { return 0 }
            guard let next = resumePosition(like: slot) else { return 0 }
            reached = min(reached, next)
        }
        guard Self.slots.contains(where: { phoneEnd[$0].generation > 0 }) else { return 0 }
        return Int64(max(reached, had) - had)
    }
}
