import DeadzoneBase
import DeadzoneDevice
import Testing

/// Exact times of a UMTS radio. The numbers are sums of the profile's timers, in milliseconds.
@Suite struct UMTSTimelineTests {
    typealias Send = (at: Int64, direction: Direction, bytes: UInt32)

    struct Row: Sendable {
        var name: String
        var sends: [Send]
        /// Times in milliseconds from which the bursts flow.
        var flows: [Int64]
        var levels: [(PowerLevel, Int64)]

        init(_ name: String, _ sends: [Send], flows: [Int64], _ levels: [(PowerLevel, Int64)]) {
            (self.name, self.sends, self.flows, self.levels) = (name, sends, flows, levels)
        }
    }

    private func check(_ profile: RadioProfile, _ rows: [Row]) {
        for row in rows {
            var timeline = RadioTimeline(profile)
            for send in row.sends { timeline.carry(send.direction, send.bytes, at: send.at * 1_000) }
            timeline.run(until: 60_000_000)
            #expect(timeline.flows == row.flows.map { $0 * 1_000 }, "\(row.name)")
            let levels = row.levels.map { RadioTimeline.Span($0.0, $0.1) }
            let spans = timeline.spans.map { RadioTimeline.Span($0.level, $0.from / 1_000) }
            #expect(spans == levels, "\(row.name)")
        }
    }

    @Test("The number of bytes and the state decide the channel, and every timer counts to the millisecond")
    func channels() {
        check(
            Fixture.umtsTeliaSonera,
            [
                // 100 bytes drain in 120 ms. The common channel is left 5,600 ms after that, which takes 300 ms.
                Row("little", [(0, .up, 100)], flows: [430], [(.fachPromotion, 0), (.fach, 430), (.idle, 6_450)]),
                Row("limit", [(0, .up, 294)], flows: [430], [(.fachPromotion, 0), (.fach, 430), (.idle, 6_682)]),
                Row(
                    "over the limit of the common channel", [(0, .up, 295)], flows: [1_080],
                    [
                        (.fachPromotion, 0), (.secondPromotion, 430), (.dch, 1_080), (.fach, 5_880), (.idle, 11_780),
                    ]),
                Row(
                    "limit in idle", [(0, .up, 1_000)], flows: [1_080],
                    [
                        (.fachPromotion, 0), (.secondPromotion, 430), (.dch, 1_080), (.fach, 5_880), (.idle, 11_780),
                    ]),
                Row(
                    "over the limit in idle", [(0, .up, 1_001)], flows: [1_700],
                    [(.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.idle, 12_400)]),
                Row("down", [(0, .down, 515)], flows: [430], [(.fachPromotion, 0), (.fach, 430), (.idle, 6_360)]),
                Row(
                    "much down", [(0, .down, 516)], flows: [1_700],
                    [(.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.idle, 12_400)]),
                Row(
                    "paged", [(1, .down, 100)], flows: [1_710],
                    [(.idle, 0), (.fachPromotion, 1_280), (.fach, 1_710), (.idle, 7_640)]),
                Row(
                    "paged, but the phone sends first", [(1, .down, 100), (100, .up, 100)], flows: [1_710, 530],
                    [(.idle, 0), (.fachPromotion, 100), (.fach, 530), (.idle, 6_550)]),
                Row(
                    "more during the promotion", [(0, .up, 200), (100, .up, 95)], flows: [430, 1_080],
                    [
                        (.fachPromotion, 0), (.secondPromotion, 430), (.dch, 1_080), (.fach, 5_880), (.idle, 11_780),
                    ]),
                Row(
                    "enough room during the promotion", [(0, .up, 200), (100, .up, 94)], flows: [430, 430],
                    [(.fachPromotion, 0), (.fach, 430), (.idle, 6_682)]),
            ])
    }

    @Test("Data while a channel is left waits for the end of that, and data on a channel restarts its timer")
    func leaving() {
        check(
            Fixture.umtsTeliaSonera,
            [
                Row(
                    "on the dedicated channel", [(0, .up, 1_001), (4_000, .up, 10)], flows: [1_700, 4_000],
                    [(.promotion, 0), (.dch, 1_700), (.fach, 8_800), (.idle, 14_700)]),
                Row(
                    "at its last instant", [(0, .up, 1_001), (5_799, .up, 10)], flows: [1_700, 5_799],
                    [(.promotion, 0), (.dch, 1_700), (.fach, 10_599), (.idle, 16_499)]),
                Row(
                    "while it is left", [(0, .up, 1_001), (5_800, .up, 100)], flows: [1_700, 6_500],
                    [(.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.idle, 12_520)]),
                Row(
                    "much while it is left", [(0, .up, 1_001), (6_000, .up, 295)], flows: [1_700, 7_150],
                    [
                        (.promotion, 0), (.dch, 1_700), (.secondPromotion, 6_500), (.dch, 7_150), (.fach, 11_950),
                        (.idle, 17_850),
                    ]),
                Row(
                    "uplink while the common channel is left", [(0, .up, 100), (6_150, .up, 100)],
                    flows: [430, 6_880],
                    [
                        (.fachPromotion, 0), (.fach, 430), (.fachPromotion, 6_450), (.fach, 6_880), (.idle, 12_900),
                    ]),
                Row(
                    "downlink while the common channel is left", [(0, .up, 100), (6_200, .down, 100)],
                    flows: [430, 8_110],
                    [
                        (.fachPromotion, 0), (.fach, 430), (.idle, 6_450), (.fachPromotion, 7_680), (.fach, 8_110),
                        (.idle, 14_040),
                    ]),
                Row(
                    "in the tail of the common channel", [(0, .up, 100), (6_149, .up, 100)], flows: [430, 6_149],
                    [(.fachPromotion, 0), (.fach, 430), (.idle, 12_169)]),
                Row(
                    "much in the tail of the common channel", [(0, .up, 100), (3_000, .up, 295)],
                    flows: [430, 3_650],
                    [
                        (.fachPromotion, 0), (.fach, 430), (.secondPromotion, 3_000), (.dch, 3_650), (.fach, 8_450),
                        (.idle, 14_350),
                    ]),
            ])
    }

