import DeadzonePrimitives
import DeadzoneTestKit
import DeadzoneWorld
import Testing

/// So many phones, drawn.
@Suite struct LotTests {
    private static let at = Instant.zero + .minutes(1)

    private func met(_ lot: Lot?, _ phones: Range<UInt32>, seed: UInt64, at: Instant = Self.at) -> [UInt32] {
        let entry = TimelineEntry(at: at, .cellHandover, chance: Chance(drawnAt: at, lot: lot))
        return phones.filter { entry.moment(Moments(seed: seed, phone: PhoneID($0))) != nil }
    }

    @Test("Else two or four phones would meet what three meet")
    func exactlyAsMany() {
        seedSweep(60) { seed in
            for phones in [1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 300] as [UInt32] {
                let count = 1 + UInt32(seed) % phones
                let drawn = met(Lot(count: count, of: phones), 0..<phones, seed: seed)
                #expect(drawn.count == Int(count), "\(count) of \(phones)")
                let behind = met(Lot(count: count, of: phones, skipped: 9), 9..<(9 + phones), seed: seed)
                #expect(behind == drawn.map { $0 + 9 })
            }
        }
    }

    @Test("Else some phones would be drawn more often than others, or always with the same neighbours")
    func everyPairIsAsLikely() {
        var pairs: [[UInt32]: Int] = [:]
        for seed in 0..<6_000 as Range<UInt64> { pairs[met(Lot(count: 2, of: 5), 0..<5, seed: seed), default: 0] += 1 }
        // Ten pairs, 600 each, with a deviation of 23.
        #expect(pairs.count == 10 && pairs.values.allSatisfy { (485...715).contains($0) }, "\(pairs)")
    }

    @Test("Else lines of one moment would meet other phones, or those of two moments the same")
    func oneMomentDrawsOnce() {
        var same = 0
        for seed in 0..<50 as Range<UInt64> {
            let (few, more) = (Lot(count: 3, of: 40), Lot(count: 9, of: 40))
            let drawn = met(few, 0..<40, seed: seed)
            #expect(Set(drawn).isSubset(of: met(more, 0..<40, seed: seed)))
            if met(few, 0..<40, seed: seed, at: Self.at + .seconds(1)) == drawn { same += 1 }
            if met(few, 0..<40, seed: seed + 1_000) == drawn { same += 1 }
        }
        // One in 9,880, a hundred times.
        #expect(same <= 1)
    }
}
