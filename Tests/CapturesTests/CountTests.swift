import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// Totals of a capture, against sums over all of its packets.
struct CountTests {
    /// Random packets, mostly in order of time.
    private static func packets(_ count: Int, _ dice: inout SmallDice) -> [CapturedPacket] {
        var time: Int64 = 1_600_000_000_000_000_000
        let month = Int64(30 * 86_400) * 1_000_000_000
        return (0..<count).map { _ in
            let wire = UInt32(dice.roll(1_500))
            let steps = [0, 1, 1_000, -1, -1_000, month, -month, month + 1, -month - 1]
            time += dice.roll(10) == 0 ? dice.one(of: steps) : Int64(dice.roll(1_000_000))
            var packet = CapturedPacket(
                stamp: Timestamp(nanoseconds: Int128(time)), wireLength: wire,
                capturedLength: dice.one(of: [wire, wire, wire / 2, wire + 1]))
            packet.network = dice.one(of: [.ipv4, .ipv6, .other])
            packet.transport = dice.one(of: [.tcp, .udp, .other, .none])
            packet.fragment = dice.one(of: [.whole, .whole, .first, .later])
            packet.direction = dice.one(of: [.up, .down, .unknown])
            packet.neighbourTraffic = dice.one(of: NeighbourTraffic.allCases)
            packet.interface = UInt32(dice.roll(8) == 0 ? dice.roll(3) : 1)
            return packet
        }
    }

