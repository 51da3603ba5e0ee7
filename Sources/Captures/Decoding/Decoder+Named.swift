/// Decodes link headers that also name an interface, an app or a direction.
extension Decoder {
    /// Reads Apple's PKTAP header (bsd/net/pktap.h of xnu): length, next header, link type, interface, flags, family,
    /// lengths of what is before and after the packet, process.
    ///
    /// Version 2 has the flags at the same offset, and a flag there marks the version.
    static func readPKTAP(
        _ bytes: Bytes, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        guard bytes.holds(40, at: 0) else { return }
        let flags = bytes.little32(36)
        let isSecondVersion = flags & 0x0008_0000 != 0
        let header = isSecondVersion ? PKTAPHeader(second: bytes) : PKTAPHeader(first: bytes)
        guard let header, header.length <= bytes.count else { return }
        result.direction = flags & 1 != 0 ? .down : flags & 2 != 0 ? .up : .unknown
        if !header.process.isEmpty { packet.app = registry.id(of: App(name: header.process)) }
        if !header.interface.isEmpty {
            let outer = Int(packet.interface)
            let key = InnerInterface(outer: outer, name: header.interface, number: header.linkType)
            packet.interface = UInt32(
                registry.interface(key, on: outer) {
                    CapturedInterface(linkType: header.linkType, name: header.interface)
                })
        }
        guard header.hasPacket else { return }
        // The inner values are Darwin's DLT_ numbers, which equal the LINKTYPE_ numbers for the types read here.
        let kind = LinkKind(header.linkType, ByteOrder(isSwapped: 1.littleEndian != 1))
        readPlain(bytes, header.length, kind, &registry, &packet, &result)
    }

    /// Reads LINKTYPE_LINUX_SLL2: protocol, reserved, interface number, hardware, packet type, address.
    static func readCooked2(
        _ bytes: Bytes, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        guard bytes.holds(20, at: 0) else { return }
        result.direction = direction(ofCooked: UInt16(bytes[10]))
        let outer = Int(packet.interface)
        let number = bytes.big32(4)
        packet.interface = UInt32(
            registry.interface(InnerInterface(outer: outer, name: "", number: number), on: outer) {
                CapturedInterface(linkType: 276, name: "interface \(number)")
            })
        switch bytes.big16(0) {
        case 0x0800, 0x86dd: readEtherType(bytes, 0, at: 20, &packet, &result)
        default: readEtherType(bytes, 20, tag: bytes.big16(0), &packet, &result)
        }
    }

    /// Reads IP when the EtherType is at the start of the header, not directly before the payload.
    private static func readEtherType(
        _ bytes: Bytes, _ type: Int, at start: Int, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        if bytes.big16(type) == 0x0800 {
            IPHeader.readIPv4(bytes, start, &packet, &result)
        } else {
            IPHeader.readIPv6(bytes, start, &packet, &result)
        }
    }

    /// Reads a VLAN tag after its EtherType: two bytes of tag, then the next EtherType.
    private static func readEtherType(
        _ bytes: Bytes, _ start: Int, tag: UInt16, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        guard [0x8100, 0x88a8, 0x9100].contains(tag) else { return }
        readEtherType(bytes, start + 2, &packet, &result)
    }

    /// Reads LINKTYPE_NFLOG (linux/netfilter/nfnetlink_log.h): family, version, resource id, then length-type-value
    /// fields. Lengths and types are in host order, numbers in network order.
    static func readNFLOG(
        _ bytes: Bytes, _ order: ByteOrder, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        guard bytes.holds(4, at: 0), bytes[1] == 0 else { return }
        var at = 4
        var payload: Int?
        while bytes.holds(4, at: at), payload == nil {
            let (length, type) = (Int(order.u16(bytes, at)), order.u16(bytes, at + 2) & 0x7fff)
            guard length >= 4 else { break }
            if bytes.holds(8, at: at), length >= 8 {
                let number = bytes.big32(at + 4)
                switch type {
                case 4 where number != 0 && result.direction == .unknown: result.direction = .down
                case 5 where number != 0: result.direction = .up
                case 11: packet.app = registry.id(ofUser: number)
                default: break
                }
            }
            if type == 9 { payload = at + 4 }
            at += (length + 3) & ~3
        }
        guard let payload else { return }
        readFamily(UInt32(bytes[0]), bytes, payload, &packet, &result)
    }
}

/// The fields that are used of a PKTAP header, which Apple systems put in front of a packet to identify its interface
/// and process.
private struct PKTAPHeader {
    var length: Int
    var linkType: UInt32
    var interface: String
    var process: String
    var hasPacket: Bool

    init?(first bytes: Bytes) {
        // Up to the interface unit, which the oldest headers have; Apple's own headers are 156 bytes long.
        guard bytes.holds(108, at: 0) else { return nil }
        length = Int(bytes.little32(0))
        guard length >= 108 else { return nil }
        hasPacket = bytes.little32(4) == 1
        linkType = bytes.little32(8)
        interface = bytes.text(12, atMost: 24)
        process = bytes.text(56, atMost: 17)
        // The process that this one acts for, if any: its number at 84, its name at 88.
        let effective = bytes.little32(84)
        if effective != 0, effective != .max {
            let name = bytes.text(88, atMost: 17)
            if !name.isEmpty { process = name }
        }
    }

    init?(second bytes: Bytes) {
        length = Int(bytes[0])
        guard length >= 40, bytes.holds(length, at: 0) else { return nil }
        hasPacket = true
        linkType = UInt32(bytes.little16(6))
        interface = Self.text(bytes.prefix(length), at: bytes[3], 24)
        process = Self.text(bytes.prefix(length), at: bytes[5], 17)
        if process.isEmpty { process = Self.text(bytes.prefix(length), at: bytes[4], 17) }
    }

    /// Version 2 stores the offsets of its texts; 0 means absent.
    private static func text(_ header: Bytes, at offset: UInt8, _ most: Int) -> String {
        offset < 40 ? "" : header.text(Int(offset), atMost: most)
    }
}
