import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand

struct DayVerbTests {
    private static let office = Repository.root + "/Scenarios/days/office.txt"
    private static let night = Repository.root + "/Scenarios/days/night.checkin"

    @Test(arguments: [office, night], ["", " --app com.example.chat", " --app com.example.chat --simplify 30s"])
    func shippedDaysBecomeScenariosThatRun(_ file: String, _ flags: String) throws {
        // Broken: the scenario of a day is refused, or one of its entries has no effect.
        let workspace = try TestWorkspace()
        let outcome = workspace.run("day \(file) --to-scenario @day.yaml" + flags)
        #expect(outcome.code == .ok && outcome.output.contains("100 % understood"), "\(outcome.errors)")
        #expect(outcome.errors.contains("next: deadzone run"))
        #expect(workspace.run("lint @day.yaml").code == .ok)
        let run = workspace.run("run @day.yaml --replicas 1")
        #expect(run.code == .ok, "\(run.errors)\(run.output.suffix(600))")
        #expect(try !workspace.text("day.yaml").contains("com.example"))
    }

    @Test func numbersAreInJSON() throws {
        // Broken: the JSON has other numbers than the text, or two files make two documents.
        let outcome = try TestWorkspace().run("day \(Self.office) \(Self.night) --app com.example.chat --json")
        #expect(outcome.code == .ok && outcome.errors == "")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(document["schema"] as? String == "deadzone/day/1")
        let days = try #require(document["days"] as? [[String: Any]])
        #expect(days.count == 2)
        let totals = try #require(days[0]["totals_ms"] as? [String: Int])
        let length = try #require(days[0]["length_ms"] as? Int)
        #expect((totals["wifi"] ?? 0) + (totals["cellular"] ?? 0) + (totals["no_network"] ?? 0) == length)
        let app = try #require(days[0]["app"] as? [String: Any])
        #expect((app["pushes"] as? Int ?? 0) > 20 && (app["bursts"] as? Int ?? 0) > 20)
        #expect((days[1]["counts"] as? [String: Int])?["calls_without_data"] == 2)
    }

