import DeadzoneBase
import struct DeadzoneCaptures.IPAddress

/// Translates addresses between a real phone, which uses this machine as its gateway, and the simulated networks. The
/// phone has an address of its own and does not see the networks of the scenario. Its packets leave by the network that
/// a phone would prefer, with that network's address. Answers are readdressed to the phone.
///
/// A TCP connection keeps the address that it began with, as on a phone, so after a handoff it leads nowhere. UDP
/// moves to the new address, as an unbound UDP socket does.
struct GatewayClient {
    /// Above this number the table of connections is cleared.
    private static let maxConversations = 1 << 16

    /// Address of the first phone that sent a packet. Other senders are ignored.
    private(set) var address: IPAddress?
    private var localAddresses: [LiveFlowKey: HostAddress] = [:]

    /// Returns the packets to send in place of the phone's packet. Empty if the packet is from another host, has no
    /// network to leave by, or is a fragment.
    /// - Parameter localAddress: Address of the preferred network.
    mutating func outgoingPackets(_ packet: Datagram, by localAddress: HostAddress?) -> [Datagram] {
        guard !packet.source.isIPv6, packet.source.isUnicast, packet.destination.isUnicast, packet.isUnfragmented else {
            return []
        }
        if address == nil { address = packet.source }
        guard packet.source == address, let from = self.localAddress(of: packet, by: localAddress) else { return [] }
        return packet.segments(atMost: Self.maxPacketLength).map { $0.withAddresses(from: .ipv4(from.ipv4)) }
    }

    /// Readdresses a packet to the phone. `nil` if no phone has sent anything yet, or if the packet is IPv6.
    func incomingPacket(_ packet: Datagram) -> Datagram? {
        guard let address, !packet.destination.isIPv6 else { return nil }
        return packet.withAddresses(to: address)
    }

    /// Maximum packet length (Ethernet MTU). Segments that the kernel merged are split to it again.
    private static let maxPacketLength = 1_500

    private mutating func localAddress(of packet: Datagram, by localAddress: HostAddress?) -> HostAddress? {
        guard packet.isTCP else { return localAddress }
        let name = LiveFlowKey(packet, .up)
        let begins = packet.flags.contains(.syn) && !packet.flags.contains(.ack)
        if !begins, let known = localAddresses[name] { return known }
        guard let localAddress else { return nil }
        if localAddresses.count >= Self.maxConversations { localAddresses.removeAll() }
        localAddresses[name] = localAddress
        return localAddress
    }
}
