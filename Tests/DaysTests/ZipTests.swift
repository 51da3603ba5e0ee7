import CZlib
import DeadzoneTestKit
import Testing

@testable import DeadzoneCaptures

/// Writes zip archives for tests, with any lie in their headers.
struct ZipWriter {
    var bytes: [UInt8] = []

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func deflated(_ data: [UInt8]) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: Int(compressBound(UInt(data.count))))
        var count = UInt(packed.count)
        let result = compress(&packed, &count, data, UInt(data.count))
        precondition(result == Z_OK, "zlib cannot compress")
        // Without zlib's two bytes of header and four of checksum.
        return Array(packed[2..<(Int(count) - 4)])
    }

    mutating func add(
        _ data: [UInt8], name: String = "bugreport.txt", method: Int = 8, flags: Int = 0, size: Int? = nil,
        descriptor: [UInt8]? = nil
    ) {
        let packed = method == 8 ? Self.deflated(data) : data
        let isLate = flags & 8 != 0
        bytes += Self.little(0x0403_4b50, 4) + Self.little(20, 2) + Self.little(flags, 2) + Self.little(method, 2)
        bytes += Self.little(0, 8) + Self.little(isLate ? 0 : packed.count, 4)
        bytes += Self.little(size ?? (isLate ? 0 : data.count), 4)
        bytes += Self.little(name.utf8.count, 2) + Self.little(0, 2) + Array(name.utf8) + packed
        bytes += descriptor ?? []
    }

    func closed() -> [UInt8] { bytes + Self.little(0x0605_4b50, 4) + [UInt8](repeating: 0, count: 18) }
}

struct ZipTests {
    private static let text = Array(
        HistoryText.long([("0", "RESET:TIME: 2026-03-09-07-00-00"), ("0", "100 +screen"), ("+10s", "100 -screen")]).utf8
    )

    @Test func historyIsFoundInAnyEntry() throws {
        // Broken: only a certain name, the first entry or compressed entries are read.
        for method in [0, 8] {
            var zip = ZipWriter()
            zip.add(Array("nothing\n".utf8), name: "../../etc/passwd", method: method)
            zip.add(Self.text, name: "FS/data/x.bin", method: method)
            zip.add(Array(repeating: 0, count: 100_000), name: "/dev/null", method: method)
            for piece in [1, 13, 1 << 16] {
                #expect(try HistoryText.read(zip.closed(), piece: piece).entries == 3)
            }
        }
    }

    @Test func sizesAfterTheDataAreSkipped() throws {
        // Broken: an archive that was written as a stream loses its second entry.
        for descriptor in [[0x50, 0x4b, 7, 8], []] as [[UInt8]] {
            for numbers in [12, 20] {
                var zip = ZipWriter()
                let after = descriptor + [UInt8](repeating: 9, count: numbers)
                zip.add(Array("nothing\n".utf8), flags: 8, descriptor: after)
                zip.add(Self.text, flags: 8, descriptor: after)
                #expect(try HistoryText.read(zip.closed()).entries == 3)
            }
        }
    }

    @Test func damagedArchivesAreRefused() throws {
        // Broken: a wrong archive traps, or gives half a day without a word.
        var lie = ZipWriter()
        lie.add(Self.text, size: 7)
        var sealed = ZipWriter()
        sealed.add(Self.text, flags: 1)
        var unknown = ZipWriter()
        unknown.add(Self.text, method: 99)
        var good = ZipWriter()
        good.add(Self.text)
        let cases: [([UInt8], String)] = [
            (lie.closed(), "another size"), (sealed.closed(), "encrypted"), (unknown.closed(), "no battery history"),
            (Array(good.bytes.dropLast(9)), "truncated"), (good.bytes, "truncated"),
            (good.bytes + Array("garbage!".utf8), "no header"),
        ]
        for (bytes, words) in cases {
            let fault = #expect(throws: DayFault.self) { try HistoryText.read(bytes) }
            #expect(fault?.message.contains(words) == true, "\(words): \(fault?.message ?? "")")
        }
    }

    @Test func bombsEnd() throws {
        // Broken: an archive of a few kilobytes fills memory, or is unpacked for minutes.
        var zip = ZipWriter()
        let zeros = ZipWriter.deflated([UInt8](repeating: 0, count: 1 << 26))
        for _ in 0..<17 { zip.add(zeros, method: 0) }
        // The headers of stored entries say deflate here: each unpacks to 64 MiB.
        var bytes = zip.closed()
        var place = 0
        for _ in 0..<17 {
            bytes[place + 8] = 8
            bytes.replaceSubrange((place + 22)..<(place + 26), with: ZipWriter.little(1 << 26, 4))
            place += 30 + "bugreport.txt".utf8.count + zeros.count
        }
        let fault = #expect(throws: DayFault.self) { try HistoryText.read(bytes) }
        #expect(fault?.message.contains("1 GiB") == true)
        var many = ZipWriter()
        for _ in 0...ZipReader.maximumEntries { many.add([], name: "", method: 0) }
        #expect(throws: DayFault.self) { try HistoryText.read(many.closed()) }
    }

    @Test func endlessLineIsCut() throws {
        // Broken: a line without an end is kept in memory as a whole.
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let bytes =
            Array("Battery History (0% used):\n  0 (1) 100 +screen ".utf8) + line
            + Array("\n  +1s (1) 100 -screen\n\n".utf8)
        let history = try HistoryText.read(bytes)
        #expect(history.entries == 2 && history.length == 1_000)
    }
}
