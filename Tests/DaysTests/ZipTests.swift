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

    static func checksum(_ data: [UInt8]) -> Int { Int(crc32(0, data, UInt32(data.count))) }

    /// Differences between the numbers that an archive says and the true ones.
    struct Lie {
        var checksum = 0
        var packed = 0
        var size = 0
    }

    /// Form of the numbers after an entry; `nil` if they stand before it.
    struct Descriptor {
        var hasSignature = true
        var width = 4
    }

    mutating func add(
        _ data: [UInt8], name: String = "bugreport.txt", method: Int = 8, flags: Int = 0, lie: Lie = Lie(),
        descriptor: Descriptor? = nil
    ) {
        let packed = method == 8 ? Self.deflated(data) : data
        let numbers = [Self.checksum(data) + lie.checksum, packed.count + lie.packed, data.count + lie.size]
        let isLate = descriptor != nil
        bytes += Self.little(0x0403_4b50, 4) + Self.little(20, 2) + Self.little(flags | (isLate ? 8 : 0), 2)
        bytes += Self.little(method, 2) + Self.little(0, 4)
        for number in numbers { bytes += Self.little(isLate ? 0 : number, 4) }
        bytes += Self.little(name.utf8.count, 2) + Self.little(0, 2) + Array(name.utf8) + packed
        guard let descriptor else { return }
        bytes += descriptor.hasSignature ? Self.little(0x0807_4b50, 4) : []
        bytes += Self.little(numbers[0], 4)
        bytes += Self.little(numbers[1], descriptor.width) + Self.little(numbers[2], descriptor.width)
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
        for hasSignature in [true, false] {
            for width in [4, 8] {
                var zip = ZipWriter()
                let after = ZipWriter.Descriptor(hasSignature: hasSignature, width: width)
                zip.add(Array("nothing\n".utf8), descriptor: after)
                zip.add(Self.text, descriptor: after)
                #expect(try HistoryText.read(zip.closed()).entries == 3)
            }
        }
    }

    @Test func damagedArchivesAreRefused() throws {
        // Broken: a wrong archive traps, or gives half a day without a word.
        var sealed = ZipWriter()
        sealed.add(Self.text, flags: 1)
        var good = ZipWriter()
        good.add(Self.text)
        var cases: [([UInt8], String)] = [
            (sealed.closed(), "encrypted"), (Array(good.bytes.dropLast(9)), "truncated"), (good.bytes, "truncated"),
            (good.bytes + Array("garbage!".utf8), "no header"),
        ]
        let lies: [(ZipWriter.Lie, String)] = [
            (.init(size: 7), "bugreport.txt has another size"),
            (.init(packed: -1), "bugreport.txt has another compressed size"),
            (.init(checksum: 1), "bugreport.txt has another checksum (CRC-32)"),
        ]
        for (lie, words) in lies {
            for descriptor in [nil, .init(), .init(hasSignature: false, width: 8)] as [ZipWriter.Descriptor?] {
                var zip = ZipWriter()
                zip.add(Self.text, lie: lie, descriptor: descriptor)
                cases.append((zip.closed(), words))
            }
        }
        for (bytes, words) in cases { expectFault(bytes, words) }
    }

    private func expectFault(_ bytes: [UInt8], _ words: String, help: String = "") {
        let fault = #expect(throws: DayFault.self) { try HistoryText.read(bytes) }
        #expect(fault?.message.contains(words) == true, "\(words): \(fault?.message ?? "")")
        #expect(help.isEmpty || fault?.help.contains { $0.contains(help) } == true, "\(fault?.help ?? [])")
    }

    @Test func aFileWithoutAReadableHistoryHasAReasonOfItsOwn() {
        // Broken: each of these ends with "it contains no battery history", although the user has one.
        for (method, name) in [(12, "bzip2"), (93, "Zstandard"), (99, "compression method 99")] {
            var zip = ZipWriter()
            zip.add(Array("nothing\n".utf8))
            zip.add(Self.text, name: "dump.txt", method: method)
            expectFault(zip.closed(), "dump.txt is compressed with \(name)", help: "unpack it")
        }
        for method in [0, 8] {
            var inner = ZipWriter()
            inner.add(Self.text)
            var outer = ZipWriter()
            outer.add([], name: "empty", method: 0)
            outer.add(inner.closed(), name: "bugreport-1.zip", method: method)
            expectFault(outer.closed(), "another zip archive: bugreport-1.zip", help: "unzip")
        }
        var tar = [UInt8](repeating: 0, count: 1_024)
        tar.replaceSubrange(257..<262, with: "ustar".utf8)
        let wide = Self.text.flatMap { byte -> [UInt8] in [byte, 0] }
        expectFault([], "it is empty", help: "dumpsys batterystats")
        expectFault([0xff, 0xfe] + wide, "UTF-16", help: "cmd /c")
        expectFault([0xfe, 0xff] + wide.reversed(), "UTF-16", help: "UTF-8")
        expectFault(tar, "tar archive", help: "tar -xf")
        expectFault(Array("BZh91AY".utf8), "bzip2", help: "bunzip2")
        expectFault(Array("BZ".utf8), "no battery history")
        let still = HistoryText.long([("0", "RESET:TIME: 2026-03-09-07-00-00"), ("0", "100 +screen")])
        expectFault(Array(still.utf8), "lasts 0 s, because all 2 entries have one time", help: "dumpsys batterystats")
    }

    @Test func aByteOrderMarkOfUTF8IsSkipped() throws {
        // Broken: the first line of a file of a Windows editor is not recognised.
        #expect(try HistoryText.read([0xef, 0xbb, 0xbf] + Self.text).entries == 3)
    }

    @Test func theLongestHistoryOfAnArchiveIsNamed() throws {
        // Broken: one of several histories is chosen without a word, or has the sums of another one.
        func text(_ lines: Int, _ minutes: Int) -> [UInt8] {
            let entries = [("0", "RESET:TIME: 2026-03-09-07-00-00")] + (1..<lines).map { ("+\($0)s", "100 +screen") }
            return Array((HistoryText.long(entries) + "Statistics since last charge:\n  Screen on: \(minutes)m\n").utf8)
        }
        let files = [("a.txt", 3, 1), ("b.txt", 5, 2), ("c.txt", 4, 3)]
        for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            var zip = ZipWriter()
            zip.add(Array("nothing\n".utf8), name: "main_entry.txt")
            for file in order { zip.add(text(files[file].1, files[file].2), name: files[file].0) }
            let history = try HistoryText.read(zip.closed(), piece: 100)
            #expect(history.source == "b.txt" && history.entries == 5 && history.otherHistories == 2)
            #expect(history.totals.screenOn == 120_000)
            let others = order.filter { $0 != 1 }.map {
                HistorySource(name: files[$0].0, length: Int64(files[$0].1 - 1) * 1_000, entries: files[$0].1)
            }
            #expect(history.otherSources == others)
        }
        // A history with more entries in which no time passes is none.
        var zip = ZipWriter()
        let still = [("0", "RESET:TIME: 2026-03-09-07-00-00")] + (1..<9).map { _ in ("0", "100 +screen") }
        zip.add(Array(HistoryText.long(still).utf8), name: "still.txt")
        zip.add(text(3, 1), name: "a.txt")
        #expect(try HistoryText.read(zip.closed()).source == "a.txt")
        #expect(try HistoryText.read(text(3, 1)).source == nil)
    }

    @Test func aTextWithoutEndIsRefused() {
        // Broken: a device or a pipe that never ends is read for ever.
        for line in ["y\n", "\u{0}"] {
            var given = 0
            let fault = #expect(throws: DayFault.self) {
                try DayFile.history(
                    from: { buffer throws(DayFault) in
                        let text = Array(line.utf8)
                        for index in buffer.indices { buffer[index] = text[index % text.count] }
                        given += buffer.count
                        return buffer.count
                    }, limit: 1 << 20)
            }
            #expect(fault?.message.contains("a bug report has less") == true && given < 1 << 21)
        }
    }

    @Test func bombsEnd() throws {
        // Broken: an archive of a few kilobytes fills memory, or is unpacked for minutes.
        var zip = ZipWriter()
        let plain = [UInt8](repeating: 0, count: 1 << 26)
        let (zeros, checksum) = (ZipWriter.deflated(plain), ZipWriter.checksum(plain))
        for _ in 0..<17 { zip.add(zeros, method: 0) }
        // The headers of stored entries say deflate here: each unpacks to 64 MiB.
        var bytes = zip.closed()
        var place = 0
        for _ in 0..<17 {
            bytes[place + 8] = 8
            bytes.replaceSubrange((place + 14)..<(place + 18), with: ZipWriter.little(checksum, 4))
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
