import Testing

@testable import DeadzoneMetrics

struct PermutationsTests {
    @Test(arguments: [1, 5, 12, 13])
    func fewPairsUseEveryPermutation(_ pairs: Int) {
        // Broken: with few enough pairs for all permutations, some are missing and others count twice.
        let permutations = Permutations(pairs: pairs, seed: 1)
        let rows = stride(from: 0, to: permutations.bits.count, by: permutations.width).map {
            Array(permutations.bits[$0..<($0 + permutations.width)])
        }
        #expect(rows.count == 1 << pairs && Set(rows).count == 1 << pairs)
        #expect(Permutations(pairs: 14, seed: 1).bits.count == 2 * Permutations.maxCount)
    }

    @Test func intervalHasTheLevelOfItsTest() {
        // Broken: a change is significant by its p-value but not by its interval, or the reverse.
        let shifts = PermutationShifts(sorted: (1...39).map(Double.init), identityCount: 1)
        #expect(shifts.p == 0.05)
        #expect(shifts.interval(at: 0.05) == nil && shifts.interval(at: 0.06) == 1...39)
        #expect(shifts.interval(at: 0.1) == 1...39 && shifts.interval(at: 0.15) == 2...38)
    }
}
