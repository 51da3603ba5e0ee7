import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// History, epochs, sessions that end, and another life of the server.
extension Lane {
    /// A client resumes, or begins: where the server goes on, and what becomes of what lies before.
    mutating func goOn(_ slot: Int, _ stage: inout Stage) {
        let server = stage.world.server
        let written = writtenDown.index
        let isKnown = server.session.knows(left: desk.pointee.leftAt, at: now)
        if !isKnown { forgetSession(server) }
        takeNote(server, &stage)
        let resuming = lines[slot].resuming
        if case .from(let cursor) = resuming {
            journal(.drift, value: Int64(written - min(cursor.position, written)), &stage)
        }
        let place = place(for: resuming, isKnown: isKnown, stage)
        let next = place?.next ?? written
        lines[slot].owesSnapshot = place == nil
        if let place, receivedDown < next {
            skipDown(to: next, isGap: place.isGap, &stage)
        } else if place == nil, resuming != .whole {
            journal(.gapNoticed, .down, value: Int64(written - min(seenDown.index, written)), &stage)
        }
        if !lines[slot].owesSnapshot { desk.pointee.seenBefore.from = max(desk.pointee.seenBefore.from, next) }
        lines[slot].resumedAt = next
        lines[slot].serverSent = written
        lines[slot].bringsSnapshot = lines[slot].owesSnapshot
        lines[slot].confirmedUp = lines[slot].isResuming ? desk.pointee.knownUp : 0
        lines[slot].talk.receipts = Receipts(from: desk.pointee.knownUp)
        lines[slot].talk.receiptsDown = Receipts(from: next)
        desk.pointee.leftAt = .never
    }

    /// Where the server goes on for a client that asks like this, and whether that leaves out what it asked for; nil: with a snapshot
    /// of everything.
    private mutating func place(
        for resuming: Resuming, isKnown: Bool, _ stage: borrowing Stage
    ) -> (next: UInt32, isGap: Bool)? {
        let server = stage.world.server
        let written = writtenDown.index
        let oldest = oldestKept(stage)
        switch resuming {
        case .fresh: return (max(oldest, written - min(server.history.replay, written)), false)
        case .whole: return nil
        case .from(let cursor):
            let asked = isKnown ? place(of: cursor, server) : nil
            if let asked, oldest <= asked { return (min(asked, written), asked != cursor.position) }
            if server.history.whenGone == .snapshot { return nil }
            return (isKnown ? max(asked ?? oldest, oldest) : written, true)
        }
    }

    /// Messages that nothing carries any more and that another connection, were it made now, would not bring.
    mutating func outOfReach(_ stage: borrowing Stage) -> Int64 {
        let had = max(receivedDown, seenDown.index)
        guard had < writtenDown.index else { return 0 }
        var reached = writtenDown.index
        for slot in Self.slots where lines[slot].generation > 0 {
            let carries = lines[slot].belief != .closed && lines[slot].truth != .dead
            if lines[slot].serverHolds && carries { return 0 }
            let isKnown = stage.world.server.session.knows(left: desk.pointee.leftAt, at: now)
            // It asks again as it has asked before, from where it is now.
            var resuming = lines[slot].resuming
            if case .from = resuming { resuming = .from(session.cursor) }
            guard let place = place(for: resuming, isKnown: isKnown, stage) else { return 0 }
            reached = min(reached, place.next)
        }
        guard Self.slots.contains(where: { lines[$0].generation > 0 }) else { return 0 }
        return Int64(max(reached, had) - had)
    }

    /// The session is there from its first connection on, and so is its memory.
    private mutating func takeNote(_ server: ServerProfile, _ stage: inout Stage) {
        guard !desk.pointee.hasSession else { return }
        desk.pointee.hasSession = true
        if server.dedup != .none { journal(.dedupMemory, value: Int64(server.dedup.bytes), &stage) }
    }

    /// Where the client's cursor points in the server's own count; nil: nowhere, and the server knows that.
    private func place(of cursor: Cursor, _ server: ServerProfile) -> UInt32? {
        let memory = desk.pointee
        if server.session.namesEpoch {
            return session.epoch == 0 || session.epoch == memory.epoch ? cursor.position : nil
        }
        guard memory.clientEpoch != memory.epoch else { return cursor.position }
        // The same number, in a count that began again.
        return memory.base + (cursor.position - min(memory.clientBase, cursor.position))
    }

