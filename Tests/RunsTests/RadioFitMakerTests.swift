import DeadzoneBase
import DeadzoneDevice
import DeadzoneScenarios
import Foundation
import Testing

@testable import DeadzoneFit
@testable import DeadzoneRuns

/// The settings of a radio profile that a fit writes, from estimates that are made by hand.
struct RadioFitMakerTests {
    private static func estimate(
        _ setting: String, _ value: Double, _ range: ClosedRange<Double>? = nil
    ) -> RadioFit.SettingEstimate {
        RadioFit.SettingEstimate(setting: setting, value: value, range: range ?? value * 0.9...value * 1.1)
    }

    /// The findings of a maker, each with its setting, value, and range, and what is undetermined.
    private static func words(
        _ base: String, _ change: (inout RadioFitMaker) -> Void
    ) throws -> [String] {
        var maker = try RadioFitMaker(base: base, .standard)
        change(&maker)
        let report = maker.report()
        func text(_ number: Double) -> String { "\((number * 1_000).rounded() / 1_000)" }
        return report.findings.map {
            "\($0.setting) \($0.value) \(text($0.range.lowerBound)) to \(text($0.range.upperBound))"
        }
            + report.undetermined.map { "\($0.setting) unknown" }
    }

    private static let none = SilenceFit([])

