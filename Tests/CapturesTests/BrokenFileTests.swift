import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Damaged and hostile capture files must do no harm.
struct BrokenFileTests {
    /// A capture of each format that contains every element with a length field.
    static let files: [(name: String, bytes: [UInt8])] = [
        ("pcap", classic(isBigEndian: false)), ("pcap, big-endian", classic(isBigEndian: true)),
        ("pcapng", sections(isBigEndian: false)), ("pcapng, big-endian", sections(isBigEndian: true)),
        ("cooked", Samples.linked(113)), ("PKTAP", Samples.linked(258)), ("radiotap", Samples.linked(127)),
        ("NFLOG", Samples.linked(239)),
    ]

    private static func classic(isBigEndian: Bool) -> [UInt8] {
        var file = PcapWriter(isBigEndian: isBigEndian)
        for (index, packet) in Samples.packets.enumerated() {
            file.add(packet, at: UInt64(index) * 1_000_000, wireLength: packet.count + index)
        }
        return file.bytes
    }

    private static func sections(isBigEndian: Bool) -> [UInt8] {
        var file = PcapngWriter(isBigEndian: isBigEndian)
        for round in 0..<2 {
            if round > 0 { file.addSection(isBigEndian: !isBigEndian) }
            file.addInterface(options: [.init(2, "wlan0"), .init(9, [9]), .init(1, "a comment")])
            file.addInterface(
                linkType: 101, snapLength: 96, options: [.init(9, [0x94]), .init(14, [0, 0, 0, 0, 0, 0, 0, 1])])
            for (index, packet) in Samples.packets.enumerated() {
                file.add(
                    index % 2 == 0 ? packet : Array(packet.dropFirst(14)), at: UInt64(index) << 20,
                    interface: UInt32(index % 2), options: [.init(2, [0, 0, 0, 1]), .init(1, "here")])
            }
            file.addBlock(3, [0, 0, 0, 60] + Samples.packets[0])
            file.addBlock(4, [0, 1, 0, 8, 192, 0, 2, 1, 97, 46, 98, 0, 0, 0, 0, 0])
            file.addBlock(0xbad, [0xbc, 0xf4, 0, 0, 1, 0, 1, 0, 9, 0, 0, 0, 3, 3, 97, 46, 98, 65, 112, 112])
            file.addBlock(5, [UInt8](repeating: 0, count: 12), options: [.init(5, [UInt8](repeating: 1, count: 8))])
        }
        return file.bytes
    }

    /// Reads the bytes and checks the limits: never more packets than the bytes can hold. Memory bounds hold by
    /// construction.
    private func read(_ bytes: [UInt8], _ place: String) -> Int {
        do throws(CaptureFault) {
            let reading = try Reading(bytes)
            // A record takes at least 16 bytes, a block at least 12.
            #expect(reading.packets.count <= bytes.count / 12, "\(place)")
            #expect(reading.packets.count == Int(reading.counts.packets), "\(place)")
            if let fault = reading.fault { #expect(fault.offset <= UInt64(bytes.count), "\(place)") }
            return reading.packets.count
        } catch {
            #expect(!error.message.isEmpty && error.offset <= UInt64(bytes.count), "\(place)")
            return -1
        }
    }

    @Test(arguments: files.map(\.name))
    func readsUpToEveryTruncation(_ name: String) throws {
        // Broken: a truncated file traps, hangs, or loses complete packets.
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        let whole = try Reading(bytes)
        #expect(whole.fault == nil, "\(String(describing: whole.fault))")
        var before = -1
        for length in 0...min(bytes.count, 4_096) {
            let count = read(Array(bytes.prefix(length)), "\(name) cut at \(length)")
            #expect(count >= before, "\(name) cut at \(length): fewer packets than with one byte fewer")
            before = count
        }
        #expect(before == whole.packets.count || bytes.count > 4_096)
    }

    @Test(arguments: files.map(\.name))
    func survivesFlippedBits(_ name: String) throws {
        // Broken: a damaged length, count, offset or name traps, hangs, or produces packets that do not exist.
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        var damaged = 0
        var dice = SplitMix(state: UInt64(name.utf8.count))
        for flip in 0..<1_000 {
            var broken = bytes
            let bit = Int(dice.next() % UInt64(bytes.count * 8))
            broken[bit / 8] ^= 1 << (bit % 8)
            if read(broken, "\(name), flip \(flip) of bit \(bit)") != Samples.packets.count { damaged += 1 }
        }
        #expect(damaged > 0)
    }

    private struct SplitMix {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
            return z ^ (z >> 31)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 4_096])
    func readsFromAnySource(_ piece: Int) throws {
        // Broken: a pipe that delivers a few bytes at a time changes the result.
        for (name, bytes) in Self.files {
            let (whole, pieces) = (try Reading(bytes), try Reading(bytes, piece: piece))
            #expect(whole.packets == pieces.packets && whole.counts == pieces.counts, "\(name)")
        }
        #expect(Self.files.count == 8)
    }

    struct FaultCase: Sendable, CustomStringConvertible {
        let description: String
        let bytes: [UInt8]
        /// The number of packets before the fault, and a part of the fault's message. `nil` if there is no fault.
        var packets = 0
        var says: String?
    }

