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

    package mutating func add(_ packets: Span<CapturedPacket>) {
        guard !packets.isEmpty else { return }
        last = packets[packets.count - 1].stamp
        if !hasNetworkTraffic { findNetworkTraffic(packets) }
        let summary = SpanSummary(packets)
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
    /// The replay without neighbours is forked at the first packet of a neighbour, so a capture without such packets
    /// costs nothing more.
    private struct Replays: Sendable {
        var all: RadioReplay
        private var withoutNeighbours: RadioReplay?
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

        mutating func add(_ packets: Span<CapturedPacket>, _ summary: SpanSummary) {
            if !includesNeighbours, withoutNeighbours == nil, summary.kinds.overlaps(.ofNeighbours) {
                withoutNeighbours = all.fork(at: packets[packets.indices.lowerBound])
            }
            withoutNeighbours?.add(packets, summary)
            comparable?.add(packets, summary)
            all.add(packets, summary)
        }

        /// - Parameter last: Time of the last packet of the capture.
        mutating func finish(_ last: Timestamp) -> ReplayPairResult {
            let end = all.end(afterExcluded: last)
            let bill = all.finish(end)
            var outcome = ReplayPairResult(
                bill: bill, flowCosts: all.habits, habits: all.habits, timeline: all.timeline)
            if withoutNeighbours != nil {
                outcome.withoutNeighbours = withoutNeighbours!.finish(end ?? all.lastPacket)
                outcome.habits = withoutNeighbours!.habits
                outcome.timeline = withoutNeighbours!.timeline
            }
            return outcome
        }
    }

    package struct ReplayPairResult: Sendable {
        package let bill: RadioBill
        /// Energy and time without neighbour traffic; `nil` if the capture has no such traffic.
        package fileprivate(set) var withoutNeighbours: RadioBill?
        /// Cost attribution of all traffic, for the flows of neighbours only.
        package let flowCosts: CaptureHabits
        /// Cost of the phone's own flows and recurring traffic patterns, without neighbour traffic.
        package fileprivate(set) var habits: CaptureHabits
        /// Without neighbour traffic.
        package fileprivate(set) var timeline: RadioTimeline?
        /// `false` if the replays include loopback packets, because there is no other traffic.
        package fileprivate(set) var leavesOutLoopback = false
    }
}
