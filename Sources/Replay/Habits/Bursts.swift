public import DeadzoneCaptures
import DeadzonePrimitives

/// Why the radio worked, as far as packets tell.
public enum BurstCause: String, CaseIterable, Sendable {
    /// Longer than 5 s, with more than 100 000 bytes of payload.
    case large
    /// SYN, FIN, RST, windows: nothing was carried.
    case control
    /// TCP's own probes, and nothing else.
    case keepalive
    case retransmission
    /// Its first packet is one of a flow that comes round.
    case periodic
    case server, client, unknown
}

/// Packets with no more than 1.5 s between.
public struct Burst: Sendable {
    public internal(set) var begin: Stamp
    public internal(set) var seconds: Double
    public internal(set) var packets: Int
    public internal(set) var bytes: Int
    public internal(set) var payload: Int
    /// Of the first packet.
    public internal(set) var flow: FlowID
    public internal(set) var cause: BurstCause
    /// Its promotion, its bits, and all radio time until the next burst, idle apart.
    public internal(set) var joules: Double
}

/// Cuts the time of a capture into bursts, by ARO's rule (`BurstCollectionAnalysisImpl`): after more than 1.5 s of silence
/// a new one begins, unless the packet before the silence was as large as most large ones are: then something was still
/// coming. Which sizes these are is known at the end only, so bursts are joined then.
///
/// ARO takes the delays of promotions out of the stamps before it joins; here promotions lie before the packets. What ARO
/// knows of the user and the processor no capture holds.
struct BurstBook: Sendable {
    static let gap: Int64 = 1_500_000_000
    /// Bursts that are kept one by one; the later ones are not.
    static let bound = 1 << 16

    struct Entry: Sendable {
        var begin: Int64
        var end: Int64
        var packets = 0
        var bytes = 0
        var payload = 0
        var joules = 0.0
        var flow: UInt32
        var firstKind: PacketKind
        var firstIsUp: Bool
        var hasControl = false
        var hasKeepalive = false
        var lastPayload: UInt32 = 0
        var hasRetransmission = false
        var hasOpening = false
    }

    private(set) var closed: [Entry] = []
    private(set) var unkept = 0
    private var open = Entry(begin: 0, end: -farthest - 2 * gap, flow: 0, firstKind: .other, firstIsUp: false)
    /// How often payloads of each size beyond 1000 bytes occurred.
    private var sizes = [UInt32](repeating: 0, count: 1 << 16)

    /// What radio time before a packet cost belongs to the burst before; what the packet itself caused, to its own.
    mutating func add(_ blips: Span<Blip>, _ tolls: Span<Toll>) {
        for index in blips.indices {
            open.joules += tolls[index].before
            if blips[index].at &- open.end > Self.gap { begin(blips[index]) }
            open.take(blips[index], tolls[index].own)
        }
        var sizes = sizes.mutableSpan
        for index in blips.indices {
            let size = Int(blips[index].payload)
            if size > 1_000, size < sizes.count { sizes[size] &+= 1 }
        }
    }

    @inline(never)
    private mutating func begin(_ blip: Blip) {
        close()
        open = Entry(begin: blip.at, end: blip.at, flow: blip.flow, firstKind: blip.kind, firstIsUp: blip.isUp)
    }

    private mutating func close() {
        guard open.packets > 0 else { return }
        if closed.count < Self.bound { closed.append(open) } else { unkept += 1 }
    }

    mutating func finish(_ rest: Double) {
        open.joules += rest
        close()
        let large = largeSizes
        var joined: [Entry] = []
        for burst in closed {
            if let before = joined.last, large(before.lastPayload) {
                joined[joined.count - 1].join(burst)
            } else {
                joined.append(burst)
            }
        }
        closed = joined
    }

    /// Sizes that make more than 30 % of all large packets whose size occurs again; 1460 where none does.
    private var largeSizes: (UInt32) -> Bool {
        let repeated = sizes.reduce(0) { $0 + ($1 > 1 ? Int($1) : 0) }
        guard repeated > 0 else { return { $0 == 1_460 } }
        let large = Set(sizes.indices.filter { sizes[$0] > 1 && Double(sizes[$0]) / Double(repeated) > 0.3 })
        return { large.contains(Int($0)) }
    }
}

extension BurstBook.Entry {
    @inline(__always)
    fileprivate mutating func take(_ blip: Blip, _ own: Double) {
        end = blip.at
        packets &+= 1
        bytes &+= Int(blip.bytes)
        payload &+= Int(blip.payload)
        joules += own
        lastPayload = blip.payload
        switch blip.kind {
        case .opening:
            hasControl = true
            hasOpening = true
        case .control: hasControl = true
        case .keepalive, .keepaliveAnswer: hasKeepalive = true
        case .retransmission: hasRetransmission = true
        case .data, .acknowledgement, .duplicateAcknowledgement, .other: break
        }
    }

    fileprivate mutating func join(_ later: Self) {
        end = later.end
        packets += later.packets
        bytes += later.bytes
        payload += later.payload
        joules += later.joules
        lastPayload = later.lastPayload
        hasControl = hasControl || later.hasControl
        hasKeepalive = hasKeepalive || later.hasKeepalive
        hasRetransmission = hasRetransmission || later.hasRetransmission
        hasOpening = hasOpening || later.hasOpening
    }

    /// In ARO's order of questions.
    func cause(isPeriodic: Bool) -> BurstCause {
        if end - begin > 5_000_000_000, payload > 100_000 { return .large }
        let isProbe = hasKeepalive && payload <= packets
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
