import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice

/// The radio with the traffic of neighbours too, beside the radio of the phone's own packets. Both read the same
/// packets in the same order.
struct NeighbourReplay: Sendable {
    private var radio: PhysicalRadio
    /// Energy of the packets of neighbours, by flow.
    private(set) var joules: [Double] = []
    /// Flow of the latest packet if that is of a neighbour; it pays for the time until the next packet.
    private var lastFlow = FlowID.none.index
    /// The number of packets of neighbours that were not folded yet.
    private var waiting = 0
    /// The phone's own packets among those that were folded last, then unused memory.
    private(set) var ownPackets = [ReplayPacket](
        repeating: ReplayPacket(at: 0, bytes: 0, isUp: false), count: ReorderBuffer.bound + ReorderBuffer.batch)

    /// - Parameter radio: A radio that received no packet of a neighbour. No timeline is recorded.
    init(_ radio: PhysicalRadio) {
        self.radio = radio
        self.radio.ledger.timeline = nil
    }

    mutating func reserve(flows: Int) {
        if joules.count < flows { joules.append(contentsOf: repeatElement(0, count: flows - joules.count)) }
    }

    mutating func addOutage(from: Int64, until: Int64) { radio.addOutage(from: from, until: until) }

    /// Counts packets of neighbours that were added and will be folded.
    mutating func expect(_ count: Int) { waiting += count }

    /// Processes packets in time order. Returns the number of the phone's own packets among them, which are in
    /// `ownPackets` then; `nil` if all are its own.
    mutating func fold(_ replayPackets: Span<ReplayPacket>, _ costs: inout [PacketCost]) -> Int? {
        radio.fold(replayPackets, &costs)
        guard waiting > 0 || lastFlow != FlowID.none.index else { return nil }
        let count = Self.divide(replayPackets, costs.span, &ownPackets, &joules, &lastFlow)
        waiting -= replayPackets.count - count
        return count
    }

    /// Charges the packets of neighbours, and copies the others. Returns the number of copies.
    private static func divide(
        _ replayPackets: Span<ReplayPacket>, _ costs: Span<PacketCost>, _ ownPackets: inout [ReplayPacket],
        _ joules: inout [Double], _ lastFlow: inout UInt32
    ) -> Int {
        func charge(_ energy: Double) {
            if Int(lastFlow) < joules.count { joules[Int(lastFlow)] += energy }
        }
        var (start, count) = (0, 0)
        while start < replayPackets.count {
            charge(costs[start].before)
            var end = start
            while end < replayPackets.count, replayPackets[end].kind != .ofNeighbour { end &+= 1 }
            copy(replayPackets.extracting(start..<end), to: &ownPackets, at: count)
            count += end - start
            if end > start { lastFlow = FlowID.none.index }
            guard end < replayPackets.count else { break }
            if end > start { charge(costs[end].before) }
            lastFlow = replayPackets[end].flow
            charge(costs[end].own)
            start = end + 1
        }
        return count
    }

    private static func copy(_ run: Span<ReplayPacket>, to ownPackets: inout [ReplayPacket], at place: Int) {
        run.withUnsafeBufferPointer { run in
            _ = ownPackets.withUnsafeMutableBufferPointer { $0[place...].update(fromContentsOf: run) }
        }
    }

    /// Finishes the accounting of all packets.
    mutating func finish(
        _ ending: RadioReplay.AccountingEnd?, _ window: ReplayWindow, since origin: Timestamp, _ profile: RadioProfile
    ) -> RadioBill {
        radio.finish(ending, window, since: origin)
        if Int(lastFlow) < joules.count { joules[Int(lastFlow)] += radio.ledger.takeCost().before }
        return radio.ledger.bill(profile)
    }
}
