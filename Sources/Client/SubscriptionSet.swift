/// A set of subscriptions on one connection, by number from 0.
public struct SubscriptionSet: Hashable, Sendable, BitwiseCopyable {
    /// Maximum number of subscriptions on a connection.
    public static let capacity = 64
    public static let empty = SubscriptionSet(bits: 0)

    /// Bit n is set if the set contains subscription n.
    @usableFromInline package var bits: UInt64

    @inlinable package init(bits: UInt64) { self.bits = bits }

    /// The subscriptions below `count`.
    @inlinable public init(upTo count: Int) { bits = count >= 64 ? .max : 1 << UInt64(count) - 1 }

    @inlinable public init(_ number: UInt8) { bits = 1 << UInt64(number) }

    public var isEmpty: Bool { bits == 0 }
    public var count: Int { bits.nonzeroBitCount }
    /// The smallest number in the set. The set must not be empty.
    public var first: UInt8 { UInt8(bits.trailingZeroBitCount) }

    public func contains(_ number: UInt8) -> Bool { bits & 1 << UInt64(number) != 0 }
    public func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
    public func subtracting(_ other: Self) -> Self { Self(bits: bits & ~other.bits) }
    public mutating func formUnion(_ other: Self) { bits |= other.bits }
    public mutating func subtract(_ other: Self) { bits &= ~other.bits }

    /// Removes and returns the smallest number; `nil` if the set is empty.
    public mutating func popFirst() -> UInt8? {
        guard bits != 0 else { return nil }
        defer { bits &= bits - 1 }
        return first
    }

    /// Removes and returns the smallest number and all numbers that follow it without a gap; `nil` if the set is empty.
    package mutating func popRange() -> Range<UInt32>? {
        guard bits != 0 else { return nil }
        let low = UInt32(bits.trailingZeroBitCount)
        let length = UInt32((~(bits >> UInt64(low))).trailingZeroBitCount)
        let range = low..<low + min(length, 64 - low)
        bits &= ~(SubscriptionSet(upTo: Int(range.upperBound)).bits & ~SubscriptionSet(upTo: Int(low)).bits)
        return range
    }
}
