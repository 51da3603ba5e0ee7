/// Chains of chunks that share one block of memory, so that chains grow and shrink without the allocator. A chain is written
/// down as its end: one past its last entry in the block, 0 for the empty chain. At a multiple of the chunk size the last
/// chunk is full.
///
/// The pool owns its two buffers and frees them when it goes; no pointer leaves it.
struct ChunkPool: ~Copyable {
    /// Entries in a chunk: 2 KiB, long enough for the processor to read ahead.
    static let chunk = 128

    /// Chunks lie a cache line further apart than they are long: at a power of two their beginnings, which is all that a
    /// nearly empty queue uses, would push each other out of the cache.
    private static let stride = chunk + 4
    private let entries: UnsafeMutablePointer<DueEntry>
    /// For each chunk the one before it in its chain, or the next free one.
    private let previous: UnsafeMutablePointer<UInt32>
    private var free: UInt32
    private let chunks: Int

    private static let none = UInt32.max

    /// Room for so many entries at once in at most so many chains. One chunk more is in use while a chain is emptied into
    /// others, and one for the chain itself.
    init(entries count: Int, chains: Int) {
        chunks = min(count, count / Self.chunk + chains) + 2
        precondition(chunks * Self.stride <= UInt32.max, "positions have 32 bits, too few for \(count) entries")
        entries = .allocate(capacity: chunks * Self.stride)
        previous = .allocate(capacity: chunks)
        free = Self.none
        releaseAll()
    }

    deinit {
        entries.deallocate()
        previous.deallocate()
    }

    static func needsChunk(_ end: UInt32) -> Bool { end & UInt32(chunk - 1) == 0 }

    /// Lengthens a chain whose last chunk is full, or that is empty, by an empty chunk.
    mutating func extend(_ end: UInt32) -> UInt32 {
        let taken = free
        precondition(taken != Self.none, "\(chunks) chunks hold all that the pool was made for")
        free = previous[Int(taken)]
        previous[Int(taken)] = end == 0 ? Self.none : Self.lastChunk(end)
        return taken &* UInt32(Self.chunk)
    }

    /// Writes behind a chain whose last chunk has room.
    func append(_ entry: DueEntry, at end: UInt32) {
        entries[Int(end &+ end / UInt32(Self.chunk) &* UInt32(Self.stride &- Self.chunk))] = entry
    }

    /// Whether a chain that is not empty has at most so many entries; exact below a chunk, else rounded up to whole chunks.
    func isShort(_ end: UInt32, _ limit: Int) -> Bool {
        var chunk = Self.lastChunk(end)
        var length = Int(end) &- Int(chunk) &* Self.chunk
        while length <= limit {
            if previous[Int(chunk)] == Self.none { return true }
            chunk = previous[Int(chunk)]
            length &+= Self.chunk
        }
        return false
    }

    /// The entries of a chain that is not empty and no longer than one chunk.
    @inline(__always) func only(_ end: UInt32) -> UnsafeBufferPointer<DueEntry>? {
        let chunk = Int(Self.lastChunk(end))
        guard previous[chunk] == Self.none else { return nil }
        return UnsafeBufferPointer(start: entries + chunk &* Self.stride, count: Int(end) &- chunk &* Self.chunk)
    }

    /// The last chunk of a chain that is not empty, to be read before it is released, and the chain without it.
    @inline(__always) func last(_ end: UInt32) -> (entries: UnsafeBufferPointer<DueEntry>, rest: UInt32) {
        let chunk = Int(Self.lastChunk(end))
        let before = previous[chunk]
        return (
            UnsafeBufferPointer(start: entries + chunk &* Self.stride, count: Int(end) &- chunk &* Self.chunk),
            before == Self.none ? 0 : (before &+ 1) &* UInt32(Self.chunk)
        )
    }

    /// Gives the last chunk of a chain back.
    @inline(__always) mutating func release(_ end: UInt32) {
        let chunk = Self.lastChunk(end)
        previous[Int(chunk)] = free
        free = chunk
    }

    /// Forgets every chain.
    mutating func releaseAll() {
        for index in 0..<chunks { previous[index] = index + 1 == chunks ? Self.none : UInt32(index + 1) }
        free = 0
    }

    private static func lastChunk(_ end: UInt32) -> UInt32 { (end &- 1) / UInt32(chunk) }
}
