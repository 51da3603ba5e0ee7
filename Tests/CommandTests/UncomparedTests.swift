import DeadzoneCommand
import Foundation
import Testing

/// Scenarios and strategies that exist only in the baseline or only now. They are reported, and all others are
/// compared.
struct UncomparedTests {
    /// Workspace with one unchanged scenario, one with another timeline, one new, one with a renamed strategy, and one
    /// that is removed.
    private static func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        func scenario(_ name: String) -> String {
            TestWorkspace.scenario.replacing("name: Short", with: "name: \(name)")
        }
        for name in ["same", "moved", "renamed", "removed"] { try workspace.write("\(name).yaml", scenario(name)) }
        let saved = workspace.run(
            "baseline save @same.yaml @moved.yaml @renamed.yaml @removed.yaml --baseline @base.json --replicas 3 -q")
        try #require(saved.code == .ok, "\(saved.errors)")
        try workspace.write("moved.yaml", scenario("moved").replacing("at: 1m,", with: "at: 2m,"))
        try workspace.write(
            "renamed.yaml",
            scenario("renamed").replacing("patient: {strategy: patient", with: "calm: {strategy: patient, ping: 50s")
                .replacing("  patient: {del", with: "  calm: {del"))
        try workspace.write("new.yaml", scenario("new"))
        try workspace.write(
            "gates.yaml",
            "version: 1\ngates: [{scenarios: \"*\", zombie.max: within 5% of baseline, keepalive.pings: at least 0}]\n")
        return workspace
    }

    private static let all = "@same.yaml @moved.yaml @renamed.yaml @new.yaml --baseline @base.json"

    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func othersAreComparedAndTheRestIsReported() throws {
        // Broken: a new scenario, a renamed strategy or an edited timeline stops the comparison of all others, or is
        // left out without a note.
        let workspace = try Self.workspace()
        let told = workspace.run("compare \(Self.all) --gates @gates.yaml --annotate")
        #expect(told.code == .ok, "\(told.output)\(told.errors)")
        for words in [
            "moved: changed: its world differs",
            "new: new: not in the baseline; 2 gates of the baseline cannot be checked",
            "renamed, calm: new", "renamed, patient: gone", "removed: gone", "--replace",
        ] {
            #expect(told.output.contains(words), "\(words): \(told.output)")
        }
        let last = try #require(told.output.split(separator: "\n").last)
        #expect(
            last.hasPrefix("pass: ") && last.hasSuffix("not compared: 2 new, 2 gone, 1 with another world"), "\(last)")
        #expect(told.errors.contains("::notice file="))
        let document = try json(workspace.run("compare \(Self.all) --gates @gates.yaml --json").output)
        let rest = try #require(document["not_compared"] as? [[String: Any]])
        let strategies = rest.filter { $0["strategy"] is String }
        #expect(rest.count == 5 && strategies.count == 2)
        // Two gates for each strategy that is the same on both sides, and one absolute gate for each of the others.
        let gates = try #require(document["gates"] as? [[String: Any]]).filter { $0["source"] as? String == "gates" }
        // The sum is a constant of its own: inside the macro the compiler needs ten seconds for it.
        let expected = 4 + 2 + 3 + 2
        #expect(gates.count == expected)
        // The compared scenarios can still fail.
        try workspace.write(
            "gates.yaml", "version: 1\ngates: [{scenarios: same, zombie.max: at most 1% of baseline}]\n")
        #expect(workspace.run("compare \(Self.all) --gates @gates.yaml").code == .gateFailed)
    }

    @Test func anotherStrategyIsNotIdentical() throws {
        // Broken: a scenario in which a client was replaced counts as identical, and the verdict says that no behaviour
        // changed.
        let workspace = try Self.workspace()
        let told = workspace.run("compare @renamed.yaml --baseline @base.json")
        let words = "Behaviour identical in 0 of 1 scenario; 1 with strategies that were not compared: renamed\n"
        #expect(told.output.hasPrefix(words), "\(told.output)")
        #expect(told.output.contains("pass: ") && !told.output.contains("no behaviour changed"), "\(told.output)")
        let document = try json(workspace.run("compare @renamed.yaml --baseline @base.json --json").output)
        #expect(document["identical_scenarios"] as? Int == 0)
    }

    @Test func strictComparisonAllowsNoGap() throws {
        // Broken: a changed timeline removes the comparison of a scenario, and no flag lets CI fail because of it.
        let workspace = try Self.workspace()
        for (files, what) in [
            ("@same.yaml @moved.yaml", "2 gone, 1 with another world"), ("@same.yaml @new.yaml", "1 new, 3 gone"),
            ("@same.yaml @renamed.yaml", "1 new, 3 gone"),
        ] {
            let line = "\(files) --baseline @base.json"
            let last = try #require(workspace.run("compare \(line)").output.split(separator: "\n").last)
            #expect(last == "pass: all 4 expectations hold; no compared behaviour changed; not compared: \(what)")
            for verb in ["compare", "check"] {
                let strict = workspace.run("\(verb) \(line) --strict --exit-zero")
                #expect(strict.code == .ok && strict.output.contains("FAIL: "), "\(strict.output)")
                #expect(strict.output.contains("not compared, which --strict forbids: \(what)"), "\(strict.output)")
                #expect(workspace.run("\(verb) \(line) --strict").code == .gateFailed)
            }
        }
        let line = "compare @same.yaml @moved.yaml --baseline @base.json --strict"
        let document = try json(workspace.run(line + " --json").output)
        #expect(document["strict"] as? Bool == true && document["verdict"] as? String == "fail")
        #expect(workspace.run(line + " --format junit").output.contains("failures=\"3\" errors=\"0\""))
        #expect(workspace.run(line + " --format md").output.contains("- ❌ **moved** was not compared"))
        #expect(workspace.run(line + " --annotate").errors.contains("::error file="))
        // Nothing is left out, so nothing fails.
        let all = "compare @same.yaml --baseline @only.json --strict"
        #expect(workspace.run("baseline save @same.yaml --baseline @only.json --replicas 3 -q").code == .ok)
        #expect(workspace.run(all).code == .ok)
        #expect(workspace.run("check @same.yaml --strict").code == .usage)
    }

    @Test func aNewNameIsTheSameClient() throws {
        // Broken: a strategy with another name and the same settings is not compared.
        let workspace = try Self.workspace()
        let name = TestWorkspace.scenario.replacing("name: Short", with: "name: renamed")
        let calm = name.replacing("patient: {", with: "calm: {")
        try workspace.write("renamed.yaml", calm)
        let line = "@renamed.yaml --baseline @base.json"
        let told = workspace.run("compare \(line)")
        #expect(told.code == .ok && told.output.contains("`patient` is called `calm` now\n"), "\(told.output)")
        #expect(told.output.hasPrefix("Behaviour identical in the scenario (digests equal)\n"), "\(told.output)")
        #expect(!told.output.contains("renamed, calm: new"), "\(told.output)")
        let diff = workspace.run("baseline diff \(line)")
        #expect(diff.code == .ok && diff.output.contains("`patient` is called `calm` now\n"), "\(diff.output)")
        // Two new strategies have the settings, so neither of them is the renamed one.
        try workspace.write(
            "renamed.yaml", calm.replacing("strategies:\n", with: "strategies:\n  slow: {strategy: patient}\n"))
        let two = workspace.run("compare \(line)").output
        #expect(two.contains("renamed, calm: new") && two.contains("renamed, slow: new"), "\(two)")
    }

    @Test func uncomparedScenariosAreSkippedCases() throws {
        // Broken: JUnit is silent about scenarios and strategies that were not compared. Or the first line says that a
        // scenario has no baseline, although its baseline is from another world.
        let workspace = try Self.workspace()
        let cases = workspace.run("compare \(Self.all) --format junit").output
        for (suite, name, reason) in [
            ("moved", "compared with the baseline", "changed: its world differs"),
            ("new", "compared with the baseline", "new: not in the baseline"),
            ("renamed", "calm: compared with the baseline", "new: not in the baseline"),
            ("renamed", "patient: compared with the baseline", "gone: in the baseline"),
        ] {
            let words = "classname=\"\(suite)\" name=\"\(name)\">\n      <skipped message=\"\(reason)"
            #expect(cases.contains(words), "\(words): \(cases)")
        }
        #expect(cases.matches(of: /<skipped/).count == 4, "\(cases)")
        let first = workspace.run("compare \(Self.all)").output.prefix { $0 != "\n" }
        #expect(first.hasSuffix("; 1 without a baseline; 1 with another world than the baseline"), "\(first)")
    }

    @Test func changedScenarioIsADifference() throws {
        // Broken: `diff` reports no difference although a scenario belongs to another world.
        let workspace = try Self.workspace()
        let diff = workspace.run("baseline diff \(Self.all)")
        #expect(diff.code == .gateFailed && diff.output.contains("moved: changed"), "\(diff.output)\(diff.errors)")
        // With fewer scenarios named, only these are compared.
        #expect(workspace.run("baseline diff @same.yaml --baseline @base.json").code == .ok)
    }

    @Test func savingOneScenarioKeepsTheOthers() throws {
        // Broken: saving a new scenario deletes all others from the baseline.
        let workspace = try Self.workspace()
        func names() throws -> [String] {
            let scenarios = try json(workspace.text("base.json"))["scenarios"] as? [String: Any]
            return try #require(scenarios).keys.sorted()
        }
        let before = try names()
        let saved = workspace.run("baseline save @new.yaml --baseline @base.json --replicas 3")
        #expect(saved.code == .ok && saved.errors.contains("1 scenario saved, 4 kept"), "\(saved.errors)")
        let after = (before + ["new"]).sorted()
        #expect(try names() == after)
        #expect(workspace.run("baseline diff @new.yaml @same.yaml --baseline @base.json").code == .ok)
        // A single strategy can be saved, too, if the others ran with the same settings.
        let one = "baseline save @new.yaml --strategy eager --baseline @base.json"
        #expect(workspace.run(one + " --replicas 3").code == .ok)
        #expect(workspace.run("baseline diff @new.yaml --baseline @base.json").code == .ok)
        let other = workspace.run(one + " --replicas 2")
        #expect(other.code == .usage && other.errors.contains("[E0311]"), "\(other.errors)")
        #expect(workspace.run("baseline save @new.yaml --baseline @base.json --replace").code == .ok)
        #expect(try names() == ["new"])
    }

    @Test func duplicatesAreRefused() throws {
        // Broken: a strategy or scenario that stands twice in a composed file is run twice.
        let workspace = try Self.workspace()
        let baseline = try workspace.text("base.json")
        try workspace.write("twice.json", baseline.replacing("\"eager\": {", with: "\"patient\": {"))
        let compared = workspace.run("compare @same.yaml --baseline @twice.json")
        #expect(compared.code == .badInput && compared.errors.contains("[E0502]"), "\(compared.errors)")
        #expect(compared.errors.contains("a key occurs twice"), "\(compared.errors)")
        _ = workspace.run("run @same.yaml --replicas 1 --out @r")
        func report(_ change: (inout [String: Any]) throws -> Void) throws -> TestWorkspace.Outcome {
            var result = try json(workspace.text("r/results.json"))
            try change(&result)
            try workspace.write(
                "twice.json", String(decoding: try JSONSerialization.data(withJSONObject: result), as: UTF8.self))
            return workspace.run("report @twice.json --format md")
        }
        #expect(try report { _ in }.code == .ok)
        let strategies = try report { result in
            let one = try #require(result["strategies"] as? [Any])
            result["strategies"] = one + one
        }
        let scenarios = try report { result in result = ["schema": "deadzone/runs/1", "runs": [result, result]] }
        for (outcome, name) in [(strategies, "strategy `eager`"), (scenarios, "scenario `same`")] {
            #expect(outcome.code == .badInput && outcome.errors.contains("[E0420]"), "\(outcome.errors)")
            #expect(outcome.errors.contains("\(name) twice"), "\(outcome.errors)")
        }
    }

    @Test func replicasWithoutCounterpartAreNoPass() throws {
        // Broken: a run of many replicas is compared with a baseline of one, the header counts all of them, and the
        // verdict is `pass`. Or a gate compares the value over all replicas with the value of one.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let saved = workspace.run("baseline save @a.yaml --baseline @one.json --replicas 1 -q")
        try #require(saved.code == .ok, "\(saved.errors)")
        try workspace.write(
            "gates.yaml",
            "version: 1\ngates: [{scenarios: \"*\", battery.joules: within 0% of baseline, "
                + "zombie.max: at most 100% of baseline, latency.down.p95: at most 100% of baseline}]\n")
        let line = "compare @a.yaml --baseline @one.json --replicas 12"
        // The same client in the same replica has the same numbers.
        let same = workspace.run(line + " --gates @gates.yaml")
        #expect(same.code == .ok && same.output.contains("; 1 of 12 replicas compared"), "\(same.output)")
        let diff = workspace.run("baseline diff @a.yaml --baseline @one.json --replicas 12")
        #expect(diff.code == .ok && !diff.output.contains("%"), "\(diff.output)")
        try CompareTests.change(workspace)
        let told = workspace.run(line)
        #expect(told.code == .ok && told.output.contains("Short  1 of 12 replicas compared, seed 1"), "\(told.output)")
        let last = try #require(told.output.split(separator: "\n").last)
        let words = "undecided: too few to decide: 1 of 12 replicas compared ("
        #expect(last.hasPrefix(words + "a baseline with --replicas 12 would decide)"), "\(last)")
        for format in ["md", "html", "junit", "sarif", "rdjsonl"] {
            let text = workspace.run(line + " --format \(format)").output
            #expect(text.contains("1 of 12 replicas compared"), "\(format)")
        }
        let document = try json(workspace.run(line + " --json").output)
        #expect(document["verdict"] as? String == "undecided")
        let scenario = try #require((document["scenarios"] as? [[String: Any]])?.first)
        #expect(scenario["replicas"] as? Int == 12 && scenario["baseline_replicas"] as? Int == 1)
        // A difference is that of the common replica.
        let alone = workspace.run("baseline diff @a.yaml --baseline @one.json --replicas 1").output
        let many = workspace.run("baseline diff @a.yaml --baseline @one.json --replicas 12").output
        func rows(_ text: String) -> [Substring] { text.split(separator: "\n").filter { $0.contains(" -> ") } }
        #expect(rows(alone) == rows(many) && !rows(alone).isEmpty, "\(alone)\(many)")
    }

    @Test func strategyIsNotComparedWithItself() throws {
        // Broken: `--against` names the only strategy that runs, nothing is compared, and the check passes.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let told = workspace.run("compare @a.yaml --against eager --strategy eager")
        #expect(told.code == .badInput && told.errors.contains("[E0504]") && told.output == "", "\(told.errors)")
        #expect(told.errors.contains("only `eager` runs"), "\(told.errors)")
        #expect(workspace.run("compare @a.yaml --against eager --strategy patient").code == .ok)
    }
}
