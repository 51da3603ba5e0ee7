import struct DeadzoneCaptures.IPAddress
import DeadzonePrimitives

/// An IP packet as a kernel gave it, with what its headers say.
struct Datagram: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        // RFC 9293, section 3.1.
        static let fin = Flags(rawValue: 1), syn = Flags(rawValue: 2), rst = Flags(rawValue: 4)
        static let ack = Flags(rawValue: 16)
    }

    /// IANA's numbers of protocols.
    enum Transport {
        static let tcp: UInt8 = 6, udp: UInt8 = 17, icmp6: UInt8 = 58
    }

    let bytes: [UInt8]
    let source: IPAddress
    let destination: IPAddress
    let isTCP: Bool
    let isUDP: Bool
    let flags: Flags
    /// Where the transport's header begins.
    private let transport: Int
    /// Where the transport's payload begins.
    private let payloadAt: Int

    /// Nil: it is no whole IP packet.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 20, let header = bytes[0] >> 4 == 4 ? Header(ipv4: bytes) : Header(ipv6: bytes) else {
            return nil
        }
        let isTCP = header.transport == Transport.tcp && header.isFirst && bytes.count >= header.length + 20
        let isUDP = header.transport == Transport.udp && header.isFirst && bytes.count >= header.length + 8
        self.bytes = bytes
        (source, destination) = (header.source, header.destination)
        self.isTCP = isTCP
        self.isUDP = isUDP
        transport = header.length
        flags = isTCP ? Flags(rawValue: bytes[header.length + 13]) : []
        let own = isTCP ? Int(bytes[header.length + 12] >> 4) * 4 : isUDP ? 8 : 0
        payloadAt = min(bytes.count, header.length + own)
    }

    var sourcePort: UInt16 { hasPorts ? bytes.half(transport) : 0 }
    var destinationPort: UInt16 { hasPorts ? bytes.half(transport + 2) : 0 }
    var sequence: UInt32 { isTCP ? bytes.word(transport + 4) : 0 }
    var acknowledgement: UInt32 { isTCP ? bytes.word(transport + 8) : 0 }
    var length: UInt32 { UInt32(bytes.count) }
    var payload: ArraySlice<UInt8> { bytes[payloadAt...] }
    var payloadLength: UInt32 { UInt32(bytes.count - payloadAt) }

    /// What the sequence number behind it is.
    var nextSequence: UInt32 {
        sequence &+ payloadLength &+ (flags.contains(.syn) ? 1 : 0) &+ (flags.contains(.fin) ? 1 : 0)
    }

    /// What a kernel says of itself to whoever shares its link: there is nobody but routers (RFC 4861, 2710, 3810).
    var isNeighbourTalk: Bool {
        guard source.isIPv6, bytes[6] == Transport.icmp6 || bytes[6] == 0 else { return false }
        return transport < bytes.count && (130...143).contains(bytes[transport])
    }

    private var hasPorts: Bool { isTCP || isUDP }
}

/// The header of an IP packet, with its extensions.
private struct Header {
    let source: IPAddress
    let destination: IPAddress
    let transport: UInt8
    let length: Int
    /// Later fragments have no ports.
    let isFirst: Bool

    init?(ipv4 bytes: [UInt8]) {
        source = .ipv4(bytes.word(12))
        destination = .ipv4(bytes.word(16))
        transport = bytes[9]
        length = Int(bytes[0] & 15) * 4
        isFirst = bytes[6] & 0x1f == 0 && bytes[7] == 0
    }

    /// RFC 8200: hop-by-hop options, routing, a fragment's header and destination options, each with the number of what follows.
    init?(ipv6 bytes: [UInt8]) {
        guard bytes.count >= 40, bytes[0] >> 4 == 6 else { return nil }
        source = .ipv6(bytes.wide(8))
        destination = .ipv6(bytes.wide(24))
        var (next, place, isFirst) = (bytes[6], 40, true)
        while [0, 43, 44, 60].contains(next), isFirst, place + 8 <= bytes.count {
            let isFragment = next == 44
            if isFragment { isFirst = bytes.half(place + 2) & 0xfff8 == 0 }
            next = bytes[place]
            place += isFragment ? 8 : 8 + Int(bytes[place + 1]) * 8
        }
        (transport, length, self.isFirst) = (next, place, isFirst)
    }
}

extension [UInt8] {
    fileprivate func half(_ place: Int) -> UInt16 { UInt16(self[place]) << 8 | UInt16(self[place + 1]) }
    fileprivate func word(_ place: Int) -> UInt32 { UInt32(half(place)) << 16 | UInt32(half(place + 2)) }
    fileprivate func wide(_ place: Int) -> UInt128 {
        (0..<4).reduce(0) { $0 << 32 | UInt128(word(place + 4 * $1)) }
    }
}
