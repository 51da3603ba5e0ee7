import DeadzoneCommand
import DeadzoneHost
import DeadzoneRuns
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

struct RunVerbTests {
    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func printsResultToOutputAndProgressToErrors() throws {
        // Broken: progress messages are mixed into the result, or the result lacks what is needed to repeat it.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let outcome = workspace.run("run @a.yaml")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        for word in ["Short", "eager", "patient", "seed 1", "3 replicas", "digest", "Energy"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors.hasPrefix("Short: pass, 2 strategies, 3 replicas in "))
        #expect(workspace.run("run @a.yaml -q").errors == "")
    }

    @Test func jsonIsOneDocumentOfTheContract() throws {
        // Broken: a field that scripts read is missing or has another type.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let run = try json(workspace.run("run @a.yaml --json").output)
        #expect(run["schema"] as? String == "deadzone/run/1")
        #expect((run["tool"] as? [String: Any])?["version"] as? String == toolVersion)
        #expect(run["seed"] as? Int == 1)
        #expect(run["replicas"] as? Int == 3)
        #expect(run["verdict"] as? String == "pass")
        let scenario = try #require(run["scenario"] as? [String: Any])
        #expect(scenario["name"] as? String == "Short")
        #expect(scenario["duration_s"] as? Int == 180)
        #expect((scenario["world_hash"] as? String)?.count == 64)
        #expect((scenario["resolved"] as? String)?.contains("strategies:") == true)
        let strategies = try #require(run["strategies"] as? [[String: Any]])
        #expect(strategies.map { $0["name"] as? String } == ["eager", "patient"])
        for strategy in strategies {
            #expect((strategy["digest"] as? String)?.count == 16)
            #expect((strategy["metrics"] as? [String: Any])?["battery.joules"] is Double)
            #expect(strategy["ci95"] is [String: Any])
            let energy = try #require(strategy["energy"] as? [String: [String: Double]])
            let total = try #require((strategy["metrics"] as? [String: Any])?["battery.joules"] as? Double)
            for part in ["by_state", "by_cause"] {
                let sum = energy[part]?.values.reduce(0, +) ?? .nan
                #expect(abs(sum - total) < 1e-6, "\(part): \(sum) of \(total)")
            }
        }
        let expect = try #require(strategies[1]["expect"] as? [[String: Any]])
        #expect(expect.count == 2)
        #expect(expect.allSatisfy { $0["verdict"] as? String == "pass" })
    }

