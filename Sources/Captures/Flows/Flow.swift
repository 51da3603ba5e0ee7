/// A flow (transport conversation) as the capture shows it: both ends, times, and bytes in each direction.
public struct Flow: Sendable {
    public var network: NetworkProtocol
    public var transport: TransportProtocol
    /// Sender of the first packet of the flow in the capture.
    public var opener: Endpoint
    public var answerer: Endpoint
    /// The device's end; `nil` if it could not be determined.
    public var deviceSide: FlowSide?
    public var first: Timestamp
    /// Timestamp of the last packet in file order.
    public var last: Timestamp
    public var fromOpener = TrafficTotals()
    public var fromAnswerer = TrafficTotals()
    public var app: AppID
    public var interface: UInt32
    /// Kind of neighbour traffic of the first packet.
    public var neighbourTraffic: NeighbourTraffic
    /// Server name from the client's TLS ClientHello.
    public var serverName: String?

    public struct Endpoint: Hashable, Sendable {
        public var address: IPAddress
        public var port: UInt16

        public var text: String { address.isIPv6 ? "[\(address.text)]:\(port)" : "\(address.text):\(port)" }
    }

    public struct TrafficTotals: Hashable, Sendable {
        public var packets: UInt64 = 0
        /// Bytes on the wire.
        public var bytes: UInt64 = 0
    }

    /// The end that is not the device; if the device is unknown, the end that did not open the flow.
    public var remote: Endpoint { deviceSide == .answerer ? opener : answerer }
    public var local: Endpoint { deviceSide == .answerer ? answerer : opener }
    public var up: TrafficTotals { deviceSide == .answerer ? fromAnswerer : fromOpener }
    public var down: TrafficTotals { deviceSide == .answerer ? fromOpener : fromAnswerer }

    /// Text such as `tcp 10.0.0.2:50000 > 192.0.2.1:443`, the device's end first.
    public var text: String { "\(transport == .tcp ? "tcp" : "udp") \(local.text) > \(remote.text)" }
}

extension Flow {
    /// Number of flows with a full description. Flows beyond it are still counted and distinguished, up to
    /// `FlowTable.capacity`, but not described: a description takes a few times the memory of a key.
    static let described = 32_768
}
