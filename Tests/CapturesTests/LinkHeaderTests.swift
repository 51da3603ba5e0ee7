import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Link headers that are cut at each byte, and the fields that they hold beside the packet.
struct LinkHeaderTests {
    private static let every =
        LinkTypeTests.ethernets + LinkTypeTests.cooked + LinkTypeTests.families + LinkTypeTests.wifi
        + LinkTypeTests.pktap

    /// Broken: a packet with a header cut short is read beyond its end, or a packet with complete headers is not read.
    @Test(arguments: every)
    func readsAsMuchAsWasCaptured(_ wrapping: LinkTypeTests.Wrapping) throws {
        let tcp = PacketBytes.tcp(50_000, 443, flags: 0x18, sequence: 7, payload: [1, 2, 3])
        let udp = PacketBytes.udp(50_001, 53, payload: [9])
        for packet in [PacketBytes.ipv4(tcp), PacketBytes.ipv6(tcp), PacketBytes.ipv4(udp), PacketBytes.ipv6(udp)] {
            let frame = wrapping.wrap(packet)
            let header = frame.count - packet.count
            for length in 0...frame.count {
                let captured = Array(frame.prefix(length))
                let one = try Dissected(captured, wrapping.linkType, wireLength: frame.count)
                let plain = PlainIP(captured, at: header, wireLength: frame.count, isIPv6: packet[0] == 0x60)
                #expect(one.packet.network == plain.network, "\(length) bytes")
                #expect(one.packet.transport == plain.transport && one.packet.sequence == plain.sequence)
                #expect(one.packet.payloadLength == UInt32(plain.payloadLength))
                #expect(one.result.source == plain.source && one.result.destination == plain.destination)
                #expect(one.result.hasPorts == !plain.ports.isEmpty && one.packet.wireLength == UInt32(frame.count))
                #expect(one.result.payloadCaptured == plain.payloadCaptured)
                let front = plain.network == .other ? frame.count : header
                #expect(one.packet.linkHeaderLength == UInt32(front))
            }
            #expect(try Dissected(frame, wrapping.linkType).result.direction == wrapping.direction)
        }
    }

    /// Broken: a direction or a station is read from another field, or only from longer frames.
    @Test(
        arguments: [
            // Cooked headers: to this host, to all, multicast, between others, from this host, unknown.
            (113, [0, 0], 16, PacketDirection.down), (113, [0, 1], 16, .down), (113, [0, 2], 16, .down),
            (113, [0, 3], 16, .unknown), (113, [0, 4], 16, .up), (113, [0, 5], 16, .unknown),
            (113, [1, 4], 16, .unknown),
            (113, [0, 4], 15, .unknown),
            (276, [8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 4], 20, .up), (276, [8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 2], 20, .down),
            (276, [8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 3], 20, .unknown),
            (276, [8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 4], 19, .unknown),
            (204, [0], 1, .down), (204, [1], 1, .up), (204, [2], 1, .up), (204, [], 0, .unknown),
            // NFLOG: an outer interface of 0 is none; the outgoing interface has precedence.
            (239, [2, 0, 0, 0, 8, 0, 4, 0, 0, 0, 0, 1], 12, .down),
            (239, [2, 0, 0, 0, 8, 0, 4, 0, 0, 0, 0, 0], 12, .unknown),
            (239, [2, 0, 0, 0, 8, 0, 5, 0, 0, 0, 0, 1], 12, .up),
            (239, [2, 0, 0, 0, 8, 0, 5, 0, 0, 0, 0, 0], 12, .unknown),
            (239, [2, 0, 0, 0, 8, 0, 4, 0, 0, 0, 0, 1, 8, 0, 5, 0, 0, 0, 0, 2], 20, .up),
            (239, [2, 0, 0, 0, 8, 0, 5, 0, 0, 0, 0, 1, 8, 0, 4, 0, 0, 0, 0, 2], 20, .up),
            (239, [2, 0, 0, 0, 8, 0, 4, 0, 0, 0, 0, 1], 11, .unknown),
            // A field of seven bytes holds no number, and one of 12 bytes holds one. The upper bit of the type is a flag.
            (239, [2, 0, 0, 0, 7, 0, 4, 0, 0, 0, 0, 1], 12, .unknown),
            (239, [2, 0, 0, 0, 12, 0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0], 16, .down),
            (239, [2, 0, 0, 0, 8, 0, 4, 0x80, 0, 0, 0, 1], 12, .down),
            (239, [2, 1, 0, 0, 8, 0, 4, 0, 0, 0, 0, 1], 12, .unknown),
            // After a field of a length below four nothing is read.
            (239, [2, 0, 0, 0, 3, 0, 1, 0, 8, 0, 4, 0, 0, 0, 0, 1], 16, .unknown),
            (239, [2, 0, 0, 0, 4, 0, 1, 0, 8, 0, 4, 0, 0, 0, 0, 1], 16, .down),
            (239, [2, 0, 0, 0, 5, 0, 1, 0, 9, 9, 9, 9, 8, 0, 4, 0, 0, 0, 0, 1], 20, .down),
        ] as [(UInt32, [UInt8], Int, PacketDirection)])
    func readsDirections(_ linkType: UInt32, _ front: [UInt8], _ length: Int, _ direction: PacketDirection) throws {
        let frame = Array((front + [UInt8](repeating: 0, count: 32)).prefix(length))
        #expect(try Dissected(frame, linkType).result.direction == direction)
    }

