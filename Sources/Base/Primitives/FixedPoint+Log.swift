extension FixedPoint {
    /// Returns -ln(word / 2^64) for a word that is not zero. Error below 2^-52: the argument is truncated to 54
    /// significant bits (2^-53), and the evaluation adds less than 2^-55. The result never increases with the word.
    ///
    /// Table-driven reduction as in Tang, "Table-driven implementation of the logarithm function in IEEE floating-point
    /// arithmetic" (ACM TOMS 16, 1990): the mantissa m, from 1 up to 2, times a tabulated reciprocal r is 1 + x with
    /// |x| < 2^-7.8, and -ln(m / 2) = ln 2r - ln(1 + x).
    package static func minusLog(of word: UInt64) -> FixedPoint {
        precondition(word != 0, "0 has no logarithm")
        let zeros = word.leadingZeroBitCount
        let mantissa = (word << UInt64(truncatingIfNeeded: zeros)) >> 10
        let segment = Int(truncatingIfNeeded: mantissa >> 46 & 127)
        // 54 bits times at most 10 bits, in units of 2^-63: exact.
        let x = Int64(bitPattern: mantissa &* FixedPointTables.reciprocals[segment]) &- Int64.min
        let octaves = UInt64(truncatingIfNeeded: zeros).multipliedFullWidth(by: FixedPointTables.log2)
        let whole = Int64(bitPattern: octaves.high << 57 | octaves.low >> 7)
        return FixedPoint(units: whole &+ FixedPointTables.logs[segment] &- (logOfOnePlus(x) &+ 32) >> 6)
    }

    /// Returns ln(1 + x) in units of 2^-63, for |x| < 2^-7.8: the series up to x^6. The next term is below 2^-57.9.
    @inline(__always) private static func logOfOnePlus(_ x: Int64) -> Int64 {
        let half = Int64.max / 2, third = Int64.max / 3, quarter = Int64.max / 4
        let fifth = Int64.max / 5, sixth = Int64.max / 6
        let square = x.fraction(times: x)
        let low = half &- third.fraction(times: x)
        let high = quarter &- fifth.fraction(times: x) &+ sixth.fraction(times: square)
        return x &- square.fraction(times: low &+ square.fraction(times: high))
    }
}
