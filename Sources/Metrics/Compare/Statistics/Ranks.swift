/// The positions of numbers in sorted order, counted from 1, for rank tests. Equal numbers share their mean rank. Ranks
/// are doubled so that they are integers.
struct Ranks {
    /// Twice the rank of each number, in the order given.
    let doubled: [Int]
    /// Number of equal values, for each rank that is shared.
    let ties: [Int]

    init(_ numbers: [Int128]) {
        let order = numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
        var doubled = [Int](repeating: 0, count: numbers.count)
        var ties: [Int] = []
        var first = 0
        while first < order.count {
            var next = first + 1
            while next < order.count && numbers[order[next]] == numbers[order[first]] { next += 1 }
            // The ranks are first + 1 ... next. Twice their mean is the sum of the first and the last.
            for place in first..<next { doubled[order[place]] = first + 1 + next }
            if next - first > 1 { ties.append(next - first) }
            first = next
        }
        self.doubled = doubled
        self.ties = ties
    }

    /// The sum of t³ − t over the ties.
    var tieTerm: Double { ties.reduce(0) { $0 + Double($1) * Double($1) * Double($1) - Double($1) } }
}
