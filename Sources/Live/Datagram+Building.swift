import DeadzoneBase
import struct DeadzoneCaptures.IPAddress

/// Construction of packets that a device on the path sends.
extension Datagram {
    /// IP address and port of one end of a connection.
    struct TransportEndpoint {
        let address: IPAddress
        let port: UInt16

        init(_ address: IPAddress, _ port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    /// A TCP segment as a middlebox would send it.
    static func segment(
        from source: TransportEndpoint, to destination: TransportEndpoint, _ flags: SegmentFlags, sequence: UInt32,
        acknowledgement: UInt32,
        payload: [UInt8] = []
    ) -> Datagram {
        var tcp: [UInt8] = []
        tcp.append(big: UInt32(source.port) << 16 | UInt32(destination.port))
        tcp.append(big: sequence)
        tcp.append(big: acknowledgement)
        // A window without scaling, which is enough for a single answer.
        tcp += [0x50, flags.rawValue, 0xff, 0xff, 0, 0, 0, 0]
        return packet(from: source.address, to: destination.address, ProtocolNumber.tcp, tcp + payload, checksumAt: 16)
    }

    /// A UDP datagram as a name server would send it.
    static func message(from source: TransportEndpoint, to destination: TransportEndpoint, payload: [UInt8]) -> Datagram
    {
        var udp: [UInt8] = []
        udp.append(big: UInt32(source.port) << 16 | UInt32(destination.port))
        udp.append(big: UInt32(8 + payload.count) << 16)
        return packet(from: source.address, to: destination.address, ProtocolNumber.udp, udp + payload, checksumAt: 6)
    }

    /// Builds an IPv4 (RFC 791) or IPv6 (RFC 8200) packet. In both, the transport checksum covers the addresses (RFC
    /// 9293, section 3.1).
    private static func packet(
        from source: IPAddress, to destination: IPAddress, _ transport: UInt8, _ body: [UInt8], checksumAt place: Int
    ) -> Datagram {
        var (header, body): ([UInt8], [UInt8]) = ([], body)
        if source.isIPv6 {
            header = [0x60, 0, 0, 0]
            header.append(big: UInt32(body.count) << 16 | UInt32(transport) << 8 | 64)
        } else {
            header = [0x45, 0]
            header.append(big: UInt32(20 + body.count) << 16)
            header += [0x40, 0, 64, transport, 0, 0]
        }
        let addresses = source.bytes + destination.bytes
        header += addresses
        if !source.isIPv6 { setUInt16(checksum(header), in: &header, at: 10) }
        let pseudo = addresses + [0, transport, UInt8(body.count >> 8), UInt8(body.count & 255)]
        setUInt16(checksum(pseudo + body + (body.count.isMultiple(of: 2) ? [] : [0])), in: &body, at: place)
        guard let packet = Datagram(header + body) else { preconditionFailure("a header that is no packet") }
        return packet
    }

    /// Internet checksum (RFC 1071) over an even number of bytes.
    static func checksum(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt32 = 0
        for place in stride(from: 0, to: bytes.count, by: 2) {
            sum += UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
        }
        while sum >> 16 > 0 { sum = sum & 0xffff + sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }

    static func setUInt16(_ half: UInt16, in bytes: inout [UInt8], at place: Int) {
        bytes[place] = UInt8(half >> 8)
        bytes[place + 1] = UInt8(truncatingIfNeeded: half)
    }
}

extension [UInt8] {
    mutating func append(big word: UInt32) {
        for shift: UInt32 in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}
