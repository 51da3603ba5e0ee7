/// A real number from -64 up to 64 in fixed-point form: an integer count of 2^-57. The range includes 64 ln 2 = 44.4,
/// the largest logarithm of a 64-bit word. Every operation is integer arithmetic, so the bits are identical on every
/// machine.
///
/// Each transcendental function documents its error. Each is also monotone: its argument is first truncated to few
/// enough bits that neighbouring exact results differ by more than twice the error of the evaluation.
@usableFromInline package struct FixedPoint: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The number as an integer, in units of 2^-57.
    @usableFromInline package let units: Int64

    @inlinable package init(units: Int64) { self.units = units }

    static let fractionBits: Int64 = 57

    @inlinable package static func < (a: Self, b: Self) -> Bool { a.units < b.units }

    /// Returns `offset + factor × self`, rounded to the nearest integer, saturating.
    func scaled(by factor: Int64, plus offset: Int64 = 0) -> Int64 {
        let product = Int128(units) * Int128(factor) + 1 << (Self.fractionBits - 1)
        return Int64(clamping: Int128(offset) + product >> Self.fractionBits)
    }

    /// Returns `self × numerator / denominator`, rounded towards zero, saturating. Uses one hardware division instead
    /// of a 128-bit division.
    func times(_ numerator: UInt64, over denominator: UInt64) -> FixedPoint {
        let product = units.magnitude.multipliedFullWidth(by: numerator)
        guard product.high < denominator else { return FixedPoint(units: units < 0 ? .min : .max) }
        let quotient = Int64(clamping: denominator.dividingFullWidth(product).quotient)
        return FixedPoint(units: units < 0 ? -quotient : quotient)
    }
}

extension Int64 {
    /// Multiplies two fractions. The inputs and the result are in units of 2^-63. The result is at most two units too
    /// small.
    @inline(__always) func fraction(times other: Int64) -> Int64 { multipliedFullWidth(by: other).high << 1 }
}

extension UInt64 {
    /// Returns this integer times a fraction in units of 2^-64. The result is at most one unit too small.
    @inline(__always) func fraction(_ other: UInt64) -> UInt64 { multipliedFullWidth(by: other).high }
}
