/// Every record of a run, to be written to a file and folded again later. Records come in any interleaving of lanes; the
/// bytes are in the order of lanes, and within a lane in the order they came. See README.md for the format.
public struct BinaryTrace: Recorder, Equatable {
    private var collected: [Record] = []

    public init() {}

    public mutating func record(_ batch: UnsafeBufferPointer<Record>) { collected.append(contentsOf: batch) }

    /// A lane lives in one recorder: what two of them say of one lane has no order.
    public mutating func merge(_ other: BinaryTrace) { collected.append(contentsOf: other.collected) }

    /// In the order of lanes, then as they came. (`sort` is stable, and linear where lanes came one after another.)
    public var records: [Record] { collected.sorted { $0.lane < $1.lane } }

    /// Gives the records to another recorder: a fold of a saved trace is the fold of the run.
    public func replay(into recorder: inout some Recorder) {
        records.withUnsafeBufferPointer { recorder.record($0) }
    }

    /// One trace is another when its bytes are.
    public static func == (a: Self, b: Self) -> Bool { a.records == b.records }
}
