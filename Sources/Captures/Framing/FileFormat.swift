/// Recognises the format of an input file by its first bytes.
enum FileFormat {
    /// Bytes that are needed to recognise a format.
    static let headLength = 12

    /// The error, with a fix, for formats that are recognised but not supported.
    static func refusal(_ head: [UInt8]) -> CaptureFault {
        if head.isEmpty { return CaptureFault(at: 0, "the file is empty", help: "a capture has at least a header") }
        for (magic, name, help) in foreign where head.starts(with: magic) {
            return CaptureFault(at: 0, "this is \(name), not a capture that can be read", help: help)
        }
        return CaptureFault(
            at: 0, "this is neither pcap, nor pcapng, nor a Perfetto trace",
            help: "tshark -r FILE -w capture.pcapng converts other formats")
    }

    static func isGzip(_ head: [UInt8]) -> Bool { head.starts(with: [0x1f, 0x8b]) }

    private static let foreign: [(magic: [UInt8], name: String, help: String)] = [
        ([0x28, 0xb5, 0x2f, 0xfd], "a Zstandard file", "zstd -dc FILE | deadzone replay -"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], "an xz file", "xz -dc FILE | deadzone replay -"),
        (Array("BZh".utf8), "a bzip2 file", "bzip2 -dc FILE | deadzone replay -"),
        ([0x04, 0x22, 0x4d, 0x18], "an LZ4 file", "lz4 -dc FILE | deadzone replay -"),
        ([0x50, 0x4b, 0x03, 0x04], "a zip file", "unzip -p FILE | deadzone replay -"),
        ([0x1f, 0x9d], "a compress (.Z) file", "gzip -dc FILE | deadzone replay -"),
        (Array("7z".utf8) + [0xbc, 0xaf], "a 7-Zip file", "7z x -so FILE | deadzone replay -"),
        (Array("snoop".utf8) + [0], "a snoop file", "tshark -r FILE -w capture.pcapng"),
        (Array("btsnoop".utf8) + [0], "a Bluetooth log", "Bluetooth is not replayed"),
        (Array("GMBU".utf8), "a capture of Microsoft Network Monitor", "tshark -r FILE -w capture.pcapng"),
        (Array("{".utf8), "JSON", "deadzone report reads saved results"),
    ]
}

/// Wraps an input after its first bytes were read: returns these bytes again, then the rest.
final class PeekedSource {
    private(set) var head: [UInt8] = []
    private var replayed = 0
    private let source: ByteSource

    init(_ source: @escaping ByteSource) throws(SourceFailure) {
        self.source = source
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileFormat.headLength, alignment: 1)
        defer { buffer.deallocate() }
        while head.count < FileFormat.headLength {
            let room = FileFormat.headLength - head.count
            let count = try source(UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
            guard count > 0 else { return }
            head += buffer[..<count]
        }
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
        guard replayed < head.count else { return try source(buffer) }
        let count = min(buffer.count, head.count - replayed)
        head.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[replayed..<(replayed + count)]))
        }
        replayed += count
        return count
    }
}
