/// The part of a file that is being looked at: of constant size, whatever lengths the file claims.
struct Window: ~Copyable {
    /// The most that can be looked at in one piece. A packet of 256 KiB, the largest that libpcap and Wireshark accept of the
    /// link types read here, fits with its options.
    static let capacity = 512 * 1_024
    /// What is asked of the source at once: more falls out of the second-level cache before it is read.
    private static let piece = 256 * 1_024

    private let storage: UnsafeMutableRawPointer
    private let source: ByteSource
    private var start = 0
    private var end = 0
    private var isOver = false
    /// Bytes that the source has given.
    private var given: UInt64 = 0
    private(set) var failure: SourceFailure?

    init(_ source: @escaping ByteSource) {
        self.source = source
        storage = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit { storage.deallocate() }

    /// Where in the whole these bytes begin.
    var offset: UInt64 { given &- UInt64(end - start) }

    /// What has been read and not been passed yet. Gone with the next call that changes the window.
    var bytes: Bytes {
        @inline(__always) get { Bytes(UnsafeRawPointer(storage) + start, count: end &- start) }
    }

    /// Makes so many bytes visible; false where the source ends before them.
    @inline(__always) mutating func hold(_ count: Int) -> Bool { end &- start >= count || fill(count) }

    @inline(never) private mutating func fill(_ count: Int) -> Bool {
        precondition(count <= Self.capacity, "\(count) bytes at once")
        if start > 0 {
            storage.copyMemory(from: storage + start, byteCount: end - start)
            end -= start
            start = 0
        }
        while end < count, !isOver { readMore() }
        return end >= count
    }

    private mutating func readMore() {
        let room = min(Self.piece, Self.capacity - end)
        do throws(SourceFailure) {
            let count = try source(UnsafeMutableRawBufferPointer(start: storage + end, count: room))
            precondition(count <= room, "\(count) bytes read into \(room)")
            isOver = count <= 0
            end += max(count, 0)
            given &+= UInt64(max(count, 0))
        } catch {
            failure = error
            isOver = true
        }
    }

    /// Passes bytes that are visible.
    @inline(__always) mutating func pass(_ count: Int) {
        assert(count <= end - start, "passing \(count) of \(end - start)")
        start &+= count
    }

    /// Passes bytes that need not be visible; false where the source ends before them. They are read and dropped: a pipe
    /// cannot be sought in.
    mutating func skip(_ count: UInt64) -> Bool {
        var rest = count
        while rest > 0 {
            if end == start, !hold(1) { return false }
            let step = Int(min(rest, UInt64(end - start)))
            pass(step)
            rest -= UInt64(step)
        }
        return true
    }
}
