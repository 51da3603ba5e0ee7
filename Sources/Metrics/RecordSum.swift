import DeadzoneJournal

/// What the records of one kind and tag add up to, in machine words: how many, and the sum of their values.
struct RecordSum {
    let kind: Kind
    let tag: UInt16
    let count: UInt32
    let value: Int64

    private static let kinds = Kind.allCases

    /// Where a kind and a tag are added up.
    private struct Cell: BitwiseCopyable {
        /// The kind's place and the tag.
        var name: UInt32
        var count: UInt32
        var value: Int64

        /// Of no record.
        static let empty = Cell(name: .max, count: 0, value: 0)

        /// False, and nothing is changed, if the record is another one, or the word is too small.
        mutating func add(_ record: Record, _ name: UInt32) -> Bool {
            guard name == self.name else { return false }
            let (sum, overflow) = value.addingReportingOverflow(record.value)
            guard !overflow else { return false }
            value = sum
            // No batch has more records.
            count &+= 1
            return true
        }

        func sum(_ kinds: [Kind]) -> RecordSum {
            RecordSum(
                kind: kinds[Int(name >> 16)], tag: UInt16(truncatingIfNeeded: name), count: count, value: value)
        }
    }

    private static let cellBits: UInt32 = 8

    /// Adds up the records of a batch whose value is not negative. Each kind and tag has its cell, and a batch seldom holds
    /// more of them than there are; whatever else has it makes room, so that one kind and tag may come more than once.
    /// - Parameter each: sees every record on the way.
    @inline(__always) static func forEach(
        of batch: UnsafeBufferPointer<Record>, _ body: (RecordSum) -> Void, each: (Record) -> Void
    ) {
        precondition(batch.count <= UInt32.max, "a batch of \(batch.count) records")
        let kinds = kinds
        withUnsafeTemporaryAllocation(of: Cell.self, capacity: 1 << cellBits) { cells in
            cells.initialize(repeating: .empty)
            for record in batch {
                each(record)
                guard record.value >= 0 else { continue }
                let name = UInt32(truncatingIfNeeded: record.kind.place) << 16 | UInt32(record.tag)
                // Multiplied so, all bits of the name have a part in the highest (Knuth, "The Art of Computer Programming", 6.4).
                let place = Int((name &* 0x9E37_79B1) >> (32 - cellBits))
                if !cells[place].add(record, name) {
                    if cells[place].count > 0 { body(cells[place].sum(kinds)) }
                    cells[place] = Cell(name: name, count: 1, value: record.value)
                }
            }
            for cell in cells where cell.count > 0 { body(cell.sum(kinds)) }
        }
    }
}
