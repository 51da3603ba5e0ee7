import DeadzoneBase
import DeadzoneCaptures
package import DeadzoneFit

extension Recording {
    /// Builds a recording from a capture: the connections to the server with the most attempts. Other servers are
    /// mentioned in a note.
    package init(_ name: String, _ opened: OpenedCapture) {
        let reader = opened.reader
        var book = ConnectionTracker<FlowID>()
        var first: Timestamp?
        while reader.next({ packets in
            for index in packets.indices where packets[index].isTCP && packets[index].flow.isKnown {
                let packet = packets[index]
                if first == nil { first = packet.stamp }
                let at = Instant.zero + (packet.stamp - (first ?? packet.stamp))
                book.add(.init(packet), of: packet.flow, at: at)
            }
        }) {}
        var connections = book.connections
        var limits: [String] = []
        if let contents = reader.traceContents {
            connections.removeAll { Int($0.name.index) < reader.describedFlows && reader.flow($0.name).local.port == 0 }
            limits = contents.notes + Self.traceLimits
        }
        func server(_ id: FlowID) -> String {
            guard Int(id.index) < reader.describedFlows else { return "others" }
            let flow = reader.flow(id)
            guard flow.remote.address.isStated else {
                let apps = reader.apps
                let app = Int(flow.app.index) < apps.count ? apps[Int(flow.app.index)].name : "an unknown app"
                return "\(app) to port \(flow.remote.port)"
            }
            return "\(reader.remoteName(flow) ?? flow.remote.address.text) port \(flow.remote.port)"
        }
        self.init(name, connections.map { (server($0.name), $0.line) })
        notes += opened.notes + limits
    }

    /// Limits of a Perfetto trace as the recording of a client.
    private static let traceLimits = [
        "without addresses, the connections of one app to one port count as connections to one server",
        "without payloads and sequence numbers, pings count as requests, and a request that the kernel repeats counts twice",
    ]

    /// - Parameter lines: the connections, each with the name of its server.
    package init(_ name: String, _ lines: [(server: String, line: RecordedConnection)]) {
        let servers = Dictionary(grouping: lines, by: \.server)
        let most = servers.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        self.init(name, most?.value.map(\.line) ?? [])
        if let most, servers.count > 1 {
            notes.append(
                "\(name): \(plural(servers.count, "server")); only \(most.key) is used, which has the most attempts")
        }
    }
}

extension ConnectionTracker.Segment {
    fileprivate init(_ packet: CapturedPacket) {
        self.init(isUp: packet.direction == .up || packet.direction == .unknown && packet.side == .opener)
        isSYN = packet.flags.contains(.syn)
        isACK = packet.flags.contains(.ack)
        isFIN = packet.flags.contains(.fin)
        isRST = packet.flags.contains(.rst)
        carriesBytes = packet.payloadLength > 0
        isPing = packet.pingFrame == .ping
        handshake = packet.handshake
        sequence = packet.sequence
        length = packet.payloadLength
    }
}
