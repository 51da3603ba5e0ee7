import DeadzoneBase
import struct DeadzoneCaptures.IPAddress
import DeadzoneHost

/// The key that identifies a flow: IP addresses, ports and protocol. The phone's end comes first.
struct LiveFlowKey: Hashable, Sendable {
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

    /// `true` if both flows lead to the same server, port and protocol. The server may have an IPv4 and an IPv6
    /// address. The unassigned address that stands for a broken one counts as the server's, too.
    func hasSameDestination(_ other: LiveFlowKey) -> Bool {
        destinationHost == other.destinationHost && serverPort == other.serverPort && isUDP == other.isUDP
    }

    private var destinationHost: HostAddress {
        server.host == NameServer.unassignedAddress ? LivePlan.serverAddress : server.host
    }

    var sandboxEnds: Sandbox.ConnectionEnds {
        Sandbox.ConnectionEnds(
            phone: phone.bytes, phonePort: phonePort, server: server.bytes, serverPort: serverPort,
            isUDP: isUDP)
    }

    /// A TCP segment of this flow that appears to come from one of its ends.
    func segment(
        _ direction: Direction, _ flags: Datagram.SegmentFlags, sequence: UInt32, acknowledgement: UInt32,
        payload: [UInt8] = []
    ) -> Datagram {
        let (ofPhone, ofServer) = (
            Datagram.TransportEndpoint(phone, phonePort), Datagram.TransportEndpoint(server, serverPort)
        )
        return .segment(
            from: direction == .up ? ofPhone : ofServer, to: direction == .up ? ofServer : ofPhone, flags,
            sequence: sequence, acknowledgement: acknowledgement, payload: payload)
    }

    /// A UDP answer from the server's end to the phone.
    func reply(_ payload: [UInt8]) -> Datagram {
        .message(from: .init(server, serverPort), to: .init(phone, phonePort), payload: payload)
    }
}

/// The IPv4 address of a host in a live run; its IPv6 address is derived from it. The IPv6 address has the
/// documentation prefix 2001:db8::/32 (RFC 3849) and ends with the IPv4 address.
struct HostAddress: Hashable, Sendable {
    private static let prefix: UInt128 = 0x2001_0db8 << 96

    let ipv4: UInt32
    var ipv6: UInt128 { Self.prefix | UInt128(ipv4) }

    var texts: [String] { [IPAddress.ipv4(ipv4).text, IPAddress.ipv6(ipv6).text] }

    init(_ ipv4: UInt32) { self.ipv4 = ipv4 }

    fileprivate init(_ address: IPAddress) {
        // An address with another prefix belongs to no host; 0.0.0.0 stands for it.
        let isOwn = !address.isIPv6 || address.bits >> 32 == Self.prefix >> 32
        ipv4 = isOwn ? UInt32(truncatingIfNeeded: address.bits) : 0
    }
}

extension IPAddress {
    var host: HostAddress { HostAddress(self) }

    /// The address in network byte order.
    var bytes: [UInt8] {
        let count: UInt128 = isIPv6 ? 16 : 4
        return (1...count).map { UInt8(truncatingIfNeeded: bits >> ((count - $0) * 8)) }
    }
}
