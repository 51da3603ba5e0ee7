/// Orders the changes from one set of values to another: each step makes the single change that is best at this time,
/// as the ablation of irace and SMAC does (Fawcett and Hoos, "Analysing differences between algorithm configurations
/// through ablation", 2016).
package enum ChangePath {
    /// With more changes than this, the order is that of the changes made alone: the exact order needs a number of
    /// evaluations that grows with the square.
    package static let maxExactChanges = 6

    /// - Parameters:
    ///   - changes: numbers of the changes.
    ///   - losses: for several sets of changes, one number each; lower is better. `nil` stops the search.
    /// - Returns: the changes in order; `nil` if the search was stopped.
    package static func order(
        _ changes: [Int], losses: ([[Int]]) throws -> [Double]?
    ) rethrows -> [Int]? {
        var made: [Int] = []
        var remaining = changes
        while remaining.count > 1 {
            guard let values = try losses(remaining.map { made + [$0] }) else { return nil }
            let order = remaining.indices.sorted { (values[$0], $0) < (values[$1], $1) }
            if changes.count > maxExactChanges { return order.map { remaining[$0] } }
            made.append(remaining.remove(at: order[0]))
        }
        return made + remaining
    }
}
