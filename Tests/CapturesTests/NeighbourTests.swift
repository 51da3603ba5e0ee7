import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Local traffic that a cellular network would not carry.
struct NeighbourTests {
    struct LocalFrame: Sendable, CustomStringConvertible {
        let description: String
        let neighbourTraffic: NeighbourTraffic
        let frame: [UInt8]

        init(_ description: String, _ neighbourTraffic: NeighbourTraffic, _ frame: [UInt8]) {
            self.description = description
            self.neighbourTraffic = neighbourTraffic
            self.frame = frame
        }
    }

    private static func udp(_ from: UInt16, _ to: UInt16, _ source: [UInt8], _ destination: [UInt8]) -> [UInt8] {
        PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(from, to), from: source, to: destination))
    }

    private static func ipv6(_ address: [UInt8]) -> [UInt8] {
        PacketBytes.ethernet(PacketBytes.ipv6(PacketBytes.tcp(50_000, 443), from: address, to: address))
    }

    private static let router: [UInt8] = [192, 168, 1, 1]
    private static let phone: [UInt8] = [192, 168, 1, 7]
    private static let broadcastAddress = [UInt8](repeating: 255, count: 4)

    static let localFrames = [
        LocalFrame("ARP", .frames, PacketBytes.ethernet([UInt8](repeating: 1, count: 28), type: 0x0806)),
        LocalFrame("mDNS", .mdns, udp(5_353, 5_353, phone, [224, 0, 0, 251])),
        LocalFrame("an answer of mDNS to one", .mdns, udp(5_353, 50_000, router, phone)),
        LocalFrame("SSDP", .ssdp, udp(50_000, 1_900, phone, [239, 255, 255, 250])),
        LocalFrame("LLMNR", .llmnr, udp(50_000, 5_355, phone, [224, 0, 0, 252])),
        LocalFrame("DHCP, no address yet", .dhcp, udp(68, 67, [0, 0, 0, 0], broadcastAddress)),
        LocalFrame("DHCP, renewal", .dhcp, udp(68, 67, phone, router)),
        LocalFrame("NetBIOS", .netbios, udp(137, 137, phone, [192, 168, 1, 255])),
        LocalFrame("Dropbox", .discovery, udp(17_500, 17_500, phone, broadcastAddress)),
        LocalFrame(
            "IGMP", .multicast,
            PacketBytes.ethernet(PacketBytes.ipv4(.init(number: 2, bytes: [0x16]), to: [224, 0, 0, 2]))),
        LocalFrame("to all", .broadcast, udp(50_000, 9_999, phone, broadcastAddress)),
        LocalFrame(
            "to all of the net, by its station", .broadcast,
            PacketBytes.ethernet(
                PacketBytes.ipv4(PacketBytes.udp(50_000, 9_999), from: phone, to: [192, 168, 1, 255]),
                to: [UInt8](repeating: 255, count: 6))),
        LocalFrame(
            "neighbour discovery", .multicast,
            PacketBytes.ethernet(
                PacketBytes.ipv6(
                    .init(number: 58, bytes: [135, 0]), to: [0xff, 2] + [UInt8](repeating: 0, count: 13) + [1]))),
        LocalFrame("loopback", .loopback, udp(50_000, 443, [127, 0, 0, 1], [127, 255, 0, 9])),
        LocalFrame("DNS over loopback", .loopback, udp(50_000, 53, [127, 0, 0, 1], [127, 0, 0, 53])),
        LocalFrame("from the phone to its loopback", .loopback, udp(50_000, 443, phone, [127, 0, 0, 1])),
        LocalFrame("mDNS from loopback", .loopback, udp(5_353, 5_353, [127, 0, 0, 1], [224, 0, 0, 251])),
        LocalFrame("loopback, TCP over IPv6", .loopback, ipv6([UInt8](repeating: 0, count: 15) + [1])),
        LocalFrame(
            "loopback, IPv4 in IPv6 notation", .loopback,
            ipv6([UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1])),
        LocalFrame("an address near loopback", .none, udp(50_000, 443, phone, [126, 255, 255, 255])),
        LocalFrame("another address near loopback", .none, udp(50_000, 443, [128, 0, 0, 1], phone)),
        LocalFrame("not ::1", .none, ipv6([UInt8](repeating: 0, count: 15) + [2])),
        LocalFrame("DNS of the router", .none, udp(50_000, 53, phone, router)),
        LocalFrame("a server at a neighbour's port", .none, udp(50_000, 1_900, phone, PacketBytes.server)),
        LocalFrame("a phone's port that is a neighbour's", .none, udp(17_500, 443, phone, PacketBytes.server)),
        LocalFrame("TLS", .none, PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(50_000, 443)))),
    ]

    @Test(arguments: localFrames)
    func localTrafficIsRecognised(_ localFrame: LocalFrame) throws {
        // Broken: local traffic, for example from a television, is billed on LTE, or the phone's own traffic is taken
        // for local.
        var file = PcapWriter()
        file.add(localFrame.frame, at: 1_000_000_000)
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map(\.neighbourTraffic) == [localFrame.neighbourTraffic])
        #expect(
            reading.counts.neighbourTraffic(localFrame.neighbourTraffic).packets
                == (localFrame.neighbourTraffic == .none ? 0 : 1))
        #expect(reading.capture.medium == .local)
    }

    @Test(arguments: [
        ("rmnet_data0", NeighbourTraffic.none), ("pdp_ip0", .none), ("wlan0", .multicast), ("en0", .multicast),
    ])
    func trafficOnACellularInterfaceCounts(_ interface: (name: String, neighbourTraffic: NeighbourTraffic)) throws {
        // Broken: traffic captured on a cellular interface is left out of the radio's energy.
        var file = PcapngWriter()
        file.addInterface(linkType: 101, options: [.init(2, interface.name)])
        file.add(PacketBytes.ipv4(.init(number: 2, bytes: [0x16]), to: [224, 0, 0, 2]), at: 1)
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map(\.neighbourTraffic) == [interface.neighbourTraffic])
        #expect(reading.capture.medium == (interface.neighbourTraffic == .none ? .cellular : .unknown))
    }

    /// Packets of the phone with its server once a second, and loopback packets in between.
    /// - Parameter isMixed: `false` for loopback packets alone.
    private func loopbackCapture(_ count: Int, isMixed: Bool, begin: Int = 0) throws -> Reading {
        var file = PcapWriter(linkType: 101)
        let own = PacketBytes.ipv4(PacketBytes.udp(5_000, 443), from: Self.phone, to: PacketBytes.server)
        let loopback = PacketBytes.ipv4(
            PacketBytes.tcp(50_000, 443, payload: [1]), from: [127, 0, 0, 1], to: [127, 0, 0, 1])
        for index in 0..<count {
            file.add(isMixed && index >= begin && index % 3 == 0 ? own : loopback, at: UInt64(index) * 1_000_000)
        }
        return try Reading(file.bytes)
    }

    @Test(arguments: [30, 9_000], [0, 5_000])
    func loopbackAddressesAreNotThePhones(_ count: Int, _ begin: Int) throws {
        // Broken: loopback packets have the address of the phone, or the fast path takes them for traffic of a network.
        let phone = try #require(IPAddress("192.168.1.7"))
        let mixed = try loopbackCapture(count, isMixed: true, begin: begin < count ? begin : 0)
        #expect(mixed.capture.directions.device == [phone])
        #expect(mixed.packets.allSatisfy { ($0.neighbourTraffic == .loopback) == ($0.transport == .tcp) })
        let alone = try loopbackCapture(count, isMixed: false)
        #expect(alone.capture.directions.device == [try #require(IPAddress("127.0.0.1"))])
        #expect(alone.packets.allSatisfy { $0.neighbourTraffic == .loopback && $0.direction == .up })
    }

    @Test func timeJumpsAreReported() throws {
        // Broken: a clock change, or two captures in one file, silently become years of idle radio.
        let packet = PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(50_000, 443)))
        let (day, start) = (UInt64(86_400_000_000_000), UInt64(1_600_000_000_000_000_000))
        var file = PcapWriter()
        // Enough packets that the jump falls on the border of two batches of the reader.
        for index in 0..<6_000 { file.add(packet, at: start + UInt64(index) * 1_000_000) }
        let whole = try Reading(file.bytes)
        #expect(whole.counts.jumps == 0 && whole.counts.firstJump == nil)
        file.add(packet, at: start + 3_650 * day)
        file.add(packet, at: start + 60_000_000_000)
        let jumping = try Reading(file.bytes)
        #expect(jumping.counts.jumps == 2)
        let jump = try #require(jumping.counts.firstJump)
        #expect(jump.packet == 6_001 && jump.to - jump.from > .hours(24 * 3_649))
    }
}
