import DeadzoneTestKit
import Testing
@testable import DeadzoneMetrics

@Suite struct BillionthsTests {
    @Test("A division is exact in integers and rounds half up once")
    func roundsHalfUpInIntegers() {
        let table: [(Int128, Int128, Int128, Int128?)] = [
            (1, 1, 3, 333_333_333), (2, 1, 3, 666_666_667), (1, 1, 2_000_000_000, 1), (1, 1, 2_000_000_001, 0),
            (0, 1, 7, 0), (5, 0, 7, 0), (7, 1, 0, nil), (41_200_000, 1, 1_000_000, 41_200_000_000),
            (.max, 1_000, .max, 1_000_000_000_000), (.max, 1_000_000_000_000, 1, nil), (.max, .max, .max, nil),
            // The factor in billionths does not fit, although it has low bits that do.
            (1, 1 << 119, 1, nil), (1, 1 << 120, 1 << 20, nil),
            // Numbers beyond 64 bits: 2^100 and a third, two thirds and a half of it.
            (1 << 100, 1, 3 << 100, 333_333_333), (2 << 100, 1, 3 << 100, 666_666_667),
            (1 << 100, 1, 2_000_000_000 << 80, 524_288), (3 << 90, 1, 2_000_000_000 << 90, 2),
        ]
        for (numerator, factor, denominator, wanted) in table {
            #expect(
                Billionths(numerator, times: factor, over: denominator)?.count == wanted,
                "\(numerator) · \(factor) / \(denominator)")
        }
    }

    @Test("A figure is lower than another only if that is certain")
    func lowerOnlyIfCertain() {
        let one = Billionths(count: 1)
        let two = Billionths(count: 2)
        // Each figure is lower than those after it. A value is not certainly lower than an equal `atLeast`, which may
        // be the same.
        let ladder: [Figure] = [.value(one), .value(two), .atLeast(two), .never, .nothing]
        for (place, low) in ladder.enumerated() {
            for (other, high) in ladder.enumerated() {
                let isLower = place < other && !(low == .value(two) && high == .atLeast(two))
                #expect(Figure.isLower(low, high) == isLower, "\(low) and \(high)")
            }
        }
        #expect(Figure.isLower(.value(one), .atLeast(two)) && !Figure.isLower(.atLeast(one), .value(two)))
    }

    @Test("The double is the nearest one to the decimal")
    func theDoubleIsTheNearestToTheDecimal() {
        #expect("\(Billionths(count: 41_200_000_000).double)" == "41.2")
        #expect("\(Billionths(count: 100_000_000).double)" == "0.1")
        #expect("\(Billionths(count: 1).double)" == "1e-09")
        #expect(Figure.never.double == nil && Figure.nothing.double == nil)
    }
}
