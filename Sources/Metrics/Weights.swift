/// The number of times that each replica was drawn in one bootstrap resample.
struct Weights {
    private let counts: UnsafeBufferPointer<UInt8>
    /// The drawn replicas, each as often as it was drawn. `nil` if there are too many replicas to index by a byte.
    private let drawnReplicas: UnsafeBufferPointer<UInt8>?

    static let maxListedReplicas = 256

    init(_ counts: UnsafeBufferPointer<UInt8>, named names: UnsafeBufferPointer<UInt8>? = nil) {
        self.counts = counts
        self.drawnReplicas = names
    }

    var count: Int { counts.count }

    @inline(__always) subscript(replica: Int) -> UInt8 { counts[replica] }

    /// Weighted sum of one number per replica.
    @inline(__always) func sum(_ numbers: UnsafePointer<Int64>) -> Int64 {
        var sum: Int64 = 0
        if let drawnReplicas {
            for name in drawnReplicas { sum &+= numbers[Int(name)] }
        } else {
            for replica in counts.indices { sum &+= numbers[replica] &* Int64(counts[replica]) }
        }
        return sum
    }
}
