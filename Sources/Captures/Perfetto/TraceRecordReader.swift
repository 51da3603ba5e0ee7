import CZlib
import DeadzoneBase

/// Splits a Perfetto trace into records, one after the other, and unpacks compressed ones. Memory is constant: a read
/// window, and a second one for the unpacked data.
///
/// A trace is a sequence of length-prefixed `TracePacket` messages in field 1
/// (protos/perfetto/trace/trace.proto of github.com/google/perfetto). `compressed_packets` contains such a sequence in
/// zlib format.
struct TraceRecordReader {
    private static let key: UInt8 = 1 << 3 | 2

    private let inflater = RecordInflater()
    private(set) var records: UInt64 = 0
    private(set) var damaged: UInt64 = 0
    private(set) var tooLong: UInt64 = 0
    private(set) var zstandard: UInt64 = 0
    private(set) var notUnpacked: UInt64 = 0

    /// `true` if the input begins with a record of a Perfetto trace: a length, then fields that fit into it.
    static func isTrace(_ window: inout ReadWindow) -> Bool {
        _ = window.ensureAvailable(1 + Varint.maximumBytes)
        var offset = 1
        guard window.bytes.count > 0, window.bytes[0] == key,
            let length = ProtobufReader.readNumber(window.bytes, &offset), length > 1
        else { return false }
        let end = UInt64(offset) + min(length, UInt64(ReadWindow.capacity))
        // A shorter input has no complete record, so nothing can be read from it.
        guard window.ensureAvailable(Int(min(end, UInt64(TraceLimits.recognition)))) else { return false }
        let bytes = window.bytes
        // A pcapng file that is cut before its byte order. As a record, it would begin with a field that traces lack.
        guard UInt32(littleEndian: bytes.load(0, as: UInt32.self)) != PcapngFraming.BlockType.section else {
            return false
        }
        var fields = 0
        while offset < bytes.count, UInt64(offset) < end {
            guard let key = ProtobufReader.readNumber(bytes, &offset) else { break }
            guard key >> 3 > 0, key >> 3 < TraceLimits.fields else { return false }
            var rest: UInt64 = 0
            switch key & 7 {
            case 0: guard ProtobufReader.readNumber(bytes, &offset) != nil else { return fields > 0 }
            case 1: rest = 8
            case 2:
                guard let part = ProtobufReader.readNumber(bytes, &offset) else { return fields > 0 }
                rest = part
            case 5: rest = 4
            default: return false
            }
            guard UInt64(offset) <= end, rest <= end - UInt64(offset) || length > UInt64(ReadWindow.capacity) else {
                return false
            }
            fields += 1
            guard rest <= UInt64(bytes.count) else { break }
            offset += Int(rest)
        }
        return fields > 0
    }

    /// Reads one record of the file, and passes it on, or the records that it contains if it is compressed. Returns
    /// `false` at the end.
    mutating func next(_ window: inout ReadWindow, _ body: (TraceRecord) -> Void) throws(CaptureFault) -> Bool {
        guard let length = try readLength(&window) else { return false }
        guard length <= UInt64(TraceLimits.record) else {
            tooLong += 1
            guard window.skip(length) else { throw window.truncationFault("a record of the trace", needs: length) }
            return true
        }
        guard window.ensureAvailable(Int(length)) else {
            throw window.truncationFault("a record of the trace", needs: length)
        }
        let bytes = window.bytes.prefix(Int(length))
        deliver(bytes, isNested: false, body)
        window.consume(Int(length))
        return true
    }

    /// Reads the key and the length of a record; `nil` at the end of the file.
    private func readLength(_ window: inout ReadWindow) throws(CaptureFault) -> UInt64? {
        _ = window.ensureAvailable(1 + 10)
        let bytes = window.bytes
        guard bytes.count > 0 else { return nil }
        guard bytes[0] == Self.key else {
            throw CaptureFault(
                at: window.offset, "expected a record of a Perfetto trace, which begins with the byte 0x0a",
                help: "the file is damaged here; everything before this byte is used")
        }
        var offset = 1
        guard let length = ProtobufReader.readNumber(bytes, &offset) else {
            guard bytes.count > 10 else { throw window.truncationFault("the length of a record", needs: 11) }
            throw CaptureFault(
                at: window.offset, "the length of a record is not a number of 64 bits",
                help: "the file is damaged here; everything before this byte is used")
        }
        window.consume(offset)
        return length
    }

    private mutating func deliver(_ bytes: Bytes, isNested: Bool, _ body: (TraceRecord) -> Void) {
        records += 1
        guard let record = TraceRecord(bytes) else { return damaged += 1 }
        if record.isZstandard { zstandard += 1 }
        if let compressed = record.compressed {
            // The service compresses once, so a compressed record in a compressed record is damage.
            if isNested { damaged += 1 } else { unpack(compressed, body) }
        }
        body(record)
    }

    /// Passes on the records that a compressed record contains, up to damage or the limit.
    private mutating func unpack(_ compressed: Bytes, _ body: (TraceRecord) -> Void) {
        inflater.start(compressed, limit: TraceLimits.unpacked)
        let inflater = inflater
        var window = ReadWindow { (buffer) throws(SourceFailure) in try inflater.read(buffer) }
        do throws(CaptureFault) {
            while let length = try readLength(&window) {
                guard length <= UInt64(TraceLimits.record) else {
                    tooLong += 1
                    guard window.skip(length) else { break }
                    continue
                }
                guard window.ensureAvailable(Int(length)) else { break }
                deliver(window.bytes.prefix(Int(length)), isNested: true, body)
                window.consume(Int(length))
            }
        } catch {
            notUnpacked += 1
            return
        }
        if window.failure != nil || window.bytes.count > 0 { notUnpacked += 1 }
    }
}

/// Unpacks the data of one compressed record at a time. The data must stay in memory while it is read.
private final class RecordInflater {
    /// zlib keeps a pointer to this structure, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private var isOver = true
    /// Bytes that may still be unpacked.
    private var allowed = 0

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = deadzone_inflate_any_init(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    func start(_ bytes: Bytes, limit: Int) {
        isOver = !isReady || inflateReset(stream) != Z_OK
        allowed = limit
        // zlib only reads from this memory.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.start.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
    }

    /// Fills the buffer as far as possible. Returns 0 at the end.
    func read(_ output: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
        guard !isOver else { return 0 }
        let room = min(output.count, allowed)
        guard room > 0 else { throw SourceFailure("the unpacked data is too long") }
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        let result = inflate(stream, Z_NO_FLUSH)
        let count = room - Int(stream.pointee.avail_out)
        allowed -= count
        isOver = result == Z_STREAM_END
        guard isOver || result == Z_OK && count > 0 else { throw SourceFailure("the compressed data is damaged") }
        return count
    }
}
