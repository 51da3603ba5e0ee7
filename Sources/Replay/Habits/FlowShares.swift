import DeadzoneCaptures

/// Who pays for the radio: every flow for its promotions, its bits, and the time after each of its packets until the next
/// packet of anybody, the tail with it. Idle time is nobody's. The shares and idle add up to the whole.
struct FlowShares: Sendable {
    /// Flows that are told apart; those beyond pay together.
    static let bound = 1 << 15

    private(set) var flows: [FlowShare] = []
    private(set) var others = 0.0

    private var lastFlow = FlowID.none.index

    mutating func hold(_ count: Int) {
        guard flows.count < count else { return }
        let missing = max(count, min(2 * flows.count, Self.bound)) - flows.count
        flows.append(contentsOf: repeatElement(FlowShare(), count: missing))
    }

    /// Packets in the order of time: what lies before one is paid by the flow of the one before.
    mutating func add(_ blips: Span<Blip>, _ tolls: Span<Toll>) {
        Self.add(blips, tolls, to: &flows, &others, &lastFlow)
    }

    private static func add(
        _ blips: Span<Blip>, _ tolls: Span<Toll>, to flows: inout [FlowShare], _ others: inout Double,
        _ lastFlow: inout UInt32
    ) {
        var flows = flows.mutableSpan
        var flow = Int(lastFlow)
        for index in blips.indices {
            let toll = tolls[index]
            if toll.before > 0 {
                if flow < flows.count { flows[flow].joules += toll.before } else { others += toll.before }
            }
            flow = Int(blips[index].flow)
            if flow < flows.count { flows[flow].take(toll.own, at: blips[index].at) } else { others += toll.own }
        }
        lastFlow = UInt32(flow)
    }

    mutating func finish(_ rest: Double) {
        if Int(lastFlow) < flows.count { flows[Int(lastFlow)].joules += rest } else { others += rest }
        for index in flows.indices { flows[index].finish() }
    }
}

/// What one flow paid, and whether it comes round. A group is what a flow sends and receives with no more than
/// `groupGap` between; an interval goes from one group's first packet to the next one's. The interval that most have is
/// found by a vote that needs no memory of them: each that lies close to the candidate supports it, each other opposes it,
/// and a candidate without support gives way.
struct FlowShare: Sendable, BitwiseCopyable {
    /// ARO's burst threshold (`BURST_TH`), within one flow.
    static let groupGap: Int64 = 1_500_000_000
    /// Intervals this close are one (`PERIOD_CYCLE_TOL`), shorter ones within a quarter.
    static let tolerance: Int64 = 1_000_000_000
    /// `PERIOD_MIN_SAMPLES`
    static let leastIntervals = 3

    // What every packet touches stands together.
    var joules = 0.0
    private var last = -farthest - 2 * groupGap
    private var groupFrom = Int64.min
    private var joulesBefore = 0.0
    private var candidate: Int64 = 0
    private var tally = Tally()
    private var votes: Int32 = 0
    private var isRegular = false

    private struct Tally: Sendable, BitwiseCopyable {
        var count = 0
        var sum = 0.0
        var squares = 0.0
        var joules = 0.0
    }

    /// The interval of a flow that comes round, in seconds, its standard deviation, how many intervals there were, and
    /// what the groups after them cost.
    var period: (interval: Double, jitter: Double, count: Int, joules: Double)? {
        guard tally.count >= Self.leastIntervals else { return nil }
        let mean = tally.sum / Double(tally.count)
        let variance = max(0, tally.squares / Double(tally.count) - mean * mean)
        return (mean, Self.root(variance), tally.count, tally.joules)
    }

    /// By Newton: no other use of a mathematical library here.
    private static func root(_ number: Double) -> Double {
        guard number > 0 else { return 0 }
        var root = max(number, 1)
        for _ in 0..<64 { root = (root + number / root) / 2 }
        return root
    }

    @inline(__always)
    mutating func take(_ own: Double, at now: Int64) {
        joules += own
        if now &- last > Self.groupGap { beginGroup(now) }
        last = now
    }

    mutating func finish() { settle() }

    private mutating func settle() {
        if isRegular { tally.joules += joules - joulesBefore }
        isRegular = false
    }

    @inline(never)
    private mutating func beginGroup(_ now: Int64) {
        settle()
        if groupFrom != .min { judge(now - groupFrom) }
        groupFrom = now
        joulesBefore = joules
    }

    private mutating func judge(_ interval: Int64) {
        let isClose = abs(interval - candidate) <= min(Self.tolerance, candidate / 4)
        if isClose, votes > 0 {
            votes &+= 1
        } else {
            votes &-= 1
            if votes < 0 {
                candidate = interval
                votes = 1
                tally = Tally()
            } else {
                return
            }
        }
        let seconds = Double(interval) / 1e9
        tally.count += 1
        tally.sum += seconds
        tally.squares += seconds * seconds
        isRegular = true
    }
}
