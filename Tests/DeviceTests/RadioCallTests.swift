import DeadzoneBase
@testable import DeadzoneDevice
import Testing

/// Recorded calls to a radio: their text, and their repetition.
@Suite struct RadioCallTests {
    private static let phases = RadioPhases(paging: 12, drx: 34, luck: 56)

    private static let operations: [(RadioCall.Operation, String)] = [
        (.begin(phases), "begin 12 34 56"), (.carry(.up, bytes: 100, airtime: .nanoseconds(7)), "up 100 7"),
        (.carry(.down, bytes: 200, airtime: .nanoseconds(8)), "down 200 8"), (.coverage(false), "dark"),
        (.coverage(true), "light"), (.association(false), "leave"), (.association(true), "join"),
        (.handover(lasting: .nanoseconds(9)), "handover 9"), (.end, "end"),
    ]

    private var calls: [RadioCall] {
        Self.operations.enumerated().map { RadioCall(at: .zero + .nanoseconds(Int64($0.offset)), $0.element.0) }
    }

    private var text: String {
        Self.operations.enumerated().map { "\($0.offset) \($0.element.1)" }.joined(separator: "; ")
    }

    @Test("Each call has one text, from which it is read again")
    func texts() throws {
        let log = try #require(RadioCallLog(calls))
        #expect(log.texts(ofBytes: 1_000) == [text] && RadioCallLog([text]) == log)
        #expect(log.phases == Self.phases && log.beginsAt == .zero && log.endsAt == .zero + .nanoseconds(8))
        // A text may be exactly as long as allowed, and not a byte longer.
        #expect(log.texts(ofBytes: text.utf8.count) == [text])
        let parts = log.texts(ofBytes: text.utf8.count - 1)
        #expect(parts.count == 2 && parts.last == "8 end" && RadioCallLog(parts) == log)
    }

    @Test("A log with a wrong word, number, order or length is refused")
    func refused() {
        let good = "0 begin 1 2 3; 5 dark; 9 end"
        #expect(RadioCallLog([good])?.calls.count == 3)
        #expect(
            RadioCallLog([
                "0 begin 1000000000000 2 3; 1000000000000000000 up 4294967295 1000000000000; 1000000000000000000 end"
            ]) != nil)
        let bad = [
            "0 begin 1 2 3", "0 end", "0 dark; 9 end", "0 begin 1 2 3; 5 dark", "0 begin 1 2; 9 end",
            "0 begin 1 2 3 4; 9 end", "0 begin 1 2 3; 5 dark 1; 9 end", "0 begin 1 2 3; 5 up 1; 9 end",
            "0 begin 1 2 3; 5 down 1 2 3; 9 end", "0 begin 1 2 3; 5 handover; 9 end", "0 begin 1 2 3; 5 join 0; 9 end",
            "0 begin 1 2 3; 5 leave x; 9 end", "0 begin 1 2 3; 5 light -1; 9 end", "0 begin 1 2 3; 5 shade; 9 end",
            "0 begin 1 2 3; 5; 9 end", "0 begin 1 2 3; x dark; 9 end", "-1 begin 1 2 3; 9 end",
            "0 begin 1 2 3; 5 dark; 4 end", "0 begin 1 2 3; 5 begin 1 2 3; 9 end", "0 begin 1 2 3; 5 end; 9 end",
            "0 begin 1 2 3; 1000000000000000001 end", "0 begin 1000000000001 2 3; 9 end",
            "0 begin 1 1000000000001 3; 9 end", "0 begin 1 2 3; 5 up 4294967296 1; 9 end",
            "0 begin 1 2 3; 5 up 1 1000000000001; 9 end", "0 begin 1 2 3; 5 handover 1000000000001; 9 end",
        ]
        for text in bad { #expect(RadioCallLog([text]) == nil, "\(text)") }
        #expect(RadioCallLog([good.replacing("5 dark", with: "0 dark; 9 light")]) != nil)
    }

