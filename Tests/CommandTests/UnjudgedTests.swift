import DeadzoneCommand
import Foundation
import Testing

/// Expectations that a run cannot judge, because only a part of the scenario runs.
struct UnjudgedTests {
    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func oneReplicaJudgesNoExpectation() throws {
        // Broken: a run of one replica or phone drops all expectations, and its reports say `pass`.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("b.yaml", TestWorkspace.scenario.replacing("name: Short", with: "name: Other"))
        for (flags, reason) in [
            ("--replica 0", "only replica 0 ran"), ("--phone 0", "only phone 0 ran"),
            ("--replica 1 --phone 0", "only phone 0 of replica 1 ran"),
        ] {
            let told = workspace.run("run @a.yaml \(flags)")
            #expect(told.code == .ok)
            #expect(told.output.contains("2 expectations are not judged: \(reason)"), "\(told.output)")
            #expect(told.errors.contains("Short: not judged, ") && !told.errors.contains("pass"), "\(told.errors)")
            let run = try json(workspace.run("run @a.yaml \(flags) --json").output)
            let unjudged = try #require(run["not_judged"] as? [[String: Any]])
            #expect(unjudged.map { $0["metric"] as? String } == ["delivery.down.lost", "zombie.max"])
            #expect(unjudged.allSatisfy { $0["reason"] as? String == reason && $0["strategy"] as? String == "patient" })
            let page = workspace.run("run @a.yaml \(flags) --format md").output
            #expect(page.hasPrefix("## Deadzone: not judged ⚠️\n\n0 of 1 runs pass; 1 not judged."), "\(page)")
            #expect(page.contains("- 2 expectations are not judged&#58; \(reason)"), "\(page)")
            let cases = workspace.run("run @a.yaml \(flags) --format junit").output
            #expect(cases.matches(of: /<skipped message="not judged: only/).count == 2, "\(cases)")
            #expect(cases.contains("tests=\"2\"") && cases.contains("skipped=\"2\""), "\(cases)")
            #expect(!cases.contains("the run completed"))
        }
        let both = workspace.run("run @a.yaml @b.yaml --replica 0 -q").output
        #expect(both.hasSuffix("not judged: all 2 files\n") && !both.contains("pass"), "\(both.suffix(400))")
        let page = workspace.run("run @a.yaml --replica 0 --format html").output
        #expect(page.contains("2 expectations not judged") && !page.contains("No expectations"))
        // A run that judges everything has none of this.
        let all = workspace.run("run @a.yaml")
        #expect(all.errors.contains("Short: pass, ") && !all.output.contains("not judged"))
        #expect(try json(workspace.run("run @a.yaml --json").output)["not_judged"] == nil)
    }

    @Test func boundRelativeToAnotherStrategyNeedsIt() throws {
        // Broken: a bound disappears without a note if its reference strategy does not run.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        let words = "1 expectation is not judged: strategy `eager` does not run"
        let told = workspace.run("run @a.yaml --strategy patient")
        #expect(told.output.contains("the expectation holds\n  \(words)"), "\(told.output)")
        #expect(told.errors.contains("Short: pass, 1 expectation not judged, "), "\(told.errors)")
        #expect(workspace.run("run @a.yaml --strategy patient --format md").output.contains("- 1 expectation is not"))
        let cases = workspace.run("run @a.yaml --strategy patient --format junit").output
        #expect(cases.contains("tests=\"2\"") && cases.matches(of: /<skipped/).count == 1, "\(cases)")
        // Expectations of strategies that were not selected are not missing.
        #expect(!workspace.run("run @a.yaml --strategy eager").output.contains("not judged"))
        let relative = TestWorkspace.scenario.replacing("at most 100% of eager", with: "within 1% of baseline")
        try workspace.write("a.yaml", relative)
        let alone = workspace.run("run @a.yaml").output
        #expect(alone.contains("not judged: only `compare --baseline` has a baseline"), "\(alone)")
    }

    /// Workspace with a third strategy, and gates that compare strategies with each other.
    private static func workspace(gates: String) throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml",
            TestWorkspace.scenario.replacing("strategies:\n", with: "strategies:\n  third: {strategy: patient}\n"))
        try workspace.write("gates.yaml", "version: 1\nextends: none\ngates: [\(gates)]\n")
        return workspace
    }

    @Test func gateThatComparesAStrategyOnlyWithItselfIsAnError() throws {
        // Broken: a gate judges nothing because its bound refers to the only strategy that it matches, and the check passes.
        let workspace = try Self.workspace(
            gates: "{scenarios: \"*\", strategies: third, battery.joules: at most 1% of third}")
        let told = workspace.run("compare @a.yaml --gates @gates.yaml")
        #expect(told.code == .nothingMatched && told.errors.contains("[E0505]"), "\(told.errors)")
        #expect(told.errors.contains("the bound compares `third` only with itself"), "\(told.errors)")
    }

    @Test func skippedGateHasANoteInEveryFormat() throws {
        // Broken: a gate relative to a strategy that does not run is skipped without a note, and the verdict is `pass`.
        let workspace = try Self.workspace(
            gates: "{scenarios: \"*\", strategies: third, battery.joules: at most 1% of eager}")
        let line = "compare @a.yaml --gates @gates.yaml --strategy third"
        let words = "was not judged: strategy `eager` does not run"
        let told = workspace.run(line)
        #expect(told.code == .ok && told.output.contains(words) && told.output.contains("gates.yaml:3:"))
        #expect(told.output.hasSuffix("undecided: 1 bound not judged\n"), "\(told.output)")
        for format in ["md", "html", "junit", "sarif"] {
            let text = workspace.run(line + " --format \(format)").output
            let colon = format == "md" ? "&#58;" : ":"
            #expect(text.contains("was not judged\(colon) strategy"), "\(format): \(text)")
        }
        let cases = workspace.run(line + " --format junit").output
        #expect(cases.contains("<skipped ") && !cases.contains("the run completed"), "\(cases)")
        let document = try json(workspace.run(line + " --json").output)
        let unjudged = try #require(document["not_judged"] as? [[String: Any]])
        #expect(unjudged.count == 1 && unjudged[0]["source"] as? String == "gates")
        #expect(document["verdict"] as? String == "undecided")
        // A bound of the scenario, too. Other bounds are judged.
        let patient = workspace.run("compare @a.yaml --gates @gates.yaml --strategy patient")
        #expect(patient.output.contains("zombie.max of patient, at most 100% of eager, \(words)"), "\(patient.output)")
        #expect(patient.output.hasSuffix("pass: the expectation holds; 1 bound not judged\n"), "\(patient.output)")
        // If its strategy is compared only with itself because no other one was selected, the gate has a note, too.
        try workspace.write(
            "gates.yaml",
            "version: 1\nextends: none\ngates: [{scenarios: \"*\", battery.joules: at most 1% of third}]\n")
        let alone = workspace.run(line).output
        #expect(alone.contains("was not judged: no other strategy runs"), "\(alone)")
        #expect(workspace.run("compare @a.yaml --gates @gates.yaml").code == .gateFailed)
    }
}
