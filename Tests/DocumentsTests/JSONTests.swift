import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Foundation
import Testing
@testable import DeadzoneReports

@Suite struct JSONTests {
    private func parsed(_ text: String) throws -> NSDictionary {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    @Test("Equal values give equal bytes, which every parser reads")
    func oneTextForEachValue() {
        let table: [(JSON, String)] = [
            (.null, "null"), (.bool(true), "true"), (.integer(Int128(UInt64.max)), "18446744073709551615"),
            (.number(41.2), "41.2"), (.number(812), "812"), (.number(-0.0), "0"), (.number(1e-9), "1e-09"),
            (.number(1e300), "1e+300"), (.number(0.1 + 0.2), "0.30000000000000004"), (.number(.nan), "null"),
            (.number(.infinity), "null"), (.string("a\"b\\c\n\t"), #""a\"b\\c\n\t""#), (.array([]), "[]"),
            (.object([:]), "{}"), (.array([.null, .integer(1)]), "[null, 1]"),
            (.object(["b": .null, "a": .array([]), "B": .null]), #"{"B": null, "a": [], "b": null}"#),
        ]
        for (value, text) in table { #expect(value.text(.line) == text) }
        #expect(JSON.object(["a": .array([.integer(1)])]).text() == "{\n  \"a\": [\n    1\n  ]\n}")
    }

    @Test("Characters that control a terminal are escaped")
    func terminalControlsAreEscaped() throws {
        let evil = "\u{1B}]0;owned\u{7}\u{202E}txt\u{0}\u{9B}31m\u{2028}\u{E0041}é漢🚇"
        let text = JSON.object(["name": .string(evil)]).text(.line)
        #expect(text.unicodeScalars.allSatisfy { $0.isPlain })
        #expect(text.contains("é漢🚇"))
        #expect(try parsed(text)["name"] as? String == evil)
    }

    @Test("A double that is read back from a result is the same")
    func doublesReadBackTheSame() {
        seedSweep(50) { seed in
            var bits = seed &* 0x9E37_79B9_7F4A_7C15
            for _ in 0..<50 {
                bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let number = Double(bitPattern: bits)
                guard number.isFinite else { continue }
                // JSONSerialization is not used, because swift-corelibs-foundation reads the last digits wrongly.
                let text = JSON.number(number).text(.line)
                #expect(Double(text) == number, "\(text)")
            }
        }
    }

    @Test("A run has its documented keys")
    func aRunHasItsDocumentedShape() throws {
        var report = Sample.report()
        try report.judge(Sample.expectations())
        let text = report.json.text()
        let run = try parsed(text)
        #expect(run["schema"] as? String == "deadzone/run/1")
        #expect((run["tool"] as? NSDictionary)?["version"] as? String == "0.1.0")
        #expect(run["seed"] as? Int == 1 && run["replicas"] as? Int == 6 && run["verdict"] as? String == "fail")
        let scenario = try #require(run["scenario"] as? NSDictionary)
        #expect(scenario["duration_s"] as? Double == 2_700 && scenario["world_hash"] as? String == "00c0ffee00c0ffee")
        let strategies = try #require(run["strategies"] as? [NSDictionary])
        #expect(strategies.map { $0["name"] as? String } == ["naive", "tuned"])
        let tuned = strategies[1]
        let metrics = try #require(tuned["metrics"] as? NSDictionary)
        let energy = try #require(tuned["energy"] as? NSDictionary)
        let joules = try #require(metrics["battery.joules"] as? Double)
        for key in ["by_state", "by_cause"] {
            let rows = try #require(energy[key] as? [String: Double])
            #expect(abs(rows.values.reduce(0, +) - joules) < 1e-9, "\(key)")
        }
        #expect((metrics["latency.up.p50"] as? NSNull) != nil)
        let interval = try #require((tuned["ci95"] as? NSDictionary)?["battery.joules"] as? [Double])
        #expect(interval[0] < joules && joules < interval[1])
        let radio = try #require((tuned["radio"] as? NSDictionary)?["cellular"] as? [String: Double])
        #expect(radio == ["active": 30, "idle": 2_367.5, "tail": 302.5])
        let expect = try #require(tuned["expect"] as? [NSDictionary])
        #expect(expect[2]["of"] as? String == "naive" && expect[2]["ratio"] as? Double == 0.6)
        #expect(expect[1]["op"] as? String == "<" && expect[1]["bound"] as? Double == 15)
        #expect(report.json.text() == text)
        let runs = try parsed(RunReport.json(of: [report, report]).text())
        #expect(runs["schema"] as? String == "deadzone/runs/1" && (runs["runs"] as? [NSDictionary])?.count == 2)
        expectSnapshot(text + "\n", "run.json")
    }
}