    private static func pcapng(_ more: (inout PcapngWriter) -> Void) -> [UInt8] {
        var file = PcapngWriter()
        file.addInterface()
        more(&file)
        return file.bytes
    }

    private static func little(_ words: UInt32...) -> [UInt8] {
        var bytes = CaptureBytes(isBigEndian: false)
        for word in words { bytes.put(word) }
        return bytes.bytes
    }

    static let faultCases = [
        FaultCase(description: "no packet", bytes: PcapWriter().bytes),
        FaultCase(description: "no packet in pcapng", bytes: pcapng { _ in }),
        FaultCase(
            description: "a record of 2^32 - 1 bytes",
            bytes: {
                var file = PcapWriter()
                file.add([], seconds: 0, fraction: 0, captured: .max, wire: .max)
                return file.bytes
            }(), says: "4294967295 captured bytes"),
        FaultCase(
            description: "a block of 2^32 - 4 bytes", bytes: pcapng { _ in } + little(6, .max - 3), says: "inside"),
        FaultCase(
            description: "an unknown block of 2^32 - 4 bytes", bytes: pcapng { _ in } + little(99, .max - 3, 0),
            says: "inside"),
        FaultCase(description: "a block of no bytes", bytes: pcapng { _ in } + little(6, 0, 0), says: "0 bytes long"),
        FaultCase(
            description: "a block of 13 bytes", bytes: pcapng { _ in } + little(99, 13, 0, 13), says: "13 bytes long"),
        FaultCase(
            description: "a block with two lengths", bytes: pcapng { _ in } + little(5, 16, 0, 20),
            says: "of a block differ"),
        FaultCase(
            description: "a packet of an interface that is not there",
            bytes: pcapng { $0.add([1], at: 0, interface: 7) }, says: "interface 7"),
        FaultCase(
            description: "a packet longer than its block", bytes: pcapng { $0.addBlock(6, little(0, 0, 0, 100, 100)) },
            says: "100 captured bytes but contains 0"),
        FaultCase(
            description: "options of no length",
            bytes: pcapng { $0.add([1], at: 0, options: [.init(1, ""), .init(2, ""), .init(9, "")]) },
            packets: 1),
        FaultCase(
            description: "a packet's option beyond its block",
            bytes: pcapng { $0.addBlock(6, little(0, 0, 0, 0, 0) + [1, 0, 0xff, 0xff]) }, packets: 1),
        FaultCase(
            description: "an interface's option beyond its block",
            bytes: pcapng { $0.addBlock(1, little(1, 0) + [9, 0, 0xff, 0xff]) }, says: "an option of an interface"),
        FaultCase(
            description: "a section of an unknown version",
            bytes: pcapng { $0.addBlock(0x0a0d_0d0a, little(0x1a2b_3c4d, 2, 0, 0)) }, says: "version 2.0"),
    ]

    @Test(arguments: faultCases)
    func namesTheFault(_ faultCase: FaultCase) throws {
        // Broken: a false length costs memory, or the fault is not reported.
        let reading = try Reading(faultCase.bytes)
        #expect(reading.packets.count == faultCase.packets)
        if let says = faultCase.says {
            let fault = try #require(reading.fault)
            #expect(fault.message.contains(says), "\(fault.message)")
            #expect(fault.offset <= UInt64(faultCase.bytes.count) && fault.offset > 0)
        } else {
            #expect(reading.fault == nil)
        }
    }

    @Test func endsAnEndlessFile() throws {
        // Broken: an endless file without content is read for ever, or fills the memory.
        var given = 0
        let header = PcapWriter().bytes
        let capture = try CaptureReader { buffer throws(SourceFailure) in
            // Empty records: 16 zero bytes each, 64 MiB in all.
            if given > 64 << 20 { return 0 }
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            for index in 0..<max(0, min(header.count - given, buffer.count)) { buffer[index] = header[given + index] }
            given += buffer.count
            return buffer.count
        }
        while capture.next({ _ in }) {}
        #expect(capture.counts.packets > 4_000_000 && capture.counts.bytes == 0)
        #expect(capture.fault == nil || capture.fault?.message.contains("ends inside") == true)
    }

    @Test(arguments: [
        ([UInt8](), "empty", "header"), ([0x28, 0xb5, 0x2f, 0xfd, 0], "Zstandard", "zstd -dc"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], "xz", "xz -dc"), (Array("BZh9".utf8), "bzip2", "bzip2 -dc"),
        ([4, 0x22, 0x4d, 0x18], "LZ4", "lz4 -dc"), (Array("PK".utf8) + [3, 4], "zip", "unzip -p"),
        (Array("hello, world".utf8), "neither pcap, nor pcapng, nor a Perfetto trace", "tshark"),
        ([0xd4, 0xc3, 0xb2, 0xa1], "inside the header", "cut short"),
        ([0xd4, 0xc3, 0xb2, 0xa1, 9, 0, 4, 0] + [UInt8](repeating: 0, count: 16), "version 9.4", "2.4"),
    ])
    func namesTheFormatOfAnUnreadableFile(_ bytes: [UInt8], _ says: String, _ help: String) throws {
        // Broken: the error for an unreadable file does not tell the user the next step.
        let fault = #expect(throws: CaptureFault.self) { try Reading(bytes) }
        #expect(
            fault?.message.contains(says) == true && fault?.help?.contains(help) == true, "\(String(describing: fault))"
        )
    }
}
