/// A real number from -64 up to 64 as an integer count of 2^-57: wide enough for 64 ln 2 = 44.4, the largest logarithm of a
/// 64-bit word. Every operation is integer arithmetic, so the same bits come out on every machine.
///
/// Each transcendental function states its error beside it. Each is also monotone: its argument is first cut to so few
/// bits that neighbouring exact results are farther apart than twice the error of the evaluation.
public struct FixedPoint: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// In units of 2^-57.
    public let units: Int64

    @inlinable public init(units: Int64) { self.units = units }

    public static let fractionBits: Int64 = 57

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.units < b.units }

    /// `offset + factor × self`, rounded to the nearest integer, saturating.
    func scaled(by factor: Int64, plus offset: Int64 = 0) -> Int64 {
        let product = Int128(units) * Int128(factor) + 1 << (Self.fractionBits - 1)
        return Int64(clamping: Int128(offset) + product >> Self.fractionBits)
    }

    /// `self × numerator / denominator`, rounded towards zero, saturating. One hardware division instead of a 128-bit one.
    func times(_ numerator: UInt64, over denominator: UInt64) -> FixedPoint {
        let product = units.magnitude.multipliedFullWidth(by: numerator)
        guard product.high < denominator else { return FixedPoint(units: units < 0 ? .min : .max) }
        let quotient = Int64(clamping: denominator.dividingFullWidth(product).quotient)
        return FixedPoint(units: units < 0 ? -quotient : quotient)
    }
}

extension Int64 {
    /// The product of two fractions of 2^63 as a fraction of 2^63, at most two units too small.
    @inline(__always) func fraction(times other: Int64) -> Int64 { multipliedFullWidth(by: other).high << 1 }
}

extension UInt64 {
    /// This number times a fraction of 2^64, at most one unit too small.
    @inline(__always) func fraction(_ other: UInt64) -> UInt64 { multipliedFullWidth(by: other).high }
}
