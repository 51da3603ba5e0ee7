import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Applies the effects of `Delivery`, the ledger of a phone's messages, and forwards the strategy's message actions to
/// it.
extension PhoneSimulation {
    /// Applies all effects in the queue of `delivery`. Call it after each call to `delivery`.
    @inline(__always)
    mutating func drainDelivery(_ context: inout WorkerContext) {
        if context.deliveryEffects.hasMore { applyDeliveryEffects(&context) }
    }

    private mutating func applyDeliveryEffects(_ context: inout WorkerContext) {
        let batch = context.deliveryEffects.begin()
        for index in batch {
            switch context.deliveryEffects[index] {
            case .note(let note): write(note, &context)
            case .enteredBuffer(let message): phoneEnd.grant(for: message)
            }
        }
        context.deliveryEffects.end(batch)
    }

    /// Hands over to the app all received messages below the cursor.
    mutating func handOver(upTo cursor: Cursor, _ context: inout WorkerContext) {
        delivery.handOver(upTo: cursor, appRuns: appRuns, &session, &context.deliveryEffects)
        drainDeliveryAndFlush(&context)
    }

    /// Requests `count` more messages from the server. Has an effect only if the strategy requests messages explicitly.
    mutating func requestMessages(_ count: UInt32, _ context: inout WorkerContext) {
        guard context.strategy.receivePolicy.demand != nil else { return }
        delivery.requestMessages(count, appRuns: appRuns, &session, &context.deliveryEffects)
        drainDeliveryAndFlush(&context)
    }

    /// Lets the consumer (the part of the app that processes messages) continue after a message or after a stall.
    mutating func advanceConsumption(_ context: inout WorkerContext) {
        delivery.advanceConsumption(appRuns: appRuns, &session, &context.deliveryEffects)
        drainDeliveryAndFlush(&context)
    }

    /// Applies the effects of `delivery` and flushes all open connections, so that receive credit that became free is
    /// granted to the server immediately.
    private mutating func drainDeliveryAndFlush(_ context: inout WorkerContext) {
        drainDelivery(&context)
        guard delivery.hasConsumer else { return }
        for slot in Self.slots where phoneEnd[slot].belief == .open {
            phoneEnd.flush(slot, at: now, &context.phoneEndEffects)
            drainPhoneEnd(&context)
        }
    }

    mutating func noticeGap(_ direction: Direction, _ context: inout WorkerContext) {
        delivery.noticeGap(direction, &session, &context.deliveryEffects)
        drainDelivery(&context)
    }

    mutating func beginFreshness(_ context: inout WorkerContext) {
        delivery.beginFreshness(written: server.written.index, &session, &context.deliveryEffects)
        drainDelivery(&context)
    }

    mutating func endFreshness(_ context: inout WorkerContext) {
        delivery.endFreshness(&session, &context.deliveryEffects)
        drainDelivery(&context)
    }

    // MARK: The horizon

    mutating func finishMessages(_ context: inout WorkerContext) {
        // A datagram that is not in flight at the horizon never arrives.
        let onDatagrams = Self.slots.contains { server.isHeld($0) && phoneEnd[$0].isDatagram }
        let inAir = onDatagrams ? countInFlight(.datagram, hops: [.toEdge, .heldByEdge], context) : nil
        delivery.finishDown(
            written: server.written.index, unreachable: unreachableMessages(), at: unreachablePlace, inFlight: inAir,
            &session, &context.deliveryEffects)
        delivery.finishUp(
            arrived: server.arrived.index, carried: uplinkMessagesInFlight(context), isDatagram: onDatagrams, &session,
            &context.deliveryEffects)
        drainDelivery(&context)
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

    /// Records messages as skipped that the server does not send in a new session.
    /// - Parameter gap: The place at which requested messages are lost; `nil` if the client requested none of them.
    mutating func continueStream(_ slot: Int, at next: UInt32, gap: LossPlace?, _ context: inout WorkerContext) {
        // The cursor can be ahead of the shown messages: a process that ended had stored it.
        let place = gap ?? (phoneEnd[slot].resuming == .fresh ? .sessionStart : .appMemory)
        delivery.continueStream(at: next, isGap: gap != nil, place: place, &session, &context.deliveryEffects)
        drainDelivery(&context)
    }

    /// Records the app's messages `from ..< upTo` as lost, because the server has received a later one.
    mutating func loseUplink(_ from: UInt32, _ upTo: UInt32, _ context: inout WorkerContext) {
        let isDatagram = Self.slots.contains { server.isHeld($0) && phoneEnd[$0].isDatagram }
        delivery.loseUp(from, upTo, isDatagram: isDatagram, &context.deliveryEffects)
        drainDelivery(&context)
        delivery.settleRefused(from, upTo, session)
    }

    /// Number of messages from app to server that are in flight. Messages that only a dead connection carries never
    /// arrive and are not counted.
    private func uplinkMessagesInFlight(_ context: borrowing WorkerContext) -> Int64 {
        var carried = countInFlight(.datagram, hops: [.heldByPhone, .toServer], context)
        let arrived = server.arrived.index
        for slot in Self.slots
        where phoneEnd[slot].belief == .open && !phoneEnd[slot].isDatagram && connectionTruths[slot].state != .dead {
            let from = max(phoneEnd[slot].kernel.confirmed, arrived)
            carried += Int64(max(phoneEnd[slot].kernel.offeredEnd, from) - from)
        }
        return carried
    }

    private func countInFlight(
        _ content: Packet.PacketContent, hops: [PacketLocation], _ context: borrowing WorkerContext
    ) -> Int64 {
        var count: Int64 = 0
        context.packets.forEach(in: packetsInFlight) { flight in
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
            let carries = phoneEnd[slot].belief != .closed && connectionTruths[slot].state != .dead
            if server.isHeld(slot) && carries { return 0 }
            // Assume that a new connection resumes in the same way as the last one, from the current cursor.
            var resuming = phoneEnd[slot].resuming
            if case .from = resuming { resuming = .from(session.cursor) }
            guard let next = server.resumePosition(for: resuming, introduction, at: now) else { return 0 }
            reached = min(reached, next)
        }
        guard Self.slots.contains(where: { phoneEnd[$0].generation > 0 }) else { return 0 }
        return Int64(max(reached, had) - had)
    }
}
