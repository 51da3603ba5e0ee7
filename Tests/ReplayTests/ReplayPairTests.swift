import DeadzoneBase
import DeadzoneCaptures
import DeadzoneReplay
import Testing

/// The replay of a capture with its local traffic (mDNS and similar), and the replay without it.
struct ReplayPairTests {
    private func packets(talking: (Int) -> Bool) throws -> [CapturedPacket] {
        let list = (0..<400).map { "\($0 * 3).\($0 % 10 * 7 + 100) \(80 + $0 % 700) \($0 % 3 == 0 ? "down" : "up")" }
        var packets = try ReplayBench.list(list.joined(separator: ","))
        for index in packets.indices {
            packets[index].flow = FlowID(UInt32(index % 5))
            if talking(index) { packets[index].neighbourTraffic = .mdns }
        }
        return packets
    }

    private func outcome(
        _ packets: [CapturedPacket], piece: Int, includesNeighbours: Bool = false, window: ReplayWindow = ReplayWindow()
    ) throws -> ReplayPair.ReplayPairResult {
        let (profile, sheet) = try ReplayBench.profile("lte-verizon-2021")
        var pair = ReplayPair(try RadioReplay(profile, sheet, window: window), includesNeighbours: includesNeighbours)
        for start in stride(from: 0, to: packets.count, by: piece) {
            let part = Array(packets[start..<min(start + piece, packets.count)])
            pair.add(part.span)
        }
        return pair.finish()
    }

    /// Broken: the result without local traffic differs from a capture without it, over the same time.
    @Test(arguments: [1, 7, 400], [0, 5, 39])
    func resultWithoutLocalTrafficEqualsACaptureWithoutIt(_ piece: Int, _ firstTalk: Int) throws {
        let all = try packets { $0 >= firstTalk && $0 % 4 != 1 && $0 != 399 }
        let both = try outcome(all, piece: piece)
        let (profile, sheet) = try ReplayBench.profile("lte-verizon-2021")
        let from: ReplayMoment? = firstTalk == 0 ? .at(all[0].stamp) : nil
        var alone = try RadioReplay(profile, sheet, window: ReplayWindow(from: from))
        for packet in all where packet.neighbourTraffic == .none { alone.add(packet) }
        #expect(both.withoutNeighbours == alone.finish())
        #expect(both.habits.periodic.map(\.flow) == alone.habits.periodic.map(\.flow))
        #expect(
            try both.bill
                == outcome(
                    all.map { packet in
                        var own = packet; own.neighbourTraffic = .none; return own
                    }, piece: 50
                ).bill)
        #expect(both.withoutNeighbours != nil && both.withoutNeighbours != both.bill)
    }

    /// Broken: a flow of neighbours costs something else than its share of all traffic, or an own flow pays for
    /// neighbours.
    @Test(arguments: [1, 7, 400])
    func neighboursPayTheirShareOfAllTraffic(_ piece: Int) throws {
        var all = try packets { $0 % 4 == 1 || $0 % 7 < 2 }
        for index in all.indices where all[index].neighbourTraffic != .none {
            all[index].flow = FlowID(UInt32(5 + index % 3))
        }
        let (separate, together) = (
            try outcome(all, piece: piece), try outcome(all, piece: piece, includesNeighbours: true)
        )
        for flow in (5..<8).map({ FlowID($0) }) {
            #expect(separate.joules(flow) > 0 && separate.joules(flow) == together.joules(flow))
        }
        for flow in (0..<5).map({ FlowID($0) }) {
            #expect(separate.joules(flow) > 0 && separate.joules(flow) == separate.habits.joules(flow))
        }
    }

    /// Broken: a window that is given from the first packet on begins or ends later without neighbours.
    @Test(arguments: [1, 7, 400])
    func bothResultsHaveTheSameWindow(_ piece: Int) throws {
        let all = try packets { $0 < 5 || $0 % 4 == 1 }
        let both = try outcome(
            all, piece: piece,
            window: ReplayWindow(from: .afterFirst(.seconds(60)), until: .moment(.afterFirst(.seconds(600)))))
        let (profile, sheet) = try ReplayBench.profile("lte-verizon-2021")
        let (from, until) = (all[0].stamp + .seconds(60), all[0].stamp + .seconds(600))
        var alone = try RadioReplay(profile, sheet, window: ReplayWindow(from: .at(from), until: .moment(.at(until))))
        for packet in all where packet.neighbourTraffic == .none { alone.add(packet) }
        #expect(both.withoutNeighbours == alone.finish())
    }

    /// Broken: loopback packets cost energy, or take away time, in a capture with other traffic; wherever they are.
    @Test(arguments: [1, 7, 400], [0, 5, 399])
    func loopbackIsLeftOut(_ piece: Int, _ place: Int) throws {
        for includesNeighbours in [false, true] {
            var all = try packets { $0 % 4 == 1 }
            for index in all.indices where index % 3 == 0 || index <= place && place < 399 || index > 390 {
                all[index].neighbourTraffic = .loopback
            }
            let both = try outcome(all, piece: piece, includesNeighbours: includesNeighbours)
            let (profile, sheet) = try ReplayBench.profile("lte-verizon-2021")
            let window = ReplayWindow(from: .at(all[0].stamp), until: .moment(.at(all[399].stamp)))
            var pair = ReplayPair(
                try RadioReplay(profile, sheet, window: window), includesNeighbours: includesNeighbours)
            let rest = all.filter { $0.neighbourTraffic != .loopback }
            pair.add(rest.span)
            let expected = pair.finish()
            #expect(both.bill == expected.bill && both.withoutNeighbours == expected.withoutNeighbours)
            #expect(both.leavesOutLoopback && (both.withoutNeighbours == nil) == includesNeighbours)
        }
    }

    /// Broken: a capture of loopback traffic alone has no energy, or its local traffic is not left out.
    @Test(arguments: [1, 7, 400])
    func loopbackAloneIsReplayed(_ piece: Int) throws {
        let own = try packets { $0 % 4 == 1 }
        var loopback = own
        for index in own.indices where own[index].neighbourTraffic == .none {
            loopback[index].neighbourTraffic = .loopback
        }
        let (expected, found) = (try outcome(own, piece: piece), try outcome(loopback, piece: piece))
        #expect(found.bill == expected.bill && found.withoutNeighbours == expected.withoutNeighbours)
        #expect(!found.leavesOutLoopback && expected.leavesOutLoopback)
    }

    /// Broken: a second result is computed although there is no local traffic, or although the radio receives it.
    @Test func noSecondResultWithoutLocalTraffic() throws {
        #expect(try outcome(packets { _ in false }, piece: 50).withoutNeighbours == nil)
        #expect(try outcome(packets { $0 % 2 == 0 }, piece: 50, includesNeighbours: true).withoutNeighbours == nil)
        let silent = try outcome(packets { _ in true }, piece: 50)
        #expect(
            silent.withoutNeighbours.map { $0.joules < 0.1 * silent.bill.joules } == true
                && silent.habits.bursts.isEmpty)
    }
}
