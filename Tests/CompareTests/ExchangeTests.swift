import Testing

@testable import DeadzoneCompare

struct ExchangeTests {
    @Test(arguments: [1, 5, 12, 13])
    func fewPairsAreExchangedInEveryWay(_ pairs: Int) {
        // Broken: where all exchanges can be gone through, some are left out and others count twice.
        let exchanges = Exchanges(pairs: pairs, seed: 1)
        let rows = stride(from: 0, to: exchanges.bits.count, by: exchanges.width).map {
            Array(exchanges.bits[$0..<($0 + exchanges.width)])
        }
        #expect(rows.count == 1 << pairs && Set(rows).count == 1 << pairs)
        #expect(Exchanges(pairs: 14, seed: 1).bits.count == 2 * Exchanges.most)
    }

    @Test func anIntervalIsOfTheLevelOfItsTest() {
        // Broken: a change is sure by its probability and not by its interval, or the other way round.
        let shifts = Shifts(sorted: (1...39).map(Double.init), still: 1)
        #expect(shifts.p == 0.05)
        #expect(shifts.interval(at: 0.05) == nil && shifts.interval(at: 0.06) == 1...39)
        #expect(shifts.interval(at: 0.1) == 1...39 && shifts.interval(at: 0.15) == 2...38)
    }
}
