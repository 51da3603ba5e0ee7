/// Tracks the flows (transport conversations) of a capture and describes the first of them.
struct FlowTracker: ~Copyable {
    /// The stored description of one flow: ends, times and totals. It is a plain value in memory that is touched only
    /// as flows appear.
    private struct FlowRecord {
        var source: UInt128
        var destination: UInt128
        var first: Timestamp
        var last: Timestamp
        /// Totals for each side of the flow.
        var traffic = InlineArray<2, Flow.TrafficTotals>(repeating: Flow.TrafficTotals())
        var interface: UInt32
        var sourcePort: UInt16
        var destinationPort: UInt16
        var app: AppID
        var neighbourTraffic: NeighbourTraffic
        var network: NetworkProtocol
        var transport: TransportProtocol
        var device: PacketDirection
        var hello: HelloState
        /// The packets of each side that the fast path may decode.
        var fastPath = InlineArray<2, FastPath>(repeating: .none)
    }

    private enum HelloState: UInt8 { case expected, partial, done }

    private enum FastPath: UInt8 { case none, withoutPayload, all }

    private var table = FlowTable()
    private let records: UnsafeMutablePointer<FlowRecord>
    var described: Int { min(table.count, Flow.described) }
    private(set) var counts = FlowCounts()
    private var serverNames: [UInt32: String] = [:]
    private var hellos = PartialHellos()

    init() { records = .allocate(capacity: Flow.described) }
    deinit { records.deallocate() }

    struct FlowLookup {
        var state: UnsafeMutablePointer<FlowTable.State>
        var isLower: Bool

        /// Direction of the packet if the flow's device end is known; `nil` if not.
        @inline(__always) var direction: PacketDirection? {
            let device = state.pointee.device
            return device == .unknown ? nil : (device == .lower) == isLower ? .up : .down
        }
    }

    /// Looks up or creates the flow of a packet with ports; sets the packet's flow and side.
    @inline(__always) mutating func flowLookup(_ packet: inout CapturedPacket, _ result: inout Dissection)
        -> FlowLookup?
    {
        let (key, isLower) = FlowKey.of(&result, isIPv6: packet.network != .ipv4, isUDP: packet.transport == .udp)
        guard let found = table.find(key) else {
            packet.flow = .overflow
            counts.overflowPackets &+= 1
            return nil
        }
        let state = table.state(found.number)
        packet.flow = found.number < Flow.described ? FlowID(UInt32(truncatingIfNeeded: found.number)) : .overflow
        if found.isNew {
            state.pointee.isOpenerLower = isLower
            add(packet, result)
        }
        packet.side = isLower == state.pointee.isOpenerLower ? .opener : .answerer
        if packet.flow.isKnown { record(packet.flow, packet.side, packet) }
        return FlowLookup(state: state, isLower: isLower)
    }

    /// Looks up or creates the flow of a packet with a direction in the file.
    mutating func add(_ packet: inout CapturedPacket, _ result: inout Dissection) {
        guard let found = flowLookup(&packet, &result), found.state.pointee.device == .unknown else { return }
        let isUp = packet.direction == .up
        found.state.pointee.device = isUp == found.isLower ? .lower : .higher
        setDevice(packet.flow, isOpener: isUp == (packet.side == .opener))
    }

    /// A flow about which everything is known, as the fast path needs it: index, side and direction.
    struct KnownFlow {
        let id: FlowID
        let side: FlowSide
        let direction: PacketDirection
    }

    /// Returns the flow for the fast path. `nil` if the packet may contain a name, or if `allowFastPath` was not called
    /// for its flow and side.
    @inline(__always) mutating func knownFlow(_ head: FastPathHeader) -> KnownFlow? {
        let (key, isLower) = FlowKey.of(head.source, head.destination, isUDP: head.isUDP)
        guard let number = table.look(for: key), number < Flow.described else { return nil }
        let state = table.state(number).pointee
        let isOpener = isLower == state.isOpenerLower
        let fastPath = records[number].fastPath[isOpener ? 0 : 1]
        guard fastPath == .all || fastPath == .withoutPayload && head.payloadCaptured == 0 else { return nil }
        return KnownFlow(
            id: FlowID(UInt32(truncatingIfNeeded: number)), side: isOpener ? .opener : .answerer,
            direction: (state.device == .lower) == isLower ? .up : .down)
    }

    /// Lets later packets of the flow and side of this IPv4 packet take the fast path, if the direction of the flow is
    /// known. Packets that may contain a name are left out: DNS answers, and the opener's first bytes.
    @inline(never) func allowFastPath(_ packet: CapturedPacket, _ result: Dissection, _ lookup: FlowLookup) {
        let isAnswerOfDNS = packet.transport == .udp && result.sourcePort == 53
        guard packet.flow.isKnown, lookup.state.pointee.device != .unknown, !isAnswerOfDNS else { return }
        let record = records + Int(packet.flow.index)
        let mayHoldName = packet.side == .opener && record.pointee.hello != .done
        record.pointee.fastPath[Int(packet.side.rawValue)] = mayHoldName ? .withoutPayload : .all
    }

