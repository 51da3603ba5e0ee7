/// A number of one replica as statistics see it: so many billionths of its unit, or what never arrives, which is beyond every
/// number. Whole, so that equal differences are equal and ties are ties.
public enum ReplicaValue {
    public static let never = Int128.max

    /// `new − old`. Two that never arrive do not differ; one is infinitely far from every number.
    public static func difference(_ new: Int128, _ old: Int128) -> Int128 {
        if new == old { return 0 }
        if new == never { return never }
        if old == never { return -never }
        let (difference, overflow) = new.subtractingReportingOverflow(old)
        return overflow ? (new > old ? never : -never) : difference
    }

    /// Rounded away from zero; nil where one of them never arrives, or there is none.
    static func mean(_ numbers: [Int128]) -> Int128? {
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
