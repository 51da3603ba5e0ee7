/// A probability, stored as an integer threshold on 64 random bits. Probability 1 is exact: every draw hits.
public struct Probability: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The probability as an integer, in units of 2^-63, from 0 to 2^63.
    public let halves: UInt64

    @inlinable public init(halves: UInt64) {
        precondition(halves <= 1 << 63, "a probability is at most 1, got \(halves) / 2^63")
        self.halves = halves
    }

    /// Creates the probability `parts` / `whole`, rounded down to a multiple of 2^-63.
    @inlinable public init(_ parts: UInt64, of whole: UInt64) {
        precondition(whole > 0 && parts <= whole, "not a probability: \(parts) of \(whole)")
        let (high, low) = parts.multipliedFullWidth(by: 1 << 63)
        self.init(halves: whole.dividingFullWidth((high, low)).quotient)
    }

    public static let zero = Probability(halves: 0)
    public static let one = Probability(halves: 1 << 63)

    @inlinable public func hits(_ dice: UInt64) -> Bool { dice >> 1 < halves }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.halves < b.halves }
}