    /// The oldest message that could be sent again.
    mutating func oldestKept(_ stage: borrowing Stage) -> UInt32 {
        let rules = stage.world.server.history
        guard let stream = stage.world.traffic.down else { return 0 }
        if rules.messages != nil || rules.time != nil {
            let dice = stage.dice(.trafficDown, phone)
            while desk.pointee.kept.index < writtenDown.index,
                !rules.keeps(
                    age: now - desk.pointee.kept.at, newer: writtenDown.index - desk.pointee.kept.index - 1)
            {
                desk.pointee.kept.advance(stream, dice: dice)
            }
        }
        return max(desk.pointee.kept.index, desk.pointee.purged)
    }

    /// The server will not send what lies before `next`. If it says nothing of it, the app finds out or goes on without.
    private mutating func skipDown(to next: UInt32, isGap: Bool, _ stage: inout Stage) {
        // A consumer passes what is missing by itself (`Lane+Consumption`).
        guard isGap, consumption == nil else { return missDown(before: next, isGap: isGap, &stage) }
        let from = max(receivedDown, seenDown.index)
        if !desk.pointee.gap.isEmpty, desk.pointee.gap.upTo < from { passGap(before: from, &stage) }
        if desk.pointee.gap.isEmpty { desk.pointee.gap.from = from }
        desk.pointee.gapIsNoticed = false
        desk.pointee.gapIsPromised = false
        desk.pointee.gap.upTo = next
        receivedDown = next
    }

    /// The app goes on behind a gap that nobody has noticed.
    mutating func passGap(before end: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.down, !desk.pointee.gap.isEmpty, desk.pointee.gap.upTo <= end else {
            return
        }
        let dice = stage.dice(.trafficDown, phone)
        showPlainly(upTo: desk.pointee.gap.from, &stage)
        let missing = Int64(desk.pointee.gap.upTo - max(seenDown.index, desk.pointee.gap.from))
        if missing > 0 {
            if !desk.pointee.gapIsNoticed { journal(.gapUnnoticed, .down, value: missing, &stage) }
            journal(.lostDown, value: missing, &stage)
        }
        while seenDown.index < desk.pointee.gap.upTo { seenDown.advance(stream, dice: dice) }
        desk.pointee.gap = Desk.Stretch()
    }

    /// The client has found out by itself.
    mutating func noticeGap(_ direction: Direction, _ stage: inout Stage) {
        guard direction == .down else { return journal(.gapNoticed, .up, value: 0, &stage) }
        guard consumption == nil else { return noticeSkipped(&stage) }
        guard !desk.pointee.gap.isEmpty, !desk.pointee.gapIsNoticed else { return }
        desk.pointee.gapIsNoticed = true
        let missing = Int64(desk.pointee.gap.upTo - desk.pointee.gap.from)
        journal(.gapNoticed, .down, value: missing, &stage)
    }

    // MARK: What the server forgets

    mutating func forgetSession(_ server: ServerProfile) {
        desk.pointee.knownUp = 0
        desk.pointee.leftAt = .never
        desk.pointee.dedup.empty(desk.pointee.words)
    }

    /// The process is gone, and with it whatever it only had in its memory.
    mutating func restartServer(isNew: Bool, _ stage: borrowing Stage) {
        guard !stage.world.server.session.survivesRestart else { return }
        if isNew { desk.pointee.epoch += 1 }
        desk.pointee.base = writtenDown.index
        desk.pointee.purged = writtenDown.index
        forgetSession(stage.world.server)
    }

    /// A connection has something more behind it.
    mutating func purge(_ slot: Int, _ stage: borrowing Stage) {
        switch stage.world.server.history.purge {
        case .never, .acknowledged: break
        case .confirmed: desk.pointee.purged = max(desk.pointee.purged, lines[slot].server.confirmed)
        case .sent: desk.pointee.purged = max(desk.pointee.purged, lines[slot].server.offered)
        }
    }
}
