import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneTransport

/// The way of a message of the server from the library to whoever consumes it.
extension Lane {
    /// The strategy hands over everything below the cursor.
    mutating func handOver(upTo cursor: Cursor, _ stage: inout Stage) {
        guard let consumption else { return show(upTo: cursor, &stage) }
        consumption.pointee.handed = max(consumption.pointee.handed, min(cursor.position, receivedDown))
        advanceConsumption(&stage)
    }

    /// As much as the buffer has room for enters it.
    private mutating func takeIn(_ stage: inout Stage) {
        guard let consumption else { return }
        let rules = stage.strategy.intake
        consumption.pointee.taken = max(consumption.pointee.taken, seenDown.index)
        consume(&stage)
        while consumption.pointee.taken < consumption.pointee.handed {
            let message = consumption.pointee.taken
            if let end = hole(over: message) {
                consumption.pointee.taken = end
                continue
            }
            if isUnasked(rules) {
                noteFull(&stage)
                return moveCursor(stage)
            }
            if waiting >= rules.buffer.places {
                noteFull(&stage)
                switch rules.buffer.overflow {
                case .suspend: return moveCursor(stage)
                case .dropOldest: dropOldest(&stage)
                case .dropLatest:
                    consumption.pointee.holes.append(from: message, upTo: message + 1)
                    countDropped(
                        1, bytes: stage.sizesDown.bytes(of: message), stage.strategy.intake.buffer.overflow, &stage)
                }
            }
            consumption.pointee.taken = message + 1
            if rules.asks != nil { consumption.pointee.credits -= 1 }
            grant(for: message, &stage)
            consumption.pointee.most = max(consumption.pointee.most, waiting)
            if waiting < rules.buffer.places && !isUnasked(rules) { consumption.pointee.isFull = false }
            moveCursor(stage)
            consume(&stage)
        }
        moveCursor(stage)
    }

    /// By the other rule it moves when the message is shown, in `show`.
    private mutating func moveCursor(_ stage: borrowing Stage) {
        guard let consumption, stage.strategy.intake.cursor == .received else { return }
        session.cursor = max(session.cursor, Cursor(consumption.pointee.taken))
    }

    /// Messages in the buffer.
    private var waiting: UInt32 {
        guard let consumption else { return 0 }
        let end = max(consumption.pointee.taken, seenDown.index)
        return end - seenDown.index - min(consumption.pointee.holes.messages(below: end), end - seenDown.index)
    }

    /// The first message that is truly there.
    private var oldest: UInt32 {
        var message = seenDown.index
        while let end = hole(over: message) { message = end }
        return message
    }

    private func hole(over message: UInt32) -> UInt32? {
        guard let consumption else { return nil }
        return consumption.pointee.holes.end(over: message)
    }

    private func noteFull(_ stage: inout Stage) {
        guard let consumption, !consumption.pointee.isFull else { return }
        consumption.pointee.isFull = true
        journal(.bufferFilled, value: Int64(waiting), &stage)
    }

    private func countDropped(_ count: UInt32, bytes: UInt32, _ overflow: Intake.Overflow, _ stage: inout Stage) {
        journal(.bufferDropped, OverflowCode(overflow), value: Int64(count), &stage)
        release(UInt64(bytes))
    }

    private func release(_ bytes: UInt64) {
        guard let consumption else { return }
        consumption.pointee.bytes -= min(bytes, consumption.pointee.bytes)
    }

    /// The oldest message of the buffer is thrown away. It is lost once the consumer goes on behind it: until then a new
    /// connection may bring it back.
    private mutating func dropOldest(_ stage: inout Stage) {
        guard let consumption else { return }
        let message = oldest
        countDropped(1, bytes: stage.sizesDown.bytes(of: message), .dropOldest, &stage)
        if !consumption.pointee.holes.dropFirst(message) { lose(before: message + 1, &stage) }
    }

