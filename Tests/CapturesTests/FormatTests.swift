import CZlib
import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// The two file formats in all their variants.
struct FormatTests {
    private static let packet = PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(40_000, 443)))

    @Test(arguments: [false, true], [false, true])
    func readsEveryClassicFile(_ isBigEndian: Bool, _ isNanoseconds: Bool) throws {
        // Broken: a byte order or time resolution of classic files is not read.
        var file = PcapWriter(isBigEndian: isBigEndian, isNanoseconds: isNanoseconds)
        file.add(Self.packet, at: 1_700_000_000_123_456_000, wireLength: 1_500)
        // 2^31 and 2^32 - 1 seconds: a signed reader would take them for dates in the past.
        for seconds: UInt32 in [1 << 31, .max] {
            file.add(Self.packet, seconds: seconds, fraction: 0, captured: 54, wire: 54)
        }
        // A fraction of more than a second is carried over to the seconds.
        file.add(Self.packet, seconds: 5, fraction: 2_000_000_001, captured: 54, wire: 54)
        let reading = try Reading(file.bytes)
        let fraction: Int128 = isNanoseconds ? 1 : 1_000
        #expect(
            reading.packets.map(\.stamp.nanoseconds) == [
                1_700_000_000_123_456_000, 2_147_483_648_000_000_000, 4_294_967_295_000_000_000,
                5_000_000_000 + 2_000_000_001 * fraction,
            ])
        #expect(reading.packets.map(\.wireLength) == [1_500, 54, 54, 54] && reading.counts.timeReversals == 1)
        #expect(reading.capture.format == .pcap && reading.fault == nil)
    }

    @Test func readsOldVersionsOfClassicFiles() throws {
        // Broken: files from before 1999 with swapped length fields, or with longer records, are misread.
        for (version, turned) in [((2, 2), true), ((543, 0), true), ((2, 3), true), ((2, 3), false), ((2, 4), false)]
            as [((UInt16, UInt16), Bool)]
        {
            var file = PcapWriter(version: version)
            file.add(Self.packet, seconds: 0, fraction: 0, captured: turned ? 900 : 54, wire: turned ? 54 : 900)
            let packet = try #require(try Reading(file.bytes).packets.first)
            #expect(packet.capturedLength == 54 && packet.wireLength == 900, "\(version)")
        }
        var patched = PcapWriter(magic: 0xa1b2_cd34)
        for _ in 0..<2 {
            patched.add([3, 0, 0, 0, 8, 0, 0, 0] + Self.packet, seconds: 1, fraction: 0, captured: 54, wire: 54)
        }
        let reading = try Reading(patched.bytes)
        #expect(reading.packets.map(\.isTCP) == [true, true] && reading.fault == nil)
    }

    @Test func cutsRecordsToTheSnapLength() throws {
        // Broken: records longer than the header allows (Solaris wrote such files) shift all later records.
        var file = PcapWriter(snapLength: 60)
        let long = Self.packet + [UInt8](repeating: 0, count: 100)
        file.add(long, at: 0, wireLength: 1_000)
        file.add(Self.packet, at: 0)
        // The result must not depend on the number of bytes that the source delivers at once.
        for piece in [1, 7, 90, .max] {
            let reading = try Reading(file.bytes, piece: piece)
            #expect(reading.packets.map(\.capturedLength) == [60, 54] && reading.counts.clippedPackets == 1)
            #expect(reading.fault == nil, "\(piece) bytes at once")
        }
    }

    @Test(arguments: [
        ("no coverage", 7, 9, true), ("no coverage", 9, 7, false), ("no coverage", 7, 7, false), ("x", 7, 9, false),
    ])
    func readsOutages(_ comment: String, _ from: UInt32, _ until: UInt32, _ isOne: Bool) throws {
        // Broken: an outage is lost, or an outage is accepted that ends before it begins.
        for isBigEndian in [false, true] {
            var file = PcapngWriter(isBigEndian: isBigEndian)
            file.addInterface()
            func stamp(_ seconds: UInt32) -> [UInt8] {
                file.part { part in for half in [0, seconds * 1_000_000] { part.put(half) } }
            }
            file.addBlock(
                5, file.part { $0.put([UInt8](repeating: 0, count: 12)) },
                options: [.init(1, comment), .init(3, stamp(from)), .init(2, stamp(until))])
            file.add(Self.packet, at: 10_000_000)
            let expected = Outage(
                interface: 0, from: Timestamp(seconds: Int64(from)), until: Timestamp(seconds: Int64(until)))
            #expect(try Reading(file.bytes).outages == (isOne ? [expected] : []))
        }
    }

    struct Scale: Sendable {
        var resolution: UInt8?
        var offset: Int64 = 0
        var count: UInt64
        var nanoseconds: Int128
    }

    @Test(arguments: [
        Scale(count: 1_500_000, nanoseconds: 1_500_000_000), Scale(resolution: 9, count: 7, nanoseconds: 7),
        Scale(resolution: 0, count: 3, nanoseconds: 3_000_000_000),
        Scale(resolution: 3, offset: 2, count: 5, nanoseconds: 2_005_000_000),
        Scale(resolution: 6, offset: -1, count: 500_000, nanoseconds: -500_000_000),
        Scale(resolution: 12, count: 1_999, nanoseconds: 1),
        Scale(resolution: 19, count: .max, nanoseconds: 1_844_674_407),
        Scale(resolution: 28, count: .max, nanoseconds: 1), Scale(resolution: 127, count: .max, nanoseconds: 0),
        Scale(resolution: 0x80, count: 2, nanoseconds: 2_000_000_000),
        Scale(resolution: 0x80 | 10, count: 1_536, nanoseconds: 1_500_000_000),
        Scale(resolution: 0x80 | 63, count: .max, nanoseconds: 1_999_999_999),
        Scale(resolution: 0xff, count: .max, nanoseconds: 0),
        // In nanoseconds, these values need more than 64 bits.
        Scale(count: .max, nanoseconds: 18_446_744_073_709_551_615_000),
        Scale(resolution: 0, count: .max, nanoseconds: 18_446_744_073_709_551_615_000_000_000),
    ])
    func countsTimeInEveryUnit(_ scale: Scale) throws {
        // Broken: an interface with its own time unit is years off, or traps.
        for isBigEndian in [false, true] {
            var file = PcapngWriter(isBigEndian: isBigEndian)
            var options = scale.resolution.map { [PcapngWriter.Option(9, [$0])] } ?? []
            if scale.offset != 0 { options.append(.init(14, file.part { $0.put(scale.offset) })) }
            file.addInterface(options: options)
            file.add(Self.packet, at: scale.count)
            #expect(try Reading(file.bytes).packets.map(\.stamp.nanoseconds) == [scale.nanoseconds])
        }
    }

    @Test func keepsInterfacesApart() throws {
        // Broken: link types, resolutions or sections that differ within a file (libpcap rejects such files) are mixed
        // up.
        var file = PcapngWriter()
        file.addInterface(linkType: 1, snapLength: 96, options: [.init(2, "wlan0"), .init(3, "Wi-Fi")])
        file.addInterface(linkType: 101, snapLength: 0, options: [.init(2, "rmnet0"), .init(9, [9])])
        file.add(Self.packet, at: 1)
        file.add(Array(Self.packet.dropFirst(14)), at: 2_000, interface: 1)
        file.addSection(isBigEndian: true)
        file.addInterface(linkType: 101, options: [.init(2, "rmnet1")])
        file.add(Array(Self.packet.dropFirst(14)), at: 3)
        file.addBlock(
            5, file.part { $0.put([UInt8](repeating: 0, count: 12)) }, options: [.init(5, [0, 0, 0, 0, 0, 0, 0, 9])])
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map(\.stamp.nanoseconds) == [1_000, 2_000, 3_000])
        #expect(reading.packets.map(\.interface) == [0, 1, 2] && reading.packets.allSatisfy(\.isTCP))
        #expect(reading.capture.interfaces.map(\.name) == ["wlan0", "rmnet0", "rmnet1"])
        #expect(reading.capture.interfaces.map(\.packets) == [1, 1, 1] && reading.capture.interfaces[2].dropped == 9)
        #expect(reading.capture.linkTypes == [1, 101] && reading.flows.tcp == 1 && reading.fault == nil)
    }

    @Test func readsPacketsWithoutATime() throws {
        // Broken: simple packet blocks are lost, or set the clock back to 1970.
        var file = PcapngWriter()
        file.addInterface(snapLength: 60)
        let long = Self.packet + [UInt8](repeating: 0, count: 6)
        file.addBlock(3, file.part { $0.put(UInt32(54)) } + Self.packet)
        file.add(Self.packet, at: 7_000_000)
        file.addBlock(3, file.part { $0.put(UInt32(1_000)) } + long)
        let old = file.part { part in
            for half in [0, 3] as [UInt16] { part.put(half) }
            for word in [0, 8_000_000, 54, 54] as [UInt32] { part.put(word) }
            part.put(Self.packet)
        }
        file.addBlock(2, old)
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map(\.stamp) == [7, 7, 7, 8].map { Timestamp(seconds: $0) })
        #expect(reading.packets.map(\.capturedLength) == [54, 54, 60, 54] && reading.packets[2].wireLength == 1_000)
        #expect(reading.counts.unstampedPackets == 2 && reading.counts.timeReversals == 0)
    }

    @Test func unpacksGzip() throws {
        // Broken: several gzip members, padding after them, or damage inside them is not handled.
        var file = PcapWriter()
        for index in 0..<2_000 { file.add(Self.packet, at: UInt64(index)) }
        let half = file.bytes.count / 2
        let packed = Self.gzip(Array(file.bytes.prefix(half))) + Self.gzip(Array(file.bytes.dropFirst(half)))
        for bytes in [packed, packed + [UInt8](repeating: 0, count: 512)] {
            let reading = try Reading(bytes)
            #expect(reading.packets.count == 2_000 && reading.fault == nil && reading.capture.isCompressed)
        }
        let cut = try Reading(Array(packed.dropLast(20)))
        #expect((1_000..<2_000).contains(cut.packets.count))
        #expect(
            cut.fault?.message.contains("gzip data is truncated") == true, "\(String(describing: cut.fault))")
        var broken = packed
        for index in (packed.count * 3 / 4)..<(packed.count * 3 / 4 + 8) { broken[index] ^= 0xff }
        let damaged = try Reading(broken)
        #expect(damaged.packets.count >= 900 && damaged.fault != nil)
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 31: a window of 15 bits, and 16 for gzip.
        deflateInit2_(
            &stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count + 1_024)
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                deflate(&stream, Z_FINISH)
                return target.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }
}
