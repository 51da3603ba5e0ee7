/// Where on a line from 0 to 1 answers change: a grid first, then the middle of each gap between neighbours that differ, again and
/// again. What changes twice within one gap of the grid is not seen.
struct EdgeSearch {
    /// At least two: both ends.
    let steps: Int
    let halvings: Int

    /// Every place that was asked about, in order.
    /// - Parameter ask: as many answers as there are lines; nil ends the search.
    func answers<Answer: Equatable>(_ ask: (Double) throws -> [Answer]?) rethrows -> [(
        place: Double, answers: [Answer]
    )] {
        var known: [Double: [Answer]] = [:]
        func answers(at place: Double) throws -> [Answer]? {
            if let answers = known[place] { return answers }
            known[place] = try ask(place)
            return known[place]
        }
        let grid = (0..<steps).map { Double($0) / Double(steps - 1) }
        for place in grid where try answers(at: place) == nil { return [] }
        let lines = known[0]?.count ?? 0
        for (start, end) in zip(grid, grid.dropFirst()) {
            for line in 0..<lines where known[start]?[line] != known[end]?[line] {
                var (low, high) = (start, end)
                for _ in 0..<halvings {
                    let middle = (low + high) / 2
                    guard let found = try answers(at: middle) else { return [] }
                    if found[line] == known[low]?[line] { low = middle } else { high = middle }
                }
            }
        }
        return known.sorted { $0.key < $1.key }.map { (place: $0.key, answers: $0.value) }
    }
}
