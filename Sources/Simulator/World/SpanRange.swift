package import DeadzoneBase

/// A time span that is the same for every phone, or that each phone draws from a distribution.
///
/// An unbounded distribution (`exponential`, `normal`, …) is truncated where one phone in two thousand would lie on
/// either side. A reader of a timeline can therefore tell by when a change has taken effect.
package struct SpanRange: Hashable, Sendable {
    package let law: Distribution
    package let least: TimeSpan
    package let greatest: TimeSpan

    /// Number of 64-bit random values at each end that an unbounded distribution does not use: one in two thousand.
    private static let cut = UInt64.max / 2_000

    package init(_ span: TimeSpan) {
        law = .constant(span.nanoseconds)
        (least, greatest) = (span, span)
    }

    /// Creates a span that each phone draws from a distribution. Values below the bounds are raised to the lower bound.
    /// Returns `nil` if the greatest value exceeds the upper bound.
    package init?(_ law: Distribution, in bounds: ClosedRange<TimeSpan>) {
        let (low, high) = (Self.nanoseconds(law, 0), Self.nanoseconds(law, .max))
        guard high <= bounds.upperBound.nanoseconds else { return nil }
        self.law = law
        least = max(.nanoseconds(low), bounds.lowerBound)
        greatest = max(.nanoseconds(high), bounds.lowerBound)
    }

    /// Difference between the longest and the shortest possible span.
    package var spread: TimeSpan { greatest - least }

    package func draw(_ bits: UInt64) -> TimeSpan { max(.nanoseconds(Self.nanoseconds(law, bits)), least) }

    private static func nanoseconds(_ law: Distribution, _ bits: UInt64) -> Int64 {
        switch law.law {
        case .constant, .uniform, .table: law.draw(bits)
        case .exponential, .normal, .logNormal, .pareto: law.draw(cut + bits.scaled(below: .max - 2 * cut))
        }
    }
}
