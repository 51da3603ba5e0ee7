package import DeadzoneBase

/// Buffers journal records and passes them to the recorder in batches. The event loop only writes 24 bytes per record.
package struct JournalBuffer: ~Copyable {
    private static let capacity = 1_024

    private let storage: UnsafeMutablePointer<Record>
    private var count = 0
    private let flushTo: (UnsafeBufferPointer<Record>) -> Void

    package init(_ flushTo: @escaping (UnsafeBufferPointer<Record>) -> Void) {
        storage = .allocate(capacity: Self.capacity)
        self.flushTo = flushTo
    }

    deinit { storage.deallocate() }

    mutating func append(_ record: Record) {
        if count == Self.capacity { flush() }
        (storage + count).initialize(to: record)
        count += 1
    }

    package mutating func flush() {
        flushTo(UnsafeBufferPointer(start: storage, count: count))
        count = 0
    }
}
