import DeadzoneTestKit

/// Sample packets that cover all protocols of the reader.
enum Samples {
    static let hello = clientHello("chat.example.org")

    static let packets: [[UInt8]] = [
        PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(50_000, 53, payload: [0, 1, 1, 0]))),
        PacketBytes.ethernet(
            PacketBytes.ipv4(
                PacketBytes.udp(53, 50_000, payload: dnsAnswer("chat.example.org", [192, 0, 2, 1])),
                from: PacketBytes.server, to: PacketBytes.phone)),
        PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(40_000, 443, flags: 2))),
        PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.tcp(40_000, 443, sequence: 2, payload: hello))),
        PacketBytes.ethernet(
            PacketBytes.ipv6(PacketBytes.tcp(40_001, 443), extensions: [(0, [0, 0, 0, 0, 0, 0, 0])]), tags: [0x8100]),
        PacketBytes.ethernet(PacketBytes.ipv4(PacketBytes.udp(1, 2), fragment: 0x2001)),
        PacketBytes.ethernet([0, 1, 8, 0, 6, 4, 0, 1], type: 0x0806),
    ]

    /// The same packets behind another link header.
    static func linked(_ linkType: UInt32) -> [UInt8] {
        var file = PcapWriter(linkType: linkType)
        let wrapping = (LinkTypeTests.cooked + LinkTypeTests.families + LinkTypeTests.wifi + LinkTypeTests.pktap)
            .first { $0.linkType == linkType }
        for (index, packet) in packets.enumerated() {
            let ip = Array(packet.dropFirst(packet[12] == 0x81 ? 18 : 14))
            file.add(wrapping?.wrap(ip) ?? ip, at: UInt64(index) * 1_000_000)
        }
        return file.bytes
    }

    /// Labels of a name in DNS encoding.
    static func labels(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    /// A DNS answer with an alias before the address.
    static func dnsAnswer(_ name: String, _ address: [UInt8]) -> [UInt8] {
        let question = labels(name)
        let alias = labels("edge.example.net")
        let header: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, 2, 0, 0, 0, 0]
        let cname: [UInt8] = [0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, UInt8(alias.count)] + alias
        let place = UInt8(header.count + question.count + 4 + 12)
        let type: UInt8 = address.count == 4 ? 1 : 28
        return header + question + [0, type, 0, 1] + cname
            + [0xc0, place, 0, type, 0, 1, 0, 0, 0, 9, 0, UInt8(address.count)] + address
    }

    /// - Parameter padding: Bytes of an extension before the server name.
    static func clientHello(_ name: String, padding: Int = 0) -> [UInt8] {
        var extensions = CaptureBytes()
        if padding > 0 {
            extensions.put(UInt16(21))
            extensions.put(UInt16(padding))
            extensions.put([UInt8](repeating: 0, count: padding))
        }
        extensions.put(UInt16(0))
        extensions.put(UInt16(name.utf8.count + 5))
        extensions.put(UInt16(name.utf8.count + 3))
        extensions.put([0])
        extensions.put(UInt16(name.utf8.count))
        extensions.put(Array(name.utf8))
        var body = CaptureBytes()
        body.put([3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 1, 1, 0])
        body.put(UInt16(extensions.bytes.count))
        body.put(extensions.bytes)
        var record = CaptureBytes()
        record.put([22, 3, 1])
        record.put(UInt16(body.bytes.count + 4))
        record.put([1, 0])
        record.put(UInt16(body.bytes.count))
        record.put(body.bytes)
        return record.bytes
    }
}
