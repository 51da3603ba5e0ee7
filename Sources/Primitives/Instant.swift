/// A moment of simulated time, in nanoseconds since the scenario began. `.never` is later than every other instant.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    // Computed, since a stored constant of another room is looked up behind a lock at every use.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }
    @inlinable public static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Saturates at `.never`, so a deadline beyond the end of time is simply never reached.
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
