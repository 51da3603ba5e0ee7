import DeadzoneBase

/// Totals of the records of one kind: for each tag code, their number. `merge` adds, so it commutes.
struct CodeTotals<Code: CaseIterable & RawRepresentable<UInt16>>: Equatable, Sendable, BinaryCodable {
    private var counts: [Int64]

    init() {
        let places = Code.allCases.reduce(1) { max($0, Int($1.rawValue) + 1) }
        counts = Array(repeating: 0, count: places)
    }

    func count(_ code: Code) -> Int64 { counts[Int(code.rawValue)] }

    func count(of codes: Code...) -> Int64 { codes.reduce(0) { $0 + count($1) } }

    /// Adds the records under their tag. Returns `false` and changes nothing if the tag is not a code.
    mutating func add(_ sum: RecordSum) -> Bool {
        guard Code(rawValue: sum.tag) != nil else { return false }
        counts[Int(sum.tag)] += Int64(sum.count)
        return true
    }

    mutating func code(through coder: inout BinaryCoder) {
        coder.code(&counts)
        coder.require(counts.allSatisfy(BinaryCoder.validCounts.contains))
    }

    mutating func merge(_ other: Self) {
        for index in counts.indices { counts[index] += other.counts[index] }
    }
}
