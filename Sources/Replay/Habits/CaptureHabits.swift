import DeadzoneBase
package import DeadzoneCaptures

/// The traffic patterns found in a capture, with their energy: bursts with causes, cost of each flow, periodic flows.
/// Filled by a `RadioReplay` with physical rules.
package struct CaptureHabits: Sendable {
    /// In time order.
    package internal(set) var bursts: [TrafficBurst] = []
    /// Number of bursts beyond the limit.
    package internal(set) var unkeptBursts = 0
    package internal(set) var periodic: [PeriodicFlow] = []
    /// Times at which, after a silence of all traffic, data was retransmitted and connections were opened again.
    package internal(set) var reconnects: [ReconnectAfterSilence] = []
    /// Application messages.
    package internal(set) var messages: [RecordedMessage] = []
    /// Flows with a steady stream of small packets in a direction. `RealtimeStream` selects the calls among them.
    package internal(set) var steady: [SteadyFlow] = []
    /// Number of messages beyond the limit.
    package internal(set) var unkeptMessages = 0
    var flowCosts = FlowCosts()
    /// Number of flows with a cost of their own.
    package static let describedFlows = FlowCosts.bound

    package init() {}

    /// Energy of a flow in joules: its promotions, its bits, and the time after its packets, with the tails that it
    /// started.
    package func joules(_ flow: FlowID) -> Double {
        Int(flow.index) < flowCosts.flows.count ? flowCosts.flows[Int(flow.index)].joules : 0
    }

    /// Energy of flows beyond the limit and of packets without a flow.
    package var joulesOfOthers: Double { flowCosts.others }
}

package struct ReconnectAfterSilence: Sendable {
    package let silentFrom: Timestamp
    package let at: Timestamp
}

/// A flow that sends packets at regular intervals, with the interval and the energy.
package struct PeriodicFlow: Sendable {
    package let flow: FlowID
    package let interval: Double
    /// The standard deviation of the intervals.
    package let jitter: Double
    /// Number of intervals.
    package let count: Int
    /// Energy of the packet groups that end these intervals.
    package let joules: Double
}

/// Collects traffic patterns (bursts, messages, periodic flows, calls) from the packets of a replay, in time order.
struct HabitCollector: Sendable {
    private var flowCosts = FlowCosts()
    private var bursts = BurstDetector()
    private var messages = MessageAssembler()
    private var realtime = RealtimeDetector()
    /// Reserves memory for this number of flows.
    mutating func reserve(flows: Int) {
        flowCosts.reserve(flows)
        messages.reserve(flows)
        realtime.reserve(flows)
    }

    mutating func add(_ replayPackets: Span<ReplayPacket>, _ costs: Span<PacketCost>, since origin: Timestamp) {
        flowCosts.add(replayPackets, costs)
        bursts.add(replayPackets, costs)
        messages.add(replayPackets, since: origin)
        realtime.add(replayPackets)
    }

    mutating func finish(_ rest: Double, origin: Timestamp) -> CaptureHabits {
        flowCosts.finish(rest)
        bursts.finish(rest)
        var habits = CaptureHabits()
        habits.flowCosts = flowCosts
        var isPeriodic: Set<UInt32> = []
        for (index, share) in flowCosts.flows.enumerated() {
            guard let period = share.period else { continue }
            isPeriodic.insert(UInt32(index))
            habits.periodic.append(
                PeriodicFlow(
                    flow: FlowID(UInt32(index)), interval: period.interval, jitter: period.jitter,
                    count: period.count, joules: period.joules))
        }
        habits.periodic.sort { ($1.joules, $0.flow.index) < ($0.joules, $1.flow.index) }
        var before: BurstDetector.BurstRecord?
        for entry in bursts.closed {
            if let before, entry.kinds.contains(.opening),
                entry.kinds.contains(.retransmission) || before.kinds.contains(.retransmission)
            {
                habits.reconnects.append(
                    ReconnectAfterSilence(
                        silentFrom: origin + .nanoseconds(before.end), at: origin + .nanoseconds(entry.begin)))
            }
            habits.bursts.append(
                TrafficBurst(
                    begin: origin + .nanoseconds(entry.begin), seconds: Double(entry.end - entry.begin) / 1e9,
                    packets: entry.packets, bytes: entry.bytes, payload: entry.payload, flow: FlowID(entry.flow),
                    cause: entry.cause(isPeriodic: isPeriodic.contains(entry.flow)), joules: entry.joules))
            before = entry
        }
        habits.unkeptBursts = bursts.unkept
        (habits.messages, habits.unkeptMessages) = messages.finish()
        habits.steady = realtime.finish(origin: origin)
        return habits
    }
}
