import DeadzoneCommand
import DeadzoneHost
import DeadzoneRuns
import Foundation
import Synchronization
import Testing

struct RunVerbTests {
    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func printsAComparisonAndTalksElsewhere() throws {
        // Broken: talk is mixed into the result, or the result lacks what a reader needs to repeat it.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let outcome = shop.run("run @a.yaml")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        for word in ["Short", "eager", "patient", "seed 1", "3 replicas", "digest", "Energy"] {
            #expect(outcome.output.contains(word), "\(word)")
        }
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.errors.hasPrefix("Short: pass, 2 strategies, 3 replicas in "))
        #expect(shop.run("run @a.yaml -q").errors == "")
    }

    @Test func jsonIsOneDocumentOfTheContract() throws {
        // Broken: a field that scripts read is gone or has another type.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let run = try json(shop.run("run @a.yaml --json").output)
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

    @Test func aClientThatIsDeadForGoodPassesNoGateOnLatency() throws {
        // Broken: what it never received is in no number that a gate looks at.
        let shop = try Workshop()
        try shop.write(
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
        let outcome = shop.run("run @a.yaml --json")
        #expect(outcome.code == .gateFailed)
        let strategies = try #require(try json(outcome.output)["strategies"] as? [[String: Any]])
        let metrics = try #require(strategies[0]["metrics"] as? [String: Any])
        let pending = try #require(metrics["delivery.down.pending"] as? Double)
        #expect(pending > 300, "it is alive")
        let longest = try #require((metrics["latency.down.max"] as? [String: Double])?["at_least"])
        #expect(longest > 1_600_000 && longest < 1_800_000)
        let expect = try #require(strategies[0]["expect"] as? [[String: Any]])
        let verdicts = expect.map {
            "\($0["metric"] ?? "") \($0["verdict"] ?? "") \($0["note"] ?? "") \($0["reason"] ?? "")"
        }
        let why = "so many are pending that no more can be said"
        #expect(
            verdicts == [
                "delivery.down.lost pass and \(Int(pending)) pending ", "latency.down.p50 pass  ",
                "latency.down.p95 fail  \(why)", "latency.down.p99 fail  \(why)",
            ])
        let text = shop.run("run @a.yaml").output
        #expect(text.contains("0, and \(Int(pending)) pending") && text.contains("> so much at least"))
        #expect(shop.run("run @a.yaml --out @out --format md,csv,junit,html").code == .gateFailed)
        for (file, words) in [
            ("results.md", "and \(Int(pending)) pending"), ("results.xml", "and \(Int(pending)) pending"),
            ("report.html", "and \(Int(pending)) pending"), ("results.csv", ",>1"),
        ] {
            #expect(try shop.text("out/" + file).contains(words), "\(file)")
        }
    }

    @Test func severalScenariosAreOneDocumentToo() throws {
        // Broken: two documents on one output, which no parser reads.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        try shop.write("b.yaml", Workshop.scenario.replacing("Short", with: "Other"))
        let runs = try json(shop.run("run @a.yaml @b.yaml --json --replicas 1").output)
        #expect(runs["schema"] as? String == "deadzone/runs/1")
        #expect((runs["runs"] as? [[String: Any]])?.count == 2)
    }

    @Test func anExpectationDecidesTheExitCode() throws {
        // Broken: a gate that cannot fail.
        let shop = try Workshop()
        try shop.write(
            "a.yaml", Workshop.scenario.replacing("zombie.max: at most 100% of eager", with: "battery.joules: 0"))
        let outcome = shop.run("run @a.yaml --json")
        #expect(outcome.code == .gateFailed)
        #expect(try json(outcome.output)["verdict"] as? String == "fail")
        #expect(shop.run("run @a.yaml --exit-zero").code == .ok)
        #expect(shop.run("run @a.yaml --strategy eager").code == .ok)
    }

    @Test func aRuleOfTheServerHasToTakeEffect() throws {
        // Broken: a scenario about slow phones passes although none was slow. The old path dies in silence, and fills a small buffer.
        let shop = try Workshop()
        for (buffer, code) in [("4MiB", ExitCode.gateFailed), ("4KiB", .ok)] {
            let rule = "server: {send-buffer: \(buffer), slow-consumers: {conflate: {above: 0B}}}\n"
            let story = Workshop.scenario.replacing("size: 300B", with: "size: 30KiB").split(separator: "\nexpect:")[0]
            let text = story + "\n" + rule
            try shop.write("slow.yaml", String(text))
            let outcome = shop.run("run @slow.yaml --strategy patient")
            let words = "of the server never took effect: slow-consumers"
            #expect(outcome.code == code, "\(outcome.errors) \(outcome.output)")
            #expect(outcome.output.contains(words) == (code != .ok))
        }
    }

    @Test func seedReplicasAndStrategyAreHeeded() throws {
        // Broken: a flag is parsed and ignored.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        func digest(_ flags: String) throws -> String {
            let run = try json(shop.run("run @a.yaml --json --strategy patient \(flags)").output)
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
        #expect(shop.run("run @a.yaml --strategy patien").errors.contains("did you mean `patient`?"))
    }

    @Test func writesOnlyWhereItWasTold() throws {
        // Broken: files appear where nobody asked for them, or in part.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let plain = shop.run("run @a.yaml --json")
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.path) == ["a.yaml"])
        #expect(shop.run("run @a.yaml --out @results --format json,csv").code == .ok)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shop.file("results")).sorted() == [
                "results.csv", "results.json",
            ])
        #expect(try shop.text("results/results.json") == plain.output)
        #expect(try shop.text("results/results.csv") == shop.run("run @a.yaml --format csv").output)
        #expect(shop.run("run @a.yaml --out @no/such/folder").code == .runtime)
        #expect(shop.run("run @a.yaml --format csv,json").code == .usage)
        #expect(shop.run("run @a.yaml --json --events -").code == .usage)
    }

    @Test func eventsAreOneJSONDocumentALine() throws {
        // Broken: a line that no parser reads, or events of another run than the one reported.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        #expect(shop.run("run @a.yaml --replicas 2 --events @events.ndjson").code == .ok)
        let lines = try shop.text("events.ndjson").split(separator: "\n").map { try json(String($0)) }
        let finished = lines.filter { $0["event"] as? String == "finished" }
        #expect(
            finished.map { "\($0["strategy"] ?? "") \($0["replica"] ?? "")" } == [
                "eager 0", "patient 0", "eager 1", "patient 1",
            ])
        #expect(lines.allSatisfy { $0["at_ns"] is Int })
        #expect(try shop.run("run @a.yaml --replicas 2 --events -").output == shop.text("events.ndjson"))
    }

    @Test func badInputRunsNothing() throws {
        // Broken: one good file of two is run, or only the first fault is shown.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        try shop.write("b.yaml", Workshop.scenario.replacing("3m", with: "3x").replacing("eager}", with: "eger}"))
        let outcome = shop.run("run @a.yaml @b.yaml --json --annotate")
        #expect(outcome.code == .badInput)
        let errors = try #require(try json(outcome.output)["errors"] as? [[String: Any]])
        #expect(errors.contains { $0["line"] as? Int == 4 })
        #expect(errors.contains { ($0["label"] as? String)?.contains("did you mean `eager`?") == true })
        #expect(outcome.errors.contains("b.yaml:4:11"))
        #expect(outcome.errors.contains("::error file="))
        #expect(shop.run("run @missing.yaml").code == .nothingMatched)
        #expect(shop.run("run -", input: Workshop.scenario).code == .ok)
    }

    @Test func anInterruptedRunIsShownAndMarked() throws {
        // Broken: Ctrl-C throws finished work away, or passes it off for complete.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let asked = Atomic(0)
        let outcome = shop.run("run @a.yaml --json --replicas 50 --jobs 1 --events @events.ndjson") { surroundings in
            surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > 60 }
        }
        #expect(outcome.code == .interrupted)
        let run = try json(outcome.output)
        #expect(run["complete"] as? Bool == false && run["incomplete"] as? Bool == true)
        #expect(run["verdict"] as? String == "fail")
        #expect((1..<50).contains(run["replicas"] as? Int ?? 0))
        #expect(outcome.errors.contains("incomplete"))
        #expect(!shop.exists("events.ndjson"))
    }

    @Test func aRunInterruptedAtOnceIsStillADocument() throws {
        // Broken: whoever stops a script early leaves its reader with half a document, or with an empty one that looks whole.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let outcome = shop.run("run @a.yaml --json") { $0.isInterrupted = { true } }
        let document = try json(outcome.output)
        #expect(document["schema"] as? String == "deadzone/runs/1" && document["incomplete"] as? Bool == true)
        #expect((document["runs"] as? [Any])?.isEmpty == true && outcome.code == .interrupted)
        #expect(try json(shop.run("run @a.yaml --json").output)["incomplete"] == nil)
    }

    @Test func sourcesAreListedWhereTheyAreWanted() throws {
        // Broken: a page of citations stands between a newcomer and the answer, or nobody can see them at all.
        let shop = try Workshop()
        try shop.write("a.yaml", Workshop.scenario)
        let short = shop.run("run @a.yaml -q").output
        let long = shop.run("run @a.yaml -v").output
        #expect(short.contains("-v") && !short.contains("    from ") && short.count < long.count)
        #expect(long.contains("    from ") && long.contains("    assumed: "))
    }
}
