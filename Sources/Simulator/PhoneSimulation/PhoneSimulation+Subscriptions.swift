import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport

/// Subscriptions that share a connection: the time in which the client takes a dead one for joined, and the messages that
/// the server has left out.
extension PhoneSimulation {
    /// Updates the measured times after a change of connections or subscriptions.
    mutating func measureSubscriptions(_ context: inout WorkerContext) {
        guard let subscriptions = context.subscriptions else { return }
        let isOpen = Self.slots.contains { phoneEnd[$0].belief == .open }
        if let note = subscriptions.measure(isOpen: isOpen, at: now) { write(note, &context) }
    }

    /// Records messages that the server has left out, and that a session beginning at message `next` will not contain.
    mutating func passLeftOut(before next: UInt32, _ context: inout WorkerContext) {
        let known = max(delivery.received, delivery.seen.index)
        guard let end = context.subscriptions?.server.pointee.takeSkipped(before: next, known: known) else { return }
        callDelivery(&context) { $0.passLeftOut(before: end, &$1, &$2) }
    }

    /// Closes the measured periods at the horizon, and accounts for messages that the server has left out since the
    /// last one that arrived.
    mutating func finishSubscriptions(_ context: inout WorkerContext) {
        guard let subscriptions = context.subscriptions else { return }
        if let note = subscriptions.measure(isOpen: false, at: now) { write(note, &context) }
        let out = subscriptions.server.pointee.periods.outTime
        if out > .zero { journal(.subscriptionOut, value: out.nanoseconds, &context) }
        guard let slot = server.sessionSlot,
            let next = server.resumePosition(for: phoneEnd.nextRequest(slot, sessionView), introduction, at: now)
        else { return }
        passLeftOut(before: next, &context)
    }
}
