/// Storage for many byte strings, each in a chain of equally long blocks. Blocks are cut from large chunks.
///
/// Every free block serves every string. The strings of a herd grow and shrink together: with one contiguous block for
/// each string, the freed blocks were too short for the next strings, and more than half of the memory was unused.
struct BlockChains: ~Copyable {
    /// A string: the number of its first block, counted over all chunks. Each block begins with the number of the next
    /// one, or 0 in the last block.
    struct Chain: BitwiseCopyable {
        /// 0 if nothing is stored.
        fileprivate(set) var first: UInt32 = 0

        var isStored: Bool { first != 0 }
    }

    /// Length of a block in bytes. Shorter blocks waste less memory at the end of a string, but take more instructions.
    static let blockBytes = 128
    private static let linkBytes = MemoryLayout<UInt32>.size
    /// Number of bytes of a string that one block holds.
    static let contentBytes = blockBytes - linkBytes
    private static let blocksPerChunk: UInt32 = 1 << 13

    private var chunks: [UnsafeMutableRawPointer] = []
    /// Number of blocks that were cut from the chunks, free or not. The first block has the number 1.
    private(set) var blockCount: UInt32 = 0
    /// The first free block; 0 if there is none. The free blocks form a chain.
    private var firstFree: UInt32 = 0

    deinit { for chunk in chunks { chunk.deallocate() } }

    /// Copies `count` bytes from `source` to the chain, in place of its previous content. The chain gets as many blocks
    /// as it needs.
    /// - Parameter source: The bytes of the string, and `contentBytes` bytes after them: the last block is copied to its
    ///   end.
    mutating func store(_ source: UnsafeRawPointer, count: Int, in chain: inout Chain) {
        if !chain.isStored { chain.first = takeBlock() }
        var block = address(chain.first)
        var stored = 0
        while true {
            (block + Self.linkBytes).copyMemory(from: source + stored, byteCount: Self.contentBytes)
            stored &+= Self.contentBytes
            guard stored < count else { break }
            if next(block) == 0 { setNext(block, takeBlock()) }
            block = address(next(block))
        }
        free(from: next(block))
        setNext(block, 0)
    }

    /// Copies the string of a chain to `target`. The rest of the last block is copied, too.
    /// - Parameter target: The memory for the string, and for `contentBytes` bytes after it.
    func load(_ chain: Chain, into target: UnsafeMutableRawPointer) {
        var (target, number) = (target, chain.first)
        while number != 0 {
            let block = address(number)
            target.copyMemory(from: block + Self.linkBytes, byteCount: Self.contentBytes)
            target += Self.contentBytes
            number = next(block)
        }
    }

    /// Frees the blocks of a chain.
    mutating func remove(_ chain: inout Chain) {
        free(from: chain.first)
        chain = Chain()
    }

    /// Returns a block without a successor.
    private mutating func takeBlock() -> UInt32 {
        guard firstFree == 0 else {
            let number = firstFree
            firstFree = next(address(number))
            setNext(address(number), 0)
            return number
        }
        if blockCount == UInt32(chunks.count) * Self.blocksPerChunk {
            chunks.append(.allocate(byteCount: Int(Self.blocksPerChunk) * Self.blockBytes, alignment: 64))
        }
        blockCount += 1
        setNext(address(blockCount), 0)
        return blockCount
    }

    /// Frees this block and all that follow it in its chain.
    private mutating func free(from first: UInt32) {
        guard first != 0 else { return }
        var last = address(first)
        while next(last) != 0 { last = address(next(last)) }
        setNext(last, firstFree)
        firstFree = first
    }

    @inline(__always)
    private func next(_ block: UnsafeMutableRawPointer) -> UInt32 { block.load(as: UInt32.self) }

    @inline(__always)
    private func setNext(_ block: UnsafeMutableRawPointer, _ number: UInt32) {
        block.storeBytes(of: number, as: UInt32.self)
    }

    @inline(__always)
    private func address(_ number: UInt32) -> UnsafeMutableRawPointer {
        let index = number &- 1
        return chunks[Int(index / Self.blocksPerChunk)] + Int(index % Self.blocksPerChunk) &* Self.blockBytes
    }
}
