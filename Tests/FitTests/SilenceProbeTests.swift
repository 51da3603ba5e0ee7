import DeadzoneBase
import Testing

@testable import DeadzoneFit

/// Radio timers from round trips after silences, on a phone with known timers.
struct SilenceProbeTests {
    /// Probes of a phone that sleeps `release` seconds after traffic. A sleeping phone answers after 0.3 s and a part of its
    /// paging cycle of 1.28 s, a connected one after 0.05 s and a part of its DRX cycle of 0.32 s.
    private static func probes(_ silences: [Double], release: Double = 10.2) -> [SilenceFit.Probe] {
        silences.enumerated().map { index, silence in
            let part = Double(index * 37 % 100) / 100
            let trip = silence < 0.1 ? 0.05 : silence < release ? 0.05 + 0.32 * part : 0.35 + 1.28 * part
            return SilenceFit.Probe(silence: silence, roundTrip: trip, follows: false)
        }
    }

    private static func number(_ setting: String, _ fit: SilenceFit) throws -> (
        value: Double, range: ClosedRange<Double>
    ) {
        let found = try #require(fit.numbers.first { $0.setting == setting }, "\(setting) among \(fit.numbers)")
        return (found.value, found.range)
    }

    @Test func timersAreFound() throws {
        // Broken: a boundary lies beside the silence at which answers become late, or a cycle or a promotion is another.
        let silences = (0..<400).map { Double($0) * 0.05 } + (0..<200).map { 10.3 + Double($0) * 0.05 }
        let fit = SilenceFit(Self.probes(silences))
        let release = try Self.number("release", fit)
        #expect(release.range.contains(10.2) && release.range.upperBound - release.range.lowerBound < 1, "\(release)")
        #expect(abs(release.value - 10.2) < 0.5 && release.range.contains(release.value))
        #expect(try Self.number("long-drx-cycle", fit).value == 0.32 && Self.number("paging-cycle", fit).value == 1.28)
        let promotion = try Self.number("promotion-time", fit)
        // Medians: 0.35 + 0.64 and 0.05 + 0.16, without half a cycle each.
        #expect(promotion.range.contains(0.3) && abs(promotion.value - 0.3) < 0.05, "\(promotion)")
        let slack = (promotion.range.upperBound - promotion.range.lowerBound) / 2
        let asleep = Double(silences.count { $0 > release.range.upperBound })
        #expect(abs(slack - 3 * 1.28 / 2 / asleep.squareRoot()) < 0.02, "\(slack)")
        #expect(fit.connectedTimes == nil && !fit.undetermined.contains { $0.setting == "release" })
    }

    @Test(arguments: [(9, false), (10, true)])
    func tenProbesAreNeeded(_ count: Int, _ isEnough: Bool) {
        // Broken: nine early probes are enough, or ten are not.
        let early = (0..<count).map { 1 + Double($0) * 0.3 }
        let late = (0..<20).map { 12 + Double($0) }
        let fit = SilenceFit(Self.probes(early + [0.99, 4] + late))
        #expect(fit.numbers.contains { $0.setting == "release" } == isEnough, "\(fit.undetermined)")
        let why = fit.undetermined.first { $0.setting == "everything" }?.why
        #expect(why == (isEnough ? nil : "fewer than 10 probes followed a silence of 1 s to 4 s"))
    }

    @Test(arguments: [true, false])
    func oneKindOfProbesDeterminesNothing(_ isAsleep: Bool) {
        // Broken: a release is found although all probes, or none, found the radio asleep.
        let silences = (0..<40).map { 1 + Double($0) * 0.07 }
        let fit = SilenceFit(Self.probes(silences, release: isAsleep ? 0 : 100))
        let why = fit.undetermined.map { "\($0.setting): \($0.why)" }
        #expect(fit.numbers.isEmpty && why == ["release: no probe, or every probe, found the radio asleep"])
    }

    @Test func probesAfterAWakeStayLonger() throws {
        // Broken: signalling that keeps a woken phone connected is not found, or found where there is none.
        var probes: [SilenceFit.Probe] = []
        for round in 0..<60 {
            // A long silence wakes the phone; then a shorter silence of 10 to 16 s follows, and one after a connected probe.
            let silence = 10.05 + Double(round) * 0.1
            let part = Double(round * 37 % 100) / 100
            probes.append(.init(silence: 30, roundTrip: 0.4 + 1.28 * part))
            let staysUp = silence < 14.5
            probes.append(.init(silence: silence, roundTrip: staysUp ? 0.05 + 0.32 * part : 0.4 + 1.28 * part))
            probes.append(.init(silence: 2 + Double(round) * 0.03, roundTrip: 0.05 + 0.32 * part))
            let short = 8.05 + Double(round) * 0.1
            probes.append(.init(silence: short, roundTrip: short < 10.2 ? 0.05 + 0.32 * part : 0.4 + 1.28 * part))
        }
        let fit = SilenceFit(probes)
        let times = try #require(fit.connectedTimes, "\(fit.undetermined)")
        #expect(times.woken.contains(14.5) && times.refreshed.contains(10.2), "\(times)")
        let memory = try Self.number("signalling-time", fit)
        #expect(memory.range.contains(4.3) && abs(memory.value - 4.3) < 0.3, "\(memory)")
        #expect(memory.range.lowerBound == times.woken.lowerBound - times.refreshed.upperBound)
        #expect(memory.range.upperBound == times.woken.upperBound - times.refreshed.lowerBound)
    }

    @Test func tablesOfProbesAreRead() {
        // Broken: a bad row is read, a unit is not converted, or a probe after a bad one counts as following it.
        let fit = SilenceFit(
            csv:
                "Interval,RTT1,KeepOrDrop\n1.5,200,GOOD\n2,300,BAD\n3,x,GOOD\n4,0,GOOD\n5,50,GOOD\n6,70,GOOD\n-,80,GOOD\n7,90,GOOD\n"
        )
        #expect(fit.probes.map(\.silence) == [1.5, 5, 6, 7] && fit.probes.map(\.roundTrip) == [0.2, 0.05, 0.07, 0.09])
        #expect(fit.probes.map(\.follows) == [false, false, true, false])
        #expect(SilenceFit(csv: "a,b\n1,2\n").probes.isEmpty && SilenceFit(csv: "interval,b\n1,2\n").probes.isEmpty)
        #expect(SilenceFit(csv: "silence,rtt\n1,2\n").probes == [.init(silence: 1, roundTrip: 0.002, follows: false)])
    }

    @Test func radioSettingsAreWrittenAsInProfiles() {
        // Broken: a value of a radio setting has another unit, or is rounded to another place.
        func text(_ setting: String, _ value: Double) -> String {
            let estimate = RadioFit.SettingEstimate(setting: setting, value: value, range: -1...2.5)
            return "\(estimate.text) \(estimate.unit) \(estimate.allowed)"
        }
        #expect(
            text("promotion-time", 0.265) == "265ms s 0 to 2.5 s"
                && text("promotion-time", 0.26543) == "265400us s 0 to 2.5 s")
        #expect(text("release", 10.20004) == "10200ms s 0 to 2.5 s" && text("release", 0) == "0us s 0 to 2.5 s")
        #expect(
            text("long-drx-power", 177.96) == "178mW mW 0 to 2.5 mW"
                && text("active-power-up", 12.34) == "12.3mW mW 0 to 2.5 mW")
        #expect(text("cost-up", 14.499) == "14.5mW/Mbps mW/Mbps 0 to 2.5 mW/Mbps")
    }
}
