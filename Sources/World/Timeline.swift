public import DeadzonePrimitives

public struct TimelineEntry: Hashable, Sendable {
    /// At the earliest.
    public var at: Instant
    public var change: Change
    /// Nil: it comes to every phone, and at `at`.
    public var chance: Chance?

    public init(at: Instant, _ change: Change, chance: Chance? = nil) {
        self.at = at
        self.change = change
        self.chance = chance
    }

    /// Nil: it does not come to the phone whose dice these are.
    public func moment(_ dice: Dice) -> Instant? {
        guard let chance else { return at }
        return chance.delay(dice).map { at + $0 }
    }
}

/// What differs from phone to phone: when a change comes, how long what it began lasts, and whether it comes at all. Weather:
/// dice of the phone, addressed by a moment, so that no other entry of a timeline moves them.
///
/// The moments of two entries by different dice never overlap, so every phone meets the entries in their order.
public struct Chance: Hashable, Sendable {
    /// Addresses the dice: entries with the same `drawnAt` are late by the same part of their `late`, and meet the same phones.
    public var drawnAt: Instant
    /// So much later at most.
    public var late: TimeSpan
    /// So much more after that at most, by dice of its own.
    public var longer: TimeSpan
    /// How likely a phone is to meet it.
    public var phones: Probability

    public init(drawnAt: Instant, late: TimeSpan = .zero, longer: TimeSpan = .zero, phones: Probability = .one) {
        self.drawnAt = drawnAt
        self.late = late
        self.longer = longer
        self.phones = phones
    }

    fileprivate func delay(_ dice: Dice) -> TimeSpan? {
        let slot = UInt64(drawnAt.nanoseconds)
        let (start, fate) = dice.pair(at: slot)
        guard phones.hits(fate) else { return nil }
        // Moments are not negative, so the second half of the slots is free.
        let length = dice.at(slot | 1 << 63)
        return Self.part(of: late, start) + Self.part(of: longer, length)
    }

    /// Both ends belong to it.
    private static func part(of span: TimeSpan, _ bits: UInt64) -> TimeSpan {
        .nanoseconds(Int64(bits.scaled(below: UInt64(span.nanoseconds) + 1)))
    }
}
