package import DeadzoneBase
package import DeadzoneClient
package import DeadzoneTransport

/// Records what happens to the server's messages, from their arrival at the phone until the app shows them.
extension Delivery {
    /// Records messages that arrived on a stream.
    package mutating func receive(_ run: FrameRange, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>)
    {
        recordSuppressed(&session, &out)
        if received < run.first { markLeftOut(before: run.first, &session, &out) }
        store(run, at: session.now)
        receivedAgain = max(min(run.last, received), run.first) - run.first
        received = max(received, run.last)
    }

    /// Records messages that arrived in a datagram. Earlier messages that are missing will not arrive any more.
    package mutating func receive(
        datagram messages: Range<UInt32>, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        if received < messages.lowerBound {
            markMissing(before: messages.lowerBound, isGap: false, at: .path, &session, &out)
        }
        received = max(received, messages.upperBound)
    }

    /// Records that a full snapshot has arrived: the app can show everything that the server had written before it.
    package mutating func receiveAll(before head: UInt32) {
        // Messages that are shown again as part of a snapshot are no duplicates.
        seenBefore = MessageRange()
        gapRange = MessageRange()
        gapAwaitsSnapshot = false
        received = max(received, head)
    }

    /// Shows all received messages below the cursor to the user.
    package mutating func show(upTo cursor: Cursor, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>)
    {
        let end = reachable(below: cursor.position)
        let again = seenBefore.take(before: end)
        if again > 0 { countDuplicates(again, before: seenBefore.from, &out) }
        if gapRange.upTo <= end { skipGap(before: end, &session, &out) }
        showInOrder(upTo: end, &session, &out)
        session.cursor = max(session.cursor, Cursor(end))
        noticeFreshness(&session, &out)
    }

    /// Returns the end of the messages below the limit that the app can process now. It cannot process messages that have
    /// not arrived, those inside a gap, and those behind a gap for which it awaits a snapshot.
    private func reachable(below limit: UInt32) -> UInt32 {
        let (end, gap) = (min(limit, received), gapRange)
        return gap.from < end && (end < gap.upTo || (gapAwaitsSnapshot && !gap.isEmpty)) ? gap.from : end
    }

    mutating func showInOrder(upTo end: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let course = traffic.pointee.downSchedule, seen.index < end else { return }
        while seen.index < end {
            if loseLeftOut(&out) { continue }
            out.note(.deliveredDown, value: (session.now - seen.time).nanoseconds)
            seen.advance(course)
        }
    }

    /// Records the server's messages before `next` as lost: no connection will deliver them.
    mutating func loseUnshown(
        before next: UInt32, at place: LossPlace, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let course = traffic.pointee.downSchedule, seen.index < next else { return }
        noteLost(down: seen.index..<next, at: place, &out)
        while seen.index < next { seen.advance(course) }
        received = max(received, next)
        gapRange = MessageRange()
        noticeFreshness(&session, &out)
    }

    /// Marks the messages between the last received one and `next` as missing. They are lost once the consumer reaches
    /// them.
    /// - Parameters:
    ///   - isGap: `true` if the client requested these messages.
    ///   - place: The place at which they are lost.
    package mutating func markMissing(
        before next: UInt32, isGap: Bool, at place: LossPlace, _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let consumption else { return loseUnshown(before: next, at: place, &session, &out) }
        let from = max(received, seen.index)
        guard from < next else { return }
        consumption.pointee.missing.append(from: from, upTo: next)
        consumption.pointee.addAbsent(from..<next, place, seen: seen.index)
        received = next
        let skipped = MessageRange(from: from, upTo: next)
        if isGap { consumption.pointee.skipped = skipped } else { markKnownMissing(skipped) }
    }

    /// Records that the app discards received messages, or treats them as seen. Messages that were never shown are
    /// lost. The app cannot discard messages that the server skipped or left out: these are lost at the server.
    package mutating func discard(
        _ from: UInt32, _ upTo: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        show(upTo: Cursor(from), &session, &out)
        let end = reachable(below: upTo)
        guard from < end else { return }
        // Messages that an earlier process has shown are real duplicates.
        _ = seenBefore.take(before: end)
        if !gapRange.isEmpty, gapRange.upTo <= end {
            if from < gapRange.from { discardUnseen(before: gapRange.from, &session, &out) }
            skipGap(before: end, &session, &out)
        }
        discardUnseen(before: end, &session, &out)
        session.cursor = max(session.cursor, Cursor(end))
    }

    /// Records the messages that the app has not shown as lost, because it takes them for duplicates.
    private mutating func discardUnseen(
        before end: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let course = traffic.pointee.downSchedule else { return }
        while seen.index < end {
            if loseLeftOut(&out) { continue }
            let next = leftOut.map { $0.pointee.count > 0 ? $0.pointee.first.lowerBound : .max } ?? .max
            let stop = min(end, next)
            out.note(.mistakenDown, value: Int64(stop - seen.index))
            noteLost(down: seen.index..<stop, at: .appDuplicates, &out)
            while seen.index < stop { seen.advance(course) }
        }
    }

    package mutating func showAgain(
        _ from: UInt32, _ upTo: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        let end = min(upTo, seen.index)
        guard from < end else { return }
        countDuplicates(end - from, before: end, &out)
    }

    /// Counts messages that the app shows although it has shown them before.
    mutating func countDuplicates(
        _ count: UInt32, before end: UInt32, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        out.note(.duplicatedDown, value: Int64(count))
        let late = Int64(count) - (end == seen.index ? 1 : 0)
        if late > 0 { out.note(.reorderedDown, value: late) }
        receivedAgain -= min(receivedAgain, count)
    }

    /// Records messages that arrived a second time but were not shown a second time (suppressed duplicates).
    package mutating func recordSuppressed(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard receivedAgain > 0 else { return }
        out.note(.suppressedDown, value: Int64(receivedAgain))
        receivedAgain = 0
    }

    /// Persists the cursor. If it is ahead of the shown messages, a crash loses the messages in between.
    package mutating func persist(_ cursor: Cursor, _ session: inout Session) {
        let known = min(cursor.position, max(received, session.cursor.position))
        session.persisted = max(session.persisted, Cursor(known))
        session.persistedEpoch = session.epoch
        session.persistedAt = session.now
    }

    /// Resets the state of an ended process. Messages that it received and did not show are gone. Messages that it
    /// showed and did not persist are gone from the screen, and will be shown again.
    package mutating func endProcess(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        emptyBuffer(&session, &out)
        recordSuppressed(&session, &out)
        seenBefore = MessageRange(from: session.cursor.position, upTo: seen.index)
        // The cursor was persisted ahead of the shown messages: the server will not send the messages in between again.
        received = seen.index
        leftOut?.pointee = MissingRanges()
        // The new process knows neither the gap nor the old one's request for a snapshot. The server states again where
        // it continues.
        gapRange = MessageRange()
        if !session.isForeground { endFreshness(&session, &out) }
    }

    // MARK: Freshness

    /// Starts measuring freshness: the time from opening the app until it shows everything that the server had written
    /// by then.
    package mutating func beginFreshness(
        written: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        freshFrom = written
        openedAt = session.now
        noticeFreshness(&session, &out)
    }

    mutating func noticeFreshness(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard openedAt != .never, freshFrom <= seen.index else { return }
        out.note(.fresh, value: (session.now - openedAt).nanoseconds)
        openedAt = .never
    }

    /// Ends the measurement of freshness without success, because the user leaves the app or the run is over.
    package mutating func endFreshness(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard openedAt != .never else { return }
        out.note(.stale, value: (session.now - openedAt).nanoseconds)
        openedAt = .never
    }
}