    private static let (one, two, three, four): (UInt64, UInt64, UInt64, UInt64) = (
        0x0401_0203_0401, 0x0501_0203_0402, 0x0601_0203_0403, 0x0701_0203_0404
    )

    private static func bytes(_ stations: UInt64...) -> [UInt8] {
        stations.flatMap { station in (0..<6).map { UInt8(truncatingIfNeeded: station >> UInt64(40 - 8 * $0)) } }
    }

    /// Broken: sender and receiver of a Wi-Fi or Ethernet frame are taken from the wrong one of its addresses.
    @Test func readsStations() throws {
        let (one, two, three, four) = (Self.one, Self.two, Self.three, Self.four)
        let ethernet = Self.bytes(one, two) + [8, 6]
        #expect(try Dissected(ethernet, 1).stations == [one, two])
        #expect(try Dissected(Array(ethernet.dropLast()), 1).stations == [0, 0])
        // Flags: to and from the distribution system. The fourth address stands behind the sequence number.
        let expected: [(flags: UInt8, stations: [UInt64])] = [
            (0, [one, two]), (1, [three, two]), (2, [one, three]), (3, [three, four]), (0x13, [three, four]),
        ]
        for (flags, stations) in expected {
            let frame = [8, flags, 0, 0] + Self.bytes(one, two, three) + [0x10, 0] + Self.bytes(four)
            #expect(try Dissected(frame, 105).stations == stations, "flags \(flags)")
            let isFull = flags & 3 == 3
            #expect(try Dissected(Array(frame.prefix(24)), 105).stations == (isFull ? [three, 0] : stations))
            #expect(try Dissected(Array(frame.prefix(29)), 105).stations == (isFull ? [three, 0] : stations))
            #expect(try Dissected(Array(frame.prefix(23)), 105).stations == [0, 0])
        }
        // Only unencrypted data frames: type 2, without the bit of the frames without data.
        for control in UInt8.min...UInt8.max {
            let frame = [control, 1, 0, 0] + Self.bytes(one, two, three) + [UInt8](repeating: 0, count: 16)
            let isData = control & 0x0c == 8 && control & 0x40 == 0
            #expect(try Dissected(frame, 105).stations == (isData ? [three, two] : [0, 0]), "\(control)")
        }
        // A QoS frame needs the two bytes of its field.
        let service = [0x88, 1, 0, 0] + Self.bytes(one, two, three) + [0, 0]
        #expect(try Dissected(service + [0], 105).stations == [0, 0])
        #expect(try Dissected(service + [0, 0], 105).stations == [three, two])
    }

