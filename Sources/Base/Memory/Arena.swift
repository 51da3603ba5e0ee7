/// A block of memory (arena) in which all parts of one owner are allocated, side by side in order of allocation. Owners
/// with the same allocation order have the same parts at the same offsets. The whole owner can therefore be saved as
/// plain bytes and restored later.
package struct Arena: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let bytes: Int
    private let top: UnsafeMutablePointer<Int>

    /// Minimum alignment of an allocation, in bytes.
    package static let alignment = 16
    /// Size in bytes to a multiple of which the used length is rounded up.
    package static let blockSize = 64

    /// Allocates the memory of an arena.
    /// - Parameter alignment: The largest alignment that any part needs.
    package init(bytes: Int, alignment: Int = blockSize) {
        self.bytes = Self.rounded(bytes, to: Self.blockSize)
        base = .allocate(byteCount: self.bytes, alignment: max(alignment, Self.blockSize))
        base.initializeMemory(as: UInt8.self, repeating: 0, count: self.bytes)
        top = .allocate(capacity: 1)
        top.initialize(to: 0)
    }

    deinit {
        base.deallocate()
        top.deallocate()
    }

    /// The allocator that places parts in this arena.
    package var allocator: ArenaAllocator { ArenaAllocator(base: base, bytes: bytes, top: top) }
    /// The used memory: the bytes from the start to the end of the last allocation, rounded up to whole blocks.
    package var used: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: Self.rounded(top.pointee, to: Self.blockSize))
    }

    /// Sets every used byte to zero; later allocations begin at the given position. The parts that were there must be
    /// destroyed already.
    /// - Parameter kept: Allocations before this position keep their addresses. Their bytes are set to zero, too.
    package func clear(keeping kept: Position) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: top.pointee)
        top.pointee = kept.end
    }

    /// Position of the end of the last allocation.
    package var position: Position { Position(end: top.pointee) }

    package struct Position: BitwiseCopyable, Sendable {
        fileprivate let end: Int
    }

    fileprivate static func rounded(_ bytes: Int, to step: Int) -> Int { (bytes + step - 1) / step * step }
}

/// Allocates memory from an arena, a block of memory for all parts of one owner. Valid only while the arena exists.
@usableFromInline package struct ArenaAllocator: BitwiseCopyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let bytes: Int
    private let top: UnsafeMutablePointer<Int>

    fileprivate init(base: UnsafeMutableRawPointer, bytes: Int, top: UnsafeMutablePointer<Int>) {
        self.base = base
        self.bytes = bytes
        self.top = top
    }

    @usableFromInline package func allocate<Part: ~Copyable>(of type: Part.Type, _ count: Int = 1)
        -> UnsafeMutablePointer<Part>
    {
        allocate(bytes: MemoryLayout<Part>.stride * count, alignment: MemoryLayout<Part>.alignment)
            .bindMemory(to: type, capacity: count)
    }

    package func allocate(bytes count: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let from = Arena.rounded(top.pointee, to: alignment)
        let end = Arena.rounded(from + count, to: Arena.alignment)
        precondition(end <= bytes, "an arena of \(bytes) B has no room for \(count) B more")
        precondition(Int(bitPattern: base) % alignment == 0, "the arena is not aligned to \(alignment) B")
        top.pointee = end
        return base + from
    }
}
