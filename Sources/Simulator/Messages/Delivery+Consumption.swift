package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Moves the server's messages from the library through the consumer's buffer to the consumer.
extension Delivery {
    /// Hands over to the app all received messages below the cursor.
    package mutating func handOver(
        upTo cursor: Cursor, appRuns: Bool, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let consumption else { return show(upTo: cursor, &session, &out) }
        consumption.pointee.handed = max(consumption.pointee.handed, min(cursor.position, received))
        advanceConsumption(appRuns: appRuns, &session, &out)
    }

    /// Moves messages from the library into the consumer's buffer, as many as it has space for.
    mutating func fillBuffer(appRuns: Bool, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption else { return }
        let rules = receivePolicy.pointee
        consumption.pointee.buffered = max(consumption.pointee.buffered, seen.index)
        consume(appRuns: appRuns, &session, &out)
        while consumption.pointee.buffered < consumption.pointee.handed {
            let message = consumption.pointee.buffered
            if let end = missingEnd(over: message) {
                consumption.pointee.buffered = end
                continue
            }
            if isOutOfCredit(rules) {
                noteFull(&out)
                return moveCursor(&session)
            }
            if bufferedCount >= rules.buffer.slotCount {
                noteFull(&out)
                switch rules.buffer.overflow {
                case .suspend: return moveCursor(&session)
                case .dropOldest: dropOldest(&session, &out)
                case .dropLatest:
                    // A later gap may be in the list already.
                    consumption.pointee.missing.insert(message)
                    countDropped(message, .dropLatest, &out)
                }
            }
            consumption.pointee.buffered = message + 1
            if rules.demand != nil { consumption.pointee.credits -= 1 }
            out.append(.enteredBuffer(message))
            consumption.pointee.peakCount = max(consumption.pointee.peakCount, bufferedCount)
            if bufferedCount < rules.buffer.slotCount && !isOutOfCredit(rules) { consumption.pointee.isFull = false }
            moveCursor(&session)
            consume(appRuns: appRuns, &session, &out)
        }
        moveCursor(&session)
    }

    /// Advances the client's cursor if the receive policy counts received messages. If it counts shown messages, `show`
    /// advances it.
    mutating func moveCursor(_ session: inout Session) {
        guard let consumption, receivePolicy.pointee.cursor == .received else { return }
        session.cursor = max(session.cursor, Cursor(consumption.pointee.buffered))
    }

    /// Number of messages in the buffer.
    var bufferedCount: UInt32 {
        guard let consumption else { return 0 }
        let end = max(consumption.pointee.buffered, seen.index)
        return end - seen.index - min(consumption.pointee.missing.messages(below: end), end - seen.index)
    }

    /// Number of the oldest message in the buffer: the first one not yet shown that is not missing.
    var oldestBuffered: UInt32 {
        var message = seen.index
        while let end = missingEnd(over: message) { message = end }
        return message
    }

    func missingEnd(over message: UInt32) -> UInt32? {
        guard let consumption else { return nil }
        return consumption.pointee.missing.end(over: message)
    }

    func noteFull(_ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, !consumption.pointee.isFull else { return }
        consumption.pointee.isFull = true
        out.note(.bufferFilled, value: Int64(bufferedCount))
    }

    /// Records that the full buffer dropped a message.
    func countDropped(
        _ message: UInt32, _ overflow: ReceivePolicy.BufferOverflow, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        out.note(.bufferDropped, OverflowCode(overflow), value: 1)
        release(UInt64(traffic.pointee.down.bytes(of: message)))
    }

    func release(_ bytes: UInt64) {
        guard let consumption else { return }
        consumption.pointee.bytes -= min(bytes, consumption.pointee.bytes)
    }

    /// Drops the oldest message in the buffer. It counts as lost only when the consumer passes it: until then a new
    /// connection may deliver it again.
    mutating func dropOldest(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption else { return }
        let message = oldestBuffered
        countDropped(message, .dropOldest, &out)
        if !consumption.pointee.missing.addFirst(message) { loseUnseen(before: message + 1, &session, &out) }
    }

