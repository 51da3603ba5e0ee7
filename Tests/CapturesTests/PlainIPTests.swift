import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// The decoder and its fast path against a plain reading of the same bytes.
struct PlainIPTests {
    /// A packet of one of many shapes, often damaged, cut or followed by padding.
    private static func packet(_ dice: inout SmallDice, isIPv6: Bool) -> [UInt8] {
        let payload = dice.bytes(dice.one(of: [0, 0, 1, 7, 40]))
        let ports = [UInt16(53), 67, 443, 1_900, 40_000, 50_000]
        let (from, to) = (dice.one(of: ports), dice.one(of: ports))
        var segment =
            dice.roll(2) == 0
            ? PacketBytes.udp(from, to, payload: payload)
            : PacketBytes.tcp(
                from, to, flags: UInt8(dice.roll(256)), sequence: UInt32(dice.roll(1 << 32)),
                acknowledgement: UInt32(dice.roll(1 << 32)), window: UInt16(dice.roll(65_536)), payload: payload)
        // A length of UDP that differs from that of IP, at its limits.
        if segment.number == 17, dice.roll(4) == 0 { segment.bytes[5] = UInt8(dice.one(of: [0, 7, 8, 9, 47])) }
        if dice.roll(8) == 0 { segment.number = UInt8(dice.one(of: [0, 1, 43, 44, 50, 51, 60, 135])) }
        var bytes: [UInt8]
        if isIPv6 {
            let extensions = (0..<dice.one(of: [0, 0, 1, 2, 15, 16, 17])).map { _ in header(&dice) }
            bytes = PacketBytes.ipv6(segment, extensions: extensions)
        } else {
            let options = dice.bytes(4 * dice.one(of: [0, 0, 0, 1, 10]))
            let fragment = UInt16(dice.one(of: [0, 0, 0, 0x4000, 0x2000, 0x2001, 1, 0x1fff, 0x8000]))
            bytes = PacketBytes.ipv4(
                segment, to: dice.one(of: [PacketBytes.server, [223, 255, 255, 255], [224, 0, 0, 1]]),
                fragment: fragment, options: options, totalLength: dice.roll(10) == 0 ? 0 : nil)
        }
        // Version and lengths are the fields that decide; anything else may be damaged, too.
        if dice.roll(3) == 0 {
            let place = dice.roll(4) == 0 ? dice.roll(bytes.count) : dice.one(of: [0, 2, 3, 4, 5, 6, 9, 24, 25, 32])
            bytes[place % bytes.count] ^= 1 << UInt8(dice.roll(8))
        }
        if dice.roll(3) == 0 { bytes.removeLast(dice.roll(bytes.count + 1)) }
        if dice.roll(6) == 0 { bytes += dice.bytes(dice.roll(20)) }
        return bytes
    }

    private static func header(_ dice: inout SmallDice) -> (number: UInt8, rest: [UInt8]) {
        let number = UInt8(dice.one(of: [0, 43, 51, 60, 60, 135, 44]))
        if number == 44 { return (44, [0, 0, UInt8(dice.one(of: [0, 0, 0, 1, 2, 6, 7, 8])), 0, 0, 0, 1]) }
        let units = dice.roll(3)
        let length = number == 51 ? (units + 2) * 4 - 2 : (units + 1) * 8 - 2
        return (number, [UInt8(units)] + dice.bytes(length))
    }

    private static func read(_ one: Dissected) -> PlainIP {
        var ip = PlainIP()
        let (packet, result) = (one.packet, one.result)
        (ip.network, ip.transport, ip.fragment) = (packet.network, packet.transport, packet.fragment)
        (ip.source, ip.destination) = (result.source, result.destination)
        ip.ports = result.hasPorts ? [result.sourcePort, result.destinationPort] : []
        (ip.sequence, ip.acknowledgement) = (packet.sequence, packet.acknowledgement)
        (ip.window, ip.flags) = (packet.window, packet.flags.rawValue)
        ip.payloadLength = Int(packet.payloadLength)
        (ip.payloadOffset, ip.payloadCaptured) = (result.payloadOffset, result.payloadCaptured)
        return ip
    }

    /// Broken: a field of an IP, TCP or UDP header is read from the wrong bits, a damaged length is trusted, or bytes
    /// beyond the captured ones are read.
    @Test(arguments: [false, true], [1, 2, 3] as [UInt64])
    func decoderEqualsThePlainReading(_ isIPv6: Bool, _ seed: UInt64) throws {
        var dice = SmallDice(seed)
        var kinds: Set<String> = []
        for _ in 0..<3_000 {
            let bytes = Self.packet(&dice, isIPv6: isIPv6)
            let link = dice.bytes(12) + (isIPv6 ? [0x86, 0xdd] : [8, 0])
            let wireLength = 14 + bytes.count + dice.roll(3) * 100
            let decoded = try Dissected(link + bytes, 1, wireLength: wireLength)
            let plain = PlainIP(link + bytes, at: 14, wireLength: wireLength, isIPv6: isIPv6)
            try #require(Self.read(decoded) == plain, "\(bytes)")
            let start = plain.network == .other ? wireLength : 14
            try #require(decoded.packet.linkHeaderLength == UInt32(start))
            kinds.insert("\(plain.network) \(plain.transport) \(plain.fragment) \(plain.payloadCaptured > 0)")
        }
        #expect(kinds.count >= 11, "\(kinds.sorted())")
    }

