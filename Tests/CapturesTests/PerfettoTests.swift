import CZlib
import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Network packets of Perfetto traces: fields, flows, bundles, clocks, losses.
struct PerfettoTests {
    typealias NetworkPacket = TraceWriter.NetworkPacket

    /// Time since boot of the first packet, and the time since 1970 of that moment.
    static let boot: UInt64 = 5_000_000_000_000
    static let wall: UInt64 = 1_790_000_000_000_000_000

    /// Two connections on two interfaces, and a name lookup.
    static let packets: [NetworkPacket] = {
        var packets: [NetworkPacket] = []
        func add(_ milliseconds: UInt64, _ isUp: Bool, _ length: UInt64, _ change: (inout NetworkPacket) -> Void) {
            var packet = NetworkPacket(at: boot + milliseconds * 1_000_000, isUp: isUp, length: length)
            change(&packet)
            packets.append(packet)
        }
        func connection(_ start: UInt64, _ port: UInt64, _ interface: String, _ user: UInt64) {
            let segments: [(UInt64, Bool, UInt64, UInt64)] = [
                (0, true, 60, 2), (40, false, 60, 18), (41, true, 52, 16), (42, true, 569, 24), (90, false, 1_400, 16),
                (91, false, 1_400, 16), (92, false, 300, 24), (93, true, 52, 16), (5_000, true, 52, 17),
                (5_040, false, 52, 17),
            ]
            for (offset, isUp, length, flags) in segments {
                add(start + offset, isUp, length) {
                    ($0.flags, $0.localPort, $0.interface, $0.user) = (flags, port, interface, user)
                }
            }
        }
        connection(0, 40_001, "rmnet1", 10_123)
        connection(30, 40_002, "wlan0", 1_010_123)
        add(20, true, 63) { ($0.transport, $0.flags, $0.localPort, $0.remotePort) = (17, 0, 50_000, 53) }
        // The kernel finds no socket for answers to an unconnected UDP socket: user 0.
        add(35, false, 163) {
            ($0.transport, $0.flags, $0.localPort, $0.remotePort, $0.user) = (17, 0, 50_000, 53, 0)
        }
        add(36, false, 84) { ($0.transport, $0.flags, $0.localPort, $0.remotePort) = (1, 0, 0, 3) }
        return packets.sorted { $0.at < $1.at }
    }()

    static func begin() -> TraceWriter {
        var trace = TraceWriter()
        trace.addClocks([(6, boot), (1, wall), (3, boot - 1_000_000_000)])
        return trace
    }

    /// The packets in bundles of polls of 100 ms, as Android writes them: one bundle for each set of properties.
    static func bundled(isInterned: Bool = true, reversed: Bool = false, isSummary: Bool = false) -> TraceWriter {
        var trace = begin()
        var iids: [[UInt8]: UInt64] = [:]
        for poll in Dictionary(grouping: packets, by: { $0.at / 100_000_000 }).sorted(by: { $0.key < $1.key }) {
            func key(_ packet: NetworkPacket) -> [UInt8] {
                var message = MessageBytes()
                packet.writeContext(&message)
                return message.bytes
            }
            let bundles = Dictionary(grouping: poll.value, by: key).sorted { $0.value[0].at < $1.value[0].at }
            for (context, packets) in reversed ? bundles.reversed() : bundles {
                let isNew = iids[context] == nil
                let iid = iids[context] ?? UInt64(iids.count + 1)
                iids[context] = iid
                trace.add(
                    bundle: packets, iid: isInterned ? iid : nil, isNew: isNew,
                    flags: !isInterned ? 0 : iids.count == 1 && isNew ? 1 : 2, isSummary: isSummary)
            }
        }
        return trace
    }

    static func single() -> TraceWriter {
        var trace = begin()
        for packet in packets { trace.add(packet) }
        return trace
    }

