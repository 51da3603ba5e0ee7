import struct DeadzoneCaptures.IPAddress
import DeadzonePrimitives

/// Packets of IPv4 as a gateway changes them.
extension Datagram {
    /// No fragment of one.
    var isWhole: Bool { bytes[0] >> 4 == 4 && bytes[6] & 0x3f == 0 && bytes[7] == 0 && header <= bytes.count }

    private var header: Int { Int(bytes[0] & 15) * 4 }

    /// With other addresses. A kernel that hands a packet over before it is sent may not have summed it up yet, so all of it is.
    func readdressed(from source: IPAddress? = nil, to destination: IPAddress? = nil) -> Datagram {
        var changed = bytes
        if let source { changed.replaceSubrange(12..<16, with: source.bytes) }
        if let destination { changed.replaceSubrange(16..<20, with: destination.bytes) }
        return Self.summed(changed, header: header, isTCP ? Transport.tcp : isUDP ? Transport.udp : 0)
    }

    /// A long segment as the several that it was sent as, or is to be.
    func pieces(atMost most: Int) -> [Datagram] {
        let head = bytes.count - Int(payloadLength)
        guard isTCP, bytes.count > most, head < most else { return [self] }
        let room = most - head
        return stride(from: 0, to: Int(payloadLength), by: room).map { from in
            let part = payload.dropFirst(from).prefix(room)
            var piece = Array(bytes[..<head]) + part
            let sequence = sequence &+ UInt32(from)
            piece.replaceSubrange(
                (header + 4)..<(header + 8), with: [24, 16, 8, 0].map { UInt8(sequence >> $0 & 255) })
            // The end, and the wish to be handed on, are of the last.
            if from + part.count < Int(payloadLength) { piece[header + 13] &= ~0x09 }
            piece[2] = UInt8(piece.count >> 8)
            piece[3] = UInt8(piece.count & 255)
            return Self.summed(piece, header: header, Transport.tcp)
        }
    }

    private static func summed(_ bytes: [UInt8], header: Int, _ transport: UInt8) -> Datagram {
        var bytes = bytes
        set(0, in: &bytes, at: 10)
        set(checksum(Array(bytes[..<header])), in: &bytes, at: 10)
        if transport != 0 {
            let place = header + (transport == Transport.tcp ? 16 : 6)
            set(0, in: &bytes, at: place)
            let length = bytes.count - header
            let pseudo = bytes[12..<20] + [0, transport, UInt8(length >> 8), UInt8(length & 255)]
            let sum = checksum(pseudo + bytes[header...] + (length.isMultiple(of: 2) ? [] : [0]))
            // Of UDP zero says that there is none (RFC 768).
            set(transport == Transport.udp && sum == 0 ? 0xffff : sum, in: &bytes, at: place)
        }
        guard let packet = Datagram(bytes) else { preconditionFailure("a packet that is none any more") }
        return packet
    }
}
