/// A stretch of memory in which the parts of one owner lie side by side, in the order in which they ask for their places. Owners who ask
/// alike have the same parts at the same places: what one of them consists of can be carried away as plain bytes, and laid out again.
public struct Ground: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let bytes: Int
    private let top: UnsafeMutablePointer<Int>

    /// Places are at least as even as this.
    public static let alignment = 16
    /// What is used are whole blocks of so many bytes.
    public static let block = 64

    /// - Parameter alignment: No part wants its place more even than this.
    public init(bytes: Int, alignment: Int = block) {
        self.bytes = Self.rounded(bytes, to: Self.block)
        base = .allocate(byteCount: self.bytes, alignment: max(alignment, Self.block))
        base.initializeMemory(as: UInt8.self, repeating: 0, count: self.bytes)
        top = .allocate(capacity: 1)
        top.initialize(to: 0)
    }

    deinit {
        base.deallocate()
        top.deallocate()
    }

    /// What asks for places here.
    public var surveyor: Surveyor { Surveyor(base: base, bytes: bytes, top: top) }
    /// From its beginning to the end of the last place, in whole blocks.
    public var used: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: Self.rounded(top.pointee, to: Self.block))
    }

    /// Every byte is zero, and places are handed out again from the first one that is not kept. What lay there is gone already.
    /// - Parameter kept: So many of the first places stay where they are, however many bytes they have.
    public func clear(keeping kept: Mark) {
        base.initializeMemory(as: UInt8.self, repeating: 0, count: top.pointee)
        top.pointee = kept.end
    }

    /// Behind the last place that was handed out so far.
    public var mark: Mark { Mark(end: top.pointee) }

    public struct Mark: BitwiseCopyable, Sendable {
        fileprivate let end: Int
    }

    fileprivate static func rounded(_ bytes: Int, to step: Int) -> Int { (bytes + step - 1) / step * step }
}

/// Hands out the places of a ground. Good for as long as the ground is.
public struct Surveyor: BitwiseCopyable, @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let bytes: Int
    private let top: UnsafeMutablePointer<Int>

    fileprivate init(base: UnsafeMutableRawPointer, bytes: Int, top: UnsafeMutablePointer<Int>) {
        self.base = base
        self.bytes = bytes
        self.top = top
    }

    public func place<Part: ~Copyable>(of type: Part.Type, _ count: Int = 1) -> UnsafeMutablePointer<Part> {
        place(bytes: MemoryLayout<Part>.stride * count, alignment: MemoryLayout<Part>.alignment)
            .bindMemory(to: type, capacity: count)
    }

    public func place(bytes count: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let from = Ground.rounded(top.pointee, to: alignment)
        let end = Ground.rounded(from + count, to: Ground.alignment)
        precondition(end <= bytes, "a ground of \(bytes) B has no room for \(count) more")
        precondition(Int(bitPattern: base) % alignment == 0, "a part wants its place as even as \(alignment)")
        top.pointee = end
        return base + from
    }
}
