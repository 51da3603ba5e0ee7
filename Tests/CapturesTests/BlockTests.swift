import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// The contents of pcapng blocks: options, names, apps, statistics and limits.
struct BlockTests {
    private static let packet = PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))

    private static func file(_ more: (inout PcapngWriter) -> Void) -> [UInt8] {
        var file = PcapngWriter()
        file.addInterface(linkType: 101)
        more(&file)
        return file.bytes
    }

    /// Broken: a packet is sent or received although the file says otherwise, or flags of another length are read.
    @Test(
        arguments: [
            ([0, 0, 0, 0], .unknown), ([1, 0, 0, 0], .down), ([2, 0, 0, 0], .up), ([3, 0, 0, 0], .unknown),
            ([0xfd, 0xff, 0xff, 0xff], .down), ([0xfe, 0, 0, 0], .up), ([0, 1, 0, 0], .unknown), ([1, 0], .unknown),
            ([1, 0, 0, 0, 0, 0, 0, 0], .unknown), ([1, 0, 0, 0, 0], .unknown),
        ] as [([UInt8], PacketDirection)])
    func readsTheDirectionOfAPacket(_ flags: [UInt8], _ direction: PacketDirection) throws {
        var registry = CaptureRegistry()
        let bytes = Self.file { $0.add(Self.packet, at: 7, options: [.init(2, flags)]) }
        var window = ReadWindow(bytes.source())
        var frame = Frame(bytes: window.bytes)
        var framing = PcapngFraming(ByteOrder(isSwapped: false))
        let isPacket = try framing.next(&frame, &window, &registry)
        #expect(isPacket && frame.direction == direction && frame.isStamped)
        #expect(frame.interface == 0 && frame.app == .none)
        let isSecond = try framing.next(&frame, &window, &registry)
        #expect(!isSecond)
        // A simple packet after it has neither direction, nor app, nor time.
        let simple = Self.file { file in
            file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, "Mail")])
            file.add(Self.packet, at: 7, options: [.init(2, flags), .init(32_769, [0, 0, 0, 0])])
            file.addBlock(3, file.part { $0.put(UInt32(40)) } + Self.packet)
            file.add(Self.packet, at: 9)
        }
        window = ReadWindow(simple.source())
        var read: [Frame] = []
        while try framing.next(&frame, &window, &registry) { read.append(frame) }
        #expect(read.map(\.direction) == [direction, .unknown, .unknown])
        #expect(read.map(\.app) == [AppID(0), .none, .none] && read.map(\.isStamped) == [true, false, true])
        #expect(read.map(\.stamp) == [7_000, 0, 9_000].map { Timestamp(nanoseconds: $0) })
        #expect(read.map(\.wireLength) == [40, 40, 40] && read.map(\.capturedLength) == [40, 40, 40])
    }

    /// Broken: a process or an app is assigned to another packet than to its own.
    @Test func namesAppsOfPackets() throws {
        func process(_ index: UInt8) -> [UInt8] { [index, 0, 0, 0] }
        func app(_ user: UInt32, _ package: String, _ name: String, _ head: [UInt8] = [1, 0, 1, 0]) -> [UInt8] {
            var bytes = CaptureBytes(isBigEndian: false)
            bytes.put(UInt32(62_652))
            bytes.put(head)
            bytes.put(user)
            bytes.put([UInt8(package.utf8.count), UInt8(name.utf8.count)] + Array((package + name).utf8))
            return bytes.bytes
        }
        let bytes = Self.file { file in
            for name in ["Mail", "", "Safari"] {
                file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(1, "no name"), .init(2, name)])
            }
            file.addBlock(0xbad, app(10, "org.chat", "Chat"))
            file.addBlock(0x4000_0bad, app(11, "org.news", ""))
            // Another version, another kind, another maker, a missing byte.
            file.addBlock(0xbad, app(12, "a", "A", [2, 0, 1, 0]))
            file.addBlock(0xbad, app(12, "a", "A", [1, 0, 2, 0]))
            file.addBlock(0xbad, [0xbd] + app(12, "a", "A").dropFirst())
            file.addBlock(0xbad, Array(app(12, "", "").dropLast(2)))
            file.addBlock(0xbad, app(13, "", ""))
            for options: [PcapngWriter.Option] in [
                [], [.init(32_769, process(0))], [.init(32_769, process(1))], [.init(32_769, process(2))],
                [.init(32_769, process(3))], [.init(32_769, process(0)), .init(32_771, process(2))],
                [.init(32_771, process(2)), .init(32_769, process(0))], [.init(32_771, [2, 0])],
                [.init(32_769, [2, 0, 0, 0, 0])], [.init(1, "u-10")], [.init(1, "u-11")], [.init(1, "u-12")],
                [.init(1, "u-")], [.init(1, "u-10x")], [.init(1, "U-10")], [.init(1, "u-13")],
            ] { file.add(Self.packet, at: 1, options: options) }
        }
        let reading = try Reading(bytes)
        let apps = reading.packets.map { $0.app == .none ? "" : reading.capture.apps[Int($0.app.index)].name }
        #expect(
            apps == [
                "", "Mail", "", "Safari", "", "Safari", "Safari", "", "", "Chat", "org.news", "", "", "", "", "",
            ])
        // Comments that name no app are comments.
        #expect(reading.capture.comments == ["u-12", "u-", "u-10x", "U-10"] && reading.capture.commentCount == 4)
        #expect(reading.capture.apps.map(\.user) == [nil, nil, 10, 11] && reading.fault == nil)
        // A section has its own processes.
        let sections = Self.file { file in
            file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, "Mail")])
            file.addSection()
            file.addInterface(linkType: 101)
            file.add(Self.packet, at: 1, options: [.init(32_769, process(0))])
        }
        #expect(try Reading(sections).packets.map(\.app) == [.none])
    }

    /// Broken: comments, texts or names beyond a limit are kept, or fewer than the limit are.
    @Test func keepsTextsUpToTheirLimits() throws {
        let long = String(repeating: "x", count: 300)
        let bytes = Self.file { file in
            file.addInterface(
                linkType: 1, options: [.init(2, long), .init(3, long + "y"), .init(1, "of an interface")])
            file.addBlock(
                0x0a0d_0d0a,
                file.part { part in
                    part.put(UInt32(0x1a2b_3c4d))
                    part.put(UInt32(1))
                    part.put(UInt64.max)
                }, options: [.init(1, "of a section"), .init(4, "deadzone")])
            file.addInterface(linkType: 101)
            for index in 0..<70 {
                file.add(Self.packet, at: 1, options: [.init(1, index == 0 ? long : "comment \(index)")])
            }
        }
        let capture = try Reading(bytes).capture
        let comments = ["of an interface", "of a section", String(long.prefix(256))]
        #expect(capture.comments == comments + (1...61).map { "comment \($0)" } && capture.commentCount == 72)
        #expect(capture.interfaces[1].name == String(long.prefix(256)))
        #expect(capture.interfaces[1].about == String(long.prefix(256)) && capture.isDeadzoneOutput)
        for name in ["Deadzone", "deadzone 2", ""] {
            let other = Self.file { file in
                file.addBlock(0x0a0d_0d0a, Array(file.bytes[8..<24]), options: [.init(4, name)])
            }
            #expect(try !Reading(other).capture.isDeadzoneOutput, "\(name)")
        }
        // A name ends with its first zero byte.
        let padded = Self.file { $0.addInterface(options: [.init(2, Array("wlan0".utf8) + [0, 65])]) }
        #expect(try Reading(padded).capture.interfaces[1].name == "wlan0")
    }

    /// Broken: lost packets, outages or remarks are read from another option, another interface, or in the wrong unit.
    @Test func readsStatistics() throws {
        func long(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        func stamp(_ value: UInt32) -> [UInt8] { long(UInt64(value) << 32) }
        func block(_ interface: UInt8, _ options: [PcapngWriter.Option]) -> [UInt8] {
            Self.file { file in
                file.addInterface(linkType: 101, options: [.init(9, [0]), .init(14, long(100))])
                file.addBlock(5, [interface] + [UInt8](repeating: 0, count: 11), options: options)
                file.addBlock(5, [UInt8](repeating: 0, count: 12), options: [.init(5, long(2))])
                file.add(Self.packet, at: 1)
            }
        }
        let outage: [PcapngWriter.Option] = [.init(1, "no coverage"), .init(3, stamp(7)), .init(2, stamp(9))]
        let expected = Outage(interface: 1, from: Timestamp(seconds: 107), until: Timestamp(seconds: 109))
        #expect(try Reading(block(1, outage)).outages == [expected])
        #expect(try Reading(block(1, [.init(1, "no coverage here")] + outage.dropFirst())).outages == [expected])
        #expect(try Reading(block(1, outage + [.init(1, "again")])).outages == [expected])
        for left in outage.indices {
            var part = outage
            part.remove(at: left)
            #expect(try Reading(block(1, part)).outages.isEmpty)
        }
        // A time has eight bytes.
        for (index, value) in [(1, Array(stamp(7).prefix(4))), (2, stamp(9) + [0])] {
            var other = outage
            other[index].value = value
            #expect(try Reading(block(1, other)).outages.isEmpty)
        }
        #expect(try Reading(block(2, outage)).outages.isEmpty)
        // The largest count of lost packets of an interface is kept.
        let dropped: (UInt64) throws -> [UInt64] = { count in
            try Reading(block(0, [.init(5, long(count))])).capture.interfaces.map(\.dropped)
        }
        #expect(try dropped(1) == [2, 0] && dropped(2) == [2, 0] && dropped(3 << 32) == [3 << 32, 0])
        #expect(try Reading(block(1, [.init(5, long(5))])).capture.interfaces.map(\.dropped) == [2, 5])
        #expect(try Reading(block(1, [.init(4, long(5)), .init(5, [9])])).capture.interfaces.map(\.dropped) == [2, 0])
        let text = "radio told: " + String(repeating: "é", count: 400)
        let batch = PacketBatch()
        let capture = try CaptureReader(block(1, [.init(1, text), .init(1, "radio told:")]).source())
        #expect(capture.next(batch))
        #expect(batch.remarks == [InterfaceRemark(interface: 1, text: String(repeating: "é", count: 400))])
    }

    /// Broken: one app, process or user more or less than the limit is distinguished.
    @Test func keepsAppsUpToTheirLimit() throws {
        let limit = 4_096
        func process(_ index: Int) -> PcapngWriter.Option {
            .init(32_769, [UInt8(index % 256), UInt8(index / 256), 0, 0])
        }
        func app(_ user: Int) -> [UInt8] {
            var bytes = CaptureBytes(isBigEndian: false)
            bytes.put(UInt32(62_652))
            bytes.put([1, 0, 1, 0])
            bytes.put(UInt32(user))
            bytes.put([0, 1, UInt8(ascii: "a")])
            return bytes.bytes
        }
        func names(_ bytes: [UInt8]) throws -> [String] {
            let reading = try Reading(bytes)
            return reading.packets.map { $0.app == .none ? "" : reading.capture.apps[Int($0.app.index)].name }
        }
        // Many processes of few apps.
        let processes = Self.file { file in
            for index in 0...limit {
                file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, "app \(index % 3)")])
            }
            for index in [0, limit - 1, limit] { file.add(Self.packet, at: 1, options: [process(index)]) }
        }
        #expect(try names(processes) == ["app 0", "app \((limit - 1) % 3)", ""])
        // Many apps; the first process has the name of the last app.
        let apps = Self.file { file in
            for index in 0..<limit - 1 {
                file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, "app \(index)")])
            }
            for name in ["p", "q", "app 7"] {
                file.addSection()
                file.addInterface(linkType: 101)
                file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, name)])
                file.add(Self.packet, at: 1, options: [process(0)])
            }
        }
        #expect(try names(apps) == ["p", "", "app 7"])
        let users = Self.file { file in
            for user in 0...limit { file.addBlock(0xbad, app(user)) }
            for user in [0, limit - 1, limit] { file.add(Self.packet, at: 1, options: [.init(1, "u-\(user)")]) }
        }
        #expect(try names(users) == ["a", "a", ""])
    }

    /// Broken: outages and remarks of a damaged file fill the memory, or are delivered twice.
    @Test func keepsEventsUpToTheirLimits() throws {
        let outage = [UInt8](repeating: 0, count: 12)
        for (count, kept) in [(1_023, 1_023), (1_024, 1_024), (1_030, 1_024)] {
            let bytes = Self.file { file in
                for index in 0..<count {
                    file.addBlock(
                        5, outage,
                        options: [
                            .init(1, "no coverage"), .init(3, [0, 0, 0, 0, UInt8(index % 256), 0, 0, 0]),
                            .init(2, [1, 0, 0, 0, 0, 0, 0, 0]), .init(1, "radio told: \(index)"),
                        ])
                }
            }
            let capture = try CaptureReader(bytes.source())
            let batch = PacketBatch()
            // A batch without packets delivers them; the next one has none.
            #expect(capture.next(batch) && batch.count == 0)
            #expect(batch.outages.count == kept && batch.outages.map(\.interface).allSatisfy { $0 == 0 })
            #expect(batch.remarks.map(\.text) == (0..<kept).map(String.init))
            #expect(!capture.next(batch) && batch.outages.isEmpty && batch.remarks.isEmpty)
        }
    }

    /// Broken: a name record of an unknown type, without a name, or beyond the limit is kept.
    @Test func readsNameRecords() throws {
        func names(_ records: [PcapngWriter.Option]) throws -> [String] {
            let capture = try Reading(Self.file { $0.addBlock(4, [], options: records) }).capture
            let six = IPAddress.ipv6(UInt128(0x0102_0304) << 96)
            return [capture.name(of: .ipv4(0x0102_0304)) ?? "none", capture.name(of: six) ?? "none"]
        }
        let (four, six): ([UInt8], [UInt8]) = ([1, 2, 3, 4], [1, 2, 3, 4] + [UInt8](repeating: 0, count: 12))
        let name = Array("a.lan".utf8)
        #expect(try names([.init(1, four + name)]) == ["a.lan", "none"])
        #expect(try names([.init(2, six + name), .init(1, four + [98, 0, 99])]) == ["b", "a.lan"])
        #expect(try names([.init(3, four + name), .init(1, four), .init(2, six)]) == ["none", "none"])
        #expect(try names([.init(1, four + [0]), .init(2, six + [0])]) == ["none", "none"])
        #expect(try names([.init(1, four + name), .init(1, four + [99])]) == ["c", "none"])
        let long = [UInt8](repeating: 110, count: 300)
        #expect(try names([.init(1, four + long), .init(2, six + long)])[0].count == 256)
        #expect(try names([.init(1, four + long), .init(2, six + long)])[1].count == 256)
        var records = NameRecords()
        for number in 0..<4_100 { records.add(.ipv4(UInt32(number)), "n") }
        let kept = records.takeAll()
        #expect(kept.count == 4_096 && kept.last?.address == .ipv4(4_095) && records.takeAll().isEmpty)
    }

    /// Broken: a block that is longer than the window is not read, or the blocks after it are not found.
    @Test(arguments: [524_288, 524_292, 600_000, 1_048_580])
    func readsBlocksLongerThanTheWindow(_ data: Int) throws {
        for (captured, isRead) in [(262_144, true), (262_145, false), (0, true)] {
            let bytes = Self.file { file in
                let body = file.part { part in
                    for word in [0, 0, 5, UInt32(captured), 300_000] { part.put(word) }
                    part.put([UInt8](repeating: 1, count: data))
                }
                file.addBlock(6, body)
                file.add(Self.packet, at: 6)
            }
            let reading = try Reading(bytes)
            #expect(reading.packets.map(\.capturedLength) == (isRead ? [UInt32(captured), 40] : []))
            #expect((reading.fault == nil) == isRead)
            guard !isRead else { continue }
            #expect(reading.fault?.offset == 48)
        }
    }
}
