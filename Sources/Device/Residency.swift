package import DeadzoneBase

/// A period that a radio spent at one power level for one cause.
package struct Residency: Hashable, Sendable, BitwiseCopyable {
    // The order of the fields makes `BurstOutcome`, which has a flag beside a residency, four words long.
    package var span: TimeSpan
    /// The causes that share a tail: every cause with data that kept the radio connected since its promotion. Empty
    /// outside a tail.
    package var sharers: CauseSet
    package var level: PowerLevel
    /// Cause of the latest data before the period, or of the promotion (wake-up); `.baseline` while idle.
    package var cause: Cause
    /// `true` if the period is part of a tail, in which no bit flows.
    package var isSilent: Bool

    package init(
        level: PowerLevel, cause: Cause, sharers: CauseSet = [], isSilent: Bool = false, span: TimeSpan
    ) {
        self.level = level
        self.cause = cause
        self.sharers = sharers
        self.isSilent = isSilent
        self.span = span
    }
}

/// The rule by which the time of a tail is charged to causes.
package enum TailAttribution: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// Charges the cause of the last data before the tail. A later packet takes over the rest of the tail.
    case latest
    /// Charges every cause with data on the air since the promotion, in equal parts.
    case equalShares
}

extension Residency {
    /// Calls the body with each cause that is charged for the period, and its part of the time. The parts add up to the
    /// span to the nanosecond: each nanosecond of the remainder goes to one of the first causes.
    package func forEachShare(
        _ attribution: TailAttribution, _ body: (_ cause: Cause, _ span: TimeSpan) -> Void
    ) {
        guard attribution == .equalShares, !sharers.isEmpty else { return body(cause, span) }
        let count = Int64(sharers.count)
        let (share, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: count)
        var remaining = sharers
        for index in 0..<count {
            guard let payer = remaining.popFirst() else { return }
            body(payer, .nanoseconds(share + (index < rest ? 1 : 0)))
        }
    }
}

/// A set of causes, stored as bits in one word and ordered by raw value. The word has more bits than there are causes.
package struct CauseSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package init(_ cause: Cause) { rawValue = 1 &<< UInt32(cause.rawValue) }

    package var count: Int { rawValue.nonzeroBitCount }

    package mutating func popFirst() -> Cause? {
        guard rawValue != 0 else { return nil }
        let lowest = UInt8(truncatingIfNeeded: rawValue.trailingZeroBitCount)
        rawValue &= rawValue &- 1
        return Cause(rawValue: lowest)
    }
}