    @Test func shippedDaysAreLabelledAsInvented() throws {
        // Broken: a reader takes an invented day for a recording of a person.
        for file in [Self.office, Self.night] {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.hasPrefix("An invented day"))
        }
    }

    @Test func recordedTimesOfDozeRaiseTheAgreement() throws {
        // Broken: the times of Doze in the scenario do not fit the recording better than those of the platform.
        let outcome = try TestWorkspace().run("day \(Self.night) --json")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let doze = try #require((document["days"] as? [[String: Any]])?.first?["doze"] as? [String: Any])
        func same(_ key: String) throws -> Int {
            try #require((doze[key] as? [String: Any])?["same_at_rest_ms"] as? Int)
        }
        let rest = try #require((doze["simulated"] as? [String: Any])?["rest_ms"] as? Int)
        #expect(try same("simulated") < same("simulated_with_recorded_times"))
        #expect(try same("simulated_with_recorded_times") * 100 > rest * 95)
    }

    @Test func pageShowsRecordedLanesAboveSimulatedOnes() throws {
        // Broken: the page lacks the recording, or places it below the simulation.
        let workspace = try TestWorkspace()
        let outcome = workspace.run("day \(Self.office) --app com.example.chat --format html,json --out @report")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let page = try workspace.text("report/day.html")
        let recorded = try #require(page.range(of: "<b>Recorded</b>"))
        let simulated = try #require(page.range(of: "<b>Simulated: recommended</b>"))
        #expect(recorded.lowerBound < simulated.lowerBound && page.contains("<b>Simulated Doze</b>"))
        #expect(page.contains(">Screen</text>") && page.contains("class=\"n-there n-cellular\""))
        #expect(try workspace.text("report/day.json").contains("simulated_busy_ms"))
        #expect(workspace.run("day \(Self.office) \(Self.night) --format html").code == .usage)
    }

    @Test(arguments: [office, night])
    func numbersDoNotDependOnThePage(_ file: String) throws {
        // Broken: without a page, another strategy is simulated, or a radio is busy at other times.
        let workspace = try TestWorkspace()
        let call = "day \(file) --app com.example.chat"
        #expect(workspace.run(call + " --format html,json --out @report").code == .ok)
        let alone = workspace.run(call + " --json")
        #expect(alone.output.contains("simulated_busy_ms"))
        #expect(try workspace.text("report/day.json") == alone.output)
    }

    @Test func standardInputIsRead() throws {
        // Broken: the output of adb cannot be piped.
        let text = try String(contentsOfFile: Self.night, encoding: .utf8)
        let outcome = try TestWorkspace().run("day -", input: text)
        #expect(outcome.code == .ok && outcome.output.contains("standard input"))
    }

    @Test func wrongInputSaysWhatToDo() throws {
        // Broken: a wrong file or flag ends without a way out.
        let workspace = try TestWorkspace()
        try workspace.write("log.txt", "hello\n")
        try workspace.write("cut.zip", Array("PK\u{3}\u{4}".utf8))
        try workspace.write("empty", "")
        try workspace.write("folder/day.txt", "")
        try workspace.write("still.txt", "Battery History (0% used):\n  0 (1) 100 +screen\n\n")
        let cases: [(String, ExitCode, String)] = [
            ("day @missing.txt", .runtime, "cannot read"), ("day @folder", .runtime, "it is a folder"),
            ("day @log.txt", .badInput, "adb bugreport"), ("day @cut.zip", .badInput, "truncated"),
            ("day", .usage, "REPORT"),
            ("day @empty", .badInput, "it is empty"), ("day @still.txt --to-scenario @x.yaml", .badInput, "lasts 0 s"),
            ("day \(Self.office) --app com.example.cat", .usage, "com.example.chat"),
            ("day \(Self.office) --simplify 30", .usage, "--simplify"),
            ("day \(Self.office) \(Self.night) --to-scenario @x.yaml", .usage, "one report"),
        ]
        for (line, code, words) in cases {
            let outcome = workspace.run(line)
            #expect(
                outcome.code == code && outcome.errors.contains(words), "\(line): \(outcome.code) \(outcome.errors)")
        }
        #expect(!workspace.exists("x.yaml"))
    }

    @Test func aStoppedDayWritesNothing() throws {
        // Broken: Ctrl-C while the file is read is ignored, or a partly simulated day is shown as complete.
        func run(until limit: Int, in workspace: TestWorkspace) -> (outcome: TestWorkspace.Outcome, asked: Int) {
            let asked = Atomic(0)
            let outcome = workspace.run(
                "day \(Self.office) --to-scenario @day.yaml --format html,json --out @report"
            ) { surroundings in
                surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            }
            return (outcome, asked.load(ordering: .relaxed))
        }
        let (whole, most) = run(until: .max, in: try TestWorkspace())
        #expect(whole.code == .ok && most > 3)
        var words: Set<String> = []
        for limit in 0..<most {
            let workspace = try TestWorkspace()
            let outcome = run(until: limit, in: workspace).outcome
            #expect(outcome.code == .interrupted && outcome.output == "", "\(limit): \(outcome.errors)")
            #expect(outcome.errors.contains("nothing was written"), "\(limit) of \(most): \(outcome.errors)")
            #expect(!workspace.exists("day.yaml"))
            #expect(!workspace.exists("report/day.html") && !workspace.exists("report/day.json"))
            for word in ["reading", "simulating"] where outcome.errors.contains("stopped while \(word)") {
                words.insert(word)
            }
        }
        #expect(words == ["reading", "simulating"])
    }

    @Test func aHistoryThatIsTooLongIsShortened() throws {
        // Broken: the scenario is larger than `run` accepts, and is offered as the next step.
        var text = "Battery History (9% used, 1KB used of 4096KB, 3 strings using 80):\n"
        text += "  0 (1) RESET:TIME: 2026-03-09-07-00-00\n  0 (1) 100 +wifi wifi_suppl=completed data_conn=lte\n"
        for index in 0..<20_000 {
            let change = ["wifi_suppl=disconn +screen", "-screen", "wifi_suppl=completed"][index % 3]
            text += "  +\(index)s (1) 100 \(change)\n"
        }
        let workspace = try TestWorkspace()
        try workspace.write("day.txt", text + "  +200000s (1) 090 -wifi\n\n")
        let outcome = workspace.run("day @day.txt --to-scenario @day.yaml")
        #expect(outcome.code == .ok && outcome.errors.contains("note: states shorter than"), "\(outcome.errors)")
        // Broken: a day without an app in front is written without a word.
        #expect(outcome.errors.contains("note: without `--app`"), "\(outcome.errors)")
        #expect(outcome.errors.contains("at most 10000 entries and 1 MiB") && !outcome.errors.contains("not simulated"))
        #expect(workspace.run("lint @day.yaml").code == .ok)
        #expect(workspace.run("day @day.txt --to-scenario - -q").errors == "")
    }

    @Test func anyHistoryBecomesAScenarioThatRuns() throws {
        // Broken: some order of networks, restarts and short states is written as a timeline that is refused.
        var entries = 0
        seedSweep(60) { seed in
            let workspace = try TestWorkspace()
            try workspace.write("day.txt", RandomHistory.text(seed))
            let flags = seed % 2 == 0 ? " --simplify 20s" : ""
            let outcome = workspace.run("day @day.txt --app com.example.chat --to-scenario @day.yaml" + flags)
            #expect(outcome.code == .ok, "\(outcome.errors)")
            let text = try workspace.text("day.yaml")
            let lint = workspace.run("lint @day.yaml")
            #expect(lint.code == .ok, "\(lint.errors)\(text)")
            let run = workspace.run("run @day.yaml --replicas 1")
            #expect(run.code == .ok, "\(run.errors)\(run.output.suffix(600))\(text)")
            entries += text.components(separatedBy: "{at:").count - 1
        }
        #expect(entries > 100)
    }
}

