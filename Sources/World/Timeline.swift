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

    /// By then it has come to every phone to which it comes.
    public var latest: Instant { chance.map { at + $0.late.spread + $0.longer.spread } ?? at }

    /// Nil: it does not come to the phone whose dice these are.
    public func moment(_ dice: Moments) -> Instant? {
        guard let chance else { return at }
        return chance.delay(dice).map { at + $0 }
    }
}

/// The dice by which changes come to a phone.
public struct Moments: Sendable {
    fileprivate let own: Dice
    /// Of what all phones of a replica meet together.
    fileprivate let common: Dice
    fileprivate let phone: PhoneID

    public init(seed: UInt64, phone: PhoneID) {
        self.phone = phone
        own = Dice(seed: seed, phone: phone, purpose: .moments)
        common = Dice(seed: seed, phone: PhoneID(.max), purpose: .moments)
    }
}

extension [TimelineEntry] {
    /// How many places an entry can come after one that stands behind it.
    public var reach: Int {
        var reach = 0
        var open: [(index: Int, latest: Instant)] = []
        for (index, entry) in enumerated() {
            open.removeAll { $0.latest <= entry.at }
            reach = Swift.max(reach, open.first.map { index - $0.index } ?? 0)
            if entry.chance != nil { open.append((index, entry.latest)) }
        }
        return reach
    }

    /// The next change that comes to a phone, and when: by its moments, and at one moment in the order of the list.
    /// - Parameters:
    ///   - last: the change that has just come, if any has.
    ///   - reach: of this timeline.
    public func next(after last: Int?, at now: Instant, reach: Int, _ dice: Moments) -> (index: Int, at: Instant)? {
        var next: (index: Int, at: Instant)?
        for index in Swift.max((last ?? 0) - reach, 0)..<count {
            if let next, next.at <= self[index].at { break }
            guard let moment = self[index].moment(dice) else { continue }
            if let last, (moment, index) <= (now, last) { continue }
            if next.map({ moment < $0.at }) ?? true { next = (index, moment) }
        }
        return next
    }
}

/// What differs from phone to phone: when a change comes, how long what it began lasts, and whether it comes at all. Weather:
/// dice of the phone, addressed by a moment, so that no other entry of a timeline moves them.
///
/// What may come in either order comes to each phone by its moments.
public struct Chance: Hashable, Sendable {
    /// Addresses the dice: entries with the same `drawnAt` are late by the same part of their `late`, and meet the same phones.
    public var drawnAt: Instant
    /// How much of it lies beyond its least comes on top of when the entry comes at the earliest.
    public var late: SpanRange
    /// So does what lies beyond the least of this, by dice of its own.
    public var longer: SpanRange
    /// How likely a phone is to meet it.
    public var phones: Probability
    /// Or which of them do; nil: whoever the chance hits.
    public var lot: Lot?
    /// All phones of a replica that meet it are late, and stay, by the same dice.
    public var isCommon: Bool

    public init(
        drawnAt: Instant, late: SpanRange = SpanRange(.zero), longer: SpanRange = SpanRange(.zero),
        phones: Probability = .one, lot: Lot? = nil, isCommon: Bool = false
    ) {
        self.drawnAt = drawnAt
        self.late = late
        self.longer = longer
        self.phones = phones
        self.lot = lot
        self.isCommon = isCommon
    }

    fileprivate func delay(_ dice: Moments) -> TimeSpan? {
        let slot = UInt64(drawnAt.nanoseconds)
        let (start, fate) = dice.own.pair(at: slot)
        guard phones.hits(fate) else { return nil }
        if let lot, !lot.draws(dice.phone, key: dice.common.pair(at: slot).1) { return nil }
        // Moments are not negative, so the second half of the slots is free.
        let length = slot | 1 << 63
        guard isCommon else { return part(late, start) + part(longer, dice.own.at(length)) }
        return part(late, dice.common.at(slot)) + part(longer, dice.common.at(length))
    }

    private func part(_ range: SpanRange, _ bits: UInt64) -> TimeSpan {
        // A law takes longer to draw from than to ask whether there is anything to draw.
        range.spread == .zero ? .zero : range.draw(bits) - range.least
    }
}
