public import DeadzonePrimitives

/// A moment in a capture, in nanoseconds since 1970. Seconds of pcapng can pass 10^13, which as nanoseconds no longer fit in
/// 64 bits; 128 bits hold every stamp of every format. Finer resolutions are cut to the nanosecond, towards the past.
public struct Stamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    public var nanoseconds: Int128

    @inlinable public init(nanoseconds: Int128) { self.nanoseconds = nanoseconds }

    @inlinable public init(seconds: Int64, nanoseconds: Int64 = 0) {
        self.nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    }

    /// Of files whose seconds have 32 bits: no arithmetic of more than 64 is needed then.
    @inline(__always) init(seconds: UInt32, fraction: UInt32, worth nanoseconds: Int64) {
        self.nanoseconds = Int128(Int64(seconds) &* 1_000_000_000 &+ Int64(fraction) &* nanoseconds)
    }

    public static let epoch = Stamp(nanoseconds: 0)

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Saturates: what is further apart than 292 years is `TimeSpan.longest` apart.
    @inlinable public static func - (a: Self, b: Self) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: a.nanoseconds &- b.nanoseconds))
    }

    @inlinable public static func + (a: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: a.nanoseconds &+ Int128(span.nanoseconds))
    }

    @inlinable public static func - (a: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: a.nanoseconds &- Int128(span.nanoseconds))
    }
}
