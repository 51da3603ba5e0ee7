import DeadzoneBase
import DeadzoneDevice
import Testing

/// Exact times of a Wi-Fi radio in microseconds: the high level, handovers, beacons and losses of coverage.
@Suite struct WiFiTimelineTests {
    private func levels(_ rows: [(PowerLevel, Int64)]) -> [RadioTimeline.Span] {
        rows.map { RadioTimeline.Span($0.0, $0.1) }
    }

    private func run(_ profile: RadioProfile, _ body: (inout RadioTimeline) -> Void) -> RadioTimeline {
        var timeline = RadioTimeline(profile)
        body(&timeline)
        timeline.run(until: 5_000_000)
        return timeline
    }

    @Test("A handover stops the clock of the high level and of the tail, but not at the end of the high level")
    func highLevelInAHandover() {
        let inside = run(Fixture.wifiS2) {
            $0.carry(.up, 3_001, at: 0)
            $0.handover(at: 20_000, lasting: 50_000)
        }
        #expect(
            inside.spans
                == levels([
                    (.activeHigh, 0), (.handover, 20_000), (.activeHigh, 70_000), (.tail, 100_000), (.idle, 270_000),
                ]))
        let atItsEnd = run(Fixture.wifiS2) {
            $0.carry(.up, 3_001, at: 0)
            $0.handover(at: 50_000, lasting: 50_000)
        }
        #expect(
            atItsEnd.spans
                == levels([(.activeHigh, 0), (.handover, 50_000), (.tail, 100_000), (.idle, 270_000)]))
    }

    @Test("A handover stops bits that flow, and data during it flows at its end")
    func flowInAHandover() {
        let flowing = run(Fixture.wifiS2) {
            $0.carry(.up, 100, at: 0, airtime: 60_000)
            $0.handover(at: 20_000, lasting: 50_000)
            // A second handover during the first is part of it.
            $0.handover(at: 40_000, lasting: 50_000)
        }
        #expect(
            flowing.spans
                == levels([
                    (.activeUp, 0), (.handover, 20_000), (.activeUp, 70_000), (.tail, 110_000), (.idle, 330_000),
                ]))
        let held = run(Fixture.wifiS2) {
            $0.carry(.up, 100, at: 0)
            $0.handover(at: 20_000, lasting: 50_000)
            $0.carry(.down, 100, at: 30_000, airtime: 1_000)
        }
        #expect(held.flows == [0, 70_000])
        #expect(
            held.spans
                == levels([
                    (.tail, 0), (.handover, 20_000), (.activeDown, 70_000), (.tail, 71_000), (.idle, 291_000),
                ]))
    }

    @Test("A handover during the promotion delays it, and a dozing phone notices none")
    func handoverInAPromotion() {
        let promoting = run(Fixture.wifiMobiSys) {
            $0.carry(.up, 100, at: 0)
            #expect($0.radio.isPromoting && $0.dataFlowsFrom == 79_100)
            $0.handover(at: 40_000, lasting: 50_000)
            $0.carry(.up, 100, at: 60_000)
            #expect($0.dataFlowsFrom == 129_100)
        }
        #expect(promoting.flows == [79_100, 129_100])
        #expect(
            promoting.spans
                == levels([
                    (.promotion, 0), (.handover, 40_000), (.promotion, 90_000), (.tail, 129_100), (.idle, 367_200),
                ]))
        let dozing = run(Fixture.wifiS2) {
            $0.carry(.up, 100, at: 0)
            $0.handover(at: 220_000, lasting: 50_000)
        }
        #expect(dozing.spans == levels([(.tail, 0), (.idle, 220_000)]))
    }

    @Test("The window of the high level ends exactly with its length, and begins again with the next packet")
    func window() {
        let inside = run(Fixture.wifiS2) {
            $0.carry(.up, 2_000, at: 0)
            $0.carry(.up, 1_001, at: 49_999)
        }
        #expect(inside.spans == levels([(.tail, 0), (.activeHigh, 49_999), (.tail, 50_000), (.idle, 269_999)]))
        let outside = run(Fixture.wifiS2) {
            $0.carry(.up, 2_000, at: 0)
            $0.carry(.up, 1_001, at: 50_000)
            $0.carry(.up, 1_999, at: 99_999)
        }
        #expect(outside.spans == levels([(.tail, 0), (.idle, 319_999)]))
        // The window of held data begins when the data flows.
        let held = run(Fixture.wifiS2) { $0.carry(.down, 3_001, at: 1_000) }
        #expect(held.spans == levels([(.idle, 0), (.activeHigh, 307_200), (.tail, 357_200), (.idle, 527_200)]))
        // Without a limit there is no high level.
        let low = run(Fixture.wifiARO) { $0.carry(.up, 4_000_000, at: 0) }
        #expect(low.spans == levels([(.tail, 0), (.idle, 250_000)]))
    }

    @Test("A loss of coverage or of the network forgets the bytes of the window and the high level")
    func forgotten() {
        for bytes in [3_000, 3_001] as [UInt32] {
            let uncovered = run(Fixture.wifiS2) {
                $0.carry(.up, bytes, at: 0)
                $0.setCoverage(false, at: 10_000)
                #expect($0.dataFlowsFrom == -1)
                $0.carry(.up, 5_000, at: 10_000)
                $0.setCoverage(true, at: 10_000)
                $0.carry(.up, 1, at: 20_000)
            }
            #expect(uncovered.flows == [0, -1, 20_000])
            let first: PowerLevel = bytes == 3_001 ? .activeHigh : .tail
            #expect(uncovered.spans == levels([(first, 0), (.idle, 10_000), (.tail, 20_000), (.idle, 240_000)]))
            let left = run(Fixture.wifiS2) {
                $0.carry(.up, bytes, at: 0)
                $0.setAssociated(false, at: 10_000)
                $0.carry(.up, 5_000, at: 11_000)
                #expect($0.dataFlowsFrom == -1)
                $0.setAssociated(true, at: 12_000)
                $0.carry(.up, 1, at: 20_000)
            }
            #expect(left.flows == [0, -1, 20_000])
            #expect(
                left.spans
                    == levels([
                        (first, 0), (.unassociated, 10_000), (.idle, 12_000), (.tail, 20_000), (.idle, 240_000),
                    ]))
        }
    }

    @Test("Data for a dozing phone waits for the beacon, unless the phone wakes up itself")
    func beacons() {
        let waiting = run(Fixture.wifiS2) {
            #expect($0.dataFlowsFrom == -1)
            $0.carry(.down, 100, at: 1_000)
            #expect($0.dataFlowsFrom == 307_200)
            $0.carry(.up, 100, at: 2_000)
            $0.carry(.down, 100, at: 221_999)
            $0.carry(.down, 100, at: 500_000)
        }
        #expect(waiting.flows == [307_200, 2_000, 221_999, 614_400])
        #expect(
            waiting.spans
                == levels([(.idle, 0), (.tail, 2_000), (.idle, 441_999), (.tail, 614_400), (.idle, 834_400)]))
        let exact = run(Fixture.wifiMobiSys) { $0.carry(.down, 100, at: 308_200) }
        #expect(exact.flows == [387_300])
        #expect(exact.spans == levels([(.idle, 0), (.promotion, 308_200), (.tail, 387_300), (.idle, 625_400)]))
    }
}
