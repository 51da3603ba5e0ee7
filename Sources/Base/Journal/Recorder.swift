/// A consumer of journal records: it computes metrics, a digest or a trace. Records arrive in batches, phone by phone
/// or interleaved in sync windows, and in time order within one phone. `merge` commutes, so the result does not depend
/// on the threads.
package protocol Recorder: Sendable {
    mutating func record(_ batch: UnsafeBufferPointer<Record>)
    mutating func merge(_ other: Self)
}