    /// Broken: the fast path reads a field differently, takes a packet that it must not take, or leaves plain packets
    /// to the slow path.
    @Test(arguments: [(1, 14), (113, 16), (101, 0)] as [(UInt32, Int)], [1, 2, 3] as [UInt64])
    func fastPathTakesExactlyThePlainPackets(_ link: (type: UInt32, start: Int), _ seed: UInt64) throws {
        var dice = SmallDice(seed)
        var taken = 0
        let start = link.start
        for round in 0..<4_000 {
            let ip = Self.packet(&dice, isIPv6: false)
            let front = dice.one(of: [[0, 4], [0, 0], [0, 1], [0, 3]] as [[UInt8]])
            let bytes = start == 0 ? ip : front + [UInt8](repeating: 2, count: start - 4) + [8, 0] + ip
            let plain = PlainIP(bytes, at: start, wireLength: bytes.count, isIPv6: false)
            let head = bytes.withBytes { FastPathHeader($0, LinkKind(link.type, ByteOrder(isSwapped: false))) }
            try #require((head != nil) == Self.isPlain(bytes, start, plain), "round \(round): \(bytes)")
            guard let head else { continue }
            taken += 1
            let end = { (address: UInt128, port: UInt16) in UInt64(address) << 16 | UInt64(port) }
            #expect(head.start == start && head.isUDP == (plain.transport == .udp))
            #expect(head.source == end(plain.source, plain.ports[0]))
            #expect(head.destination == end(plain.destination, plain.ports[1]))
            #expect(head.payloadLength == UInt32(plain.payloadLength) && head.payloadOffset == plain.payloadOffset)
            #expect(head.payloadCaptured == plain.payloadCaptured && head.sequence == plain.sequence)
            #expect(head.back >> 32 == UInt64(plain.acknowledgement) && head.back & 0xffff == UInt64(plain.window))
            #expect(head.back >> 16 & 0x3f == UInt64(plain.flags))
            let direction: PacketDirection = link.type != 113 || front[1] == 3 ? .unknown : front[1] == 4 ? .up : .down
            #expect(head.direction == direction)
        }
        #expect(taken > 200)
    }

    /// `true` for the packets that the fast path is made for, with a whole transport header.
    private static func isPlain(_ bytes: [UInt8], _ start: Int, _ plain: PlainIP) -> Bool {
        guard bytes.count >= start + 28, bytes[start] == 0x45, plain.ports.count == 2, bytes[start + 6] & 0x3f == 0,
            bytes[start + 7] == 0, bytes.big(start + 2, 2) > 0
        else { return false }
        let captured = min(bytes.count - start, Int(bytes.big(start + 2, 2))) - 20
        if plain.transport == .tcp {
            guard captured >= 20 else { return false }
            let header = Int(bytes[start + 32] / 16) * 4
            return header >= 20 && header + 20 <= Int(bytes.big(start + 2, 2))
        }
        return captured >= 8
    }

    /// Broken: broadcast frames, PCAPdroid's frames, tagged frames or frames without IPv4 take the fast path.
    @Test func fastPathNeedsAPlainLink() {
        let ip = PacketBytes.ipv4(PacketBytes.tcp(40_000, 443))
        let (one, all, zero) = (
            [UInt8](repeating: 2, count: 6), [UInt8](repeating: 255, count: 6), [UInt8](repeating: 0, count: 6)
        )
        let cases: [(frame: [UInt8], linkType: UInt32, isTaken: Bool)] = [
            (one + one + [8, 0] + ip, 1, true), (all + one + [8, 0] + ip, 1, false),
            (zero + zero + [8, 0] + ip, 1, false), (zero + [0, 0, 0, 0, 0, 1, 8, 0] + ip, 1, false),
            ([0, 0, 0, 0, 0, 1] + zero + [8, 0] + ip, 1, true), ([1] + zero.dropFirst() + one + [8, 0] + ip, 1, true),
            (one + one + [8, 1] + ip, 1, false), (one + one + [0x81, 0, 0, 0, 8, 0] + ip, 1, false),
            ([0, 0] + zero + zero + [0x86, 0xdd] + ip, 113, false), ([0, 0] + zero + zero + [8, 0] + ip, 113, true),
            (ip, 101, true), (ip, 228, true), ([2, 0, 0, 0] + ip, 0, false), (ip, 201, false),
        ]
        for (frame, linkType, isTaken) in cases {
            let link = LinkKind(linkType, ByteOrder(isSwapped: false))
            #expect((frame.withBytes { FastPathHeader($0, link) } != nil) == isTaken, "\(linkType): \(frame)")
        }
    }
}
