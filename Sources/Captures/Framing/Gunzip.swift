import CZlib

/// gzip, unpacked as it is read: one member behind another, in constant memory, however much comes out of it.
final class Gunzip {
    private static let piece = 64 * 1_024

    private let source: ByteSource
    private let input: UnsafeMutableRawBufferPointer
    /// zlib keeps a pointer to it: it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isReady: Bool
    private var isOver = false
    private var failure: SourceFailure?

    init(_ source: @escaping ByteSource) {
        self.source = source
        input = .allocate(byteCount: Self.piece, alignment: 16)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = deadzone_inflate_init(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
        input.deallocate()
    }

    /// What came out before a fault is handed over first.
    func read(_ output: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
        if let failure { throw failure }
        guard isReady else { throw SourceFailure("zlib has no memory") }
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(output.count)
        do throws(SourceFailure) {
            while stream.pointee.avail_out == output.count, !isOver { try step() }
        } catch {
            failure = error
        }
        let count = output.count - Int(stream.pointee.avail_out)
        if count == 0, let failure { throw failure }
        return count
    }

    private func step() throws(SourceFailure) {
        if stream.pointee.avail_in == 0, try !refill() {
            throw SourceFailure("the gzip data ends before its end")
        }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_OK: break
        case Z_STREAM_END: try beginNextMember()
        case Z_BUF_ERROR where stream.pointee.avail_in == 0: break
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "unknown"
            throw SourceFailure("the gzip data is damaged (zlib: \(reason))")
        }
    }

    /// Behind a member comes another, or what is none and is ignored, as gzip does with the padding of tapes.
    private func beginNextMember() throws(SourceFailure) {
        if stream.pointee.avail_in == 0, try !refill() {
            isOver = true
            return
        }
        if stream.pointee.next_in.pointee == 0x1f {
            guard inflateReset(stream) == Z_OK else { throw SourceFailure("zlib cannot begin another member") }
        } else {
            isOver = true
        }
    }

    private func refill() throws(SourceFailure) -> Bool {
        let count = try source(input)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(max(count, 0))
        return count > 0
    }
}
