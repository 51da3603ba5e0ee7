import DeadzoneBase
import DeadzoneMetrics

/// A recorder that only counts records, to measure a simulation without metrics. It reads only the time of the last
/// record in a batch. The journal is written, but no metric is computed.
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

/// A recorder that computes everything that the command `run` computes from records: all metrics, and a hash of the
/// records (digest).
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

/// A minimal loop that shows the lowest possible cost of a simulated record. It makes two random draws, and writes 24
/// bytes into a buffer that fits the cache.
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
                    at: Instant(nanoseconds: now), phone: 0, kind: .bytes, tag: UInt16(truncatingIfNeeded: size),
                    value: Int64(size >> 54)))
            if place == capacity - 1 { check ^= UInt64(bitPattern: buffer[place].value) }
        }
        return check
    }
}
