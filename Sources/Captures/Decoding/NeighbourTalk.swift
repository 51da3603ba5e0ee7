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
    init(port: UInt16) {
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

    @inline(__always) static func of(_ packet: Packet, _ result: Dissection, _ link: LinkKind) -> Self {
        guard packet.network != .other else { return link.hasNeighbours ? .frames : .none }
        let isIPv6 = packet.network == .ipv6
        let isGroup = isIPv6 ? result.destination >> 120 == 0xff : result.destination >> 28 >= 0xe
        if packet.transport == .udp, result.hasPorts {
            let talk = Self(either: result)
            if talk != .none, isGroup || isLocal(result, isIPv6: isIPv6) { return talk }
        }
        if isGroup { return result.destination == 0xffff_ffff ? .broadcast : .multicast }
        return result.destinationStation == 0xffff_ffff_ffff ? .broadcast : .none
    }

    @inline(__always) private init(either result: Dissection) {
        let talk = Self(port: result.destinationPort)
        self = talk == .none ? Self(port: result.sourcePort) : talk
    }

    /// Answers to one host come from the same ports; from the open Internet they would be something else.
    private static func isLocal(_ result: Dissection, isIPv6: Bool) -> Bool {
        let ends = [result.source, result.destination].map { Address(bits: $0, isIPv6: isIPv6) }
        return ends.allSatisfy { $0.isPrivate || !$0.isUnicast }
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
