/// The kinds of traffic that a cellular network would not carry: traffic between hosts on one local link, and loopback.
///
/// A phone has no neighbours on a cellular network, so such packets would not go over its radio. On an interface that
/// the capture itself names as cellular, packets were on the air in any case and are never classified as neighbour
/// traffic.
///
/// Loopback packets stay inside one host: no radio carries them, not even Wi-Fi.
package enum NeighbourTraffic: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case none
    /// Frames without IP: ARP, EAPOL, 802.11 management.
    case frames
    case broadcast, multicast
    case dhcp, mdns, ssdp, llmnr, netbios
    /// WS-Discovery, and Dropbox's discovery for the same purpose.
    case discovery
    /// Packets from or to a loopback address (RFC 1122 §3.2.1.3: such addresses must not appear outside a host), and
    /// packets of the interface `lo` of a Perfetto trace.
    case loopback

    /// `true` for traffic of other hosts on the local link.
    package var isOfNeighbours: Bool { self != .none && self != .loopback }

    /// Human-readable name.
    package var name: String {
        switch self {
        case .none: ""
        case .frames: "ARP and other frames without IP"
        case .broadcast: "broadcast"
        case .multicast: "multicast"
        case .dhcp: "DHCP"
        case .mdns: "mDNS"
        case .ssdp: "SSDP"
        case .llmnr: "LLMNR"
        case .netbios: "NetBIOS"
        case .discovery: "discovery"
        case .loopback: "loopback"
        }
    }

    /// Classifies by port number of the IANA registry; 17500 is Dropbox's port.
    @inline(__always) init(port: UInt16) {
        self =
            switch port {
            case 67, 68, 546, 547: .dhcp
            case 137, 138: .netbios
            case 1_900: .ssdp
            case 3_702, 17_500: .discovery
            case 5_353: .mdns
            case 5_355: .llmnr
            default: .none
            }
    }

    /// Classifies a packet. Most packets are unicast TCP, which is decided by the addresses alone.
    @inline(__always) static func of(_ packet: inout CapturedPacket, _ result: inout Dissection, _ link: LinkKind)
        -> Self
    {
        let isGroup =
            packet.network == .ipv6
            ? UInt64(truncatingIfNeeded: result.destination >> 64) >> 56 == 0xff
            : UInt64(truncatingIfNeeded: result.destination) >> 28 >= 0xe
        if isLoopback(&packet, &result) { return .loopback }
        if packet.transport == .tcp, !isGroup { return toStation(&result) }
        return other(&packet, &result, link, isGroup: isGroup)
    }

    @inline(__always) private static func isLoopback(
        _ packet: inout CapturedPacket, _ result: inout Dissection
    ) -> Bool {
        guard packet.network != .other else { return false }
        let isIPv6 = packet.network == .ipv6
        return IPAddress(bits: result.source, isIPv6: isIPv6).isLoopback
            || IPAddress(bits: result.destination, isIPv6: isIPv6).isLoopback
    }

    @inline(never) private static func other(
        _ packet: inout CapturedPacket, _ result: inout Dissection, _ link: LinkKind, isGroup: Bool
    ) -> Self {
        guard packet.network != .other else { return link.hasNeighbours ? .frames : .none }
        if packet.transport == .udp, result.hasPorts {
            let toPort = Self(port: result.destinationPort)
            let neighbourTraffic = toPort == .none ? Self(port: result.sourcePort) : toPort
            if neighbourTraffic != .none, isGroup || isLocal(result, isIPv6: packet.network == .ipv6) {
                return neighbourTraffic
            }
        }
        if isGroup { return result.destination == 0xffff_ffff ? .broadcast : .multicast }
        return toStation(&result)
    }

    @inline(__always) private static func toStation(_ result: inout Dissection) -> Self {
        result.destinationStation == 0xffff_ffff_ffff ? .broadcast : .none
    }

    /// Unicast answers use the same ports. From the open Internet such ports mean other protocols, so both ends must be
    /// local.
    private static func isLocal(_ result: Dissection, isIPv6: Bool) -> Bool {
        func isNear(_ bits: UInt128) -> Bool {
            let address = IPAddress(bits: bits, isIPv6: isIPv6)
            return address.isPrivate || !address.isUnicast
        }
        return isNear(result.source) && isNear(result.destination)
    }
}

extension LinkKind {
    /// `true` if the link has neighbours, so that frames without IP are neighbour traffic.
    fileprivate var hasNeighbours: Bool {
        switch self {
        case .ethernet, .wifi, .radiotap, .cooked, .cooked2: true
        case .null, .loop, .raw, .pktap, .ppp, .pppWithDirection, .pppoe, .nflog, .unread: false
        }
    }
}
