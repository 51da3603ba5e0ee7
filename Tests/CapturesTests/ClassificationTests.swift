import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Numbers with a registered meaning: ports, addresses, link types, and the bytes of pings.
struct ClassificationTests {
    private static let neighbours: [UInt16: NeighbourTraffic] = [
        67: .dhcp, 68: .dhcp, 546: .dhcp, 547: .dhcp, 137: .netbios, 138: .netbios, 1_900: .ssdp, 3_702: .discovery,
        17_500: .discovery, 5_353: .mdns, 5_355: .llmnr,
    ]

    /// Broken: a port of local traffic is another one, or a kind of traffic has another name.
    @Test func portsOfNeighbours() {
        for port in UInt16.min...UInt16.max {
            let expected = Self.neighbours[port] ?? .none
            if NeighbourTraffic(port: port) != expected { Issue.record("port \(port)") }
        }
        let names = NeighbourTraffic.allCases.map(\.name)
        #expect(
            names == [
                "", "ARP and other frames without IP", "broadcast", "multicast", "DHCP", "mDNS", "SSDP", "LLMNR",
                "NetBIOS",
                "discovery",
                "loopback",
            ])
    }

    /// One packet of UDP or TCP, classified by its addresses, ports and station.
    private static func kind(
        _ source: IPAddress, _ destination: IPAddress, _ ports: (UInt16, UInt16) = (50_000, 50_001),
        _ transport: TransportProtocol = .udp, station: UInt64 = 2, linkType: UInt32 = 1, hasPorts: Bool = true
    ) -> NeighbourTraffic {
        var packet = CapturedPacket(stamp: .epoch, wireLength: 60, capturedLength: 60)
        (packet.network, packet.transport) = (source.isIPv6 ? .ipv6 : .ipv4, transport)
        var result = Dissection()
        (result.source, result.destination) = (source.bits, destination.bits)
        (result.sourcePort, result.destinationPort, result.hasPorts) = (ports.0, ports.1, hasPorts)
        result.destinationStation = station
        return NeighbourTraffic.of(&packet, &result, LinkKind(linkType, ByteOrder(isSwapped: false)))
    }

    /// Broken: traffic that never leaves the local network counts as cellular, or the phone's own traffic does not.
    @Test func localTrafficNeedsLocalEnds() {
        let (near, other, far) = (IPAddress.ipv4(0xc0a8_0101), IPAddress.ipv4(0x0a00_0001), IPAddress.ipv4(0xc000_0201))
        let (group, all, zero) = (IPAddress.ipv4(0xe000_0000), IPAddress.ipv4(.max), IPAddress.ipv4(0))
        let broadcast: UInt64 = 0xffff_ffff_ffff
        #expect(Self.kind(near, far) == .none && Self.kind(near, far, station: broadcast) == .broadcast)
        for port in [5_353, 1_900] as [UInt16] {
            let expected = NeighbourTraffic(port: port)
            #expect(
                Self.kind(near, other, (50_000, port)) == expected && Self.kind(near, other, (port, 50_000)) == expected
            )
            #expect(Self.kind(near, far, (50_000, port)) == .none && Self.kind(far, near, (50_000, port)) == .none)
            #expect(Self.kind(far, group, (50_000, port)) == expected && Self.kind(zero, near, (port, 9)) == expected)
            #expect(
                Self.kind(near, all, (port, 9)) == expected && Self.kind(near, other, (50_000, port), .tcp) == .none)
            #expect(Self.kind(near, other, (50_000, port), hasPorts: false) == .none)
        }
        // The port of the destination has precedence.
        #expect(Self.kind(near, other, (1_900, 5_353)) == .mdns && Self.kind(near, other, (5_353, 1_900)) == .ssdp)
        #expect(Self.kind(near, group) == .multicast && Self.kind(near, all) == .broadcast)
        #expect(Self.kind(near, .ipv4(0xffff_fffe)) == .multicast && Self.kind(near, .ipv4(0xdfff_ffff)) == .none)
        for transport in [.tcp, .other, .none] as [TransportProtocol] {
            #expect(Self.kind(near, group, transport) == .multicast && Self.kind(near, all, transport) == .broadcast)
            #expect(
                Self.kind(near, far, transport) == .none
                    && Self.kind(far, near, transport, station: broadcast) == .broadcast)
        }
        let (near6, group6) = (IPAddress.ipv6(0xfe80 << 112 | 1), IPAddress.ipv6(0xff02 << 112 | 0xfb))
        let far6 = IPAddress.ipv6(0x2001_0db8 << 96 | 1)
        #expect(Self.kind(near6, group6, (5_353, 5_353)) == .mdns && Self.kind(far6, group6) == .multicast)
        #expect(Self.kind(far6, .ipv6(0xfeff << 112)) == .none && Self.kind(far6, near6, (9, 5_353)) == .none)
        #expect(Self.kind(near6, .ipv6(0xfc00 << 112), (9, 5_353)) == .mdns)
        // The low bits of an IPv6 address that look like an IPv4 group or broadcast are none.
        #expect(Self.kind(far6, .ipv6(0x2001 << 112 | 0xffff_ffff)) == .none)
    }

    private static func kind(
        _ source: IPAddress, _ destination: IPAddress, _ transport: TransportProtocol, station: UInt64 = 2
    ) -> NeighbourTraffic {
        kind(source, destination, (50_000, 50_001), transport, station: station)
    }

    /// Broken: frames without IP count as traffic of a link that has no neighbours.
    @Test func framesNeedALinkWithNeighbours() throws {
        let frame = [UInt8](repeating: 0xee, count: 40)
        for linkType in [0, 1, 9, 51, 101, 105, 108, 113, 127, 204, 239, 258, 276, 201] as [UInt32] {
            var one = try Dissected(frame, linkType)
            let link = LinkKind(linkType, ByteOrder(isSwapped: false))
            let expected: NeighbourTraffic = [1, 105, 113, 127, 276].contains(linkType) ? .frames : .none
            #expect(one.kind(link) == expected, "link type \(linkType)")
        }
    }

    /// Broken: an address at the edge of a private, multicast or unspecified range is on the other side.
    @Test func rangesOfAddresses() {
        let private4: [(UInt32, UInt32)] = [
            (0x0a00_0000, 0x0aff_ffff), (0xac10_0000, 0xac1f_ffff), (0xc0a8_0000, 0xc0a8_ffff),
            (0x6440_0000, 0x647f_ffff),
            (0xa9fe_0000, 0xa9fe_ffff),
        ]
        for (first, last) in private4 {
            for (bits, isPrivate) in [(first - 1, false), (first, true), (last, true), (last + 1, false)] {
                #expect(IPAddress.ipv4(bits).isPrivate == isPrivate && IPAddress.ipv4(bits).isUnicast)
            }
        }
        let private6: [(UInt128, UInt128)] = [(0xfc00, 0xfdff), (0xfe80, 0xfebf)]
        for (first, last) in private6 {
            for (bits, isPrivate) in [(first - 1, false), (first, true), (last, true), (last + 1, false)] {
                #expect(IPAddress.ipv6(bits << 112 | 1).isPrivate == isPrivate, "\(bits)")
            }
        }
        for (bits, isUnicast) in [(0, false), (1, true), (0xdfff_ffff, true), (0xe000_0000, false), (.max, false)]
            as [(UInt32, Bool)]
        {
            #expect(IPAddress.ipv4(bits).isUnicast == isUnicast)
        }
        for (bits, isUnicast) in [(0, false), (0xfeff << 112, true), (0xff00 << 112, false), (1, true), (.max, false)]
            as [(UInt128, Bool)]
        {
            #expect(IPAddress.ipv6(bits).isUnicast == isUnicast)
        }
        // Bits of IPv4 ranges have no meaning in IPv6, and the reverse.
        #expect(!IPAddress.ipv6(0x0a00_0001).isPrivate && !IPAddress.ipv4(0xfe80_0001).isPrivate)
    }

    /// Broken: text of an address is read or written differently from the standard.
    @Test func addressesHaveOneText() {
        var dice = SmallDice(9)
        for _ in 0..<500 {
            let four = dice.bytes(4)
            #expect(IPAddress.ipv4(UInt32(four.big(0, 4))).text == four.map { "\($0)" }.joined(separator: "."))
            // Groups that are zero in most places, for runs of zeros of all lengths.
            let groups = (0..<8).map { _ in dice.roll(3) == 0 ? UInt16(dice.roll(65_536)) : 0 }
            let bits = groups.reduce(0 as UInt128) { $0 << 16 | UInt128($1) }
            let text = IPAddress.ipv6(bits).text
            #expect(IPAddress(text) == .ipv6(bits), "\(text)")
            #expect(IPAddress(groups.map { String($0, radix: 16) }.joined(separator: ":")) == .ipv6(bits))
            let runs = groups.map { $0 == 0 ? "0" : "x" }.joined().split(separator: "x").map(\.count)
            #expect(text.contains("::") == ((runs.max() ?? 0) > 1), "\(text)")
        }
        for (text, expected) in [
            ("0:0:1:0:0:1:0:0", "::1:0:0:1:0:0"), ("1:0:0:0:1:0:0:1", "1::1:0:0:1"), ("1:0:0:1:0:0:0:1", "1:0:0:1::1"),
            ("1:0:0:2:3:4:0:0", "1::2:3:4:0:0"), ("1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"),
            ("1::2:3:4:5:6:7", "1:0:2:3:4:5:6:7"),
            ("::1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
            ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"), ("9.09.0.009", "9.9.0.9"),
        ] { #expect(IPAddress(text)?.text == expected, "\(text)") }
        for text in [
            "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1::2:3:4:5:6:7:8", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3.+4",
            "::1.2.3",
            "1.2.3./", "1.2.3.:", "1.2.3.", ".1.2.3", "1:", ":1", "1:2:3:4:5:6:7:", "::12345", "::g", "::-1", "::+1",
            "1..2.3",
        ] { #expect(IPAddress(text) == nil, "\(text)") }
    }

    /// Broken: data that differs from a ping in one byte counts as one, or a byte that may differ is compared.
    @Test func pingsMayDifferOnlyInTheirData() {
        // For each byte of a frame: the bits that must be as they are.
        let any: UInt8 = 0
        let frames: [(frame: [UInt8], kind: PingFrame, masks: [UInt8])] = [
            ([0xc0, 0], .ping, [0xff, 0xff]), ([0xd0, 0], .pong, [0xff, 0xff]),
            (
                [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], .ping,
                [0xff, 0xff, 0xff, 0xff, 1] + [UInt8](repeating: any, count: 12)
            ),
            (Array("PONG\r\n".utf8), .pong, .init(repeating: 0xff, count: 6)),
            (Array("*1\r\n$4\r\nPING\r\n".utf8), .ping, .init(repeating: 0xff, count: 14)),
            (Array("+PONG\r\n".utf8), .pong, .init(repeating: 0xff, count: 7)),
            ([0x89, 3, 1, 2, 3], .ping, [0xff, 0xff, any, any, any]),
            ([0x8a, 0x81, 1, 2, 3, 4, 5], .pong, [0xff, 0xff, any, any, any, any, any]),
        ]
        for (frame, kind, masks) in frames {
            #expect(frame.withUnsafeBytes { PingFrame($0) } == kind)
            for place in frame.indices {
                for value in UInt8.min...UInt8.max where value != frame[place] {
                    // A WebSocket frame without data has two bytes, too.
                    if frame.count == 2, value == 0x89 || value == 0x8a { continue }
                    // A frame of the same length without a mask.
                    if frame.count == 7, place == 1, value == 5 { continue }
                    var other = frame
                    other[place] = value
                    let isSame = (value ^ frame[place]) & masks[place] == 0
                    let found = other.withUnsafeBytes { PingFrame($0) }
                    #expect((found == kind) == isSame, "\(other)")
                }
            }
        }
        // A WebSocket frame of each length, with and without a mask.
        for length in 0...140 {
            for (second, header) in [(UInt8(min(length, 127)), 2), (UInt8(min(length, 127)) | 0x80, 6)] {
                let frame = [0x89, second] + [UInt8](repeating: 7, count: header - 2 + length)
                #expect((frame.withUnsafeBytes { PingFrame($0) } == .ping) == (length <= 125), "\(length)")
            }
        }
        #expect(PingFrame.maximumLength == 2 + 4 + 125)
    }

    /// Broken: a link type has another number or name.
    @Test func linkTypesHaveNames() {
        let names = """
            0 NULL, 1 Ethernet, 6 Token Ring, 9 PPP, 10 FDDI, 12 raw IP, 14 raw IP, 50 PPP HDLC, 51 PPPoE, 101 raw IP, \
            104 Cisco HDLC, 105 802.11, 107 Frame Relay, 108 LOOP, 113 Linux cooked v1, 119 802.11 with Prism header, \
            127 802.11 with radiotap, 147 private 0, 148 private 1, 149 PKTAP, 163 802.11 with AVS header, \
            187 Bluetooth HCI H4, 189 USB of Linux, 192 PPI, 195 802.15.4, 201 Bluetooth HCI H4 with direction, \
            204 PPP with direction, 220 USB of Linux, 227 CAN, 228 IPv4, 229 IPv6, 230 802.15.4 without FCS, 231 D-Bus, \
            239 NFLOG, 249 USBPcap, 251 Bluetooth Low Energy, 253 netlink, 254 Bluetooth of Linux, \
            256 Bluetooth Low Energy with header, 258 PKTAP, 272 nRF sniffer, 276 Linux cooked v2
            """
        var known: [UInt32: String] = [:]
        for entry in names.split(separator: ", ") {
            let words = entry.split(separator: " ", maxSplits: 1)
            known[UInt32(words[0]) ?? .max] = String(words[1])
        }
        #expect(known.count == 42)
        let order = ByteOrder(isSwapped: true)
        let read: [UInt32: LinkKind] = [
            0: .null(order), 1: .ethernet, 9: .ppp, 12: .raw, 14: .raw, 50: .ppp, 51: .pppoe, 101: .raw, 105: .wifi,
            108: .loop,
            113: .cooked, 127: .radiotap, 149: .pktap, 204: .pppWithDirection, 228: .raw, 229: .raw, 239: .nflog(order),
            258: .pktap, 276: .cooked2,
        ]
        for number in 0...300 as ClosedRange<UInt32> {
            #expect(CapturedInterface(linkType: number).linkTypeName == known[number] ?? "LINKTYPE \(number)")
            #expect(
                LinkKind(number, order) == read[number] ?? .unread
                    && LinkKind(number, order).isUnread == (read[number] == nil))
        }
    }
}
