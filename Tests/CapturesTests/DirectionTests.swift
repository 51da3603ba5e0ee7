import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Directions of packets between addresses that are not known yet, and the description of flows.
struct DirectionTests {
    private static func reading(_ packets: [[UInt8]], _ linkType: UInt32 = 101, device: [String] = []) throws -> Reading
    {
        var file = PcapWriter(linkType: linkType)
        for (index, packet) in packets.enumerated() { file.add(packet, at: UInt64(index) * 1_000_000) }
        return try Reading(file.bytes, device: device.compactMap { IPAddress($0) })
    }

    private static let (left, right): ([UInt8], [UInt8]) = ([198, 18, 0, 1], [198, 18, 0, 2])

    /// The direction of a lone packet from one public address to another, after packets that name another device.
    private static func direction(_ segment: PacketBytes.Segment, from: [UInt8] = left, to: [UInt8] = right) throws
        -> PacketDirection
    {
        let device = ([0, 1, 2, 3] as [UInt16]).map { number in
            PacketBytes.ipv4(PacketBytes.udp(50_000 + number, 443), to: [203, 0, 113, UInt8(number)])
        }
        return try reading(device + [PacketBytes.ipv4(segment, from: from, to: to)]).packets[4].direction
    }

    /// Broken: a client's port, a server's port or a flag no longer tells which end is the device.
    @Test func theClientIsTheDevice() throws {
        let udp = { try Self.direction(PacketBytes.udp($0, $1)) }
        let servers: [UInt16] = [
            0, 1, 443, 1_023, 1_883, 3_478, 5_222, 5_223, 5_228, 5_349, 8_080, 8_443, 8_883,
        ]
        for port in servers {
            #expect(try udp(20_000, port) == .up && udp(port, 20_000) == .down, "\(port)")
            #expect(try udp(port, port == 443 ? 80 : 443) == .unknown && udp(50_000, port) == .up)
        }
        for port in servers.flatMap({ [$0 &- 1, $0 + 1] })
        where !servers.contains(port) && port < 32_768 && port > 1_023 {
            #expect(try udp(20_000, port) == .unknown && udp(port, 20_000) == .unknown, "\(port)")
        }
        // Ports of clients begin at 32,768, and the other end must have a lower one.
        for (from, to, direction) in [
            (32_768, 32_767, .up), (32_767, 32_766, .unknown), (32_768, 32_768, .unknown), (65_535, 1_024, .up),
            (32_767, 32_768, .unknown), (1_024, 65_535, .unknown),
        ] as [(UInt16, UInt16, PacketDirection)] {
            #expect(try udp(from, to) == direction, "\(from) to \(to)")
        }
        // The opening of a connection is more certain than its ports.
        for (flags, direction) in [(0x02, .up), (0x12, .down), (0x10, .unknown), (0x14, .unknown), (0x42, .up)]
            as [(UInt8, PacketDirection)]
        {
            #expect(try Self.direction(PacketBytes.tcp(20_000, 20_001, flags: flags)) == direction, "\(flags)")
        }
        #expect(try Self.direction(PacketBytes.tcp(443, 20_000, flags: 0x02)) == .up)
        #expect(try Self.direction(PacketBytes.tcp(20_000, 443, flags: 0x12)) == .down)
        #expect(try Self.direction(PacketBytes.tcp(20_000, 443, flags: 0x10)) == .up)
        // Packets without ports have no client.
        #expect(try Self.direction(.init(number: 1, bytes: [8, 0, 0, 0, 0, 0, 0, 0])) == .unknown)
    }

    /// Broken: the private one of two addresses is not the device.
    @Test func thePrivateAddressIsTheDevice() throws {
        for near in [[10, 1, 1, 1], [192, 168, 0, 1], [100, 64, 0, 1]] as [[UInt8]] {
            let segment = PacketBytes.tcp(443, 50_000, flags: 0x12)
            #expect(try Self.direction(segment, from: near, to: Self.right) == .up)
            #expect(try Self.direction(segment, from: Self.right, to: near) == .down)
            let opening = PacketBytes.tcp(50_000, 443, flags: 2)
            #expect(try Self.direction(opening, from: near, to: [10, 200, 0, 1]) == .up)
        }
    }

