/// The far part of the queue: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path
/// problem", Journal of the ACM 37(2), 1990) in base 64. An entry lies on the level of the highest digit in which its key
/// differs from `base`, on the shelf of that digit. So the lowest shelf of the lowest level holds the smallest keys, and a
/// shelf that is opened sends its entries only to lower levels. Nothing on a shelf is in order: filing is one store.
///
/// Rejected: linked lists through the lanes (a wheel as in operating systems), because each step is a cache miss once
/// the lanes outgrow the cache; and a heap, which loses from 1,000 keys on.
struct Shelves: ~Copyable {
    /// So many entries are sorted at once rather than dealt out further.
    static let sortable = 32
    /// The lanes of so many entries fit into a second-level cache: dealing out a shelf of that size asks every lane
    /// whether the entry still stands, which also warms the lane for the moment it is popped.
    private static let warmable = 2_048

    /// No key on a shelf is below it.
    private(set) var base = DueKey.zero
    private var pool: ChunkPool
    /// For each shelf its chain in the pool.
    private let ends: UnsafeMutablePointer<UInt32>
    /// For each level one bit per shelf that is not empty.
    private let occupied: UnsafeMutablePointer<UInt64>
    /// One bit per level that is not empty.
    private var levels: UInt32 = 0

    private static let count = DueKey.levels * DueKey.base

    init(entries: Int) {
        pool = ChunkPool(entries: entries, chains: Self.count)
        ends = .allocate(capacity: Self.count)
        ends.initialize(repeating: 0, count: Self.count)
        occupied = .allocate(capacity: DueKey.levels)
        occupied.initialize(repeating: 0, count: DueKey.levels)
    }

    deinit {
        ends.deallocate()
        occupied.deallocate()
    }

    /// Puts an entry, not below `base`, on its shelf.
    @inline(__always) mutating func file(_ entry: DueEntry) {
        let key = entry.key
        let level = key.highestDifference(from: base)
        file(entry, level, key.digit(level))
    }

    @inline(__always) private mutating func file(_ entry: DueEntry, _ level: Int, _ digit: Int) {
        let shelf = level &* DueKey.base &+ digit
        let end = ends[shelf]
        if ChunkPool.needsChunk(end) { return fileInNewChunk(entry, level, digit) }
        pool.append(entry, at: end)
        ends[shelf] = end &+ 1
    }

    @inline(never) private mutating func fileInNewChunk(_ entry: DueEntry, _ level: Int, _ digit: Int) {
        occupied[level] |= 1 &<< UInt64(truncatingIfNeeded: digit)
        levels |= 1 &<< UInt32(truncatingIfNeeded: level)
        let shelf = level &* DueKey.base &+ digit
        let end = pool.extend(ends[shelf])
        pool.append(entry, at: end)
        ends[shelf] = end &+ 1
    }

    /// Opens the lowest shelf that begins before the limit, and those that it is dealt out to, until one is short enough to
    /// sort: its entries go to the near run, and `base` is where it begins. Answers whether there was one.
    @inline(never)
    mutating func open(before limit: Int64, into near: inout NearRun, asking lanes: inout LaneTable) -> Bool {
        while levels != 0 {
            let level = levels.trailingZeroBitCount
            let digit = occupied[level].trailingZeroBitCount
            let start = base.replacing(level, by: digit)
            guard Int64(bitPattern: start.instant) < limit else { return false }
            base = start
            let chain = takeChain(level, digit)
            if let entries = pool.only(chain), entries.count <= Self.sortable {
                near.fill(entries, end: start.end(ofDigitAt: level))
                pool.release(chain)
                return true
            }
            // Should nothing before the limit come of it, later keys still have to be compared with where `base` is now.
            near.reset(end: start)
            deal(chain, level, asking: &lanes)
        }
        return false
    }

    @inline(__always) private mutating func takeChain(_ level: Int, _ digit: Int) -> UInt32 {
        let shelf = level &* DueKey.base &+ digit
        let chain = ends[shelf]
        ends[shelf] = 0
        let left = occupied[level] & ~(1 &<< UInt64(truncatingIfNeeded: digit))
        occupied[level] = left
        if left == 0 { levels &= levels &- 1 }
        return chain
    }

    /// Spreads a long shelf, which was the lowest, over lower levels.
    @inline(never) private mutating func deal(_ chain: UInt32, _ level: Int, asking lanes: inout LaneTable) {
        if level == 0 {
            keepOne(chain, &lanes)
        } else if pool.isShort(chain, Self.warmable) {
            deal(chain, asking: &lanes)
        } else {
            deal(chain)
        }
    }

    private mutating func deal(_ chain: UInt32) {
        var rest = chain
        while rest != 0 {
            let (entries, before) = pool.last(rest)
            for entry in entries { file(entry) }
            pool.release(rest)
            rest = before
        }
    }

    private mutating func deal(_ chain: UInt32, asking lanes: inout LaneTable) {
        var rest = chain
        while rest != 0 {
            let (entries, before) = pool.last(rest)
            for entry in entries {
                if let standing = lanes.confirm(entry) { file(standing) }
            }
            pool.release(rest)
            rest = before
        }
    }

    /// On the last level all keys of a shelf are one key, left there again and again: one stays.
    private mutating func keepOne(_ chain: UInt32, _ lanes: inout LaneTable) {
        var rest = chain
        var kept: DueEntry?
        var length = 0
        while rest != 0 {
            let (entries, before) = pool.last(rest)
            kept = entries[0]
            length += entries.count
            pool.release(rest)
            rest = before
        }
        if let kept { file(kept) }
        lanes.forgetStale(length - 1)
    }
}

extension Shelves {
    /// Moves `base` back so that `key` can be filed. Undoes what was dealt out too early: every entry on a level below that of the
    /// difference goes back to the one shelf it came from.
    mutating func rewind(to key: DueKey, returning near: inout NearRun) {
        let level = key.highestDifference(from: base)
        let digit = base.digit(level)
        while levels & (1 &<< UInt32(truncatingIfNeeded: level) &- 1) != 0 {
            let lower = levels.trailingZeroBitCount
            var rest = takeChain(lower, occupied[lower].trailingZeroBitCount)
            while rest != 0 {
                let (entries, before) = pool.last(rest)
                for entry in entries { file(entry, level, digit) }
                pool.release(rest)
                rest = before
            }
        }
        while let entry = near.first {
            file(entry, level, digit)
            near.removeFirst()
        }
        base = key.replacing(level, by: key.digit(level))
        near.reset(end: base)
    }

    /// Empties every shelf; `base` stays.
    mutating func removeAll() {
        pool.releaseAll()
        ends.update(repeating: 0, count: Self.count)
        occupied.update(repeating: 0, count: DueKey.levels)
        levels = 0
    }
}