    /// Broken: a field of a packet is read from another field, or a time is not since 1970.
    @Test func packetsHaveTheirFields() throws {
        let reading = try Reading(Self.single().bytes)
        #expect(reading.fault == nil && reading.packets.count == Self.packets.count)
        for (packet, sent) in zip(reading.packets, Self.packets) {
            #expect(packet.stamp.nanoseconds == Int128(Self.wall + sent.at - Self.boot))
            #expect(packet.wireLength == UInt32(sent.length) && packet.networkLength == UInt32(sent.length))
            #expect(packet.capturedLength == 0 && packet.direction == (sent.isUp ? .up : .down))
            #expect(packet.transport == [6: .tcp, 17: .udp][sent.transport] ?? .other)
            #expect(packet.flags.rawValue == UInt8(sent.flags) && !packet.hasSequenceNumbers)
            #expect(reading.capture.interfaces[Int(packet.interface)].name == sent.interface)
            guard packet.flow.isKnown else {
                #expect(packet.transport == .other)
                continue
            }
            let flow = reading.capture.flow(packet.flow)
            #expect(flow.local.port == UInt16(sent.localPort) && flow.remote.port == UInt16(sent.remotePort))
            #expect((packet.side == flow.deviceSide) == sent.isUp)
        }
        #expect(reading.flows.tcp == 2 && reading.flows.udp == 1)
        #expect(reading.counts.tcp == 20 && reading.counts.udp == 2 && reading.counts.otherPackets == 1)
        #expect(reading.capture.format == .perfetto && reading.capture.medium == .cellular)
        #expect(reading.capture.directions.packetsWithStatedDirection == reading.counts.packets)
        #expect(reading.capture.flow(reading.packets[0].flow).text == "tcp *:40001 > *:443")
        #expect(reading.capture.flow(reading.packets[0].flow).remoteLabel == "port 443")
    }

    /// Broken: bundles, interned contexts or compression change a packet, or packets of a poll stay out of order.
    @Test func allEncodingsHaveTheSamePackets() throws {
        let expected = try Reading(Self.single().bytes)
        let encodings: [(String, [UInt8])] = [
            ("interned", Self.bundled().bytes), ("inline", Self.bundled(isInterned: false).bytes),
            ("out of order", Self.bundled(isInterned: false, reversed: true).bytes),
            ("zlib", try Self.compressed(Self.bundled().bytes)),
            ("summaries of single packets", Self.bundled().bytes),
        ]
        for (name, bytes) in encodings {
            let reading = try Reading(bytes)
            #expect(reading.packets.count == expected.packets.count && reading.fault == nil, "\(name)")
            #expect(reading.packets.map(Self.line) == expected.packets.map(Self.line), "\(name)")
            #expect(reading.counts.timeReversals == 0 && reading.counts.bytes == expected.counts.bytes, "\(name)")
            #expect(try #require(reading.capture.traceContents).singlePackets == expected.counts.packets, "\(name)")
        }
    }

    /// A packet without numbers that depend on the order of interfaces and apps in the file.
    private static func line(_ packet: CapturedPacket) -> String {
        "\(packet.stamp.nanoseconds) \(packet.wireLength) \(packet.direction) \(packet.transport) \(packet.flags.rawValue) "
            + "\(packet.payloadLength) \(packet.side) \(packet.flow.isKnown)"
    }

