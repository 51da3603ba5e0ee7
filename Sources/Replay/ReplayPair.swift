package import DeadzoneBase
package import DeadzoneCaptures

/// Replays a capture twice on one radio: with all packets, and without the traffic of neighbouring hosts. A cellular
/// network would not carry such neighbour traffic.
///
/// Loopback packets are in neither replay, because no radio carries them. A capture of loopback traffic alone, such as
/// a developer's test on one machine, is replayed with it. Whether it is one is known only at the first packet of a
/// network, so until then replays with and without loopback packets are kept.
package struct ReplayPair: Sendable {
    private var replays: Replays
    /// The same replays without loopback packets, from the first such packet to the first packet of a network.
    private var withoutLoopback: Replays?
    /// `true` after the first packet of the phone itself that is not loopback.
    private var hasNetworkTraffic = false
    /// Time of the last packet, also of an excluded one.
    private var last = Timestamp.epoch

    /// - Parameters:
    ///   - includesNeighbours: `true` on Wi-Fi, where a phone receives its neighbours' traffic.
    ///   - comparable: A replay for comparison with a simulation, if needed.
    package init(_ replay: RadioReplay, includesNeighbours: Bool, comparable: RadioReplay? = nil) {
        replays = Replays(replay, includesNeighbours: includesNeighbours, comparable: comparable)
    }

    package mutating func addOutage(from: Timestamp, until: Timestamp) {
        replays.addOutage(from: from, until: until)
        withoutLoopback?.addOutage(from: from, until: until)
    }

    /// Adds a radio call log. The replay for comparison does not use it; there packets count as in any capture.
    package mutating func addCallLog(_ script: String, of interface: UInt32) {
        replays.all.addCallLog(script, of: interface)
        withoutLoopback?.all.addCallLog(script, of: interface)
    }

    package mutating func add(_ packets: Span<CapturedPacket>) { add(packets, PacketSummary(packets)) }

    /// - Parameter summary: The summary of these packets.
    package mutating func add(_ packets: Span<CapturedPacket>, _ summary: PacketSummary) {
        guard !packets.isEmpty else { return }
        last = packets[packets.count - 1].stamp
        if !hasNetworkTraffic { findNetworkTraffic(packets) }
        withoutLoopback?.add(packets, summary)
        replays.add(packets, summary)
    }

    /// Leaves loopback packets out, also earlier ones, as soon as a packet of a network is found.
    private mutating func findNetworkTraffic(_ packets: Span<CapturedPacket>) {
        if Self.contains(packets, where: { $0.neighbourTraffic == .none && $0.network != .other }) {
            hasNetworkTraffic = true
            if let withoutLoopback {
                replays = withoutLoopback
                self.withoutLoopback = nil
            }
            replays.excludeLoopback()
        } else if withoutLoopback == nil, Self.contains(packets, where: { $0.neighbourTraffic == .loopback }) {
            withoutLoopback = replays
            withoutLoopback?.excludeLoopback()
        }
    }

    private static func contains(
        _ packets: Span<CapturedPacket>, where isWanted: (CapturedPacket) -> Bool
    ) -> Bool {
        for index in packets.indices where isWanted(packets[index]) { return true }
        return false
    }

    /// Finishes the accounting.
    package mutating func finish() -> ReplayPairResult {
        var outcome = replays.finish(last)
        outcome.leavesOutLoopback = hasNetworkTraffic
        return outcome
    }

    /// Energy of the phone's own traffic, from the first packet on for that duration.
    package mutating func finishComparable(lasting length: TimeSpan) -> RadioBill? {
        replays.comparable?.finish(.lasting(length))
    }

    /// The replays of one selection of packets.
    ///
    /// Neighbours are separated at the first packet of a neighbour, so a capture without such packets costs nothing
    /// more.
    private struct Replays: Sendable {
        var all: RadioReplay
        /// The replay without neighbours, under rules of other programs.
        private var withoutNeighbours: RadioReplay?
        private var separatesNeighbours = false
        /// A replay from the first packet on, without neighbour traffic, for comparison with a simulation.
        var comparable: RadioReplay?
        private let includesNeighbours: Bool

        init(_ replay: RadioReplay, includesNeighbours: Bool, comparable: RadioReplay?) {
            all = replay
            self.includesNeighbours = includesNeighbours
            self.comparable = comparable
            if !includesNeighbours { self.comparable?.excludeNeighbourTraffic() }
        }

        mutating func excludeLoopback() {
            all.excludeLoopback()
            withoutNeighbours?.excludeLoopback()
            comparable?.excludeLoopback()
        }

        mutating func addOutage(from: Timestamp, until: Timestamp) {
            all.addOutage(from: from, until: until)
            withoutNeighbours?.addOutage(from: from, until: until)
            comparable?.addOutage(from: from, until: until)
        }

        mutating func add(_ packets: Span<CapturedPacket>, _ summary: PacketSummary) {
            if !includesNeighbours, !separatesNeighbours, summary.kinds.overlaps(.ofNeighbours) {
                separatesNeighbours = true
                withoutNeighbours = all.separateNeighbours(at: packets[packets.indices.lowerBound])
            }
            withoutNeighbours?.add(packets, summary)
            comparable?.add(packets, summary)
            all.add(packets, summary)
        }

        /// - Parameter last: Time of the last packet of the capture.
        mutating func finish(_ last: Timestamp) -> ReplayPairResult {
            let end = all.end(afterExcluded: last)
            if let (bill, joules) = all.finishWithNeighbours(end) {
                let own = all.finish(end ?? all.lastPacket)
                return ReplayPairResult(
                    bill: bill, withoutNeighbours: own, joulesOfNeighbours: joules, habits: all.habits,
                    timeline: all.timeline)
            }
            let bill = all.finish(end)
            return ReplayPairResult(
                bill: bill, withoutNeighbours: withoutNeighbours?.finish(end ?? all.lastPacket), habits: all.habits,
                timeline: all.timeline)
        }
    }

    package struct ReplayPairResult: Sendable {
        package let bill: RadioBill
        /// Energy and time without neighbour traffic; `nil` if the capture has no such traffic.
        package let withoutNeighbours: RadioBill?
        /// Energy of the packets of neighbours by flow, as a share of all traffic.
        private let joulesOfNeighbours: [Double]
        /// Cost of the phone's own flows and recurring traffic patterns, without neighbour traffic.
        package let habits: CaptureHabits
        /// Without neighbour traffic.
        package let timeline: RadioTimeline?
        /// `false` if the replays include loopback packets, because there is no other traffic.
        package fileprivate(set) var leavesOutLoopback = false

        fileprivate init(
            bill: RadioBill, withoutNeighbours: RadioBill?, joulesOfNeighbours: [Double] = [], habits: CaptureHabits,
            timeline: RadioTimeline?
        ) {
            self.bill = bill
            self.withoutNeighbours = withoutNeighbours
            self.joulesOfNeighbours = joulesOfNeighbours
            self.habits = habits
            self.timeline = timeline
        }

        /// Energy of a flow in joules: of the phone's own packets without neighbour traffic, and of neighbours' packets
        /// as their share of all traffic.
        package func joules(_ flow: FlowID) -> Double {
            let index = Int(flow.index)
            return habits.joules(flow) + (index < joulesOfNeighbours.count ? joulesOfNeighbours[index] : 0)
        }
    }
}
