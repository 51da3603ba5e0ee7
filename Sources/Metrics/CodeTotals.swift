import DeadzoneBase

/// Totals of the records of one kind: for each tag code, their number and the sum of their values. Both are sums, so
/// `merge` commutes.
struct CodeTotals<Code: CaseIterable & RawRepresentable<UInt16>>: Equatable, Sendable, BinaryCodable {
    private var counts: [Int64]
    private var sums: [Int128]

    init() {
        let places = Code.allCases.reduce(1) { max($0, Int($1.rawValue) + 1) }
        counts = Array(repeating: 0, count: places)
        sums = Array(repeating: 0, count: places)
    }

    func count(_ code: Code) -> Int64 { counts[Int(code.rawValue)] }

    func count(of codes: Code...) -> Int64 { codes.reduce(0) { $0 + count($1) } }

    func sum(_ code: Code) -> Int128 { sums[Int(code.rawValue)] }

    /// Adds the sum under its tag. Returns `false` and changes nothing if the tag is not a code.
    mutating func add(_ sum: RecordSum) -> Bool {
        guard Code(rawValue: sum.tag) != nil else { return false }
        counts[Int(sum.tag)] += Int64(sum.count)
        sums[Int(sum.tag)] += Int128(sum.value)
        return true
    }

    mutating func code(through coder: inout BinaryCoder) {
        coder.code(&counts)
        coder.code(&sums)
        coder.require(counts.allSatisfy(BinaryCoder.validCounts.contains))
        coder.require(sums.allSatisfy(BinaryCoder.validSums.contains))
    }

    mutating func merge(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
        for index in sums.indices { sums[index] += other.sums[index] }
    }
}
