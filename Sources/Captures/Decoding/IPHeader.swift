import DeadzoneBase

/// Decodes the outermost IP header of a captured packet, and the port numbers after it.
enum IPHeader {
    /// Limit of extension headers in one packet. More would be an attack on the parser.
    private static let mostExtensions = 16

    /// RFC 791.
    @inline(__always) static func readIPv4(
        _ bytes: Bytes, _ start: Int, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        guard bytes.holds(20, at: start) else { return }
        let head = bytes.part(start, 20)
        // Version, header length, service, total length, identification, fragment flags and offset.
        let front = head.big64(0)
        let headerLength = Int(truncatingIfNeeded: front >> 56 & 0xf) &* 4
        guard front >> 60 == 4, headerLength >= 20 else { return }
        packet.network = .ipv4
        packet.linkHeaderLength = UInt32(start)
        // Time to live, protocol, checksum, source.
        let middle = head.big64(8)
        result.source = UInt128(UInt32(truncatingIfNeeded: middle))
        result.destination = UInt128(head.big32(16))
        let total = Int(truncatingIfNeeded: front >> 32 & 0xffff)
        // Zero if the network card splits the packet after the capture point.
        let length = total == 0 ? max(Int(packet.wireLength) &- start, 0) : total
        guard length >= headerLength else { return }
        if front & 0x3fff != 0 { packet.fragment = front & 0x1fff != 0 ? .later : .first }
        readTransport(
            UInt8(truncatingIfNeeded: middle >> 48), bytes, start &+ headerLength, length &- headerLength, &packet,
            &result)
    }

    /// RFC 8200.
    @inline(__always) static func readIPv6(
        _ bytes: Bytes, _ start: Int, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        guard bytes.holds(40, at: start), bytes[start] >> 4 == 6 else { return }
        let head = bytes.part(start, 40)
        packet.network = .ipv6
        packet.linkHeaderLength = UInt32(start)
        result.source = head.big128(8)
        result.destination = head.big128(24)
        let stated = Int(head.big16(4))
        let length = stated == 0 ? max(Int(packet.wireLength) &- start &- 40, 0) : stated
        let next = head[6]
        switch next {
        case 0, 43, 44, 51, 60, 135: readExtensions(next, bytes, start + 40, length, &packet, &result)
        default: readTransport(next, bytes, start &+ 40, length, &packet, &result)
        }
    }

    /// Walks the extension headers: hop-by-hop 0, routing 43, fragment 44, authentication 51, destination 60, mobility
    /// 135.
    @inline(never) private static func readExtensions(
        _ first: UInt8, _ bytes: Bytes, _ start: Int, _ length: Int, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        var (next, at, left) = (first, start, length)
        for _ in 0..<mostExtensions {
            guard bytes.holds(8, at: at) else { return }
            let size: Int
            switch next {
            case 0, 43, 60, 135: size = (Int(bytes[at + 1]) + 1) * 8
            case 51: size = (Int(bytes[at + 1]) + 2) * 4
            case 44:
                size = 8
                let fragment = bytes.big16(at + 2)
                if fragment >> 3 != 0 {
                    packet.fragment = .later
                } else if fragment & 1 != 0 {
                    packet.fragment = .first
                }
            default:
                return readTransport(next, bytes, at, left, &packet, &result)
            }
            next = bytes[at]
            at += size
            left = max(left - size, 0)
            // Later fragments hold data from the middle of the packet, no headers.
            if packet.fragment == .later { return }
        }
        switch next {
        case 0, 43, 44, 51, 60, 135: packet.transport = .other
        default: readTransport(next, bytes, at, left, &packet, &result)
        }
    }

    /// - Parameter length: Bytes after the IP header, according to the IP header.
    @inline(__always) private static func readTransport(
        _ number: UInt8, _ bytes: Bytes, _ start: Int, _ length: Int, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        packet.transport = number == 6 ? .tcp : number == 17 ? .udp : .other
        guard packet.transport != .other, packet.fragment != .later else { return }
        // Bytes after the packet in its frame are padding, whatever they contain.
        let captured = max(min(bytes.count &- start, length), 0)
        guard captured >= 4 else { return }
        result.hasPorts = true
        let ports = bytes.big32(start)
        result.sourcePort = UInt16(truncatingIfNeeded: ports >> 16)
        result.destinationPort = UInt16(truncatingIfNeeded: ports)
        if number == 6 {
            readTCP(bytes, start, length, captured, &packet, &result)
        } else {
            readUDP(bytes, start, length, captured, &packet, &result)
        }
    }

    /// RFC 9293, section 3.1.
    @inline(__always) private static func readTCP(
        _ bytes: Bytes, _ start: Int, _ length: Int, _ captured: Int, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        guard captured >= 16 else { return }
        let head = bytes.part(start, 16)
        packet.sequence = head.big32(4)
        // Acknowledgement, header length, flags, window.
        let back = head.big64(8)
        packet.acknowledgement = UInt32(truncatingIfNeeded: back >> 32)
        let header = Int(truncatingIfNeeded: back >> 28 & 0xf) &* 4
        packet.flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: back >> 16) & 0x3f)
        packet.window = UInt16(truncatingIfNeeded: back)
        guard header >= 20 else { return }
        packet.payloadLength = UInt32(max(length &- header, 0))
        result.payloadOffset = start &+ header
        result.payloadCaptured = max(captured &- header, 0)
        readPayload(bytes, result.payloadOffset, result.payloadCaptured, &packet)
    }

    @inline(__always) static func readPayload(
        _ bytes: Bytes, _ offset: Int, _ captured: Int, _ packet: inout CapturedPacket
    ) {
        let length = min(captured, Int(packet.payloadLength))
        if length >= 16 {
            let payload = bytes.part(offset, length)
            packet.handshake = WebSocketHandshake(
                UnsafeRawBufferPointer(start: payload.start, count: payload.count))
        }
        // With no payload, the unsigned subtraction wraps to a number that is too large.
        guard packet.payloadLength &- 1 < UInt32(PingFrame.maximumLength), captured >= Int(packet.payloadLength) else {
            return
        }
        packet.pingFrame = pingFrame(bytes, offset, Int(packet.payloadLength))
    }

    @inline(never) private static func pingFrame(_ bytes: Bytes, _ offset: Int, _ length: Int) -> PingFrame? {
        let payload = bytes.part(offset, length)
        return PingFrame(UnsafeRawBufferPointer(start: payload.start, count: payload.count))
    }

    /// RFC 768. If the length is zero, the length from the IP header is used.
    @inline(__always) private static func readUDP(
        _ bytes: Bytes, _ start: Int, _ length: Int, _ captured: Int, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        guard captured >= 8 else { return }
        let stated = Int(bytes.big16(start &+ 4))
        let size = stated >= 8 ? min(stated, length) : length
        packet.payloadLength = UInt32(max(size &- 8, 0))
        result.payloadOffset = start &+ 8
        result.payloadCaptured = max(min(captured, size) &- 8, 0)
    }
}
