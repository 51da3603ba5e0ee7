extension Distribution {
    /// Draws a value from 64 random bits. Inverts the distribution function at (bits + 1/2) / 2^64, to within one unit
    /// of the last bit. The result never decreases as `bits` increases. So the same bits give values of the same rank
    /// in two distributions, and comparisons stay paired.
    ///
    /// Accuracy before rounding: exponential, mean × 2^-52; normal, deviation × 2^-44. Log-normal and Pareto are
    /// relative: those bounds times sigma and 1 / shape, plus 2^-55. Uniform: bias below width / 2^64.
    @inlinable public func draw(_ bits: UInt64) -> Int64 {
        switch kind {
        case .constant: first
        case .uniform: first &+ Int64(bitPattern: offset(bits))
        case .exponential, .normal, .logNormal, .pareto, .table: inverse(bits)
        }
    }

    /// Returns the distance of a uniform draw from the lowest value.
    @inlinable func offset(_ bits: UInt64) -> UInt64 {
        let width = UInt64(bitPattern: second &- first)
        return width == .max ? bits : bits.scaled(below: width + 1)
    }

    /// Draws a value by the inverse distribution function, for every type of distribution except `constant` and
    /// `uniform`.
    @usableFromInline func inverse(_ bits: UInt64) -> Int64 {
        // The middle of a cell of width 2^-63: neither 0 nor 1, and mirrored by the complement of the bits.
        let below = bits | 1
        let above = ~bits | 1
        switch kind {
        case .constant, .uniform: return draw(bits)
        case .exponential: return FixedPoint.minusLog(of: above).scaled(by: first)
        case .normal: return FixedPoint.normalQuantile(of: below).scaled(by: second, plus: first)
        case .logNormal:
            let log = FixedPoint.normalQuantile(of: below).times(UInt64(second), over: 1_000_000)
            return log.exponential(times: first)
        case .pareto:
            let log = FixedPoint.minusLog(of: above).times(1_000_000, over: UInt64(second))
            return log.exponential(times: first)
        case .table: return quantiles.value(at: bits >> 1)
        }
    }
}
