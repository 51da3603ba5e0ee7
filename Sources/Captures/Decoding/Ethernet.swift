/// Finds the network header of a captured frame from its EtherType field. It follows VLAN tags, PPPoE and LLC.
enum EtherTypes {
    /// A frame with more tags than this is treated as noise.
    private static let mostTags = 8

    /// - Parameter start: Offset of the EtherType.
    @inline(__always) static func follow(_ bytes: Bytes, _ start: Int) -> LinkPayload {
        guard bytes.holds(2, at: start) else { return .nothing }
        switch bytes.big16(start) {
        case 0x0800: return LinkPayload(offset: start &+ 2, carried: .ipv4)
        case 0x86dd: return LinkPayload(offset: start &+ 2, carried: .ipv6)
        default: return followSlowly(bytes, start)
        }
    }

    @inline(never) private static func followSlowly(_ bytes: Bytes, _ start: Int) -> LinkPayload {
        var at = start
        for _ in 0...mostTags {
            guard bytes.holds(2, at: at) else { return .nothing }
            switch bytes.big16(at) {
            case 0x0800: return LinkPayload(offset: at + 2, carried: .ipv4)
            case 0x86dd: return LinkPayload(offset: at + 2, carried: .ipv6)
            // 802.1Q, 802.1ad, and its predecessor.
            case 0x8100, 0x88a8, 0x9100: at += 4
            // PPPoE session (RFC 2516): six bytes, then PPP.
            case 0x8864: return PPP.follow(bytes, at + 8)
            // 802.3: a length, then LLC.
            case 0...1_500: return LLC.follow(bytes, at + 2)
            default: return .nothing
            }
        }
        return .nothing
    }
}

/// Finds the network header behind an 802.2 LLC header with SNAP. The format is in RFC 1042: aa aa 03, a zero
/// organisation, an EtherType.
enum LLC {
    static func follow(_ bytes: Bytes, _ start: Int) -> LinkPayload {
        guard bytes.holds(8, at: start), bytes.big32(start) == 0xaaaa_0300, bytes.big16(start + 4) == 0 else {
            return .nothing
        }
        // A length in place of the type would be LLC inside LLC, which is not used in practice.
        guard bytes.big16(start + 6) > 1_500 else { return .nothing }
        return EtherTypes.follow(bytes, start + 6)
    }
}

enum PPP {
    /// Follows the PPP protocol number, which is one byte if the first byte is odd (RFC 1661, section 6.5).
    static func follow(_ bytes: Bytes, _ start: Int) -> LinkPayload {
        guard bytes.holds(1, at: start) else { return .nothing }
        if bytes[start] & 1 == 1 { return end(UInt16(bytes[start]), start + 1) }
        guard bytes.holds(2, at: start) else { return .nothing }
        return end(bytes.big16(start), start + 2)
    }

    /// Follows a PPP frame with optional HDLC address and control bytes.
    static func followFramed(_ bytes: Bytes, _ start: Int) -> LinkPayload {
        guard bytes.holds(4, at: start) else { return .nothing }
        switch bytes.big16(start) {
        case 0xff03: return follow(bytes, start + 2)
        // Cisco HDLC: an address of 0f or 8f, then an EtherType.
        case 0x0f00, 0x8f00: return EtherTypes.follow(bytes, start + 2)
        default: return follow(bytes, start)
        }
    }

    private static func end(_ number: UInt16, _ offset: Int) -> LinkPayload {
        switch number {
        case 0x0021: LinkPayload(offset: offset, carried: .ipv4)
        case 0x0057: LinkPayload(offset: offset, carried: .ipv6)
        default: .nothing
        }
    }
}
