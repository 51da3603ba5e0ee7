import DeadzoneClient
import DeadzoneJournal
import DeadzoneMessages
import DeadzonePhoneEnd
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// What becomes of messages, done in its order; and what the strategy does with them.
extension Lane {
    /// To be called after each verb of the delivery.
    @inline(__always)
    mutating func settleDelivery(_ stage: inout Stage) {
        if stage.deliverySteps.hasMore { followDelivery(&stage) }
    }

    private mutating func followDelivery(_ stage: inout Stage) {
        let asked = stage.deliverySteps.begin()
        for index in asked {
            switch stage.deliverySteps[index] {
            case .note(let note): write(note, &stage)
            case .tookIn(let message): phoneEnd.grant(for: message)
            }
        }
        stage.deliverySteps.end(asked)
    }

    /// The strategy hands over everything below the cursor.
    mutating func handOver(upTo cursor: Cursor, _ stage: inout Stage) {
        delivery.handOver(upTo: cursor, appRuns: appRuns, &session, &stage.deliverySteps)
        settleConsumer(&stage)
    }

    /// It asks for more messages, by a script of its own.
    mutating func askFor(_ count: UInt32, _ stage: inout Stage) {
        guard stage.strategy.intake.asks != nil else { return }
        delivery.askFor(count, appRuns: appRuns, &session, &stage.deliverySteps)
        settleConsumer(&stage)
    }

    /// The consumer is done with a message, or goes on after a stall.
    mutating func advanceConsumption(_ stage: inout Stage) {
        delivery.advanceConsumption(appRuns: appRuns, &session, &stage.deliverySteps)
        settleConsumer(&stage)
    }

    /// What was freed is granted anew at once.
    private mutating func settleConsumer(_ stage: inout Stage) {
        settleDelivery(&stage)
        guard delivery.hasConsumer else { return }
        for slot in Self.slots where phoneEnd[slot].belief == .open {
            phoneEnd.flush(slot, at: now, &stage.phoneEndSteps)
            settlePhoneEnd(&stage)
        }
    }

    mutating func noticeGap(_ direction: Direction, _ stage: inout Stage) {
        delivery.noticeGap(direction, &session, &stage.deliverySteps)
        settleDelivery(&stage)
    }

    mutating func beginFreshness(_ stage: inout Stage) {
        delivery.beginFreshness(written: server.written.index, &session, &stage.deliverySteps)
        settleDelivery(&stage)
    }

    mutating func endFreshness(_ stage: inout Stage) {
        delivery.endFreshness(&session, &stage.deliverySteps)
        settleDelivery(&stage)
    }

    // MARK: The horizon

    mutating func finishMessages(_ stage: inout Stage) {
        // Datagrams wait for no one.
        let onDatagrams = Self.slots.contains { server.isHeld($0) && phoneEnd[$0].isDatagram }
        let inAir = onDatagrams ? inFlight(.datagram, hops: [.toEdge, .heldByEdge], stage) : nil
        delivery.finishDown(
            written: server.written.index, unreachable: outOfReach(), inFlight: inAir, &session, &stage.deliverySteps)
        delivery.finishUp(
            arrived: server.arrived.index, carried: carriedUp(stage), &session, &stage.deliverySteps)
        settleDelivery(&stage)
    }

    /// Messages of the app that are on their way. What only a dead connection carries will never arrive.
    private func carriedUp(_ stage: borrowing Stage) -> Int64 {
        var carried = inFlight(.datagram, hops: [.heldByPhone, .toServer], stage)
        let arrived = server.arrived.index
        for slot in Self.slots
        where phoneEnd[slot].belief == .open && !phoneEnd[slot].isDatagram && realities[slot].truth != .dead {
            let from = max(phoneEnd[slot].client.confirmed, arrived)
            carried += Int64(max(phoneEnd[slot].client.offered, from) - from)
        }
        return carried
    }

    private func inFlight(_ content: Packet.Content, hops: [Hop], _ stage: borrowing Stage) -> Int64 {
        var count: Int64 = 0
        stage.flights.forEach(in: flights) { flight in
            if flight.packet.content == content && hops.contains(flight.hop) { count += 1 }
        }
        return count
    }

    /// Messages that nothing carries any more and that another connection, were it made now, would not bring.
    private mutating func outOfReach() -> Int64 {
        let had = max(delivery.received, delivery.seen.index)
        guard had < server.written.index else { return 0 }
        var reached = server.written.index
        for slot in Self.slots where phoneEnd[slot].generation > 0 {
            let carries = phoneEnd[slot].belief != .closed && realities[slot].truth != .dead
            if server.isHeld(slot) && carries { return 0 }
            // It asks again as it has asked before, from where it is now.
            var resuming = phoneEnd[slot].resuming
            if case .from = resuming { resuming = .from(session.cursor) }
            guard let next = server.wouldGoOn(for: resuming, introduction, at: now) else { return 0 }
            reached = min(reached, next)
        }
        guard Self.slots.contains(where: { phoneEnd[$0].generation > 0 }) else { return 0 }
        return Int64(max(reached, had) - had)
    }
}
