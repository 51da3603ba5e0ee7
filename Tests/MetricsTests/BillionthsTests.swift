@testable import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@Suite struct BillionthsTests {
    @Test("Else what is printed would not be the number that was counted, rounded once")
    func roundsHalfUpInIntegers() {
        let table: [(Int128, Int128, Int128, Int128?)] = [
            (1, 1, 3, 333_333_333), (2, 1, 3, 666_666_667), (1, 1, 2_000_000_000, 1), (1, 1, 2_000_000_001, 0),
            (0, 1, 7, 0), (5, 0, 7, 0), (7, 1, 0, nil), (41_200_000, 1, 1_000_000, 41_200_000_000),
            (.max, 1_000, .max, 1_000_000_000_000), (.max, 1_000_000_000_000, 1, nil), (.max, .max, .max, nil),
            // Beyond words: 2^100 and a third, two thirds and a half of it.
            (1 << 100, 1, 3 << 100, 333_333_333), (2 << 100, 1, 3 << 100, 666_666_667),
            (1 << 100, 1, 2_000_000_000 << 80, 524_288), (3 << 90, 1, 2_000_000_000 << 90, 2),
        ]
        for (numerator, factor, denominator, wanted) in table {
            #expect(
                Billionths(numerator, times: factor, over: denominator)?.count == wanted,
                "\(numerator) · \(factor) / \(denominator)")
        }
    }

    @Test("Else a metric that never came in would pass for the lower one")
    func whatIsLowerIsLowerForCertain() {
        let one = Billionths(count: 1)
        let two = Billionths(count: 2)
        // In this order each is lower than those behind it, but for what is at least so much: of that nobody knows how much more.
        let ladder: [Figure] = [.value(one), .value(two), .atLeast(two), .never, .nothing]
        for (place, low) in ladder.enumerated() {
            for (other, high) in ladder.enumerated() {
                let isLower = place < other && !(low == .value(two) && high == .atLeast(two))
                #expect(Figure.isLower(low, high) == isLower, "\(low) and \(high)")
            }
        }
        #expect(Figure.isLower(.value(one), .atLeast(two)) && !Figure.isLower(.atLeast(one), .value(two)))
    }

    @Test("Else a decimal of the result would print as 41.199999999")
    func theDoubleIsTheNearestToTheDecimal() {
        #expect("\(Billionths(count: 41_200_000_000).double)" == "41.2")
        #expect("\(Billionths(count: 100_000_000).double)" == "0.1")
        #expect("\(Billionths(count: 1).double)" == "1e-09")
        #expect(Figure.never.double == nil && Figure.nothing.double == nil)
    }
}