    /// Records that the consumer passes messages that it will never receive: they are lost. Messages of which the
    /// client does not know that they are missing count as an unnoticed gap.
    mutating func loseUnseen(before end: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, let course = traffic.pointee.downSchedule, seen.index < end else { return }
        let missing = end - seen.index
        noteLost(unseen: seen.index..<end, &out)
        let known = consumption.pointee.knownMissing
        let unknown = missing - MessageRange(from: max(known.from, seen.index), upTo: min(known.upTo, end)).count
        if unknown > 0 { out.note(.gapUnnoticed, .down, value: Int64(unknown)) }
        while seen.index < end { seen.advance(course) }
        noticeFreshness(&session, &out)
    }

    /// Records the messages below the persisted cursor as lost that an ended process had not shown.
    private mutating func losePersisted(
        before end: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let consumption else { return }
        consumption.pointee.absent = MessageRange(from: seen.index, upTo: end)
        consumption.pointee.absentPlace = .appMemory
        loseUnseen(before: end, &session, &out)
    }

    /// Records the missing messages directly before the oldest message in the buffer as lost.
    mutating func skipMissing(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        let next = oldestBuffered
        loseUnseen(before: next, &session, &out)
        consumption?.pointee.missing.removeAll(below: next)
    }

    // MARK: The consumer

    /// Instant at which the consumer takes the next message, provided that the app runs; `.never` if the buffer is
    /// empty.
    package func consumptionAt(_ now: Instant) -> Instant {
        guard let consumption, bufferedCount > 0 else { return .never }
        return max(consumption.pointee.busyUntil, consumption.pointee.stallUntil, now)
    }

    /// Time of the consumer's next stall, or of the end of its process for lack of memory.
    package var stallAt: Instant {
        guard let consumption else { return .never }
        return min(consumption.pointee.nextStallAt, consumption.pointee.outOfMemoryAt)
    }

    /// `true` if the unread messages have exceeded the memory limit. The process has to end.
    package var isOutOfMemory: Bool { consumption.map { $0.pointee.outOfMemoryAt != .never } ?? false }

    /// Records that the lack of memory is handled.
    package func clearOutOfMemory() { consumption?.pointee.outOfMemoryAt = .never }

    /// Lets the consumer take messages from the buffer until it is busy or stalled, or the buffer is empty.
    mutating func consume(appRuns: Bool, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption else { return }
        while bufferedCount > 0, appRuns,
            max(consumption.pointee.busyUntil, consumption.pointee.stallUntil) <= session.now
        {
            skipMissing(&session, &out)
            let message = seen.index
            release(UInt64(traffic.pointee.down.bytes(of: message)))
            show(upTo: Cursor(message + 1), &session, &out)
            // Other messages that were shown with it have left the buffer as well.
            guard message < seen.index else { return }
            requestMore(after: seen.index - message, &session, &out)
            if let consumer = consumer?.pointee {
                let dice = traffic.pointee.dice(.consumption)
                let service = TimeSpan.nanoseconds(max(consumer.service.draw(dice.at(UInt64(message))), 0))
                consumption.pointee.busyUntil = session.now + service
            }
            if consumption.pointee.toPersist > session.persisted.position {
                persist(min(Cursor(consumption.pointee.toPersist), session.cursor), &session)
            }
        }
    }

    /// Lets the consumer continue after a message or a stall, or when more messages are available. Freed credit is
    /// granted again immediately.
    package mutating func advanceConsumption(
        appRuns: Bool, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        fillBuffer(appRuns: appRuns, &session, &out)
        if hasConsumer { out.append(.creditFreed) }
    }

