import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

/// Plain headers of known flows take a fast path of a few loads. Behind a VLAN tag the same packets take the general
/// path.
struct PlainHeadTests {
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(sides))
        }
    }

    /// A random packet of one of a few flows, often with a damaged header or a wrong length.
    private func packet(_ dice: inout Dice) -> [UInt8] {
        let ports: [UInt16] = [53, 67, 443, 443, 443, 1_900, 5_353, 40_000]
        let (near, far) = (UInt16(40_000 + dice.roll(3)), ports[dice.roll(ports.count)])
        let isUp = dice.roll(2) == 0
        let (source, destination) = isUp ? (near, far) : (far, near)
        let payload = [UInt8](repeating: 0x89, count: [0, 0, 1, 2, 17, 130, 131, 132, 900][dice.roll(9)])
        let segment =
            dice.roll(3) == 0
            ? PacketBytes.udp(source, destination, payload: payload)
            : PacketBytes.tcp(source, destination, flags: UInt8(dice.roll(64)), payload: payload)
        let server: [UInt8] = [[192, 0, 2, 1], [10, 0, 0, 9], [239, 1, 2, 3]][dice.roll(8) % 3]
        var bytes = PacketBytes.ipv4(
            segment, from: isUp ? PacketBytes.phone : server, to: isUp ? server : PacketBytes.phone)
        if dice.roll(3) == 0 {
            // Version, lengths, fragment, protocol, ports, and TCP's header length.
            let place = [0, 2, 3, 6, 7, 9, 20, 24, 25, 32, 33][dice.roll(11)]
            if place < bytes.count { bytes[place] ^= 1 << UInt8(dice.roll(8)) }
        }
        if dice.roll(6) == 0 { bytes.removeLast(dice.roll(bytes.count)) }
        if dice.roll(6) == 0 { bytes += [UInt8](repeating: 7, count: dice.roll(20)) }
        return bytes
    }

    /// - Parameter isTagged: `true` to put the packets behind a VLAN tag.
    private func reading(_ packets: [[UInt8]], _ linkType: UInt32, isTagged: Bool) throws -> Reading {
        var file = PcapWriter(linkType: linkType)
        for (index, packet) in packets.enumerated() {
            let receiver: [UInt8] = index % 7 == 0 ? [255, 255, 255, 255, 255, 255] : [2, 0, 0, 0, 0, 2]
            let ethernet = PacketBytes.ethernet(packet, type: 0x0800, tags: isTagged ? [0x8100] : [], to: receiver)
            // Packet types: received, sent, or between other hosts. Most agree with the addresses.
            let isUp = packet.count > 15 && Array(packet[12..<16]) == PacketBytes.phone
            let type = UInt8(index % 5 == 0 ? index % 3 + 2 : isUp ? 4 : 0)
            let cooked = [0, type] + [UInt8](repeating: 0, count: 12) + ethernet.dropFirst(12)
            file.add(linkType == 1 ? ethernet : cooked, at: UInt64(index) * 1_000)
        }
        return try Reading(file.bytes)
    }

    /// Broken: the fast path reads a packet differently from the general decoder.
    @Test(arguments: [1, 2, 3] as [UInt64], [1, 113] as [UInt32])
    func fastPathEqualsTheDecoder(_ seed: UInt64, _ linkType: UInt32) throws {
        var dice = Dice(state: seed &* 0x9e37_79b9_7f4a_7c15)
        let packets = (0..<12_000).map { _ in packet(&dice) }
        let (plain, tagged) = (
            try reading(packets, linkType, isTagged: false), try reading(packets, linkType, isTagged: true)
        )
        #expect(plain.packets.count == packets.count && plain.flows == tagged.flows)
        #expect(plain.capture.directions == tagged.capture.directions)
        var kinds: Set<Int> = []
        for (index, packet) in plain.packets.enumerated() {
            var other = tagged.packets[index]
            other.wireLength -= 4
            other.capturedLength -= 4
            // A packet without a readable IP header counts as link header entirely.
            other.linkHeaderLength -= 4
            try #require(packet == other, "packet \(index): \(packets[index])")
            kinds.insert(
                Int(packet.transport.rawValue) * 100 + Int(packet.neighbourTraffic.rawValue) * 4
                    + (packet.pingFrame == nil ? 0 : 1))
        }
        for index in 0..<plain.capture.describedFlows {
            let (flow, other) = (plain.capture.flow(FlowID(UInt32(index))), tagged.capture.flow(FlowID(UInt32(index))))
            #expect(flow.text == other.text && flow.last == other.last && flow.deviceSide == other.deviceSide)
            #expect(flow.up.packets == other.up.packets && flow.down.packets == other.down.packets)
            #expect(flow.up.bytes + 4 * flow.up.packets == other.up.bytes)
        }
        #expect(kinds.count > 6)
    }
}
