import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Parts below the reader: views of bytes, the read window, formats, and numbers with a meaning.
struct SmallPartsTests {
    /// Broken: a range outside the bytes counts as inside, or the reverse.
    @Test func rangesAreChecked() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
        for count in 0...5 {
            Array(bytes.prefix(count)).withBytes { view in
                for (length, offset) in (-2...6).flatMap({ length in (-2...7).map { (length, $0) } }) {
                    let isInside = length >= 0 && offset >= 0 && length + offset <= count
                    #expect(view.holds(length, at: offset) == isInside, "\(length) at \(offset) of \(count)")
                }
                for offset in -1...7 {
                    #expect(view.dropFirst(offset).count == count - min(max(offset, 0), count))
                    #expect(view.prefix(offset).count == min(max(offset, 0), count))
                    if offset >= 0, offset < count { #expect(view.dropFirst(offset)[0] == bytes[offset]) }
                }
                #expect(!view.holds(.max, at: 1) && !view.holds(1, at: .max) && !view.holds(.min, at: 0))
            }
        }
        bytes.withBytes { view in
            #expect(view.big16(1) == 0x0203 && view.big32(1) == 0x0203_0405 && view.big64(1) == 0x0203_0405_0607_0809)
            #expect(view.big128(1) == bytes.big(1, 16) && view.little16(1) == 0x0302 && view.little32(1) == 0x0504_0302)
            #expect(view.part(2, 3).count == 3 && view.part(2, 3)[0] == 3 && view.part(17, 0).count == 0)
            for isSwapped in [false, true] {
                let order = ByteOrder(isSwapped: isSwapped)
                #expect(order.u16(view, 3) == (isSwapped ? 0x0405 : 0x0504))
                #expect(order.u32(view, 3) == (isSwapped ? 0x0405_0607 : 0x0706_0504))
                #expect(order.u64(view, 3) == (isSwapped ? 0x0405_0607_0809_0a0b : 0x0b0a_0908_0706_0504))
                let words = order.fourWords(view)
                let expected = [0, 4, 8, 12].map { order.u32(view, $0) }
                #expect([words.0, words.1, words.2, words.3] == expected)
            }
        }
        let text = Array("añb\0c".utf8)
        text.withBytes { view in
            #expect(
                view.text(0, atMost: 20) == "añb" && view.text(0, atMost: 1) == "a" && view.text(5, atMost: 9) == "c")
            #expect(view.text(4, atMost: 9) == "" && view.text(9, atMost: 9) == "" && view.text(3, atMost: 0) == "")
        }
    }

    /// Broken: the window loses, repeats or reorders bytes, or its offset is not that of its first byte.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theWindowSlidesOverTheSource(_ seed: UInt64) {
        var dice = SmallDice(seed)
        let bytes = dice.bytes(3 << 16)
        var given = 0
        let pieces = dice.one(of: [7, 5_000, 400_000])
        let (isFailing, end) = (seed == 2, bytes.count)
        var window = ReadWindow { buffer throws(SourceFailure) in
            if given == end, isFailing { throw SourceFailure("lost") }
            // A read of nothing, or less, is the end.
            let count = given == end ? -1 : min(buffer.count, pieces, end - given)
            for index in 0..<max(count, 0) { buffer[index] = bytes[given + index] }
            given += max(count, 0)
            return count
        }
        var at = 0
        while at < end {
            let wanted = dice.roll(9_000)
            let isThere = window.ensureAvailable(wanted)
            check(isThere == (at + wanted <= end), "at \(at)")
            check(window.offset == UInt64(at) && window.bytes.count >= min(wanted, end - at))
            for index in 0..<min(wanted, end - at, 50) { check(window.bytes[index] == bytes[at + index]) }
            if dice.roll(3) == 0 {
                let count = dice.roll(20_000)
                check(window.skip(UInt64(count)) == (at + count <= end), "\(count) at \(at)")
                at = min(end, at + count)
            } else {
                let count = dice.roll(min(wanted, end - at) + 1)
                window.consume(count)
                at += count
            }
        }
        let isMore = window.ensureAvailable(1)
        check(!isMore && window.offset == UInt64(end) && window.bytes.count == 0)
        check(window.skip(0) && window.failure == (isFailing ? SourceFailure("lost") : nil))
        check(
            window.sourceFault() == (isFailing ? CaptureFault(at: UInt64(end), "cannot continue reading: lost") : nil))
    }

    /// Broken: the first bytes of a file are lost or repeated when the rest is read in pieces of some size.
    @Test func theFirstBytesAreReturnedAgain() throws {
        let bytes = (0..<40).map { UInt8($0) }
        withEvery { choices in
            let (length, piece, room) = (
                choices.one(of: [0, 1, 11, 12, 13, 40]), choices.one(of: [1, 5, 12, 13, 64]),
                choices.one(of: [1, 5, 11, 12, 13, 64])
            )
            let input = Array(bytes.prefix(length))
            let peeked = try PeekedSource(input.source(piece: piece))
            #expect(peeked.head == Array(input.prefix(12)))
            var read: [UInt8] = []
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
            defer { buffer.deallocate() }
            while true {
                let count = try peeked.read(buffer)
                if count == 0 { break }
                read += buffer[..<count]
            }
            #expect(read == input)
        }
    }

    /// Broken: a file of another program is not recognised, or its error names another program.
    @Test func foreignFormatsAreNamed() {
        let formats: [(magic: [UInt8], name: String, help: String)] = [
            ([0x28, 0xb5, 0x2f, 0xfd], "a Zstandard file", "zstd -dc FILE | deadzone replay -"),
            ([0xfd] + Array("7zXZ".utf8) + [0], "an xz file", "xz -dc FILE | deadzone replay -"),
            (Array("BZh".utf8), "a bzip2 file", "bzip2 -dc FILE | deadzone replay -"),
            ([4, 34, 77, 24], "an LZ4 file", "lz4 -dc FILE | deadzone replay -"),
            (Array("PK".utf8) + [3, 4], "a zip file", "unzip -p FILE | deadzone replay -"),
            ([31, 157], "a compress (.Z) file", "gzip -dc FILE | deadzone replay -"),
            (Array("7z".utf8) + [188, 175], "a 7-Zip file", "7z x -so FILE | deadzone replay -"),
            (Array("snoop\0".utf8), "a snoop file", "tshark -r FILE -w capture.pcapng"),
            (Array("btsnoop\0".utf8), "a Bluetooth log", "Bluetooth is not replayed"),
            (Array("GMBU".utf8), "a capture of Microsoft Network Monitor", "tshark -r FILE -w capture.pcapng"),
            (Array("{".utf8), "JSON", "deadzone report reads saved results"),
        ]
        let unknown = CaptureFault(
            at: 0, "this is neither pcap, nor pcapng, nor a Perfetto trace",
            help: "tshark -r FILE -w capture.pcapng converts other formats")
        for (magic, name, help) in formats {
            let expected = CaptureFault(at: 0, "this is \(name), not a capture that can be read", help: help)
            #expect(FileFormat.refusal(magic) == expected && FileFormat.refusal(magic + [0]) == expected)
            for place in magic.indices {
                var other = magic
                other[place] ^= 1
                #expect(FileFormat.refusal(other) == unknown, "\(name), byte \(place)")
            }
        }
        let empty = CaptureFault(at: 0, "the file is empty", help: "a capture has at least a header")
        #expect(FileFormat.refusal([]) == empty && empty.text == "the file is empty, at byte 0")
        let gzips: [([UInt8], Bool)] = [
            ([31, 139], true), ([31, 139, 8], true), ([31], false), ([31, 138], false), ([30, 139], false),
        ]
        for (head, isGzip) in gzips { #expect(FileFormat.isGzip(head) == isGzip) }
    }

    /// Broken: a resolution of an interface has another unit.
    @Test func everyResolutionHasItsUnit() {
        var power: Int128 = 1
        for exponent in 0...127 {
            // Up to 10^28 the count in nanoseconds is count × 10^9 / 10^exponent, rounded down.
            for count in [0, 1, 999, 1_000_000_007, .max] as [UInt64] {
                let scale = TimestampScale(resolution: UInt8(exponent), offset: 3)
                let expected = exponent > 28 ? 0 : Int128(count) * 1_000_000_000 / power
                #expect(scale.stamp(count).nanoseconds == 3_000_000_000 + expected, "10^-\(exponent)")
                let binary = TimestampScale(resolution: UInt8(exponent) | 0x80, offset: -3)
                let shifted = exponent > 94 ? 0 : Int128(count) * 1_000_000_000 / (1 << Int128(exponent))
                #expect(binary.stamp(count).nanoseconds == shifted - 3_000_000_000, "2^-\(exponent)")
            }
            if exponent < 28 { power *= 10 }
        }
        #expect(TimestampScale.microseconds.stamp(7).nanoseconds == 7_000)
    }
}
