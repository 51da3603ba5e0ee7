import DeadzoneCommand
import DeadzoneMetrics
import DeadzoneRuns
import Foundation
import Testing

/// `check` applies bounds that the user did not write.
struct CheckTests {
    private static let scenario = """
        version: 1
        name: Commute
        duration: 40m
        replicas: 10
        phone:
          battery: 15.4Wh
          radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}
        timeline:
          - {at: 0s, wifi: home}
          - {at: 10m, handoff: cellular, gap: 400ms, old-path: silent}
        traffic:
          down: {every: 20s, arrivals: poisson, size: 300B}
        strategies:
          good: {strategy: composed, transport: websocket, keepalive: {interval: 30s, timeout: 10s}, resume: cursor}
          bad: {strategy: composed, transport: websocket, keepalive: {interval: 30m, timeout: 10s}, resume: nothing}

        """

    private let workspace: TestWorkspace

    init() throws {
        workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
    }

    private func document(_ line: String) throws -> [String: Any] {
        let text = Data(workspace.run(line + " --json").output.utf8)
        return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    }

    private func gates(_ line: String) throws -> [(name: String, level: String, verdict: String)] {
        try #require(try document(line)["gates"] as? [[String: Any]]).map { gate in
            let words = ["strategy", "metric", "level", "verdict"].map { gate[$0] as? String ?? "" }
            return (words[0] + " " + words[1], words[2], words[3])
        }
    }

    @Test func aBrokenClientFails() throws {
        // Broken: a client that loses messages passes, a sound one fails, or the output does not name the preset.
        let outcome = workspace.run("check @a.yaml")
        #expect(outcome.code == .gateFailed, "\(outcome.output) \(outcome.errors)")
        #expect(
            outcome.output.contains("FAIL  Commute: zombie.max of bad is ")
                && outcome.output.contains("; the bound is under 600 s (recommended@1)"), "\(outcome.output)")
        #expect(!outcome.output.contains("of good"), "\(outcome.output)")
        #expect(workspace.run("check @a.yaml --strategy good").code == .ok)
        #expect(workspace.run("check @a.yaml --preset recommended@1 --exit-zero").code == .ok)
        let broken = try gates("check @a.yaml").filter { $0.verdict == "fail" }
        #expect(Set(broken.map(\.name)).isSuperset(of: ["bad zombie.max", "bad delivery.down.lost"]), "\(broken)")
        #expect(broken.allSatisfy { $0.name.hasPrefix("bad ") && $0.level == "error" })
        #expect(try document("check @a.yaml")["preset"] as? String == "recommended@1")
    }

    @Test func anExpectationReplacesTheBound() throws {
        // Broken: a scenario that demands the fault of a client cannot pass.
        let expectations = "expect:\n  bad: {zombie.max: over 5m, delivery.down.lost: over 1, recovery.p95: over 2m}\n"
        try workspace.write("a.yaml", Self.scenario + expectations)
        let outcome = workspace.run("check @a.yaml")
        #expect(outcome.code == .ok, "\(outcome.output)")
        try workspace.write("a.yaml", Self.scenario + "expect:\n  bad: {zombie.max: over 39m}\n")
        let failed = try gates("check @a.yaml").filter { $0.verdict == "fail" }.map(\.name)
        #expect(failed.contains("bad zombie.max") && failed.count(where: { $0 == "bad zombie.max" }) == 1)
    }

    @Test func whatTheBaselineBreaksIsAWarning() throws {
        // Broken: the first check of an old client fails the build, or a client that becomes bad passes.
        #expect(workspace.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        let known = workspace.run("check @a.yaml --baseline @base.json")
        #expect(known.code == .ok && known.output.contains("  warn  Commute: zombie.max of bad is "), "\(known.output)")
        #expect(known.output.hasPrefix("Behaviour identical in the scenario (digests equal)\n"))
        // The sound client becomes like the other one.
        try workspace.write(
            "a.yaml", Self.scenario.replacing("interval: 30s", with: "interval: 30m"))
        let worse = workspace.run("check @a.yaml --baseline @base.json")
        #expect(worse.code == .gateFailed && worse.output.contains("FAIL  Commute: zombie.max of good is "))
        #expect(worse.output.contains("  warn  Commute: zombie.max of bad is "), "\(worse.output)")
        #expect(worse.output.contains("Regressions"))
    }

    @Test func boundsThatCouldBeTighterAreListed() throws {
        // Broken: a bound far from the result is not noticed, or a bound that is met closely is listed.
        try workspace.write(
            "a.yaml",
            Self.scenario + "expect:\n  good: {zombie.max: under 10m, delivery.down.lost: 0}\n"
                + "  bad: {zombie.max: over 1m, delivery.down.lost: over 0}\n")
        let loose = workspace.run("check @a.yaml")
        let listed = try #require(loose.output.components(separatedBy: "Could be tighter by more than 10%\n").last)
        let note = try #require(listed.components(separatedBy: "\n\n").first)
        #expect(note.hasPrefix("  zombie.max of good is ") && !note.contains("of bad"), "\(loose.output)")
        #expect((try document("check @a.yaml")["could_be_tighter"] as? [Any])?.count == 1)
        let tight = Self.scenario + "expect:\n  good: {zombie.max: under 41s}\n"
        try workspace.write("a.yaml", tight)
        #expect(!workspace.run("check @a.yaml --strategy good").output.contains("tighter"))
        // A gain that the baseline does not hold.
        try workspace.write("a.yaml", Self.scenario)
        #expect(workspace.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        try workspace.write("a.yaml", Self.scenario.replacing("interval: 30m", with: "interval: 30s"))
        let better = workspace.run("check @a.yaml --baseline @base.json --strategy bad")
        #expect(
            better.output.contains("  zombie.max of bad is better than in the baseline: "), "\(better.output)")
        // `compare` says nothing about it.
        #expect(!workspace.run("compare @a.yaml --baseline @base.json").output.contains("tighter"))
    }

    @Test func aGateFileExtendsAPreset() throws {
        // Broken: a gate file cannot name the bounds of `check`, or cannot loosen one of them.
        func save(_ gates: String) throws {
            try workspace.write("gates.yaml", "version: 1\nextends: recommended@1\ngates:\n  - {\(gates)}\n")
        }
        let line = "compare @a.yaml --gates " + workspace.file("gates.yaml")
        try save("scenarios: \"*\", availability.ratio: at least 0%")
        let failed = try gates(line).filter { $0.verdict == "fail" }.map(\.name)
        #expect(failed.contains("bad zombie.max") && !failed.contains { $0.hasPrefix("good") }, "\(failed)")
        try save(
            "scenarios: \"*\", strategies: bad, zombie.max: under 40m, delivery.down.lost: under 1000, recovery.p95: over 2m"
        )
        #expect(workspace.run(line).code == .ok, "\(workspace.run(line).output)")
        try save("scenarios: \"*\", strategies: bad, level: off, zombie.max: 0, delivery.down.lost: 0, recovery.p95: 0")
        #expect(workspace.run(line).code == .ok)
        try workspace.write("gates.yaml", "version: 1\nextends: recommended@2\ngates: []\n")
        let unknown = workspace.run(line)
        #expect(unknown.code == .badInput && unknown.errors.contains("recommended@1"), "\(unknown.errors)")
        #expect(workspace.run("check @a.yaml --preset recommended@2").code == .usage)
    }

    /// The metrics that `recommended` and `recommended@1` judge. This list never changes: a new metric, a smaller
    /// negligible difference or a tighter bound could fail a build that passed. It belongs into a new preset.
    @Test func aReleasedPresetNeverChanges() {
        // Broken: a new release of the tool fails an old file of gates.
        #expect(
            GatePreset.recommended1.gates.map {
                "\($0.metric) \($0.threshold.relation.rawValue) \($0.threshold.numbers.map(\.double))"
            }
                == [
                    "delivery.down.lost == [0.0]", "delivery.up.lost == [0.0]", "zombie.max < [600.0]",
                    "recovery.p95 < [120.0]", "connection.attempts_per_hour < [240.0]",
                ])
        #expect(
            PrimaryMetric.all.map { "\($0.name) \($0.negligible.double) \($0.isLoss)" } == [
                "delivery.down.lost 0.0 true", "delivery.up.lost 0.0 true", "calls.failed 0.0 true",
                "delivery.down.pending 0.0 false", "delivery.up.pending 0.0 false", "latency.down.p95 10.0 false",
                "latency.up.p95 10.0 false", "latency.call.p95 10.0 false", "zombie.max 0.1 false",
                "recovery.p95 0.1 false", "battery.above_idle_joules 0.1 false",
            ])
    }
}
