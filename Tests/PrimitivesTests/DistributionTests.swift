import DeadzoneBase
import Testing

struct DistributionTests {
    static let ordinary: [Distribution] = [
        .constant(7), .uniform(0, 0), .uniform(1, 6), .uniform(-1_000_000_000, 1_000_000_000), .exponential(mean: 0),
        .exponential(mean: 1), .exponential(mean: 20_000_000_000), .normal(mean: 50_000_000, deviation: 10_000_000),
        .normal(mean: -3, deviation: 0), .logNormal(median: 40_000_000, sigmaPPM: 500_000),
        .logNormal(median: 100, sigmaPPM: 0), .pareto(scale: 1_000, shapePPM: 1_200_000),
        .pareto(scale: 0, shapePPM: 1),
        .table([
            Quantile(ppm: 0, 10), Quantile(ppm: 500_000, 20), Quantile(ppm: 990_000, 500),
            Quantile(ppm: 1_000_000, 9_000),
        ]),
    ]

    /// Parameters that no scenario should use, and that must not stop a run.
    static let extreme: [Distribution] = [
        .constant(.min), .uniform(.min, .max), .uniform(.min, .min), .uniform(.max - 1, .max), .uniform(.min, .max - 1),
        .exponential(mean: .max), .normal(mean: .max, deviation: .max), .normal(mean: .min, deviation: .max),
        .normal(mean: 0, deviation: .max), .logNormal(median: .max, sigmaPPM: .max),
        .logNormal(median: 1, sigmaPPM: .max),
        .logNormal(median: .max, sigmaPPM: 0), .logNormal(median: 0, sigmaPPM: .max), .pareto(scale: .max, shapePPM: 1),
        .pareto(scale: 1, shapePPM: 1), .pareto(scale: .max, shapePPM: .max), .pareto(scale: 1, shapePPM: .max),
        .table([Quantile(.zero, .min), Quantile(.one, .max)]),
        .table([Quantile(.zero, .max), Quantile(.one, .max)]),
        .table([
            Quantile(.zero, -1), Quantile(.zero, 5), Quantile(Probability(halves: 1), 6), Quantile(.one, 6),
            Quantile(.one, .max),
        ]),
    ]

    /// Ascending: both ends, the neighbourhood of every power of two and of its mirror image, and words from the dice.
    static let ascending: [UInt64] = {
        var words: Set<UInt64> = []
        for bit: UInt64 in 0..<64 {
            for distance: UInt64 in 0..<4 {
                let word = (1 << bit) &+ distance &- 2
                words.formUnion([word, ~word])
            }
        }
        let dice = Dice(seed: 11, phone: PhoneID(0), purpose: .test)
        for slot: UInt64 in 0..<2_000 { words.insert(dice.at(slot)) }
        return words.sorted()
    }()

    @Test(arguments: ordinary + extreme)
    func `more bits never draw less`(_ distribution: Distribution) {
        // If draws are monotone, two strategies that differ in one parameter draw comparable values. Drawing must also
        // never trap.
        var last = Int64.min
        for bits in Self.ascending {
            let value = distribution.draw(bits)
            #expect(value >= last, "bits \(bits)")
            last = value
        }
    }

    @Test(arguments: ordinary)
    func `a draw is a function of its bits`(_ distribution: Distribution) {
        // State in a distribution would make random conditions depend on earlier draws.
        let copy = distribution
        #expect(Self.ascending.map(distribution.draw) == Self.ascending.reversed().map(copy.draw).reversed())
    }

    @Test func `draws of consecutive words are in order at the finest scale`() {
        // With a mean of 2^57 a draw is the fixed-point number itself, so that rounding hides nothing.
        let finest: [Distribution] = [
            .exponential(mean: 1 << 57), .normal(mean: 0, deviation: 1 << 57),
            .logNormal(median: 1 << 58, sigmaPPM: 300_000),
            .pareto(scale: 1 << 57, shapePPM: 20_000_000), .uniform(0, .max),
        ]
        let starts: [UInt64] = [
            0, 1 << 20, 1 << 40, 0x1333_3333_3333_3000, 1 << 62, 1 << 63 - 1_500, 0xECCC_CCCC_CCCC_C000, .max - 3_000,
        ]
        for distribution in finest {
            for start in starts {
                var last = Int64.min
                for bits in start..<start + 3_000 {
                    let value = distribution.draw(bits)
                    #expect(value >= last, "\(distribution.law) at \(bits)")
                    last = value
                }
            }
        }
    }

