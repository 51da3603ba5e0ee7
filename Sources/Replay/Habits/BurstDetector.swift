import DeadzoneBase
package import DeadzoneCaptures

/// The cause of a burst of packets (such as a keepalive), as far as the packets show it.
package enum BurstCause: String, CaseIterable, Sendable {
    /// Longer than 5 s, with more than 100 000 bytes of payload.
    case large
    /// SYN, FIN or RST, without payload beyond keepalive probes.
    case control
    /// TCP keepalive probes only.
    case keepalive
    case retransmission
    /// The first packet belongs to a periodic flow.
    case periodic
    case server, client, unknown
}

/// A burst: a group of captured packets with gaps of at most 1.5 s, and the energy that it costs.
package struct TrafficBurst: Sendable {
    package internal(set) var begin: Timestamp
    package internal(set) var seconds: Double
    package internal(set) var packets: Int
    package internal(set) var bytes: Int
    package internal(set) var payload: Int
    /// Flow of the first packet.
    package internal(set) var flow: FlowID
    package internal(set) var cause: BurstCause
    /// Energy of its promotion, its bits, and all radio time until the next burst, idle excluded.
    package internal(set) var joules: Double
}

/// Splits the packets of a capture into bursts, by the rule of the tool ARO (`BurstCollectionAnalysisImpl`).
///
/// After more than 1.5 s of silence a new burst begins, unless the last packet before the silence had the size of most
/// large packets: then more data was still to come. These sizes are known only at the end, so bursts are joined then.
///
/// ARO subtracts promotion delays from the timestamps before it joins; here promotions are placed before the packets.
/// ARO also uses data about the user and the processor, which captures do not contain.
struct BurstDetector: Sendable {
    static let gap: Int64 = 1_500_000_000
    /// Number of bursts that are kept individually; later ones are dropped.
    static let bound = 1 << 16

    struct BurstRecord: Sendable {
        var begin: Int64
        var end: Int64
        var packets = 0
        var bytes = 0
        var payload = 0
        var joules = 0.0
        var flow: UInt32
        var firstKind: PacketKind
        var firstIsUp: Bool
        var lastPayload: UInt32 = 0
        /// The kinds of its packets.
        var kinds = PacketKinds()
    }

    private(set) var closed: [BurstRecord] = []
    private(set) var unkept = 0
    private var open = BurstRecord(begin: 0, end: -farthest - 2 * gap, flow: 0, firstKind: .other, firstIsUp: false)
    /// Number of payloads of each size above 1000 bytes.
    private var sizes = [UInt32](repeating: 0, count: 1 << 16)

    /// Adds packets. The cost before a packet belongs to the previous burst; the packet's own cost belongs to its own
    /// burst.
    mutating func add(_ replayPackets: Span<ReplayPacket>, _ costs: Span<PacketCost>) {
        let costs = costs.extracting(0..<replayPackets.count)
        for index in replayPackets.indices {
            open.joules += costs[index].before
            if replayPackets[index].at &- open.end > Self.gap { begin(replayPackets[index]) }
            open.add(replayPackets[index], costs[index].own)
        }
        var sizes = sizes.mutableSpan
        for index in replayPackets.indices {
            let size = Int(replayPackets[index].payload)
            if size > 1_000, size < sizes.count { sizes[size] &+= 1 }
        }
    }

    @inline(never)
    private mutating func begin(_ replayPacket: ReplayPacket) {
        close()
        open = BurstRecord(
            begin: replayPacket.at, end: replayPacket.at, flow: replayPacket.flow, firstKind: replayPacket.kind,
            firstIsUp: replayPacket.isUp)
    }

    private mutating func close() {
        guard open.packets > 0 else { return }
        if closed.count < Self.bound { closed.append(open) } else { unkept += 1 }
    }

    mutating func finish(_ rest: Double) {
        open.joules += rest
        close()
        let large = largeSizes
        var joined: [BurstRecord] = []
        for burst in closed {
            if let before = joined.last, large(before.lastPayload) {
                joined[joined.count - 1].join(burst)
            } else {
                joined.append(burst)
            }
        }
        closed = joined
    }

    /// Payload sizes that make up more than 30 % of all large packets with a repeated size; 1460 if no size is
    /// repeated.
    private var largeSizes: (UInt32) -> Bool {
        let repeated = sizes.reduce(0) { $0 + ($1 > 1 ? Int($1) : 0) }
        guard repeated > 0 else { return { $0 == 1_460 } }
        // At most three sizes: a list is faster than a set.
        let large = sizes.indices.filter { sizes[$0] > 1 && Double(sizes[$0]) / Double(repeated) > 0.3 }
        return { large.contains(Int($0)) }
    }
}

extension BurstDetector.BurstRecord {
    @inline(__always)
    fileprivate mutating func add(_ replayPacket: ReplayPacket, _ own: Double) {
        end = replayPacket.at
        packets &+= 1
        bytes &+= Int(replayPacket.bytes)
        payload &+= Int(replayPacket.payload)
        joules += own
        lastPayload = replayPacket.payload
        kinds.insert(replayPacket.kind)
    }

    fileprivate mutating func join(_ later: Self) {
        end = later.end
        packets += later.packets
        bytes += later.bytes
        payload += later.payload
        joules += later.joules
        lastPayload = later.lastPayload
        kinds.formUnion(later.kinds)
    }

    /// Classifies the burst. The conditions are tested in ARO's order.
    func cause(isPeriodic: Bool) -> BurstCause {
        if end - begin > 5_000_000_000, payload > 100_000 { return .large }
        let hasControl = kinds.contains(.control) || kinds.contains(.opening)
        let isProbe = (kinds.contains(.keepalive) || kinds.contains(.keepaliveAnswer)) && payload <= packets
        if isProbe, !hasControl { return .keepalive }
        if payload == 0 || isProbe {
            if hasControl { return .control }
            if firstKind == .duplicateAcknowledgement { return .retransmission }
        }
        if firstKind == .retransmission || firstKind == .duplicateAcknowledgement { return .retransmission }
        if isPeriodic { return .periodic }
        if !firstIsUp { return .server }
        return payload == 0 ? .unknown : .client
    }
}