    /// Broken: a total misses packets, counts them twice, or depends on the borders of batches.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func totalsAreSumsOverPackets(_ seed: UInt64) throws {
        var dice = SmallDice(seed)
        let packets = Self.packets(400, &dice)
        var counts = CaptureCounts()
        var registry = CaptureRegistry()
        for number in 0..<3 {
            let interface = CapturedInterface(linkType: UInt32(number))
            _ = try registry.add(interface, ByteOrder(isSwapped: false), at: 0)
        }
        var rest = packets[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(dice.roll(40)))
            batch.withUnsafeBufferPointer {
                counts.add($0)
                registry.count($0)
            }
            rest = rest.dropFirst(batch.count)
        }
        func sum(_ isCounted: (CapturedPacket) -> Bool) -> [UInt64] {
            let of = packets.filter(isCounted)
            return [UInt64(of.count), of.reduce(0) { $0 + UInt64($1.wireLength) }]
        }
        func number(_ isCounted: (CapturedPacket) -> Bool) -> UInt64 { sum(isCounted)[0] }
        #expect([counts.packets, counts.bytes] == sum { _ in true })
        #expect([counts.upPackets, counts.upBytes] == sum { $0.direction == .up })
        #expect([counts.downPackets, counts.downBytes] == sum { $0.direction == .down })
        #expect(counts.unknownPackets == number { $0.direction == .unknown })
        #expect(counts.capturedBytes == packets.reduce(0) { $0 + UInt64($1.capturedLength) })
        #expect(counts.clippedPackets == number { $0.capturedLength < $0.wireLength })
        let whole = { (network: NetworkProtocol, transport: TransportProtocol) in
            number { $0.fragment != .later && $0.network == network && $0.transport == transport }
        }
        #expect(counts.ipv4TCP == whole(.ipv4, .tcp) && counts.ipv6TCP == whole(.ipv6, .tcp))
        #expect(counts.ipv4UDP == whole(.ipv4, .udp) && counts.ipv6UDP == whole(.ipv6, .udp))
        #expect(counts.laterFragments == number { $0.fragment == .later })
        #expect(counts.nonIPPackets == number { $0.fragment != .later && $0.network == .other })
        let others = number {
            $0.fragment != .later && ($0.network == .other || $0.transport == .other || $0.transport == .none)
        }
        #expect(counts.otherPackets == others && counts.unstampedPackets == 0)
        for kind in NeighbourTraffic.allCases {
            let expected = kind == .none ? [0, 0] : sum { $0.neighbourTraffic == kind }
            #expect([counts.neighbourTraffic(kind).packets, counts.neighbourTraffic(kind).bytes] == expected)
        }
        Self.expectTimes(counts, packets.map(\.stamp))
        #expect(registry.interfacesWithCounts.map(\.packets) == (0..<3).map { one in number { $0.interface == one } })
    }

    private static func expectTimes(_ counts: CaptureCounts, _ stamps: [Timestamp]) {
        let steps = zip(stamps, stamps.dropFirst()).map { $1 - $0 }
        #expect(counts.timeReversals == UInt64(steps.count { $0 < .zero }))
        #expect(counts.first == stamps.first && counts.last == stamps.last)
        #expect(counts.earliest == stamps.min() && counts.latest == stamps.max())
        let jumps = steps.indices.filter { steps[$0] > .hours(720) || steps[$0] < .zero - .hours(720) }
        #expect(counts.jumps == UInt64(jumps.count) && jumps.count > 1)
        let first = jumps[0]
        #expect(counts.firstJump == TimeJump(packet: UInt64(first + 2), from: stamps[first], to: stamps[first + 1]))
    }

    /// Broken: an interface without packets, or of a modem without packets, decides on the medium.
    @Test func theMediumIsThatOfThePackets() throws {
        let packet = PacketBytes.ipv4(PacketBytes.tcp(50_000, 443))
        let lease = PacketBytes.ipv4(
            PacketBytes.udp(68, 67), from: [0, 0, 0, 0], to: [UInt8](repeating: 255, count: 4))
        func medium(_ names: [String], _ packets: [(interface: UInt32, bytes: [UInt8])], linkType: UInt16 = 101) throws
            -> CaptureMedium
        {
            var file = PcapngWriter()
            for name in names { file.addInterface(linkType: linkType, options: [.init(2, name)]) }
            for packet in packets { file.add(packet.bytes, at: 1, interface: packet.interface) }
            return try Reading(file.bytes).capture.medium
        }
        for name in ["rmnet0", "ccmni1", "pdp_ip0", "wwan0", "seth_lte0", "v4-rmnet1", "v4-ccmni0"] {
            #expect(try medium([name, "wlan0"], [(0, packet)]) == .cellular, "\(name)")
            #expect(try medium([name, "wlan0"], [(1, packet)]) == .unknown && medium([name], []) == .unknown)
            #expect(try medium(["x" + name], [(0, packet)]) == .unknown)
        }
        #expect(try medium(["tun0"], [(0, packet)]) == .unknown && medium(["tun0"], [(0, lease)]) == .local)
        let ethernet = PacketBytes.ethernet(packet)
        #expect(try medium(["eth0"], [(0, ethernet)], linkType: 1) == .local)
        let bare = [UInt8](repeating: 0, count: 12) + [8, 0] + packet
        #expect(try medium(["eth0"], [(0, bare)], linkType: 1) == .unknown)
        let frame = [UInt8](repeating: 0, count: 12) + [8, 6, 0, 0]
        #expect(try medium(["eth0"], [(0, frame)], linkType: 1) == .local)
        // PCAPdroid's frames say nothing about the network.
        let trailer: [UInt8] = [1, 7, 0x20, 0x21, 0, 0, 0, 7] + [UInt8](repeating: 65, count: 24)
        #expect(try medium(["eth0"], [(0, frame), (0, bare + trailer)], linkType: 1) == .unknown)
        let bytes = { () -> [UInt8] in
            var file = PcapWriter()
            file.add(bare + trailer, at: 1)
            return file.bytes
        }
        #expect(try Reading(bytes()).capture.isFromPCAPdroid)
    }

    /// Broken: a unit of time, or the end of the calendar, is another one.
    @Test func addsAndPrintsTimes() {
        let stamp = Timestamp(seconds: 5, nanoseconds: 7)
        #expect(stamp + .nanoseconds(3) == Timestamp(nanoseconds: 5_000_000_010))
        #expect(
            stamp - .nanoseconds(8) == Timestamp(nanoseconds: 4_999_999_999)
                && stamp - .epoch == .nanoseconds(5_000_000_007))
        #expect(Timestamp.epoch < stamp && !(stamp < stamp) && !(stamp < .epoch))
        let end: Int64 = 10_000 * 366 * 86_400
        #expect(Timestamp(seconds: end).utc == "\(end) s since 1970")
        #expect(Timestamp(seconds: -end).utc == "\(-end) s since 1970")
        // The last day is 3,659,999 days after 1970: 10,000 years of 3,652,425 days, and 7,574 days.
        #expect(Timestamp(seconds: end - 1).utc == "11990-09-27 23:59:59 UTC")
        #expect(Timestamp(seconds: end, nanoseconds: -1).utc == "11990-09-27 23:59:59 UTC")
        #expect(Timestamp(seconds: 1 - end).utc.hasSuffix(" 00:00:01 UTC"))
        #expect(Timestamp(seconds: .max).utc == "9223372036854775807 s since 1970")
    }
}
