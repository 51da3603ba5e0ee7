/// The 95 % confidence interval of a metric: `Bootstrap` computes it from the replicas.
package struct Interval: Hashable, Sendable {
    package var low: Figure
    package var high: Figure

    package init(low: Figure, high: Figure) {
        self.low = low
        self.high = high
    }

    /// `true` if the two intervals do not overlap.
    package func isDisjoint(from other: Self) -> Bool {
        Figure.isLower(high, other.low) || Figure.isLower(other.high, low)
    }
}

/// The lower and upper end of a confidence interval, before rounding.
struct IntervalEnds {
    let low: Int128
    let high: Int128

    func interval(_ figure: (Int128?) -> Figure) -> Interval { Interval(low: figure(low), high: figure(high)) }
}

extension Figure {
    /// `true` if `a` is certainly lower than `b`. `never` is above every number, and `nothing` is above `never`. A
    /// lower bound (`atLeast`) is certainly above smaller numbers only.
    package static func isLower(_ a: Figure, _ b: Figure) -> Bool {
        switch (a, b) {
        case (.value(let a), .value(let b)), (.value(let a), .atLeast(let b)): a < b
        case (.value, _), (.atLeast, .never), (_, .nothing): a != .nothing
        default: false
        }
    }
}
