import DeadzoneCaptures
public import DeadzoneFit
import DeadzonePrimitives

extension Recording {
    /// The client whose attempts the capture holds the most of; others are named in a note.
    public init(_ name: String, _ opened: OpenedCapture) {
        let reader = opened.reader
        var book = LineBook<FlowID>()
        var first: Stamp?
        while reader.next({ packets in
            for index in packets.indices where packets[index].isTCP && packets[index].flow.isKnown {
                let packet = packets[index]
                if first == nil { first = packet.stamp }
                let at = Instant.zero + (packet.stamp - (first ?? packet.stamp))
                book.take(.init(packet), of: packet.flow, at: at)
            }
        }) {}
        func server(_ id: FlowID) -> String {
            guard Int(id.index) < reader.describedFlows else { return "others" }
            let flow = reader.flow(id)
            return "\(reader.remoteName(flow) ?? flow.remote.address.text) port \(flow.remote.port)"
        }
        self.init(name, book.lines.map { (server($0.name), $0.line) })
        notes += opened.notes
    }

    /// - Parameter lines: with the server's name each.
    public init(_ name: String, _ lines: [(server: String, line: Line)]) {
        let servers = Dictionary(grouping: lines, by: \.server)
        let most = servers.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        self.init(name, most?.value.map(\.line) ?? [])
        if let most, servers.count > 1 {
            notes.append(
                "\(name): \(plural(servers.count, "server")); this is of \(most.key), to which most attempts went")
        }
    }
}

extension LineBook.Segment {
    fileprivate init(_ packet: Packet) {
        self.init(isUp: packet.direction == .up || packet.direction == .unknown && packet.side == .opener)
        begins = packet.flags.contains(.syn)
        acknowledges = packet.flags.contains(.ack)
        ends = packet.flags.contains(.fin)
        resets = packet.flags.contains(.rst)
        carriesBytes = packet.payloadLength > 0
        isPing = packet.sign == .ping
        sequence = packet.sequence
    }
}
