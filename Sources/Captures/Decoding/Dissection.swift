/// Intermediate results of decoding a frame that the packet itself does not store, such as addresses and ports.
struct Dissection {
    var source: UInt128 = 0
    var destination: UInt128 = 0
    var sourcePort: UInt16 = 0
    var destinationPort: UInt16 = 0
    var hasPorts = false
    /// Ethernet or Wi-Fi sender and receiver addresses; 0 if the link has none.
    var sourceStation: UInt64 = 0
    var destinationStation: UInt64 = 0
    /// Offset of the transport payload in the frame, and its captured length.
    var payloadOffset = 0
    var payloadCaptured = 0
    /// Direction from PKTAP, cooked headers and similar.
    var direction = PacketDirection.unknown

    @inline(__always) init() {}
}

/// The network protocol that a link header announces: IPv4, IPv6 or another. The field is an EtherType or similar.
enum CarriedProtocol { case ipv4, ipv6, other }

/// The offset at which a frame's link header ends, and the protocol that follows.
struct LinkPayload {
    var offset: Int
    var carried: CarriedProtocol

    static let nothing = LinkPayload(offset: 0, carried: .other)
}
