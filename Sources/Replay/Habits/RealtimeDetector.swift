import DeadzoneBase
package import DeadzoneCaptures

/// Finds the flows of a capture that carry a steady stream of small packets, as voice calls do.
///
/// Time is divided into bins of about one second. A direction of a flow is steady in a bin if it has at least
/// `leastPackets` packets with a mean payload of at most `mostBytes`. Voice codecs send a packet every 20 to 120 ms, of
/// 30 to 300 bytes: 8 to 50 in a bin. A download has larger packets, and a chat has fewer.
struct RealtimeDetector: Sendable {
    /// A bin is 2^30 ns, which is 1.07 s: a shift is cheaper than a division.
    static let binBits: Int64 = 30
    static let leastPackets: UInt32 = 5
    static let mostBytes: UInt32 = 400
    /// Consecutive steady bins that make a stream.
    static let leastBins: Int64 = 5

    /// One direction of a flow: the current bin, and the longest series of steady bins.
    private struct SteadyDirection: Sendable, BitwiseCopyable {
        var packets: UInt32 = 0
        var bytes: UInt32 = 0
        var run: Int64 = 0
        var longest: Int64 = 0
        /// The bin after the longest series.
        var end: Int64 = 0

        var bins: Range<Int64>? { longest >= leastBins ? end - longest..<end : nil }

        mutating func close(_ bin: Int64) {
            run = packets >= leastPackets && bytes <= mostBytes * packets ? run + 1 : 0
            (packets, bytes) = (0, 0)
            if run > longest { (longest, end) = (run, bin + 1) }
        }
    }

    private struct FlowState: Sendable, BitwiseCopyable {
        var bin = Int64.min
        var up = SteadyDirection()
        var down = SteadyDirection()

        @inline(never)
        mutating func advance(to next: Int64) {
            up.close(bin)
            down.close(bin)
            if next != bin &+ 1 { (up.run, down.run) = (0, 0) }
            bin = next
        }
    }

    private var flows: [FlowState] = []

    mutating func reserve(_ count: Int) {
        guard flows.count < count else { return }
        let missing = max(count, min(2 * flows.count, FlowCosts.bound)) - flows.count
        flows.append(contentsOf: repeatElement(FlowState(), count: missing))
    }

    mutating func add(_ replayPackets: Span<ReplayPacket>) { Self.add(replayPackets, to: &flows) }

    private static func add(_ replayPackets: Span<ReplayPacket>, to flows: inout [FlowState]) {
        var flows = flows.mutableSpan
        for index in replayPackets.indices {
            let (flow, size) = (Int(replayPackets[index].flow), min(replayPackets[index].payload, 1 << 16))
            guard replayPackets[index].kind == .data, flow < flows.count else { continue }
            let bin = replayPackets[index].at >> binBits
            if bin != flows[flow].bin { flows[flow].advance(to: bin) }
            if replayPackets[index].isUp {
                flows[flow].up.packets &+= 1
                flows[flow].up.bytes &+= size
            } else {
                flows[flow].down.packets &+= 1
                flows[flow].down.bytes &+= size
            }
        }
    }

    /// The flows with a steady direction.
    mutating func finish(origin: Timestamp) -> [SteadyFlow] {
        func times(_ bins: Range<Int64>?) -> Range<Timestamp>? {
            bins.map {
                origin + .nanoseconds($0.lowerBound << Self.binBits)..<origin
                    + .nanoseconds($0.upperBound << Self.binBits)
            }
        }
        return flows.indices.compactMap { index in
            flows[index].advance(to: .max)
            let steady = SteadyFlow(
                flow: FlowID(UInt32(index)), up: times(flows[index].up.bins), down: times(flows[index].down.bins))
            return steady.up == nil && steady.down == nil ? nil : steady
        }
    }
}

/// A flow with a steady stream of small packets for at least five seconds, and the times of the longest stream in each
/// direction; `nil` for a direction without one.
package struct SteadyFlow: Sendable {
    package let flow: FlowID
    package let up: Range<Timestamp>?
    package let down: Range<Timestamp>?
}

/// A voice call or a similar real-time stream in a capture: the UDP flows of one socket of the phone that has steady
/// streams of small packets in both directions at the same time.
///
/// The two directions can belong to different flows, because a call may send to one relay and receive from another.
package struct RealtimeStream: Sendable {
    /// All UDP flows of the socket, also those that only look for a path.
    package let flows: Set<FlowID>
    /// The flow with the longest stream.
    package let main: FlowID
    package let from: Timestamp
    package let until: Timestamp

    package static func streams(_ reader: CaptureReader, _ habits: CaptureHabits) -> [RealtimeStream] {
        let steady = habits.steady.filter { one in
            Int(one.flow.index) < reader.describedFlows && reader.flow(one.flow).transport == .udp
                && reader.flow(one.flow).remote.address.isUnicast
        }
        guard !steady.isEmpty else { return [] }
        let sockets = Dictionary(grouping: steady) { reader.flow($0.flow).local }
        let calls = sockets.compactMap { socket, flows -> (Flow.Endpoint, RealtimeStream)? in
            let (ups, downs) = (flows.compactMap(\.up), flows.compactMap(\.down))
            guard ups.contains(where: { up in downs.contains { up.overlaps($0) } }) else { return nil }
            let all = ups + downs
            // Bins are wider than the stream at its ends.
            let (firsts, lasts) = (flows.map { reader.flow($0.flow).first }, flows.map { reader.flow($0.flow).last })
            guard let from = all.map(\.lowerBound).min(), let until = all.map(\.upperBound).max(),
                let first = firsts.min(), let last = lasts.max()
            else { return nil }
            func length(_ one: SteadyFlow) -> TimeSpan {
                [one.up, one.down].compactMap(\.self).reduce(.zero) { max($0, $1.upperBound - $1.lowerBound) }
            }
            let longest = flows.map(length).max()
            guard let main = flows.filter({ length($0) == longest }).map(\.flow).min(by: { $0.index < $1.index })
            else { return nil }
            return (socket, RealtimeStream(flows: [], main: main, from: max(from, first), until: min(until, last)))
        }
        guard !calls.isEmpty else { return [] }
        let callSockets = Set(calls.map(\.0))
        var members: [Flow.Endpoint: Set<FlowID>] = [:]
        for index in 0..<UInt32(reader.describedFlows) {
            let flow = reader.flow(FlowID(index))
            guard flow.transport == .udp, callSockets.contains(flow.local) else { continue }
            members[flow.local, default: []].insert(FlowID(index))
        }
        return calls.map { socket, call in
            RealtimeStream(flows: members[socket] ?? [], main: call.main, from: call.from, until: call.until)
        }.sorted { ($0.from, $0.main.index) < ($1.from, $1.main.index) }
    }
}
