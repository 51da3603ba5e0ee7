/// Builds packet bytes header by header, from the inside out: `ethernet(ipv4(tcp(50_000, 443, flags: 2)))`.
package enum PacketBytes {
    package static let phone: [UInt8] = [10, 0, 0, 2]
    package static let server: [UInt8] = [192, 0, 2, 1]
    package static let phone6: [UInt8] = [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [2]
    package static let server6: [UInt8] = [0x20, 1, 0xd, 0xb8, 0, 1] + [UInt8](repeating: 0, count: 9) + [1]

    /// A transport-layer segment and its IP protocol number.
    package struct Segment: Sendable {
        package var number: UInt8
        package var bytes: [UInt8]

        package init(number: UInt8, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }
    }

    package static func tcp(
        _ source: UInt16, _ destination: UInt16, flags: UInt8 = 0x10, sequence: UInt32 = 1, acknowledgement: UInt32 = 1,
        window: UInt16 = 65_535, payload: [UInt8] = []
    ) -> Segment {
        var bytes = CaptureBytes()
        bytes.put(source)
        bytes.put(destination)
        bytes.put(sequence)
        bytes.put(acknowledgement)
        bytes.put([0x50, flags])
        bytes.put(window)
        bytes.put(UInt32(0))
        return Segment(number: 6, bytes: bytes.bytes + payload)
    }

    package static func udp(_ source: UInt16, _ destination: UInt16, payload: [UInt8] = []) -> Segment {
        var bytes = CaptureBytes()
        bytes.put(source)
        bytes.put(destination)
        bytes.put(UInt16(8 + payload.count))
        bytes.put(UInt16(0))
        return Segment(number: 17, bytes: bytes.bytes + payload)
    }

    /// - Parameter fragment: Flags and fragment offset as one header field.
    package static func ipv4(
        _ segment: Segment, from source: [UInt8] = phone, to destination: [UInt8] = server, fragment: UInt16 = 0,
        options: [UInt8] = [], totalLength: UInt16? = nil
    ) -> [UInt8] {
        var bytes = CaptureBytes()
        bytes.put([0x45 + UInt8(options.count / 4), 0])
        bytes.put(totalLength ?? UInt16(20 + options.count + segment.bytes.count))
        bytes.put(UInt16(1))
        bytes.put(fragment)
        bytes.put([64, segment.number, 0, 0] + source + destination + options)
        return bytes.bytes + segment.bytes
    }

    /// - Parameter extensions: Number and bytes of each extension header. The bytes omit the first one, the number of
    /// the next header.
    package static func ipv6(
        _ segment: Segment, from source: [UInt8] = phone6, to destination: [UInt8] = server6,
        extensions: [(number: UInt8, rest: [UInt8])] = []
    ) -> [UInt8] {
        var chain: [UInt8] = []
        for (index, header) in extensions.enumerated() {
            chain += [index + 1 < extensions.count ? extensions[index + 1].number : segment.number] + header.rest
        }
        var bytes = CaptureBytes()
        bytes.put(UInt32(0x6000_0000))
        bytes.put(UInt16(chain.count + segment.bytes.count))
        bytes.put([extensions.first?.number ?? segment.number, 64] + source + destination)
        return bytes.bytes + chain + segment.bytes
    }

    /// - Parameter tags: EtherTypes of the VLAN tags in front of the packet.
    package static func ethernet(
        _ packet: [UInt8], type: UInt16? = nil, tags: [UInt16] = [], from: [UInt8] = [2, 0, 0, 0, 0, 1],
        to: [UInt8] = [2, 0, 0, 0, 0, 2]
    ) -> [UInt8] {
        var bytes = CaptureBytes()
        bytes.put(to + from)
        for tag in tags {
            bytes.put(tag)
            bytes.put(UInt16(7))
        }
        bytes.put(type ?? etherType(packet))
        return bytes.bytes + packet
    }

    package static func etherType(_ packet: [UInt8]) -> UInt16 {
        packet.first.map { $0 >> 4 } == 6 ? 0x86dd : 0x0800
    }
}
