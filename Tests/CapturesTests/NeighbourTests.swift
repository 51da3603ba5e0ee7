import DeadzoneCaptures
import DeadzonePrimitives
import DeadzoneTestKit
import Testing

/// What a cellular network would not carry.
struct NeighbourTests {
    struct Saying: Sendable, CustomStringConvertible {
        let description: String
        let talk: NeighbourTalk
        let frame: [UInt8]

        init(_ description: String, _ talk: NeighbourTalk, _ frame: [UInt8]) {
            self.description = description
            self.talk = talk
            self.frame = frame
        }
    }

    private static func udp(_ from: UInt16, _ to: UInt16, _ source: [UInt8], _ destination: [UInt8]) -> [UInt8] {
        PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(from, to), from: source, to: destination))
    }

    private static let router: [UInt8] = [192, 168, 1, 1]
    private static let phone: [UInt8] = [192, 168, 1, 7]
    private static let everybody = [UInt8](repeating: 255, count: 4)

    static let sayings = [
        Saying("ARP", .frames, PacketBytes.ethernet([UInt8](repeating: 1, count: 28), type: 0x0806)),
        Saying("mDNS", .mdns, udp(5_353, 5_353, phone, [224, 0, 0, 251])),
        Saying("an answer of mDNS to one", .mdns, udp(5_353, 50_000, router, phone)),
        Saying("SSDP", .ssdp, udp(50_000, 1_900, phone, [239, 255, 255, 250])),
        Saying("LLMNR", .llmnr, udp(50_000, 5_355, phone, [224, 0, 0, 252])),
        Saying("DHCP, no address yet", .dhcp, udp(68, 67, [0, 0, 0, 0], everybody)),
        Saying("DHCP, renewal", .dhcp, udp(68, 67, phone, router)),
        Saying("NetBIOS", .netbios, udp(137, 137, phone, [192, 168, 1, 255])),
        Saying("Dropbox", .discovery, udp(17_500, 17_500, phone, everybody)),
        Saying(
            "IGMP", .multicast,
            PacketBytes.ethernet(PacketBytes.ipv4(.init(number: 2, bytes: [0x16]), to: [224, 0, 0, 2]))),
        Saying("to all", .broadcast, udp(50_000, 9_999, phone, everybody)),
        Saying(
            "to all of the net, by its station", .broadcast,
            PacketBytes.ethernet(
                PacketBytes.ipv4(PacketBytes.udp(50_000, 9_999), from: phone, to: [192, 168, 1, 255]),
                to: [UInt8](repeating: 255, count: 6))),
        Saying(
            "neighbour discovery", .multicast,
            PacketBytes.ethernet(
                PacketBytes.ipv6(
                    .init(number: 58, bytes: [135, 0]), to: [0xff, 2] + [UInt8](repeating: 0, count: 13) + [1]))),
        Saying("DNS of the router", .none, udp(50_000, 53, phone, router)),
        Saying("a server at a neighbour's port", .none, udp(50_000, 1_900, phone, PacketBytes.server)),
        Saying("a phone's port that is a neighbour's", .none, udp(17_500, 443, phone, PacketBytes.server)),
        Saying("TLS", .none, PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(50_000, 443)))),
    ]

    @Test(arguments: sayings)
    func isTold(_ saying: Saying) throws {
        // Broken: a phone pays on LTE for what its television says to the house, or its own traffic is taken for that.
        var file = PcapWriter()
        file.add(saying.frame, at: 1_000_000_000)
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map(\.talk) == [saying.talk])
        #expect(reading.counts.talk(saying.talk).packets == (saying.talk == .none ? 0 : 1))
        #expect(reading.capture.medium == .local)
    }

    @Test(arguments: [
        ("rmnet_data0", NeighbourTalk.none), ("pdp_ip0", .none), ("wlan0", .multicast), ("en0", .multicast),
    ])
    func whatAModemCarriesWasOnTheAir(_ interface: (name: String, talk: NeighbourTalk)) throws {
        // Broken: what was captured on a cellular interface is left out of what its radio took.
        var file = PcapngWriter()
        file.addInterface(linkType: 101, options: [.init(2, interface.name)])
        file.add(PacketBytes.ipv4(.init(number: 2, bytes: [0x16]), to: [224, 0, 0, 2]), at: 1)
        let reading = try Reading(file.bytes)
        #expect(reading.packets.map(\.talk) == [interface.talk])
        #expect(reading.capture.medium == (interface.talk == .none ? .cellular : .unknown))
    }

    @Test func timeThatJumpsIsNamed() throws {
        // Broken: a clock that was set, or two captures in one file, become years of idle radio without a word.
        let packet = PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(50_000, 443)))
        let (day, start) = (UInt64(86_400_000_000_000), UInt64(1_600_000_000_000_000_000))
        var file = PcapWriter()
        // So many that the jump stands at the border of two batches of the reader.
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
