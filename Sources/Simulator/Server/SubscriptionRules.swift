package import DeadzoneBase

/// Faults of subscriptions that share a connection: the server's program ends one while the connection lives, or does
/// not join it. A fault depends only on the phone, the time and the number of the request, so two strategies meet the
/// same faults.
package struct SubscriptionRules: Hashable, Sendable {
    /// Mean time between two ends of one of the phone's subscriptions, each drawn at random; `nil` ends none.
    package var endsEvery: TimeSpan?
    /// Share of these ends of which the server tells the client nothing.
    package var silent = Probability.zero
    /// Share of requests to join that are refused.
    package var refused = Probability.zero
    /// Share of requests to join that the server does not answer.
    package var unanswered = Probability.zero

    package init() {}

    enum JoinOutcome: Hashable, Sendable {
        case joined, refused, unanswered
    }

    /// First address of the random numbers; beyond those of calls, sessions, tokens and messages.
    private static let diceBase: UInt64 = 1 << 43
    private static let joinBase: UInt64 = 1 << 44

    func outcome(of number: UInt8, attempt: UInt8, _ dice: Dice) -> JoinOutcome {
        let words = dice.pair(at: Self.joinBase + UInt64(number) << 8 + UInt64(attempt))
        if refused.hits(words.0) { return .refused }
        return unanswered.hits(words.1) ? .unanswered : .joined
    }

    /// Time from the end before to the end with this index, counted from 0.
    func wait(beforeEnd index: UInt32, _ dice: Dice) -> TimeSpan? {
        endsEvery.map {
            .nanoseconds(
                max(Distribution.exponential(mean: $0.nanoseconds).draw(dice.pair(at: Self.address(index)).0), 1))
        }
    }

    /// The subscription that ends, and whether the client is told.
    func end(_ index: UInt32, of count: UInt8, _ dice: Dice) -> (number: UInt8, isSilent: Bool) {
        let number = UInt8(dice.pair(at: Self.address(index)).1.scaled(below: UInt64(max(count, 1))))
        return (number, silent.hits(dice.pair(at: Self.address(index) + 1).0))
    }

    private static func address(_ index: UInt32) -> UInt64 { diceBase + UInt64(index) * 2 }
}

/// An end of subscriptions that a scenario's timeline contains.
package struct SubscriptionEnd: Hashable, Sendable {
    /// `true` if the server tells the client nothing.
    package var isSilent: Bool
    /// Number of subscriptions that end, from the first one on.
    package var count: UInt8

    package init(isSilent: Bool, count: UInt8) {
        self.isSilent = isSilent
        self.count = count
    }
}
