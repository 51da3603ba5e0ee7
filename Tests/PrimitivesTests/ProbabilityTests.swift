import DeadzoneBase
import Testing

struct ProbabilityTests {
    private let draws: [UInt64] = [0, 1, 2, 1 << 62, (1 << 63) - 1, 1 << 63, .max - 1, .max]

    @Test func `0 never hits and 1 always does`() {
        // A link without loss must deliver every packet, and a link with 100 % loss must drop every packet.
        for bits in draws {
            #expect(!Probability.zero.hits(bits))
            #expect(Probability.one.hits(bits))
        }
    }

    @Test func `the smallest probability hits only for the two lowest draws`() {
        // An off-by-one error in the threshold would make every probability 2^-63 too large or small.
        let least = Probability(halves: 1)
        #expect(draws.filter { least.hits($0) } == [0, 1])
    }

    @Test(arguments: [1, 2, 3, 7, 100, 1_000_000, UInt64.max])
    func `a fraction is rounded down to 2^-63`(_ whole: UInt64) {
        // Rounding up would let a probability exceed the written value, and 1 minus the smallest value become 1.
        #expect(Probability(0, of: whole) == .zero)
        #expect(Probability(whole, of: whole) == .one)
        for parts in [1, whole / 3, whole / 2, whole - 1] where parts <= whole {
            let exact = UInt128(parts) << 63
            let found = UInt128(Probability(parts, of: whole).halves)
            #expect(found * UInt128(whole) <= exact && exact < (found + 1) * UInt128(whole), "\(parts) of \(whole)")
        }
    }

    @Test func `one word hits the larger wherever it hits the smaller`() {
        // Paired comparisons depend on it: a link with more loss loses every packet that the better link loses.
        let small = Probability(1, of: 100)
        let large = Probability(3, of: 100)
        #expect(small < large)
        var hits = 0
        let dice = Dice(seed: 9, phone: PhoneID(0), purpose: .test)
        for slot: UInt64 in 0..<10_000 where small.hits(dice.at(slot)) {
            hits += 1
            #expect(large.hits(dice.at(slot)))
        }
        #expect((50..<160).contains(hits))
    }

    @Test func `values that are not probabilities are rejected`() async {
        // 3 of 2 would silently become a certainty.
        await #expect(processExitsWith: .failure) { _ = Probability(3, of: 2) }
        await #expect(processExitsWith: .failure) { _ = Probability(0, of: 0) }
        await #expect(processExitsWith: .failure) { _ = Probability(halves: 1 << 63 + 1) }
    }
}
