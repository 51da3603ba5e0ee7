/// An allocator for many byte blocks, most of them short, in units of sixteen bytes. Blocks are cut from large chunks.
/// A freed block is reused for a request of the same size, or split for a smaller one. So a million blocks take little
/// more than their own size, and do not each need a call of the system allocator.
struct BlockAllocator: ~Copyable {
    /// An allocated block of memory: consecutive units of sixteen bytes.
    struct MemoryBlock: BitwiseCopyable {
        /// Number of the block's first unit, counted over all chunks; 0 if no block is allocated.
        fileprivate(set) var first: UInt32 = 0
        fileprivate(set) var units: UInt16 = 0

        var isAllocated: Bool { first != 0 }
        var bytes: Int { Int(units) &* BlockAllocator.unit }
    }

    static let unit = 16
    private static let unitsPerChunk = UInt32(1 << 16)
    /// Smallest remainder, in units, that is split off when a free block is longer than requested. A smaller remainder
    /// stays with the block.
    private static let minimumRemainder = 4
    /// Number of block sizes for which one bit mask records whether a free block exists. Larger blocks are rare: they
    /// are reused only for requests of exactly their size.
    private static let indexedSizes = 64

    private var chunks: [UnsafeMutableRawPointer] = []
    /// Number of units that were cut from the chunks. Unit 0 is never allocated.
    private var used: UInt32 = 0
    /// For each block size, the first unit of a free block. The first bytes of that block hold the first unit of the
    /// next free block.
    private var freeLists = Array(repeating: UInt32(0), count: indexedSizes)
    private var nonEmptyLists: UInt64 = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    subscript(_ block: MemoryBlock) -> UnsafeMutableRawPointer { address(block.first) }

    /// Allocates a block of at least this many bytes.
    mutating func allocate(_ bytes: Int) -> MemoryBlock {
        let wanted = Self.units(bytes)
        let found = freeListIndex(forUnits: wanted)
        guard found < freeLists.count, freeLists[found] != 0 else { return carve(wanted) }
        let first = freeLists[found]
        freeLists[found] = address(first).load(as: UInt32.self)
        if freeLists[found] == 0 && found < Self.indexedSizes { nonEmptyLists &= ~(1 &<< UInt64(found)) }
        guard found - wanted >= Self.minimumRemainder else { return MemoryBlock(first: first, units: UInt16(found)) }
        deallocate(MemoryBlock(first: first &+ UInt32(wanted), units: UInt16(found - wanted)))
        return MemoryBlock(first: first, units: UInt16(wanted))
    }

    /// Returns the size of the shortest free block that is long enough; `freeLists.count` if there is none. A size
    /// without a bit in the mask is returned unchanged.
    private func freeListIndex(forUnits wanted: Int) -> Int {
        guard wanted < Self.indexedSizes else { return wanted }
        let longEnough = nonEmptyLists &>> UInt64(wanted)
        return longEnough == 0 ? freeLists.count : wanted + longEnough.trailingZeroBitCount
    }

    /// Frees a block. Its content is lost.
    mutating func deallocate(_ block: MemoryBlock) {
        let units = Int(block.units)
        if units >= freeLists.count { freeLists += Array(repeating: 0, count: units + 1 - freeLists.count) }
        address(block.first).storeBytes(of: freeLists[units], as: UInt32.self)
        freeLists[units] = block.first
        if units < Self.indexedSizes { nonEmptyLists |= 1 &<< UInt64(units) }
    }

    private mutating func carve(_ units: Int) -> MemoryBlock {
        precondition(units < Self.unitsPerChunk, "\(units) steps are no small thing")
        let left = UInt32(chunks.count) * Self.unitsPerChunk - used
        if left < units {
            // The rest of the last chunk is lost, at most the length of one block.
            used = UInt32(chunks.count) * Self.unitsPerChunk
            chunks.append(.allocate(byteCount: Int(Self.unitsPerChunk) * Self.unit, alignment: 64))
            if used == 0 { used = 1 }
        }
        defer { used += UInt32(units) }
        return MemoryBlock(first: used, units: UInt16(units))
    }

    @inline(__always)
    private func address(_ first: UInt32) -> UnsafeMutableRawPointer {
        chunks[Int(first / Self.unitsPerChunk)] + Int(first % Self.unitsPerChunk) &* Self.unit
    }

    private static func units(_ bytes: Int) -> Int { (bytes &+ unit &- 1) / unit }
}
