/// A sliding read buffer over a capture file, of constant size whatever lengths the file claims.
struct ReadWindow: ~Copyable {
    /// Largest contiguous view. A packet of 256 KiB, the largest that libpcap and Wireshark accept of the link types
    /// read here, fits with its options.
    static let capacity = 512 * 1_024
    /// Bytes requested from the source at once. A larger read would leave the second-level cache before it is
    /// processed.
    private static let readSize = 256 * 1_024

    private let storage: UnsafeMutableRawPointer
    private let source: ByteSource
    private var start = 0
    private var end = 0
    private var isOver = false
    /// Bytes received from the source.
    private var bytesRead: UInt64 = 0
    private(set) var failure: SourceFailure?

    init(_ source: @escaping ByteSource) {
        self.source = source
        storage = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit { storage.deallocate() }

    /// Offset of `bytes` in the whole input.
    var offset: UInt64 { bytesRead &- UInt64(end - start) }

    /// Bytes that were read and not consumed yet. Invalid after the next call that changes the window.
    var bytes: Bytes {
        @inline(__always) get { Bytes(UnsafeRawPointer(storage) + start, count: end &- start) }
    }

    /// Makes at least `count` bytes available. Returns `false` if the source ends first.
    @inline(__always) mutating func ensureAvailable(_ count: Int) -> Bool { end &- start >= count || fill(count) }

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
        let room = min(Self.readSize, Self.capacity - end)
        do throws(SourceFailure) {
            let count = try source(UnsafeMutableRawBufferPointer(start: storage + end, count: room))
            precondition(count <= room, "\(count) bytes read into \(room)")
            isOver = count <= 0
            end += max(count, 0)
            bytesRead &+= UInt64(max(count, 0))
        } catch {
            failure = error
            isOver = true
        }
    }

    /// Consumes a header and the bytes after it, which are available, and returns those bytes.
    @inline(__always) mutating func consume(header: Int, _ count: Int) -> Bytes {
        let bytes = Bytes(UnsafeRawPointer(storage) + start + header, count: count)
        consume(header &+ count)
        return bytes
    }

    /// Consumes bytes that are available.
    @inline(__always) mutating func consume(_ count: Int) {
        assert(count <= end - start, "passing \(count) of \(end - start)")
        start &+= count
    }

    /// Skips bytes, available or not. Returns `false` if the source ends first. They are read and dropped because a
    /// pipe cannot seek.
    mutating func skip(_ count: UInt64) -> Bool {
        var rest = count
        while rest > 0 {
            if end == start, !ensureAvailable(1) { return false }
            let step = Int(min(rest, UInt64(end - start)))
            consume(step)
            rest -= UInt64(step)
        }
        return true
    }
}
