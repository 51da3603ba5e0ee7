/// The samples of one quantity (such as a latency) in all replicas of a strategy. They are merged exactly. In addition
/// they are kept per replica, in a compact byte encoding, for the resamples of an interval.
struct SampleStore: Sendable {
    /// Histogram of all replicas.
    private(set) var pooled = SpanHistogram()
    /// For each replica, the exact values of its histogram. Least and largest are 0 if there is no sample.
    private(set) var arrived = ReplicaColumn()
    private(set) var waiting = ReplicaColumn()
    private(set) var lost = ReplicaColumn()
    private(set) var least = ReplicaColumn()
    private(set) var largest = ReplicaColumn()
    private(set) var oldest = ReplicaColumn()
    /// For each replica, the number of bits by which its buckets were coarsened.
    private(set) var coarseness = ReplicaColumn()
    private var ends = ReplicaColumn()
    private var bytes: [UInt8] = []

    var count: Int { ends.count }
    var isEmpty: Bool { pooled.count + pooled.waiting + pooled.lost == 0 }

    /// `true` if no replica's buckets were coarsened.
    var hasExactBuckets: Bool { coarseness.sum == 0 }

    /// Total length of the encoded rows, in bytes.
    var codedLength: Int { bytes.count }

    private var columns: [ReplicaColumn] { [arrived, waiting, lost, least, largest, oldest, coarseness, ends] }
    // Called for each store and each replica. A list of columns would be allocated on every call.
    var bytesPerReplica: Int {
        arrived.bytesPerValue + waiting.bytesPerValue + lost.bytesPerValue + least.bytesPerValue + largest.bytesPerValue
            + oldest.bytesPerValue
            + coarseness.bytesPerValue + ends.bytesPerValue
    }
    var storedBytes: Int { bytes.capacity + columns.reduce(0) { $0 + $1.bytes } }

    mutating func add(_ histogram: SpanHistogram, _ code: [UInt8], coarseness bits: Int) {
        if isEmpty { pooled = histogram } else { pooled.merge(histogram) }
        arrived.append(Int128(histogram.count))
        waiting.append(Int128(histogram.waiting))
        lost.append(Int128(histogram.lost))
        least.append(histogram.count > 0 ? Int128(histogram.least) : 0)
        largest.append(Int128(max(histogram.largest, 0)))
        oldest.append(Int128(max(histogram.oldest, 0)))
        coarseness.append(Int128(bits))
        bytes.reserveTightly(for: code.count)
        bytes += code
        ends.append(Int128(bytes.count))
    }

    /// Appends the replicas of the other.
    mutating func append(_ other: Self) {
        pooled.merge(other.pooled)
        arrived.append(other.arrived)
        waiting.append(other.waiting)
        lost.append(other.lost)
        least.append(other.least)
        largest.append(other.largest)
        oldest.append(other.oldest)
        coarseness.append(other.coarseness)
        let start = bytes.count
        bytes.reserveTightly(for: other.bytes.count)
        bytes += other.bytes
        for index in 0..<other.count { ends.append(Int128(start) + other.ends[index]) }
    }

    /// Encodes the non-empty buckets in order. Each is: the distance to the last bucket with a flag for waiting
    /// samples, the arrived count, and the waiting count if there is one. Numbers are variable-length. The middle of a
    /// coarsened bucket stands for all its buckets.
    static func code(_ histogram: SpanHistogram, coarseness bits: Int) -> [UInt8] {
        // Most sample families of most replicas are empty.
        guard histogram.count > 0 || histogram.waiting > 0 else { return [] }
        var code: [UInt8] = []
        var last = 0
        var open = (bucket: -1, arrived: Int64(0), aged: Int64(0))
        func close() {
            guard open.bucket >= 0 else { return }
            write(UInt64(open.bucket - last) << 1 | (open.aged > 0 ? 1 : 0), &code)
            write(UInt64(open.arrived), &code)
            if open.aged > 0 { write(UInt64(open.aged), &code) }
            last = open.bucket
        }
        histogram.forEachBucket { (bucket: Int, arrived: Int64, aged: Int64) in
            let bucket = bits == 0 ? bucket : ((bucket >> bits) << bits) + (1 << (bits - 1))
            if bucket != open.bucket {
                close()
                open = (bucket, 0, 0)
            }
            open.arrived += arrived
            open.aged += aged
        }
        close()
        return code
    }

    private static func write(_ number: UInt64, _ code: inout [UInt8]) {
        var number = number
        while number > 127 {
            code.append(UInt8(number & 127) | 128)
            number >>= 7
        }
        code.append(UInt8(number))
    }

    /// Calls `body` for every non-empty bucket, replica by replica.
    func forEach(_ body: (_ replica: Int, _ bucket: Int, _ arrived: Int64, _ aged: Int64) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            func read() -> UInt64 {
                var (number, shift) = (UInt64(0), UInt64(0))
                while bytes[place] > 127 {
                    number |= UInt64(bytes[place] & 127) << shift
                    shift += 7
                    place += 1
                }
                number |= UInt64(bytes[place]) << shift
                place += 1
                return number
            }
            for replica in 0..<count {
                let end = Int(ends[replica])
                var bucket = 0
                while place < end {
                    let step = read()
                    bucket += Int(step >> 1)
                    let arrived = Int64(read())
                    body(replica, bucket, arrived, step & 1 == 1 ? Int64(read()) : 0)
                }
            }
        }
    }
}
