/// A bound on the value of a metric, such as `under 15s` or `at most 60% of naive`. Bounds and values are integers in
/// billionths of the metric's unit, so values that look equal are equal.
package struct Threshold: Hashable, Sendable {
    package enum Relation: String, Hashable, Sendable {
        case equal = "=="
        case below = "<"
        case atMost = "<="
        case above = ">"
        case atLeast = ">="
        /// Both ends are included.
        case between = "in"
    }

    package enum BoundValue: Hashable, Sendable {
        case value(Billionths)
        case range(Billionths, Billionths)
        /// A share of another strategy's value.
        case share(Billionths, of: String)
        /// A range around another strategy's value, as a share of it.
        case around(Billionths, of: String)
    }

    package let relation: Relation
    package let bound: BoundValue

    /// The numbers of an absolute bound; empty for relative bounds.
    package var numbers: [Billionths] {
        switch bound {
        case .value(let value): [value]
        case .range(let low, let high): [low, high]
        case .share, .around: []
        }
    }

    init(_ relation: Relation, _ bound: BoundValue) {
        self.relation = relation
        self.bound = bound
    }

    /// The strategy that the bound refers to. `nil` for a bound in plain numbers.
    package var reference: String? {
        switch bound {
        case .value, .range: nil
        case .share(_, let name), .around(_, let name): name
        }
    }

    /// The bound in numbers, given the value of the reference. `nil` if the reference has no number.
    package func resolved(reference: Figure?) -> ClosedRange<Billionths>? {
        switch bound {
        case .value(let value): return value...value
        case .range(let low, let high): return low...high
        case .share(let ratio, _):
            guard case .value(let base) = reference else { return nil }
            let value = base.times(ratio)
            return value...value
        case .around(let ratio, _):
            guard case .value(let base) = reference else { return nil }
            let reach = base.times(ratio)
            return Billionths(count: base.count - reach.count)...Billionths(count: base.count + reach.count)
        }
    }

    /// `true` if the value keeps the bound. A value without a number never keeps an upper bound. `never` exceeds every
    /// number, a lower bound (`atLeast`) has no known limit above, and `nothing` proves nothing.
    package func isKept(by figure: Figure, _ bounds: ClosedRange<Billionths>) -> Bool {
        switch (figure, relation) {
        case (.value(let value), .equal), (.value(let value), .between): bounds.contains(value)
        case (.value(let value), .below): value < bounds.lowerBound
        case (.value(let value), .atMost): value <= bounds.lowerBound
        case (.value(let value), .above): bounds.lowerBound < value
        case (.value(let value), .atLeast): bounds.lowerBound <= value
        case (.never, .above), (.never, .atLeast): true
        case (.atLeast(let value), .above): bounds.lowerBound < value
        case (.atLeast(let value), .atLeast): bounds.lowerBound <= value
        default: false
        }
    }
}

extension Billionths {
    /// The product, rounded to the nearest billionth. Since users may write any percentage, an overflow gives the
    /// largest number.
    func times(_ ratio: Billionths) -> Billionths {
        let (product, overflow) = count.multipliedReportingOverflow(by: ratio.count)
        return Billionths(count: overflow ? .max / 2 : product / 1_000_000_000 + product % 1_000_000_000 / 500_000_000)
    }
}
