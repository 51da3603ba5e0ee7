package import DeadzoneBase
package import DeadzoneClient
import DeadzoneTransport

/// Records what happens to the app's own messages to the server: produced, confirmed and discarded.
extension Delivery {
    /// Records that the app produces its next message.
    package mutating func produceUp(_ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let course = traffic.pointee.upSchedule else { return }
        let index = wanted.index
        out.note(.sentUp, value: Int64(index))
        wanted.advance(course)
    }

    /// `true` if the app has produced a message that was not announced to the strategy.
    package var hasUnannounced: Bool { announced < wanted.index }

    /// Returns the next message to announce to the strategy; `nil` if all were announced.
    package mutating func announceNext(_ session: inout Session) -> Message? {
        guard announced < wanted.index else { return nil }
        let index = announced
        announced += 1
        session.produced = Cursor(announced)
        return Message(index: index, bytes: traffic.pointee.up.bytes(of: index))
    }

    /// Records that the app learns that the server has all the app's messages below `end`.
    package mutating func confirmUp(
        before end: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        guard let course = traffic.pointee.upSchedule else { return }
        while confirmed.index < end {
            if !skippedUp.contains(confirmed.index) {
                out.note(.acknowledgedUp, value: (session.now - confirmed.time).nanoseconds)
            }
            confirmed.advance(course)
        }
        session.acknowledged = max(session.acknowledged, Cursor(end))
    }

    /// Skips the app's messages before `next` that it never sent: the server has nothing to confirm.
    package mutating func skipUp(to next: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>) {
        guard let course = traffic.pointee.upSchedule else { return }
        while confirmed.index < next { confirmed.advance(course) }
    }

    /// Records that a connection starts with the app's message `first`. Messages from there on are sent after all, also
    /// those of a gap on an earlier connection.
    package mutating func beginUp(at first: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>)
    {
        skippedUp.upTo = min(skippedUp.upTo, max(skippedUp.from, first))
        skipUp(to: first, &session, &out)
    }

    /// Forgets discarded messages that the server's position has passed.
    /// - Parameters:
    ///   - begin: The server's previous position in the app's messages.
    ///   - first: Index of the message that the server received now.
    package mutating func settleRefused(_ begin: UInt32, _ first: UInt32, _ session: borrowing Session) {
        let from = max(begin, min(session.forgotten.position, first))
        refused -= min(refused, first - from)
    }

    /// Records a message as lost that the server's program has refused and that the client gives up. All earlier
    /// messages are confirmed.
    package mutating func loseRefused(
        _ message: UInt32, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>
    ) {
        out.note(MessageLoss(.refused, .serverProgram, first: message, count: 1), .up)
        skipUp(to: message + 1, &session, &out)
        forgetUp(before: Cursor(message + 1), &session)
    }

    package mutating func forgetUp(before end: Cursor, _ session: inout Session) {
        session.forgotten = max(session.forgotten, end)
        if session.forgotten == session.produced { refused = 0 }
    }

    /// Drops the oldest messages from the app's own send queue, which is full.
    package mutating func evict(before end: Cursor, _ session: inout Session, _ out: inout EffectQueue<DeliveryEffect>)
    {
        let first = max(session.forgotten, session.acknowledged)
        if first < end {
            addDropped(first.position..<end.position, session)
            out.note(.queueOverflow, value: Int64(end.position - first.position))
        }
        forgetUp(before: end, &session)
    }

    /// Drops messages in the middle or at the end of the app's own send queue, which is full.
    package mutating func refuse(
        _ from: UInt32, _ upTo: UInt32, arrived: UInt32, _ session: inout Session,
        _ out: inout EffectQueue<DeliveryEffect>
    ) {
        let from = max(from, session.forgotten.position, arrived)
        guard from < upTo else { return }
        refused += upTo - from
        addDropped(from..<upTo, session)
        out.note(.queueOverflow, value: Int64(upTo - from))
    }

    /// Records a gap: messages that are never sent, although earlier messages are still in flight. Only one such gap
    /// can be recorded; returns `false` if there is one already.
    package mutating func skipUnsent(_ messages: Range<UInt32>) -> Bool {
        guard skippedUp.upTo <= confirmed.index else { return false }
        skippedUp = MessageRange(from: messages.lowerBound, upTo: messages.upperBound)
        return true
    }
}
