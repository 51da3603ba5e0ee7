/// A metric's value as an integer in billionths of its unit. It is rounded once, half up. It is converted to the
/// nearest double only at the end, for comparing or printing.
package struct Billionths: Hashable, Comparable, Sendable {
    package let count: Int128

    package init(count: Int128) { self.count = count }

    /// `numerator` · `factor` / `denominator`, none of them negative. `nil` if the denominator is zero or the result
    /// does not fit.
    init?(_ numerator: Int128, times factor: Int128 = 1, over denominator: Int128) {
        precondition(
            numerator >= 0 && factor >= 0 && denominator >= 0, "\(numerator) · \(factor) / \(denominator) is negative")
        // Nearly always everything fits into 64-bit words.
        if let numerator = UInt64(exactly: numerator), let denominator = UInt64(exactly: denominator), denominator > 0,
            let factor = UInt64(exactly: factor), factor <= UInt64.max / 1_000_000_000
        {
            var product = numerator.multipliedFullWidth(by: factor * 1_000_000_000)
            let (low, carry) = product.low.addingReportingOverflow(denominator / 2)
            product = (product.high + (carry ? 1 : 0), low)
            if product.high < denominator {
                count = Int128(denominator.dividingFullWidth(product).quotient)
                return
            }
        }
        let (scaled, overflow) = factor.magnitude.multipliedReportingOverflow(by: 1_000_000_000)
        guard denominator > 0 && !overflow else { return nil }
        var product = numerator.magnitude.multipliedFullWidth(by: scaled)
        let (low, carry) = product.low.addingReportingOverflow(denominator.magnitude / 2)
        product = (product.high + (carry ? 1 : 0), low)
        guard product.high < denominator.magnitude else { return nil }
        guard let count = Int128(exactly: denominator.magnitude.dividingFullWidth(product).quotient) else { return nil }
        self.count = count
    }

    package static let zero = Billionths(count: 0)

    package var double: Double { Double(count) / 1e9 }

    package static func < (a: Self, b: Self) -> Bool { a.count < b.count }
}

/// The value of a metric: a number, a lower bound, never reached, or nothing measured. Only `value` can satisfy an
/// upper bound. Reports print `never` and `nothing` as null.
package enum Figure: Hashable, Sendable {
    case value(Billionths)
    /// The quantile falls among samples that still wait: a lower bound without a known upper bound.
    case atLeast(Billionths)
    /// The quantile falls among samples that never arrived.
    case never
    /// There was nothing to measure.
    case nothing

    package var double: Double? {
        if case .value(let billionths) = self { billionths.double } else { nil }
    }
}
