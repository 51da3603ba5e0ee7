import DeadzoneBase

/// The number of records with the same kind and tag in a batch, and the sum of their values. Both are machine words.
struct RecordSum {
    let kind: RecordKind
    let tag: UInt16
    let count: UInt32
    let value: Int64

    private static let kinds = RecordKind.allCases

    /// A hash table cell that adds up the records with the same kind and tag.
    private struct SumCell: BitwiseCopyable {
        /// Kind (high half) and tag (low half).
        var key: UInt32
        var count: UInt32
        var value: Int64

        /// A cell without records.
        static let empty = SumCell(key: .max, count: 0, value: 0)

        /// Adds a record. Returns `false` and changes nothing if the cell belongs to another key, or if the sum would
        /// overflow.
        mutating func add(_ record: Record, _ key: UInt32) -> Bool {
            guard key == self.key else { return false }
            let (sum, overflow) = value.addingReportingOverflow(record.value)
            guard !overflow else { return false }
            value = sum
            // Cannot overflow: no batch has more records than the count can hold.
            count &+= 1
            return true
        }

        func sum(_ kinds: [RecordKind]) -> RecordSum {
            RecordSum(
                kind: kinds[Int(key >> 16)], tag: UInt16(truncatingIfNeeded: key), count: count, value: value)
        }
    }

    private static let cellBits: UInt32 = 8

    /// Sums the records of a batch by kind and tag, without those with a negative value. The sums live in a small hash
    /// table, since a batch seldom contains more keys than it has cells. A colliding key evicts the cell, so `body` may
    /// receive the same kind and tag more than once.
    /// - Parameter each: Called for every record.
    @inline(__always) static func forEach(
        of batch: UnsafeBufferPointer<Record>, _ body: (RecordSum) -> Void, each: (Record) -> Void
    ) {
        precondition(batch.count <= UInt32.max, "a batch of \(batch.count) records")
        let kinds = kinds
        withUnsafeTemporaryAllocation(of: SumCell.self, capacity: 1 << cellBits) { cells in
            cells.initialize(repeating: .empty)
            for record in batch {
                each(record)
                guard record.value >= 0 else { continue }
                let key = UInt32(truncatingIfNeeded: record.kind.ordinal) << 16 | UInt32(record.tag)
                // Multiplicative hash: all bits of the key affect the highest bits (Knuth, "The Art of Computer
                // Programming", 6.4).
                let place = Int((key &* 0x9E37_79B1) >> (32 - cellBits))
                if !cells[place].add(record, key) {
                    if cells[place].count > 0 { body(cells[place].sum(kinds)) }
                    cells[place] = SumCell(key: key, count: 1, value: record.value)
                }
            }
            for cell in cells where cell.count > 0 { body(cell.sum(kinds)) }
        }
    }
}
