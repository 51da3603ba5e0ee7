/// A radix heap in growing arrays, one for each digit of each level, with nothing around it: keys must not come before the
/// last one taken, none can be moved or taken back, lanes are not known. The quickest structure for the hold model that we
/// found, and the measure of what the queue's further promises cost. It owns its buffers.
struct BareRadix: ~Copyable {
    private struct Bucket {
        var keys: UnsafeMutablePointer<BareKey>?
        var count = 0
        var capacity = 0
    }

    private static let levels = 17
    private let buckets: UnsafeMutablePointer<Bucket>
    private let occupied: UnsafeMutablePointer<UInt64>
    private var levels: UInt32 = 0
    private var baseAt: UInt64 = 0
    private var baseLane: UInt64 = 0
    /// The bucket that was opened last, in order, and where it ends.
    private let near: UnsafeMutablePointer<BareKey>
    private var head = 0
    private var tail = 0
    private var end = BareKey(at: 0, lane: 0)

    private static let sortable = 32

    init() {
        buckets = .allocate(capacity: Self.levels * 64)
        buckets.initialize(repeating: Bucket(), count: Self.levels * 64)
        occupied = .allocate(capacity: Self.levels)
        occupied.initialize(repeating: 0, count: Self.levels)
        near = .allocate(capacity: 4_096)
    }

    deinit {
        for index in 0..<Self.levels * 64 { buckets[index].keys?.deallocate() }
        buckets.deallocate()
        occupied.deallocate()
        near.deallocate()
    }

    @inline(__always) mutating func push(_ key: BareKey) {
        if BareKey.precedes(key, end) { insertNear(key) } else { file(key) }
    }

    @inline(__always) mutating func pop() -> BareKey {
        while head == tail { open() }
        head &+= 1
        return near[head &- 1]
    }

    @inline(__always) private mutating func insertNear(_ key: BareKey) {
        precondition(tail < 4_096, "too many keys of one bucket for a loop without spilling")
        var place = tail
        while place > head, BareKey.precedes(key, near[place &- 1]) {
            near[place] = near[place &- 1]
            place &-= 1
        }
        near[place] = key
        tail &+= 1
    }

    @inline(__always) private mutating func file(_ key: BareKey) {
        let time = UInt64(bitPattern: key.at)
        let difference = time ^ baseAt
        let level: Int
        let digit: UInt64
        if difference != 0 {
            let place = ((63 &- difference.leadingZeroBitCount) &* 43) &>> 8
            level = place &+ 6
            digit = time &>> UInt64(truncatingIfNeeded: place &* 6) & 63
        } else {
            let lane = UInt64(key.lane)
            level = ((63 &- (lane ^ baseLane | 1).leadingZeroBitCount) &* 43) &>> 8
            digit = lane &>> UInt64(truncatingIfNeeded: level &* 6) & 63
        }
        let index = level &* 64 &+ Int(truncatingIfNeeded: digit)
        if buckets[index].count == buckets[index].capacity { grow(index) }
        buckets[index].keys![buckets[index].count] = key
        buckets[index].count &+= 1
        occupied[level] |= 1 &<< digit
        levels |= 1 &<< UInt32(truncatingIfNeeded: level)
    }

    @inline(never) private mutating func grow(_ index: Int) {
        let bucket = buckets[index]
        let capacity = max(16, bucket.capacity * 2)
        let keys = UnsafeMutablePointer<BareKey>.allocate(capacity: capacity)
        if let old = bucket.keys {
            keys.update(from: old, count: bucket.count)
            old.deallocate()
        }
        buckets[index].keys = keys
        buckets[index].capacity = capacity
    }

    /// Deals the lowest bucket out, or sorts it into `near` when it is small.
    @inline(never) private mutating func open() {
        let level = levels.trailingZeroBitCount
        let digit = occupied[level].trailingZeroBitCount
        let index = level &* 64 &+ digit
        let bucket = buckets[index]
        buckets[index].count = 0
        occupied[level] &= ~(1 &<< UInt64(digit))
        if occupied[level] == 0 { levels &= ~(1 &<< UInt32(level)) }
        move(to: UInt64(digit), level)
        if bucket.count > Self.sortable && level > 0 {
            for place in 0..<bucket.count { file(bucket.keys![place]) }
            return
        }
        head = 0
        tail = 0
        for place in 0..<bucket.count { insertNear(bucket.keys![place]) }
    }

    /// The base becomes the beginning of a bucket, and `end` its end; the last lane of all has no bucket behind it.
    @inline(__always) private mutating func move(to digit: UInt64, _ level: Int) {
        let shift = UInt64((level >= 6 ? level &- 6 : level) &* 6)
        let above: UInt64 = ~0 &<< shift & ~(63 &<< shift)
        if level >= 6 {
            baseAt = baseAt & above | digit &<< shift
            baseLane = 0
            end = BareKey(at: Int64(bitPattern: baseAt &+ 1 &<< shift), lane: 0)
        } else {
            baseLane = baseLane & above | digit &<< shift
            end = BareKey(at: Int64(bitPattern: baseAt), lane: UInt32(truncatingIfNeeded: baseLane &+ 1 &<< shift))
        }
    }
}
