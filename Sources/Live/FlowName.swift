import struct DeadzoneCaptures.IPAddress
import DeadzonePrimitives

/// A conversation as both ends name it, the phone's end first.
struct FlowName: Hashable, Sendable {
    let phone: IPAddress
    let phonePort: UInt16
    let server: IPAddress
    let serverPort: UInt16
    let isUDP: Bool

    init(_ packet: Datagram, _ direction: Direction) {
        let isUp = direction == .up
        phone = isUp ? packet.source : packet.destination
        phonePort = isUp ? packet.sourcePort : packet.destinationPort
        server = isUp ? packet.destination : packet.source
        serverPort = isUp ? packet.destinationPort : packet.sourcePort
        isUDP = !packet.isTCP
    }

    /// Both lead to one port of one server, whose addresses may be two; one that nobody has is the server's all the same.
    func leadsWhere(_ other: FlowName) -> Bool {
        meantHost == other.meantHost && serverPort == other.serverPort && isUDP == other.isUDP
    }

    private var meantHost: HostAddress { server.host == NameServer.nobody ? LivePlan.serverAddress : server.host }

    /// A segment that one end is told as if the other had said it.
    func segment(
        _ direction: Direction, _ flags: Datagram.Flags, sequence: UInt32, acknowledgement: UInt32,
        payload: [UInt8] = []
    ) -> Datagram {
        let (ofPhone, ofServer) = (Datagram.End(phone, phonePort), Datagram.End(server, serverPort))
        return .segment(
            from: direction == .up ? ofPhone : ofServer, to: direction == .up ? ofServer : ofPhone, flags,
            sequence: sequence, acknowledgement: acknowledgement, payload: payload)
    }

    /// What the server's side of it says to the phone.
    func reply(_ payload: [UInt8]) -> Datagram {
        .message(from: .init(server, serverPort), to: .init(phone, phonePort), payload: payload)
    }
}

/// A host of a live network. It has an IPv4 address, and an IPv6 address that ends with it, of the prefix that is nobody's
/// (RFC 3849).
struct HostAddress: Hashable, Sendable {
    private static let prefix: UInt128 = 0x2001_0db8 << 96

    let ipv4: UInt32
    var ipv6: UInt128 { Self.prefix | UInt128(ipv4) }

    var texts: [String] { [IPAddress.ipv4(ipv4).text, IPAddress.ipv6(ipv6).text] }

    init(_ ipv4: UInt32) { self.ipv4 = ipv4 }

    fileprivate init(_ address: IPAddress) {
        // Of another prefix it is nobody's: no host is 0.0.0.0.
        let isOwn = !address.isIPv6 || address.bits >> 32 == Self.prefix >> 32
        ipv4 = isOwn ? UInt32(truncatingIfNeeded: address.bits) : 0
    }

    /// As the family of the other is.
    func address(like other: IPAddress) -> IPAddress { other.isIPv6 ? .ipv6(ipv6) : .ipv4(ipv4) }
}

extension IPAddress {
    var host: HostAddress { HostAddress(self) }

    /// As packets have it.
    var bytes: [UInt8] {
        let count: UInt128 = isIPv6 ? 16 : 4
        return (1...count).map { UInt8(truncatingIfNeeded: bits >> ((count - $0) * 8)) }
    }
}
