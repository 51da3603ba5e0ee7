/// Orders points by Pareto rank, and within a rank by crowding distance, as in NSGA-II (Deb and others, "A fast and
/// elitist multiobjective genetic algorithm", 2002). Points that break demands are last.
package struct ParetoOrder {
    private let points: [SearchPoint]

    package init(_ points: [SearchPoint]) { self.points = points }

    /// Indices of the feasible points that no other point dominates, sorted by the first objective. Of equal points,
    /// only the first is included.
    package var front: [Int] { Self.front(of: sortedFeasible, points) }

    /// Indices of the best points: complete fronts first, then the least crowded points of the next front.
    package func best(_ count: Int) -> [Int] {
        var chosen: [Int] = []
        var remaining = sortedFeasible
        while chosen.count < count, !remaining.isEmpty {
            let front = Self.front(of: remaining, points)
            chosen += spreadOut(front).prefix(count - chosen.count)
            var isInFront = [Bool](repeating: false, count: points.count)
            for index in front { isInFront[index] = true }
            remaining.removeAll { isInFront[$0] }
        }
        let infeasible = points.indices.filter { !points[$0].isFeasible }
            .sorted { (points[$0].violation, $0) < (points[$1].violation, $1) }
        return chosen + infeasible.prefix(count - chosen.count)
    }

    /// Feasible points in lexicographic order of their objectives, so that a dominating point precedes the dominated
    /// one.
    private var sortedFeasible: [Int] {
        points.indices.filter { points[$0].isFeasible }.sorted { a, b in
            for (own, theirs) in zip(points[a].objectives, points[b].objectives) where own != theirs {
                return own < theirs
            }
            return a < b
        }
    }

    private static func front(of sorted: [Int], _ points: [SearchPoint]) -> [Int] {
        var front: [Int] = []
        for index in sorted {
            let isBeaten = front.contains {
                points[$0].dominates(points[index]) || points[$0].objectives == points[index].objectives
            }
            if !isBeaten { front.append(index) }
        }
        return front
    }

    /// A front with its least crowded points first. The ends of each objective are never crowded.
    private func spreadOut(_ front: [Int]) -> [Int] {
        guard let first = front.first else { return [] }
        var distances = [Double](repeating: 0, count: front.count)
        for goal in points[first].objectives.indices {
            let order = front.indices.sorted {
                (points[front[$0]].objectives[goal], $0) < (points[front[$1]].objectives[goal], $1)
            }
            // Objectives are ratios, so distances are logarithmic.
            let logs = order.map { Self.logarithm(points[front[$0]].objectives[goal]) }
            func value(_ place: Int) -> Double { logs[place] }
            let range = value(order.count - 1) - value(0)
            for place in order.indices {
                let isEnd = place == 0 || place == order.count - 1
                distances[order[place]] +=
                    isEnd ? .infinity : range > 0 ? (value(place + 1) - value(place - 1)) / range : 0
            }
        }
        return front.indices.sorted { (-distances[$0], $0) < (-distances[$1], $1) }.map { front[$0] }
    }
}

extension ParetoOrder {
    /// Index of the knee of a front: the point nearest to the best value of every objective at once. Each objective is
    /// measured on a logarithmic scale from its best value to its worst. `nil` for an empty front.
    package static func knee(of front: [SearchPoint]) -> Int? {
        guard let first = front.first else { return nil }
        var distances = [Double](repeating: 0, count: front.count)
        for goal in first.objectives.indices {
            let logs = front.map { logarithm($0.objectives[goal]) }
            guard let low = logs.min(), let high = logs.max(), high > low else { continue }
            for index in front.indices {
                let share = (logs[index] - low) / (high - low)
                distances[index] += share * share
            }
        }
        return distances.indices.min { (distances[$0], $0) < (distances[$1], $1) }
    }

    /// Smaller objectives, such as 0, count as this number, because 0 has no logarithm.
    private static let leastObjective = 1e-3

    /// Binary logarithm of an objective.
    static func logarithm(_ objective: Double) -> Double { binaryLogarithm(max(objective, leastObjective)) }

    /// Binary logarithm of a positive number, by exponent and series. The logarithm of a math library has other last
    /// bits on other machines, and could choose another point there.
    static func binaryLogarithm(_ value: Double) -> Double {
        let z = (value.significand - 1) / (value.significand + 1)
        var (term, sum) = (z, z)
        for odd in stride(from: 3.0, through: 41, by: 2) {
            term *= z * z
            sum += term / odd
        }
        return Double(value.exponent) + 2 * sum * 1.442_695_040_888_963_4
    }
}
