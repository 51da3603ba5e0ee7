/// All journal records of a run in a binary file format, to be saved and aggregated again later. Records of different
/// phones may arrive interleaved. The bytes are ordered by phone, and by arrival within a phone. README.md describes
/// the format.
package struct BinaryTrace: Recorder, Equatable {
    private var collected: [Record] = []

    package init() {}

    package mutating func record(_ batch: UnsafeBufferPointer<Record>) { collected.append(contentsOf: batch) }

    /// Appends the records of another trace. All records of one phone must be in one recorder: between two recorders
    /// they have no order.
    package mutating func merge(_ other: BinaryTrace) { collected.append(contentsOf: other.collected) }

    /// Records ordered by phone, then by arrival. (`sort` is stable, and linear if phones arrived one after another.)
    package var records: [Record] { collected.sorted { $0.phone < $1.phone } }

    /// Passes all records to another recorder. The fold of a saved trace equals the fold of the run.
    package func replay(into recorder: inout some Recorder) {
        records.withUnsafeBufferPointer { recorder.record($0) }
    }

    /// Two traces are equal if their bytes are equal.
    package static func == (a: Self, b: Self) -> Bool { a.records == b.records }
}