    @Test func theReleaseIsASettingOfTheProfile() throws {
        // Broken: the time until a radio sleeps is written as another setting, or contains the time before its tail.
        let release = Self.estimate("release", 8, 7.5...8.5)
        // LTE sleeps after its inactivity time of 400 ms and its long DRX. 5G has one tail.
        #expect(
            try Self.words("lte-verizon-2021") { $0.addRelease(release, Self.none) } == [
                "long-drx-time 7600ms 7.1 to 8.1"
            ])
        #expect(
            try Self.words("nr-sa-low-tmobile-2021") { $0.addRelease(release, Self.none) } == [
                "tail-time 8000ms 7.5 to 8.5"
            ])
        #expect(
            try Self.words("wifi-2012-mobisys") { $0.addRelease(release, Self.none) } == ["tail-time 8000ms 7.5 to 8.5"]
        )
    }

    @Test func theSignallingIsASettingOfTheProfile() throws {
        // Broken: the time of the signalling is written into a profile that has none, or lacks the promotion before it.
        let signalling = Self.estimate("signalling-time", 2, 1.5...2.5)
        func words(_ base: String, _ promotion: Double?) throws -> [String] {
            try Self.words(base) { $0.addSignalling(signalling, behind: promotion) }
        }
        #expect(try words("nr-sa-low-tmobile-2021", 0.5) == ["signalling-time 2000ms 1.5 to 2.5"])
        // A phone with LTE and 5G is promoted to LTE, by default within 330 ms, and then to 5G.
        #expect(try words("nr-nsa-low-tmobile-2021", 0.5) == ["nr-promotion-time 2500ms 2.0 to 3.0"])
        #expect(try words("nr-nsa-low-tmobile-2021", nil) == ["nr-promotion-time 2330ms 1.83 to 2.83"])
        #expect(try words("lte-verizon-2021", 0.5).isEmpty)
    }

    @Test func onlyDeterminedSettingsAreWritten() throws {
        // Broken: a value with a wide range is written into the file, or one with a narrow range is left out.
        func words(_ estimates: [RadioFit.SettingEstimate], least share: Double) throws -> [String] {
            try Self.words("lte-verizon-2021") { for one in estimates { $0.add(one, least: share) } }
        }
        let (narrow, wide) = (
            Self.estimate("promotion-time", 1, 0.5...1.5), Self.estimate("promotion-time", 1, 0.49...1.51)
        )
        #expect(try words([narrow], least: 0.5) == ["promotion-time 1000ms 0.5 to 1.5"])
        #expect(try words([wide], least: 0.5) == ["promotion-time unknown"])
        #expect(try words([wide], least: 1) == ["promotion-time 1000ms 0.49 to 1.51"])
        #expect(try words([Self.estimate("promotion-time", 0, 0...0)], least: 1) == ["promotion-time unknown"])
        #expect(try words([Self.estimate("promotion-time", -1, -1...(-1))], least: 1) == ["promotion-time unknown"])
        // The first estimate of a setting counts. A setting that the profile does not have is none of it.
        #expect(
            try words([narrow, Self.estimate("promotion-time", 2)], least: 1) == ["promotion-time 1000ms 0.5 to 1.5"])
        #expect(try words([Self.estimate("tail-time", 2)], least: 1).isEmpty)
        #expect(try words([Self.estimate("cost-up", 50), Self.estimate("cost-down", 20)], least: 1).count == 2)
        let wifi = try Self.words("wifi-2012-mobisys") { $0.add(Self.estimate("inactivity-time", 2), least: 1) }
        #expect(wifi.isEmpty)
    }

    @Test func levelsHaveTheirSettings() throws {
        // Broken: the power of a level is written as that of another level.
        let expected: [(PowerLevel, String?)] = [
            (.idle, "idle-power"), (.promotion, "promotion-power"), (.secondPromotion, "nr-promotion-power"),
            (.activeDown, "active-power-down"), (.activeUp, "active-power-up"), (.activeHigh, "high-power"),
            (.longDRX, "long-drx-power"), (.secondTail, "second-tail-power"), (.inactive, "inactive-power"),
            (.powerSaving, "psm-power"),
        ]
        for (base, tail) in [
            ("lte-verizon-2021", "inactivity-power"), ("wifi-2012-mobisys", "tail-power"),
            ("nr-sa-low-tmobile-2021", "tail-power"),
        ] {
            let maker = try RadioFitMaker(base: base, .standard)
            for (level, setting) in expected + [(.tail, tail)] {
                #expect(maker.setting(of: level) == setting, "\(level)")
            }
            let known = Set(expected.map(\.0)).union([.tail])
            for level in PowerLevel.allCases where !known.contains(level) {
                #expect(maker.setting(of: level) == nil, "\(level)")
            }
        }
    }

    @Test func clocksThatDoNotMeetBeginTogether() throws {
        // Broken: a trace of another clock is compared with the packets of another hour, or one of the same clock is
        // moved.
        func moved(_ trace: ClosedRange<Double>, _ packets: [Double]) throws -> (from: Double, notes: Int) {
            var maker = try RadioFitMaker(base: "lte-verizon-2021", .standard)
            let middle = (trace.lowerBound + trace.upperBound) / 2
            let power = PowerTrace([
                .init(from: trace.lowerBound, until: middle, milliwatts: 1),
                .init(from: middle, until: trace.upperBound, milliwatts: 2),
            ])
            let sent = packets.map { RadioPacket(at: Instant(nanoseconds: Int64($0 * 1e9)), isUp: true, bytes: 1) }
            let aligned = maker.aligned(power, sent)
            #expect(abs(aligned.until - aligned.from - trace.upperBound + trace.lowerBound) < 1e-9)
            return (aligned.from, maker.report().notes.count)
        }
        let rows: [(trace: ClosedRange<Double>, packets: [Double], from: Double, notes: Int)] = [
            (100...110, [15, 5, 9], 5, 1), (1...4, [15, 5, 9], 5, 1), (1...5, [15, 5], 1, 0),
            (15...20, [15, 5], 15, 0),
            (7...8, [15, 5], 7, 0), (0...99, [15, 5], 0, 0), (100...110, [], 100, 0), (15.001...20, [15, 5], 5, 1),
        ]
        for row in rows {
            let found = try moved(row.trace, row.packets)
            #expect(abs(found.from - row.from) < 1e-9 && found.notes == row.notes, "\(row) \(found)")
        }
    }

    @Test func aFileInheritsFromAShippedProfile() throws {
        // Broken: the file of a fit lacks a setting of its own base, or repeats those of a shipped one.
        let fitted: (inout RadioFitMaker) -> Void = {
            $0.add(Self.estimate("promotion-time", 0.5, 0.4...0.6), least: 1)
        }
        var shipped = try RadioFitMaker(base: "lte-verizon-2021", .standard)
        fitted(&shipped)
        let line = "promotion-time: {value: 500ms, source: fit, trust: C, note: \"0.4 to 0.6 s; the base has 265ms\"}\n"
        #expect(
            shipped.report().yaml
                == "version: 1\ntechnology: lte\nabout: Measured values of a phone, with other values from lte-verizon-2021.\n"
                + "inherits: lte-verizon-2021\nsources:\n  fit: \"deadzone fit of \"\n" + line)
        let path = NSTemporaryDirectory() + "deadzone-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(shipped.report().yaml.utf8).write(to: URL(filePath: path))
        var own = try RadioFitMaker(base: path, .standard)
        fitted(&own)
        let text = own.report().yaml
        #expect(
            !text.contains("inherits") && text.contains("; the base has 500ms")
                && text.contains("long-drx-time: {value: 9800ms}\n"), "\(text)")
        #expect(
            text.components(separatedBy: "promotion-time:").count == 2
                && text.contains("cost-up: {value: 80.21mW/Mbps}"), "\(text)")
        // UMTS radios change their state by the size of buffers, which no fit estimates.
        #expect(throws: ToolFault.self) { try RadioFitMaker(base: "umts-teliasonera", .standard) }
        #expect(throws: ToolFault.self) { try RadioFitMaker(base: "lte-nowhere", .standard) }
    }
}
