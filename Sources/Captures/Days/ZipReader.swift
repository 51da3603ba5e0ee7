import CZlib
import DeadzoneBase

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

    /// Bytes of an entry's name that are read.
    private static let maximumName = 200

    private var unpacked = 0
    private var entries = 0
    /// Reason why an archive has no readable history, if a part of it was not read. `nil` if all of it was read.
    private(set) var obstacle: DayFault?

    /// Fields of the header before an entry.
    private struct LocalHeader {
        var flags: UInt32
        var method: UInt32
        var sums: EntrySums
        var name: String

        /// `true` if checksum and sizes follow the data, because they were not known before.
        var hasDescriptor: Bool { flags & 8 != 0 }
    }

    /// Checksum and sizes of an entry, as the archive says them or as they were counted. A size of 0xffffffff in a
    /// header stands for a larger one in another field.
    private struct EntrySums {
        var checksum: UInt32
        var packed: UInt64
        var unpacked: UInt64

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            unpacked += UInt64(bytes.count)
            checksum = UInt32(
                truncatingIfNeeded: crc32(
                    UInt(checksum), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
        }
    }

    /// Calls `begin` with the name of each entry, then `use` with its unpacked bytes, and with two line ends after it.
    mutating func read(
        _ input: inout InputWindow, begin: (String) -> Void, _ use: (UnsafeRawBufferPointer) -> Void
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
            if header.method == 0, header.sums.unpacked >= 4, try input.startsWith(Self.localHeader) {
                note("another zip archive: \(header.name)", help: "unzip the archive, and name the one in it")
            }
            begin(header.name)
            var counted = EntrySums(checksum: 0, packed: 0, unpacked: 0)
            switch header.method {
            case 0: try copy(&input, header, &counted, use)
            case 8: try inflateEntry(&input, header, &counted, use)
            default: try skipEntry(&input, header)
            }
            if [0, 8].contains(header.method) {
                try check(counted, header.hasDescriptor ? readDescriptor(&input) : header.sums, header.name)
            }
            Self.separator.withUTF8Copy { use($0) }
        }
        throw Self.damaged("it is truncated")
    }

    private static func damaged(_ reason: String) -> DayFault {
        DayFault(
            "the zip archive is damaged: \(reason)",
            help: ["copy it from the phone again, or unpack it with another program and name the text in it"])
    }

    private mutating func note(_ content: String, help: String) {
        obstacle = obstacle ?? DayFault("it contains no battery history that can be read, but \(content)", help: [help])
    }

    private func readHeader(_ input: inout InputWindow) throws(DayFault) -> LocalHeader {
        guard try input.fill(30) else { throw Self.damaged("it is truncated") }
        var header = LocalHeader(
            flags: input.number(at: 6, bytes: 2), method: input.number(at: 8, bytes: 2),
            sums: EntrySums(
                checksum: input.number(at: 14, bytes: 4), packed: UInt64(input.number(at: 18, bytes: 4)),
                unpacked: UInt64(input.number(at: 22, bytes: 4))),
            name: "")
        let (name, more) = (Int(input.number(at: 26, bytes: 2)), Int(input.number(at: 28, bytes: 2)))
        let shown = min(name, Self.maximumName)
        guard try input.skip(30), try input.fill(shown) else { throw Self.damaged("it is truncated") }
        input.take(shown) { header.name = visible(String(decoding: $0, as: UTF8.self), atMost: 100) }
        guard try input.skip(name - shown + more) else { throw Self.damaged("it is truncated") }
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
        _ input: inout InputWindow, _ header: LocalHeader, _ counted: inout EntrySums,
        _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(DayFault) {
        guard !header.hasDescriptor || header.sums.unpacked > 0, header.sums.unpacked != UInt32.max else {
            throw Self.damaged("an entry without compression does not say its size")
        }
        var rest = Int(header.sums.unpacked)
        while rest > 0 {
            guard try input.refill() else { throw Self.damaged("it is truncated") }
            let part = min(rest, input.count)
            try count(part)
            input.take(part) { bytes in
                counted.add(bytes)
                use(bytes)
            }
            rest -= part
        }
        counted.packed = counted.unpacked
    }

    private mutating func skipEntry(_ input: inout InputWindow, _ header: LocalHeader) throws(DayFault) {
        let method = Self.methods[header.method] ?? "compression method \(header.method)"
        let help = "unpack it with another program and name the text in it"
        guard !header.hasDescriptor, header.sums.packed != UInt32.max else {
            throw DayFault(
                "\(header.name) in the zip archive is compressed with \(method), which is not supported", help: [help])
        }
        note("\(header.name) is compressed with \(method), which is not supported", help: help)
        guard try input.skip(Int(header.sums.packed)) else { throw Self.damaged("it is truncated") }
    }

    /// Names of the methods in PKWARE's APPNOTE, 4.4.5.
    private static let methods: [UInt32: String] = [
        1: "shrink", 6: "implode", 9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 98: "PPMd",
    ]

    /// Unpacks an entry. The compressed data itself says where it ends.
    private mutating func inflateEntry(
        _ input: inout InputWindow, _ header: LocalHeader, _ counted: inout EntrySums,
        _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(DayFault) {
        let inflater = Inflater()
        while !inflater.isOver {
            guard try input.refill() else { throw Self.damaged("it is truncated") }
            var taken = 0
            try input.use { bytes throws(DayFault) in
                guard let used = inflater.step(bytes) else {
                    throw Self.damaged("the compressed data of \(header.name) is wrong")
                }
                taken = used
                return used
            }
            let output = inflater.output
            if counted.unpacked == 0, output.starts(with: [0x50, 0x4b, 3, 4]) {
                note("another zip archive: \(header.name)", help: "unzip the archive, and name the one in it")
            }
            counted.packed += UInt64(taken)
            try count(output.count)
            counted.add(output)
            use(output)
        }
    }

    /// Compares checksum and sizes of an entry with those that the archive says.
    private func check(_ counted: EntrySums, _ said: EntrySums, _ name: String) throws(DayFault) {
        let isLarge = said.unpacked == UInt32.max || said.packed == UInt32.max
        guard isLarge || said.unpacked == counted.unpacked else {
            throw Self.damaged("\(name) has another size than the archive says")
        }
        guard isLarge || said.packed == counted.packed else {
            throw Self.damaged("\(name) has another compressed size than the archive says")
        }
        guard said.checksum == counted.checksum else {
            throw Self.damaged("\(name) has another checksum (CRC-32) than the archive says")
        }
    }

    /// Reads checksum and sizes after an entry: with or without a signature, with sizes of four or eight bytes.
    private func readDescriptor(_ input: inout InputWindow) throws(DayFault) -> EntrySums {
        guard try input.fill(4) else { throw Self.damaged("it is truncated") }
        let start = input.number(at: 0, bytes: 4) == Self.descriptor ? 4 : 0
        for width in [4, 8] {
            let length = start + 4 + 2 * width
            guard try input.fill(length + 4) else { continue }
            let next = input.number(at: length, bytes: 4)
            guard next == Self.localHeader || Self.directory.contains(next) else { continue }
            let sums = EntrySums(
                checksum: input.number(at: start, bytes: 4), packed: input.size(at: start + 4, bytes: width),
                unpacked: input.size(at: start + 4 + width, bytes: width))
            _ = try input.skip(length)
            return sums
        }
        throw Self.damaged("an entry has no end")
    }
}

extension InputWindow {
    /// Little-endian size of four or eight bytes.
    fileprivate func size(at index: Int, bytes count: Int) -> UInt64 {
        UInt64(number(at: index, bytes: 4)) | (count == 8 ? UInt64(number(at: index + 4, bytes: 4)) << 32 : 0)
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
