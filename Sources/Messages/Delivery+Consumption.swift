public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneTransport

/// The way of a message of the server from the library to whoever consumes it.
extension Delivery {
    /// The strategy hands over everything below the cursor.
    public mutating func handOver(
        upTo cursor: Cursor, appRuns: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        guard let consumption else { return show(upTo: cursor, &session, &out) }
        consumption.pointee.handed = max(consumption.pointee.handed, min(cursor.position, received))
        advanceConsumption(appRuns: appRuns, &session, &out)
    }

    /// As much as the buffer has room for enters it.
    mutating func takeIn(appRuns: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption else { return }
        let rules = intake.pointee
        consumption.pointee.taken = max(consumption.pointee.taken, seen.index)
        consume(appRuns: appRuns, &session, &out)
        while consumption.pointee.taken < consumption.pointee.handed {
            let message = consumption.pointee.taken
            if let end = hole(over: message) {
                consumption.pointee.taken = end
                continue
            }
            if isUnasked(rules) {
                noteFull(&session, &out)
                return moveCursor(&session)
            }
            if waiting >= rules.buffer.places {
                noteFull(&session, &out)
                switch rules.buffer.overflow {
                case .suspend: return moveCursor(&session)
                case .dropOldest: dropOldest(&session, &out)
                case .dropLatest:
                    consumption.pointee.holes.append(from: message, upTo: message + 1)
                    countDropped(
                        1, bytes: said.pointee.down.bytes(of: message), intake.pointee.buffer.overflow, &session, &out)
                }
            }
            consumption.pointee.taken = message + 1
            if rules.asks != nil { consumption.pointee.credits -= 1 }
            out.append(.tookIn(message))
            consumption.pointee.most = max(consumption.pointee.most, waiting)
            if waiting < rules.buffer.places && !isUnasked(rules) { consumption.pointee.isFull = false }
            moveCursor(&session)
            consume(appRuns: appRuns, &session, &out)
        }
        moveCursor(&session)
    }

    /// By the other rule it moves when the message is shown, in `show`.
    mutating func moveCursor(_ session: inout Session) {
        guard let consumption, intake.pointee.cursor == .received else { return }
        session.cursor = max(session.cursor, Cursor(consumption.pointee.taken))
    }

    /// Messages in the buffer.
    var waiting: UInt32 {
        guard let consumption else { return 0 }
        let end = max(consumption.pointee.taken, seen.index)
        return end - seen.index - min(consumption.pointee.holes.messages(below: end), end - seen.index)
    }

    /// The first message that is truly there.
    var oldest: UInt32 {
        var message = seen.index
        while let end = hole(over: message) { message = end }
        return message
    }

    func hole(over message: UInt32) -> UInt32? {
        guard let consumption else { return nil }
        return consumption.pointee.holes.end(over: message)
    }

    func noteFull(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, !consumption.pointee.isFull else { return }
        consumption.pointee.isFull = true
        out.note(.bufferFilled, value: Int64(waiting))
    }

    func countDropped(
        _ count: UInt32, bytes: UInt32, _ overflow: Intake.Overflow, _ session: inout Session,
        _ out: inout Steps<DeliveryStep>
    ) {
        out.note(.bufferDropped, OverflowCode(overflow), value: Int64(count))
        release(UInt64(bytes))
    }

    func release(_ bytes: UInt64) {
        guard let consumption else { return }
        consumption.pointee.bytes -= min(bytes, consumption.pointee.bytes)
    }

    /// The oldest message of the buffer is thrown away. It is lost once the consumer goes on behind it: until then a new
    /// connection may bring it back.
    mutating func dropOldest(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption else { return }
        let message = oldest
        countDropped(1, bytes: said.pointee.down.bytes(of: message), .dropOldest, &session, &out)
        if !consumption.pointee.holes.dropFirst(message) { lose(before: message + 1, &session, &out) }
    }

    /// The app goes on behind messages that it will never have. Unless somebody knows of them, that is a gap that nobody noticed.
    mutating func lose(before end: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, let course = said.pointee.downCourse, seen.index < end else { return }
        let missing = end - seen.index
        out.note(.lostDown, value: Int64(missing))
        let known = consumption.pointee.known
        let unknown = missing - Stretch(from: max(known.from, seen.index), upTo: min(known.upTo, end)).count
        if unknown > 0 { out.note(.gapUnnoticed, .down, value: Int64(unknown)) }
        while seen.index < end { seen.advance(course) }
        noticeFreshness(&session, &out)
    }

