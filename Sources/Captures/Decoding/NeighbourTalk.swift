/// What a host says to its neighbours on a link. A cellular network gives a phone none: nothing of this goes over its air. What
/// an interface carries that the capture itself names as cellular was on the air all the same, and is never of these.
public enum NeighbourTalk: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case none
    /// ARP, EAPOL, 802.11 management: frames without IP.
    case frames
    case broadcast, multicast
    case dhcp, mdns, ssdp, llmnr, netbios
    /// WS-Discovery, and Dropbox's of the same office.
    case discovery

    /// As people call it.
    public var name: String {
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
        }
    }

    /// Ports of the IANA registry; 17500 is Dropbox's.
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

    /// Most packets go from one host to another and are no UDP: they are told by their ends alone.
    @inline(__always) static func of(_ packet: inout Packet, _ result: inout Dissection, _ link: LinkKind) -> Self {
        let isGroup =
            packet.network == .ipv6
            ? UInt64(truncatingIfNeeded: result.destination >> 64) >> 56 == 0xff
            : UInt64(truncatingIfNeeded: result.destination) >> 28 >= 0xe
        if packet.transport == .tcp, !isGroup { return toStation(&result) }
        return other(&packet, &result, link, isGroup: isGroup)
    }

    @inline(never) private static func other(
        _ packet: inout Packet, _ result: inout Dissection, _ link: LinkKind, isGroup: Bool
    ) -> Self {
        guard packet.network != .other else { return link.hasNeighbours ? .frames : .none }
        if packet.transport == .udp, result.hasPorts {
            let toPort = Self(port: result.destinationPort)
            let talk = toPort == .none ? Self(port: result.sourcePort) : toPort
            if talk != .none, isGroup || isLocal(result, isIPv6: packet.network == .ipv6) { return talk }
        }
        if isGroup { return result.destination == 0xffff_ffff ? .broadcast : .multicast }
        return toStation(&result)
    }

    @inline(__always) private static func toStation(_ result: inout Dissection) -> Self {
        result.destinationStation == 0xffff_ffff_ffff ? .broadcast : .none
    }

    /// Answers to one host come from the same ports; from the open Internet they would be something else.
    private static func isLocal(_ result: Dissection, isIPv6: Bool) -> Bool {
        func isNear(_ bits: UInt128) -> Bool {
            let address = IPAddress(bits: bits, isIPv6: isIPv6)
            return address.isPrivate || !address.isUnicast
        }
        return isNear(result.source) && isNear(result.destination)
    }
}

extension LinkKind {
    /// Its frames go to neighbours: what carries no IP is theirs.
    fileprivate var hasNeighbours: Bool {
        switch self {
        case .ethernet, .wifi, .radiotap, .cooked, .cooked2: true
        case .null, .loop, .raw, .pktap, .ppp, .pppWithDirection, .pppoe, .nflog, .unread: false
        }
    }
}
