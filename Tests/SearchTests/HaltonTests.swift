import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

struct HaltonTests {
    @Test(arguments: 0..<20)
    func everyPartOfEveryDimensionGetsItsShare(_ seed: UInt64) {
        // Broken: the digits are permuted so that a part of a dimension stays empty, or a position leaves its range.
        let sequence = HaltonSequence(dimensions: 12, seed: seed)
        let points = (0..<740).map(sequence.point)
        for dimension in 0..<12 {
            var counts = [Int](repeating: 0, count: 10)
            for point in points {
                #expect(point[dimension] >= 0 && point[dimension] < 1)
                counts[min(9, Int(point[dimension] * 10))] += 1
            }
            #expect(counts.allSatisfy { abs($0 - 74) <= 16 }, "dimension \(dimension): \(counts)")
        }
    }

    @Test func pairsOfLargeBasesDoNotLieOnALine() {
        // Broken: neighbouring dimensions move together, as those of plain Halton points do.
        let sequence = HaltonSequence(dimensions: 30, seed: 1)
        let points = (0..<100).map(sequence.point)
        for dimension in 20..<29 {
            let pairs = points.map { ($0[dimension] - 0.5, $0[dimension + 1] - 0.5) }
            let product = pairs.reduce(0) { $0 + $1.0 * $1.1 }
            let size = (pairs.reduce(0) { $0 + $1.0 * $1.0 } * pairs.reduce(0) { $0 + $1.1 * $1.1 }).squareRoot()
            #expect(abs(product / size) < 0.35, "dimensions \(dimension) and \(dimension + 1): \(product / size)")
        }
    }

    @Test func seedsGiveOtherPoints() {
        #expect(HaltonSequence(dimensions: 3, seed: 1).point(5) != HaltonSequence(dimensions: 3, seed: 2).point(5))
        #expect(HaltonSequence(dimensions: 3, seed: 1).point(5) == HaltonSequence(dimensions: 3, seed: 1).point(5))
    }
}