    @Test("A repeated call does what the call itself does")
    func repetition() {
        for profile in [Fixture.lte2021, Fixture.wifiS2, Fixture.umtsTeliaSonera] {
            var (radio, same) = (
                Radio(profile: profile, phases: Self.phases, at: .zero),
                Radio(profile: profile, phases: Self.phases, at: .zero)
            )
            let isWiFi = profile.technology == .wifi
            func compare(
                _ operation: RadioCall.Operation, _ seconds: Int64, _ call: (inout Radio, Instant) -> BurstOutcome
            ) {
                let at = Instant.zero + .seconds(seconds)
                while radio.nextTransition <= at { _ = radio.advance(profile) }
                while same.nextTransition <= at { _ = same.advance(profile) }
                let outcome = radio.apply(RadioCall(at: at, operation), for: .push, profile)
                #expect(outcome == call(&same, at), "\(operation)")
                #expect(radio.level == same.level && radio.nextTransition == same.nextTransition, "\(operation)")
                #expect(radio.cause == same.cause && radio.dataFlowsFrom == same.dataFlowsFrom, "\(operation)")
            }
            func spent(_ residency: Residency?, at: Instant) -> BurstOutcome {
                BurstOutcome(flowsAt: at, airtime: .zero, spent: residency)
            }
            compare(.begin(Self.phases), 1) { spent($0.closePeriod(at: $1), at: $1) }
            compare(.association(true), 2) { spent(isWiFi ? $0.setAssociated(true, at: $1) : nil, at: $1) }
            compare(.carry(.up, bytes: 100, airtime: .seconds(2)), 3) {
                let burst = Burst(direction: .up, bytes: 100, airtime: .seconds(2), cause: .push)
                return $0.carry(burst, at: $1, profile)
            }
            compare(.handover(lasting: .seconds(1)), 4) {
                spent($0.handover(at: $1, lasting: .seconds(1), profile), at: $1)
            }
            compare(.carry(.down, bytes: 90, airtime: .seconds(3)), 6) {
                let burst = Burst(direction: .down, bytes: 90, airtime: .seconds(3), cause: .push)
                return $0.carry(burst, at: $1, profile)
            }
            compare(.coverage(false), 8) { spent($0.setCoverage(false, at: $1, profile), at: $1) }
            compare(.coverage(true), 20) { spent($0.setCoverage(true, at: $1, profile), at: $1) }
            compare(.association(false), 30) { spent(isWiFi ? $0.setAssociated(false, at: $1) : nil, at: $1) }
            compare(.end, 40) { spent($0.closePeriod(at: $1), at: $1) }
        }
    }
}

