import DeadzoneBase

/// Draws a random sample of exactly `count` phones among consecutive phones, once per replica.
///
/// The phones are shuffled by a Feistel network (Luby and Rackoff, "How to construct pseudorandom permutations", 1988),
/// and the first `count` are sampled. Results beyond the last phone are permuted again until they are in range (cycle
/// walking: Black and Rogaway, "Ciphers with arbitrary finite domains", 2002). Each phone can therefore compute on its
/// own whether it is in the sample.
package struct PhoneSampler: Hashable, Sendable {
    package let count: UInt32
    /// Number of phones that the sample is drawn from.
    package let phones: UInt32
    /// Number to subtract from a phone's index: the phones before it that do not take part in the draw.
    package let skipped: UInt32

    package init(count: UInt32, of phones: UInt32, skipped: UInt32 = 0) {
        precondition(0 < count && count <= phones, "a sample of \(count) out of \(phones) phones")
        self.count = count
        self.phones = phones
        self.skipped = skipped
    }

    /// Number of Feistel rounds of the shuffle. Fewer rounds leave a pattern among few phones.
    private static let feistelRounds = 8

    /// `true` if the phone is in the sample.
    /// - Parameter key: Key of the shuffle. With the same key, a smaller sample is a subset of a larger one.
    func samples(_ phone: PhoneID, key: UInt64) -> Bool {
        let half = UInt64((64 - UInt64(phones - 1 | 1).leadingZeroBitCount + 1) / 2)
        var position = UInt64(phone.index - skipped)
        precondition(position < UInt64(phones), "phone \(phone.index) is not one of the \(phones) phones")
        repeat { position = Self.shuffled(position, half: half, key: key) } while position >= UInt64(phones)
        return position < UInt64(count)
    }

    private static func shuffled(_ position: UInt64, half: UInt64, key: UInt64) -> UInt64 {
        let mask = (UInt64(1) << half) - 1
        var (left, right) = (position >> half, position & mask)
        for round in 0..<feistelRounds {
            let word = Dice(seed: key, phone: PhoneID(UInt32(round)), purpose: .changeTimes).at(right)
            (left, right) = (right, left ^ (word & mask))
        }
        return left << half | right
    }
}
