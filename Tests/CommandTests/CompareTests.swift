import DeadzoneCommand
import Foundation
import Testing

/// `compare` and `baseline`, from a scenario to an exit code.
struct CompareTests {
    static let gates = """
        version: 1
        ignore: 1%
        gates:
          - {scenarios: "*", battery.joules: within 1% of baseline}
          - {scenarios: "Sh?rt", strategies: patient, level: warn, zombie.max: under 1ms}
          - {scenarios: "a.yaml", keepalive.pings: at most 100% of baseline}
          - {scenarios: "Short", strategies: eager, keepalive.pings: at least 100% of baseline}

        """

    /// Creates a workspace with a scenario and its baseline of twelve replicas.
    static func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("gates.yaml", gates)
        let saved = workspace.run("baseline save @a.yaml --baseline @base.json --replicas 12 -q")
        try #require(saved.code == .ok && saved.errors == "", "\(saved.errors)")
        return workspace
    }

    /// Makes `patient` ping five times as often.
    static func change(_ workspace: TestWorkspace) throws {
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario.replacing(
                "patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 9s}"))
    }

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func unchangedScenarioPasses() throws {
        // Broken: a gate fails without a change, or a run differs from its saved baseline.
        let workspace = try Self.workspace()
        let saved = try workspace.text("base.json")
        #expect(workspace.run("baseline save @a.yaml --baseline - --replicas 12 --jobs 3").output == saved)
        let diff = workspace.run("baseline diff @a.yaml --baseline @base.json")
        #expect(diff.code == .ok && diff.output.contains("no behaviour changed"), "\(diff.output)")
        let compared = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml")
        #expect(compared.code == .ok, "\(compared.output)\(compared.errors)")
        // The baseline decides the number of replicas, not the scenario.
        #expect(compared.errors.contains("12 replicas") && compared.output.contains("pass: "))
    }

    @Test func theBaselineDecidesTheReplicasAndSaysSo() throws {
        // Broken: a scenario's new seed or number of replicas is ignored without a note.
        let workspace = try Self.workspace()
        let other = TestWorkspace.scenario.replacing("replicas: 3", with: "replicas: 5\nseed: 7")
        try workspace.write("a.yaml", other)
        let line = "@a.yaml --baseline @base.json"
        let words = "note: `Short` is compared with the 12 replicas and seed 1 of the baseline; the scenario now says "
        for verb in ["compare", "baseline diff", "check"] {
            let told = workspace.run("\(verb) \(line)")
            #expect(told.errors.contains(words + "5 replicas and seed 7\n"), "\(told.errors)")
            #expect(!told.output.contains("note: "))
            #expect(!workspace.run("\(verb) \(line) -q").errors.contains("note: "))
        }
        #expect(workspace.run("compare \(line) --replicas 12").errors.contains(words + "seed 7\n"))
        #expect(!workspace.run("compare \(line) --replicas 12 --seed 1").errors.contains("note: "))
        // Without the settings, the scenario states nothing.
        try workspace.write("a.yaml", TestWorkspace.scenario.replacing("replicas: 3\n", with: ""))
        #expect(!workspace.run("compare \(line)").errors.contains("note: "))
    }

    @Test func changeIsReportedWithMetricMinuteAndCommand() throws {
        // Broken: the report says that something differs, but not what or where.
        let workspace = try Self.workspace()
        try Self.change(workspace)
        let diff = workspace.run("baseline diff @a.yaml --baseline @base.json")
        #expect(diff.code == .gateFailed)
        for words in [
            "Short, patient: different settings, different behaviour in 12 of 12 replicas", "keepalive.pings",
            "between 0 s and 1 min", "events there now (", "pinged", "--replicas 1 --strategy patient --events",
        ] {
            #expect(diff.output.contains(words), "\(words): \(diff.output)")
        }
        #expect(!diff.output.contains("eager"))
        #expect(workspace.run("baseline diff @a.yaml --baseline @base.json --exit-zero").code == .ok)
    }

    @Test func aFailingGateNamesTheWorstReplicaAndItsCommand() throws {
        // Broken: the command that repeats the worst replica prints another number.
        let workspace = try Self.workspace()
        try Self.change(workspace)
        let compared = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --json")
        #expect(compared.code == .gateFailed)
        let document = try json(compared.output)
        let gates = try #require(document["gates"] as? [[String: Any]])
        let failing = gates.filter { $0["verdict"] as? String == "fail" && $0["level"] as? String == "error" }
        let pings = try #require(failing.first { $0["metric"] as? String == "keepalive.pings" })
        #expect(pings["strategy"] as? String == "patient" && document["verdict"] as? String == "fail")
        let worst = try #require(pings["worst"] as? [String: Any])
        let told = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml").output
        let seed = try #require(worst["seed"] as? String)
        let command = "run \(workspace.file("a.yaml")) --seed \(seed) --replicas 1 --strategy patient"
        #expect(told.contains("deadzone " + command) && told.contains("FAIL: "), "\(told)")
        let alone = try json(workspace.run(command + " --json").output)
        let strategies = try #require(alone["strategies"] as? [[String: Any]])
        let metrics = try #require(strategies[0]["metrics"] as? [String: Any])
        #expect(metrics["keepalive.pings"] as? Double == worst["value"] as? Double)
        // A gate of level `warn` does not decide the verdict.
        #expect(gates.contains { $0["level"] as? String == "warn" && $0["verdict"] as? String == "fail" })
    }

    @Test func aBoundOfTheBaselineHasACommandThatFails() throws {
        // Broken: the only command beside a failing bound of the baseline has no baseline, so it judges nothing.
        let workspace = try Self.workspace()
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario.replacing("at most 100% of eager", with: "at most 50% of baseline"))
        try workspace.write(
            "gates.yaml", "version: 1\ngates: [{scenarios: \"*\", battery.joules: at most 50% of baseline}]\n")
        let told = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --replicas 11").output
        let lines = told.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            lines.contains {
                $0.hasPrefix("worst in replica ") && $0.contains(" in the baseline, where the bound is ")
            }, "\(told)")
        let commands = Set(lines.filter { $0.hasPrefix("deadzone compare ") })
        let file = "deadzone compare \(workspace.file("a.yaml")) --baseline \(workspace.file("base.json"))"
        let gates = workspace.file("gates.yaml")
        #expect(
            commands == [
                "\(file) --strategy patient --replicas 11", "\(file) --gates \(gates) --replicas 11",
            ], "\(told)")
        for command in commands {
            let again = workspace.run(String(command.dropFirst("deadzone ".count)))
            #expect(again.code == .gateFailed && again.output.contains("the bound is at most 50% of baseline"))
        }
    }

    @Test func withoutGatesARegressionFails() throws {
        // Broken: a higher energy use passes because there is no gate, or an unchanged one fails.
        let workspace = try Self.workspace()
        #expect(workspace.run("compare @a.yaml --baseline @base.json").code == .ok)
        try Self.change(workspace)
        let compared = workspace.run("compare @a.yaml --baseline @base.json")
        #expect(
            compared.code == .gateFailed
                && compared.output.contains("Energy above idle (battery.above_idle_joules) of patient changed from"))
        // Five pairs are too few for any decision.
        let few = workspace.run("compare @a.yaml --baseline @base.json --replicas 5")
        #expect(few.code == .ok && few.output.contains("5 replicas are too few"), "\(few.output)")
    }

    @Test func noRowContradictsItself() throws {
        // Broken: one column of a row says down and another up, or an interval without zero stands beside "undecided".
        // Also broken: a failing row stands below one that does not fail.
        let workspace = try Self.workspace()
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario.replacing(
                "patient: {strategy: patient}", with: "patient: {strategy: patient, ping: 41s}")
        )
        let line = "compare @a.yaml --baseline @base.json"
        let document = try json(workspace.run(line + " --json").output)
        let scenario = try #require((document["scenarios"] as? [[String: Any]])?.first)
        let rows = (scenario["strategies"] as? [[String: Any]] ?? []).flatMap { strategy in
            (strategy["metrics"] as? [String: [String: Any]] ?? [:]).sorted { $0.key < $1.key }
        }
        var told = 0
        for (name, row) in rows {
            guard let old = row["old"] as? Double, let new = row["new"] as? Double,
                let difference = row["difference"] as? Double
            else { continue }
            let rest = abs(new - old - difference) / max(1, abs(old))
            #expect(rest < 1e-6, "\(name)")
            guard let interval = row["interval"] as? [Double] else {
                #expect(row["decision"] as? String == "undecided", "\(name)")
                continue
            }
            told += 1
            let holdsZero = interval[0] <= 0 && interval[1] >= 0
            #expect(interval[0] <= difference && difference <= interval[1], "\(name)")
            let isUndecided = row["decision"] as? String == "undecided"
            let p = try #require(row["p_holm"] as? Double)
            #expect(holdsZero == isUndecided, "\(name)")
            #expect(holdsZero == (p >= 0.05), "\(name)")
        }
        #expect(told > 5)
        // Undecided rows fail nothing, and failing rows come first.
        let text = workspace.run(line).output
        let failing = document["regressions"] as? [[String: Any]] ?? []
        let isFailure = document["verdict"] as? String == "fail"
        #expect(isFailure == !failing.isEmpty)
        let marks = Self.rowOrder(text)
        let isSorted = marks == marks.sorted()
        #expect(isSorted, "\(text)")
        let shown = text.split(separator: "\n").filter { $0.hasPrefix("    !  ") }
        for regression in failing {
            let name = "(\(regression["metric"] as? String ?? "?"))"
            let isShown = shown.contains { $0.hasSuffix(name) }
            #expect(isShown, "\(name): \(text)")
        }
        #expect(marks.contains(3))
        // The verdict begins with the regressions that decided it.
        let verdict = failing.isEmpty ? "pass: " : "FAIL: \(failing.count) regression"
        #expect(text.contains(verdict), "\(text)")
    }

    /// One number for each row of the table: its place by family, and within the family by its mark.
    private static func rowOrder(_ text: String) -> [Int] {
        let order = "!+*~."
        var marks: [Int] = []
        // Primary metrics come first, whatever the others show.
        var family = 0
        for line in text.split(separator: "\n") where line.hasPrefix("    ") {
            if line.hasPrefix("    exploratory") { family = order.count }
            guard let mark = line.dropFirst(4).first, let place = order.firstIndex(of: mark) else { continue }
            marks.append(family + order.distance(from: order.startIndex, to: place))
        }
        return marks
    }

    @Test func otherSeedsAreNotPaired() throws {
        // Broken: replicas with different weather are subtracted from each other.
        let workspace = try Self.workspace()
        let compared = try json(workspace.run("compare @a.yaml --baseline @base.json --seed 9 --json").output)
        let scenario = try #require((compared["scenarios"] as? [[String: Any]])?.first)
        let strategy = try #require((scenario["strategies"] as? [[String: Any]])?.first)
        #expect(strategy["paired"] as? Bool == false && strategy["unchanged_replicas"] is NSNull)
        let metrics = try #require(strategy["metrics"] as? [String: [String: Any]])
        let tests = ["permutation", "mann-whitney"]
        #expect(metrics.values.allSatisfy { tests.contains($0["test"] as? String ?? "") } && metrics.count > 3)
        // Another seed is another world, so nothing is known about the behaviour. The last line names both seeds.
        for verb in ["compare", "baseline diff"] {
            let last = workspace.run("\(verb) @a.yaml --baseline @base.json --seed 9").output
                .split(separator: "\n").last { $0.contains("seed") }
            #expect(last?.contains("seed 9, the baseline has 1") == true, "\(last ?? "")")
            #expect(last?.contains("no behaviour changed") == false)
        }
    }

    @Test func strategiesAreComparedWithAReference() throws {
        // Broken: the reference is compared with itself, or left out of the run.
        let workspace = try Self.workspace()
        let outcome = workspace.run("compare @a.yaml --against eager --strategy patient --replicas 12 --json")
        let scenario = try #require((try json(outcome.output)["scenarios"] as? [[String: Any]])?.first)
        let strategies = try #require(scenario["strategies"] as? [[String: Any]])
        #expect(strategies.map { $0["name"] as? String } == ["patient"])
        let zombie = (strategies[0]["metrics"] as? [String: [String: Any]])?["zombie.max"]
        #expect(zombie?["decision"] as? String == "better" && zombie?["pairs"] as? Int == 12)
    }

    static let faults: [(old: String, new: String, code: String, exit: ExitCode, words: String)] = [
        ("battery.joules", "battery.jouls", "E0204", .badInput, "did you mean `battery.joules`?"),
        ("within 1% of", "witin 1% of", "E0205", .badInput, "gates.yaml:4:"),
        ("level: warn", "level: wran", "E0110", .badInput, "did you mean `warn`?"),
        ("Sh?rt", "Shrt", "E0505", .nothingMatched, "did you mean `Short`?"),
        ("strategies: patient", "strategies: pateint", "E0505", .nothingMatched, "did you mean `patient`?"),
        ("1% of baseline", "1% of eagre", "E0506", .badInput, "did you mean `eager`?"),
        ("version: 1", "version: 2", "E0110", .badInput, "expected `1`"),
        ("gates:", "gate:", "E0104", .badInput, "did you mean `gates`?"),
    ]

    @Test(arguments: faults)
    func aTypoIsNeverAPass(_ old: String, _ new: String, _ code: String, _ exit: ExitCode, _ words: String) throws {
        // Broken: a misspelt gate counts as a gate that holds.
        let workspace = try Self.workspace()
        #expect(Self.gates.contains(old))
        try workspace.write("gates.yaml", Self.gates.replacing(old, with: new))
        let outcome = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --json")
        #expect(outcome.code == exit && outcome.errors.contains("[\(code)]"), "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        let errors = try #require(try json(outcome.output)["errors"] as? [[String: Any]])
        #expect(errors.contains { $0["code"] as? String == code })
    }

    @Test func incomparableResultsNeverPass() throws {
        // Broken: numbers of another world, or no numbers at all, pass a gate.
        let workspace = try Self.workspace()
        func expect(_ line: String, _ code: String, _ exit: ExitCode, _ words: String = "error[") {
            let outcome = workspace.run(line)
            #expect(outcome.code == exit && outcome.errors.contains("[\(code)]"), "\(line): \(outcome.errors)")
            #expect(outcome.errors.contains(words) && outcome.output == "", "\(outcome.errors)")
        }
        expect("compare @a.yaml --baseline @no.json", "E0501", .badInput)
        expect("compare @a.yaml --baseline @a.yaml", "E0502", .badInput)
        expect("compare @a.yaml", "E0308", .usage)
        expect("compare @a.yaml --baseline @base.json --against eager", "E0311", .usage)
        expect("compare @a.yaml --against egaer", "E0310", .usage, "did you mean `eager`?")
        expect("compare @a.yaml --gates @gates.yaml", "E0506", .badInput, "--baseline FILE")
        expect("compare @a.yaml @a.yaml @b.yaml --baseline @base.json", "E0401", .nothingMatched)
        expect("baseline save @a.yaml --baseline @gates.yaml", "E0404", .runtime, "--force")
        try workspace.write("twin.yaml", TestWorkspace.scenario)
        expect("baseline save @a.yaml @twin.yaml --baseline @two.json", "E0311", .usage, "rename one")
        // Cases in which nothing can be compared.
        try workspace.write("a.yaml", TestWorkspace.scenario.replacing("every: 10s", with: "every: 11s"))
        expect("compare @a.yaml --baseline @base.json", "E0503", .badInput)
        expect("baseline diff @a.yaml --baseline @base.json", "E0503", .badInput)
        try workspace.write("a.yaml", TestWorkspace.scenario.replacing("Short", with: "Shorter"))
        expect("compare @a.yaml --baseline @base.json", "E0504", .badInput, "did you mean `Short`?")
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario.replacing("eager: {strategy: eager}", with: "keen: {strategy: composed}")
                .replacing("patient: {strategy: patient}", with: "calm: {strategy: patient, ping: 50s}")
                .replacing("  patient: {delivery", with: "  calm: {delivery").replacing("of eager", with: "of keen"))
        expect("compare @a.yaml --baseline @base.json", "E0504", .badInput, "`keen`")
        #expect(!workspace.exists("two.json"))
    }
}
