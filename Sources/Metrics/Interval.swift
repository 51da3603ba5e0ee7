/// Between these a metric's value lies in 95 % of the resamples.
public struct Interval: Hashable, Sendable {
    public var low: Figure
    public var high: Figure

    public init(low: Figure, high: Figure) {
        self.low = low
        self.high = high
    }

    /// No number belongs to both.
    public func isApart(from other: Self) -> Bool {
        Figure.isLower(high, other.low) || Figure.isLower(other.high, low)
    }
}

/// Of an interval, before they are rounded.
struct Ends {
    let low: Int128
    let high: Int128

    func interval(_ figure: (Int128?) -> Figure) -> Interval { Interval(low: figure(low), high: figure(high)) }
}

extension Figure {
    /// For certain: what never arrives is beyond every number, and nothing is beyond that. What is at least so much is above
    /// what is less, and may be above anything else.
    public static func isLower(_ a: Figure, _ b: Figure) -> Bool {
        switch (a, b) {
        case (.value(let a), .value(let b)), (.value(let a), .atLeast(let b)): a < b
        case (.value, _), (.atLeast, .never), (_, .nothing): a != .nothing
        default: false
        }
    }
}