    @Test func clientThatStaysDeadFailsGatesOnLatency() throws {
        // Broken: the messages that a dead client never received are in no number that a gate checks.
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml",
            """
            version: 1
            name: Dead for good
            duration: 30m
            phone: {battery: 15.4Wh, radios: {cellular: lte-verizon-2021}}
            traffic: {down: {every: 5s, size: 300B}}
            strategies: {kotlin: {preset: article-grpc-kotlin}}
            expect:
              kotlin: {delivery.down.lost: 0, latency.down.p95: under 1s, latency.down.p99: under 10h, latency.down.p50: over 10m}
            """)
        let outcome = workspace.run("run @a.yaml --json")
        #expect(outcome.code == .gateFailed)
        let strategies = try #require(try json(outcome.output)["strategies"] as? [[String: Any]])
        let metrics = try #require(strategies[0]["metrics"] as? [String: Any])
        let pending = try #require(metrics["delivery.down.pending"] as? Double)
        #expect(pending > 300, "no messages are pending")
        let longest = try #require((metrics["latency.down.max"] as? [String: Double])?["at_least"])
        #expect(longest > 1_600_000 && longest < 1_800_000)
        let expect = try #require(strategies[0]["expect"] as? [[String: Any]])
        let verdicts = expect.map {
            "\($0["metric"] ?? "") \($0["verdict"] ?? "") \($0["note"] ?? "") \($0["reason"] ?? "")"
        }
        let why = "too many are pending: only a lower bound is known"
        #expect(
            verdicts == [
                "delivery.down.lost pass and \(Int(pending)) pending ", "latency.down.p50 pass  ",
                "latency.down.p95 fail  \(why)", "latency.down.p99 fail  \(why)",
            ])
        let text = workspace.run("run @a.yaml").output
        #expect(text.contains("0, and \(Int(pending)) pending") && text.contains("> at least this much"))
        #expect(workspace.run("run @a.yaml --out @out --format md,csv,junit,html").code == .gateFailed)
        for (file, words) in [
            ("results.md", "and \(Int(pending)) pending"), ("results.xml", "and \(Int(pending)) pending"),
            ("report.html", "and \(Int(pending)) pending"), ("results.csv", ",>1"),
        ] {
            #expect(try workspace.text("out/" + file).contains(words), "\(file)")
        }
    }

    @Test func severalScenariosAreOneDocumentToo() throws {
        // Broken: the output has two documents, which no parser reads.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("b.yaml", TestWorkspace.scenario.replacing("Short", with: "Other"))
        let runs = try json(workspace.run("run @a.yaml @b.yaml --json --replicas 1").output)
        #expect(runs["schema"] as? String == "deadzone/runs/1")
        #expect((runs["runs"] as? [[String: Any]])?.count == 2)
    }

    @Test func anExpectationDecidesTheExitCode() throws {
        // Broken: a gate cannot fail.
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml", TestWorkspace.scenario.replacing("zombie.max: at most 100% of eager", with: "battery.joules: 0"))
        let outcome = workspace.run("run @a.yaml --json")
        #expect(outcome.code == .gateFailed)
        #expect(try json(outcome.output)["verdict"] as? String == "fail")
        #expect(workspace.run("run @a.yaml --exit-zero").code == .ok)
        #expect(workspace.run("run @a.yaml --strategy eager").code == .ok)
    }

    @Test func serverRuleMustTakeEffect() throws {
        // Broken: a scenario about slow phones passes although no phone was slow. The old path fails silently and fills
        // a small buffer.
        let workspace = try TestWorkspace()
        for (buffer, code) in [("4MiB", ExitCode.gateFailed), ("4KiB", .ok)] {
            let rule = "server: {send-buffer: \(buffer), slow-consumers: {conflate: {above: 0B}}}\n"
            let story = TestWorkspace.scenario.replacing("size: 300B", with: "size: 30KiB").split(
                separator: "\nexpect:")[0]
            let text = story + "\n" + rule
            try workspace.write("slow.yaml", String(text))
            let outcome = workspace.run("run @slow.yaml --strategy patient")
            let words = "of the server never took effect: slow-consumers"
            #expect(outcome.code == code, "\(outcome.errors) \(outcome.output)")
            #expect(outcome.output.contains(words) == (code != .ok))
        }
    }

    @Test func eachPartOfAnEntryMustTakeEffect() throws {
        // Broken: half of a timeline entry never has an effect, and the run passes. iOS has no motion sensor for Doze.
        let workspace = try TestWorkspace()
        func entry(_ text: String) throws -> (code: ExitCode, output: String) {
            let head = TestWorkspace.scenario.split(separator: "\ntimeline:")[0]
                .replacing("phone:\n", with: "phone:\n  platform: ios-18\n")
            let rest = """

                timeline:
                  - \(text)
                traffic: {down: {every: 1m, size: 1B}}
                strategies: {patient: {strategy: patient}}
                """
            try workspace.write("parts.yaml", head + rest)
            let outcome = workspace.run("run @parts.yaml")
            return (outcome.code, outcome.output.replacing("\n    ", with: " ") + outcome.errors)
        }
        let half = try entry("{at: 1m, screen: off, motion: moving}")
        #expect(half.code == .gateFailed)
        #expect(half.output.contains("`motion` in line"), "\(half.output)")
        #expect(!half.output.contains("`screen`"))
        let none = try entry("{at: 1m, motion: moving}")
        #expect(none.code == .gateFailed && !none.output.contains("`motion` in line"))
        #expect(try entry("{at: 1m, screen: off}").code == .ok)
    }

    @Test func seedReplicasAndStrategyTakeEffect() throws {
        // Broken: a flag is parsed and ignored.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        func digest(_ flags: String) throws -> String {
            let run = try json(workspace.run("run @a.yaml --json --strategy patient \(flags)").output)
            let strategies = try #require(run["strategies"] as? [[String: Any]])
            #expect(strategies.count == 1)
            return try #require(strategies[0]["digest"] as? String)
        }
        let plain = try digest("")
        #expect(try digest("--seed 1 --replicas 3") == plain)
        #expect(try digest("--jobs 7") == plain)
        #expect(try digest("--seed 2") != plain)
        #expect(try digest("--seed monday") != plain)
        #expect(try digest("--seed monday") == digest("--seed monday"))
        #expect(try digest("--replicas 4") != plain)
        #expect(workspace.run("run @a.yaml --strategy patien").errors.contains("did you mean `patient`?"))
    }

    @Test func threadsChangeNoOutputOfSeveralFiles() throws {
        // Broken: scenarios that are simulated at once are printed as they end, or a cell goes to another file.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let matrix = "matrix: {traffic.down.every: [5s, 10s, 20s], seed: [1, 2]}\n"
        try workspace.write("b.yaml", TestWorkspace.scenario.replacing("name: Short", with: "name: Cells") + matrix)
        try workspace.write("c.yaml", TestWorkspace.scenario.replacing("name: Short", with: "name: Last"))
        func run(_ flags: String) -> TestWorkspace.Outcome {
            workspace.run("run @a.yaml @b.yaml @c.yaml --exit-zero --replicas 2 \(flags)")
        }
        func lines(_ outcome: TestWorkspace.Outcome) -> [Substring] {
            outcome.errors.split(separator: "\n").map {
                $0.prefix(upTo: $0.range(of: " in ")?.lowerBound ?? $0.endIndex)
            }
        }
        let plain = run("--jobs 1")
        #expect(plain.code == .ok && plain.output.contains("Last"), "\(plain.errors)")
        #expect(lines(plain).count == 3 && lines(plain)[1].contains("6 cells"), "\(plain.errors)")
        for jobs in [2, 3, 16] {
            let other = run("--jobs \(jobs)")
            #expect(other.output == plain.output && lines(other) == lines(plain), "\(jobs): \(other.errors)")
        }
        #expect(run("--jobs 3 --json").output == run("--jobs 1 --json").output)
    }

    @Test func writesOnlyToTheNamedFolder() throws {
        // Broken: files appear where none were requested, or only some of them do.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let plain = workspace.run("run @a.yaml --json")
        #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.path) == ["a.yaml"])
        #expect(workspace.run("run @a.yaml --out @results --format json,csv").code == .ok)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workspace.file("results")).sorted() == [
                "results.csv", "results.json",
            ])
        #expect(try workspace.text("results/results.json") == plain.output)
        #expect(try workspace.text("results/results.csv") == workspace.run("run @a.yaml --format csv").output)
        #expect(workspace.run("run @a.yaml --out @a.yaml/folder").code == .runtime)
        #expect(workspace.run("run @a.yaml --format csv,json").code == .usage)
        #expect(workspace.run("run @a.yaml --json --events -").code == .usage)
    }

    @Test func namesTheWrittenFiles() throws {
        // Broken: nothing says where the page of a run is, or a script with -q gets lines.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let loud = workspace.run("run @a.yaml --out @r --format html,json").errors
        #expect(loud.contains("/r/report.html\n") && loud.contains("/r/results.json\n"), "\(loud)")
        #expect(workspace.run("run @a.yaml --out @r --format html -q").errors == "")
        #expect(!workspace.run("run @a.yaml").errors.contains("wrote "))
        #expect(workspace.run("report @r/results.json --out @s --format md").errors.contains("wrote "))
    }

    @Test func eventsAreOneJSONDocumentPerLine() throws {
        // Broken: no parser reads a line, or the events belong to another run than the reported one.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        #expect(workspace.run("run @a.yaml --replicas 2 --events @events.ndjson").code == .ok)
        let lines = try workspace.text("events.ndjson").split(separator: "\n").map { try json(String($0)) }
        let finished = lines.filter { $0["event"] as? String == "finished" }
        #expect(
            finished.map { "\($0["strategy"] ?? "") \($0["replica"] ?? "")" } == [
                "eager 0", "patient 0", "eager 1", "patient 1",
            ])
        #expect(lines.allSatisfy { $0["at_ns"] is Int })
        #expect(try workspace.run("run @a.yaml --replicas 2 --events -").output == workspace.text("events.ndjson"))
    }

    @Test func badInputRunsNothing() throws {
        // Broken: the correct one of two files is run, or only the first fault is shown.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write(
            "b.yaml", TestWorkspace.scenario.replacing("3m", with: "3x").replacing("eager}", with: "eger}"))
        let outcome = workspace.run("run @a.yaml @b.yaml --json --annotate")
        #expect(outcome.code == .badInput)
        let errors = try #require(try json(outcome.output)["errors"] as? [[String: Any]])
        #expect(errors.contains { $0["line"] as? Int == 4 })
        #expect(errors.contains { ($0["label"] as? String)?.contains("did you mean `eager`?") == true })
        #expect(outcome.errors.contains("b.yaml:4:11"))
        #expect(outcome.errors.contains("::error file="))
        #expect(workspace.run("run @missing.yaml").code == .nothingMatched)
        #expect(workspace.run("run -", input: TestWorkspace.scenario).code == .ok)
    }

    @Test func interruptedRunIsPrintedAndMarked() throws {
        // Broken: Ctrl-C discards finished work, or presents it as complete.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let asked = Atomic(0)
        let outcome = workspace.run("run @a.yaml --json --replicas 50 --jobs 1 --events @events.ndjson") {
            surroundings in
            surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > 60 }
        }
        #expect(outcome.code == .interrupted)
        let run = try json(outcome.output)
        #expect(run["complete"] as? Bool == false && run["incomplete"] as? Bool == true)
        #expect(run["verdict"] as? String == "fail")
        #expect((1..<50).contains(run["replicas"] as? Int ?? 0))
        #expect(outcome.errors.contains("incomplete"))
        #expect(!workspace.exists("events.ndjson"))
    }

    @Test func runInterruptedAtOnceIsStillADocument() throws {
        // Broken: an early interrupt leaves half a document, or an empty one that looks complete.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let outcome = workspace.run("run @a.yaml --json") { $0.isInterrupted = { true } }
        let document = try json(outcome.output)
        #expect(document["schema"] as? String == "deadzone/runs/1" && document["incomplete"] as? Bool == true)
        #expect((document["runs"] as? [Any])?.isEmpty == true && outcome.code == .interrupted)
        #expect(try json(workspace.run("run @a.yaml --json").output)["incomplete"] == nil)
    }

    @Test func sourcesAreListedOnlyInVerboseOutput() throws {
        // Broken: a page of citations comes before the result, or the citations cannot be shown at all.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let short = workspace.run("run @a.yaml -q").output
        let long = workspace.run("run @a.yaml -v").output
        #expect(short.contains("-v") && !short.contains("    from ") && short.count < long.count)
        #expect(long.contains("    from ") && long.contains("    assumed: "))
    }

    @Test func betterWordsForARadioAreTheSameWorld() throws {
        // Broken: a new description or citation of a profile makes every saved baseline worthless; or a new number does not.
        let workspace = try TestWorkspace()
        let path = "Scenarios/profiles/lte-verizon-2021.yaml"
        let plain = try String(contentsOfFile: Repository.root + "/" + path, encoding: .utf8)
        func hash(_ profile: String) throws -> String {
            try workspace.write("radio.yaml", profile)
            try workspace.write(
                "a.yaml", TestWorkspace.scenario.replacing("cellular: lte-verizon-2021", with: "cellular: ./radio.yaml")
            )
            let run = try json(workspace.run("run @a.yaml --json").output)
            let scenario = try #require(run["scenario"] as? [String: Any])
            return try #require(scenario["world_hash"] as? String)
        }
        let words = plain.replacing("Verizon 4G", with: "The 4G of Verizon").replacing(
            "probes: \"", with: "probes: \"also "
        )
        .replacing("trust: R", with: "trust: A").replacing("not measured", with: "nowhere measured")
        #expect(try hash(words) == hash(plain) && words.count > plain.count)
        #expect(try hash(plain.replacing("265ms", with: "266ms")) != hash(plain))
    }
}
