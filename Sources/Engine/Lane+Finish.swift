import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// The horizon: open periods are closed where they stand, and every message has its end.
extension Lane {
    mutating func finish(at horizon: Instant, _ stage: inout Stage) {
        if !isStopped { now = horizon }
        settleRadio(.wifi, &stage)
        settleRadio(.cellular, &stage)
        settlePhone(&stage)
        for slot in Self.slots where lines[slot].truth != .absent {
            if lines[slot].truth == .dead {
                journal(.undetected, value: (now - lines[slot].since).nanoseconds, &stage)
            }
            closePeriod(slot, &stage)
        }
        if isBroken && repairableSince != .never {
            journal(.unrecovered, value: (now - repairableSince).nanoseconds, &stage)
        }
        endCallOutage(&stage)
        finishHerd(&stage)
        finishQueue(&stage)
        for slot in Self.slots { endShut(slot, &stage) }
        settleRepeated(&stage)
        endFreshness(&stage)
        loseGap(&stage)
        finishDown(&stage)
        finishUp(&stage)
        if calls.openCount > 0 { journal(.callPending, value: Int64(calls.openCount), &stage) }
        journal(.finished, value: now.nanoseconds, &stage)
    }

    private mutating func finishDown(_ stage: inout Stage) {
        let passed = finishConsumption(&stage) + finishLeftOut(&stage)
        let open = Int64(writtenDown.index - seenDown.index) - passed
        let unreachable = min(outOfReach(stage), open)
        var pending = open - unreachable
        // Datagrams wait for no one: what is not in the air is gone.
        let onDatagrams = Self.slots.contains { lines[$0].serverHolds && lines[$0].carrier.kind == .datagram }
        if onDatagrams { pending = min(pending, inFlight(.datagram, hops: [.toEdge, .heldByEdge], stage)) }
        if open > pending { journal(.lostDown, value: open - pending, &stage) }
        if pending > 0 { journal(.pendingDown, value: pending, &stage) }
    }

    private func finishUp(_ stage: inout Stage) {
        let open = Int64(wantedUp.index - arrivedUp.index)
        let forgotten = Int64(max(session.forgotten.position, arrivedUp.index) - arrivedUp.index)
        var carried = inFlight(.datagram, hops: [.heldByPhone, .toServer], stage)
        // What only a dead connection carries will never arrive.
        for slot in Self.slots
        where lines[slot].belief == .open && lines[slot].carrier.kind != .datagram && lines[slot].truth != .dead {
            let from = max(lines[slot].client.confirmed, arrivedUp.index)
            carried += Int64(max(lines[slot].client.offered, from) - from)
        }
        let kept = max(open - forgotten, 0)
        let lost = max(forgotten - carried, 0) + min(Int64(desk.pointee.refused), kept)
        if lost > 0 { journal(.lostUp, value: lost, &stage) }
        if open > lost { journal(.pendingUp, value: open - lost, &stage) }
    }

    private func inFlight(_ content: Packet.Content, hops: [Hop], _ stage: borrowing Stage) -> Int64 {
        var count: Int64 = 0
        stage.flights.forEach(in: flights) { flight in
            if flight.packet.content == content && hops.contains(flight.hop) { count += 1 }
        }
        return count
    }
}

extension Lane {
    /// Gives the places of what is still in the air back to the pool.
    mutating func landAll(_ stage: inout Stage) {
        while !flights.isEmpty { _ = stage.flights.removeFirst(&flights) }
    }
}
