import DeadzoneJournal

/// What the records of one kind and tag add up to, in machine words: how many, and the sum of their values.
struct RecordSum: BitwiseCopyable {
    private(set) var kind: Kind
    private(set) var tag: UInt16
    private(set) var count: UInt32
    private(set) var value: Int64

    /// Of no record.
    static let none = RecordSum(kind: .residency, tag: 0, count: 0, value: 0)

    /// False, and nothing is changed, if the record is another one, or the words are too small.
    fileprivate mutating func add(_ record: Record) -> Bool {
        guard record.kind == kind, record.tag == tag, count < .max else { return false }
        let (sum, overflow) = value.addingReportingOverflow(record.value)
        guard !overflow else { return false }
        value = sum
        count += 1
        return true
    }
}

extension RecordSum {
    /// A power of two: a batch seldom holds more kinds and tags.
    private static let places = 256

    /// Adds up the records of a batch whose value is not negative. Each kind and tag has its place; whatever else has it makes
    /// room, so that one kind and tag may come more than once.
    static func forEach(of batch: UnsafeBufferPointer<Record>, _ body: (RecordSum) -> Void) {
        withUnsafeTemporaryAllocation(of: RecordSum.self, capacity: places) { sums in
            sums.initialize(repeating: .none)
            for record in batch where record.value >= 0 {
                let place =
                    (Int(record.tag) ^ Int(record.tag >> 6) &* 17 ^ Int(record.kind.rawValue) &* 41) & (places - 1)
                if !sums[place].add(record) {
                    if sums[place].count > 0 { body(sums[place]) }
                    sums[place] = RecordSum(kind: record.kind, tag: record.tag, count: 1, value: record.value)
                }
            }
            for sum in sums where sum.count > 0 { body(sum) }
        }
    }
}
