/// A fast parser for the most common packets of phones; all others go through `Decoder`. It handles TCP or UDP in
/// unfragmented IPv4 packets without options, on raw, cooked or Ethernet links. A few loads at fixed offsets are
/// sufficient. It does not look at the kind of the addresses and ports: `FlowTracker` knows it for the flow.
struct FastPathHeader {
    /// Offset of the IP header.
    let start: Int
    /// Direction from a cooked header.
    let direction: PacketDirection
    /// Source address and port.
    let source: UInt64
    let destination: UInt64
    let isUDP: Bool
    let payloadLength: UInt32
    let payloadOffset: Int
    let payloadCaptured: Int
    /// TCP sequence number, 0 for UDP. `back` holds acknowledgement, header length, flags and window as in the header.
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
        // Version 4, a header of five words, no fragment.
        guard front >> 56 == 0x45, front & 0x3fff == 0 else { return nil }
        let middle = head.big64(8)
        let ends = head.big64(16)
        source = (middle & 0xffff_ffff) << 16 | ends >> 16 & 0xffff
        destination = (ends >> 32) << 16 | ends & 0xffff
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
            guard captured >= 8 else { return nil }
            let stated = Int(head.big16(24))
            let size = stated >= 8 ? min(stated, length) : length
            (sequence, back) = (0, 0)
            isUDP = true
            payloadLength = UInt32(truncatingIfNeeded: size &- 8)
            payloadOffset = start &+ 28
            payloadCaptured = min(captured, size) &- 8
        default: return nil
        }
    }

    /// `true` for IPv4 to a station other than broadcast and zero. PCAPdroid writes headers of zeros.
    @inline(__always) private static func isPlainEthernet(_ head: Bytes) -> Bool {
        let station = head.big64(0) >> 16
        return head.big16(12) == 0x0800 && station &- 1 < 0xffff_ffff_fffe
    }
}
