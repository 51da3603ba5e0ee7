/// A number of one replica as statistics see it: so many billionths of its unit, or what never arrives, which is beyond every
/// number. Whole, so that equal differences are equal and ties are ties.
public enum Sample {
    public static let never = Int128.max

    /// `new − old`. Two that never arrive do not differ; one is infinitely far from every number.
    public static func difference(_ new: Int128, _ old: Int128) -> Int128 {
        if new == old { return 0 }
        if new == never { return never }
        if old == never { return -never }
        let (difference, overflow) = new.subtractingReportingOverflow(old)
        return overflow ? (new > old ? never : -never) : difference
    }

    static func isInfinite(_ number: Int128) -> Bool { number == never || number == -never }

    /// Half the sum, rounded away from zero; nil between the two infinities.
    static func middle(_ a: Int128, _ b: Int128) -> Int128? {
        if a == b { return a }
        switch (isInfinite(a), isInfinite(b)) {
        case (true, true): return nil
        case (true, false): return a
        case (false, true): return b
        case (false, false):
            let (sum, overflow) = a.addingReportingOverflow(b)
            return overflow ? nil : (sum + sum.signum()) / 2
        }
    }

    static func median(ofSorted numbers: [Int128]) -> Int128? {
        guard !numbers.isEmpty else { return nil }
        return middle(numbers[(numbers.count - 1) / 2], numbers[numbers.count / 2])
    }
}
