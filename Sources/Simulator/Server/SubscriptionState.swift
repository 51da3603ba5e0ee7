package import DeadzoneBase
package import DeadzoneClient

/// The subscriptions of one phone at the server: which ones its program serves, which answers it has yet to send, and
/// which messages it left out. Only phones with `streams` at both ends have it.
///
/// The server's messages belong to the subscriptions in turn. A message of a subscription that the server does not serve
/// is left out; no history keeps it for this subscription alone.
package struct SubscriptionState: BitwiseCopyable {
    /// Subscriptions that the server's program serves on the present connection.
    package internal(set) var joined = SubscriptionSet.empty
    /// Frames that the send queue has not taken yet.
    var pendingJoined = SubscriptionSet.empty
    var pendingRefused = SubscriptionSet.empty
    var pendingEnded = SubscriptionSet.empty
    /// Number of requests for each subscription, modulo 256.
    private var attempts = InlineArray<64, UInt8>(repeating: 0)
    /// For each subscription: index of the timeline change that ended it last on this connection, plus 1; 0 if none did.
    private var changes = InlineArray<64, UInt16>(repeating: 0)
    private var endCount: UInt32 = 0
    private let count: UInt8
    /// Time at which the server ends a subscription; `.never` if it ends none.
    package private(set) var nextEnd = Instant.never
    /// The newest messages if all of them were left out, so that no later message shows it to the client: the first one,
    /// and the end. Equal if there are none.
    package private(set) var skippedFrom: UInt32 = 0
    package private(set) var skippedEnd: UInt32 = 0

    private(set) var periods = SubscriptionPeriods()

    package init(_ rules: SubscriptionRules, count: UInt8, _ dice: Dice) {
        self.count = count
        nextEnd = rules.wait(beforeEnd: 0, dice).map { Instant.zero + $0 } ?? .never
    }

    var all: SubscriptionSet { SubscriptionSet(upTo: Int(count)) }
    var hasPendingAnswers: Bool { !pendingJoined.isEmpty || !pendingRefused.isEmpty || !pendingEnded.isEmpty }

    /// `true` if the server's program serves the subscription to which the message belongs.
    func carries(_ message: UInt32) -> Bool { joined.contains(UInt8(message % UInt32(max(count, 1)))) }

    mutating func skip(_ message: UInt32) {
        if skippedFrom == skippedEnd || skippedEnd != message { skippedFrom = message }
        skippedEnd = message + 1
    }

    mutating func forgetSkipped() { (skippedFrom, skippedEnd) = (0, 0) }

    /// Forgets the messages that were left out last, if the client has all messages before them, and a session that
    /// begins at message `next` will not contain them. Returns the end of those before `next`; otherwise `nil`.
    /// - Parameter known: Number of messages that the client has.
    mutating func takeSkipped(before next: UInt32, known: UInt32) -> UInt32? {
        guard skippedFrom < skippedEnd, skippedFrom < next, skippedFrom == known else { return nil }
        defer { forgetSkipped() }
        return min(skippedEnd, next)
    }

    mutating func countAttempt(_ number: UInt8) -> UInt8 {
        defer { attempts[Int(number)] &+= 1 }
        return attempts[Int(number)]
    }

    /// Notes that subscriptions have ended: because of a timeline change, or without one (`nil`).
    package mutating func noteEnd(of subscriptions: SubscriptionSet, by change: UInt16?) {
        var rest = subscriptions
        while let number = rest.popFirst() { changes[Int(number)] = change.map { $0 == .max ? 0 : $0 + 1 } ?? 0 }
    }

    /// The timeline change that ended the subscription to which the message belongs; `nil` if none did.
    package func change(behind message: UInt32) -> UInt16? {
        let change = changes[Int(message % UInt32(max(count, 1)))]
        return change == 0 ? nil : change - 1
    }

    /// Removes the first messages of a loss that belong to the same timeline change, and returns them with this change.
    /// `nil` if none is left.
    func removeFirstPart(of loss: inout MessageLoss) -> MessageLoss? {
        guard loss.count > 0 else { return nil }
        var part = loss
        part.change = change(behind: loss.first)
        part.count = 1
        while part.count < loss.count, change(behind: loss.first + part.count) == part.change { part.count += 1 }
        loss.first += part.count
        loss.count -= part.count
        return part
    }

    /// Called when the session starts on another connection: nothing is joined there.
    package mutating func attached() {
        joined = .empty
        changes = InlineArray(repeating: 0)
        (pendingJoined, pendingRefused, pendingEnded) = (.empty, .empty, .empty)
        forgetSkipped()
    }

    /// Returns the end that is due now, and schedules the next one.
    package mutating func takeEnd(_ rules: SubscriptionRules, _ dice: Dice) -> (number: UInt8, isSilent: Bool) {
        let end = rules.end(endCount, of: count, dice)
        endCount += 1
        nextEnd = rules.wait(beforeEnd: endCount, dice).map { nextEnd + $0 } ?? .never
        return end
    }

    /// Updates the measured times after a change.
    /// - Parameter believed: Subscriptions that the client takes for joined.
    /// - Returns: The length of a period that ends now in which the client took a dead subscription for joined.
    mutating func measure(isOpen: Bool, believed: SubscriptionSet, at now: Instant) -> TimeSpan? {
        periods.update(dead: isOpen ? all.subtracting(joined) : .empty, believed: believed, at: now)
    }
}
