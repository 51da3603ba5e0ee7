import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// Random samples with an exact number of phones.
@Suite struct PhoneSamplerTests {
    private static let at = Instant.zero + .minutes(1)

    private func met(_ lot: PhoneSampler?, _ phones: Range<UInt32>, seed: UInt64, at: Instant = Self.at) -> [UInt32] {
        let entry = TimelineEntry(at: at, .cellHandover, occurrence: OccurrenceRule(drawnAt: at, sampler: lot))
        return phones.filter { entry.instant(TimelineDice(seed: seed, phone: PhoneID($0))) != nil }
    }

    @Test("A sample contains exactly the requested number of phones")
    func drawsTheExactNumber() {
        seedSweep(60) { seed in
            for phones in [1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 300] as [UInt32] {
                let count = 1 + UInt32(seed) % phones
                let drawn = met(PhoneSampler(count: count, of: phones), 0..<phones, seed: seed)
                #expect(drawn.count == Int(count), "\(count) of \(phones)")
                let behind = met(PhoneSampler(count: count, of: phones, skipped: 9), 9..<(9 + phones), seed: seed)
                #expect(behind == drawn.map { $0 + 9 })
            }
        }
    }

    @Test("Every pair of phones is equally likely to be drawn")
    func everyPairIsAsLikely() {
        var pairs: [[UInt32]: Int] = [:]
        for seed in 0..<6_000 as Range<UInt64> {
            pairs[met(PhoneSampler(count: 2, of: 5), 0..<5, seed: seed), default: 0] += 1
        }
        // Ten pairs, 600 each, with a standard deviation of 23.
        #expect(pairs.count == 10 && pairs.values.allSatisfy { (485...715).contains($0) }, "\(pairs)")
    }

    @Test("Changes at one moment share a draw, and changes at different moments do not")
    func oneMomentDrawsOnce() {
        var same = 0
        for seed in 0..<50 as Range<UInt64> {
            let (few, more) = (PhoneSampler(count: 3, of: 40), PhoneSampler(count: 9, of: 40))
            let drawn = met(few, 0..<40, seed: seed)
            #expect(Set(drawn).isSubset(of: met(more, 0..<40, seed: seed)))
            if met(few, 0..<40, seed: seed, at: Self.at + .seconds(1)) == drawn { same += 1 }
            if met(few, 0..<40, seed: seed + 1_000) == drawn { same += 1 }
        }
        // A chance of one in 9,880, a hundred times.
        #expect(same <= 1)
    }
}
