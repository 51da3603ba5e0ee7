/// Finds the positions between 0 and 1 at which the results of a function change, by a grid search with bisection. It
/// evaluates the grid, then bisects each grid interval with different results at its ends. Two changes within one grid
/// interval are missed.
struct EdgeSearch {
    /// Number of grid points, at least two (both ends).
    let steps: Int
    let halvings: Int

    /// The evaluated positions in order, with one answer per line (strategy).
    struct Answers<Answer> {
        var trials: [(place: Double, answers: [Answer])]
        /// `false` if the search was ended before it was finished.
        var isComplete: Bool
    }

    /// Returns every evaluated position with its answers.
    /// - Parameter evaluate: returns one answer per line (strategy); `nil` ends the search.
    func answers<Answer: Equatable>(_ evaluate: (Double) throws -> [Answer]?) rethrows -> Answers<Answer> {
        var known: [Double: [Answer]] = [:]
        func answers(at place: Double) throws -> [Answer]? {
            if let answers = known[place] { return answers }
            known[place] = try evaluate(place)
            return known[place]
        }
        func result(isComplete: Bool) -> Answers<Answer> {
            Answers(
                trials: known.sorted { $0.key < $1.key }.map { (place: $0.key, answers: $0.value) },
                isComplete: isComplete)
        }
        let grid = (0..<steps).map { Double($0) / Double(steps - 1) }
        for place in grid where try answers(at: place) == nil { return result(isComplete: false) }
        let lines = known[0]?.count ?? 0
        for (start, end) in zip(grid, grid.dropFirst()) {
            for line in 0..<lines where known[start]?[line] != known[end]?[line] {
                var (low, high) = (start, end)
                for _ in 0..<halvings {
                    let middle = (low + high) / 2
                    guard let found = try answers(at: middle) else { return result(isComplete: false) }
                    if found[line] == known[low]?[line] { low = middle } else { high = middle }
                }
            }
        }
        return result(isComplete: true)
    }
}
