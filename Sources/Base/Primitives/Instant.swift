/// A point in simulated time, in nanoseconds since the start of the scenario. `.never` is later than every other
/// instant.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    // Computed, because a stored constant of another module is read behind a lock at every use.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }
    @inlinable public static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Returns the instant after the span. Saturates at `.never`, so a deadline beyond the end of time is never
    /// reached.
    @inlinable public static func + (a: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: (TimeSpan(nanoseconds: a.nanoseconds) + span).nanoseconds)
    }

    @inlinable public static func - (a: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: (TimeSpan(nanoseconds: a.nanoseconds) - span).nanoseconds)
    }

    @inlinable public static func - (a: Self, b: Self) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds) - TimeSpan(nanoseconds: b.nanoseconds)
    }

    @inlinable public static func += (a: inout Self, span: TimeSpan) { a = a + span }
}
