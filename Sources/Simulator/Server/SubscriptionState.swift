package import DeadzoneBase
package import DeadzoneClient

/// The subscriptions of one phone: which ones the server's program serves, which ones the client takes for joined, and
/// what both still have to send. Only phones with `streams` at both ends have it.
///
/// The server's messages belong to the subscriptions in turn. A message of a subscription that the server does not serve
/// is left out; no history keeps it for this subscription alone.
package struct SubscriptionState: BitwiseCopyable {
    /// Subscriptions that the server's program serves on the present connection.
    package internal(set) var joined = SubscriptionSet.empty
    /// Subscriptions that the client takes for joined.
    package var believed = SubscriptionSet.empty
    /// Subscriptions that the client has ever asked to join.
    package var asked = SubscriptionSet.empty
    /// Requests of the client that its send queue has not taken yet, and the slot of their connection.
    package var pendingJoins = SubscriptionSet.empty
    package var joinSlot: UInt8 = 0
    /// Frames of the server that its send queue has not taken yet.
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

    private var measuredAt = Instant.zero
    private var outCount: UInt8 = 0
    private var deafSince = Instant.never
    /// Time in which subscriptions were not joined on an open connection, as a sum over the subscriptions.
    package private(set) var outTime = TimeSpan.zero

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

    package mutating func forgetSkipped() { (skippedFrom, skippedEnd) = (0, 0) }

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
    /// - Returns: The length of a deaf period that ends now; otherwise `nil`.
    package mutating func measure(isOpen: Bool, at now: Instant) -> TimeSpan? {
        outTime = outTime + (now - measuredAt) * Int64(outCount)
        measuredAt = now
        let dead = isOpen ? all.subtracting(joined) : .empty
        outCount = UInt8(dead.count)
        let isDeaf = !dead.intersection(believed).isEmpty
        guard isDeaf != (deafSince != .never) else { return nil }
        let since = deafSince
        deafSince = isDeaf ? now : .never
        // A new connection joins its subscriptions at the instant at which it opens.
        return isDeaf || since == now ? nil : now - since
    }
}