    /// The records of a trace as one compressed record.
    static func compressed(_ records: [UInt8]) throws -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: records.count + 1_024)
        var length = UInt(packed.count)
        #expect(compress(&packed, &length, records, UInt(records.count)) == Z_OK)
        var trace = TraceWriter()
        trace.add { $0.content(50, Array(packed.prefix(Int(length)))) }
        return trace.bytes
    }

    /// Broken: a bundle with totals loses bytes or packets, or its first or last packet moves.
    @Test func totalsAreSpreadEvenly() throws {
        var trace = Self.begin()
        let lengths: [UInt64] = [100, 40, 41, 1_400, 52]
        let packets = lengths.enumerated().map {
            NetworkPacket(at: Self.boot + UInt64($0.offset * $0.offset) * 7, isUp: true, length: $0.element)
        }
        trace.add(bundle: packets, isSummary: true)
        let reading = try Reading(trace.bytes)
        let start = Int128(Self.wall)
        #expect(reading.packets.map { $0.stamp.nanoseconds - start } == [0, 28, 56, 84, 112])
        #expect(reading.packets.map(\.wireLength) == [327, 327, 327, 326, 326])
        #expect(reading.counts.bytes == lengths.reduce(0, +))
        let contents = try #require(reading.capture.traceContents)
        #expect(contents.summarisedPackets == 5 && contents.summarisedBundles == 1 && contents.singlePackets == 0)
        #expect(contents.notes.contains { $0.hasPrefix("5 packets in 1 bundle with totals only") })
    }

    /// Broken: impossible totals make packets, or a bundle with more lengths than times makes packets at unknown times.
    @Test(arguments: [
        (packets: UInt64(0), duration: UInt64(0), length: UInt64(100)), (2, 10, 39), (1, 10, 100), (1, 0, 1 << 40),
        (16_385, 10, 1 << 20), (.max, .max, .max), (2, .max, 100),
    ])
    func impossibleTotalsAreLeftOut(_ total: (packets: UInt64, duration: UInt64, length: UInt64)) throws {
        var trace = Self.begin()
        trace.add(NetworkPacket(at: Self.boot, isUp: true, length: 60))
        trace.add(at: Self.boot) { record in
            record.message(92) { bundle in
                bundle.message(2) { NetworkPacket(at: 0, isUp: true, length: 0).writeContext(&$0) }
                bundle.number(5, total.packets)
                bundle.number(6, total.duration)
                bundle.number(7, total.length)
            }
        }
        let reading = try Reading(trace.bytes)
        #expect(reading.packets.count == 1 && reading.capture.traceContents?.contradictoryBundles == 1)
    }

    /// Broken: apps have no names if the list of packages comes late, or a work profile hides them.
    @Test(arguments: [false, true])
    func appsHaveNames(_ isLate: Bool) throws {
        var trace = Self.begin()
        let packages: [(String, UInt64)] = [
            ("com.example.chat", 10_123), ("android", 1_000), ("com.android.phone", 1_000),
        ]
        if !isLate { trace.addPackages(packages) }
        for packet in Self.packets { trace.add(packet) }
        // Names are late only if packets were delivered before: more packets than the sorter holds.
        for index in 0..<(isLate ? 40_000 : 0) as Range<UInt64> {
            trace.add(NetworkPacket(at: Self.boot + 7_000_000_000 + index, isUp: true, length: 60))
        }
        var system = NetworkPacket(at: Self.boot + 9_000_000_000, isUp: true, length: 60)
        (system.user, system.localPort) = (1_000, 50_001)
        trace.add(system)
        if isLate { trace.addPackages(packages) }
        let reading = try Reading(trace.bytes)
        let names = reading.packets.filter { $0.flow.isKnown }.map { packet -> String in
            let app = reading.capture.flow(packet.flow).app
            return app == .none ? "-" : reading.capture.apps[Int(app.index)].name
        }
        #expect(names.first == "com.example.chat")
        #expect(names.last == "android and 1 other of uid 1000")
        #expect(names.contains(isLate ? "uid 1010123" : "com.example.chat (user 10)"))
        #expect(!names.contains("-") && Set(names).count == 3)
    }

    /// Broken: packets of one socket are several flows because the kernel knows the user only of some, or all apps are
    /// one flow if the trace has no local ports.
    @Test func aFlowIsASocket() throws {
        var trace = Self.begin()
        var (up, down) = (
            NetworkPacket(at: Self.boot, isUp: true, length: 60),
            NetworkPacket(at: Self.boot + 1, isUp: false, length: 60)
        )
        down.user = 0
        trace.add(up)
        trace.add(down)
        for user in [10_123, 10_124] as [UInt64] {
            (up.user, up.localPort, up.at) = (user, 0, up.at + 2)
            trace.add(up)
        }
        let reading = try Reading(trace.bytes)
        #expect(reading.packets.map(\.flow.index) == [0, 0, 1, 2])
        #expect(reading.capture.traceContents?.packetsWithoutLocalPort == 2)
        #expect(reading.capture.flow(FlowID(0)).app != .none)
    }

    /// Broken: acknowledgements count as payload, or small messages as acknowledgements.
    @Test(arguments: [
        (UInt64(6), UInt64(16), UInt64(52), UInt32(0)), (6, 16, 100, 0), (6, 16, 101, 49), (6, 24, 53, 1),
        (6, 24, 40, 1),
        (6, 2, 60, 0), (6, 4, 40, 0), (6, 16, 1_452, 1_400), (6, 25, 352, 300), (17, 0, 28, 0), (17, 0, 10, 0),
        (17, 0, 128, 100), (1, 0, 500, 0),
    ])
    func payloadsAreEstimated(_ transport: UInt64, _ flags: UInt64, _ length: UInt64, _ payload: UInt32) throws {
        var trace = Self.begin()
        var packet = NetworkPacket(at: Self.boot, isUp: true, length: length)
        (packet.transport, packet.flags) = (transport, flags)
        trace.add(packet)
        #expect(try Reading(trace.bytes).packets.map(\.payloadLength) == [payload])
    }
}
