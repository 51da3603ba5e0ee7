/// Holm's adjustment ("A simple sequentially rejective multiple test procedure", 1979): who looks at twenty metrics finds one
/// below 5 % by chance. With these the chance of any false alarm among all of them stays below the level.
public func holm(_ p: [Double]) -> [Double] {
    var adjusted = p
    var least = 0.0
    for (place, index) in inOrder(p).enumerated() {
        least = max(least, min(1, p[index] * Double(p.count - place)))
        adjusted[index] = least
    }
    return adjusted
}

/// The level at which each of them is tested so: the least p at the level by their number, the next by one fewer, as far as
/// one is not refused; the others at that one's.
public func holmLevels(_ p: [Double], _ level: Double) -> [Double] {
    var levels = p
    var tests = p.count
    for index in inOrder(p) {
        levels[index] = level / Double(max(1, tests))
        if p[index] < levels[index] { tests -= 1 }
    }
    return levels
}

private func inOrder(_ p: [Double]) -> [Int] { p.indices.sorted { (p[$0], $0) < (p[$1], $1) } }