/// Histories with random changes of networks, screen, charger, app and clock.
private enum RandomHistory {
    private static let changes = [
        "+screen", "-screen", "+plugged", "-plugged", "+power_save", "-power_save", "wifi_suppl=completed",
        "wifi_suppl=disconn", "wifi_suppl=associated", "wifi_suppl=completed", "data_conn=lte", "data_conn=nr",
        "data_conn=oos", "data_conn=none", "data_conn=hspa", "phone_state=off", "phone_state=in", "+mobile_radio",
        "-mobile_radio", "conn=0:\"CONNECTED\"", "conn=1:\"CONNECTED\"", "conn=0:\"SUSPENDED\"",
        "conn=1:\"DISCONNECTED\"", "+top=u0a120:\"com.example.chat\"", "-top=u0a120:\"com.example.chat\"",
        "wakeupap=u0a120:\"\"", "+tmpwhitelist=u0a120:\"com.google.android.c2dm.intent.RECEIVE\"", "SHUTDOWN", "START",
        "device_idle=light", "device_idle=off", "device_idle=full",
    ]

    static func text(_ seed: UInt64) -> String {
        var state = seed
        func draw(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        var text = "Battery History (0% used, 1KB used of 4096KB, 3 strings using 80):\n"
        text += "  0 (1) RESET:TIME: 2026-03-09-07-00-00\n  0 (1) 100 +wifi top=u0a120:\"com.example.chat\"\n"
        if draw(2) == 0 { text += "  0 (1) 100 +screen wifi_suppl=completed data_conn=lte\n" }
        var seconds = 0
        for _ in 0..<(5 + draw(60)) {
            seconds += draw(4) == 0 ? 0 : draw(3) == 0 ? draw(3_000) : draw(30)
            let change = changes[draw(changes.count)]
            text += "  +\(seconds)s\(draw(1_000))ms (1) \(change.first == "S" ? "" : "090 ")\(change)\n"
            if change == "START" { text += "  +\(seconds)s999ms (1) TIME: 2026-03-09-09-00-0\(draw(10))\n" }
        }
        return text + "  +\(seconds + 100)s (1) 080 stats=0:\"end\"\n\n"
    }
}
