import DeadzoneBase
import DeadzoneCaptures
import DeadzoneDevice
import DeadzoneReplay
import Testing

/// The cost of the packets in one burst is summed outside the radio. For drawings, every change is reported to the
/// radio instead. Both ways must agree.
struct FlowLawTests {
    /// Gaps at which bits stop flowing on the radios below, each with one nanosecond less and more, and gaps in
    /// between.
    private static let gaps: [Int64] = [
        0, 0, 1, 1_000, 3_000_000, 19_999_999, 20_000_000, 20_000_001, 100_000_000, 100_000_001, 300_000_000,
        399_999_999,
        400_000_000, 400_000_001, 4_850_000_000, 9_000_000_000, 11_000_000_000, 30_000_000_000,
    ]

    /// - Parameter longest: The number of gaps to choose from. A small number makes long bursts.
    private func packets(_ seed: UInt64, longest: Int) -> [CapturedPacket] {
        var dice = seed &* 0x9e37_79b9_7f4a_7c15 | 1
        func roll(_ sides: Int) -> Int {
            dice ^= dice << 13
            dice ^= dice >> 7
            dice ^= dice << 17
            return Int(dice % UInt64(sides))
        }
        var now: Int64 = 1_000_000_000
        return (0..<700).map { _ in
            now += Self.gaps[roll(roll(8) == 0 ? Self.gaps.count : longest)]
            var packet = CapturedPacket(
                stamp: Timestamp(seconds: 0, nanoseconds: now), wireLength: UInt32(40 + roll(3) * 600),
                capturedLength: 0)
            packet.direction = roll(2) == 0 ? .up : .down
            packet.network = .ipv4
            packet.flow = FlowID(UInt32(roll(5)))
            return packet
        }
    }

    /// Broken: the sum outside the radio differs from the sum of the radio's own reports.
    @Test(
        arguments: [
            "lte-verizon-2021", "lte-tmobile-2021", "lte-att-2012-aro", "lte-att-2012-mobisys",
            "nr-sa-low-tmobile-2021",
            "nr-nsa-low-verizon-2021", "wifi-aro", "wifi-galaxy-s2", "wifi-oneplus-8",
        ], [TimestampMeaning.flowed, .enqueue])
    func summedBurstsEqualReportedBursts(_ name: String, _ stamps: TimestampMeaning) throws {
        let (profile, sheet) = try ReplayBench.profile(name)
        let windows = [
            ReplayWindow(until: .tail),
            ReplayWindow(from: .afterFirst(.milliseconds(3)), until: .moment(.afterFirst(.milliseconds(2_500)))),
        ]
        var hasFlowed = false
        for seed in 1...12 as ClosedRange<UInt64> {
            for window in windows {
                let packets = packets(seed, longest: [6, 9, Self.gaps.count][Int(seed % 3)])
                var summed = try RadioReplay(profile, sheet, stamps: stamps, window: window)
                var reported = try RadioReplay(profile, sheet, stamps: stamps, window: window, recordsTimeline: true)
                summed.add(packets.span)
                reported.add(packets.span)
                #expect(summed.finish() == reported.finish(), "seed \(seed)")
                for flow in 0..<5 {
                    let id = FlowID(UInt32(flow))
                    #expect(summed.habits.joules(id) == reported.habits.joules(id), "seed \(seed), flow \(flow)")
                }
                let bursts = (summed.habits.bursts.map(\.joules), reported.habits.bursts.map(\.joules))
                #expect(bursts.0 == bursts.1, "seed \(seed)")
                hasFlowed = hasFlowed || bursts.0.contains { $0 > 0 }
            }
        }
        #expect(hasFlowed)
    }
}
