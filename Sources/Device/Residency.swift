public import DeadzonePrimitives

/// A period that just ended: so long at this level, for this cause.
public struct Residency: Hashable, Sendable, BitwiseCopyable {
    // In this order, so that `Carried`, which has a flag beside it, is four words.
    public var span: TimeSpan
    /// In a tail: every cause whose data kept the radio connected since its promotion. Empty elsewhere.
    public var sharers: CauseSet
    public var level: PowerLevel
    /// The cause of the latest data before the period, or of the promotion; `.baseline` while idle.
    public var cause: Cause
    /// No bit flows.
    public var isSilent: Bool

    public init(
        level: PowerLevel, cause: Cause, sharers: CauseSet = [], isSilent: Bool = false, span: TimeSpan
    ) {
        self.level = level
        self.cause = cause
        self.sharers = sharers
        self.isSilent = isSilent
        self.span = span
    }
}

/// Who pays for a tail.
public enum TailAttribution: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    /// The cause of the last data before it: a later packet takes over what is left of it.
    case latest
    /// Every cause that had data on the air since the promotion, alike.
    case equalShares
}

extension Residency {
    /// Calls the body with each payer and its time. The times add up to the span to the nanosecond: what does not divide
    /// goes, one nanosecond each, to the causes that come first.
    @inlinable public func forEachShare(
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

/// A set of causes in one word, which has more bits than there are causes, ordered by raw value.
public struct CauseSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public var rawValue: UInt32

    @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
    @inlinable public init(_ cause: Cause) { rawValue = 1 &<< UInt32(cause.rawValue) }

    @inlinable public var count: Int { rawValue.nonzeroBitCount }

    @inlinable public mutating func popFirst() -> Cause? {
        guard rawValue != 0 else { return nil }
        let lowest = UInt8(truncatingIfNeeded: rawValue.trailingZeroBitCount)
        rawValue &= rawValue &- 1
        return Cause(rawValue: lowest)
    }
}
