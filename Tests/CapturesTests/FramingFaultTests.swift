import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// The exact place and text of each fault of a file, and the nearest file that has none.
struct FramingFaultTests {
    private static let damaged = "the file is damaged here; everything before this byte is used"
    private static let short = "the capture was cut short; everything before this byte is used"
    /// A section header has 28 bytes, an interface description 20.
    private static let (section, interface) = (UInt64(28), UInt64(48))

    private static func expect(
        _ bytes: [UInt8], packets: Int, _ fault: CaptureFault?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reading = try Reading(bytes)
        #expect(reading.fault == fault, sourceLocation: sourceLocation)
        #expect(reading.packets.count == packets, sourceLocation: sourceLocation)
    }

    /// Broken: a classic file of a known version is rejected, or one of an unknown version is read.
    @Test func readsTheVersionsOfClassicFiles() throws {
        let known = [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (543, 0)] as [(UInt16, UInt16)]
        for (major, minor) in known + [(2, 5), (1, 4), (3, 4), (542, 0), (544, 0), (543, 1), (0, 0), (1, 3), (3, 3)] {
            let file = PcapWriter(version: (major, minor)).bytes
            if known.contains(where: { $0 == (major, minor) }) {
                try Self.expect(file, packets: 0, nil)
            } else {
                let fault = CaptureFault(
                    at: 4, "pcap version \(major).\(minor) is not known", help: "versions 2.0 to 2.4 are read")
                #expect(throws: fault) { try Reading(file) }
            }
        }
        for length in 4..<24 {
            let fault = CaptureFault(
                at: 0, "the file ends inside the header of a pcap file: \(length) of 24 bytes are there",
                help: Self.short)
            #expect(throws: fault) { try Reading(Array(PcapWriter().bytes.prefix(length))) }
        }
    }

    /// Broken: an old file has its two lengths exchanged when they must not be.
    @Test(
        arguments: [
            ((2, 0), (54, 900), (900, 54)), ((2, 1), (900, 54), (54, 900)), ((2, 2), (54, 54), (54, 54)),
            ((2, 3), (54, 900), (54, 900)), ((2, 3), (900, 54), (54, 900)), ((543, 0), (900, 54), (54, 900)),
            ((2, 4), (54, 900), (54, 900)), ((2, 4), (54, 20), (54, 20)),
        ] as [((UInt16, UInt16), (UInt32, UInt32), (UInt32, UInt32))])
    func readsTheOrderOfLengths(
        _ version: (UInt16, UInt16), _ written: (UInt32, UInt32), _ read: (captured: UInt32, wire: UInt32)
    ) throws {
        var file = PcapWriter(version: version)
        file.add(.init(repeating: 1, count: 900), seconds: 1, fraction: 0, captured: written.0, wire: written.1)
        let packet = try #require(try Reading(file.bytes).packets.first)
        #expect(packet.capturedLength == read.captured && packet.wireLength == read.wire)
    }

    /// Broken: the longest packet of a link type is refused, a longer one is read, or a snap length that means "none"
    /// cuts packets.
    @Test(
        arguments: [
            (1, 262_144), (231, 128 << 20), (249, 1 << 20), (279, 8 << 20), (230, 262_144), (232, 262_144),
            (248, 262_144),
            (280, 262_144), (0x1000_0001, 262_144),
        ] as [(UInt32, UInt32)])
    func acceptsTheLongestPacketsOfALinkType(_ linkType: UInt32, _ longest: UInt32) throws {
        var file = PcapWriter(linkType: linkType)
        file.add([], seconds: 0, fraction: 0, captured: longest + 1, wire: longest + 1)
        try Self.expect(
            file.bytes, packets: 0,
            CaptureFault(
                at: 24,
                "a record claims \(longest + 1) captured bytes, more than the \(longest) a packet can have",
                help: Self.damaged))
        // A longer one is cut to what fits into the window, and the rest is skipped.
        for snapLength in [0, .max, UInt32(Int32.max) + 1, UInt32(Int32.max), longest] {
            var file = PcapWriter(linkType: linkType, snapLength: snapLength)
            let most = min(longest, 1 << 20)
            file.add(.init(repeating: 0, count: Int(most)), seconds: 1, fraction: 0, captured: most, wire: most)
            file.add([1], seconds: 2, fraction: 0, captured: 1, wire: 1)
            let reading = try Reading(file.bytes)
            #expect(reading.fault == nil && reading.packets.map(\.capturedLength) == [most, 1], "\(snapLength)")
            #expect(reading.packets.map(\.stamp) == [Timestamp(seconds: 1), Timestamp(seconds: 2)])
        }
        #expect(try Reading(PcapWriter(linkType: linkType).bytes).capture.interfaces[0].linkType == linkType & 0xffff)
    }