    @Test func `both ends and the middle have the expected values`() {
        // A parameter in the wrong place, or bits in reverse order, shows at the ends and in the middle.
        struct Ends { let distribution: Distribution; let low: Int64; let middle: Int64; let high: Int64 }
        let table = [
            Ends(distribution: .uniform(1, 6), low: 1, middle: 4, high: 6),
            Ends(distribution: .uniform(.min, .max), low: .min, middle: 0, high: .max),
            // The largest of 2^63 cells is 64 ln 2 means away.
            Ends(distribution: .exponential(mean: 1_000_000), low: 0, middle: 693_147, high: 44_361_420),
            // z at 2^-64 is -9.0802
            Ends(distribution: .normal(mean: 5_000, deviation: 1_000), low: -4_080, middle: 5_000, high: 14_080),
            Ends(distribution: .logNormal(median: 1_000, sigmaPPM: 1_000_000), low: 0, middle: 1_000, high: 8_779_328),
            Ends(distribution: .pareto(scale: 1_000, shapePPM: 4_000_000), low: 1_000, middle: 1_189, high: 65_536_000),
            Ends(distribution: .pareto(scale: 1_000, shapePPM: 1_000_000), low: 1_000, middle: 2_000, high: .max),
            Ends(
                distribution: .table([Quantile(ppm: 0, 10), Quantile(ppm: 1_000_000, 20)]), low: 10, middle: 15,
                high: 20),
        ]
        for row in table {
            let found = [0, 1 << 63, .max].map(row.distribution.draw)
            #expect(found == [row.low, row.middle, row.high], "\(row.distribution.law)")
        }
    }

    @Test func `a die is fair over all 2^64 words`() {
        // Each face has 2^64 / 6 words, within one word. The test checks the words at each change of face.
        let die = Distribution.uniform(1, 6)
        for face: UInt64 in 1..<6 {
            let first = UInt64((UInt128(1) << 64 * UInt128(face) + 5) / 6)
            #expect(die.draw(first) == Int64(face) + 1 && die.draw(first - 1) == Int64(face))
        }
    }

    @Test func `a normal draw is mirrored by the complement of its bits`() {
        // Rounding towards one side would shift the mean.
        let normal = Distribution.normal(mean: 0, deviation: 1_000_000_001)
        for bits in Self.ascending { #expect(abs(normal.draw(bits) + normal.draw(~bits)) <= 1) }
    }

    @Test func `a table interpolates linearly and keeps jumps and gaps`() {
        // A search that ended one row too early would skip jumps and return values inside gaps.
        let table = Distribution.table([
            Quantile(ppm: 0, 0), Quantile(ppm: 250_000, 100), Quantile(ppm: 500_000, 100), Quantile(ppm: 500_000, 900),
            Quantile(ppm: 1_000_000, 1_000),
        ])
        func at(_ percent: UInt64) -> Int64 { table.draw(UInt64(UInt128(1) << 64 * UInt128(percent) / 100) + 2) }
        #expect([1, 10, 24, 25, 26, 49, 50, 75, 99].map(at) == [4, 40, 96, 100, 100, 100, 900, 950, 998])
        #expect(table.draw(1 << 63 - 1) == 100)
    }

    @Test func `draws are the same on every machine and in every build`() {
        // A change here changes the numbers of every saved result: record it in the changelog.
        var bytes: [UInt8] = []
        for distribution in Self.ordinary + Self.extreme {
            for bits in Self.ascending {
                let value = UInt64(bitPattern: distribution.draw(bits))
                for shift in stride(from: UInt64(0), to: 64, by: 8) {
                    bytes.append(UInt8(truncatingIfNeeded: value >> shift))
                }
            }
        }
        #expect(Fingerprint(ofBytes: bytes).short == "7baf8354452f1dac")
    }

    @Test func `invalid parameters are rejected`() async {
        // Without the check, a long run would finish with meaningless results.
        await #expect(processExitsWith: .failure) { _ = Distribution.uniform(2, 1) }
        await #expect(processExitsWith: .failure) { _ = Distribution.exponential(mean: -1) }
        await #expect(processExitsWith: .failure) { _ = Distribution.normal(mean: 0, deviation: -1) }
        await #expect(processExitsWith: .failure) { _ = Distribution.logNormal(median: -1, sigmaPPM: 1) }
        await #expect(processExitsWith: .failure) { _ = Distribution.logNormal(median: 1, sigmaPPM: -1) }
        await #expect(processExitsWith: .failure) { _ = Distribution.pareto(scale: -1, shapePPM: 1) }
        await #expect(processExitsWith: .failure) { _ = Distribution.pareto(scale: 1, shapePPM: 0) }
        await #expect(processExitsWith: .failure) { _ = Distribution.table([]) }
        await #expect(processExitsWith: .failure) { _ = Distribution.table([Quantile(.zero, 1)]) }
        await #expect(processExitsWith: .failure) { _ = Distribution.table([Quantile(.zero, 2), Quantile(.one, 1)]) }
    }
}
