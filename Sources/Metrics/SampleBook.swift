/// The samples of one kind over the replicas of a strategy: all together, exactly, and those of each replica as a row of bytes,
/// for the resamples of an interval.
struct SampleBook: Sendable {
    /// Of all replicas.
    private(set) var pooled = SpanHistogram()
    /// Of each replica: what its histogram knows exactly. Of no sample the largest is 0, and so is the least.
    private(set) var arrived = Column()
    private(set) var waiting = Column()
    private(set) var lost = Column()
    private(set) var least = Column()
    private(set) var largest = Column()
    private(set) var oldest = Column()
    /// By how many bits the buckets of a replica are coarser than they were.
    private(set) var coarseness = Column()
    private var ends = Column()
    private var bytes: [UInt8] = []

    var count: Int { ends.count }
    var isEmpty: Bool { pooled.count + pooled.waiting + pooled.lost == 0 }

    /// No replica's buckets are coarser than they were.
    var isFine: Bool { coarseness.sum == 0 }

    /// How long the rows are together.
    var length: Int { bytes.count }

    private var columns: [Column] { [arrived, waiting, lost, least, largest, oldest, coarseness, ends] }
    // Asked of each book for each replica: not of a list of columns, which would be made for it.
    var bytesEach: Int {
        arrived.bytesEach + waiting.bytesEach + lost.bytesEach + least.bytesEach + largest.bytesEach + oldest.bytesEach
            + coarseness.bytesEach + ends.bytesEach
    }
    var keptBytes: Int { bytes.capacity + columns.reduce(0) { $0 + $1.bytes } }

    mutating func add(_ histogram: SpanHistogram, _ code: [UInt8], coarseness bits: Int) {
        if isEmpty { pooled = histogram } else { pooled.merge(histogram) }
        arrived.append(Int128(histogram.count))
        waiting.append(Int128(histogram.waiting))
        lost.append(Int128(histogram.lost))
        least.append(histogram.count > 0 ? Int128(histogram.least) : 0)
        largest.append(Int128(max(histogram.largest, 0)))
        oldest.append(Int128(max(histogram.oldest, 0)))
        coarseness.append(Int128(bits))
        bytes.makeRoom(for: code.count)
        bytes += code
        ends.append(Int128(bytes.count))
    }

    /// Those of the other come behind.
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
        bytes.makeRoom(for: other.bytes.count)
        bytes += other.bytes
        for index in 0..<other.count { ends.append(Int128(start) + other.ends[index]) }
    }

    /// Buckets that are not empty, in order: the distance to the last one and whether anything waits in it, how many arrived, and
    /// how many wait if any. Of coarser buckets the middle one stands for all.
    static func code(_ histogram: SpanHistogram, coarseness bits: Int) -> [UInt8] {
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

    /// Every bucket of every replica that is not empty, replica by replica.
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