/// Several bursts at once: the direction that the tail continues, and the queue of each direction.
@Suite struct SimultaneousBurstTests {
    @Test("The tail continues the direction of the largest burst of the last instant, and of uplink if they are equal")
    func lastDirection() {
        let rows: [([(Direction, UInt32)], PowerLevel)] = [
            ([(.up, 100), (.down, 100)], .activeUp), ([(.down, 100), (.up, 100)], .activeUp),
            ([(.up, 99), (.down, 100)], .activeDown), ([(.down, 100), (.up, 99)], .activeDown),
            ([(.up, 100), (.down, 99)], .activeUp), ([(.down, 99), (.up, 100)], .activeUp),
            ([(.down, 0), (.up, 0)], .activeUp), ([(.down, 1), (.up, 0)], .activeUp),
            ([(.down, 2), (.up, 0)], .activeDown), ([(.up, 0), (.down, 2)], .activeDown),
            ([(.down, 50), (.up, 60), (.down, 70)], .activeDown),
        ]
        for (bursts, level) in rows {
            var timeline = RadioTimeline(Fixture.lteParts)
            timeline.carry(.up, 5_000, at: 0)
            for (direction, bytes) in bursts { timeline.carry(direction, bytes, at: 300_000) }
            #expect(
                timeline.flows.dropFirst().allSatisfy { $0 == 300_000 } && timeline.radio.level == level, "\(bursts)")
        }
    }

    @Test("Held bursts of one direction follow each other, and both directions begin together")
    func heldBursts() {
        var timeline = RadioTimeline(Fixture.lte2021)
        timeline.carry(.up, 1, at: 0)
        timeline.carry(.down, 1, at: 10_000, airtime: 100_000)
        timeline.carry(.up, 1, at: 20_000, airtime: 30_000)
        timeline.carry(.up, 1, at: 30_000, airtime: 20_000)
        timeline.run(until: 20_000_000)
        #expect(timeline.flows == [265_000, 265_000, 265_000, 265_000])
        let expected: [(PowerLevel, Int64)] = [
            (.promotion, 0), (.activeUp, 265_000), (.activeDown, 315_000), (.tail, 365_000), (.idle, 10_565_000),
        ]
        #expect(timeline.spans == expected.map { RadioTimeline.Span($0.0, $0.1) })
    }

    /// Downlink drains in 30 ms, until 460 ms. Uplink with an airtime of 200 ms begins at 431 ms beside it.
    @Test("On the common channel each direction drains by itself")
    func commonChannel() {
        var timeline = RadioTimeline(Fixture.umtsTeliaSonera)
        timeline.carry(.down, 100, at: 0)
        timeline.carry(.up, 1, at: 431_000, airtime: 200_000)
        timeline.run(until: 20_000_000)
        #expect(timeline.spans.last == RadioTimeline.Span(.idle, 431_000 + 200_000 + 5_900_000))
    }

    @Test("A short burst in the other direction does not decide the tail while a longer one flows")
    func shortBurst() {
        for (first, second, level) in [
            (Direction.down, Direction.up, PowerLevel.activeDown), (.up, .down, .activeUp),
        ] {
            var timeline = RadioTimeline(Fixture.lteParts)
            timeline.carry(.up, 5_000, at: 0)
            timeline.carry(first, 10, at: 300_000, airtime: 500_000)
            timeline.carry(second, 5_000, at: 310_000, airtime: 10_000)
            timeline.run(until: 850_000)
            #expect(timeline.radio.level == level)
        }
    }

    @Test("One byte drains on the common channel, too")
    func oneByte() {
        var timeline = RadioTimeline(Fixture.umtsTeliaSonera)
        timeline.carry(.up, 1, at: 0)
        timeline.run(until: 20_000_000)
        #expect(timeline.spans.last == RadioTimeline.Span(.idle, 430_000 + 1_200 + 5_900_000))
    }

    @Test("A paged radio reports its promotion when it begins, and once")
    func pagedPromotion() {
        for profile in [Fixture.lte2021, Fixture.umtsARO, Fixture.wifiMobiSys] {
            var radio = Radio(profile: profile, phases: RadioPhases(paging: 0, drx: 0), at: .zero)
            if profile.interface == .wifi { _ = radio.setAssociated(true, at: .zero) }
            #expect((profile.interface == .wifi) == (profile.technology == .wifi))
            let burst = Burst(direction: .down, bytes: 10, airtime: .zero, cause: .push)
            let outcome = radio.carry(burst, at: .zero + .milliseconds(1), profile)
            #expect(!outcome.promoted && !radio.isPromoting)
            var reports: [Bool] = []
            while radio.nextTransition != .never { reports.append(radio.advance(profile).promoted) }
            #expect(reports.first == true && reports.dropFirst().allSatisfy { !$0 } && reports.count > 1)
        }
    }

    @Test("A parameter is an assumption if it is assumed or recalled")
    func assumptions() {
        let numbers = Trust.allCases.map { Provenance(parameter: "p", value: "1", source: "", trust: $0) }
        let source = ProfileSource(name: "n", about: "a", numbers: numbers)
        #expect(source.assumptions.map(\.trust) == [.recalled, .assumed])
    }
}
