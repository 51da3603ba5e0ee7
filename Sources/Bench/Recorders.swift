import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives

/// Counts records and reads nothing else of them than an instant: the journal is written, and no metric is made.
struct RecordCount: Recorder {
    private(set) var records = 0
    private(set) var check: UInt64 = 0

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        records += batch.count
        if let last = batch.last { check ^= UInt64(bitPattern: last.at.nanoseconds) }
    }

    mutating func merge(_ other: RecordCount) {
        records += other.records
        check ^= other.check
    }
}

/// What `run` makes of records: every metric and the digest.
struct RunRecorder: Recorder {
    private var count = RecordCount()
    private var fold = RunFold()
    private var digest = Digest()

    var records: Int { count.records }
    var check: UInt64 { digest.value }

    mutating func record(_ batch: UnsafeBufferPointer<Record>) {
        count.record(batch)
        fold.record(batch)
        digest.record(batch)
    }

    mutating func merge(_ other: RunRecorder) {
        count.merge(other.count)
        fold.merge(other.fold)
        digest.merge(other.digest)
    }
}

/// The least that a simulated record can cost: two dice of the weather and 24 bytes into a buffer that fits the cache.
enum BareJournal {
    static func write(_ records: Int) -> UInt64 {
        let capacity = 1_024
        let buffer = UnsafeMutablePointer<Record>.allocate(capacity: capacity)
        defer { buffer.deallocate() }
        let gaps = Dice(seed: 1, phone: PhoneID(0), purpose: .test)
        var now: Int64 = 0
        var check: UInt64 = 0
        for number in 0..<records {
            let (gap, size) = gaps.pair(at: UInt64(number))
            now &+= Int64(gap >> 34)
            let place = number & (capacity - 1)
            (buffer + place).initialize(
                to: Record(
                    at: Instant(nanoseconds: now), lane: 0, kind: .bytes, tag: UInt16(truncatingIfNeeded: size),
                    value: Int64(size >> 54)))
            if place == capacity - 1 { check ^= UInt64(bitPattern: buffer[place].value) }
        }
        return check
    }
}
