/// Holm's adjustment for multiple tests ("A simple sequentially rejective multiple test procedure", 1979). Without it,
/// one of twenty metrics falls below 5 % by chance. With adjusted p-values, the probability of any false alarm stays
/// below the level.
package func holm(_ p: [Double]) -> [Double] {
    var adjusted = p
    var least = 0.0
    for (place, index) in inOrder(p).enumerated() {
        least = max(least, min(1, p[index] * Double(p.count - place)))
        adjusted[index] = least
    }
    return adjusted
}

/// The level at which Holm's method tests each p-value. The smallest is tested at the level divided by the number of
/// tests, the next at the level divided by one less, and so on. After the first one that is not rejected, the level
/// stays the same.
package func holmLevels(_ p: [Double], _ level: Double) -> [Double] {
    var levels = p
    var tests = p.count
    for index in inOrder(p) {
        levels[index] = level / Double(max(1, tests))
        if p[index] < levels[index] { tests -= 1 }
    }
    return levels
}

private func inOrder(_ p: [Double]) -> [Int] { p.indices.sorted { (p[$0], $0) < (p[$1], $1) } }
