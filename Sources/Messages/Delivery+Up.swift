public import DeadzoneClient
import DeadzoneJournal
public import DeadzonePrimitives
public import DeadzoneTransport

/// Messages of the app: what it wants to say, what it knows to be there, and what it throws away.
extension Delivery {
    /// The app has a new message.
    public mutating func wantUp(_ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let course = said.pointee.upCourse else { return }
        let index = wanted.index
        out.note(.sentUp, value: Int64(index))
        wanted.advance(course)
    }

    /// There is a wish that the app's strategy has not heard of.
    @inlinable public var hasWish: Bool { told < wanted.index }

    /// The app's next wish that its strategy has not heard of.
    public mutating func nextWish(_ session: inout Session) -> Message? {
        guard told < wanted.index else { return nil }
        let index = told
        told += 1
        session.produced = Cursor(told)
        return Message(index: index, bytes: said.pointee.up.bytes(of: index))
    }

    /// The app learns that the server has everything of its own before `end`.
    public mutating func confirmUp(before end: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let course = said.pointee.upCourse else { return }
        while confirmed.index < end {
            if !skippedUp.contains(confirmed.index) {
                out.note(.acknowledgedUp, value: (session.now - confirmed.at).nanoseconds)
            }
            confirmed.advance(course)
        }
        session.acknowledged = max(session.acknowledged, Cursor(end))
    }

    /// Messages before `next` were never handed over: there is nothing to confirm.
    public mutating func skipUp(to next: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        guard let course = said.pointee.upCourse else { return }
        while confirmed.index < next { confirmed.advance(course) }
    }

    /// The server had nothing of the app's from `begin` on and has the message `first`: what was thrown away lies between.
    public mutating func passRefused(_ begin: UInt32, _ first: UInt32, _ session: borrowing Session) {
        let from = max(begin, min(session.forgotten.position, first))
        refused -= min(refused, first - from)
    }

    public mutating func forgetUp(before end: Cursor, _ session: inout Session) {
        session.forgotten = max(session.forgotten, end)
        if session.forgotten == session.produced { refused = 0 }
    }

    /// The app's own queue throws its oldest messages away.
    public mutating func evict(before end: Cursor, _ session: inout Session, _ out: inout Steps<DeliveryStep>) {
        let first = max(session.forgotten, session.acknowledged)
        if first < end { out.note(.queueOverflow, value: Int64(end.position - first.position)) }
        forgetUp(before: end, &session)
    }

    /// The app's own queue throws messages away that lie behind others.
    public mutating func refuse(
        _ from: UInt32, _ upTo: UInt32, arrived: UInt32, _ session: inout Session, _ out: inout Steps<DeliveryStep>
    ) {
        let from = max(from, session.forgotten.position, arrived)
        guard from < upTo else { return }
        refused += upTo - from
        out.note(.queueOverflow, value: Int64(upTo - from))
    }

    /// Behind messages that are still on their way these are left out. There is room for one such gap.
    public mutating func leaveOut(_ messages: Range<UInt32>) -> Bool {
        guard skippedUp.upTo <= confirmed.index else { return false }
        skippedUp = Stretch(from: messages.lowerBound, upTo: messages.upperBound)
        return true
    }
}
