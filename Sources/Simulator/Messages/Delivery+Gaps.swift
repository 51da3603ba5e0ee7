package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Records gaps: messages that the server will not send, and whether the client notices that they are missing.
///
/// The client requested these messages, or the server left them out because the client did not read them.
extension Delivery {
    /// Records that the server continues its stream with message `next`. Earlier messages that have not arrived are
    /// skipped, and lost at this place.
    package mutating func continueStream(
        at next: UInt32, isGap: Bool, place: LossPlace = .sessionStart, _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        if received < next { skipDown(to: next, isGap: isGap, at: place, &session, &out) }
        seenBefore.from = max(seenBefore.from, next)
    }

    /// Records that the server starts the session with a full snapshot. Without a request by the client (`isAsked`),
    /// this tells the client about a gap.
    package mutating func beginSnapshot(
        at next: UInt32, isAsked: Bool, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        if !isAsked { out.note(.gapNoticed, .down, value: Int64(next - min(seen.index, next))) }
    }

    /// Records that the server will not send the messages before `next`. If the server does not announce this, the app
    /// notices it itself or continues without them.
    mutating func skipDown(
        to next: UInt32, isGap: Bool, at place: LossPlace, _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        // With a consumer, missing messages are handled when it reaches them (`Delivery+Consumption`).
        guard isGap, consumption == nil else {
            return markMissing(before: next, isGap: isGap, at: place, &session, &out)
        }
        let from = max(received, seen.index)
        if !gapRange.isEmpty, gapRange.upTo < from { skipGap(before: from, &session, &out) }
        if gapRange.isEmpty { gapRange.from = from }
        gapIsNoticed = false
        gapAwaitsSnapshot = false
        gapPlace = place
        gapRange.upTo = next
        received = next
    }

    /// Passes a gap that ends at or before `end`: its messages are lost, and unnoticed unless the client detected the
    /// gap.
    mutating func skipGap(before end: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let course = traffic.pointee.downSchedule, !gapRange.isEmpty, gapRange.upTo <= end else {
            return
        }
        showInOrder(upTo: gapRange.from, &session, &out)
        // A full list of left-out messages may have grown over the gap: then nothing is left of it.
        let lost = max(seen.index, gapRange.from)..<max(seen.index, gapRange.upTo)
        let missing = Int64(lost.count)
        if missing > 0 {
            if !gapIsNoticed { out.note(.gapUnnoticed, .down, value: missing) }
            noteLost(down: lost, at: gapPlace, &out)
        }
        while seen.index < gapRange.upTo { seen.advance(course) }
        gapRange = MessageRange()
    }

    /// Records that the client itself detected a gap.
    package mutating func noticeGap(
        _ direction: Direction, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard direction == .down else { return out.note(.gapNoticed, .up, value: 0) }
        guard consumption == nil else { return noticeSkipped(&out) }
        guard !gapRange.isEmpty, !gapIsNoticed else { return }
        gapIsNoticed = true
        let missing = Int64(gapRange.upTo - gapRange.from)
        out.note(.gapNoticed, .down, value: missing)
    }

    /// Records the messages of a gap as lost at the horizon (the end of the run), because they are not in flight. Does
    /// nothing if a requested snapshot may still replace them.
    package mutating func loseGap(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard !gapRange.isEmpty, !gapAwaitsSnapshot else { return }
        skipGap(before: gapRange.upTo, &session, &out)
    }

    /// Records that the client requests a full snapshot because of a gap. It shows nothing behind the gap before the
    /// snapshot has arrived.
    package mutating func requestResync(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        noticeGap(.down, &session, &out)
        gapAwaitsSnapshot = true
    }

    // MARK: Left out

    /// Records that the server left out the messages between the last received one and `next`, for example because the
    /// client reads too slowly.
    package mutating func markLeftOut(
        before next: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        if consumption != nil { return markMissing(before: next, isGap: false, at: leftOutPlace, &session, &out) }
        guard let leftOut = leftOut else { return }
        let from = max(received, seen.index)
        guard from < next else { return }
        leftOut.pointee.append(from: from, upTo: next)
        received = next
    }

    /// Records that the server left out the messages before `next`, and that no later message will show it. They are lost
    /// at once if the app has shown all earlier ones.
    package mutating func passLeftOut(
        before next: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        markLeftOut(before: next, &session, &out)
        if consumption == nil { _ = loseLeftOut(&out) }
    }

    /// The place at which left-out messages are lost. A world has no slow consumers beside streams that can end.
    private var leftOutPlace: LossPlace { traffic.pointee.subscriptions > 0 ? .stream : .serverQueue }

    /// Checks whether the server left out the next message to show. If so, records it and the others of its range as
    /// lost. Returns `false` if it was not left out.
    mutating func loseLeftOut(_ out: inout EffectQueue<DeliveryEffect>) -> Bool {
        guard let leftOut = leftOut, let course = traffic.pointee.downSchedule else { return false }
        while leftOut.pointee.count > 0, leftOut.pointee.first.upperBound <= seen.index {
            leftOut.pointee.removeFirst()
        }
        guard let end = leftOut.pointee.end(over: seen.index) else { return false }
        noteLost(down: seen.index..<end, at: leftOutPlace, &out)
        while seen.index < end { seen.advance(course) }
        leftOut.pointee.removeFirst()
        return true
    }

    /// Records left-out messages as lost at the horizon (the end of the run). Returns the number of these messages that
    /// the app had not passed yet.
    mutating func finishLeftOut(_ out: inout EffectQueue<DeliveryEffect>) -> Int64 {
        guard let leftOut = leftOut else { return 0 }
        var lost: Int64 = 0
        while leftOut.pointee.count > 0 {
            let stretch = leftOut.pointee.first
            let open = max(stretch.lowerBound, seen.index)..<max(stretch.upperBound, seen.index)
            lost += Int64(open.count)
            noteLost(down: open, at: leftOutPlace, &out)
            leftOut.pointee.removeFirst()
        }
        return lost
    }
}
