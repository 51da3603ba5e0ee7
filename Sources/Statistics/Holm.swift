/// Holm's adjustment ("A simple sequentially rejective multiple test procedure", 1979): who looks at twenty metrics finds one
/// below 5 % by chance. With these the chance of any false alarm among all of them stays below the level.
public func holm(_ p: [Double]) -> [Double] {
    let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
    var adjusted = p
    var least = 0.0
    for (place, index) in order.enumerated() {
        least = max(least, min(1, p[index] * Double(p.count - place)))
        adjusted[index] = least
    }
    return adjusted
}
