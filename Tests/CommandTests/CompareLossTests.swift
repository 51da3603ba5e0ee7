import DeadzoneCommand
import DeadzoneMetrics
import Foundation
import Testing

/// A change that loses messages must fail, with every file of gates and with ten replicas.
struct CompareLossTests {
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
          - {at: 15m, dead-zone: {uniform: [20s, 150s]}, repeat: {every: 5m, times: 4}}
        traffic:
          down: {every: 20s, arrivals: poisson, size: 300B}
        strategies:
          steady: {strategy: composed, transport: websocket, keepalive: {interval: 30s, timeout: 10s}, resume: cursor}
          mine:
            strategy: composed
            transport: websocket
            keepalive: {interval: 30s, timeout: 10s}
            resume: cursor

        """

    /// The sample of README when it did not guard a second scenario against loss.
    private static let withoutLoss = """
        version: 1
        gates:
          - {scenarios: "*", zombie.max: at most 105% of baseline, battery.joules: at most 105% of baseline}

        """

    private static func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", scenario)
        try #require(workspace.run("baseline save @a.yaml --baseline @base.json -q").code == .ok)
        let place = try #require(scenario.range(of: "resume: cursor", options: .backwards))
        try workspace.write("a.yaml", scenario.replacingCharacters(in: place, with: "resume: nothing"))
        try workspace.write("gates.yaml", withoutLoss)
        return workspace
    }

    @Test func aLossFailsWithTenReplicas() throws {
        // Broken: 10 of 10 replicas lose messages, and the build passes: with gates that do not name the metric, or
        // with none.
        let workspace = try Self.workspace()
        for gates in ["", " --gates @gates.yaml"] {
            let outcome = workspace.run("compare @a.yaml --baseline @base.json" + gates)
            #expect(outcome.code == .gateFailed, "\(outcome.output)")
            let last = outcome.output.split(separator: "\n").last ?? ""
            #expect(last.hasPrefix("FAIL: ") && last.contains("delivery.down.lost of mine: 0 -> "), "\(last)")
            let rows = outcome.output.split(separator: "\n").filter { $0.hasPrefix("    ! ") }
            #expect(rows.first?.contains("(delivery.down.lost)") ?? false, "\(outcome.output)")
        }
        // Only the gates of the file decide if it says so.
        try workspace.write(
            "gates.yaml", Self.withoutLoss.replacing("gates:", with: "extends: none\ngates:"))
        let alone = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml")
        #expect(!alone.output.contains("Regressions"), "\(alone.output)")
    }

    @Test func allFormatsAgree() throws {
        // Broken: the page or the comment of a pull request says less than the exit code.
        let workspace = try Self.workspace()
        let outcome = workspace.run("compare @a.yaml --baseline @base.json --out @r --annotate")
        let first = "Behaviour identical in 0 of 1 scenario; 1 changed: Commute"
        #expect(outcome.output.hasPrefix(first + "\n"), "\(outcome.output)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: try workspace.data("r/compare.json")) as? [String: Any])
        let regressions = try #require(document["regressions"] as? [[String: Any]])
        #expect(regressions.contains { $0["metric"] as? String == "delivery.down.lost" })
        #expect(document["identical_scenarios"] as? Int == 0 && document["recommended_gates"] as? Bool == true)
        let markdown = try workspace.text("r/compare.md")
        let heading = "## Deadzone: fail ❌\n\n" + first.replacing(":", with: "&#58;") + "\n\n"
        #expect(markdown.hasPrefix(heading), "\(markdown)")
        #expect(markdown.contains("| strategy | metric | before | now | change | verdict | would be found |"))
        #expect(!markdown.contains("nothing changed"))
        let beforeFolding = markdown.split(separator: "<details>", maxSplits: 1)[0]
        #expect(beforeFolding.contains("`delivery.down.lost`") && beforeFolding.contains("fail ❌"), "\(markdown)")
        #expect(try workspace.text("r/compare.html").contains("Lost, server to app (delivery.down.lost) of mine"))
        let junit = try workspace.text("r/compare.xml")
        #expect(junit.contains("mine: delivery.down.lost is not worse than in the baseline"), "\(junit)")
        #expect(junit.matches(of: /<failure/).count == regressions.count)
        // The annotation stands at the changed strategy.
        let lines = try workspace.text("a.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        let line = try #require(lines.firstIndex { $0.hasPrefix("  mine:") }) + 1
        #expect(
            outcome.errors.contains("::error file=\(workspace.file("a.yaml")),line=\(line),col=3,"), "\(outcome.errors)"
        )
    }

    @Test func gateOfTheBaselineReplacesTheRecommendedOne() throws {
        // Broken: a loss that a team accepts cannot be accepted; or a bound in plain numbers accepts one unseen.
        let workspace = try Self.workspace()
        func regressions(_ gate: String) throws -> [String] {
            try workspace.write("gates.yaml", "version: 1\ngates: [{scenarios: \"*\", \(gate)}]\n")
            let outcome = workspace.run("compare @a.yaml --baseline @base.json --gates @gates.yaml --json")
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
            return (document["regressions"] as? [[String: Any]] ?? []).compactMap { $0["metric"] as? String }
        }
        #expect(try regressions("delivery.down.lost: under 5000").contains("delivery.down.lost"))
        #expect(try regressions("level: warn, delivery.down.lost: 0").contains("delivery.down.lost"))
        #expect(try !regressions("level: off, delivery.down.lost: 0").contains("delivery.down.lost"))
        #expect(try !regressions("delivery.down.lost: at most 100% of baseline").contains("delivery.down.lost"))
    }

    @Test func recommendedGatesAreExplained() throws {
        // Broken: the page lacks a metric that fails builds.
        let page = try TestWorkspace().run("explain gates").output
        for metric in PrimaryMetric.all { #expect(page.contains(metric.name), "\(metric.name)") }
        #expect(page.contains("extends"))
    }

    @Test func savingTooFewReplicasWarns() throws {
        // Broken: a baseline is committed that can never decide about latency or energy.
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
        let few = workspace.run("baseline save @a.yaml --baseline @base.json --replicas 5")
        #expect(few.code == .ok && few.errors.contains("save at least 9: --replicas 9"), "\(few.errors)")
        #expect(PrimaryMetric.neededReplicas == 9)
        let enough = workspace.run("baseline save @a.yaml --baseline @base.json --replicas 9")
        #expect(enough.code == .ok && !enough.errors.contains("warning"), "\(enough.errors)")
    }

    @Test func worseInEveryReplicaIsNotAPass() throws {
        // Broken: a client is worse in five of five replicas, and the report says "pass"; or the number of replicas
        // that it names does not decide.
        let workspace = try TestWorkspace()
        let lossy = Self.scenario.replacing("resume: cursor", with: "resume: nothing")
        func compare(savedWith replicas: Int) throws -> TestWorkspace.Outcome {
            try workspace.write("a.yaml", lossy)
            let save = workspace.run("baseline save @a.yaml --baseline @base.json --replicas \(replicas) -q")
            try #require(save.code == .ok, "\(save.errors)")
            try workspace.write(
                "a.yaml", lossy.replacing("interval: 30s, timeout: 10s}\n", with: "interval: 2m, timeout: 30s}\n"))
            return workspace.run("compare @a.yaml --baseline @base.json --out @r")
        }
        let few = try compare(savedWith: 5)
        let last = few.output.split(separator: "\n").last ?? ""
        #expect(few.code == .ok && last.hasPrefix("undecided: zombie.max of mine: "), "\(few.output)")
        #expect(last.contains("worse in 5 of 5 replicas (a baseline with --replicas 9 would decide)"), "\(last)")
        #expect(!few.output.contains("at least 8") && few.output.contains("at least 9"), "\(few.output)")
        #expect(try workspace.text("r/compare.md").hasPrefix("## Deadzone: undecided ⚠️\n"))
        #expect(try workspace.text("r/compare.html").contains("<span class=\"verdict undecided\">~ Undecided:</span>"))
        #expect(try workspace.text("r/compare.xml").contains("is worse in 5 of 5 replicas"))
        let document = try JSONSerialization.jsonObject(with: workspace.data("r/compare.json")) as? [String: Any]
        #expect(document?["verdict"] as? String == "undecided")
        let enough = try compare(savedWith: 9)
        #expect(enough.code == .gateFailed && enough.output.contains("FAIL: 2 regressions"), "\(enough.output)")
    }

    @Test func undecidedLossIsNamedWithItsReplicas() throws {
        // Broken: the verdict says "pass" and nothing of a loss that four replicas cannot decide.
        let workspace = try TestWorkspace()
        // Both versions lose messages, so that a test has to decide.
        let lossy = Self.scenario.replacing("resume: cursor", with: "resume: nothing")
        try workspace.write("a.yaml", lossy)
        try #require(workspace.run("baseline save @a.yaml --baseline @base.json --replicas 4 -q").code == .ok)
        try workspace.write(
            "a.yaml", lossy.replacing("interval: 30s, timeout: 10s}\n", with: "interval: 35s, timeout: 10s}\n"))
        let outcome = workspace.run("compare @a.yaml --baseline @base.json")
        let last = outcome.output.split(separator: "\n").last ?? ""
        #expect(outcome.code == .ok && last.contains("undecided: delivery.down.lost of mine: "), "\(outcome.output)")
        #expect(last.contains(/about \d+ replicas would decide/), "\(last)")
    }
}
