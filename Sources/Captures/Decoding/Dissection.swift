/// What is learned on the way from the beginning of a frame to the ports, beside the packet itself.
struct Dissection {
    var source: UInt128 = 0
    var destination: UInt128 = 0
    var sourcePort: UInt16 = 0
    var destinationPort: UInt16 = 0
    var hasPorts = false
    /// The bytes of an Ethernet or Wi-Fi sender and receiver; 0 where there are none.
    var sourceStation: UInt64 = 0
    var destinationStation: UInt64 = 0
    /// Where the transport's payload begins in the frame, and how much of it was captured.
    var payloadOffset = 0
    var payloadCaptured = 0
    /// By PKTAP, cooked headers and their like.
    var direction = PacketDirection.unknown

    @inline(__always) init() {}
}

/// What an EtherType or its like says comes next.
enum Carried { case ipv4, ipv6, other }

/// Where a link header ends, and what follows it.
struct LinkEnd {
    var offset: Int
    var carried: Carried

    static let nothing = LinkEnd(offset: 0, carried: .other)
}
