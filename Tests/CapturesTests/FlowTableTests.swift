import DeadzoneBase
import DeadzoneTestKit
import Testing
@testable import DeadzoneCaptures

/// The table of flows, against a dictionary.
struct FlowTableTests {
    private static func dissection(_ source: UInt128, _ from: UInt16, _ destination: UInt128, _ to: UInt16)
        -> Dissection
    {
        var result = Dissection()
        (result.source, result.sourcePort, result.destination, result.destinationPort) = (source, from, destination, to)
        return result
    }

    /// Broken: a flow is lost or found twice when the table grows, or two flows share a number.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func tableEqualsADictionary(_ seed: UInt64) {
        var dice = SmallDice(seed)
        var table = FlowTable()
        var known: [UInt64: Int] = [:]
        for _ in 0..<40_000 {
            let number = UInt64(dice.roll(12_000))
            let (key, _) = FlowKey.of(number << 16 | 443, 7 << 16 | 50_000, isUDP: number % 2 == 0)
            check(table.look(for: key) == known[number])
            let found = table.find(key)
            check(found?.isNew == (known[number] == nil) && found?.number == known[number] ?? known.count)
            if known[number] == nil {
                known[number] = known.count
                // The end of the table's state is unknown until it is set.
                let state = table.state(known.count - 1)
                check(state.pointee.isOpenerLower && state.pointee.device == .unknown)
                state.pointee.device = number % 3 == 0 ? .lower : .higher
            }
            check(table.count == known.count)
        }
        for (number, index) in known.sorted(by: { $0.value < $1.value }) {
            check(table.state(index).pointee.device == (number % 3 == 0 ? .lower : .higher), "flow \(index)")
        }
        check(table.count > 8_192)
    }

    /// Broken: the two directions of a flow have two keys, or two flows have the same key.
    @Test(arguments: [false, true])
    func keysAreOfBothDirections(_ isIPv6: Bool) {
        let addresses: [UInt128] = isIPv6 ? [1, 2, 1 << 64, 1 << 127, .max] : [1, 2, 0xffff_ffff]
        let ports: [UInt16] = [0, 1, 443, 65_535]
        var keys: [(name: String, key: FlowKey)] = []
        withEvery { choices in
            let (source, destination) = (choices.one(of: addresses), choices.one(of: addresses))
            let (from, to) = (choices.one(of: ports), choices.one(of: ports))
            let isUDP = choices.flag()
            var (one, other) = (
                Self.dissection(source, from, destination, to), Self.dissection(destination, to, source, from)
            )
            let (key, isLower) = FlowKey.of(&one, isIPv6: isIPv6, isUDP: isUDP)
            let (back, isBackLower) = FlowKey.of(&other, isIPv6: isIPv6, isUDP: isUDP)
            #expect(isLower == ((source, from) <= (destination, to)) && key == back)
            #expect(isBackLower == ((destination, to) <= (source, from)))
            guard isLower else { return }
            keys.append(("\(source):\(from) \(destination):\(to) \(isUDP)", key))
        }
        for (index, one) in keys.enumerated() {
            #expect(!keys[..<index].contains { $0.key == one.key } && one.key != .none, "\(one.name)")
        }
        #expect(Set(keys.map(\.name)).count == keys.count && keys.count > 100)
    }

    /// Broken: the limit of flows that are told apart is not reported, or packets beyond it are of a flow.
    @Test func flowsBeyondTheTableAreCounted() {
        var tracker = FlowTracker()
        func packet(_ number: Int) -> (CapturedPacket, Dissection) {
            var packet = CapturedPacket(stamp: .epoch, wireLength: 40, capturedLength: 40)
            (packet.network, packet.transport) = (.ipv4, number % 2 == 0 ? .udp : .tcp)
            return (packet, Self.dissection(UInt128(number >> 16) + 1, UInt16(number & 0xffff), 9, 443))
        }
        for number in 0..<(FlowTable.capacity + 3) {
            var (one, result) = packet(number)
            let found = tracker.flowLookup(&one, &result)
            let isCounted = number < FlowTable.capacity
            check((found != nil) == isCounted && one.flow.isKnown == (number < 32_768))
            check(number < 32_768 ? one.flow == FlowID(UInt32(number)) : one.flow == .overflow)
        }
        for number in [0, 1, 4_095, 4_096, 32_767, 32_768, FlowTable.capacity - 1] {
            var (one, result) = packet(number)
            check(tracker.flowLookup(&one, &result)?.isLower == (number >> 16 < 8) && one.side == .opener)
            check(one.flow == (number < 32_768 ? FlowID(UInt32(number)) : .overflow))
        }
        check(tracker.described == 32_768)
        check(tracker.counts == FlowCounts(tcp: 524_288, udp: 524_288, overflowPackets: 3))
        check(FlowCounts.maximum == 1_048_576 && !FlowID.none.isKnown && !FlowID.overflow.isKnown)
        check(FlowID(.max - 2).isKnown && FlowID.none != .overflow)
    }
}
