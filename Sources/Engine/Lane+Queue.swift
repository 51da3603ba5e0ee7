import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTransport

/// The queue of the server's program: messages of the session that its kernel has no room for, or the phone's window.
///
/// What it takes is counted for the session's present connection, as the kernel would be given it: with framing.
extension Lane {
    /// Something was written, or has left.
    mutating func noteQueue(_ slot: Int, _ stage: inout Stage) {
        let waiting = lines[slot].server.waiting
        guard lines[slot].isAttached, !lines[slot].talk.isPassedOn,
            !waiting.isEmpty || desk.pointee.queue.first != desk.pointee.queue.end
        else { return }
        setQueue(to: waiting, slot, stage)
        let rules = stage.world.server.slowConsumers
        guard let first = rules.changed(&desk.pointee.queue, at: now) else { return }
        lines[slot].server.conflate(to: first)
        journal(.serverQueueDropped, value: Int64(first - waiting.lowerBound), &stage)
        setQueue(to: lines[slot].server.waiting, slot, stage)
    }

    private func setQueue(to waiting: Range<UInt32>, _ slot: Int, _ stage: borrowing Stage) {
        let before = desk.pointee.queue.first..<desk.pointee.queue.end
        let framing = lines[slot].downward.framing
        var (more, less) = (UInt64(0), UInt64(0))
        for message in max(before.upperBound, waiting.lowerBound)..<max(before.upperBound, waiting.upperBound) {
            more += UInt64(framing.message(stage.sizesDown.bytes(of: message)))
        }
        if !waiting.isEmpty {
            for message in before.lowerBound..<max(before.lowerBound, min(before.upperBound, waiting.lowerBound)) {
                less += UInt64(framing.message(stage.sizesDown.bytes(of: message)))
            }
        }
        desk.pointee.queue.become(waiting, adding: more, removing: less)
    }

    func queueDeadline(_ slot: Int, _ stage: borrowing Stage) -> Instant {
        guard lines[slot].isAttached, !lines[slot].talk.isPassedOn, !serverIsFrozen else { return .never }
        return stage.world.server.slowConsumers.deadline(desk.pointee.queue)
    }

    /// The server gives a slow phone up. What its kernel already has still goes, then the end.
    mutating func cutSlow(_ slot: Int, _ stage: inout Stage) {
        journal(.serverExpired, .slow, value: Int64(lines[slot].generation), &stage)
        end(slot, &stage)
        desk.pointee.queue.restart()
    }

    mutating func finishQueue(_ stage: inout Stage) {
        guard desk.pointee.queue.most > 0 else { return }
        journal(.serverQueuePeak, value: Int64(clamping: desk.pointee.queue.most), &stage)
    }

    // MARK: At the phone

    /// The server goes on at `next`: what lies before it and behind what the phone has, it has left out.
    mutating func passLeftOut(before next: UInt32, _ stage: inout Stage) {
        if consumption != nil { return missDown(before: next, isGap: false, &stage) }
        guard let leftOut = desk.pointee.leftOut else { return }
        let from = max(receivedDown, seenDown.index)
        guard from < next else { return }
        leftOut.pointee.append(from: from, upTo: next)
        receivedDown = next
    }

    /// At the horizon. Returns how many messages were left out before others that are not shown yet.
    mutating func finishLeftOut(_ stage: inout Stage) -> Int64 {
        guard let leftOut = desk.pointee.leftOut else { return 0 }
        var lost: Int64 = 0
        while leftOut.pointee.count > 0 {
            let stretch = leftOut.pointee.first
            lost += Int64(max(stretch.upperBound, seenDown.index) - max(stretch.lowerBound, seenDown.index))
            leftOut.pointee.removeFirst()
        }
        if lost > 0 { journal(.lostDown, value: lost, &stage) }
        return lost
    }

    /// The next message to be shown was left out: it is lost, and so are those that were left out with it.
    mutating func loseLeftOut(_ stage: inout Stage) -> Bool {
        guard let leftOut = desk.pointee.leftOut, let stream = stage.world.traffic.down else { return false }
        while leftOut.pointee.count > 0, leftOut.pointee.first.upperBound <= seenDown.index {
            leftOut.pointee.removeFirst()
        }
        guard let end = leftOut.pointee.end(over: seenDown.index) else { return false }
        journal(.lostDown, value: Int64(end - seenDown.index), &stage)
        let dice = stage.dice(.trafficDown, phone)
        while seenDown.index < end { seenDown.advance(stream, dice: dice) }
        leftOut.pointee.removeFirst()
        return true
    }
}
