extension Distribution {
    /// The inverse of the distribution function at (bits + 1/2) / 2^64, to within one of the last bit: the more bits, the more
    /// comes out, never less. So one die gives two distributions the same luck, and comparisons stay paired.
    ///
    /// Accuracy before rounding: exponential, mean × 2^-52; normal, deviation × 2^-44; log-normal and Pareto, relative, those
    /// bounds times sigma and 1 / shape, and 2^-55 beside; uniform, bias below width / 2^64.
    public func draw(_ bits: UInt64) -> Int64 {
        // The middle of its cell of 2^-63: neither 0 nor 1, and mirrored by the complement of the bits.
        let below = bits | 1
        let above = ~bits | 1
        switch law {
        case .constant(let value):
            return value
        case .uniform(let lowest, let highest):
            let width = UInt64(bitPattern: highest &- lowest)
            let offset = width == .max ? bits : bits.scaled(below: width + 1)
            return lowest &+ Int64(bitPattern: offset)
        case .exponential(let mean):
            return FixedPoint.minusLog(of: above).scaled(by: mean)
        case .normal(let mean, let deviation):
            return FixedPoint.normalQuantile(of: below).scaled(by: deviation, plus: mean)
        case .logNormal(let median, let sigmaPPM):
            let log = FixedPoint.normalQuantile(of: below).times(UInt64(sigmaPPM), over: 1_000_000)
            return log.exponential(times: median)
        case .pareto(let scale, let shapePPM):
            let log = FixedPoint.minusLog(of: above).times(1_000_000, over: UInt64(shapePPM))
            return log.exponential(times: scale)
        case .table(let quantiles):
            return quantiles.value(at: bits >> 1)
        }
    }
}
