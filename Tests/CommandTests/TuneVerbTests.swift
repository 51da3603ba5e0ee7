import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand

/// `deadzone tune` where the answer is known.
struct TuneVerbTests {
    /// A NAT forgets the connection after 5 minutes of silence. The client notices it with the next ping, so pings
    /// every 8 minutes make messages late, and pings every 30 seconds only cost energy.
    private static let scenario = """
        version: 1
        name: A pocket
        duration: 1h
        replicas: 8
        phone: {radios: {cellular: lte-verizon-2021}}
        middleboxes: {cellular: [carrier-nat-300]}
        timeline: [{at: 0s, cellular: home, app: foreground}]
        traffic: {down: {every: 6m, arrivals: poisson, size: 400B}}
        strategies:
          ours:
            strategy: composed
            transport: websocket
            keepalive: {interval: 30s, timeout: 10s, postponed-by: nothing}
            on-path-change: reconnect
            resume: cursor

        """

    private static func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("pocket.yaml", scenario.replacing("cellular: home", with: "cellular: home"))
        return workspace
    }

    private static func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private static let interval = "--vary keepalive.interval=10s..30m"

    @Test func knownBestIntervalIsFoundAndRounded() throws {
        // Broken: the search misses the best interval, a value stays unrounded, or the demand is ignored.
        let outcome = try Self.workspace().run(
            "tune @pocket.yaml \(Self.interval) --budget 400 --json --subject-to \(Self.word("latency.down.p95: under 5s"))"
        )
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let whole = try Self.document(outcome.output)
        #expect(whole["outcome"] as? String == "improved" && whole["complete"] as? Bool == true)
        let rows = try #require(whole["rows"] as? [[String: Any]])
        let values = try #require(rows.first?["values"] as? [String: String])
        #expect(["4m", "5m", "270s", "280s", "290s"].contains(values["keepalive.interval"]), "\(values)")
        #expect(rows.allSatisfy { $0["meets_demands"] as? Bool == true })
        let points = try #require(whole["points"] as? [[String: Any]])
        let effort = try #require(whole["effort"] as? [String: Int])
        #expect(points.count == effort["points"] && (effort["search_runs"] ?? .max) <= 400, "\(effort)")
        try Self.expectFrontIsNotDominated(points)
    }

    /// No finalist of the front is worse than another finalist in every goal.
    private static func expectFrontIsNotDominated(_ points: [[String: Any]]) throws {
        let finalists = points.filter { $0["replicas"] as? Int == 3 && $0["violation"] as? Double == 0 }
        let ratios = finalists.compactMap { $0["ratios"] as? [Double] }
        var onFront = 0
        for (point, own) in zip(finalists, ratios) {
            let isBeaten = ratios.contains { other in zip(other, own).allSatisfy { $0 <= $1 } && other != own }
            #expect(!isBeaten || point["front"] as? Bool == false, "\(own)")
            onFront += point["front"] as? Bool == true ? 1 : 0
        }
        #expect(onFront > 0 && ratios.count > 3)
    }

    @Test func numberOfThreadsDoesNotShow() throws {
        // Broken: the order in which threads finish changes a proposal.
        let workspace = try Self.workspace()
        let texts = [1, 2, 3].map { workspace.run("tune @pocket.yaml --budget 200 --json --jobs \($0)").output }
        #expect(texts[0] == texts[1] && texts[0] == texts[2] && texts[0].count > 1_000)
        #expect(workspace.run("tune @pocket.yaml --budget 200 --json --seed 2").output != texts[0])
    }

    @Test func printedNumbersAreThoseOfRun() throws {
        // Broken: numbers of the search are printed, or the written settings are not those that were measured.
        let workspace = try Self.workspace()
        let outcome = workspace.run("tune @pocket.yaml \(Self.interval) --budget 200 --out @tuned -q")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        for file in ["tune.json", "tune.html", "tuned.yaml"] { #expect(workspace.exists("tuned/" + file)) }
        let whole = try Self.document(workspace.text("tuned/tune.json"))
        let title = try #require(whole["proposed"] as? String)
        let row = try #require((whole["rows"] as? [[String: Any]])?.first { $0["title"] as? String == title })
        let results = try #require((row["results"] as? [[String: Any]])?.first?["metrics"] as? [String: [String: Any]])
        let run = workspace.run(
            "run @pocket.yaml --with best=\(workspace.file("tuned/tuned.yaml")) --only --json --replicas 9")
        let strategies = try #require(try Self.document(run.output)["strategies"] as? [[String: Any]], "\(run.errors)")
        let metrics = try #require(strategies.first?["metrics"] as? [String: Any])
        for name in ["battery.above_idle_joules", "latency.down.p95"] {
            let printed = try #require(results[name]?["value"] as? Double)
            #expect(metrics[name] as? Double == printed, "\(name)")
        }
        // Broken: a change is not that of the values beside it.
        let old = try #require(
            ((whole["present"] as? [String: Any])?["results"] as? [[String: Any]])?.first?["metrics"]
                as? [String: [String: Any]])
        for (name, metric) in results {
            let means = try [old[name], metric].map { try #require($0?["mean"] as? Double) }
            let share = try #require((metric["change"] as? [String: Any])?["ratio"] as? Double)
            #expect(abs(means[1] / means[0] - 1 - share) < 1e-6, "\(name): \(means) \(share)")
        }
        // The fresh change lies in its own interval, and the search claimed a similar one.
        let change = try #require((row["changes"] as? [String: [String: Any]])?["battery.above_idle_joules"])
        let ratio = try #require(change["ratio"] as? Double)
        let bounds = try #require(change["ci95"] as? [Double])
        let claimed = try #require((row["claimed"] as? [Double])?.first)
        #expect(
            bounds[0] <= ratio && ratio <= bounds[1] && abs(claimed - ratio) < 0.15, "\(claimed) \(ratio) \(bounds)")
        // Broken: the text says that the search was too optimistic by the sum over its points instead of their mean.
        let overfit = try #require(whole["overfit"] as? [String: [String: Double]])
        for (goal, row) in overfit {
            let (least, mean, most) = (row["least"] ?? 0, row["mean"] ?? .nan, row["most"] ?? 0)
            #expect(least <= mean && mean <= most && row["points"] ?? 0 > 1, "\(goal): \(row)")
        }
    }

    @Test func fewReplicasOfAScenarioHideNoAnswer() throws {
        // Broken: the answer is measured with five replicas because the scenario has five, so no test can decide, and
        // the output says that nothing is better.
        let workspace = try Self.workspace()
        try workspace.write("pocket.yaml", Self.scenario.replacing("replicas: 8", with: "replicas: 5"))
        let line = "tune @pocket.yaml \(Self.interval) --budget 200"
        let found = workspace.run(line)
        #expect(found.code == .ok && found.output.contains("Ship \""), "\(found.output)")
        let words = found.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("those of `deadzone run --seed 1 --replicas 9`"), "\(words)")
        #expect(try Self.document(workspace.run(line + " --json").output)["replicas"] as? Int == 9)
        // A number that the user asks for is used, and the answer says that it decides nothing.
        let few = workspace.run(line + " --replicas 5").output.split(whereSeparator: \.isWhitespace)
        #expect(few.joined(separator: " ").contains("Undecided: 5 replicas cannot decide"), "\(few)")
    }

    @Test func pathLeadsFromPresentToProposed() throws {
        // Broken: a change is missing in the path, or a step changes what the proposal leaves alone.
        let outcome = try Self.workspace().run("tune @pocket.yaml --budget 400 --json")
        let whole = try Self.document(outcome.output)
        let rows = try #require(whole["rows"] as? [[String: Any]])
        let row = try #require(rows.first { $0["title"] as? String == whole["proposed"] as? String })
        let path = try #require(whole["path"] as? [[String: Any]])
        let changed = path.flatMap { $0["settings"] as? [String] ?? [] }
        #expect(changed.sorted() == (row["values"] as? [String: String] ?? [:]).keys.sorted() && !changed.isEmpty)
        let yaml = try #require(row["yaml"] as? String)
        #expect(yaml.hasPrefix("strategies:\n  ours:\n"), "\(yaml)")
    }

    @Test func settingsWithoutEffectAreSaidToHaveNone() throws {
        // Broken: noise is sold as an improvement. The connection never ends, so waits after failures have no effect.
        let outcome = try Self.workspace().run(
            "tune @pocket.yaml --vary backoff.cap=1s..10m --vary backoff.base=1s..5s --budget 100")
        #expect(
            outcome.code == .ok && outcome.output.contains("No setting matters here"),
            "\(outcome.output)\(outcome.errors)")
    }

    @Test func impossibleDemandExitsWithOne() throws {
        let outcome = try Self.workspace().run(
            "tune @pocket.yaml \(Self.interval) --budget 100 --subject-to \(Self.word("latency.down.p95: under 1ms"))")
        #expect(
            outcome.code == .gateFailed && outcome.output.contains("No settings meet the demands"), "\(outcome.output)")
        let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Switches that this search did not vary: backoff.(capped, "), "\(words)")
        #expect(words.contains("keepalive.(answered-by, ") && words.contains("; resume; "), "\(words)")
        #expect(outcome.output.contains("closest") && outcome.output.contains("holds in 0 of 9 ✗"), "\(outcome.output)")
    }

    @Test func aDemandDoesNotAllowLosses() throws {
        // Broken: a demand on another metric replaces the rule that no more is lost than now. Without `resume`, the energy
        // falls because messages are lost.
        let workspace = try Self.workspace()
        let outages =
            "timeline: [{at: 0s, cellular: home, app: foreground}, "
            + [10, 20, 30, 40].map { "{at: \($0)m, dead-zone: 4m}" }.joined(separator: ", ") + "]"
        let text = Self.scenario.replacing("timeline: [{at: 0s, cellular: home, app: foreground}]", with: outages)
            .replacing("every: 6m, arrivals: poisson, size: 400B", with: "every: 20s, arrivals: poisson, size: 300kB")
        try workspace.write("pocket.yaml", text)
        let line = "tune @pocket.yaml --vary resume --budget 200 --json --for battery.above_idle_joules --subject-to "
        let outcome = workspace.run(line + Self.word("zombie.max: under 200s"))
        let whole = try Self.document(outcome.output)
        let demands = try #require(whole["demands"] as? [[String: Any]])
        #expect(demands.compactMap { $0["implied"] as? Bool } == [false, true, true, true], "\(demands)")
        let rows = try #require(whole["rows"] as? [[String: Any]])
        #expect(!rows.contains { ($0["values"] as? [String: String])?["resume"] == "nothing" }, "\(rows)")
        // A demand on the loss itself allows it.
        let allowed = try Self.document(workspace.run(line + Self.word("delivery.down.lost: at most 1000")).output)
        #expect((allowed["demands"] as? [[String: Any]])?.count == 3)
        let best = try #require((allowed["rows"] as? [[String: Any]])?.first)
        #expect((best["values"] as? [String: String])?["resume"] == "nothing", "\(best)")
    }

    @Test func metricsWithoutAGoalOrADemandAreCompared() throws {
        // Broken: pings every 20 minutes are recommended, although a dead connection is then believed open for minutes. A
        // demand on that metric says that the user knows.
        let line =
            "tune @pocket.yaml --vary keepalive.interval=30s,20m --budget 100 --json --for battery.above_idle_joules "
            + "--subject-to "
        for (demand, isNamed) in [("latency.down.p95: under 10000s", true), ("zombie.max: under 10000s", false)] {
            let whole = try Self.document(try Self.workspace().run(line + Self.word(demand)).output)
            let row = try #require((whole["rows"] as? [[String: Any]])?.first, "\(whole)")
            #expect((row["values"] as? [String: String])?["keepalive.interval"] == "20m", "\(row)")
            let result = try #require((row["results"] as? [[String: Any]])?.first)
            let worse = result["worse"] as? [String: [String: Double]]
            let zombie = worse?["zombie.max"]
            #expect((zombie != nil) == isNamed, "\(demand): \(worse ?? [:])")
            if let zombie { #expect(zombie["value"] ?? 0 > 10 * (zombie["present"] ?? .infinity), "\(zombie)") }
        }
    }

    @Test func settingsOfAnEarlierAnswerAreRemoved() throws {
        // Broken: a folder has `closest.yaml` of another search beside the new answer, or a file of the user is removed.
        let workspace = try Self.workspace()
        let line = "tune @pocket.yaml \(Self.interval) --budget 200 --out @tuned"
        #expect(workspace.run(line).code == .ok)
        try workspace.write("tuned/closest.yaml", "# ours, closest, by deadzone tune\nstrategy: composed\n")
        try workspace.write("tuned/mine.yaml", "# tried by hand\nstrategy: composed\n")
        #expect(workspace.run(line + " --format json").code == .ok && workspace.exists("tuned/closest.yaml"))
        #expect(workspace.run(line).code == .ok)
        #expect(!workspace.exists("tuned/closest.yaml") && workspace.exists("tuned/mine.yaml"))
        #expect(workspace.exists("tuned/tuned.yaml"))
    }

    @Test func heldOutScenarioIsOnlyMeasured() throws {
        // Broken: the search uses the held-out scenario.
        let workspace = try Self.workspace()
        try workspace.write(
            "other.yaml",
            workspace.text("pocket.yaml").replacing("A pocket", with: "Other").replacing("6m,", with: "1m,"))
        let alone = try Self.document(workspace.run("tune @pocket.yaml \(Self.interval) --budget 200 --json").output)
        let outcome = workspace.run("tune @pocket.yaml \(Self.interval) --budget 200 --json --hold-out @other.yaml")
        let both = try Self.document(outcome.output)
        func points(_ whole: [String: Any]) -> [[Double]] {
            (whole["points"] as? [[String: Any]] ?? []).compactMap { $0["ratios"] as? [Double] }
        }
        #expect(points(alone) == points(both) && !points(both).isEmpty, "\(outcome.errors)")
        let rows = try #require(both["rows"] as? [[String: Any]])
        #expect((rows.first?["results"] as? [Any])?.count == 2)
        // As a scenario of the search it counts.
        let instance = try Self.document(
            workspace.run("tune @pocket.yaml @other.yaml \(Self.interval) --budget 200 --json").output)
        #expect(points(instance) != points(alone))
    }

    @Test func interruptPrintsTheBestUntilThen() throws {
        // Broken: an interruption loses the points that were evaluated, or prints numbers of the search as results.
        let workspace = try Self.workspace()
        var (partial, nothing, whole) = (0, 0, 0)
        for limit in [1, 40, 200, 400, 800, 1_600, .max] {
            let asked = Atomic(0)
            let outcome = workspace.run("tune @pocket.yaml \(Self.interval) --budget 400 --jobs 1 --json") {
                surroundings in
                surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            }
            if outcome.code == .ok {
                whole += 1
                continue
            }
            #expect(outcome.code == .interrupted)
            guard !outcome.output.isEmpty else {
                nothing += 1
                continue
            }
            let document = try Self.document(outcome.output)
            #expect(document["complete"] as? Bool == false)
            let rows = try #require(document["rows"] as? [[String: Any]])
            #expect(!rows.isEmpty && rows.allSatisfy { $0["results"] == nil && $0["claimed"] != nil })
            partial += 1
        }
        #expect(partial > 0 && nothing > 0 && whole > 0, "\(partial) \(nothing) \(whole)")
    }

    /// Runs a search that keeps its results, and counts them. It is interrupted after `limit` questions whether to stop.
    private static func run(
        _ options: String, in workspace: TestWorkspace, limit: Int = .max
    ) throws -> (outcome: TestWorkspace.Outcome, results: Int) {
        let environment = Environment(["DEADZONE_CACHE": workspace.file("cache")])
        let asked = Atomic(0)
        let outcome = workspace.run("tune @pocket.yaml \(interval) --budget 400 --jobs 1 --json \(options)") {
            $0.environment = environment
            $0.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
        }
        let text = workspace.run("cache --json") { $0.environment = environment }.output
        return (outcome, try #require(document(text)["results"] as? Int))
    }

    @Test func repeatedCommandContinues() throws {
        // Broken: after an interruption, everything is simulated again, or the answer is another one.
        let workspace = try Self.workspace()
        let plain = try Self.run("--no-cache", in: workspace)
        #expect(plain.outcome.code == .ok && plain.results == 0)
        let part = try Self.run("", in: workspace, limit: 400)
        #expect(part.outcome.code == .interrupted && part.results > 20)
        // The same number of questions comes further if known results are not simulated again.
        let more = try Self.run("", in: workspace, limit: 400)
        #expect(more.outcome.code == .ok || more.results > part.results)
        let whole = try Self.run("", in: workspace)
        #expect(whole.outcome.output == plain.outcome.output && whole.results > part.results)
        let again = try Self.run("", in: workspace)
        #expect(again.outcome.output == plain.outcome.output && again.results == whole.results)
    }

    @Test func shardsDivideTheSearch() throws {
        // Broken: every shard begins with the same simulations, or prints an answer of its own.
        let workspace = try Self.workspace()
        let first = try Self.run("--shard 1/2", in: workspace, limit: 200)
        let second = try Self.run("--shard 2/2", in: workspace, limit: 200)
        #expect(first.outcome.code == .interrupted && first.results > 5)
        #expect(second.results > first.results * 3 / 2, "\(first.results) \(second.results)")
        let outputs = try ["--no-cache", "--shard 1/2", "--shard 2/2", "--shard 16/16"].map {
            try Self.run($0, in: workspace).outcome.output
        }
        #expect(Set(outputs).count == 1 && outputs[0].count > 1_000)
        let alone = workspace.run("tune @pocket.yaml --shard 1/2 --no-cache")
        #expect(alone.code == .usage && alone.errors.contains("DEADZONE_CACHE"))
    }

    @Test func networksAreScenariosOfTheSearch() throws {
        // Broken: the networks of `--across` are ignored, or counted once.
        let workspace = try Self.workspace()
        let outcome = workspace.run(
            "tune @pocket.yaml \(Self.interval) --across lte-verizon-2021,lte-tmobile-2021 --budget 300 --json")
        #expect(outcome.code != .bug && !outcome.output.isEmpty, "\(outcome.errors)")
        let scenarios = try #require(Self.document(outcome.output)["scenarios"] as? [[String: Any]])
        #expect(scenarios.count == 2 && Set(scenarios.compactMap { $0["name"] as? String }).count == 2, "\(scenarios)")
        #expect(workspace.run("tune @pocket.yaml --across wifi").code == .badInput)
    }

    @Test(arguments: [
        ("--vary keepalive.intervall=1s..2s", "did you mean `interval`?"), ("--vary keepalive.interval=2s", "a range"),
        ("--for battery.above_idle_joule", "did you mean `battery.above_idle_joules`?"),
        ("--strategy our", "did you mean `ours`?"),
        ("--for phone.count", "unknown metric"), ("--budget 10", "too small"),
        ("--subject-to delivery.down.lost", "no colon"),
        ("--subject-to delivery.down.lots:0", "did you mean `delivery.down.lost`?"),
        ("--for calls.p95,latency.down.p95", "unknown metric"),
        ("--subject-to latency.call.p95:at\u{a0}most\u{a0}5s", "has no value in any scenario"),
        ("--hold-out nothing.yaml", "nothing.yaml"), ("--for latency.call.p95", "has no value"),
        ("--subject-to delivery.down.lost:at\u{a0}most\u{a0}10%\u{a0}of\u{a0}theirs", "present"),
        ("--strategy ours --strategy ours", "one strategy"), ("--format pdf", "pdf"),
    ])
    func invalidRequestIsReported(_ words: String, _ said: String) throws {
        let outcome = try Self.workspace().run("tune @pocket.yaml \(words)")
        #expect(
            outcome.code != .ok && outcome.code != .bug && outcome.output.isEmpty && outcome.errors.contains(said),
            "\(outcome.errors)")
    }

    @Test func severalStrategiesNeedAChoice() throws {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let outcome = workspace.run("tune @a.yaml")
        #expect(outcome.code == .usage && outcome.errors.contains("eager, patient"), "\(outcome.errors)")
        #expect(
            workspace.run("boundary @a.yaml --vary a.b --vary a.c --range 1,2 --expect zombie.max:0").code == .usage)
    }

    /// Makes a text with spaces one argument of the command line.
    private static func word(_ text: String) -> String { text.replacing(" ", with: "\u{a0}") }
}