    /// Broken: a classic file that ends inside a record has another fault, or one that ends after a record has one.
    @Test func saysWhereAClassicFileEnds() throws {
        for (magic, length) in [(nil, 16), (0xa1b2_cd34, 24)] as [(UInt32?, Int)] {
            var file = PcapWriter(magic: magic)
            for _ in 0..<2 {
                let rest = [UInt8](repeating: 0, count: length - 16 + 5)
                file.add(rest, seconds: 0, fraction: 0, captured: 5, wire: 5)
            }
            let first = UInt64(24 + length + 5)
            try Self.expect(file.bytes, packets: 2, nil)
            for count in 1..<(length + 5) {
                let isHeader = count < length
                let (what, needed) = isHeader ? ("the header of a record", length) : ("a record", length + 5)
                try Self.expect(
                    Array(file.bytes.prefix(Int(first) + count)), packets: 1,
                    CaptureFault(
                        at: first, "the file ends inside \(what): \(count) of \(needed) bytes are there",
                        help: Self.short))
            }
        }
        // Bytes beyond the snap length are skipped; the file may end among them.
        var cut = PcapWriter(snapLength: 4)
        cut.add([1, 2, 3, 4, 5, 6, 7], seconds: 0, fraction: 0, captured: 7, wire: 9)
        try Self.expect(
            Array(cut.bytes.dropLast()), packets: 1,
            CaptureFault(at: 46, "the file ends inside a record: 0 of 3 bytes are there", help: Self.short))
    }

    /// Broken: a read error is taken for the end of the file, or has another place or text.
    @Test(arguments: [0, 11, 23, 24, 30, 40, 44, 45, 60])
    func readErrorsAreFaults(_ end: Int) throws {
        var (classic, blocks) = (PcapWriter(linkType: 101), PcapngWriter())
        for index in 0..<2 { classic.add([1, 2, 3, 4, 5], at: UInt64(index)) }
        blocks.addInterface()
        blocks.add([1], at: 1)
        // A classic file begins with a header of 24 bytes; of a pcapng file twelve bytes are enough to begin.
        for (bytes, start) in [(classic.bytes, 24), (blocks.bytes, 12)] {
            var given = 0
            let source: ByteSource = { buffer throws(SourceFailure) in
                guard given < end else { throw SourceFailure("the disk is gone") }
                let count = min(buffer.count, end - given, 7)
                for index in 0..<count { buffer[index] = bytes[given + index] }
                given += count
                return count
            }
            let fault = Result { () throws(CaptureFault) -> CaptureFault? in
                let capture = try CaptureReader(source)
                while capture.next({ _ in }) {}
                return capture.fault
            }
            let message = end < 12 ? "cannot read: the disk is gone" : "cannot continue reading: the disk is gone"
            let expected = CaptureFault(at: end < 12 ? 0 : UInt64(end), message)
            if end >= start {
                #expect(try fault.get() == expected)
            } else {
                #expect(throws: expected) { try fault.get() }
            }
        }
    }

    private static func words(_ words: UInt32...) -> [UInt8] {
        var bytes = CaptureBytes(isBigEndian: false)
        for word in words { bytes.put(word) }
        return bytes.bytes
    }

    private static func file(_ type: UInt32, _ body: [UInt8], interfaces: Int = 1) -> [UInt8] {
        var file = PcapngWriter()
        for _ in 0..<interfaces { file.addInterface() }
        file.addBlock(type, body)
        return file.bytes
    }

    /// Broken: a block that is too short for its fields is read, or the shortest valid one is a fault.
    @Test func blocksHaveAShortestLength() throws {
        let cases: [(type: UInt32, name: String, length: Int)] = [
            (6, "an enhanced packet block", 20), (2, "a packet block", 20), (3, "a simple packet block", 4),
            (1, "an interface description", 8),
        ]
        for (type, name, length) in cases {
            let zeros = [UInt8](repeating: 0, count: length)
            try Self.expect(Self.file(type, zeros), packets: type == 1 ? 0 : 1, nil)
            let fault = CaptureFault(at: Self.interface, "\(name) is too short", help: Self.damaged)
            try Self.expect(Self.file(type, Array(zeros.dropLast(4))), packets: 0, fault)
        }
        let header = Self.words(0x1a2b_3c4d, 1, .max, .max)
        try Self.expect(Self.file(0x0a0d_0d0a, header), packets: 0, nil)
        try Self.expect(
            Self.file(0x0a0d_0d0a, Array(header.dropLast(4))), packets: 0,
            CaptureFault(at: Self.interface, "a section header is too short", help: Self.damaged))
        try Self.expect(
            Self.file(0x0a0d_0d0a, Self.words(0x1a2b_3c4d, 0x0003_0002, 0, 0)), packets: 0,
            CaptureFault(at: Self.interface, "pcapng version 2.3 is not known", help: "version 1 is read"))
        try Self.expect(Self.file(0x0a0d_0d0a, Self.words(0x1a2b_3c4d, 0x0003_0001, 0, 0)), packets: 0, nil)
        try Self.expect(
            Self.file(0x0a0d_0d0a, Self.words(0x1a2b_3c4e, 1, 0, 0)), packets: 0,
            CaptureFault(at: Self.interface + 8, "a section begins with an unknown byte order"))
        // Other blocks are only ignored if they are too short.
        for type in [4, 5, 0xbad, 0x4000_0bad, 0x8000_0001, 7, 99] as [UInt32] {
            try Self.expect(Self.file(type, []), packets: 0, nil)
            try Self.expect(Self.file(type, [0, 0, 0, 0]), packets: 0, nil)
        }
    }

