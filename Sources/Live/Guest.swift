import struct DeadzoneCaptures.IPAddress
import DeadzonePrimitives

/// A real phone for which this machine is the gateway. It has an address of its own, and knows nothing of the world's networks: what it
/// sends leaves by the network that a phone would prefer, with that network's address, and what comes back goes to its own.
///
/// What it began by TCP stays with the address that it began with, as on a phone: after a handoff it leads nowhere. A socket of UDP
/// that nobody has bound has another address then, as there.
struct Guest {
    /// More conversations are forgotten all at once.
    private static let most = 1 << 16

    /// Of the first that was heard; it is the only one.
    private(set) var address: IPAddress?
    private var homes: [FlowName: HostAddress] = [:]

    /// What crosses in the place of a packet of the phone's. Empty: it is of somebody else, it has nowhere to go, or is in pieces.
    /// - Parameter home: of the network that is preferred.
    mutating func outward(_ packet: Datagram, by home: HostAddress?) -> [Datagram] {
        guard !packet.source.isIPv6, packet.source.isUnicast, packet.destination.isUnicast, packet.isWhole else {
            return []
        }
        if address == nil { address = packet.source }
        guard packet.source == address, let from = self.home(of: packet, by: home) else { return [] }
        return packet.pieces(atMost: Self.longest).map { $0.readdressed(from: .ipv4(from.ipv4)) }
    }

    /// Nil: nobody is there.
    func inward(_ packet: Datagram) -> Datagram? {
        guard let address, !packet.destination.isIPv6 else { return nil }
        return packet.readdressed(to: address)
    }

    /// What a kernel has put together of several is cut again as the phone has sent it: Ethernet's length.
    private static let longest = 1_500

    private mutating func home(of packet: Datagram, by home: HostAddress?) -> HostAddress? {
        guard packet.isTCP else { return home }
        let name = FlowName(packet, .up)
        let begins = packet.flags.contains(.syn) && !packet.flags.contains(.ack)
        if !begins, let known = homes[name] { return known }
        guard let home else { return nil }
        if homes.count >= Self.most { homes.removeAll() }
        homes[name] = home
        return home
    }
}
