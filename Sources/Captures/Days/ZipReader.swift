import CZlib

/// Unpacks all entries of a zip archive one after the other, from its beginning, without its directory.
///
/// The directory at the end of an archive may lie about places and sizes, and needs a file that can be read in any
/// order. The headers before each entry suffice here: names do not matter, because the history is found by content, and
/// nothing is written. So there are no paths to check, and memory is constant.
struct ZipReader {
    static let localHeader: UInt32 = 0x0403_4b50
    private static let directory: [UInt32] = [0x0201_4b50, 0x0605_4b50, 0x0606_4b50]
    private static let descriptor: UInt32 = 0x0807_4b50
    /// Unpacked bytes of all entries together. Bug reports of real phones have less than a fifth.
    static let maximumBytes = 1 << 30
    static let maximumEntries = 50_000
    /// Ends a section at the end of an entry.
    private static let separator: StaticString = "\n\n"

    private var unpacked = 0
    private var entries = 0

    /// Size of an entry that is not compressed or not known.
    private struct LocalHeader {
        var flags: UInt32
        var method: UInt32
        var packedSize: UInt32
        var size: UInt32

        /// `true` if sizes follow the data, because they were not known before.
        var hasDescriptor: Bool { flags & 8 != 0 }
    }

    /// Calls `use` with the unpacked bytes of each entry, and with two line ends after it.
    mutating func read(
        _ input: inout InputWindow, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(DayFault) {
        while try input.fill(4) {
            let signature = input.number(at: 0, bytes: 4)
            if Self.directory.contains(signature) { return }
            guard signature == Self.localHeader else { throw Self.damaged("an entry has no header") }
            entries += 1
            guard entries <= Self.maximumEntries else {
                throw DayFault("the zip archive has more than \(Self.maximumEntries) entries")
            }
            let header = try readHeader(&input)
            switch header.method {
            case 0: try copy(&input, header, use)
            case 8: try inflateEntry(&input, header, use)
            default: try skipEntry(&input, header)
            }
            if header.hasDescriptor { try skipDescriptor(&input) }
            Self.separator.withUTF8Copy { use($0) }
        }
        throw Self.damaged("it is truncated")
    }

    private static func damaged(_ reason: String) -> DayFault {
        DayFault(
            "the zip archive is damaged: \(reason)",
            help: ["copy it from the phone again, or unpack it with another program and name the text in it"])
    }

    private func readHeader(_ input: inout InputWindow) throws(DayFault) -> LocalHeader {
        guard try input.fill(30) else { throw Self.damaged("it is truncated") }
        let header = LocalHeader(
            flags: input.number(at: 6, bytes: 2), method: input.number(at: 8, bytes: 2),
            packedSize: input.number(at: 18, bytes: 4), size: input.number(at: 22, bytes: 4))
        let names = Int(input.number(at: 26, bytes: 2) + input.number(at: 28, bytes: 2))
        guard try input.skip(30 + names) else { throw Self.damaged("it is truncated") }
        guard header.flags & 1 == 0 else { throw DayFault("the zip archive is encrypted", help: ["unpack it first"]) }
        return header
    }

    private mutating func count(_ bytes: Int) throws(DayFault) {
        unpacked += bytes
        guard unpacked <= Self.maximumBytes else {
            throw DayFault("the zip archive has more than \(Self.maximumBytes >> 30) GiB of unpacked data")
        }
    }

    /// Reads an entry that is not compressed.
    private mutating func copy(
        _ input: inout InputWindow, _ header: LocalHeader, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(DayFault) {
        guard !header.hasDescriptor || header.size > 0, header.size != .max else {
            throw Self.damaged("an entry without compression does not say its size")
        }
        var rest = Int(header.size)
        while rest > 0 {
            guard try input.refill() else { throw Self.damaged("it is truncated") }
            let part = min(rest, input.count)
            try count(part)
            input.take(part, use)
            rest -= part
        }
    }

    private func skipEntry(_ input: inout InputWindow, _ header: LocalHeader) throws(DayFault) {
        guard !header.hasDescriptor, header.packedSize != .max else {
            throw DayFault(
                "the zip archive uses compression method \(header.method), which is not supported",
                help: ["unpack it with another program and name the text in it"])
        }
        guard try input.skip(Int(header.packedSize)) else { throw Self.damaged("it is truncated") }
    }

    /// Unpacks an entry. The compressed data itself says where it ends.
    private mutating func inflateEntry(
        _ input: inout InputWindow, _ header: LocalHeader, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(DayFault) {
        let inflater = Inflater()
        let before = unpacked
        while !inflater.isOver {
            guard try input.refill() else { throw Self.damaged("it is truncated") }
            try input.use { bytes throws(DayFault) in
                guard let used = inflater.step(bytes) else { throw Self.damaged("the compressed data is wrong") }
                return used
            }
            try count(inflater.output.count)
            use(inflater.output)
        }
        let isKnown = !header.hasDescriptor && header.size != .max
        guard !isKnown || unpacked - before == Int(header.size) else {
            throw Self.damaged("an entry has another size than its header says")
        }
    }

    /// Skips the sizes after an entry: with or without a signature, with numbers of four or eight bytes.
    private func skipDescriptor(_ input: inout InputWindow) throws(DayFault) {
        guard try input.fill(4) else { throw Self.damaged("it is truncated") }
        let hasSignature = input.number(at: 0, bytes: 4) == Self.descriptor
        for length in hasSignature ? [16, 24] : [12, 20] where try input.fill(length + 4) {
            let next = input.number(at: length, bytes: 4)
            if next == Self.localHeader || Self.directory.contains(next) {
                _ = try input.skip(length)
                return
            }
        }
        throw Self.damaged("an entry has no end")
    }
}

extension StaticString {
    fileprivate func withUTF8Copy(_ use: (UnsafeRawBufferPointer) -> Void) {
        withUTF8Buffer { use(UnsafeRawBufferPointer($0)) }
    }
}

/// Unpacks deflate data in pieces of 64 KiB.
private final class Inflater {
    private static let piece = 1 << 16

    /// zlib keeps a pointer to this structure, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let buffer: UnsafeMutableRawBufferPointer
    private let isReady: Bool
    private(set) var isOver = false
    /// Result of the last step.
    private(set) var output: UnsafeRawBufferPointer

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        buffer = .allocate(byteCount: Self.piece, alignment: 16)
        output = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<0])
        isReady = deadzone_inflate_raw_init(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
        buffer.deallocate()
    }

    /// Unpacks part of the input into `output`. Returns the number of bytes that were used; `nil` if the data is wrong.
    func step(_ input: UnsafeMutableRawBufferPointer) -> Int? {
        guard isReady else { return nil }
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(Self.piece)
        let result = inflate(stream, Z_NO_FLUSH)
        guard result == Z_OK || result == Z_STREAM_END else { return nil }
        isOver = result == Z_STREAM_END
        output = UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(buffer)[..<(Self.piece - Int(stream.pointee.avail_out))])
        return input.count - Int(stream.pointee.avail_in)
    }
}
