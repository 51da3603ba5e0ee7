/// The link-layer header format of a captured interface. It is given by the LINKTYPE_ value of the file
/// (tcpdump.org/linktypes.html).
enum LinkKind: Equatable {
    case ethernet
    case cooked
    case cooked2
    /// A protocol family in the capturing host's byte order.
    case null(ByteOrder)
    /// A protocol family in network order.
    case loop
    case raw
    case pktap
    case radiotap
    case wifi
    case ppp
    /// PPP with a direction byte in front.
    case pppWithDirection
    case pppoe
    case nflog(ByteOrder)
    case unread

    init(_ linkType: UInt32, _ order: ByteOrder) {
        self =
            switch linkType {
            case 0: .null(order)
            case 1: .ethernet
            // 12 and 14 were used by some systems for raw IP before it had its own number.
            case 12, 14, 101, 228, 229: .raw
            case 9, 50: .ppp
            case 51: .pppoe
            case 105: .wifi
            case 108: .loop
            case 113: .cooked
            case 127: .radiotap
            // 149 is a private link type, used by macOS for PKTAP before it had its own number.
            case 149, 258: .pktap
            case 204: .pppWithDirection
            case 239: .nflog(order)
            case 276: .cooked2
            default: .unread
            }
    }

    /// Link type of packets that a file describes without their bytes. No LINKTYPE_ value has this number.
    static let withoutLink = UInt32.max

    var isUnread: Bool { self == .unread }

    /// Name of a link type, for reports on packets that are counted but not decoded.
    static func name(_ linkType: UInt32) -> String {
        linkType == withoutLink ? "-" : names[linkType] ?? "LINKTYPE \(linkType)"
    }

    private static let names: [UInt32: String] = [
        0: "NULL", 1: "Ethernet", 6: "Token Ring", 9: "PPP", 10: "FDDI", 12: "raw IP", 14: "raw IP", 50: "PPP HDLC",
        51: "PPPoE", 101: "raw IP", 104: "Cisco HDLC", 105: "802.11", 107: "Frame Relay", 108: "LOOP",
        113: "Linux cooked v1", 119: "802.11 with Prism header", 127: "802.11 with radiotap", 147: "private 0",
        148: "private 1", 149: "PKTAP", 163: "802.11 with AVS header", 187: "Bluetooth HCI H4", 189: "USB of Linux",
        192: "PPI", 195: "802.15.4", 201: "Bluetooth HCI H4 with direction", 204: "PPP with direction",
        220: "USB of Linux", 227: "CAN", 228: "IPv4", 229: "IPv6", 230: "802.15.4 without FCS", 231: "D-Bus",
        239: "NFLOG", 249: "USBPcap", 251: "Bluetooth Low Energy", 253: "netlink", 254: "Bluetooth of Linux",
        256: "Bluetooth Low Energy with header", 258: "PKTAP", 272: "nRF sniffer", 276: "Linux cooked v2",
    ]
}
