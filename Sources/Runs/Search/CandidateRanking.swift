/// Chooses the candidates that promise most: those that a model of the evaluated points expects to extend the front.
/// Simulations are spent on these alone (surrogate-assisted search; Knowles, "ParEGO", 2006).
///
/// One Gaussian process predicts each objective on a logarithmic scale, and one the violation of demands. The gain of a
/// candidate is the hypervolume that its optimistic prediction adds to the predicted front (Emmerich and others,
/// "Single- and multiobjective evolutionary optimization assisted by Gaussian random field metamodels", 2006).
package struct CandidateRanking {
    /// Most points of a model; the time of a model grows with their cube.
    private static let (bestPoints, otherPoints) = (200, 100)
    /// Most points from which a kernel is learnt.
    private static let kernelPoints = 150
    /// Predictions are optimistic by this many standard deviations, so that unknown places are tried too.
    private static let optimism = 0.7
    /// Binary logarithm of the objective from which on nothing is gained, and of the largest one that is modelled.
    /// Larger ones would dominate the model.
    private static let (limit, largest) = (2.0, 4.0)

    /// Candidates with a larger predicted violation, of 0 or 1, are left out: most of them break a demand.
    private static let mostViolation = 0.5

    private let dimensions: [SearchDimension]
    /// Kernels of the objectives and of the violation, each learnt from the one of the generation before.
    private var kernels: [GaussianProcess.PointKernel] = []

    package init(_ dimensions: [SearchDimension]) { self.dimensions = dimensions }

    /// Indices of the candidates with the largest gains, the best first. Each is chosen as if the candidates before it
    /// had the predicted objectives. Empty if no candidate promises a gain.
    package mutating func best(_ count: Int, of candidates: [[Double]], knowing points: [SearchPoint]) -> [Int] {
        let known = modelled(points)
        guard let first = known.first, known.contains(where: \.isFeasible) else { return [] }
        let goals = first.objectives.count
        let models = models(known, goals: goals)
        func objectives(_ position: [Double], optimism: Double) -> [Double] {
            models.prefix(goals).map {
                let predicted = $0.prediction(at: position)
                return predicted.mean - optimism * predicted.deviation
            }
        }
        var front = Self.front(known.filter(\.isFeasible).map { objectives($0.position, optimism: 0) })
        let predicted = candidates.map { objectives($0, optimism: Self.optimism) }
        let chances = candidates.map { candidate -> Double in
            let violation = models.count == goals ? 0 : models[goals].prediction(at: candidate).mean
            return violation < Self.mostViolation ? min(1, 1 - violation) : 0
        }
        func gain(_ index: Int) -> Double {
            chances[index] * Hypervolume.gain(of: predicted[index], over: front, limit: Self.limit)
        }
        var gains = candidates.indices.map(gain)
        var chosen: [Int] = []
        while chosen.count < count {
            // Gains only shrink while the front grows. So the largest old gain is the best if it is still the largest.
            guard let index = gains.indices.max(by: { (gains[$0], $1) < (gains[$1], $0) }), gains[index] > 0 else {
                break
            }
            let now = gain(index)
            if now < gains[index] {
                gains[index] = now
                continue
            }
            chosen.append(index)
            gains[index] = 0
            front = Self.front(front + [predicted[index]])
        }
        return chosen
    }

    /// The points of the models: the best ones, and others evenly from the order of the search.
    private func modelled(_ points: [SearchPoint]) -> [SearchPoint] {
        guard points.count > Self.bestPoints + Self.otherPoints else { return points }
        let best = ParetoOrder(points).best(Self.bestPoints)
        let isBest = Set(best)
        let others = points.indices.filter { !isBest.contains($0) }
        let chosen = (0..<Self.otherPoints).map { others[$0 * others.count / Self.otherPoints] }
        return (best + chosen).sorted().map { points[$0] }
    }

    private mutating func models(_ points: [SearchPoint], goals: Int) -> [GaussianProcess] {
        var columns = (0..<goals).map { goal in
            points.map { min(Self.largest, ParetoOrder.logarithm($0.objectives[goal])) }
        }
        if points.contains(where: { !$0.isFeasible }) { columns.append(points.map { $0.isFeasible ? 0 : 1 }) }
        while kernels.count < columns.count {
            kernels.append(GaussianProcess.PointKernel(weights: dimensions.map { _ in 2 }))
        }
        let positions = points.map(\.position)
        let step = max(1, (points.count + Self.kernelPoints - 1) / Self.kernelPoints)
        let part = Array(stride(from: 0, to: points.count, by: step))
        return columns.indices.map { index in
            let values = columns[index]
            kernels[index] = GaussianProcess.fitted(
                kernels[index], dimensions, part.map { positions[$0] }, part.map { values[$0] })
            return GaussianProcess(dimensions, positions, values, kernels[index])
        }
    }

    /// The points that no other point dominates.
    private static func front(_ objectives: [[Double]]) -> [[Double]] {
        let points = objectives.map { SearchPoint(position: [], objectives: $0, violation: 0) }
        return ParetoOrder(points).front.map { objectives[$0] }
    }
}

/// The volume that points dominate, up to a limit that is the same for each objective.
enum Hypervolume {
    /// The volume that a point adds to that of others.
    static func gain(of point: [Double], over others: [[Double]], limit: Double) -> Double {
        guard point.allSatisfy({ $0 < limit }) else { return 0 }
        let box = point.reduce(1) { $0 * (limit - $1) }
        // The part of the box that is dominated already. Most points become equal to others in it, or worse.
        var inside: [[Double]] = []
        for clipped in others.lazy.map({ zip($0, point).map { max($0, $1) } }) where clipped.allSatisfy({ $0 < limit })
        {
            func covers(_ one: [Double], _ other: [Double]) -> Bool { zip(one, other).allSatisfy { $0 <= $1 } }
            if inside.contains(where: { covers($0, clipped) }) { continue }
            inside.removeAll { covers(clipped, $0) }
            inside.append(clipped)
        }
        return max(0, box - volume(inside, objectives: point.count, limit: limit))
    }

    /// Cuts the volume into slices along the last objective.
    static func volume(_ points: [[Double]], objectives: Int, limit: Double) -> Double {
        let last = objectives - 1
        if last == 0 { return points.map { limit - $0[0] }.max() ?? 0 }
        let sorted = points.sorted { $0[last] < $1[last] }
        var sum = 0.0
        for index in sorted.indices {
            let end = index + 1 < sorted.count ? sorted[index + 1][last] : limit
            guard end > sorted[index][last] else { continue }
            sum += (end - sorted[index][last]) * volume(Array(sorted[...index]), objectives: last, limit: limit)
        }
        return sum
    }
}
