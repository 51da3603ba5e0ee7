import DeadzoneBase
import struct DeadzoneCaptures.IPAddress

/// A real IP packet, as read from the kernel, with its parsed header fields.
struct Datagram: Sendable {
    struct SegmentFlags: OptionSet, Sendable {
        let rawValue: UInt8
        // RFC 9293, section 3.1.
        static let fin = SegmentFlags(rawValue: 1), syn = SegmentFlags(rawValue: 2), rst = SegmentFlags(rawValue: 4)
        static let ack = SegmentFlags(rawValue: 16)
    }

    /// IANA protocol numbers of IP, such as TCP and UDP.
    enum ProtocolNumber {
        static let tcp: UInt8 = 6, udp: UInt8 = 17, icmp6: UInt8 = 58
    }

    let bytes: [UInt8]
    let source: IPAddress
    let destination: IPAddress
    let isTCP: Bool
    let isUDP: Bool
    let flags: SegmentFlags
    /// Offset of the transport header.
    private let transportOffset: Int
    /// Offset of the transport payload.
    private let payloadOffset: Int

    /// `nil` if the bytes are not a complete IP packet.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 20,
            let header = bytes[0] >> 4 == 4 ? DatagramHeader(ipv4: bytes) : DatagramHeader(ipv6: bytes)
        else {
            return nil
        }
        let isTCP = header.transport == ProtocolNumber.tcp && header.isFirst && bytes.count >= header.length + 20
        let isUDP = header.transport == ProtocolNumber.udp && header.isFirst && bytes.count >= header.length + 8
        self.bytes = bytes
        (source, destination) = (header.source, header.destination)
        self.isTCP = isTCP
        self.isUDP = isUDP
        transportOffset = header.length
        flags = isTCP ? SegmentFlags(rawValue: bytes[header.length + 13]) : []
        let own = isTCP ? Int(bytes[header.length + 12] >> 4) * 4 : isUDP ? 8 : 0
        payloadOffset = min(bytes.count, header.length + own)
    }

    var sourcePort: UInt16 { hasPorts ? bytes.uint16(transportOffset) : 0 }
    var destinationPort: UInt16 { hasPorts ? bytes.uint16(transportOffset + 2) : 0 }
    var sequence: UInt32 { isTCP ? bytes.uint32(transportOffset + 4) : 0 }
    var acknowledgement: UInt32 { isTCP ? bytes.uint32(transportOffset + 8) : 0 }
    var length: UInt32 { UInt32(bytes.count) }
    var payload: ArraySlice<UInt8> { bytes[payloadOffset...] }
    var payloadLength: UInt32 { UInt32(bytes.count - payloadOffset) }

    /// The sequence number that follows this segment.
    var nextSequence: UInt32 {
        sequence &+ payloadLength &+ (flags.contains(.syn) ? 1 : 0) &+ (flags.contains(.fin) ? 1 : 0)
    }

    /// `true` for IPv6 neighbour discovery and multicast listener messages (RFC 4861, 2710, 3810). They are only meant
    /// for hosts on the same link, and these links have none except the router.
    var isNeighbourTraffic: Bool {
        guard source.isIPv6, bytes[6] == ProtocolNumber.icmp6 || bytes[6] == 0 else { return false }
        return transportOffset < bytes.count && (130...143).contains(bytes[transportOffset])
    }

    /// `true` for the SYN with which the phone begins a TCP connection.
    var isFirstSegment: Bool { flags.contains(.syn) && !flags.contains(.ack) }

    private var hasPorts: Bool { isTCP || isUDP }
}

/// A parsed IP header, including IPv6 extension headers.
private struct DatagramHeader {
    let source: IPAddress
    let destination: IPAddress
    let transport: UInt8
    let length: Int
    /// `false` for later fragments, which carry no ports.
    let isFirst: Bool

    init?(ipv4 bytes: [UInt8]) {
        source = .ipv4(bytes.uint32(12))
        destination = .ipv4(bytes.uint32(16))
        transport = bytes[9]
        length = Int(bytes[0] & 15) * 4
        isFirst = bytes[6] & 0x1f == 0 && bytes[7] == 0
    }

    /// Skips the extension headers of RFC 8200: hop-by-hop options, routing, fragment and destination options. Each
    /// one names the type of the next header.
    init?(ipv6 bytes: [UInt8]) {
        guard bytes.count >= 40, bytes[0] >> 4 == 6 else { return nil }
        source = .ipv6(bytes.uint128(8))
        destination = .ipv6(bytes.uint128(24))
        var (next, place, isFirst) = (bytes[6], 40, true)
        while [0, 43, 44, 60].contains(next), isFirst, place + 8 <= bytes.count {
            let isFragment = next == 44
            if isFragment { isFirst = bytes.uint16(place + 2) & 0xfff8 == 0 }
            next = bytes[place]
            place += isFragment ? 8 : 8 + Int(bytes[place + 1]) * 8
        }
        (transport, length, self.isFirst) = (next, place, isFirst)
    }
}

extension [UInt8] {
    fileprivate func uint16(_ place: Int) -> UInt16 { UInt16(self[place]) << 8 | UInt16(self[place + 1]) }
    fileprivate func uint32(_ place: Int) -> UInt32 { UInt32(uint16(place)) << 16 | UInt32(uint16(place + 2)) }
    fileprivate func uint128(_ place: Int) -> UInt128 {
        (0..<4).reduce(0) { $0 << 32 | UInt128(uint32(place + 4 * $1)) }
    }
}
