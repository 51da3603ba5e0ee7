import DeadzoneCaptures
import DeadzonePrimitives
import DeadzoneReplay
import Testing

/// One radio with the neighbours' talk, and one without.
struct ReplayPairTests {
    private func packets(talking: (Int) -> Bool) throws -> [Packet] {
        let list = (0..<400).map { "\($0 * 3).\($0 % 10 * 7 + 100) \(80 + $0 % 700) \($0 % 3 == 0 ? "down" : "up")" }
        var packets = try ReplayBench.list(list.joined(separator: ","))
        for index in packets.indices {
            packets[index].flow = FlowID(UInt32(index % 5))
            if talking(index) { packets[index].talk = .mdns }
        }
        return packets
    }

    private func outcome(_ packets: [Packet], piece: Int, hearsNeighbours: Bool = false) throws -> ReplayPair.Outcome {
        let (profile, sheet) = try ReplayBench.profile("lte-verizon-2021")
        var pair = ReplayPair(try RadioReplay(profile, sheet), hearsNeighbours: hearsNeighbours)
        for start in stride(from: 0, to: packets.count, by: piece) {
            let part = Array(packets[start..<min(start + piece, packets.count)])
            pair.take(part.span)
        }
        return pair.finish()
    }

    /// Broken: what is said to be without the talk is something else than a capture without it, over the same time.
    @Test(arguments: [1, 7, 400], [0, 5, 39])
    func withoutTalkIsAsIfItWereNotThere(_ piece: Int, _ firstTalk: Int) throws {
        let all = try packets { $0 >= firstTalk && $0 % 4 != 1 && $0 != 399 }
        let both = try outcome(all, piece: piece)
        let (profile, sheet) = try ReplayBench.profile("lte-verizon-2021")
        let from: ReplayMoment? = firstTalk == 0 ? .at(all[0].stamp) : nil
        var alone = try RadioReplay(profile, sheet, window: ReplayWindow(from: from))
        for packet in all where packet.talk == .none { alone.take(packet) }
        #expect(both.onAir == alone.finish())
        #expect(both.habits.periodic.map(\.flow) == alone.habits.periodic.map(\.flow))
        #expect(
            try both.bill
                == outcome(
                    all.map { packet in
                        var own = packet; own.talk = .none; return own
                    }, piece: 50
                ).bill)
        #expect(both.onAir != nil && both.onAir != both.bill)
    }

    /// Broken: a capture without talk, or a radio that hears it, is priced twice or differently.
    @Test func thereIsNothingApartWithoutTalk() throws {
        #expect(try outcome(packets { _ in false }, piece: 50).onAir == nil)
        #expect(try outcome(packets { $0 % 2 == 0 }, piece: 50, hearsNeighbours: true).onAir == nil)
        let silent = try outcome(packets { _ in true }, piece: 50)
        #expect(silent.onAir.map { $0.joules < 0.1 * silent.bill.joules } == true && silent.habits.bursts.isEmpty)
    }
}
