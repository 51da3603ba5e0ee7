public import DeadzoneMetrics

/// A bound that a metric has to keep. Bounds and values are integers of a billionth of the metric's unit, so what looks equal
/// is equal.
public struct Threshold: Hashable, Sendable {
    public enum Relation: String, Hashable, Sendable {
        case equal = "=="
        case below = "<"
        case atMost = "<="
        case above = ">"
        case atLeast = ">="
        /// Both ends belong to it.
        case between = "in"
    }

    public enum Bound: Hashable, Sendable {
        case value(Billionths)
        case range(Billionths, Billionths)
        /// So much of what another strategy came to.
        case share(Billionths, of: String)
        /// No further from what another strategy came to than this share of it.
        case around(Billionths, of: String)
    }

    public let relation: Relation
    public let bound: Bound

    init(_ relation: Relation, _ bound: Bound) {
        self.relation = relation
        self.bound = bound
    }

    /// The strategy that the bound is measured by.
    public var reference: String? {
        switch bound {
        case .value, .range: nil
        case .share(_, let name), .around(_, let name): name
        }
    }

    /// The bound in numbers, once it is known what the reference came to; nil if that came to no number.
    func resolved(reference: Figure?) -> ClosedRange<Billionths>? {
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

    /// No number keeps no bound that ends above: what never arrives exceeds all of them, of what is still waited for nobody knows
    /// how much more it will be, and what was not measured proves nothing.
    func isKept(by figure: Figure, _ bounds: ClosedRange<Billionths>) -> Bool {
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
    /// The product, rounded to the nearest billionth. A user may write any percentage: beyond every number is the largest.
    func times(_ ratio: Billionths) -> Billionths {
        let (product, overflow) = count.multipliedReportingOverflow(by: ratio.count)
        return Billionths(count: overflow ? .max / 2 : product / 1_000_000_000 + product % 1_000_000_000 / 500_000_000)
    }
}
