import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

/// The model of the evaluated points, and the candidates that it chooses.
struct CandidateRankingTests {
    private static let dimensions: [SearchDimension] = [.scale, .scale, .choice(count: 3)]

    private func positions(_ count: Int, from first: Int = 0) -> [[Double]] {
        let sequence = HaltonSequence(dimensions: Self.dimensions.count, seed: 4)
        return (first..<first + count).map(sequence.point)
    }

    /// A curve along the first setting, a step between the alternatives, and nothing along the second setting.
    private func curve(_ position: [Double]) -> Double {
        3 * (position[0] - 0.4) * (position[0] - 0.4) + (Self.dimensions[2].alternative(at: position[2]) == 1 ? 0 : 0.5)
    }

    private func kernel(_ positions: [[Double]], _ values: [Double]) -> GaussianProcess.PointKernel {
        let start = GaussianProcess.PointKernel(weights: Self.dimensions.map { _ in 2 })
        return GaussianProcess.fitted(
            GaussianProcess.fitted(start, Self.dimensions, positions, values), Self.dimensions, positions, values)
    }

    @Test func predictionsFollowTheObjective() {
        // Broken: a row and a column of the triangle are swapped, the mean is not added again, or far points weigh most.
        let known = positions(60)
        let values = known.map(curve)
        let kernel = kernel(known, values)
        let model = GaussianProcess(Self.dimensions, known, values, kernel)
        let worst = positions(40, from: 500).map { abs(model.prediction(at: $0).mean - curve($0)) }.max() ?? 1
        #expect(worst < 0.15, "\(worst)")
        #expect(kernel.weights[1] < kernel.weights[0], "a setting without influence separates no points")
    }

    @Test func uncertaintyGrowsWithTheDistance() {
        // Broken: the deviation is that of the noise, or largest at the known points.
        let known = positions(60).map { [$0[0] / 2, $0[1], $0[2]] }
        let model = GaussianProcess(
            Self.dimensions, known, known.map(curve), GaussianProcess.PointKernel(weights: [2, 2, 2], noise: 0.01))
        let (near, far) = (model.prediction(at: known[7]).deviation, model.prediction(at: [1, 0.5, 0.5]).deviation)
        #expect(near > 0 && far > 2 * near)
    }

    @Test func aTriangleSolvesItsMatrix() {
        // Broken: an element of the triangle is left out, so that the solution solves another matrix.
        let rows: [Double] = [4, 2, 5, 0.4, 1, 3]
        let solution = CholeskyFactor(size: 3, rows).solved([1, 2, 3])
        func element(_ row: Int, _ column: Int) -> Double {
            rows[max(row, column) * (max(row, column) + 1) / 2 + min(row, column)]
        }
        for row in 0..<3 {
            let sum = (0..<3).reduce(0) { $0 + element(row, $1) * solution[$1] }
            #expect(abs(sum - Double(row + 1)) < 1e-9)
        }
    }

    @Test func volumesAreThoseOfUnions() {
        // Broken: boxes that overlap count twice, or a slice uses the points behind it.
        #expect(Hypervolume.volume([[0, 1], [1, 0]], objectives: 2, limit: 2) == 3)
        #expect(Hypervolume.volume([[1, 1], [0, 1], [1, 0], [0, 1]], objectives: 2, limit: 2) == 3)
        #expect(Hypervolume.volume([[0, 0, 1], [1, 1, 0]], objectives: 3, limit: 2) == 5)
        #expect(Hypervolume.volume([[0.5]], objectives: 1, limit: 2) == 1.5)
        #expect(Hypervolume.gain(of: [0.5, 0.5], over: [[0, 1], [1, 0]], limit: 2) == 0.25)
        #expect(Hypervolume.gain(of: [1, 1], over: [[0, 1], [1, 0]], limit: 2) == 0)
        #expect(Hypervolume.gain(of: [2, 0], over: [], limit: 2) == 0)
    }

    private func points(_ isFeasible: ([Double]) -> Bool) -> [SearchPoint] {
        positions(80).map {
            SearchPoint(
                position: $0, objectives: [0.3 + curve($0), 1.3 - 0.5 * $0[0]], violation: isFeasible($0) ? 0 : 1)
        }
    }

    @Test func candidatesThatExtendTheFrontComeFirst() {
        // Broken: the order is reversed, a candidate is chosen twice, or dominated candidates are chosen.
        let candidates = positions(120, from: 1_000)
        var ranking = CandidateRanking(Self.dimensions)
        let chosen = ranking.best(10, of: candidates, knowing: points { _ in true })
        #expect(!chosen.isEmpty && Set(chosen).count == chosen.count && chosen.count <= 10)
        // Settings below 0.4 are worse in both objectives than those above; the other alternatives are worse in one.
        let good = chosen.prefix(4).count { index in
            Self.dimensions[2].alternative(at: candidates[index][2]) == 1 && candidates[index][0] > 0.3
        }
        #expect(good >= 3, "\(chosen.map { candidates[$0] })")
    }

    @Test func candidatesThatBreakDemandsAreAvoided() {
        // Broken: the model of the violation is ignored, or favours candidates that break demands.
        let candidates = positions(120, from: 1_000)
        var ranking = CandidateRanking(Self.dimensions)
        let chosen = ranking.best(8, of: candidates, knowing: points { $0[0] < 0.6 })
        func near(_ chosen: [Int]) -> Int { chosen.count { candidates[$0][0] < 0.7 } }
        #expect(near(chosen) >= 7, "\(chosen.map { candidates[$0] })")
        var others = CandidateRanking(Self.dimensions)
        #expect(near(others.best(8, of: candidates, knowing: points { _ in true })) < 6)
        var none = CandidateRanking(Self.dimensions)
        #expect(none.best(8, of: candidates, knowing: points { _ in false }).isEmpty)
    }

    @Test func manyPointsAreLimited() {
        // Broken: a model of all points of a large budget takes minutes, or the choice of its points repeats some.
        let many = positions(3_000).map { SearchPoint(position: $0, objectives: [0.3 + curve($0)], violation: 0) }
        var ranking = CandidateRanking(Self.dimensions)
        let candidates = positions(50, from: 9_000)
        let chosen = ranking.best(5, of: candidates, knowing: many)
        #expect(chosen == CandidateRankingTests.repeated(candidates, many))
    }

    private static func repeated(_ candidates: [[Double]], _ points: [SearchPoint]) -> [Int] {
        var ranking = CandidateRanking(dimensions)
        return ranking.best(5, of: candidates, knowing: points)
    }
}