    /// The app goes on behind messages that it will never have. Unless somebody knows of them, that is a gap that nobody noticed.
    private mutating func lose(before end: UInt32, _ stage: inout Stage) {
        guard let consumption, let stream = stage.world.traffic.down, seenDown.index < end else { return }
        let missing = end - seenDown.index
        journal(.lostDown, value: Int64(missing), &stage)
        let known = consumption.pointee.known
        let unknown = missing - Desk.Stretch(from: max(known.from, seenDown.index), upTo: min(known.upTo, end)).count
        if unknown > 0 { journal(.gapUnnoticed, .down, value: Int64(unknown), &stage) }
        let dice = stage.dice(.trafficDown, phone)
        while seenDown.index < end { seenDown.advance(stream, dice: dice) }
        noticeFreshness(&stage)
    }

    /// What lies before the next message and will not be shown is lost now.
    private mutating func passHoles(_ stage: inout Stage) {
        let next = oldest
        lose(before: next, &stage)
        consumption?.pointee.holes.removeAll(below: next)
    }

    // MARK: The consumer

    /// When it takes the next message, if anything waits for it.
    var consumptionAt: Instant {
        guard let consumption, waiting > 0, appRuns else { return .never }
        return max(consumption.pointee.busyUntil, consumption.pointee.stallUntil, now)
    }

    var stallAt: Instant { consumption?.pointee.nextStallAt ?? .never }

    /// It takes what it can take now.
    private mutating func consume(_ stage: inout Stage) {
        guard let consumption else { return }
        while waiting > 0, appRuns, max(consumption.pointee.busyUntil, consumption.pointee.stallUntil) <= now {
            passHoles(&stage)
            let message = seenDown.index
            release(UInt64(stage.sizesDown.bytes(of: message)))
            show(upTo: Cursor(message + 1), &stage)
            // Whatever else was shown with it is out of the buffer, too.
            guard message < seenDown.index else { return }
            askAgain(after: seenDown.index - message, &stage)
            if let consumer = stage.world.consumer {
                let dice = stage.dice(.consumption, phone)
                let service = TimeSpan.nanoseconds(max(consumer.service.draw(dice.at(UInt64(message))), 0))
                consumption.pointee.busyUntil = now + service
            }
            if consumption.pointee.toPersist > session.persisted.position {
                persist(min(Cursor(consumption.pointee.toPersist), session.cursor))
            }
        }
    }

    /// It is done with a message, or goes on after a stall; or there is more for it. What that frees is granted anew at once.
    mutating func advanceConsumption(_ stage: inout Stage) {
        takeIn(&stage)
        for slot in Self.slots where lines[slot].belief == .open { flushClient(slot, &stage) }
    }

    /// It stands still for so long: the main thread is busy.
    mutating func stall(for span: TimeSpan, _ stage: inout Stage) -> Bool {
        guard let consumption, span > .zero else { return false }
        consumption.pointee.stallUntil = max(consumption.pointee.stallUntil, now + span)
        journal(.consumerStalled, value: span.nanoseconds, &stage)
        return true
    }

    mutating func advanceStall(_ stage: inout Stage) {
        guard let consumption, let consumer = stage.world.consumer else { return }
        let dice = stage.dice(.stalls, phone).pair(at: UInt64(consumption.pointee.nextStall))
        let span = TimeSpan.nanoseconds(max(consumer.stall.draw(dice.1), 0))
        _ = stall(for: span, &stage)
        consumption.pointee.nextStall += 1
        scheduleStall(after: span, stage)
    }

    func scheduleStall(after span: TimeSpan, _ stage: borrowing Stage) {
        guard let consumption, let gap = stage.world.consumer?.stallGap else { return }
        let dice = stage.dice(.stalls, phone).pair(at: UInt64(consumption.pointee.nextStall))
        consumption.pointee.nextStallAt = now + span + .nanoseconds(max(gap.draw(dice.0), 1))
    }

    // MARK: What becomes of what waits

    /// Messages have come.
    func store(_ run: Run, _ stage: borrowing Stage) {
        guard let consumption, receivedDown < run.last else { return }
        var bytes: UInt64 = 0
        for message in max(run.first, receivedDown)..<run.last { bytes += UInt64(stage.sizesDown.bytes(of: message)) }
        consumption.pointee.bytes += bytes
        consumption.pointee.mostBytes = max(consumption.pointee.mostBytes, consumption.pointee.bytes)
    }

