import DeadzoneBase
import DeadzoneTransport

/// Effects that `PacketNetwork` requests from the simulation, in order. All of them are rare: an arrival is no effect but
/// the result of the call (`PacketArrival`).
enum PacketEffect: BitwiseCopyable, Sendable {
    /// A packet that no connection sends again is lost: a push, or a request for credentials.
    case lost(Packet.PacketContent, number: UInt16)
    /// A packet has started the opening of an access gate, so a network has another deadline.
    case networkDeadlineChanged
    /// The tunnel sends a packet of its own, for which the processor wakes.
    case wakeForTunnel
    /// The tunnel sends this packet to the radio.
    case transmit(PacketInFlight)
    /// The tunnel may work again, or no longer.
    case tunnelChanged
}

/// The place at which a packet has arrived.
enum PacketArrival: BitwiseCopyable {
    /// The packet is still on its way, has a waiting time, or is lost.
    case none
    case atPhone
    /// The packet has reached the far end of the network, in front of the middleboxes of the server.
    case atServer
    case atResolver, atPortal
    /// The packet rides in the tunnel, or belongs to it, and has reached the tunnel's far end.
    case atGateway
}