    /// Stalls the consumer for a time span, as when the main thread is busy. Returns `false` without a consumer.
    package mutating func stall(for span: TimeSpan, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>)
        -> Bool
    {
        guard let consumption, span > .zero else { return false }
        consumption.pointee.stallUntil = max(consumption.pointee.stallUntil, session.now + span)
        out.note(.consumerStalled, value: span.nanoseconds)
        return true
    }

    package mutating func advanceStall(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, let consumer = consumer?.pointee else { return }
        let dice = traffic.pointee.dice(.stalls).pair(at: UInt64(consumption.pointee.nextStall))
        let span = TimeSpan.nanoseconds(max(consumer.stall.draw(dice.1), 0))
        _ = stall(for: span, &session, &out)
        consumption.pointee.nextStall += 1
        scheduleStall(after: span, at: session.now)
    }

    package func scheduleStall(after span: TimeSpan, at now: Instant) {
        guard let consumption, let gap = consumer?.pointee.stallGap else { return }
        let dice = traffic.pointee.dice(.stalls).pair(at: UInt64(consumption.pointee.nextStall))
        consumption.pointee.nextStallAt = now + span + .nanoseconds(max(gap.draw(dice.0), 1))
    }

    // MARK: Buffer contents

    /// Adds the bytes of newly arrived messages to the memory that unread messages occupy.
    func store(_ run: FrameRange, at now: Instant) {
        guard let consumption, received < run.last else { return }
        var bytes: UInt64 = 0
        for message in max(run.first, received)..<run.last { bytes += UInt64(traffic.pointee.down.bytes(of: message)) }
        consumption.pointee.bytes += bytes
        consumption.pointee.peakBytes = max(consumption.pointee.peakBytes, consumption.pointee.bytes)
        guard let limit = consumer?.pointee.memoryLimit, consumption.pointee.bytes > limit else { return }
        consumption.pointee.outOfMemoryAt = min(consumption.pointee.outOfMemoryAt, now)
    }

    /// Discards unread messages before a new connection is opened. Messages that the last connection's library held
    /// unread are gone. If the client resumes from the shown messages, the server sends everything after them again,
    /// and the buffer is emptied.
    package mutating func forgetUnread(
        _ resuming: ResumeRequest, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let consumption else { return }
        let rules = receivePolicy.pointee
        let stops = rules.stopsReading || rules.buffer.overflow == .suspend
        var kept = stops ? max(consumption.pointee.buffered, seen.index) : received
        if rules.cursor == .shown && resuming != .fresh {
            kept = seen.index
            noticeDropped(&out)
            // The new call requests again the messages that the old call delivered and the app did not show.
            consumption.pointee.credits &+= bufferedCount
            consumption.pointee.forgetMissing()
            consumption.pointee.buffered = kept
        }
        guard kept < received else { return }
        for message in kept..<received { release(UInt64(traffic.pointee.down.bytes(of: message))) }
        received = kept
        consumption.pointee.handed = min(consumption.pointee.handed, kept)
        // Drop the gaps behind it: the server states again where it continues.
        consumption.pointee.missing.cut(at: kept)
    }

    /// Records messages that the full buffer dropped as a noticed gap: the client requests them again, because the
    /// cursor precedes them.
    func noticeDropped(_ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption else { return }
        let dropped = consumption.pointee.missing.messages(below: consumption.pointee.buffered)
        if dropped > 0 { out.note(.gapNoticed, .down, value: Int64(dropped)) }
    }

    /// Records that the client itself detected that the server skipped messages it had requested.
    mutating func noticeSkipped(_ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, !consumption.pointee.skipped.isEmpty else { return }
        let skipped = consumption.pointee.skipped
        consumption.pointee.skipped = MessageRange()
        markKnownMissing(skipped)
        out.note(.gapNoticed, .down, value: Int64(skipped.count))
    }

    /// Marks missing messages as known to the client, so that they do not count as an unnoticed gap.
    func markKnownMissing(_ missing: MessageRange) {
        guard let consumption else { return }
        let known = consumption.pointee.knownMissing
        consumption.pointee.knownMissing = missing
        if !known.isEmpty && seen.index < known.upTo {
            consumption.pointee.knownMissing.from = min(known.from, missing.from)
        }
    }

