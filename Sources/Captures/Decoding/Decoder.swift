/// Decodes the bytes of a captured frame into a packet. Unreadable parts leave the packet's defaults; decoding never
/// fails.
enum Decoder {
    @inline(__always) static func decode(
        _ bytes: Bytes, _ kind: LinkKind, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        packet.linkHeaderLength = packet.wireLength
        if case .ethernet = kind {
            readEthernet(bytes, 0, &registry, &packet, &result)
        } else {
            readOther(bytes, kind, &registry, &packet, &result)
        }
    }

    @inline(__always) private static func readNetwork(
        _ bytes: Bytes, _ end: LinkPayload, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        switch end.carried {
        case .ipv4: IPHeader.readIPv4(bytes, end.offset, &packet, &result)
        case .ipv6: IPHeader.readIPv6(bytes, end.offset, &packet, &result)
        case .other: break
        }
    }

    @inline(__always) private static func readEthernet(
        _ bytes: Bytes, _ start: Int, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        guard bytes.holds(14, at: start) else { return }
        let head = bytes.part(start, 14)
        let front = head.big64(0)
        result.destinationStation = front >> 16
        result.sourceStation = (front & 0xffff) << 32 | UInt64(head.big32(8))
        // PCAPdroid writes an all-zero Ethernet header in front of packets with a trailer.
        if result.destinationStation == 0, result.sourceStation == 0 { readTrailer(bytes, &registry, &packet) }
        readNetwork(bytes, EtherTypes.follow(bytes, start &+ 12), &packet, &result)
    }

    private static let trailerLength = 32

    /// Reads PCAPdroid's trailer: magic, app number, app name, check sequence (emanuele-f/PCAPdroid,
    /// app/src/main/jni/core/pcap_dump.h).
    @inline(never) private static func readTrailer(
        _ bytes: Bytes, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket
    ) {
        let start = bytes.count - trailerLength
        guard start >= 14, bytes.big32(start) == 0x0107_2021 else { return }
        packet.trailerLength = UInt16(trailerLength)
        registry.isFromPCAPdroid = true
        let user = bytes.big32(start + 4)
        let name = bytes.text(start + 8, atMost: 20)
        // -1 means that PCAPdroid could not determine the app.
        guard user != .max || !name.isEmpty else { return }
        packet.app = registry.id(of: App(name: name.isEmpty ? "uid \(user)" : name, user: user))
    }

    @inline(never) private static func readOther(
        _ bytes: Bytes, _ kind: LinkKind, _ registry: inout CaptureRegistry, _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        switch kind {
        case .pktap: readPKTAP(bytes, &registry, &packet, &result)
        case .cooked2: readCooked2(bytes, &registry, &packet, &result)
        case .nflog(let order): readNFLOG(bytes, order, &registry, &packet, &result)
        default: readPlain(bytes, 0, kind, &registry, &packet, &result)
        }
    }

    /// Decodes link headers that only name the protocol they carry.
    static func readPlain(
        _ bytes: Bytes, _ start: Int, _ kind: LinkKind, _ registry: inout CaptureRegistry,
        _ packet: inout CapturedPacket,
        _ result: inout Dissection
    ) {
        switch kind {
        case .ethernet: readEthernet(bytes, start, &registry, &packet, &result)
        case .cooked:
            guard bytes.holds(16, at: start) else { return }
            result.direction = direction(ofCooked: bytes.big16(start))
            readNetwork(bytes, EtherTypes.follow(bytes, start + 14), &packet, &result)
        case .null(let order):
            guard bytes.holds(4, at: start) else { return }
            let family = order.u32(bytes, start)
            // The file was written on a host with the opposite byte order.
            readFamily(family > 0xffff ? family.byteSwapped : family, bytes, start + 4, &packet, &result)
        case .loop:
            guard bytes.holds(4, at: start) else { return }
            readFamily(bytes.big32(start), bytes, start + 4, &packet, &result)
        case .raw:
            guard bytes.holds(1, at: start) else { return }
            let carried: CarriedProtocol = bytes[start] >> 4 == 4 ? .ipv4 : bytes[start] >> 4 == 6 ? .ipv6 : .other
            readNetwork(bytes, LinkPayload(offset: start, carried: carried), &packet, &result)
        case .radiotap: readNetwork(bytes, WiFi.followRadiotap(bytes, &result), &packet, &result)
        case .wifi: readNetwork(bytes, WiFi.follow(bytes, start, &result), &packet, &result)
        case .ppp: readNetwork(bytes, PPP.followFramed(bytes, start), &packet, &result)
        case .pppWithDirection:
            guard bytes.holds(1, at: start) else { return }
            result.direction = bytes[start] == 0 ? .down : .up
            readNetwork(bytes, PPP.followFramed(bytes, start + 1), &packet, &result)
        case .pppoe:
            // The same six bytes as after the PPPoE EtherType; code 0 is data.
            guard bytes.holds(6, at: start), bytes[start + 1] == 0 else { return }
            readNetwork(bytes, PPP.follow(bytes, start + 6), &packet, &result)
        case .pktap, .cooked2, .nflog, .unread: break
        }
    }

    /// Reads the network header by address family. AF_INET is 2 everywhere; AF_INET6 is 24 on NetBSD and OpenBSD, 28 on
    /// FreeBSD, 30 on Darwin, 10 on Linux, 23 on Windows.
    static func readFamily(
        _ family: UInt32, _ bytes: Bytes, _ start: Int, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        switch family {
        case 2: readNetwork(bytes, LinkPayload(offset: start, carried: .ipv4), &packet, &result)
        case 10, 23, 24, 28, 30: readNetwork(bytes, LinkPayload(offset: start, carried: .ipv6), &packet, &result)
        default: break
        }
    }

    static func readEtherType(
        _ bytes: Bytes, _ start: Int, _ packet: inout CapturedPacket, _ result: inout Dissection
    ) {
        readNetwork(bytes, EtherTypes.follow(bytes, start), &packet, &result)
    }

    /// Direction from the packet type of a cooked header: 0 to this host, 1 broadcast, 2 multicast, 3 between other
    /// hosts, 4 from this host (LINKTYPE_LINUX_SLL).
    static func direction(ofCooked type: UInt16) -> PacketDirection {
        switch type {
        case 0, 1, 2: .down
        case 4: .up
        default: .unknown
        }
    }
}
