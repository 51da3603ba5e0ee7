public import DeadzonePrimitives

/// A moment or a length that is the same for every phone, or of which each draws its own by a law.
///
/// A law without ends (`exponential`, `normal`, …) is cut where one phone in two thousand would be on either side: whoever reads a
/// timeline can say by when a change has come.
public struct SpanRange: Hashable, Sendable {
    public let law: Distribution
    public let least: TimeSpan
    public let greatest: TimeSpan

    /// What a phone draws that is as early, and as late, as any.
    private static let cut = UInt64.max / 2_000

    public init(_ span: TimeSpan) {
        law = .constant(span.nanoseconds)
        (least, greatest) = (span, span)
    }

    /// What would lie below the bounds lies on them; nil: all of it may lie above.
    public init?(_ law: Distribution, in bounds: ClosedRange<TimeSpan>) {
        let (low, high) = (Self.nanoseconds(law, 0), Self.nanoseconds(law, .max))
        guard high <= bounds.upperBound.nanoseconds else { return nil }
        self.law = law
        least = max(.nanoseconds(low), bounds.lowerBound)
        greatest = max(.nanoseconds(high), bounds.lowerBound)
    }

    /// How far apart two phones can be.
    public var spread: TimeSpan { greatest - least }

    public func draw(_ bits: UInt64) -> TimeSpan { max(.nanoseconds(Self.nanoseconds(law, bits)), least) }

    private static func nanoseconds(_ law: Distribution, _ bits: UInt64) -> Int64 {
        switch law.law {
        case .constant, .uniform, .table: law.draw(bits)
        case .exponential, .normal, .logNormal, .pareto: law.draw(cut + bits.scaled(below: .max - 2 * cut))
        }
    }
}
