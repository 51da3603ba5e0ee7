import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer

/// What happens to a message a second time, or never: duplicates and who notices them, messages thrown away.
extension Lane {
    // MARK: Up

    /// Messages of the app have come once more.
    mutating func arriveAgainUp(_ first: UInt32, _ last: UInt32, _ stage: inout Stage) {
        var taken: Int64 = 0
        var late: Int64 = 0
        for index in first..<last where admits(index, &stage) {
            taken += 1
            if index + 1 < arrivedUp.index { late += 1 }
        }
        if taken > 0 { journal(.duplicatedUp, value: taken, &stage) }
        if late > 0 { journal(.reorderedUp, value: late, &stage) }
        let dropped = Int64(last - first) - taken
        if dropped > 0 { journal(.suppressedUp, value: dropped, &stage) }
    }

    /// The server takes the message for new.
    mutating func admits(_ index: UInt32, _ stage: inout Stage) -> Bool {
        let rules = stage.world.server.dedup
        guard rules != .none, session.keysMessages else { return true }
        let salt = stage.dice(.dedup, phone).at(0)
        var memory = desk.pointee.dedup
        let before = rules.bytes(holding: memory.most)
        let isNew = memory.admits(index, rules, at: now, salt: salt, &desk.pointee.words)
        desk.pointee.dedup = memory
        let more = rules.bytes(holding: memory.most) - before
        if more > 0 { journal(.dedupMemory, value: Int64(more), &stage) }
        return isNew
    }

    /// Messages that were thrown away lie before this one.
    mutating func passRefused(_ first: UInt32) {
        let from = max(arrivedUp.index, min(session.forgotten.position, first))
        desk.pointee.refused -= min(desk.pointee.refused, first - from)
    }

    mutating func forgetUp(before end: Cursor) {
        session.forgotten = max(session.forgotten, end)
        if session.forgotten == session.produced { desk.pointee.refused = 0 }
    }

    /// The app's own queue throws its oldest messages away.
    mutating func evict(before end: Cursor, _ stage: inout Stage) {
        let first = max(session.forgotten, session.acknowledged)
        if first < end { journal(.queueOverflow, value: Int64(end.position - first.position), &stage) }
        forgetUp(before: end)
    }

    /// The app's own queue throws messages away that lie behind others.
    mutating func refuse(_ from: UInt32, _ upTo: UInt32, _ stage: inout Stage) {
        let from = max(from, session.forgotten.position, arrivedUp.index)
        guard from < upTo else { return }
        desk.pointee.refused += upTo - from
        journal(.queueOverflow, value: Int64(upTo - from), &stage)
    }

    // MARK: Down

    /// What came again and was not shown again.
    mutating func settleRepeated(_ stage: inout Stage) {
        guard desk.pointee.repeated > 0 else { return }
        journal(.suppressedDown, value: Int64(desk.pointee.repeated), &stage)
        desk.pointee.repeated = 0
    }

    /// The app has seen so many of these before.
    mutating func countAgain(_ count: UInt32, before end: UInt32, _ stage: inout Stage) {
        journal(.duplicatedDown, value: Int64(count), &stage)
        let late = Int64(count) - (end == seenDown.index ? 1 : 0)
        if late > 0 { journal(.reorderedDown, value: late, &stage) }
        desk.pointee.repeated -= min(desk.pointee.repeated, count)
    }

    mutating func showAgain(_ from: UInt32, _ upTo: UInt32, _ stage: inout Stage) {
        let end = min(upTo, seenDown.index)
        guard from < end else { return }
        countAgain(end - from, before: end, &stage)
    }

    /// The app throws away what it has, or counts it as seen. One that never was is lost.
    mutating func discard(_ from: UInt32, _ upTo: UInt32, _ stage: inout Stage) {
        guard let stream = stage.world.traffic.down else { return }
        show(upTo: Cursor(from), &stage)
        let end = min(upTo, receivedDown)
        guard max(seenDown.index, from) < end else { return }
        let count = Int64(end - max(seenDown.index, from))
        journal(.mistakenDown, value: count, &stage)
        journal(.lostDown, value: count, &stage)
        let dice = stage.dice(.trafficDown, phone)
        while seenDown.index < end { seenDown.advance(stream, dice: dice) }
        session.cursor = max(session.cursor, Cursor(end))
    }

    /// Writes the cursor down. One ahead of what the app has seen is a promise that a crash breaks.
    mutating func persist(_ cursor: Cursor) {
        let known = min(cursor.position, max(receivedDown, session.cursor.position))
        session.persisted = max(session.persisted, Cursor(known))
        session.persistedEpoch = session.epoch
        session.persistedAt = now
    }

    /// The process is gone: what it had and did not show it does not have, what it showed and did not write down it will show again.
    mutating func forgetShown(_ stage: inout Stage) {
        settleRepeated(&stage)
        desk.pointee.seenBefore = Desk.Stretch(from: session.cursor.position, upTo: seenDown.index)
        // A promise to have shown what nobody saw: the server will not send it again.
        receivedDown = seenDown.index
        desk.pointee.leftOut?.pointee = Consumption.Holes()
    }

    /// At the horizon: a gap that nobody has passed yet is not on its way, either.
    mutating func loseGap(_ stage: inout Stage) {
        guard !desk.pointee.gap.isEmpty, !desk.pointee.gapIsPromised else { return }
        passGap(before: desk.pointee.gap.upTo, &stage)
    }
}
