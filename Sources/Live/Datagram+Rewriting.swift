import DeadzoneBase
import struct DeadzoneCaptures.IPAddress

/// Rewriting of IPv4 packets by the gateway.
extension Datagram {
    /// `true` for an IPv4 packet with a complete header that is not a fragment.
    var isUnfragmented: Bool {
        bytes[0] >> 4 == 4 && bytes[6] & 0x3f == 0 && bytes[7] == 0 && headerLength <= bytes.count
    }

    private var headerLength: Int { Int(bytes[0] & 15) * 4 }

    /// Returns a copy with other addresses. All checksums are recomputed, because a kernel may hand a packet over
    /// before it has computed them.
    func withAddresses(from source: IPAddress? = nil, to destination: IPAddress? = nil) -> Datagram {
        var changed = bytes
        if let source { changed.replaceSubrange(12..<16, with: source.bytes) }
        if let destination { changed.replaceSubrange(16..<20, with: destination.bytes) }
        return Self.withChecksums(
            changed, header: headerLength, isTCP ? ProtocolNumber.tcp : isUDP ? ProtocolNumber.udp : 0)
    }

    /// Splits a long TCP segment into segments of at most `most` bytes. A kernel may have merged several segments, or
    /// left the split to the device.
    func segments(atMost most: Int) -> [Datagram] {
        let head = bytes.count - Int(payloadLength)
        guard isTCP, bytes.count > most, head < most else { return [self] }
        let room = most - head
        return stride(from: 0, to: Int(payloadLength), by: room).map { from in
            let part = payload.dropFirst(from).prefix(room)
            var piece = Array(bytes[..<head]) + part
            let sequence = sequence &+ UInt32(from)
            piece.replaceSubrange(
                (headerLength + 4)..<(headerLength + 8), with: [24, 16, 8, 0].map { UInt8(sequence >> $0 & 255) })
            // FIN and PSH belong to the last segment only.
            if from + part.count < Int(payloadLength) { piece[headerLength + 13] &= ~0x09 }
            piece[2] = UInt8(piece.count >> 8)
            piece[3] = UInt8(piece.count & 255)
            return Self.withChecksums(piece, header: headerLength, ProtocolNumber.tcp)
        }
    }

    private static func withChecksums(_ bytes: [UInt8], header: Int, _ transport: UInt8) -> Datagram {
        var bytes = bytes
        setUInt16(0, in: &bytes, at: 10)
        setUInt16(checksum(Array(bytes[..<header])), in: &bytes, at: 10)
        if transport != 0 {
            let place = header + (transport == ProtocolNumber.tcp ? 16 : 6)
            setUInt16(0, in: &bytes, at: place)
            let length = bytes.count - header
            let pseudo = bytes[12..<20] + [0, transport, UInt8(length >> 8), UInt8(length & 255)]
            let sum = checksum(pseudo + bytes[header...] + (length.isMultiple(of: 2) ? [] : [0]))
            // In UDP, a checksum of zero means "no checksum" (RFC 768).
            setUInt16(transport == ProtocolNumber.udp && sum == 0 ? 0xffff : sum, in: &bytes, at: place)
        }
        guard let packet = Datagram(bytes) else { preconditionFailure("a packet that is none any more") }
        return packet
    }
}
