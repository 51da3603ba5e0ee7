/// Arithmetic for statistical tests on the values of a metric in replicas. A value is an `Int128`: billionths of the
/// metric's unit, or `never`, which is above every number. With integers, equal differences are equal and ties are
/// exact.
package enum ReplicaValue {
    package static let never = Int128.max

    /// Returns `new − old`. Two values that never arrive do not differ; one is infinitely far from every number.
    package static func difference(_ new: Int128, _ old: Int128) -> Int128 {
        if new == old { return 0 }
        if new == never { return never }
        if old == never { return -never }
        let (difference, overflow) = new.subtractingReportingOverflow(old)
        return overflow ? (new > old ? never : -never) : difference
    }

    /// Sample variance. `nil` for fewer than two values.
    static func variance(_ numbers: [Int128]) -> Double? {
        guard numbers.count > 1 else { return nil }
        let mean = numbers.reduce(0) { $0 + Double($1) } / Double(numbers.count)
        return numbers.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(numbers.count - 1)
    }

    /// Mean, rounded away from zero. `nil` if a value never arrives, or if there are no values.
    package static func mean(_ numbers: [Int128]) -> Int128? {
        guard !numbers.isEmpty, !numbers.contains(where: { $0.magnitude == never.magnitude }) else { return nil }
        var sum: Int128 = 0
        for number in numbers {
            let (next, overflow) = sum.addingReportingOverflow(number)
            if overflow { return nil }
            sum = next
        }
        let count = Int128(numbers.count)
        let (quotient, rest) = sum.quotientAndRemainder(dividingBy: count)
        return rest == 0 ? quotient : quotient + sum.signum()
    }
}
