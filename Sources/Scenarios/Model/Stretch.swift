import DeadzonePrimitives
import DeadzoneSettings

/// A moment or a length that is the same for every phone, or of which each draws its own: `30s`, `{uniform: [30s, 2m]}`.
struct Stretch: Hashable {
    var least: TimeSpan
    /// So much more at most, all of it equally likely.
    var spread: TimeSpan

    init(_ least: TimeSpan, spread: TimeSpan = .zero) {
        self.least = least
        self.spread = spread
    }

    var greatest: TimeSpan { least + spread }

    /// Who walks through a timeline has to know by when a change has come, so nothing without a greatest value is one.
    static func form(in range: ClosedRange<TimeSpan>) -> Form<Stretch> {
        Form<Distribution>.bounded(.span, in: range.lowerBound.nanoseconds...range.upperBound.nanoseconds).map {
            switch $0.law {
            case .constant(let value): Stretch(.nanoseconds(value))
            case .uniform(let low, let high): Stretch(.nanoseconds(low), spread: .nanoseconds(high - low))
            case let law: preconditionFailure("\(law) has no greatest value")
            }
        } back: { stretch in
            stretch.spread == .zero
                ? .constant(stretch.least.nanoseconds)
                : .uniform(stretch.least.nanoseconds, stretch.greatest.nanoseconds)
        }
    }
}