    /// What lies before the next message and will not be shown is lost now.
    mutating func passHoles(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        let next = oldest
        lose(before: next, &session, &out)
        consumption?.pointee.holes.removeAll(below: next)
    }

    // MARK: The consumer

    /// When it takes the next message, if anything waits for it and the app runs.
    public func consumptionAt(_ now: Instant) -> Instant {
        guard let consumption, waiting > 0 else { return .never }
        return max(consumption.pointee.busyUntil, consumption.pointee.stallUntil, now)
    }

    public var stallAt: Instant { consumption?.pointee.nextStallAt ?? .never }

    /// It takes what it can take now.
    mutating func consume(appRuns: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption else { return }
        while waiting > 0, appRuns, max(consumption.pointee.busyUntil, consumption.pointee.stallUntil) <= session.now {
            passHoles(&session, &out)
            let message = seen.index
            release(UInt64(said.pointee.down.bytes(of: message)))
            show(upTo: Cursor(message + 1), &session, &out)
            // Whatever else was shown with it is out of the buffer, too.
            guard message < seen.index else { return }
            askAgain(after: seen.index - message, &session, &out)
            if let consumer = consumer?.pointee {
                let dice = said.pointee.dice(.consumption)
                let service = TimeSpan.nanoseconds(max(consumer.service.draw(dice.at(UInt64(message))), 0))
                consumption.pointee.busyUntil = session.now + service
            }
            if consumption.pointee.toPersist > session.persisted.position {
                persist(min(Cursor(consumption.pointee.toPersist), session.cursor), &session)
            }
        }
    }

    /// It is done with a message, or goes on after a stall; or there is more for it. What that frees is granted anew at once.
    public mutating func advanceConsumption(appRuns: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        takeIn(appRuns: appRuns, &session, &out)
    }

    /// It stands still for so long: the main thread is busy.
    public mutating func stall(for span: TimeSpan, _ session: inout Session, _ out: inout Steps<DeliveryStep>) -> Bool {
        guard let consumption, span > .zero else { return false }
        consumption.pointee.stallUntil = max(consumption.pointee.stallUntil, session.now + span)
        out.note(.consumerStalled, value: span.nanoseconds)
        return true
    }

    public mutating func advanceStall(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, let consumer = consumer?.pointee else { return }
        let dice = said.pointee.dice(.stalls).pair(at: UInt64(consumption.pointee.nextStall))
        let span = TimeSpan.nanoseconds(max(consumer.stall.draw(dice.1), 0))
        _ = stall(for: span, &session, &out)
        consumption.pointee.nextStall += 1
        scheduleStall(after: span, at: session.now)
    }

    public func scheduleStall(after span: TimeSpan, at now: Instant) {
        guard let consumption, let gap = consumer?.pointee.stallGap else { return }
        let dice = said.pointee.dice(.stalls).pair(at: UInt64(consumption.pointee.nextStall))
        consumption.pointee.nextStallAt = now + span + .nanoseconds(max(gap.draw(dice.0), 1))
    }

    // MARK: What becomes of what waits

    /// Messages have come.
    func store(_ run: Run) {
        guard let consumption, received < run.last else { return }
        var bytes: UInt64 = 0
        for message in max(run.first, received)..<run.last { bytes += UInt64(said.pointee.down.bytes(of: message)) }
        consumption.pointee.bytes += bytes
        consumption.pointee.mostBytes = max(consumption.pointee.mostBytes, consumption.pointee.bytes)
    }

    /// Another connection. What the library of the last one held unread is gone with it; and where the client resumes from what
    /// was shown, the server sends everything behind that anew, and the buffer begins empty.
    public mutating func forgetUnread(_ resuming: Resuming, _ session: inout Session, _ out: inout Steps<DeliveryStep>)
    {
        guard let consumption else { return }
        let rules = intake.pointee
        let stops = rules.stopsReading || rules.buffer.overflow == .suspend
        var kept = stops ? max(consumption.pointee.taken, seen.index) : received
        if rules.cursor == .shown && resuming != .fresh {
            kept = seen.index
            noticeDropped(&session, &out)
            // The new call asks anew for what the old one brought and nobody saw.
            consumption.pointee.credits &+= waiting
            consumption.pointee.forgetMissing()
            consumption.pointee.taken = kept
        }
        guard kept < received else { return }
        for message in kept..<received { release(UInt64(said.pointee.down.bytes(of: message))) }
        received = kept
        consumption.pointee.handed = min(consumption.pointee.handed, kept)
        // Gaps behind it: the server says anew where it goes on.
        consumption.pointee.holes.cut(at: kept)
    }

