import DeadzoneCaptures

/// Divides the radio's energy among the flows (transport conversations) of a capture.
///
/// A flow is charged for its promotions, its bits, and the time after each of its packets, tail included, until the
/// next packet of any flow. Idle time is charged to no flow. The flows' energy and idle sum to the total.
struct FlowCosts: Sendable {
    /// Flows with a cost of their own; the cost of all others is summed.
    static let bound = 1 << 15

    private(set) var flows: [FlowCost] = []
    private(set) var others = 0.0

    private var lastFlow = FlowID.none.index

    mutating func reserve(_ count: Int) {
        guard flows.count < count else { return }
        let missing = max(count, min(2 * flows.count, Self.bound)) - flows.count
        flows.append(contentsOf: repeatElement(FlowCost(), count: missing))
    }

    /// Adds packets in time order. The time before a packet is charged to the flow of the previous packet.
    mutating func add(_ replayPackets: Span<ReplayPacket>, _ costs: Span<PacketCost>) {
        Self.add(replayPackets, costs, to: &flows, &others, &lastFlow)
    }

    private static func add(
        _ replayPackets: Span<ReplayPacket>, _ costs: Span<PacketCost>, to flows: inout [FlowCost],
        _ others: inout Double,
        _ lastFlow: inout UInt32
    ) {
        var flows = flows.mutableSpan
        // As many costs as packets: one check of the bounds for both.
        let costs = costs.extracting(0..<replayPackets.count)
        var flow = Int(lastFlow)
        for index in replayPackets.indices {
            let cost = costs[index]
            if cost.before > 0 {
                if flow < flows.count { flows[flow].joules += cost.before } else { others += cost.before }
            }
            flow = Int(replayPackets[index].flow)
            if flow < flows.count {
                flows[flow].addPacket(cost.own, at: replayPackets[index].at)
            } else {
                others += cost.own
            }
        }
        lastFlow = UInt32(flow)
    }

    mutating func finish(_ rest: Double) {
        if Int(lastFlow) < flows.count { flows[Int(lastFlow)].joules += rest } else { others += rest }
        for index in flows.indices { flows[index].finish() }
    }
}

/// The energy of one flow (transport conversation), and the flow's period if it is periodic.
///
/// A group consists of the flow's packets with gaps of at most `groupGap`. An interval is the time between the first
/// packets of two groups. The most common interval is found by majority vote in constant memory: each interval close to
/// the candidate supports it, each other opposes it, and a candidate without support is replaced.
struct FlowCost: Sendable, BitwiseCopyable {
    /// ARO's burst threshold (`BURST_TH`), within one flow.
    static let groupGap: Int64 = 1_500_000_000
    /// Intervals that differ by at most this are equal (`PERIOD_CYCLE_TOL`); for a short candidate, by a quarter of it.
    static let tolerance: Int64 = 1_000_000_000
    /// Fewest intervals of a periodic flow (`PERIOD_MIN_SAMPLES`).
    static let leastIntervals = 3

    // The fields that every packet updates are adjacent.
    var joules = 0.0
    private var last = -farthest - 2 * groupGap
    private var groupFrom = Int64.min
    private var joulesBefore = 0.0
    private var candidate: Int64 = 0
    private var statistics = IntervalStatistics()
    private var votes: Int32 = 0
    private var isRegular = false

    private struct IntervalStatistics: Sendable, BitwiseCopyable {
        var count = 0
        var sum = 0.0
        var squares = 0.0
        var joules = 0.0
    }

    /// For a periodic flow: the interval in seconds, its standard deviation, the number of intervals, and the energy of
    /// the groups after them.
    var period: (interval: Double, jitter: Double, count: Int, joules: Double)? {
        guard statistics.count >= Self.leastIntervals else { return nil }
        let mean = statistics.sum / Double(statistics.count)
        let variance = max(0, statistics.squares / Double(statistics.count) - mean * mean)
        return (mean, Self.root(variance), statistics.count, statistics.joules)
    }

    /// Square root by Newton's method; nothing else here needs a mathematical library.
    private static func root(_ number: Double) -> Double {
        guard number > 0 else { return 0 }
        var root = max(number, 1)
        for _ in 0..<64 { root = (root + number / root) / 2 }
        return root
    }

    @inline(__always)
    mutating func addPacket(_ own: Double, at now: Int64) {
        joules += own
        if now &- last > Self.groupGap { beginGroup(now) }
        last = now
    }

    mutating func finish() { closeGroup() }

    private mutating func closeGroup() {
        if isRegular { statistics.joules += joules - joulesBefore }
        isRegular = false
    }

    @inline(never)
    private mutating func beginGroup(_ now: Int64) {
        closeGroup()
        if groupFrom != .min { vote(now - groupFrom) }
        groupFrom = now
        joulesBefore = joules
    }

    private mutating func vote(_ interval: Int64) {
        let isClose = abs(interval - candidate) <= min(Self.tolerance, candidate / 4)
        if isClose, votes > 0 {
            votes &+= 1
        } else {
            votes &-= 1
            if votes < 0 {
                candidate = interval
                votes = 1
                statistics = IntervalStatistics()
            } else {
                return
            }
        }
        let seconds = Double(interval) / 1e9
        statistics.count += 1
        statistics.sum += seconds
        statistics.squares += seconds * seconds
        isRegular = true
    }
}
