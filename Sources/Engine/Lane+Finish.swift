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
                journal(.undetected, value: (now - lines[slot].diedAt).nanoseconds, &stage)
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
        finishCalls(&stage)
        finishProbes(&stage)
        journal(.finished, value: now.nanoseconds, &stage)
    }

    private mutating func finishDown(_ stage: inout Stage) {
        let leftOut = desk.pointee.leftOut?.pointee
        let passed = finishConsumption(&stage) + finishLeftOut(&stage)
        let open = Int64(writtenDown.index - seenDown.index) - passed
        let had = max(receivedDown, seenDown.index)
        let unreachable = min(outOfReach(stage), open)
        var pending = open - unreachable
        // Datagrams wait for no one: what is not in the air is gone.
        let onDatagrams = Self.slots.contains { lines[$0].serverHolds && lines[$0].carrier.kind == .datagram }
        if onDatagrams { pending = min(pending, inFlight(.datagram, hops: [.toEdge, .heldByEdge], stage)) }
        if open > pending { journal(.lostDown, value: open - pending, &stage) }
        guard pending > 0, let stream = stage.world.traffic.down else { return }
        journal(.pendingDown, value: pending, &stage)
        let missing = consumption?.pointee.holes
        let newest = onDatagrams ? writtenDown.index - UInt32(pending) : seenDown.index
        wait(stream, stage.dice(.trafficDown, phone), from: seenDown, before: writtenDown.index, .waitedDown, &stage) {
            $0 >= newest
                && (onDatagrams
                    || missing?.end(over: $0) == nil && leftOut?.end(over: $0) == nil
                        && !(had..<had + UInt32(unreachable)).contains($0))
        }
    }

    /// Says of each message of a stretch that somebody still waits for how long it has been waited for.
    private mutating func wait(
        _ stream: TrafficStream, _ dice: Dice, from start: TrafficWalker, before end: UInt32, _ kind: Kind,
        _ stage: inout Stage, where isAwaited: (UInt32) -> Bool
    ) {
        var walker = start
        while walker.index < end {
            if isAwaited(walker.index) { journal(kind, value: (now - walker.at).nanoseconds, &stage) }
            walker.advance(stream, dice: dice)
        }
    }

    private mutating func finishUp(_ stage: inout Stage) {
        let open = Int64(wantedUp.index - arrivedUp.index)
        let forgotten = Int64(max(session.forgotten.position, arrivedUp.index) - arrivedUp.index)
        var carried = inFlight(.datagram, hops: [.heldByPhone, .toServer], stage)
        // What only a dead connection carries will never arrive.
        for slot in Self.slots
        where lines[slot].belief == .open && lines[slot].carrier.kind != .datagram && lines[slot].truth != .dead {
            let from = max(lines[slot].client.confirmed, arrivedUp.index)
            carried += Int64(max(lines[slot].client.offered, from) - from)
        }
        let lost = max(forgotten - carried, 0) + min(Int64(desk.pointee.refused), max(open - forgotten, 0))
        if lost > 0 { journal(.lostUp, value: lost, &stage) }
        if open > lost { journal(.pendingUp, value: open - lost, &stage) }
        guard let stream = stage.world.traffic.up else { return }
        // What is lost lies before what is on its way; what has come waits for its acknowledgement as long as the app keeps it.
        let (arrived, skipped) = (arrivedUp.index, desk.pointee.skippedUp)
        let (kept, onItsWay) = (session.forgotten.position, wantedUp.index - UInt32(max(open - lost, 0)))
        wait(stream, stage.dice(.trafficUp, phone), from: confirmedUp, before: wantedUp.index, .waitedUp, &stage) {
            $0 < arrived ? kept <= $0 && !skipped.contains($0) : onItsWay <= $0
        }
    }

    private mutating func finishCalls(_ stage: inout Stage) {
        guard let stream = stage.world.traffic.calls, calls.openCount > 0 else { return }
        journal(.callPending, value: Int64(calls.openCount), &stage)
        let book = calls
        wait(
            stream, stage.dice(.trafficCall, phone), from: book.first, before: book.wanted.index, .waitedCall, &stage,
            where: book.isOpen)
    }

    private mutating func finishProbes(_ stage: inout Stage) {
        var sent: [Instant] = []
        stage.flights.forEach(in: flights) { flight in
            if flight.packet.content == .probe { sent.append(flight.packet.stamp) }
            if flight.packet.content == .probeReply { sent.append(flight.packet.echo) }
        }
        for instant in sent { journal(.waitedProbe, value: (now - instant).nanoseconds, &stage) }
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