    /// Another connection. What the library of the last one held unread is gone with it; and where the client resumes from what
    /// was shown, the server sends everything behind that anew, and the buffer begins empty.
    mutating func forgetUnread(_ resuming: Resuming, _ stage: inout Stage) {
        guard let consumption else { return }
        let rules = stage.strategy.intake
        let stops = rules.stopsReading || rules.buffer.overflow == .suspend
        var kept = stops ? max(consumption.pointee.taken, seenDown.index) : receivedDown
        if rules.cursor == .shown && resuming != .fresh {
            kept = seenDown.index
            noticeDropped(&stage)
            // The new call asks anew for what the old one brought and nobody saw.
            consumption.pointee.credits &+= waiting
            consumption.pointee.forgetMissing()
            consumption.pointee.taken = kept
        }
        guard kept < receivedDown else { return }
        for message in kept..<receivedDown { release(UInt64(stage.sizesDown.bytes(of: message))) }
        receivedDown = kept
        consumption.pointee.handed = min(consumption.pointee.handed, kept)
        // Gaps behind it: the server says anew where it goes on.
        consumption.pointee.holes.cut(at: kept)
    }

    /// What the buffer has dropped is asked for again: the cursor lies before it.
    private func noticeDropped(_ stage: inout Stage) {
        guard let consumption else { return }
        let dropped = consumption.pointee.holes.messages(below: consumption.pointee.taken)
        if dropped > 0 { journal(.gapNoticed, .down, value: Int64(dropped), &stage) }
    }

    /// The server goes on behind what the phone has: what lies between is lost once the consumer has come so far.
    /// - Parameter isGap: The client asked for it.
    mutating func missDown(before next: UInt32, isGap: Bool, _ stage: inout Stage) {
        guard let consumption else { return loseDown(before: next, &stage) }
        let from = max(receivedDown, seenDown.index)
        guard from < next else { return }
        consumption.pointee.holes.append(from: from, upTo: next)
        receivedDown = next
        let skipped = Desk.Stretch(from: from, upTo: next)
        if isGap { consumption.pointee.skipped = skipped } else { know(skipped) }
    }

    /// The client has found out by itself that the server left something out.
    mutating func noticeSkipped(_ stage: inout Stage) {
        guard let consumption, !consumption.pointee.skipped.isEmpty else { return }
        let skipped = consumption.pointee.skipped
        consumption.pointee.skipped = Desk.Stretch()
        know(skipped)
        journal(.gapNoticed, .down, value: Int64(skipped.count), &stage)
    }

    /// Somebody knows that these will not come, or nobody asked for them.
    private func know(_ missing: Desk.Stretch) {
        guard let consumption else { return }
        let known = consumption.pointee.known
        consumption.pointee.known = missing
        if !known.isEmpty && seenDown.index < known.upTo {
            consumption.pointee.known.from = min(known.from, missing.from)
        }
    }

    /// The process is gone, and with it whatever it had not shown.
    mutating func emptyBuffer(_ stage: inout Stage) {
        guard let consumption else { return }
        // A cursor that was written down ahead of the consumer: nobody will send what lies between.
        lose(before: session.persisted.position, &stage)
        consumption.pointee.forgetMissing()
        consumption.pointee.handed = seenDown.index
        consumption.pointee.taken = seenDown.index
        consumption.pointee.bytes = 0
        consumption.pointee.toPersist = 0
        receivedDown = seenDown.index
        askFirst(&stage)
    }

    /// Writes the cursor down, or remembers to do so once it is shown.
    mutating func persistShown(_ cursor: Cursor, _ stage: borrowing Stage) -> Cursor {
        guard let consumption, stage.strategy.intake.cursor == .shown else { return cursor }
        consumption.pointee.toPersist = max(consumption.pointee.toPersist, cursor.position)
        return min(cursor, session.cursor)
    }

    /// At the horizon. Returns how many messages are lost and not yet passed.
    mutating func finishConsumption(_ stage: inout Stage) -> Int64 {
        guard let consumption else { return 0 }
        passHoles(&stage)
        let lost = Int64(consumption.pointee.holes.messages)
        if lost > 0 { journal(.lostDown, value: lost, &stage) }
        journal(.bufferPeak, value: Int64(consumption.pointee.most), &stage)
        journal(.memoryPeak, value: Int64(clamping: consumption.pointee.mostBytes), &stage)
        return lost
    }
}
