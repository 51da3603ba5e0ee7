import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Captures of several files, and the batches in which packets are delivered.
struct PartTests {
    private static let packet = PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))

    private static func classic(_ stamps: [UInt64], linkType: UInt32 = 101, snapLength: UInt32 = 262_144) -> [UInt8] {
        var file = PcapWriter(linkType: linkType, isNanoseconds: true, snapLength: snapLength)
        for stamp in stamps { file.add(packet, at: stamp) }
        return file.bytes
    }

    private static func parts(_ files: [[UInt8]], isPeeked: Bool = true) throws -> [CapturePart] {
        try files.enumerated().map { index, bytes -> CapturePart in
            var part = CapturePart(name: "part \(index)") { () throws(SourceFailure) -> ByteSource in
                if bytes.isEmpty { throw SourceFailure("no such file") }
                return bytes.source()
            }
            if isPeeked, !bytes.isEmpty { try part.peek() }
            return part
        }
    }

    private static func read(_ parts: [CapturePart]) throws -> (capture: CaptureReader, stamps: [Int128]) {
        let capture = try CaptureReader(parts)
        var stamps: [Int128] = []
        while capture.next({ span in for index in span.indices { stamps.append(span[index].stamp.nanoseconds) } }) {}
        return (capture, stamps)
    }

    /// Broken: files that overlap are joined, or files that follow each other are rejected.
    @Test func filesMayOverlapByOneSecond() throws {
        let (last, second) = (UInt64(5_000_000_000), UInt64(1_000_000_000))
        for (first, isAllowed) in [(last + 9, true), (last - second, true), (last - second - 1, false), (0, false)] {
            let (capture, stamps) = try Self.read(
                Self.parts([Self.classic([1, last]), Self.classic([first, first + 1])]))
            let overlap = CaptureOverlap(
                earlier: "part 0", later: "part 1", span: .nanoseconds(Int64(last) - Int64(first)))
            #expect(capture.overlap == (isAllowed ? nil : overlap), "\(first)")
            #expect(stamps == [1, Int128(last)] + (isAllowed ? [Int128(first), Int128(first) + 1] : []))
            #expect(capture.counts.packets == UInt64(stamps.count) && capture.fault == nil)
        }
        // The first time of a file is unknown if it was not looked up, and then no overlap is found.
        let unknown = try Self.read(Self.parts([Self.classic([last]), Self.classic([1])], isPeeked: false))
        #expect(unknown.stamps == [Int128(last), 1] && unknown.capture.overlap == nil)
        // After an overlap nothing is read. The earlier packets may have been delivered before.
        for count in [4_096, 6_000] as [UInt64] {
            let many = (0..<count).map { last + $0 }
            let far = try Self.read(Self.parts([Self.classic(many), Self.classic([1]), Self.classic([last * 2])]))
            #expect(far.stamps.count == Int(count) && far.capture.overlap?.later == "part 1")
        }
    }

    /// Broken: the first packet's time of a file is that of another packet, or a file without packets has one.
    @Test func theFirstTimeIsFound() throws {
        #expect(try Self.parts([Self.classic([7, 3])])[0].first == Timestamp(nanoseconds: 7))
        #expect(try Self.parts([Self.classic([])])[0].first == nil)
        var blocks = PcapngWriter()
        blocks.addInterface(linkType: 101)
        #expect(try Self.parts([blocks.bytes])[0].first == nil)
        blocks.addBlock(3, blocks.part { $0.put(UInt32(40)) } + Self.packet)
        #expect(try Self.parts([blocks.bytes])[0].first == nil)
        blocks.add(Self.packet, at: 8)
        blocks.add(Self.packet, at: 4)
        #expect(try Self.parts([blocks.bytes])[0].first == Timestamp(nanoseconds: 8_000))
        #expect(throws: CaptureFault(at: 0, "cannot read: no such file")) {
            var part = try Self.parts([[]])[0]
            try part.peek()
        }
    }

    /// Broken: a file that cannot be read ends the capture, its fault is lost, or the fault of a later file replaces it.
    @Test func laterFilesAreReadAfterAFault() throws {
        let broken = Array(Self.classic([5, 6]).dropLast())
        let message = "the file ends inside a record: 55 of 56 bytes are there"
        let help = "the capture was cut short; everything before this byte is used"
        let cut = try Self.read(Self.parts([Self.classic([1]), broken, [], Self.classic([9])]))
        #expect(cut.stamps == [1, 5, 9] && cut.capture.fault == CaptureFault(at: 80, "part 1: " + message, help: help))
        let missing = try Self.read(Self.parts([Self.classic([1]), [], broken, Self.classic([9])]))
        #expect(missing.stamps == [1, 5, 9])
        #expect(missing.capture.fault == CaptureFault(at: 0, "part 1: cannot read: no such file"))
        #expect(throws: CaptureFault(at: 0, "cannot read: no such file")) { try Self.read(Self.parts([[]])) }
        // The fault of a single file does not name it.
        #expect(try Reading(broken).fault == CaptureFault(at: 80, message, help: help))
        let last = try Self.read(Self.parts([Self.classic([1]), []]))
        #expect(last.stamps == [1] && last.capture.fault?.message == "part 1: cannot read: no such file")
    }

    /// Broken: the same interface of several files counts as several, or different ones count as one.
    @Test func interfacesOfLaterFilesAreTheSame() throws {
        func blocks(_ interfaces: [(type: UInt16, snap: UInt32, name: String, about: String)]) -> [UInt8] {
            var file = PcapngWriter()
            for (index, one) in interfaces.enumerated() {
                file.addInterface(
                    linkType: one.type, snapLength: one.snap, options: [.init(2, one.name), .init(3, one.about)])
                file.add(Self.packet, at: 1, interface: UInt32(index))
            }
            return file.bytes
        }
        let first = blocks([(101, 0, "a", "x"), (101, 0, "a", "x"), (1, 96, "b", "y")])
        func packets(_ second: [UInt8]) throws -> [UInt64] {
            try Self.read(Self.parts([first, second])).capture.interfaces.map(\.packets)
        }
        #expect(try packets(first) == [2, 2, 2])
        #expect(try packets(blocks([(1, 96, "b", "y"), (101, 0, "a", "x")])) == [2, 1, 2])
        // Three equal ones are more than the first file has.
        #expect(try packets(blocks(.init(repeating: (101, 0, "a", "x"), count: 3))) == [2, 2, 1, 1])
        for other in [(101, 1, "a", "x"), (102, 0, "a", "x"), (101, 0, "b", "x"), (101, 0, "a", "y")]
            as [(UInt16, UInt32, String, String)]
        {
            #expect(try packets(blocks([other])) == [1, 1, 1, 1], "\(other)")
        }
        // Within one file, equal interfaces are different ones; a third file continues those of the second.
        let three = try Self.read(Self.parts([first, blocks([(7, 0, "n", "")]), blocks([(7, 0, "n", "")])])).capture
        #expect(three.interfaces.map(\.packets) == [1, 1, 1, 2] && three.linkTypes == [101, 1, 7])
        #expect(three.unreadLinkTypes.map(\.name) == ["LINKTYPE 7"] && three.unreadLinkTypes[0].packets == 2)
        // A byte order is part of the link types that use it.
        let (little, big) = (Self.classic([1], linkType: 0), Self.bigEndian(linkType: 0))
        #expect(try Self.read(Self.parts([little, big])).capture.interfaces.map(\.packets) == [1, 1])
        let same = [Self.classic([1]), Self.bigEndian(linkType: 101)]
        #expect(try Self.read(Self.parts(same)).capture.interfaces.map(\.packets) == [2])
    }

    private static func bigEndian(linkType: UInt32) -> [UInt8] {
        var file = PcapWriter(linkType: linkType, isBigEndian: true)
        file.add(packet, at: 2_000)
        return file.bytes
    }

    /// Broken: a batch is larger than its limit, is not emptied, or keeps entries of a removed interface.
    @Test func batchesKeepTheirOrderAndLimits() throws {
        var file = PcapngWriter()
        file.addInterface(linkType: 101)
        file.addInterface(linkType: 101)
        for number in 0..<5_000 { file.add(Self.packet, at: UInt64(number), interface: UInt32(number / 3 % 2)) }
        let statistics: [PcapngWriter.Option] = [
            .init(1, "no coverage"), .init(1, "radio told: off"), .init(3, [UInt8](repeating: 0, count: 8)),
            .init(2, [1, 0, 0, 0, 0, 0, 0, 0]),
        ]
        for interface in [0, 1] as [UInt8] {
            file.addBlock(5, [interface] + [UInt8](repeating: 0, count: 11), options: statistics)
        }
        let capture = try CaptureReader(file.bytes.source())
        let batch = PacketBatch()
        var (sizes, stamps): ([Int], [Int128]) = ([], [])
        while capture.next(batch) {
            sizes.append(batch.count)
            batch.read { span in for index in span.indices { stamps.append(span[index].stamp.nanoseconds / 1_000) } }
            let (all, whole) = (batch.outages.count, batch.count)
            batch.keep { $0 == 1 }
            #expect(batch.outages.map(\.interface) == (all > 0 ? [1] : []))
            #expect(batch.remarks.map(\.interface) == (all > 0 ? [1] : []) && batch.count < whole)
            var kept: [UInt32] = []
            batch.read(into: &kept) { taker, span in for index in span.indices { taker.append(span[index].interface) } }
            #expect(kept == .init(repeating: 1, count: batch.count))
        }
        #expect(sizes == [4_096, 512, 392] && stamps == (0..<5_000).map { Int128($0) })
        #expect(batch.count == 0 && capture.interfaces.map(\.packets) == [2_501, 2_499])
    }

    /// Broken: packets without a time take another time than that of the packet before them, or of the first one after.
    @Test(arguments: [0, 1, 5, 4_095, 4_096, 4_100])
    func packetsWithoutATimeTakeTheNearest(_ early: Int) throws {
        var file = PcapngWriter()
        file.addInterface(linkType: 101)
        let simple = file.part { $0.put(UInt32(40)) } + Self.packet
        for _ in 0..<early { file.addBlock(3, simple) }
        file.add(Self.packet, at: 7)
        for _ in 0..<600 { file.addBlock(3, simple) }
        file.add(Self.packet, at: 9)
        file.addBlock(3, simple)
        let reading = try Reading(file.bytes)
        // The first 4,096 packets are delivered together, so later ones cannot reach them.
        let before = early < 4_096 ? Int128(7_000) : 0
        let expected =
            [Int128](repeating: before, count: early) + [Int128](repeating: 7_000, count: 601) + [9_000, 9_000]
        #expect(reading.packets.map(\.stamp.nanoseconds) == expected)
        #expect(reading.counts.unstampedPackets == UInt64(early + 601))
    }
}
