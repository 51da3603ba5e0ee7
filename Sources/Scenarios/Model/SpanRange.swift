import DeadzonePrimitives
import DeadzoneSettings

/// A moment or a length that is the same for every phone, or of which each draws its own: `30s`, `{uniform: [30s, 2m]}`.
struct SpanRange: Hashable {
    var least: TimeSpan
    /// So much more at most, all of it equally likely.
    var spread: TimeSpan

    init(_ least: TimeSpan, spread: TimeSpan = .zero) {
        self.least = least
        self.spread = spread
    }

    var greatest: TimeSpan { least + spread }

    /// Who walks through a timeline has to know by when a change has come, so nothing without a greatest value is one.
    static func form(in range: ClosedRange<TimeSpan>) -> Form<SpanRange> {
        Form<Distribution>.bounded(.span, in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds).map {
            switch $0.law {
            case .constant(let value): SpanRange(.nanoseconds(value))
            case .uniform(let low, let high): SpanRange(.nanoseconds(low), spread: .nanoseconds(high - low))
            case let law: preconditionFailure("\(law) has no greatest value")
            }
        } back: { range in
            range.spread == .zero
                ? .constant(range.least.nanoseconds)
                : .uniform(range.least.nanoseconds, range.greatest.nanoseconds)
        }
    }
}