    /// Broken: a packet of an interface that the section does not describe is read, or one of the last interface is
    /// not.
    @Test func packetsNeedTheirInterface() throws {
        for count in 0...2 {
            for number in [0, 1, 2, 0x1_0000] as [UInt32] {
                let isThere = number < count
                let fault = CaptureFault(
                    at: Self.section + 20 * UInt64(count),
                    "a packet belongs to interface \(number), which the section does not describe",
                    help: Self.damaged)
                let body = Self.words(number, 0, 1, 0, 0)
                try Self.expect(
                    Self.file(6, body, interfaces: count), packets: isThere ? 1 : 0, isThere ? nil : fault)
                // The old block has 16 bits for the number, and counts lost packets in the other half.
                if number < 0x1_0000 {
                    let old = Self.words(number | 0x0007_0000, 0, 1, 0, 0)
                    try Self.expect(
                        Self.file(2, old, interfaces: count), packets: isThere ? 1 : 0, isThere ? nil : fault)
                }
                guard number == 0 else { continue }
                try Self.expect(
                    Self.file(3, Self.words(0), interfaces: count), packets: isThere ? 1 : 0, isThere ? nil : fault)
            }
        }
    }

    /// Broken: lengths of a block or of its packet that contradict each other are accepted.
    @Test func lengthsMustAgree() throws {
        for (captured, data) in [(4, 4), (5, 4), (0, 4), (8, 8), (9, 8)] as [(UInt32, Int)] {
            let body = Self.words(0, 0, 1, captured, captured) + [UInt8](repeating: 1, count: data)
            let isWhole = captured <= data
            let message = "a packet block claims \(captured) captured bytes but contains \(data)"
            for type in [6, 2] as [UInt32] {
                try Self.expect(
                    Self.file(type, body), packets: isWhole ? 1 : 0,
                    isWhole ? nil : CaptureFault(at: Self.interface, message, help: Self.damaged))
            }
        }
        for length in [0, 4, 8, 11, 12, 13, 14, 15, 16] as [UInt32] {
            let file = Self.file(99, []).prefix(48) + Self.words(99, length, length, length)
            let isValid = length == 12 || length == 16
            let claim = CaptureFault(
                at: Self.interface, "a block claims to be \(length) bytes long", help: Self.damaged)
            // A block of twelve bytes leaves four bytes, which are no block.
            let rest = CaptureFault(
                at: Self.interface + 12, "the file ends inside the header of a block: 4 of 12 bytes are there",
                help: Self.short)
            try Self.expect(Array(file), packets: 0, isValid ? length == 12 ? rest : nil : claim)
        }
        // The length at the end of a known block must be the same; of an unknown one it is skipped.
        for type in [4, 5, 99] as [UInt32] {
            let file = Self.file(99, []).prefix(48) + Self.words(type, 16, 0, 20)
            let fault = CaptureFault(
                at: Self.interface, "the lengths at the beginning and the end of a block differ", help: Self.damaged)
            try Self.expect(Array(file), packets: 0, type == 99 ? nil : fault)
        }
    }

    /// Broken: the text of a truncated block names another number of bytes, or an option beyond its block is no fault.
    @Test func saysWhereABlockEnds() throws {
        let whole = Self.file(6, Self.words(0, 0, 1, 4, 4, 0))
        for count in 1..<36 {
            let isHeader = count < 12
            let message =
                "the file ends inside \(isHeader ? "the header of a block" : "a block"): \(count) of "
                + "\(isHeader ? 12 : 36) bytes are there"
            try Self.expect(
                Array(whole.prefix(Int(Self.interface) + count)), packets: 0,
                CaptureFault(at: Self.interface, message, help: Self.short))
        }
        for (length, isWhole) in [(0, true), (4, true), (5, false), (8, false)] as [(UInt16, Bool)] {
            let option = Self.words(UInt32(length) << 16 | 9) + [6, 0, 0, 0]
            let fault = CaptureFault(
                at: Self.interface, "an option of an interface is too short", help: Self.damaged)
            try Self.expect(Self.file(1, Self.words(1, 0) + option), packets: 0, isWhole ? nil : fault)
        }
    }
}
