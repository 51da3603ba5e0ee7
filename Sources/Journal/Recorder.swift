/// Something that reads records: a fold of metrics, a digest, a trace. Records come in batches, lane by lane or in rounds,
/// and within one lane in the order of time. `merge` commutes, so that threads cannot show.
public protocol Recorder: Sendable {
    mutating func record(_ batch: UnsafeBufferPointer<Record>)
    mutating func merge(_ other: Self)
}
