import CZlib

/// Decompresses gzip input while it is read, in constant memory whatever the unpacked size. It handles files of several
/// members.
final class Gunzip {
    private static let piece = 64 * 1_024

    private let source: ByteSource
    private let input: UnsafeMutableRawBufferPointer
    /// zlib keeps a pointer to this structure, so it must not move.
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

    /// Returns the data that was unpacked before a fault first; throws the fault on the next call.
    func read(_ output: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
        if let failure { throw failure }
        guard isReady else { throw SourceFailure("zlib is out of memory") }
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
            throw SourceFailure("the gzip data is truncated")
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

    /// Starts the next member. Anything else after a member is ignored, as gzip does with the padding of tapes.
    private func beginNextMember() throws(SourceFailure) {
        if stream.pointee.avail_in == 0, try !refill() {
            isOver = true
            return
        }
        if stream.pointee.next_in.pointee == 0x1f {
            guard inflateReset(stream) == Z_OK else { throw SourceFailure("zlib cannot start another member") }
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
