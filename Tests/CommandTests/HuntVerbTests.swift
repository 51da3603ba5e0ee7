import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand

/// `deadzone hunt` with a client that never notices a dead connection, and with the same client repaired.
struct HuntVerbTests {
    private static let scenario = """
        version: 1
        name: A chat
        duration: 30m
        replicas: 20
        phone: {radios: {wifi: wifi-oneplus-8, cellular: lte-verizon-2021}}
        middleboxes: {cellular: [carrier-nat-300]}
        traffic: {down: {every: 1m, size: 300B}}
        strategies:
          ours:
            strategy: composed
            transport: websocket
            keepalive: {interval: 30m, timeout: 10s}
            resume: cursor
          theirs: {strategy: patient}
        expect:
          ours: {delivery.down.lost: 0, battery.joules: at most 200% of theirs}
          theirs: {delivery.down.lost: 0}

        """

    private static func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("chat.yaml", scenario)
        return workspace
    }

    private static func document(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private static func word(_ text: String) -> String { text.replacing(" ", with: "\u{a0}") }

    private static let zombie = "--demand " + word("zombie.max: under 2m") + " --strategy ours --budget 1000"

    @Test func findIsAScenarioThatRunsAndReplays() throws {
        // Broken: the written scenario is not the world that broke, or a replay notices neither the breach nor the repair.
        let workspace = try Self.workspace()
        let outcome = workspace.run("hunt @chat.yaml \(Self.zombie) --keep @corpus --json")
        #expect(outcome.code == .gateFailed, "\(outcome.errors)")
        let whole = try Self.document(outcome.output)
        let find = try #require((whole["finds"] as? [[String: Any]])?.first)
        let file = try #require(find["file"] as? String)
        let yaml = try #require(find["yaml"] as? String)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == yaml)
        #expect(
            yaml.contains("extends: {file: \"../chat.yaml\", without: [expect]}")
                && yaml.split(separator: "\n").count <= 12, "\(yaml)")
        #expect(yaml.contains("timeline:\n  - {at: "), "each entry has its line: \(yaml)")
        // The scenario alone, without the search: the same value.
        let run = workspace.run("run \(file) --strategy ours --json")
        let strategies = try Self.document(run.output)["strategies"] as? [[String: Any]]
        let metrics = try #require(strategies?.first?["metrics"] as? [String: Any], "\(run.errors)")
        #expect(run.code == .gateFailed && metrics["zombie.max"] as? Double == find["value"] as? Double)

        let broken = workspace.run("hunt --replay @corpus")
        #expect(broken.code == .gateFailed && broken.output.contains("BREAKS"), "\(broken.output)\(broken.errors)")
        try workspace.write(
            "chat.yaml", Self.scenario.replacing("interval: 30m", with: "interval: 30s, postponed-by: nothing"))
        let repaired = workspace.run("hunt --replay @corpus --json")
        #expect(repaired.code == .ok, "\(repaired.output)\(repaired.errors)")
        let replayed = try Self.document(repaired.output)
        #expect(replayed["verdict"] as? String == "pass" && (replayed["outcomes"] as? [Any])?.count == 1)
    }

    @Test(arguments: [
        ("@frozen.yaml", "frozen", "strategy: \"../frozen.yaml\""), ("@clients.yaml", "frozen", "interval: 30m"),
        ("@theirs.yaml", "file theirs", "strategy: \"../theirs.yaml\""),
    ])
    func findContainsTheStrategyOfAFile(_ added: String, _ name: String, _ written: String) throws {
        // Broken: a find names a strategy that only `--with` has, or a replay runs a former version of the preset file.
        let workspace = try Self.workspace()
        let client = "strategy: composed\ntransport: websocket\nkeepalive: {interval: 30m, timeout: 10s}\n"
        for file in ["frozen.yaml", "theirs.yaml"] { try workspace.write(file, client) }
        try workspace.write(
            "clients.yaml",
            "strategies:\n  frozen:\n    " + client.split(separator: "\n").joined(separator: "\n    ") + "\n")
        let demand = Self.word("zombie.max: under 2m")
        let outcome = workspace.run(
            "hunt @chat.yaml --with \(added) --strategy \(Self.word(name)) --demand \(demand) --budget 300 --keep @corpus"
        )
        #expect(outcome.code == .gateFailed && outcome.output.contains(written), "\(outcome.output)\(outcome.errors)")
        let broken = workspace.run("hunt --replay @corpus")
        #expect(broken.code == .gateFailed && broken.output.contains("1 broken"), "\(broken.output)\(broken.errors)")
        for file in ["frozen.yaml", "theirs.yaml"] {
            try workspace.write(file, client.replacing("interval: 30m", with: "interval: 30s, postponed-by: nothing"))
        }
        let repaired = workspace.run("hunt --replay @corpus")
        #expect(repaired.code == (added == "@clients.yaml" ? .gateFailed : .ok), "\(repaired.output)\(repaired.errors)")
    }

    @Test func aFolderWithoutFindsHolds() throws {
        // Broken: a pull request fails as long as nothing was found, or passes because its folder does not exist.
        let workspace = try Self.workspace()
        try workspace.write("corpus/.gitkeep", "")
        let outcome = workspace.run("hunt --replay @corpus")
        #expect(outcome.code == .ok && outcome.output == "0 demands: the folder contains no scenario.\n", "\(outcome)")
        #expect(workspace.run("hunt --replay @corpus --json").output.contains("\"verdict\": \"pass\""))
        #expect(workspace.run("hunt --replay @missing").code == .nothingMatched)
    }

    @Test func aFindDoesNotDependOnOtherStrategies() throws {
        // Broken: a replay judges an expectation that the scenario got after the hunt, or a find cannot be read after
        // another strategy of the scenario was renamed.
        let workspace = try Self.workspace()
        let found = workspace.run("hunt @chat.yaml \(Self.zombie) --keep @corpus -q")
        #expect(found.code == .gateFailed, "\(found.errors)")
        let more = Self.scenario.replacing(
            "  theirs: {delivery", with: "  theirs: {battery.joules: under 0.001J, delivery")
        let renamed = Self.scenario.replacing("theirs", with: "shipped")
        #expect(more != Self.scenario && renamed != Self.scenario)
        for scenario in [more, renamed] {
            try workspace.write("chat.yaml", scenario)
            let replayed = workspace.run("hunt --replay @corpus --json")
            #expect(replayed.code == .gateFailed, "\(replayed.errors)")
            let outcomes = try #require(try Self.document(replayed.output)["outcomes"] as? [[String: Any]])
            #expect(outcomes.compactMap { $0["metric"] as? String } == ["zombie.max"], "\(outcomes)")
        }
    }

    @Test func aReplayWritesItsFormats() throws {
        // Broken: `--out` and `--format` write nothing, and a demand with nothing left to measure breaks.
        let workspace = try Self.workspace()
        let find = "version: 1\nextends: ../chat.yaml\nname: F\nreplicas: 1\ntraffic: {down: ~}\nexpect: "
        let nothing = "{theirs: ~, ours: {delivery.down.lost: ~, battery.joules: ~, latency.down.p95: under 30s}}\n"
        let pings = "{ours: ~, theirs: {delivery.down.lost: ~, keepalive.pings: over 100000}}\n"
        try workspace.write("corpus/f.yaml", find + nothing)
        try workspace.write("corpus/g.yaml", find + pings)
        let outcome = workspace.run("hunt --replay @corpus --format json,md --out @new/hr")
        #expect(outcome.code == .gateFailed && outcome.output.contains("2 demands, 1 broken"), "\(outcome)")
        #expect(try workspace.text("new/hr/replay.json") == workspace.run("hunt --replay @corpus --json").output)
        let page = try workspace.text("new/hr/replay.md")
        #expect(page == workspace.run("hunt --replay @corpus --format md").output)
        #expect(
            page.contains("- holds: `") && page.contains("- **BREAKS**: `") && page.hasSuffix("\n2 demands, 1 broken\n")
        )
    }

    @Test func aReplayRunsTheFilesBesideAnInvalidOne() throws {
        // Broken: one file with an error hides whether the other finds break again, or the replay passes without it.
        let workspace = try Self.workspace()
        let find = "version: 1\nextends: ../chat.yaml\nname: F\nreplicas: 1\nexpect: "
        let pings = "{ours: ~, theirs: {delivery.down.lost: ~, keepalive.pings: "
        try workspace.write("corpus/a.yaml", find + "{mine: 0}\n")
        try workspace.write("corpus/b.yaml", find + pings + "over 100000}}\n")
        try workspace.write("corpus/c.yaml", find + pings + "at least 0}}\n")
        let outcome = workspace.run("hunt --replay @corpus")
        #expect(outcome.code == .badInput && outcome.errors.contains("a.yaml"), "\(outcome)")
        #expect(outcome.output.contains("2 demands, 1 broken"), "\(outcome)")
        let words = outcome.output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains("a.yaml has errors and was not replayed"), "\(outcome)")
        let json = workspace.run("hunt --replay @corpus --json")
        let document = try Self.document(json.output)
        #expect(json.code == .badInput && document["verdict"] as? String == "fail", "\(json)")
        #expect((document["outcomes"] as? [Any])?.count == 2 && (document["troubles"] as? [Any])?.count == 1)
        // Without a file that can be replayed, the errors are the answer.
        for file in ["b", "c"] { try workspace.write("corpus/\(file).yaml", find + "{mine: 0}\n") }
        let none = workspace.run("hunt --replay @corpus --json")
        #expect(none.code == .badInput && none.output.contains("deadzone/errors/1"), "\(none)")
    }

    @Test func numberOfThreadsDoesNotShow() throws {
        // Broken: the order in which threads finish changes a find, its ranges or its survivors.
        let workspace = try Self.workspace()
        let texts = [1, 2, 8].map { workspace.run("hunt @chat.yaml \(Self.zombie) --jobs \($0)").output }
        #expect(texts[0] == texts[1] && texts[0] == texts[2] && texts[0].count > 500, "\(texts[0])")
    }

    @Test func theHuntedClientIsNoOtherClient() throws {
        // Broken: a shipped client that is hunted counts as another shipped client that breaks the demand too.
        let workspace = try Self.workspace()
        let name = "websocket-naive"
        let demand = Self.word("zombie.max: under 2m")
        try workspace.write(
            "naive.yaml", Self.scenario.replacing("theirs: {strategy: patient}", with: "theirs: {strategy: \(name)}"))
        let clients = [("--with \(name) --strategy \(name)", "chat"), ("--strategy theirs", "naive")]
        for (flags, file) in clients {
            let outcome = workspace.run("hunt @\(file).yaml \(flags) --demand \(demand) --budget 300 --json")
            let finds = try Self.document(outcome.output)["finds"] as? [[String: Any]]
            let others = try #require(finds?.first?["casualties"] as? [String], "\(outcome.errors)")
            #expect(!others.isEmpty && !others.contains(name), "\(others)")
        }
        let ours = workspace.run("hunt @chat.yaml --strategy ours --demand \(demand) --budget 300 --json")
        let finds = try Self.document(ours.output)["finds"] as? [[String: Any]]
        let all = try #require(finds?.first?["casualties"] as? [String], "\(ours.errors)")
        #expect(all.contains(name), "a client that is not hunted: \(all)")
        // The nearest survivor has the same transport.
        let survivors = try #require(finds?.first?["survivors"] as? [[String: Any]])
        let differences = survivors.first?["differences"] as? [String]
        #expect(differences?.contains { $0.hasPrefix("transport ") } == false, "\(survivors)")
    }

    @Test func demandCanReferToAShippedClient() throws {
        // Broken: `at most 200%` has no reference, or the written scenario lacks the other client.
        let workspace = try Self.workspace()
        let demand = Self.word("battery.above_idle_joules: at most 50%")
        let outcome = workspace.run(
            "hunt @chat.yaml --strategy ours --against grpc-core --demand \(demand) --budget 200 --keep @corpus")
        #expect(outcome.code == .gateFailed, "\(outcome.output)\(outcome.errors)")
        let replay = workspace.run("hunt --replay @corpus")
        #expect(replay.code == .gateFailed && replay.output.contains("grpc-core"), "\(replay.output)\(replay.errors)")
    }

    @Test(.enabled(if: Oracle.isEnabled, "\(Oracle.advice)"))
    func externalValidatorAcceptsTheDocument() throws {
        // Broken: the document does not match the schema that `schema hunt` prints.
        let workspace = try Self.workspace()
        try workspace.write("schema.json", workspace.run("schema hunt").output)
        let text = workspace.run("hunt @chat.yaml \(Self.zombie) --json").output
        try workspace.write("hunt.json", text)
        try workspace.write("bad.json", text.replacing("\"ranges\"", with: "\"rangers\""))
        func check(_ file: String) throws {
            _ = try Oracle.run(
                module: "check_jsonschema",
                arguments: ["--schemafile", workspace.file("schema.json"), workspace.file(file)])
        }
        try check("hunt.json")
        #expect(throws: Oracle.Fault.self) { try check("bad.json") }
    }

    @Test func demandThatHoldsExitsWithZero() throws {
        let outcome = try Self.workspace().run(
            "hunt @chat.yaml --strategy theirs --demand \(Self.word("delivery.down.lost: 0")) --budget 100 --allow dead-zone"
        )
        #expect(outcome.code == .ok && outcome.output.contains("holds in every world"), "\(outcome.errors)")
    }

    @Test func interruptPrintsWhatWasFound() throws {
        // Broken: an interruption loses the finds of the search.
        let workspace = try Self.workspace()
        let asked = Atomic(0)
        let outcome = workspace.run(
            "hunt @chat.yaml \(Self.zombie) --demand \(Self.word("zombie.max: under 100h")) --json"
        ) {
            surroundings in
            surroundings.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > 60 }
        }
        #expect(outcome.code == .interrupted, "\(outcome.errors)")
        let whole = try Self.document(outcome.output)
        #expect(whole["complete"] as? Bool == false && (whole["finds"] as? [Any])?.isEmpty == false)
    }

    @Test(arguments: [
        ("", "`--demand` is missing"), ("--strategy ours --demand zombie.maxx:0", "did you mean `zombie.max`?"),
        ("--strategy ours --demand zombie.max", "no colon"),
        ("--demand delivery.down.lost:0", "`--strategy` is missing"),
        ("--strategy ours --demand zombie.max:0 --allow dead-zon", "did you mean `dead-zone`?"),
        ("--strategy ours --demand zombie.max:0 --allow kill", "no disturbance is left"),
        ("--strategy ours --demand zombie.max:0 --grace 10", "a duration"),
        ("--strategy ours --demand zombie.max:0 --against nobody", "unknown strategy"),
        ("--strategy ours --demand zombie.max:at\u{a0}most\u{a0}10%\u{a0}of\u{a0}nobody", "cannot refer to"),
        ("--strategy ours --demand zombie.max:at\u{a0}most\u{a0}200%", "--against NAME, or `at most 200% of NAME`"),
        ("--replay corpus --demand zombie.max:0", "beside `--replay`"),
    ])
    func invalidRequestIsReported(_ words: String, _ said: String) throws {
        let outcome = try Self.workspace().run("hunt @chat.yaml \(words)")
        #expect(
            outcome.code != .ok && outcome.code != .gateFailed && outcome.errors.contains(said), "\(outcome.errors)")
    }
}
