/// One packet of a capture, decoded: a plain value, handed over in batches in the order of the file. What it says is of the
/// outermost IP header. Its bytes are gone by then: names that can be read from them stand in the flow.
public struct Packet: Equatable, Sendable, BitwiseCopyable {
    /// As the file says, in the file's order: it can go back.
    public var stamp: Stamp
    /// What was on the wire, link header included: what the file calls the original length. Radio time and energy use this,
    /// never the captured length.
    public var wireLength: UInt32
    public var capturedLength: UInt32
    /// Of `wireLength`, what comes before the IP header; all of it where no IP header was found.
    public var linkHeaderLength: UInt32 = 0
    /// Of `wireLength`, what a capturing program put behind the packet (PCAPdroid).
    public var trailerLength: UInt16 = 0
    /// Bytes that the transport carries, by the length in the IP header; zero without TCP or UDP, and in later fragments.
    public var payloadLength: UInt32 = 0
    /// Of TCP, else 0.
    public var sequence: UInt32 = 0
    public var acknowledgement: UInt32 = 0
    public var window: UInt16 = 0
    public var flags: TCPFlags = []
    public var network: NetworkProtocol = .other
    public var transport: TransportProtocol = .none
    public var fragment: Fragment = .whole
    public var direction: PacketDirection = .unknown
    /// Which end of its flow has sent it.
    public var side: FlowSide = .opener
    /// The undirected 5-tuple; `.none` for what is neither TCP nor UDP, for later fragments, and where the packet was cut
    /// before its ports.
    public var flow: FlowID = .none
    /// The index of its interface among those of the capture.
    public var interface: UInt32 = 0
    /// The app or process that the capture names, among those of the capture.
    public var app: AppID = .none
    /// What a cellular network would not carry.
    public var talk: NeighbourTalk = .none
    /// What the bytes of a small TCP segment are, where they are in the clear.
    public var sign: SignOfLife?

    public init(stamp: Stamp, wireLength: UInt32, capturedLength: UInt32) {
        self.stamp = stamp
        self.wireLength = wireLength
        self.capturedLength = capturedLength
    }

    /// What crosses the radio: without the link header and what a capturing program added. All of it where there is no IP.
    @inlinable public var networkLength: UInt32 {
        let added = linkHeaderLength &+ UInt32(trailerLength)
        return added < wireLength ? wireLength &- added : wireLength
    }

    @inlinable public var isTCP: Bool { transport == .tcp && fragment != .later }
    @inlinable public var isUDP: Bool { transport == .udp && fragment != .later }
}

public enum NetworkProtocol: UInt8, Sendable, BitwiseCopyable {
    case ipv4, ipv6
    /// ARP, EAPOL, 802.11 management, and what cannot be read.
    case other
}

public enum TransportProtocol: UInt8, Sendable, BitwiseCopyable {
    case tcp, udp
    /// ICMP, ESP, tunnels.
    case other
    /// No IP header, or one that breaks off before it says.
    case none
}

public enum Fragment: UInt8, Sendable, BitwiseCopyable {
    case whole
    /// The first of several, which alone carries ports.
    case first
    case later
}

/// Seen from the device whose radio is meant.
public enum PacketDirection: UInt8, Sendable, BitwiseCopyable { case up, down, unknown }

/// The two ends of a flow: the opener sent the first packet of it that the capture holds.
public enum FlowSide: UInt8, Sendable, BitwiseCopyable { case opener, answerer }

public struct TCPFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    // RFC 9293, section 3.1.
    @inlinable public static var fin: Self { Self(rawValue: 1) }
    @inlinable public static var syn: Self { Self(rawValue: 2) }
    @inlinable public static var rst: Self { Self(rawValue: 4) }
    @inlinable public static var psh: Self { Self(rawValue: 8) }
    @inlinable public static var ack: Self { Self(rawValue: 16) }
    @inlinable public static var urg: Self { Self(rawValue: 32) }
}

/// The index of a flow among those of the capture, in order of their first packets.
public struct FlowID: Hashable, Sendable, BitwiseCopyable {
    public let index: UInt32
    @inlinable public init(_ index: UInt32) { self.index = index }

    @inlinable public static var none: FlowID { FlowID(.max) }
    /// Flows beyond the bound of the table: counted together, told apart no more.
    @inlinable public static var beyond: FlowID { FlowID(.max - 1) }

    /// Whether it is a flow of the table.
    @inlinable public var isKnown: Bool { index < UInt32.max - 1 }
}

/// The index of an app or process among those of the capture.
public struct AppID: Hashable, Sendable, BitwiseCopyable {
    public let index: UInt16
    @inlinable public init(_ index: UInt16) { self.index = index }

    @inlinable public static var none: AppID { AppID(.max) }
}
