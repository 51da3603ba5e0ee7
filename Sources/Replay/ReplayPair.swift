package import DeadzoneBase
package import DeadzoneCaptures

/// Replays a capture twice on one radio: with all packets, and without the traffic of neighbouring hosts. A cellular
/// network would not carry such neighbour traffic.
///
/// The second replay is forked from the first at the first such packet, so a capture without them costs nothing more.
package struct ReplayPair: Sendable {
    private var all: RadioReplay
    private var withoutNeighbours: RadioReplay?
    /// A replay from the first packet on, without neighbour traffic, for comparison with a simulation.
    private var comparable: RadioReplay?
    /// `true` on Wi-Fi, where a phone receives its neighbours' traffic.
    private let includesNeighbours: Bool

    /// - Parameter comparable: A replay for comparison with a simulation, if needed.
    package init(_ replay: RadioReplay, includesNeighbours: Bool, comparable: RadioReplay? = nil) {
        all = replay
        self.includesNeighbours = includesNeighbours
        self.comparable = comparable
        if !includesNeighbours { self.comparable?.excludeNeighbourTraffic() }
    }

    package mutating func addOutage(from: Timestamp, until: Timestamp) {
        all.addOutage(from: from, until: until)
        withoutNeighbours?.addOutage(from: from, until: until)
        comparable?.addOutage(from: from, until: until)
    }

    /// Adds a radio call log. The replay for comparison does not use it; there packets count as in any capture.
    package mutating func addCallLog(_ script: String, of interface: UInt32) { all.addCallLog(script, of: interface) }

    package mutating func add(_ packets: Span<CapturedPacket>) {
        if !includesNeighbours, withoutNeighbours == nil, Self.hasNeighbourTraffic(packets) {
            withoutNeighbours = all.fork(at: packets[packets.indices.lowerBound])
        }
        withoutNeighbours?.add(packets)
        comparable?.add(packets)
        all.add(packets)
    }

    private static func hasNeighbourTraffic(_ packets: Span<CapturedPacket>) -> Bool {
        for index in packets.indices where packets[index].neighbourTraffic != .none { return true }
        return false
    }

    /// Finishes the accounting.
    package mutating func finish() -> ReplayPairResult {
        let bill = all.finish()
        var outcome = ReplayPairResult(bill: bill, flowCosts: all.habits, habits: all.habits, timeline: all.timeline)
        if withoutNeighbours != nil {
            outcome.withoutNeighbours = withoutNeighbours!.finish(all.lastPacket)
            outcome.habits = withoutNeighbours!.habits
            outcome.timeline = withoutNeighbours!.timeline
        }
        return outcome
    }

    /// Energy of the phone's own traffic, from the first packet on for that duration.
    package mutating func finishComparable(lasting length: TimeSpan) -> RadioBill? {
        comparable?.finish(.lasting(length))
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
    }
}