    /// Broken: a direction that the file records is overruled, or its sender is not learned.
    @Test func recordedDirectionsTeachAddresses() throws {
        func cooked(_ type: UInt8, _ packet: [UInt8]) -> [UInt8] {
            [0, type] + [UInt8](repeating: 0, count: 12) + [8, 0] + packet
        }
        let packet = { (from: [UInt8], to: [UInt8], port: UInt16) in
            PacketBytes.ipv4(PacketBytes.udp(port, 20_000), from: from, to: to)
        }
        let (here, there) = (Self.left, Self.right)
        // The sample is over after 4,096 packets. Then an address is learned from a packet that went up.
        let filler = (0..<4_096).map { _ in cooked(4, packet(here, there, 1_000)) }
        let later: [UInt8] = [198, 18, 0, 9]
        let reading = try Self.reading(
            filler + [
                cooked(3, packet(later, there, 20_009)), cooked(4, packet(later, there, 20_001)),
                cooked(3, packet(later, there, 20_002)), cooked(3, packet(there, later, 20_003)),
                cooked(0, packet(there, [198, 18, 0, 10], 20_004)), cooked(3, packet([198, 18, 0, 10], there, 20_005)),
                cooked(0, packet(here, there, 1_000)),
            ], 113)
        let directions: [PacketDirection] = [.unknown, .up, .up, .down, .down, .unknown, .down]
        #expect(reading.packets.suffix(7).map(\.direction) == directions)
        let report = reading.capture.directions
        #expect(
            report.device.map(\.text) == ["198.18.0.1", "198.18.0.9"] && report.packetsWithStatedDirection == 4_099)
        #expect(report.sampled == 4_096 && report.explained == 4_096 && !report.isDeviceStated && !report.hasStation)
        // Stated addresses come before recorded directions; those are used where no stated address takes part.
        let stated = try Self.reading(
            [
                cooked(0, packet(here, there, 1)), cooked(4, packet(there, here, 2)),
                cooked(4, packet(later, there, 3)),
                cooked(0, packet(here, there, 1)), cooked(3, packet(later, there, 5)),
            ], 113, device: ["198.18.0.1"])
        #expect(stated.packets.map(\.direction) == [.up, .down, .up, .up, .unknown])
        #expect(
            stated.capture.directions.device.map(\.text) == ["198.18.0.1"] && stated.capture.directions.isDeviceStated)
        #expect(stated.capture.directions.packetsWithStatedDirection == 1)
    }

    /// Broken: a station that is not the device's decides, or a packet to a group is not received by the device.
    @Test func stationsDecideAfterAddresses() throws {
        let (phone, router, third): ([UInt8], [UInt8], [UInt8]) = (
            [2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 9], [2, 0, 0, 0, 0, 5]
        )
        let (group, zero) = ([1, 0, 0, 0, 0, 5] as [UInt8], [UInt8](repeating: 0, count: 6))
        func frame(_ from: [UInt8], _ to: [UInt8], _ source: UInt8, _ destination: [UInt8]) -> [UInt8] {
            PacketBytes.ethernet(
                PacketBytes.ipv4(
                    .init(number: 1, bytes: [8, 0, 0, 0]), from: [198, 18, 0, source], to: destination),
                from: from, to: to)
        }
        let known = PacketBytes.ethernet(
            PacketBytes.ipv4(PacketBytes.tcp(50_000, 443, flags: 2)), from: phone, to: router)
        let one: [UInt8] = [198, 18, 1, 1]
        let reading = try Self.reading(
            .init(repeating: known, count: 4_096) + [
                frame(router, phone, 1, one), frame(router, group, 2, one), frame(router, third, 3, one),
                frame(router, third, 4, [224, 0, 0, 1]), frame(zero, phone, 5, one),
                frame(zero, phone, 6, [224, 0, 0, 1]),
                frame(phone, third, 7, one), frame(router, third, 8, [198, 18, 0, 7]),
                PacketBytes.ethernet([0, 0], type: 0x0806, from: router, to: phone),
                PacketBytes.ethernet([0, 0], type: 0x0806, from: zero, to: group),
            ], 1)
        let directions: [PacketDirection] = [
            .down, .down, .unknown, .down, .unknown, .down, .up, .down, .down, .unknown,
        ]
        #expect(reading.packets.suffix(10).map(\.direction) == directions)
        #expect(reading.capture.directions.hasStation && reading.capture.directions.device.count == 2)
    }

    /// Broken: the description of a flow mixes up its ends, its totals, or its first and last packet.
    @Test func flowsAreDescribed() throws {
        var file = PcapngWriter()
        for name in ["tun0", "tun1"] { file.addInterface(linkType: 101, options: [.init(2, name)]) }
        for name in ["Mail", "Chat"] { file.addBlock(0x8000_0001, [1, 0, 0, 0], options: [.init(2, name)]) }
        let segments = [PacketBytes.tcp(443, 50_000, flags: 0x12), PacketBytes.tcp(50_000, 443, payload: [1, 2])]
        let app = { (index: UInt8) in [PcapngWriter.Option(32_769, [index, 0, 0, 0])] }
        let down = PacketBytes.ipv4(segments[0], from: PacketBytes.server, to: PacketBytes.phone)
        let up = PacketBytes.ipv4(segments[1])
        file.add(down, at: 5, interface: 1, wireLength: 100, options: app(0))
        file.add(up, at: 9, interface: 0, wireLength: 1_000, options: app(1))
        file.add(up, at: 7, interface: 0, wireLength: 2_000)
        file.add(
            PacketBytes.ipv6(PacketBytes.udp(5_353, 5_353), to: [0xff, 2] + [UInt8](repeating: 0, count: 13) + [0xfb]),
            at: 8)
        let capture = try Reading(file.bytes).capture
        let flow = capture.flow(FlowID(0))
        #expect(flow.opener.text == "192.0.2.1:443" && flow.answerer.text == "10.0.0.2:50000")
        #expect(flow.deviceSide == .answerer && flow.local == flow.answerer && flow.remote == flow.opener)
        #expect(flow.text == "tcp 10.0.0.2:50000 > 192.0.2.1:443" && flow.network == .ipv4 && flow.transport == .tcp)
        #expect(
            flow.fromOpener == .init(packets: 1, bytes: 100) && flow.fromAnswerer == .init(packets: 2, bytes: 3_000))
        #expect(flow.up == flow.fromAnswerer && flow.down == flow.fromOpener && flow.app == AppID(1))
        #expect(flow.first == Timestamp(nanoseconds: 5_000) && flow.last == Timestamp(nanoseconds: 7_000))
        #expect(flow.interface == 1 && flow.neighbourTraffic == .none && flow.serverName == nil)
        // A packet to a group from an unknown address is received, so the device is at the end of the group.
        let other = capture.flow(FlowID(1))
        #expect(other.text == "udp [ff02::fb]:5353 > [2001:db8::2]:5353" && other.neighbourTraffic == .mdns)
        #expect(other.network == .ipv6 && other.transport == .udp && other.app == .none && other.interface == 0)
        #expect(other.first == other.last && other.up.packets == 0 && other.down.packets == 1)
        let unknown = try Self.reading([PacketBytes.ipv4(PacketBytes.udp(20_000, 20_001))], device: ["192.0.2.9"])
            .capture
        #expect(unknown.flow(FlowID(0)).deviceSide == nil && unknown.describedFlows == 1)
        #expect(unknown.flow(FlowID(0)).remote.text == "192.0.2.1:20001")
        let opened = try Self.reading([PacketBytes.ipv4(PacketBytes.udp(20_000, 443))]).capture.flow(FlowID(0))
        #expect(opened.deviceSide == .opener && opened.up.packets == 1 && opened.local == opened.opener)
    }
}