    /// Empties the buffer after the process has ended. Messages that were not shown are gone.
    mutating func emptyBuffer(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption else { return }
        // The cursor was persisted ahead of the consumer: the server will not send the messages in between again.
        losePersisted(before: session.persisted.position, &session, &out)
        consumption.pointee.forgetMissing()
        consumption.pointee.handed = seen.index
        consumption.pointee.buffered = seen.index
        consumption.pointee.bytes = 0
        // A stall and the current message end with the process.
        consumption.pointee.busyUntil = .zero
        consumption.pointee.stallUntil = .zero
        clearOutOfMemory()
        consumption.pointee.toPersist = 0
        received = seen.index
        requestFirst(&session, &out)
    }

    /// Returns the part of the cursor that may be persisted now: messages that are not shown yet are excluded. The rest
    /// is persisted once they are shown.
    package mutating func persistWhenShown(_ cursor: Cursor, _ session: borrowing Session) -> Cursor {
        guard let consumption, receivePolicy.pointee.cursor == .shown else { return cursor }
        consumption.pointee.toPersist = max(consumption.pointee.toPersist, cursor.position)
        return min(cursor, session.cursor)
    }

    /// Records the consumer's peak values and its missing messages at the horizon (the end of the run). Returns the
    /// number of missing messages that the consumer has not passed yet; they are lost.
    mutating func finishConsumption(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) -> Int64 {
        guard let consumption else { return 0 }
        skipMissing(&session, &out)
        let lost = Int64(consumption.pointee.missing.messages)
        var missing = consumption.pointee.missing
        while missing.count > 0 {
            noteLost(unseen: missing.first, &out)
            missing.removeFirst()
        }
        out.note(.bufferPeak, value: Int64(consumption.pointee.peakCount))
        out.note(.memoryPeak, value: Int64(clamping: consumption.pointee.peakBytes))
        return lost
    }

    // MARK: Requests

    /// `true` if the client requests messages explicitly, and has received all that it requested.
    func isOutOfCredit(_ rules: ReceivePolicy) -> Bool { rules.demand != nil && consumption?.pointee.credits == 0 }

    /// Makes the first request for messages of a new process.
    package mutating func requestFirst(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, let asks = receivePolicy.pointee.demand else { return }
        consumption.pointee.credits = 0
        consumption.pointee.shownSinceAsk = 0
        addCredit(asks.initial, &out)
    }

    /// Requests more messages from the server, once the consumer has taken enough messages since the last request.
    /// - Parameter shown: Number of messages that the consumer has taken just now.
    mutating func requestMore(after shown: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, let asks = receivePolicy.pointee.demand, asks.refill > 0 else { return }
        consumption.pointee.shownSinceAsk += shown
        while consumption.pointee.shownSinceAsk >= asks.refillAfter {
            consumption.pointee.shownSinceAsk -= asks.refillAfter
            addCredit(asks.refill, &out)
        }
    }

    /// Requests messages that the strategy asked for explicitly, with its own request policy.
    package mutating func requestMessages(
        _ count: UInt32, appRuns: Bool, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard receivePolicy.pointee.demand != nil, consumption != nil else { return }
        addCredit(count, &out)
        advanceConsumption(appRuns: appRuns, &session, &out)
    }

    mutating func addCredit(_ count: UInt32, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let consumption, count > 0 else { return }
        let (sum, isTooMany) = consumption.pointee.credits.addingReportingOverflow(count)
        consumption.pointee.credits = isTooMany ? .max : sum
        out.note(.messagesAsked, value: Int64(count))
    }
}

extension OverflowCode {
    init(_ overflow: ReceivePolicy.BufferOverflow) {
        switch overflow {
        case .suspend: self = .suspend
        case .dropOldest: self = .dropOldest
        case .dropLatest: self = .dropLatest
        }
    }
}
