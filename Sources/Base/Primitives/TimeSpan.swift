/// A length of simulated time, in integer nanoseconds. Arithmetic saturates, so that a duration of a hundred years from
/// a user's file is a long time and never a trap. Saturation is rare, so the overflow branches of sums and differences
/// are marked as the slow path.
public struct TimeSpan: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var nanoseconds: Int64

    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static var zero: TimeSpan { TimeSpan(nanoseconds: 0) }
    @inlinable public static var longest: TimeSpan { TimeSpan(nanoseconds: .max) }

    @inlinable public static func nanoseconds(_ count: Int64) -> Self { Self(nanoseconds: count) }
    @inlinable public static func microseconds(_ count: Int64) -> Self { Self(nanoseconds: 1_000) * count }
    @inlinable public static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: 1_000_000) * count }
    @inlinable public static func seconds(_ count: Int64) -> Self { Self(nanoseconds: 1_000_000_000) * count }
    @inlinable public static func minutes(_ count: Int64) -> Self { seconds(60) * count }
    @inlinable public static func hours(_ count: Int64) -> Self { seconds(3_600) * count }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    @inlinable public static func + (a: Self, b: Self) -> Self {
        let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
        return Self(nanoseconds: _slowPath(overflow) ? (b.nanoseconds < 0 ? .min : .max) : sum)
    }

    @inlinable public static func - (a: Self, b: Self) -> Self {
        let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
        return Self(nanoseconds: _slowPath(overflow) ? (b.nanoseconds < 0 ? .max : .min) : difference)
    }

    @inlinable public static func * (a: Self, factor: Int64) -> Self {
        let (product, overflow) = a.nanoseconds.multipliedReportingOverflow(by: factor)
        return Self(nanoseconds: overflow ? ((a.nanoseconds < 0) == (factor < 0) ? .max : .min) : product)
    }

    @inlinable public static func / (a: Self, divisor: Int64) -> Self { Self(nanoseconds: a.nanoseconds / divisor) }

    @inlinable public static func += (a: inout Self, b: Self) { a = a + b }
    @inlinable public static func -= (a: inout Self, b: Self) { a = a - b }
}
