public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// Messages of the server on their way from the phone to whoever sees them.
extension Delivery {
    /// Messages of a stream have come.
    public mutating func receive(_ run: Run, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        settleRepeated(&session, &out)
        if received < run.first { passLeftOut(before: run.first, &session, &out) }
        store(run)
        repeated = max(min(run.last, received), run.first) - run.first
        received = max(received, run.last)
    }

    /// A datagram has come. What it came before will not come any more.
    public mutating func receive(
        datagram messages: Range<UInt32>, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        if received < messages.lowerBound { missDown(before: messages.lowerBound, isGap: false, &session, &out) }
        received = max(received, messages.upperBound)
    }

    /// Everything anew is here: the app can show all that the server had when it wrote it.
    public mutating func receiveAll(before head: UInt32) {
        // Seen again as part of the whole is not seen twice.
        seenBefore = Stretch()
        gap = Stretch()
        gapIsPromised = false
        received = max(received, head)
    }

    /// The app sees everything up to the cursor that is here.
    public mutating func show(upTo cursor: Cursor, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        var end = min(cursor.position, received)
        let gap = gap
        if gap.from < end, end < gap.upTo || (gapIsPromised && !gap.isEmpty) { end = gap.from }
        let again = seenBefore.take(before: end)
        if again > 0 { countAgain(again, before: seenBefore.from, &session, &out) }
        if gap.upTo <= end { passGap(before: end, &session, &out) }
        showPlainly(upTo: end, &session, &out)
        session.cursor = max(session.cursor, Cursor(end))
        noticeFreshness(&session, &out)
    }

    mutating func showPlainly(upTo end: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let course = said.pointee.downCourse, seen.index < end else { return }
        while seen.index < end {
            if loseLeftOut(&session, &out) { continue }
            out.note(.deliveredDown, value: (session.now - seen.at).nanoseconds)
            seen.advance(course)
        }
    }

    /// Nothing will bring the messages of the server before `next` any more.
    mutating func loseDown(before next: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let course = said.pointee.downCourse, seen.index < next else { return }
        out.note(.lostDown, value: Int64(next - seen.index))
        while seen.index < next { seen.advance(course) }
        received = max(received, next)
        gap = Stretch()
        noticeFreshness(&session, &out)
    }

    /// The server goes on behind what the phone has: what lies between is lost once the consumer has come so far.
    /// - Parameter isGap: The client asked for it.
    public mutating func missDown(
        before next: UInt32, isGap: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        guard let consumption else { return loseDown(before: next, &session, &out) }
        let from = max(received, seen.index)
        guard from < next else { return }
        consumption.pointee.holes.append(from: from, upTo: next)
        received = next
        let skipped = Stretch(from: from, upTo: next)
        if isGap { consumption.pointee.skipped = skipped } else { know(skipped) }
    }

    /// The app throws away what it has, or counts it as seen. One that never was is lost.
    public mutating func discard(
        _ from: UInt32, _ upTo: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        guard let course = said.pointee.downCourse else { return }
        show(upTo: Cursor(from), &session, &out)
        let end = min(upTo, received)
        guard max(seen.index, from) < end else { return }
        let count = Int64(end - max(seen.index, from))
        out.note(.mistakenDown, value: count)
        out.note(.lostDown, value: count)
        while seen.index < end { seen.advance(course) }
        session.cursor = max(session.cursor, Cursor(end))
    }

    public mutating func showAgain(
        _ from: UInt32, _ upTo: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        let end = min(upTo, seen.index)
        guard from < end else { return }
        countAgain(end - from, before: end, &session, &out)
    }

    /// The app has seen so many of these before.
    mutating func countAgain(
        _ count: UInt32, before end: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        out.note(.duplicatedDown, value: Int64(count))
        let late = Int64(count) - (end == seen.index ? 1 : 0)
        if late > 0 { out.note(.reorderedDown, value: late) }
        repeated -= min(repeated, count)
    }

    /// What came again and was not shown again.
    public mutating func settleRepeated(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard repeated > 0 else { return }
        out.note(.suppressedDown, value: Int64(repeated))
        repeated = 0
    }

    /// Writes the cursor down. One ahead of what the app has seen is a promise that a crash breaks.
    public mutating func persist(_ cursor: Cursor, _ session: inout Session) {
        let known = min(cursor.position, max(received, session.cursor.position))
        session.persisted = max(session.persisted, Cursor(known))
        session.persistedEpoch = session.epoch
        session.persistedAt = session.now
    }

    /// The process is gone: what it had and did not show it does not have, what it showed and did not write down it will show again.
    public mutating func forgetShown(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        settleRepeated(&session, &out)
        seenBefore = Stretch(from: session.cursor.position, upTo: seen.index)
        // A promise to have shown what nobody saw: the server will not send it again.
        received = seen.index
        leftOut?.pointee = Holes()
    }

    // MARK: Freshness

    /// The user opens the app, and wants to see what is new.
    public mutating func beginFreshness(written: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        freshFrom = written
        openedAt = session.now
        noticeFreshness(&session, &out)
    }

    mutating func noticeFreshness(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard openedAt != .never, freshFrom <= seen.index else { return }
        out.note(.fresh, value: (session.now - openedAt).nanoseconds)
        openedAt = .never
    }

    /// The user leaves, or the run is over.
    public mutating func endFreshness(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard openedAt != .never else { return }
        out.note(.stale, value: (session.now - openedAt).nanoseconds)
        openedAt = .never
    }
}
