package import DeadzoneBase

/// A point in time in a capture, in nanoseconds since 1970.
///
/// Seconds in pcapng can exceed 10^13, which as nanoseconds do not fit into 64 bits; 128 bits hold every timestamp of
/// every format. Finer resolutions are truncated to nanoseconds, towards the past.
package struct Timestamp: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: Int128

    package init(nanoseconds: Int128) { self.nanoseconds = nanoseconds }

    package init(seconds: Int64, nanoseconds: Int64 = 0) {
        self.nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(nanoseconds)
    }

    /// For formats with 32-bit seconds, where 64-bit arithmetic is sufficient.
    @inline(__always) init(seconds: UInt32, fraction: UInt32, worth nanoseconds: Int64) {
        self.nanoseconds = Int128(Int64(seconds) &* 1_000_000_000 &+ Int64(fraction) &* nanoseconds)
    }

    package static let epoch = Timestamp(nanoseconds: 0)

    package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Saturates at `TimeSpan.longest` for timestamps more than 292 years apart.
    package static func - (a: Self, b: Self) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(clamping: a.nanoseconds &- b.nanoseconds))
    }

    package static func + (a: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: a.nanoseconds &+ Int128(span.nanoseconds))
    }

    package static func - (a: Self, span: TimeSpan) -> Self {
        Self(nanoseconds: a.nanoseconds &- Int128(span.nanoseconds))
    }
}
