package import DeadzoneBase

/// Rules for when a program sends receipts, the app-level confirmations of received messages. It sends one after
/// `every` messages, or the time `within` after the first unconfirmed message. A receipt confirms everything below a
/// position, so the next receipt replaces a lost one.
package struct ReceiptRules: Hashable, Sendable, BitwiseCopyable {
    package var every: UInt32
    package var within: TimeSpan

    package init(every: UInt32 = 1, within: TimeSpan = .zero) {
        precondition(every > 0, "a receipt confirms at least one message")
        self.every = every
        self.within = within
    }
}

/// Tracks which messages a program has confirmed with receipts, in one direction of one connection.
package struct Receipts: Hashable, Sendable, BitwiseCopyable {
    /// Number of the message after the last one that was confirmed with a receipt.
    package private(set) var reportedEnd: UInt32
    /// Time at which the next receipt must be sent; `.never` if there is nothing to confirm.
    package private(set) var due = Instant.never

    package init(from position: UInt32 = 0) { reportedEnd = position }

    /// Records that the program received messages from `first` on, and now has every message below `position`. If
    /// messages that were confirmed before arrive again, they must be confirmed again: their sender did not get the
    /// receipt.
    package mutating func recordDelivery(
        from first: UInt32, upTo position: UInt32, at now: Instant, _ rules: ReceiptRules
    ) {
        reportedEnd = min(reportedEnd, first)
        guard reportedEnd < position else { return }
        let isFull = position - reportedEnd >= rules.every
        due = isFull ? now : min(due, now + rules.within)
    }

    /// Clears the due time of a receipt that did not fit into the send queue. It is sent at the next attempt.
    package mutating func postpone() { due = .never }

    /// Records that a receipt for the messages below `position` was sent.
    package mutating func recordSent(upTo position: UInt32) {
        reportedEnd = max(reportedEnd, position)
        due = .never
    }
}
