/// What the capture shows of one flow.
public struct Flow: Sendable {
    public var network: NetworkProtocol
    public var transport: TransportProtocol
    /// Who sent the first packet that the capture holds.
    public var opener: Endpoint
    public var answerer: Endpoint
    /// Which of the two is the device; nil where it could not be told.
    public var deviceSide: FlowSide?
    public var first: Stamp
    /// The latest, in the order of the file.
    public var last: Stamp
    public var fromOpener = Traffic()
    public var fromAnswerer = Traffic()
    public var app: AppID
    public var interface: UInt32
    /// Of its first packet.
    public var talk: NeighbourTalk
    /// The server that the client asked for in TLS.
    public var serverName: String?

    public struct Endpoint: Hashable, Sendable {
        public var address: IPAddress
        public var port: UInt16

        public var text: String { address.isIPv6 ? "[\(address.text)]:\(port)" : "\(address.text):\(port)" }
    }

    public struct Traffic: Hashable, Sendable {
        public var packets: UInt64 = 0
        /// As on the wire.
        public var bytes: UInt64 = 0
    }

    /// The end that is not the device; where that is unknown, the one that did not open the flow.
    public var remote: Endpoint { deviceSide == .answerer ? opener : answerer }
    public var local: Endpoint { deviceSide == .answerer ? answerer : opener }
    public var up: Traffic { deviceSide == .answerer ? fromAnswerer : fromOpener }
    public var down: Traffic { deviceSide == .answerer ? fromOpener : fromAnswerer }

    /// `tcp 10.0.0.2:50000 > 192.0.2.1:443`, the device first.
    public var text: String { "\(transport == .tcp ? "tcp" : "udp") \(local.text) > \(remote.text)" }
}

extension Flow {
    /// Flows that are described one by one. Beyond, they are still counted and told apart, up to `FlowTable.capacity`, but
    /// nothing is kept of each: a description takes a few times as much memory as a key.
    static let described = 32_768
}