    @Test("Without a common channel from idle, and with channels that are left at once")
    func withoutTransitions() {
        check(
            Fixture.umtsARO,
            [
                Row(
                    "one byte", [(0, .up, 1)], flows: [2_000],
                    [(.promotion, 0), (.dch, 2_000), (.fach, 6_000), (.idle, 16_000)]),
                // Packets of less than 320 bytes do not restart the timer of the dedicated channel.
                Row(
                    "small on the dedicated channel", [(0, .up, 1), (5_000, .up, 319)], flows: [2_000, 5_000],
                    [(.promotion, 0), (.dch, 2_000), (.fach, 6_000), (.idle, 16_000)]),
                Row(
                    "large on the dedicated channel", [(0, .up, 1), (5_000, .up, 320)], flows: [2_000, 5_000],
                    [(.promotion, 0), (.dch, 2_000), (.fach, 9_000), (.idle, 19_000)]),
                Row(
                    "a train", [(0, .up, 1), (4_700, .up, 160), (5_000, .up, 160)], flows: [2_000, 4_700, 5_000],
                    [(.promotion, 0), (.dch, 2_000), (.fach, 9_000), (.idle, 19_000)]),
                Row(
                    "no train", [(0, .up, 1), (4_699, .up, 160), (5_000, .up, 160)], flows: [2_000, 4_699, 5_000],
                    [(.promotion, 0), (.dch, 2_000), (.fach, 6_000), (.idle, 16_000)]),
                Row(
                    "both directions are trains of their own",
                    [(0, .up, 1), (4_900, .down, 160), (5_000, .up, 160)], flows: [2_000, 4_900, 5_000],
                    [(.promotion, 0), (.dch, 2_000), (.fach, 6_000), (.idle, 16_000)]),
                Row(
                    "down on the common channel", [(0, .up, 1), (8_000, .down, 476)], flows: [2_000, 9_500],
                    [
                        (.promotion, 0), (.dch, 2_000), (.fach, 6_000), (.secondPromotion, 8_000), (.dch, 9_500),
                        (.fach, 13_500), (.idle, 23_500),
                    ]),
            ])
    }

    /// 100 bytes occupy the common channel for 120 ms, and a packet by then adds to them: 100 + 195 exceeds 294.
    @Test("A packet belongs to the buffer of the packet before it until that has drained exactly")
    func drains() {
        for (late, isOver) in [(-1, true), (0, true), (1, false)] as [(Int64, Bool)] {
            var timeline = RadioTimeline(Fixture.umtsTeliaSonera)
            timeline.carry(.up, 100, at: 0)
            timeline.carry(.up, 195, at: 550_000, plus: late)
            #expect(timeline.radio.level == (isOver ? .secondPromotion : .fach), "\(late)")
            #expect(timeline.radio.isPromoting == isOver)
            if !isOver { #expect(timeline.airtimes.last == 234_000) }
        }
    }

    @Test("A handover stops every timer for its length, and data during it flows at its end")
    func handovers() {
        // At, channel during the handover, then the levels.
        let rows: [(Int64, [(PowerLevel, Int64)])] = [
            (
                100,
                [(.promotion, 0), (.handover, 100), (.promotion, 140), (.dch, 1_740), (.fach, 6_540), (.idle, 12_440)]
            ),
            (
                3_000,
                [(.promotion, 0), (.dch, 1_700), (.handover, 3_000), (.dch, 3_040), (.fach, 6_540), (.idle, 12_440)]
            ),
            (
                8_000,
                [
                    (.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.handover, 8_000), (.fach, 8_040), (.idle, 12_440),
                ]
            ),
            // While a channel is left, and in idle, a handover has no effect.
            (6_000, [(.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.idle, 12_400)]),
            (12_200, [(.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.idle, 12_400)]),
            (20_000, [(.promotion, 0), (.dch, 1_700), (.fach, 6_500), (.idle, 12_400)]),
        ]
        for (at, levels) in rows {
            var timeline = RadioTimeline(Fixture.umtsTeliaSonera)
            timeline.carry(.up, 1_001, at: 0)
            timeline.handover(at: at * 1_000, lasting: 40_000)
            timeline.run(until: 60_000_000)
            #expect(timeline.spans == levels.map { RadioTimeline.Span($0.0, $0.1 * 1_000) }, "\(at)")
        }
        // Held data, and the time from which it flows.
        for (at, bytes, flows) in [(3_000, 10, 3_040), (8_000, 100, 8_040), (8_000, 295, 8_690), (100, 10, 1_740)]
            as [(Int64, UInt32, Int64)]
        {
            var timeline = RadioTimeline(Fixture.umtsTeliaSonera)
            timeline.carry(.up, 1_001, at: 0)
            timeline.handover(at: at * 1_000, lasting: 40_000)
            timeline.carry(.up, bytes, at: at * 1_000 + 10_000)
            #expect(timeline.flows.last == flows * 1_000 && timeline.dataFlowsFrom == flows * 1_000, "\(at) \(bytes)")
            timeline.run(until: flows * 1_000)
            #expect(timeline.dataFlowsFrom <= flows * 1_000 && !timeline.radio.isPromoting, "\(at) \(bytes)")
        }
    }
}
