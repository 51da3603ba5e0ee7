import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import Testing

@testable import DeadzoneReports

struct DurationTextTests {
    @Test(arguments: [
        (0, "00:00.000"), (5, "00:00.005"), (50, "00:00.050"), (500, "00:00.500"), (61_001, "01:01.001"),
        (3_661_000, "1:01:01.000"), (86_399_999, "23:59:59.999"),
    ])
    func aClockHasAllItsDigits(_ milliseconds: Int64, _ text: String) {
        // Broken: a clock time leads to another moment of the history.
        #expect(DurationText.clock(milliseconds) == text)
    }

    @Test(arguments: [(0, "0 s"), (60, "1 min"), (59, "59 s"), (3_600, "1 h"), (90_061, "1 d 1 h 1 min 1 s")])
    func aSpanHasItsLargestUnits(_ seconds: Int64, _ text: String) {
        #expect(DurationText.short(.seconds(seconds)) == text)
    }

    @Test func bothEndsOfAnIntervalAreWritten() throws {
        // Broken: a spreadsheet shows a number as more certain than it is.
        let report = Sample.report()
        let rows = CSV.text([report]).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let joules = try #require(rows.first { $0[2] == "naive" && $0[3] == "battery.joules" })
        let interval = try #require(report.strategies[0].measurement.interval("battery.joules"))
        let (low, high) = (try #require(interval.low.double), try #require(interval.high.double))
        #expect(low < high && joules[6...7].map { Double($0) } == [low, high], "\(joules)")
    }

    @Test func numbersKeepTheirSignAndTheirPlaces() {
        // Broken: an unchanged number has a sign, or a tenfold change is written in percent.
        func decimal(_ count: Int128, _ places: Int) -> String {
            NumberText.decimal(Billionths(count: count), places: places)
        }
        #expect(decimal(-1, 3) == "0" && decimal(-500_000, 3) == "-0.001" && decimal(1_500_000_000, 0) == "2")
        func change(_ old: Int128, _ new: Int128) -> String? {
            NumberText.change(from: Billionths(count: old * 1_000_000_000), to: Billionths(count: new * 1_000_000_000))
        }
        #expect(change(1, 10) == "10x" && change(10, 99) == "+890%" && change(4, 2) == "-50%" && change(3, 3) == "0%")
    }

    @Test func jsonIsReadUpToItsBounds() throws {
        // Broken: a file that is nested one level too deep is read, or half a surrogate pair is.
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { _ = try JSON(text: nested(JSON.maxDepth)) }
        #expect(throws: JSONFault.self) { _ = try JSON(text: nested(JSON.maxDepth + 1)) }
        #expect(try JSON(text: Array(#""\ud83d\ude00""#.utf8)).string == "\u{1F600}")
        for text in [#""\ud83d\ue000""#, #""\ud83d\ud83d""#, #""\ude00""#] {
            #expect(throws: JSONFault.self) { _ = try JSON(text: Array(text.utf8)) }
        }
    }

    @Test func casesAreCountedByTheirResult() {
        // Broken: a run that proves nothing counts as a failure, or a second case with the same name replaces the
        // first.
        let text = JUnit.text([
            .init(suite: "s", name: "a", result: .passed),
            .init(suite: "s", name: "a", result: .failed("f", details: "d")),
            .init(suite: "s", name: "a", result: .invalid("b")), .init(suite: "t", name: "a", result: .invalid("b")),
        ])
        #expect(text.contains("<testsuites name=\"deadzone\" tests=\"4\" failures=\"1\" errors=\"2\">"))
        #expect(text.contains("<testsuite name=\"s\" tests=\"3\" failures=\"1\" errors=\"1\">"))
        for name in ["\"a\"", "\"a (2)\"", "\"a (3)\""] {
            #expect(text.contains("classname=\"s\" name=\(name)"), "\(name)")
        }
    }
}