    /// Broken: the packet behind a Wi-Fi header is sought at the wrong offset.
    @Test func findsThePacketBehindWiFiHeaders() throws {
        let packet = [0xaa, 0xaa, 3, 0, 0, 0, 8, 0] + PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))
        let stations = Self.bytes(Self.one, Self.two, Self.three) + [0, 0]
        func header(_ radiotap: [UInt8], _ frame: [UInt8]) throws -> Int? {
            let one = try Dissected(radiotap + frame + packet, 127)
            return one.packet.network == .ipv4 ? Int(one.packet.linkHeaderLength) - radiotap.count - 8 : nil
        }
        let plain: [UInt8] = [0, 0, 8, 0, 0, 0, 0, 0]
        let service = [0x88, 1, 0, 0] + stations + [0, 0]
        #expect(try header(plain, [8, 1, 0, 0] + stations) == 24 && header(plain, service) == 26)
        #expect(try header(plain, [0x88, 0x81, 0, 0] + stations + [0, 0, 0, 0, 0, 0]) == 30)
        #expect(try header(plain, [8, 0x81, 0, 0] + stations) == 24)
        // In an aggregate the first packet has a header of its own: two stations and a length.
        let aggregate = [0x88, 1, 0, 0] + stations + [0x80, 0]
        #expect(try header(plain, aggregate + [UInt8](repeating: 0, count: 14)) == 40)
        #expect(try header(plain, aggregate) == nil)
        // Frames with padding: 26 bytes become 28. Each radiotap header is a length, presence words and fields.
        let padded = service + [0, 0]
        let cases: [(radiotap: [UInt8], isPadded: Bool?)] = [
            ([0, 0, 9, 0, 2, 0, 0, 0, 0x20], true), ([0, 0, 9, 0, 2, 0, 0, 0, 0x10], false),
            ([0, 0, 9, 0, 0, 0, 0, 0, 0x20], false), ([0, 0, 8, 0, 2, 0, 0, 0], false),
            ([0, 0, 13, 0, 2, 0, 0, 0x80, 0, 0, 0, 0, 0x20], true),
            ([0, 0, 17, 0, 2, 0, 0, 0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0x20], true),
            ([0, 0, 12, 0, 2, 0, 0, 0x80, 0, 0, 0, 0x80], false), ([0, 0, 8, 0, 2, 0, 0, 0x80], false),
            ([0, 0, 17, 0, 3, 0, 0, 0] + [UInt8](repeating: 9, count: 8) + [0x20], true),
            ([0, 0, 25, 0, 3, 0, 0, 0x80, 0, 0, 0, 0, 9, 9, 9, 9] + [UInt8](repeating: 9, count: 8) + [0x20], true),
            ([0, 0, 16, 0, 3, 0, 0, 0] + [UInt8](repeating: 0x20, count: 8), false),
            ([1, 0, 8, 0, 0, 0, 0, 0], nil), ([0, 0, 7, 0, 0, 0, 0, 0], nil),
        ]
        for (radiotap, isPadded) in cases {
            #expect(try header(radiotap, padded) == (isPadded == true ? 28 : nil), "\(radiotap)")
            #expect(try header(radiotap, service) == (isPadded == false ? 26 : nil), "\(radiotap)")
        }
    }

    /// Broken: a field of a link header other than the protocol is ignored, or a number of a protocol is another one.
    @Test func onlyTheKnownProtocolsAreIP() throws {
        let four = PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))
        let six = PacketBytes.ipv6(PacketBytes.tcp(50_000, 443))
        func networks(_ linkType: UInt32, _ header: [UInt8]) throws -> [NetworkProtocol] {
            try [four, six].map { try Dissected(header + $0, linkType).packet.network }
        }
        let (isFour, isSix, isNone): ([NetworkProtocol], [NetworkProtocol], [NetworkProtocol]) = (
            [.ipv4, .other], [.other, .ipv6], [.other, .other]
        )
        for family in UInt8.min...UInt8.max {
            let expected = family == 2 ? isFour : [10, 23, 24, 28, 30].contains(family) ? isSix : isNone
            #expect(try networks(108, [0, 0, 0, family]) == expected && networks(0, [family, 0, 0, 0]) == expected)
            #expect(try networks(0, [0, 0, 0, family]) == expected, "family \(family)")
            #expect(try networks(239, [family, 0, 0, 0, 200, 0, 9, 0]) == expected)
            #expect(try networks(108, [0, 0, 1, family]) == isNone && networks(108, [1, 0, 0, family]) == isNone)
        }
        let stations = [UInt8](repeating: 2, count: 12)
        for high in UInt8.min...UInt8.max {
            for low in [0, 0x21, 0x57, 0x64, 0xa8, 0xdc, 0xdd, 0xde, 1] as [UInt8] {
                let type = UInt16(high) << 8 | UInt16(low)
                let expected = type == 0x800 ? isFour : type == 0x86dd ? isSix : isNone
                #expect(try networks(1, stations + [high, low]) == expected, "type \(type)")
                #expect(try networks(50, [0x8f, 0, high, low]) == expected)
                let isTag = [0x8100, 0x88a8, 0x9100].contains(type)
                #expect(try networks(1, stations + [high, low, 0, 5, 8, 0]) == (isTag ? isFour : isNone))
                #expect(
                    try networks(1, stations + [high, low, 0, 0, 0, 0, 0, 0, 0, 0x57])
                        == (type == 0x8864 ? isSix : isNone))
                let cooked: [UInt8] = [high, low, 0, 0, 0, 0, 0, 3, 0, 1, 4, 6, 0, 0, 0, 0, 0, 0, 0, 0]
                #expect(
                    try networks(276, cooked) == expected
                        && networks(276, cooked + [0, 7, 8, 0]) == (isTag ? isFour : isNone))
                // A one-byte protocol number is odd; others have two bytes.
                let isOdd = high % 2 == 1
                let number = isOdd ? UInt16(high) : type
                let ppp = number == 0x21 ? isFour : number == 0x57 ? isSix : isNone
                #expect(try networks(9, isOdd ? [high] : [high, low]) == ppp, "\(high) \(low)")
            }
        }
        // An unknown link has no header that is known.
        for linkType in [6, 201, 4_711] as [UInt32] {
            for frame in [four, six, stations + [8, 0] + four] {
                let one = try Dissected(frame, linkType)
                #expect(one.packet.network == .other && one.stations == [0, 0], "link type \(linkType)")
            }
        }
        for code in [0, 1, 9, 0xa7] as [UInt8] {
            #expect(try networks(51, [0x11, code, 0, 1, 0, 99, 0, 0x21]) == (code == 0 ? isFour : isNone))
        }
    }

    /// Broken: a frame of 802.3 with another header than that of SNAP is taken for IP, or the longest of them is not.
    @Test(
        arguments: [
            (1_500, [0xaa, 0xaa, 3, 0, 0, 0, 8, 0], true), (0, [0xaa, 0xaa, 3, 0, 0, 0, 8, 0], true),
            (1_501, [0xaa, 0xaa, 3, 0, 0, 0, 8, 0], false), (60, [0xaa, 0xab, 3, 0, 0, 0, 8, 0], false),
            (60, [0xaa, 0xaa, 2, 0, 0, 0, 8, 0], false), (60, [0xaa, 0xaa, 3, 1, 0, 0, 8, 0], false),
            (60, [0xaa, 0xaa, 3, 0, 1, 0, 8, 0], false), (60, [0xaa, 0xaa, 3, 0, 0, 1, 8, 0], false),
            // A VLAN tag inside; a length inside, which would be LLC in LLC.
            (60, [0xaa, 0xaa, 3, 0, 0, 0, 0x81, 0, 0, 7, 8, 0], true),
            (60, [0xaa, 0xaa, 3, 0, 0, 0, 5, 0xdc, 0xaa, 0xaa, 3, 0, 0, 0, 8, 0], false),
        ] as [(UInt16, [UInt8], Bool)])
    func readsSNAP(_ length: UInt16, _ header: [UInt8], _ isRead: Bool) throws {
        let frame = PacketBytes.ethernet(header + PacketBytes.ipv4(PacketBytes.tcp(1, 2)), type: length)
        #expect(try Dissected(frame, 1).packet.network == (isRead ? .ipv4 : .other))
    }
}
