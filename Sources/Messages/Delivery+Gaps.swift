public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
import DeadzoneTransport

/// What the server will not send though it was asked for, or has left out because nobody took it; and who finds out.
extension Delivery {
    /// The server goes on with this message.
    public mutating func goOn(at next: UInt32, isGap: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>)
    {
        if received < next { skipDown(to: next, isGap: isGap, &session, &out) }
        seenBefore.from = max(seenBefore.from, next)
    }

    /// The server begins with everything anew.
    public mutating func beginAnew(
        at next: UInt32, isAsked: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        if !isAsked { out.note(.gapNoticed, .down, value: Int64(next - min(seen.index, next))) }
    }

    /// The server will not send what lies before `next`. If it says nothing of it, the app finds out or goes on without.
    mutating func skipDown(to next: UInt32, isGap: Bool, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        // A consumer passes what is missing by itself (`Lane+Consumption`).
        guard isGap, consumption == nil else { return missDown(before: next, isGap: isGap, &session, &out) }
        let from = max(received, seen.index)
        if !gap.isEmpty, gap.upTo < from { passGap(before: from, &session, &out) }
        if gap.isEmpty { gap.from = from }
        gapIsNoticed = false
        gapIsPromised = false
        gap.upTo = next
        received = next
    }

    /// The app goes on behind a gap that nobody has noticed.
    mutating func passGap(before end: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let course = said.pointee.downCourse, !gap.isEmpty, gap.upTo <= end else {
            return
        }
        showPlainly(upTo: gap.from, &session, &out)
        let missing = Int64(gap.upTo - max(seen.index, gap.from))
        if missing > 0 {
            if !gapIsNoticed { out.note(.gapUnnoticed, .down, value: missing) }
            out.note(.lostDown, value: missing)
        }
        while seen.index < gap.upTo { seen.advance(course) }
        gap = Stretch()
    }

    /// The client has found out by itself.
    public mutating func noticeGap(_ direction: Direction, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard direction == .down else { return out.note(.gapNoticed, .up, value: 0) }
        guard consumption == nil else { return noticeSkipped(&session, &out) }
        guard !gap.isEmpty, !gapIsNoticed else { return }
        gapIsNoticed = true
        let missing = Int64(gap.upTo - gap.from)
        out.note(.gapNoticed, .down, value: missing)
    }

    /// At the horizon: a gap that nobody has passed yet is not on its way, either.
    public mutating func loseGap(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard !gap.isEmpty, !gapIsPromised else { return }
        passGap(before: gap.upTo, &session, &out)
    }

    /// The client asks for everything anew, and shows nothing of what lies behind the gap before it is there.
    public mutating func askForAll(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        noticeGap(.down, &session, &out)
        gapIsPromised = true
    }

    // MARK: Left out

    /// The server goes on at `next`: what lies before it and behind what the phone has, it has left out.
    public mutating func passLeftOut(before next: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        if consumption != nil { return missDown(before: next, isGap: false, &session, &out) }
        guard let leftOut = leftOut else { return }
        let from = max(received, seen.index)
        guard from < next else { return }
        leftOut.pointee.append(from: from, upTo: next)
        received = next
    }

    /// The next message to be shown was left out: it is lost, and so are those that were left out with it.
    mutating func loseLeftOut(_ session: inout Session, _ out: inout Steps<DeliveryStep>) -> Bool {
        guard let leftOut = leftOut, let course = said.pointee.downCourse else { return false }
        while leftOut.pointee.count > 0, leftOut.pointee.first.upperBound <= seen.index {
            leftOut.pointee.removeFirst()
        }
        guard let end = leftOut.pointee.end(over: seen.index) else { return false }
        out.note(.lostDown, value: Int64(end - seen.index))
        while seen.index < end { seen.advance(course) }
        leftOut.pointee.removeFirst()
        return true
    }

    /// At the horizon. Returns how many messages were left out before others that are not shown yet.
    mutating func finishLeftOut(_ session: inout Session, _ out: inout Steps<DeliveryStep>) -> Int64 {
        guard let leftOut = leftOut else { return 0 }
        var lost: Int64 = 0
        while leftOut.pointee.count > 0 {
            let stretch = leftOut.pointee.first
            lost += Int64(max(stretch.upperBound, seen.index) - max(stretch.lowerBound, seen.index))
            leftOut.pointee.removeFirst()
        }
        if lost > 0 { out.note(.lostDown, value: lost) }
        return lost
    }
}
