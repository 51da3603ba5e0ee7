/// How often each replica counts.
struct Weights {
    private let counts: UnsafeBufferPointer<UInt8>
    /// The replicas, each so often; nil where there are too many.
    private let names: UnsafeBufferPointer<UInt8>?

    static let mostNamed = 256

    init(_ counts: UnsafeBufferPointer<UInt8>, named names: UnsafeBufferPointer<UInt8>? = nil) {
        self.counts = counts
        self.names = names
    }

    var count: Int { counts.count }

    @inline(__always) subscript(replica: Int) -> UInt8 { counts[replica] }

    /// Of a number of each replica, as often as it counts.
    @inline(__always) func sum(_ numbers: UnsafePointer<Int64>) -> Int64 {
        var sum: Int64 = 0
        if let names {
            for name in names { sum &+= numbers[Int(name)] }
        } else {
            for replica in counts.indices { sum &+= numbers[replica] &* Int64(counts[replica]) }
        }
        return sum
    }
}
