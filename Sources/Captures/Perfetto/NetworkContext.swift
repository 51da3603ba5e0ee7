/// The properties that the packets of a bundle share in a Perfetto trace: interface, app, ports and TCP flags.
///
/// Field numbers: `NetworkPacketEvent` in protos/perfetto/trace/android/network_trace.proto of
/// github.com/google/perfetto. Android fills it in NetworkTraceHandler.cpp (packages/modules/Connectivity).
struct NetworkContext: Equatable, BitwiseCopyable {
    var direction = PacketDirection.unknown
    var transport = TransportProtocol.other
    /// Raw flags of the TCP header. Zero if the trace drops them: every TCP segment has at least one flag.
    var flags = TCPFlags()
    var localPort: UInt16 = 0
    var remotePort: UInt16 = 0
    var user: UInt32?
    /// Index in the registry's interfaces.
    var interface: UInt32 = 0

    /// `true` if the packet belongs to a flow: TCP or UDP in a known direction.
    var hasFlow: Bool { (transport == .tcp || transport == .udp) && direction != .unknown }
}

/// A decoded `NetworkPacketEvent`. The length is that of a single packet, and not part of the context.
struct NetworkEvent {
    var context = NetworkContext()
    var length: UInt32 = 0
    var interfaceName: Bytes?

    /// `nil` if the message is damaged.
    init?(_ bytes: Bytes) {
        var reader = ProtobufReader(bytes)
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (1, .number(let number)): context.direction = number == 1 ? .down : number == 2 ? .up : .unknown
            case (2, .bytes(let name)): interfaceName = name
            case (3, .number(let number)): length = UInt32(truncatingIfNeeded: number)
            case (4, .number(let number)): context.user = UInt32(truncatingIfNeeded: number)
            case (6, .number(let number)): context.transport = number == 6 ? .tcp : number == 17 ? .udp : .other
            case (7, .number(let number)): context.flags = TCPFlags(rawValue: UInt8(truncatingIfNeeded: number))
            case (8, .number(let number)): context.localPort = UInt16(truncatingIfNeeded: number)
            case (9, .number(let number)): context.remotePort = UInt16(truncatingIfNeeded: number)
            default: break
            }
        }
        if reader.isDamaged { return nil }
    }
}

/// A decoded `NetworkPacketBundle`: packets with one context, each with its time and length, or only their totals.
struct NetworkBundle {
    /// Number of the interned context; `nil` if the context is inside the bundle.
    var iid: UInt64?
    var context: Bytes?
    /// Nanoseconds after the time of the record.
    var offsets: [UInt64] = []
    var lengths: [UInt64] = []
    var totalPackets: UInt64 = 0
    var totalDuration: UInt64 = 0
    var totalLength: UInt64?

    /// `nil` if the message is damaged.
    init?(_ bytes: Bytes) {
        var reader = ProtobufReader(bytes)
        while let (field, value) = reader.next() {
            switch (field, value) {
            case (1, .number(let number)): iid = number
            case (2, .bytes(let part)): context = part
            case (3, _): guard ProtobufReader.append(value, to: &offsets) else { return nil }
            case (4, _): guard ProtobufReader.append(value, to: &lengths) else { return nil }
            case (5, .number(let number)): totalPackets = number
            case (6, .number(let number)): totalDuration = number
            case (7, .number(let number)): totalLength = number
            default: break
            }
        }
        if reader.isDamaged { return nil }
    }
}
