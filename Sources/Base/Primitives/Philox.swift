/// The counter-based random number generator Philox2x64-10: a block of random words is a pure function of its address.
/// There is no state to share or to advance by mistake. From Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
/// as easy as 1, 2, 3" (SC'11). Verified against the authors' known-answer vectors (Random123, `kat_vectors`).
@usableFromInline package enum Philox {
    @inlinable package static func block(key: UInt64, counter: (low: UInt64, high: UInt64)) -> (UInt64, UInt64) {
        var (low, high) = counter
        var key = key
        for _ in 0..<10 {
            let product = low.multipliedFullWidth(by: 0xD2B7_4407_B1CE_6E93)
            low = product.high ^ key ^ high
            high = product.low
            key &+= 0x9E37_79B9_7F4A_7C15
        }
        return (low, high)
    }
}
