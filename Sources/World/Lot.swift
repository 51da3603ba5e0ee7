import DeadzonePrimitives

/// So many phones of a number that follow each other, drawn once for each replica: exactly as many, whoever they are.
///
/// The phones are shuffled by a network of Feistel (Luby and Rackoff, "How to construct pseudorandom permutations", 1988), and the
/// first so many are drawn; where that leads beyond the last phone it is walked on (Black and Rogaway, "Ciphers with arbitrary finite
/// domains", 2002). So each phone knows by itself whether it is one of them.
public struct Lot: Hashable, Sendable {
    public let count: UInt32
    /// Of how many.
    public let phones: UInt32
    /// Phones before them, or between them, that are none of these.
    public let skipped: UInt32

    public init(count: UInt32, of phones: UInt32, skipped: UInt32 = 0) {
        precondition(0 < count && count <= phones, "a lot of \(count) among \(phones) phones")
        self.count = count
        self.phones = phones
        self.skipped = skipped
    }

    /// Few rounds leave a pattern among few phones.
    private static let rounds = 8

    /// - Parameter key: of the shuffle. With the same one, fewer are some of more.
    func draws(_ phone: PhoneID, key: UInt64) -> Bool {
        let half = UInt64((64 - UInt64(phones - 1 | 1).leadingZeroBitCount + 1) / 2)
        var place = UInt64(phone.index - skipped)
        precondition(place < UInt64(phones), "phone \(phone.index) is none of \(phones)")
        repeat { place = Self.shuffled(place, half: half, key: key) } while place >= UInt64(phones)
        return place < UInt64(count)
    }

    private static func shuffled(_ place: UInt64, half: UInt64, key: UInt64) -> UInt64 {
        let mask = (UInt64(1) << half) - 1
        var (left, right) = (place >> half, place & mask)
        for round in 0..<rounds {
            let word = Dice(seed: key, phone: PhoneID(UInt32(round)), purpose: .moments).at(right)
            (left, right) = (right, left ^ (word & mask))
        }
        return left << half | right
    }
}
