import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Subscriptions that share a connection: the time in which the client takes a dead one for joined, and the messages that
/// the server has left out.
extension PhoneSimulation {
    /// Ends subscriptions because of an entry of the timeline. Returns `false` if the phone has none that is joined.
    mutating func endSubscriptions(_ end: SubscriptionEnd, _ context: inout WorkerContext) -> Bool {
        guard let state = context.subscriptions?.server else { return false }
        let (subscriptions, change) = (SubscriptionSet(upTo: Int(end.count)), connections.recentChanges.active)
        return callServer(&context) {
            $0.endSubscriptions(subscriptions, isSilent: end.isSilent, by: change, state, at: $1, &$2)
        }
    }

    /// Updates the measured times after a change of connections or subscriptions.
    mutating func measureSubscriptions(_ context: inout WorkerContext) {
        guard let subscriptions = context.subscriptions else { return }
        let isOpen = Self.slots.contains { phoneEnd[$0].belief == .open }
        // Requests that were not sent end with their connection.
        if !isOpen { subscriptions.client.pointee.pendingJoins = .empty }
        measure(subscriptions, isOpen: isOpen, &context)
    }

    private func measure(_ subscriptions: SubscriptionMemory, isOpen: Bool, _ context: inout WorkerContext) {
        let believed = subscriptions.client.pointee.believed
        guard let deaf = subscriptions.server.pointee.measure(isOpen: isOpen, believed: believed, at: now) else {
            return
        }
        journal(.subscriptionDeaf, value: deaf.nanoseconds, &context)
    }

    /// Records messages that the server has left out, and that a session beginning at message `next` will not contain.
    mutating func passLeftOut(before next: UInt32, _ context: inout WorkerContext) {
        let known = max(delivery.received, delivery.seen.index)
        guard let end = context.subscriptions?.server.pointee.takeSkipped(before: next, known: known) else { return }
        callDelivery(&context) { $0.passLeftOut(before: end, &$1, &$2) }
    }

    /// Records lost messages. Those of a dead subscription are charged to the timeline change that ended it.
    func writeLoss(_ note: JournalEntry, _ subscriptions: SubscriptionMemory, _ context: inout WorkerContext) {
        guard var loss = MessageLoss(tag: note.tag, value: note.value), loss.cause == .streamDead else {
            return write(note, &context)
        }
        while let part = subscriptions.server.pointee.removeFirstPart(of: &loss) {
            write(JournalEntry(part, .down), &context)
        }
    }

    /// Closes the measured periods at the horizon, and accounts for messages that the server has left out since the
    /// last one that arrived.
    mutating func finishSubscriptions(_ context: inout WorkerContext) {
        guard let subscriptions = context.subscriptions else { return }
        measure(subscriptions, isOpen: false, &context)
        let out = subscriptions.server.pointee.periods.outTime
        if out > .zero { journal(.subscriptionOut, value: out.nanoseconds, &context) }
        guard let slot = server.sessionSlot,
            let next = server.resumePosition(for: phoneEnd.nextRequest(slot, sessionView), introduction, at: now)
        else { return }
        passLeftOut(before: next, &context)
    }
}
