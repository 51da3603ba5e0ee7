/// The heap key of the benchmarks' minimal reference loops: a time and a client number.
struct BareKey: BitwiseCopyable {
    var at: Int64
    var client: UInt32

    @inline(__always) static func precedes(_ a: Self, _ b: Self) -> Bool {
        a.at < b.at || (a.at == b.at && a.client < b.client)
    }
}

/// A minimal 4-ary heap (priority queue) for the reference loops that benchmarks are compared with. It is stored in one
/// array, the structure that most simulators use, and owns its buffer.
struct BareHeap: ~Copyable {
    private let keys: UnsafeMutablePointer<BareKey>
    private var count = 0

    init(capacity: Int) { keys = .allocate(capacity: capacity) }

    deinit { keys.deallocate() }

    @inline(__always) var top: BareKey { keys[0] }

    @inline(__always) mutating func push(_ key: BareKey) {
        var place = count
        count &+= 1
        while place > 0 {
            let parent = (place &- 1) &>> 2
            guard BareKey.precedes(key, keys[parent]) else { break }
            keys[place] = keys[parent]
            place = parent
        }
        keys[place] = key
    }

    @inline(__always) mutating func replaceTop(by key: BareKey) {
        var place = 0
        while true {
            let first = 4 &* place &+ 1
            guard first < count else { break }
            var least = first
            var child = first &+ 1
            let end = min(first &+ 4, count)
            while child < end {
                if BareKey.precedes(keys[child], keys[least]) { least = child }
                child &+= 1
            }
            guard BareKey.precedes(keys[least], key) else { break }
            keys[place] = keys[least]
            place = least
        }
        keys[place] = key
    }
}