    /// What the buffer has dropped is asked for again: the cursor lies before it.
    func noticeDropped(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption else { return }
        let dropped = consumption.pointee.holes.messages(below: consumption.pointee.taken)
        if dropped > 0 { out.note(.gapNoticed, .down, value: Int64(dropped)) }
    }

    /// The client has found out by itself that the server left something out.
    mutating func noticeSkipped(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, !consumption.pointee.skipped.isEmpty else { return }
        let skipped = consumption.pointee.skipped
        consumption.pointee.skipped = Stretch()
        know(skipped)
        out.note(.gapNoticed, .down, value: Int64(skipped.count))
    }

    /// Somebody knows that these will not come, or nobody asked for them.
    func know(_ missing: Stretch) {
        guard let consumption else { return }
        let known = consumption.pointee.known
        consumption.pointee.known = missing
        if !known.isEmpty && seen.index < known.upTo {
            consumption.pointee.known.from = min(known.from, missing.from)
        }
    }

    /// The process is gone, and with it whatever it had not shown.
    public mutating func emptyBuffer(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption else { return }
        // A cursor that was written down ahead of the consumer: nobody will send what lies between.
        lose(before: session.persisted.position, &session, &out)
        consumption.pointee.forgetMissing()
        consumption.pointee.handed = seen.index
        consumption.pointee.taken = seen.index
        consumption.pointee.bytes = 0
        consumption.pointee.toPersist = 0
        received = seen.index
        askFirst(&session, &out)
    }

    /// Writes the cursor down, or remembers to do so once it is shown.
    public mutating func persistShown(_ cursor: Cursor, _ session: borrowing Session) -> Cursor {
        guard let consumption, intake.pointee.cursor == .shown else { return cursor }
        consumption.pointee.toPersist = max(consumption.pointee.toPersist, cursor.position)
        return min(cursor, session.cursor)
    }

    /// At the horizon. Returns how many messages are lost and not yet passed.
    mutating func finishConsumption(_ session: inout Session, _ out: inout Steps<DeliveryStep>) -> Int64 {
        guard let consumption else { return 0 }
        passHoles(&session, &out)
        let lost = Int64(consumption.pointee.holes.messages)
        if lost > 0 { out.note(.lostDown, value: lost) }
        out.note(.bufferPeak, value: Int64(consumption.pointee.most))
        out.note(.memoryPeak, value: Int64(clamping: consumption.pointee.mostBytes))
        return lost
    }

    // MARK: Asking

    /// Nothing is asked for that has not come.
    func isUnasked(_ rules: Intake) -> Bool { rules.asks != nil && consumption?.pointee.credits == 0 }

    /// A process begins, and with it its call.
    public mutating func askFirst(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, let asks = intake.pointee.asks else { return }
        consumption.pointee.credits = 0
        consumption.pointee.shownSinceAsk = 0
        stack(asks.first, &session, &out)
    }

    /// The consumer has taken so many messages more.
    mutating func askAgain(after shown: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, let asks = intake.pointee.asks, asks.then > 0 else { return }
        consumption.pointee.shownSinceAsk += shown
        while consumption.pointee.shownSinceAsk >= asks.after {
            consumption.pointee.shownSinceAsk -= asks.after
            stack(asks.then, &session, &out)
        }
    }

    /// The strategy asks, by a script of its own.
    public mutating func askFor(
        _ count: UInt32, appRuns: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        guard intake.pointee.asks != nil, consumption != nil else { return }
        stack(count, &session, &out)
        advanceConsumption(appRuns: appRuns, &session, &out)
    }

    mutating func stack(_ count: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let consumption, count > 0 else { return }
        let (sum, isTooMany) = consumption.pointee.credits.addingReportingOverflow(count)
        consumption.pointee.credits = isTooMany ? .max : sum
        out.note(.messagesAsked, value: Int64(count))
    }
}

extension OverflowCode {
    init(_ overflow: Intake.Overflow) {
        switch overflow {
        case .suspend: self = .suspend
        case .dropOldest: self = .dropOldest
        case .dropLatest: self = .dropLatest
        }
    }
}
