extension FixedPoint {
    /// e raised to this number, as `mantissa` × 2^(`exponent` - 63), with the mantissa from 2^63 up to 2^64. Relative
    /// error below 2^-55: the conversion to base 2 truncates the argument to 2^-55 (2^-55.5), and the evaluation adds
    /// less than 2^-56.5. The result never decreases as the argument increases.
    ///
    /// Table-driven as in Tang, "Table-driven implementation of the exponential function in IEEE floating-point
    /// arithmetic" (ACM TOMS 15, 1989): 2^f = 2^(j / 64) e^h with 0 ≤ h < ln 2 / 64 = 2^-6.5.
    package var exponential: (mantissa: UInt64, exponent: Int) {
        // In units of 2^-55, at most 92.4 in size.
        let binary = units.multipliedFullWidth(by: FixedPointTables.log2OfE).high
        let step = Int(truncatingIfNeeded: binary >> 49 & 63)
        let rest = (UInt64(bitPattern: binary) << 15) >> 6
        let base = FixedPointTables.powers[step]
        let mantissa = base &+ base.fraction(Self.exponentialMinusOne(rest.fraction(FixedPointTables.log2)))
        return (mantissa, Int(truncatingIfNeeded: binary >> 55))
    }

    /// Returns e^h - 1 in units of 2^-64, for 0 ≤ h < 2^-6.5: the series up to h^6. The next term is below 2^-57.9.
    @inline(__always) private static func exponentialMinusOne(_ h: UInt64) -> UInt64 {
        let square = h.fraction(h)
        let low = UInt64.max / 2 &+ h.fraction(.max / 6)
        let high = UInt64.max / 24 &+ h.fraction(.max / 120) &+ square.fraction(.max / 720)
        return h &+ square.fraction(low &+ square.fraction(high))
    }

    /// Returns `scale` times e raised to this number, rounded to the nearest integer, saturating. The scale must not be
    /// negative.
    func exponential(times scale: Int64) -> Int64 {
        let (mantissa, exponent) = exponential
        let (high, low) = scale.magnitude.multipliedFullWidth(by: mantissa)
        // product × 2^-shift, where the product is below 2^127: a shift of more than 127 leaves nothing.
        let product = UInt128(high) << 64 | UInt128(low)
        let shift = 63 - exponent
        guard shift > 0 else { return product == 0 ? 0 : .max }
        guard shift < 128 else { return 0 }
        return Int64(clamping: (product + 1 << (shift - 1)) >> shift)
    }
}
