/// What most packets of a phone begin with: TCP or UDP in whole IPv4 packets without options, bare, cooked or on Ethernet, from
/// one host to another. A few loads at places that are known tell all of it; whatever else there is takes the way of `Decoder`.
struct PlainHead {
    /// Where the IP header begins.
    let start: Int
    /// Of a cooked header.
    let direction: PacketDirection
    /// An address and a port.
    let source: UInt64
    let destination: UInt64
    let isUDP: Bool
    let payloadLength: UInt32
    let payloadOffset: Int
    let payloadCaptured: Int
    /// Of TCP, else 0; then acknowledgement, length of the header, flags and window as they stand there.
    let sequence: UInt32
    let back: UInt64

    @inline(__always) init?(_ bytes: Bytes, _ link: LinkKind) {
        switch link {
        case .ethernet:
            guard bytes.count >= 42, Self.isPlainEthernet(bytes.part(0, 14)) else { return nil }
            (start, direction) = (14, .unknown)
        case .cooked:
            guard bytes.count >= 44, bytes.big16(14) == 0x0800 else { return nil }
            (start, direction) = (16, Decoder.direction(ofCooked: bytes.big16(0)))
        case .raw:
            guard bytes.count >= 28 else { return nil }
            (start, direction) = (0, .unknown)
        default: return nil
        }
        let head = bytes.part(start, 28)
        let front = head.big64(0)
        // Version 4, five words of header, no fragment.
        guard front >> 56 == 0x45, front & 0x3fff == 0 else { return nil }
        let middle = head.big64(8)
        let ends = head.big64(16)
        // To a group or to everybody.
        guard ends >> 60 < 0xe else { return nil }
        let sourcePort = UInt16(truncatingIfNeeded: ends >> 16)
        let destinationPort = UInt16(truncatingIfNeeded: ends)
        source = (middle & 0xffff_ffff) << 16 | UInt64(sourcePort)
        destination = (ends >> 32) << 16 | UInt64(destinationPort)
        let length = Int(truncatingIfNeeded: front >> 32 & 0xffff) &- 20
        let captured = min(bytes.count &- start &- 20, length)
        switch UInt8(truncatingIfNeeded: middle >> 48) {
        case 6:
            guard captured >= 20 else { return nil }
            let segment = bytes.part(start, 40)
            sequence = segment.big32(24)
            back = segment.big64(28)
            let header = Int(truncatingIfNeeded: back >> 28 & 0xf) &* 4
            guard header >= 20, header <= length else { return nil }
            isUDP = false
            payloadLength = UInt32(truncatingIfNeeded: length &- header)
            payloadOffset = start &+ 20 &+ header
            payloadCaptured = max(captured &- header, 0)
        case 17:
            guard captured >= 8, sourcePort != 53, NeighbourTalk(port: sourcePort) == .none,
                NeighbourTalk(port: destinationPort) == .none
            else { return nil }
            let told = Int(head.big16(24))
            let size = told >= 8 ? min(told, length) : length
            (sequence, back) = (0, 0)
            isUDP = true
            payloadLength = UInt32(truncatingIfNeeded: size &- 8)
            payloadOffset = start &+ 28
            payloadCaptured = min(captured, size) &- 8
        default: return nil
        }
    }

    /// From one station to another, and none of PCAPdroid's.
    @inline(__always) private static func isPlainEthernet(_ head: Bytes) -> Bool {
        let front = head.big64(0)
        return head.big16(12) == 0x0800 && front >> 16 != 0xffff_ffff_ffff && front | UInt64(head.big32(8)) != 0
    }
}
