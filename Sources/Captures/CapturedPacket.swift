package import DeadzoneBase

/// One decoded packet of a capture: time, size, direction, protocol and flow. It is a plain value, delivered in batches
/// in file order.
///
/// All fields describe the outermost IP header. The packet's bytes are no longer available; names that were read from
/// them are stored in the flow.
package struct CapturedPacket: Equatable, Sendable, BitwiseCopyable {
    /// Timestamp from the file, in file order: it can be earlier than the previous packet's.
    package var stamp: Timestamp
    /// Length on the wire including the link header (the file's "original length"). Radio time and energy use this
    /// length, never the captured length.
    package var wireLength: UInt32
    package var capturedLength: UInt32
    /// The part of `wireLength` before the IP header; all of it if no IP header was found.
    package var linkHeaderLength: UInt32 = 0
    /// The part of `wireLength` that a capturing program appended to the packet (PCAPdroid).
    package var trailerLength: UInt16 = 0
    /// Transport payload in bytes, from the length in the IP header. Zero without TCP or UDP and in later fragments.
    package var payloadLength: UInt32 = 0
    /// TCP sequence number; 0 for other protocols.
    package var sequence: UInt32 = 0
    package var acknowledgement: UInt32 = 0
    package var window: UInt16 = 0
    package var flags: TCPFlags = []
    package var network: NetworkProtocol = .other
    package var transport: TransportProtocol = .none
    package var fragment: Fragment = .whole
    package var direction: PacketDirection = .unknown
    /// The end of the flow that sent the packet.
    package var side: FlowSide = .opener
    /// The undirected 5-tuple. `.none` for packets that are neither TCP nor UDP, for later fragments, and for packets
    /// truncated before their ports.
    package var flow: FlowID = .none
    /// Index into the interfaces of the capture.
    package var interface: UInt32 = 0
    /// The app or process that the capture names, as an index into the apps of the capture.
    package var app: AppID = .none
    /// The kind of link-local traffic that a cellular network would not carry.
    package var neighbourTraffic: NeighbourTraffic = .none
    /// The kind of ping frame, if a small TCP segment is an unencrypted ping or pong.
    package var pingFrame: PingFrame?
    /// The message of a WebSocket's handshake with which the payload of a TCP segment begins.
    package var handshake: WebSocketHandshake?

    package init(stamp: Timestamp, wireLength: UInt32, capturedLength: UInt32) {
        self.stamp = stamp
        self.wireLength = wireLength
        self.capturedLength = capturedLength
    }

    /// Bytes that cross the radio: without the link header and what a capturing program added. The whole length if
    /// there is no IP header.
    package var networkLength: UInt32 {
        let added = linkHeaderLength &+ UInt32(trailerLength)
        return added < wireLength ? wireLength &- added : wireLength
    }

    /// `false` if the file has no TCP sequence numbers, so retransmissions cannot be recognised.
    package var hasSequenceNumbers: Bool { network != .unstated }

    package var isTCP: Bool { transport == .tcp && fragment != .later }
    package var isUDP: Bool { transport == .udp && fragment != .later }
}

package enum NetworkProtocol: UInt8, Sendable, BitwiseCopyable {
    case ipv4, ipv6
    /// ARP, EAPOL, 802.11 management frames, and unreadable packets.
    case other
    /// IP, of a version that the file does not state, without addresses and sequence numbers: Perfetto traces.
    case unstated
}

package enum TransportProtocol: UInt8, Sendable, BitwiseCopyable {
    case tcp, udp
    /// ICMP, ESP, tunnels.
    case other
    /// No IP header, or one truncated before its protocol field.
    case none
}

package enum Fragment: UInt8, Sendable, BitwiseCopyable {
    case whole
    /// The first fragment; only this one carries ports.
    case first
    case later
}

/// The direction of a captured packet, up or down, as seen from the device with the replayed radio.
package enum PacketDirection: UInt8, Sendable, BitwiseCopyable { case up, down, unknown }

/// One of the two ends of a flow (transport conversation). The opener sent the first packet of the flow that the
/// capture contains.
package enum FlowSide: UInt8, Sendable, BitwiseCopyable { case opener, answerer }

package struct TCPFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    // RFC 9293, section 3.1.
    package static var fin: Self { Self(rawValue: 1) }
    package static var syn: Self { Self(rawValue: 2) }
    package static var rst: Self { Self(rawValue: 4) }
    package static var psh: Self { Self(rawValue: 8) }
    package static var ack: Self { Self(rawValue: 16) }
    package static var urg: Self { Self(rawValue: 32) }
    static var all: Self { Self(rawValue: 63) }
}

/// The index of a flow (transport conversation) in the capture, in order of first packets.
package struct FlowID: Hashable, Sendable, BitwiseCopyable {
    package let index: UInt32
    package init(_ index: UInt32) { self.index = index }

    package static var none: FlowID { FlowID(.max) }
    /// Flows beyond the capacity of the table. They are counted together and not distinguished.
    package static var overflow: FlowID { FlowID(.max - 1) }

    /// `true` if the flow is in the table.
    package var isKnown: Bool { index < UInt32.max - 1 }
}

/// The index of an app or process in the list of those that the capture names.
package struct AppID: Hashable, Sendable, BitwiseCopyable {
    package let index: UInt16
    package init(_ index: UInt16) { self.index = index }

    package static var none: AppID { AppID(.max) }
}
