/// A flow (transport conversation) as the capture shows it: both ends, times, and bytes in each direction.
package struct Flow: Sendable {
    package var network: NetworkProtocol
    package var transport: TransportProtocol
    /// Sender of the first packet of the flow in the capture.
    package var opener: Endpoint
    package var answerer: Endpoint
    /// The device's end; `nil` if it could not be determined.
    package var deviceSide: FlowSide?
    package var first: Timestamp
    /// Timestamp of the last packet in file order.
    package var last: Timestamp
    package var fromOpener = TrafficTotals()
    package var fromAnswerer = TrafficTotals()
    package var app: AppID
    package var interface: UInt32
    /// Kind of neighbour traffic of the first packet.
    package var neighbourTraffic: NeighbourTraffic
    /// Server name from the client's TLS ClientHello.
    package var serverName: String?

    package struct Endpoint: Hashable, Sendable {
        package var address: IPAddress
        package var port: UInt16

        package var text: String { address.isIPv6 ? "[\(address.text)]:\(port)" : "\(address.text):\(port)" }
    }

    package struct TrafficTotals: Hashable, Sendable {
        package var packets: UInt64 = 0
        /// Bytes on the wire.
        package var bytes: UInt64 = 0
    }

    /// The end that is not the device; if the device is unknown, the end that did not open the flow.
    package var remote: Endpoint { deviceSide == .answerer ? opener : answerer }
    package var local: Endpoint { deviceSide == .answerer ? answerer : opener }
    package var up: TrafficTotals { deviceSide == .answerer ? fromAnswerer : fromOpener }
    package var down: TrafficTotals { deviceSide == .answerer ? fromOpener : fromAnswerer }

    /// Name of the remote host in tables, if no name is known: its address, or its port if the address is not stated.
    package var remoteLabel: String { remote.address.isStated ? remote.address.text : "port \(remote.port)" }

    /// Text such as `tcp 10.0.0.2:50000 > 192.0.2.1:443`, the device's end first.
    package var text: String { "\(transport == .tcp ? "tcp" : "udp") \(local.text) > \(remote.text)" }
}

extension Flow {
    /// Number of flows with a full description. Flows beyond it are still counted and distinguished, up to
    /// `FlowTable.capacity`, but not described: a description takes a few times the memory of a key.
    static let described = 32_768
}