    /// Counts a packet of a described flow.
    @inline(__always) func record(_ flow: FlowID, _ side: FlowSide, _ packet: CapturedPacket) {
        let record = records + Int(flow.index)
        record.pointee.last = packet.stamp
        // No branch on the side: it alternates too often to be predicted.
        let side = Int(side.rawValue)
        record.pointee.traffic[side].packets &+= 1
        record.pointee.traffic[side].bytes &+= UInt64(packet.wireLength)
        if packet.app != .none { record.pointee.app = packet.app }
    }

    @inline(never) private mutating func add(_ packet: CapturedPacket, _ result: Dissection) {
        if packet.transport == .udp { counts.udp += 1 } else { counts.tcp += 1 }
        guard packet.flow.isKnown else { return }
        (records + Int(packet.flow.index)).initialize(
            to: FlowRecord(
                source: result.source, destination: result.destination, first: packet.stamp, last: packet.stamp,
                interface: packet.interface, sourcePort: result.sourcePort, destinationPort: result.destinationPort,
                app: packet.app, neighbourTraffic: packet.neighbourTraffic,
                network: packet.network, transport: packet.transport, device: .unknown,
                hello: packet.transport == .tcp ? .expected : .done))
    }

    /// Sets which end is the device; `.up` means the opener.
    func setDevice(_ id: FlowID, isOpener: Bool) {
        if id.isKnown { records[Int(id.index)].device = isOpener ? .up : .down }
    }

    /// `true` if a server name may still follow.
    @inline(__always) func expectsHello(_ packet: UnsafeMutablePointer<CapturedPacket>) -> Bool {
        guard packet.pointee.flow.isKnown, packet.pointee.side == .opener else { return false }
        return records[Int(packet.pointee.flow.index)].hello != .done
    }

    /// Looks for a server name in the opener's first bytes.
    mutating func readHello(_ packet: CapturedPacket, _ payload: Bytes) {
        continueHello(packet, payload, records + Int(packet.flow.index))
    }

    @inline(never) private mutating func continueHello(
        _ packet: CapturedPacket, _ payload: Bytes, _ record: UnsafeMutablePointer<FlowRecord>
    ) {
        let flow = packet.flow.index
        let finding =
            record.pointee.hello == .expected
            ? hellos.begin(flow, packet.sequence, payload) : hellos.resume(on: flow, packet.sequence, payload)
        switch finding {
        case .name(let name):
            serverNames[flow] = name
            record.pointee.hello = .done
        case .nothing: record.pointee.hello = .done
        case .needsMore: record.pointee.hello = .partial
        }
    }

    func flow(_ id: FlowID) -> Flow {
        precondition(id.index < described, "flow \(id.index) of \(described)")
        let record = records[Int(id.index)]
        let isIPv6 = record.network == .ipv6
        func end(_ bits: UInt128, _ port: UInt16) -> Flow.Endpoint {
            Flow.Endpoint(address: IPAddress(bits: bits, isIPv6: isIPv6), port: port)
        }
        return Flow(
            network: record.network, transport: record.transport, opener: end(record.source, record.sourcePort),
            answerer: end(record.destination, record.destinationPort),
            deviceSide: record.device == .unknown ? nil : record.device == .up ? .opener : .answerer,
            first: record.first, last: record.last,
            fromOpener: record.traffic[0], fromAnswerer: record.traffic[1], app: record.app,
            interface: record.interface, neighbourTraffic: record.neighbourTraffic, serverName: serverNames[id.index])
    }
}

/// Collects TLS ClientHello messages that span several segments, until they are complete.
struct PartialHellos {
    /// Limits: ClientHellos at once, and bytes of one. Those with post-quantum keys have about 1,800 bytes.
    private static let most = 256
    private static let longest = 8_192

    private struct Partial {
        var bytes: [UInt8]
        var nextSequence: UInt32
    }

    private var partials: [UInt32: Partial] = [:]

    mutating func begin(_ flow: UInt32, _ sequence: UInt32, _ payload: Bytes) -> ClientHello.NameResult {
        let finding = ClientHello.read(payload)
        guard finding == .needsMore else { return finding }
        guard partials.count < Self.most, payload.count < Self.longest else { return .nothing }
        let bytes = Array(UnsafeRawBufferPointer(start: payload.start, count: payload.count))
        partials[flow] = Partial(bytes: bytes, nextSequence: sequence &+ UInt32(payload.count))
        return .needsMore
    }

    /// Appends a segment to a partial ClientHello. A segment out of order ends the search: the name stays unknown,
    /// which is safe.
    mutating func resume(on flow: UInt32, _ sequence: UInt32, _ payload: Bytes) -> ClientHello.NameResult {
        guard var partial = partials.removeValue(forKey: flow) else { return .nothing }
        guard sequence == partial.nextSequence else {
            // Ignore a retransmission of the same segment.
            guard sequence &+ UInt32(truncatingIfNeeded: payload.count) == partial.nextSequence else { return .nothing }
            partials[flow] = partial
            return .needsMore
        }
        guard partial.bytes.count + payload.count <= Self.longest else { return .nothing }
        partial.bytes += UnsafeRawBufferPointer(start: payload.start, count: payload.count)
        partial.nextSequence &+= UInt32(payload.count)
        let finding = partial.bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { ClientHello.read(Bytes($0, count: buffer.count)) } ?? .nothing
        }
        if finding == .needsMore { partials[flow] = partial }
        return finding
    }
}
