import DeadzonePrimitives

/// How often records of one kind carried each code, and the sum of their values. Both are sums, so `merge` commutes.
struct CodeTotals<Code: CaseIterable & RawRepresentable<UInt16>>: Equatable, Sendable, Taped {
    private var counts: [Int64]
    private var sums: [Int128]

    init() {
        let places = Code.allCases.reduce(1) { max($0, Int($1.rawValue) + 1) }
        counts = Array(repeating: 0, count: places)
        sums = Array(repeating: 0, count: places)
    }

    func count(_ code: Code) -> Int64 { counts[Int(code.rawValue)] }

    func sum(_ code: Code) -> Int128 { sums[Int(code.rawValue)] }

    /// False, and nothing is changed, if the tag is no code.
    mutating func add(_ sum: RecordSum) -> Bool {
        guard Code(rawValue: sum.tag) != nil else { return false }
        counts[Int(sum.tag)] += Int64(sum.count)
        sums[Int(sum.tag)] += Int128(sum.value)
        return true
    }

    mutating func pass(through tape: inout Tape) {
        tape.pass(&counts)
        tape.pass(&sums)
    }

    mutating func merge(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
        for index in sums.indices { sums[index] += other.sums[index] }
    }
}
