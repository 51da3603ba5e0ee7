import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

struct ParetoTests {
    /// Random points on a coarse grid, so that equal objectives occur. Some break a demand.
    private static func points(_ seed: UInt64, goals: Int) -> [SearchPoint] {
        var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
        return (0..<60).map { _ in
            let objectives = (0..<goals).map { _ in Double(dice.next().scaled(below: 9)) }
            return SearchPoint(
                position: [dice.next().unitInterval], objectives: objectives,
                violation: dice.next().scaled(below: 4) == 0 ? Double(1 + dice.next().scaled(below: 5)) : 0)
        }
    }

    @Test(arguments: 0..<100)
    func frontIsExactlyWhatNoPointBeats(_ seed: UInt64) {
        // Broken: a dominated point is in the front, or one that no point dominates is missing.
        let points = Self.points(seed, goals: 1 + Int(seed % 3))
        let front = ParetoOrder(points).front
        for index in points.indices {
            let isBeaten = points.contains { $0.dominates(points[index]) } || !points[index].isFeasible
            let isTwin = front.contains { $0 < index && points[$0].objectives == points[index].objectives }
            #expect(front.contains(index) == (!isBeaten && !isTwin), "\(points[index])")
        }
    }

    @Test(arguments: 0..<50)
    func bestPointsAreFrontsInOrder(_ seed: UInt64) {
        // Broken: a point is among the best although more points than are chosen dominate it, or a point that breaks a
        // demand precedes one that keeps all.
        let points = Self.points(seed, goals: 2)
        for count in [1, 7, 30, 60, 99] {
            let best = ParetoOrder(points).best(count)
            #expect(best.count == min(count, points.count) && Set(best).count == best.count)
            for left in points.indices where !best.contains(left) {
                #expect(!best.contains { points[left].dominates(points[$0]) })
            }
            let firstBroken = best.firstIndex { !points[$0].isFeasible } ?? best.count
            #expect(best[firstBroken...].allSatisfy { !points[$0].isFeasible })
        }
    }

    @Test func kneeOfABentFrontIsItsBend() {
        // Broken: an end of the front is taken for its knee.
        let front = [(1.0, 100.0), (1.1, 50), (1.3, 4), (8, 2), (60, 1)].map {
            SearchPoint(position: [], objectives: [$0.0, $0.1], violation: 0)
        }
        #expect(ParetoOrder.knee(of: front) == 2)
        #expect(ParetoOrder.knee(of: []) == nil)
        #expect(ParetoOrder.knee(of: [front[0]]) == 0)
    }

    @Test(arguments: [1e-9, 0.3, 1, 2, 3.7, 1e12])
    func binaryLogarithmInvertsPowers(_ value: Double) {
        let logarithm = ParetoOrder.binaryLogarithm(value)
        #expect(abs(ParetoOrder.binaryLogarithm(value * 8) - logarithm - 3) < 1e-12)
        #expect(abs(ParetoOrder.binaryLogarithm(value * value) - 2 * logarithm) < 1e-9)
    }
}
