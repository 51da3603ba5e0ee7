package import DeadzoneBase

/// One change of conditions in a scenario's timeline, and when it occurs.
package struct TimelineEntry: Hashable, Sendable {
    /// Earliest instant at which the change occurs.
    package var at: Instant
    package var change: ConditionChange
    /// Rule that decides whether and when the change occurs on each phone; `nil` if it occurs on every phone at `at`.
    package var occurrence: OccurrenceRule?

    package init(at: Instant, _ change: ConditionChange, occurrence: OccurrenceRule? = nil) {
        self.at = at
        self.change = change
        self.occurrence = occurrence
    }

    /// Latest instant at which the change occurs on any phone.
    package var latest: Instant { occurrence.map { at + $0.extraDelay.spread + $0.extraLength.spread } ?? at }

    /// Returns the instant at which the change occurs on the phone with these dice; `nil` if it does not occur there.
    package func instant(_ dice: TimelineDice) -> Instant? {
        guard let occurrence else { return at }
        return occurrence.delay(dice).map { at + $0 }
    }
}

/// The random numbers that determine when timeline changes occur on one phone.
package struct TimelineDice: Sendable {
    fileprivate let own: Dice
    /// Random numbers that all phones of a replica share.
    fileprivate let common: Dice
    fileprivate let phone: PhoneID

    package init(seed: UInt64, phone: PhoneID) {
        self.phone = phone
        own = Dice(seed: seed, phone: phone, purpose: .changeTimes)
        common = Dice(seed: seed, phone: PhoneID(.max), purpose: .changeTimes)
    }
}

extension [TimelineEntry] {
    /// Maximum distance in the list between an entry and a later one that can occur before it, because of random
    /// delays.
    package var maxDisplacement: Int {
        var maxDisplacement = 0
        var open: [(index: Int, latest: Instant)] = []
        for (index, entry) in enumerated() {
            open.removeAll { $0.latest <= entry.at }
            maxDisplacement = Swift.max(maxDisplacement, open.first.map { index - $0.index } ?? 0)
            if entry.occurrence != nil { open.append((index, entry.latest)) }
        }
        return maxDisplacement
    }

    /// Returns the next change that occurs on a phone, and its instant; `nil` if there is none. Changes are ordered by
    /// the phone's own instants; at the same instant, by their position in the list.
    /// - Parameters:
    ///   - last: Index of the change that has just occurred, if any.
    ///   - maxDisplacement: `maxDisplacement` of this timeline.
    package func next(after last: Int?, at now: Instant, maxDisplacement: Int, _ dice: TimelineDice) -> (
        index: Int, at: Instant
    )? {
        var next: (index: Int, at: Instant)?
        for index in Swift.max((last ?? 0) - maxDisplacement, 0)..<count {
            if let next, next.at <= self[index].at { break }
            guard let instant = self[index].instant(dice) else { continue }
            if let last, (instant, index) <= (now, last) { continue }
            if next.map({ instant < $0.at }) ?? true { next = (index, instant) }
        }
        return next
    }
}

/// The rule by which a change occurs on each phone: whether, when, and how long its condition lasts.
///
/// This is weather (no client influences it): the phone's dice are addressed by an instant, so other timeline entries
/// do not affect them. Two changes that may occur in either order occur in the order of the phone's own instants.
package struct OccurrenceRule: Hashable, Sendable {
    /// Address of the random numbers. Entries with the same `drawnAt` have the same relative delay within their ranges,
    /// and occur on the same phones.
    package var drawnAt: Instant
    /// Random delay of the change. The excess over the range's minimum is added to the entry's earliest instant.
    package var extraDelay: SpanRange
    /// Random extension of the condition that this change ends. The excess over the range's minimum delays the change
    /// further. It uses separate random numbers.
    package var extraLength: SpanRange
    /// Probability that the change occurs on a phone.
    package var phones: Probability
    /// Sample of exactly the phones on which the change may occur; `nil` if only the probability decides.
    package var sampler: PhoneSampler?
    /// `true` if all affected phones of a replica use the same random numbers for delay and extension.
    package var isCommon: Bool

    package init(
        drawnAt: Instant, extraDelay: SpanRange = SpanRange(.zero), extraLength: SpanRange = SpanRange(.zero),
        phones: Probability = .one, sampler: PhoneSampler? = nil, isCommon: Bool = false
    ) {
        self.drawnAt = drawnAt
        self.extraDelay = extraDelay
        self.extraLength = extraLength
        self.phones = phones
        self.sampler = sampler
        self.isCommon = isCommon
    }

    fileprivate func delay(_ dice: TimelineDice) -> TimeSpan? {
        let slot = UInt64(drawnAt.nanoseconds)
        let (start, fate) = dice.own.pair(at: slot)
        guard phones.hits(fate) else { return nil }
        if let sampler, !sampler.samples(dice.phone, key: dice.common.pair(at: slot).1) { return nil }
        // Instants are not negative, so the second half of the addresses is free.
        let length = slot | 1 << 63
        guard isCommon else { return extra(extraDelay, start) + extra(extraLength, dice.own.at(length)) }
        return extra(extraDelay, dice.common.at(slot)) + extra(extraLength, dice.common.at(length))
    }

    private func extra(_ range: SpanRange, _ bits: UInt64) -> TimeSpan {
        // Drawing from a distribution costs more than this check.
        range.spread == .zero ? .zero : range.draw(bits) - range.least
    }
}
