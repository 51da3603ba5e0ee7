import DeadzoneHost
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand

/// `--with`: a strategy of the user's own in a scenario that does not name it.
@Suite struct AddedStrategyTests {
    /// A scenario file with two strategies, one of them from a preset file beside it.
    private static let mine = """
        version: 1
        name: Mine
        duration: 1m
        phone: {radios: {wifi: wifi-aro}}
        timeline: [{at: 0s, wifi: home}]
        strategies:
          quick: {strategy: composed, keepalive: 20s}
          slow: {strategy: ./slow.yaml}
        """
    private static let slow = "strategy: composed\nabout: pings seldom\nkeepalive: 2m\n"

    private func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", TestWorkspace.scenario)
        try workspace.write("own/mine.yaml", Self.mine)
        try workspace.write("own/slow.yaml", Self.slow)
        return workspace
    }

    private struct Run {
        let names: [String]
        let digests: [String]
        let expected: [String]
        let worldHash: String

        init(_ text: String) throws {
            let run = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let strategies = try #require(run["strategies"] as? [[String: Any]])
            names = strategies.compactMap { $0["name"] as? String }
            digests = strategies.compactMap { $0["digest"] as? String }
            expected = strategies.filter { ($0["expect"] as? [Any])?.isEmpty == false }
                .compactMap { $0["name"] as? String }
            worldHash = (run["scenario"] as? [String: Any])?["world_hash"] as? String ?? ""
        }
    }

    @Test func itRunsBesideTheScenariosOwn() throws {
        // Broken: an added strategy changes the world or the other strategies, or the scenario's bounds apply to it.
        let workspace = try workspace()
        let alone = try Run(workspace.run("run @a.yaml --json").output)
        for (flags, names) in [
            ("--with grpc-java", ["grpc-java"]), ("--with own=grpc-java", ["own"]),
            ("--with @own/slow.yaml", ["slow"]), ("--with @own/mine.yaml", ["quick", "slow"]),
            ("--with grpc-java --with @own/mine.yaml", ["grpc-java", "quick", "slow"]),
        ] {
            let outcome = workspace.run("run @a.yaml --json " + flags)
            #expect(outcome.code == .ok, "\(flags): \(outcome.errors)")
            let run = try Run(outcome.output)
            #expect(run.names == alone.names + names && run.expected == ["patient"], "\(flags)")
            #expect(Array(run.digests.prefix(2)) == alone.digests && run.worldHash == alone.worldHash)
            let only = try Run(workspace.run("run @a.yaml --json --only " + flags).output)
            #expect(only.names == names && only.digests == Array(run.digests.dropFirst(2)) && only.expected == [])
        }
    }

    @Test func theFileOfTheStrategyIsTheSameStrategy() throws {
        // Broken: settings of a strategy are lost on the way from its file into another scenario.
        let workspace = try workspace()
        let written = TestWorkspace.scenario.replacing(
            "strategies:", with: "strategies:\n  quick: {strategy: composed, keepalive: 20s}")
        try workspace.write("b.yaml", written)
        let added = try Run(workspace.run("run @a.yaml --json --with @own/mine.yaml --strategy quick").output)
        let own = try Run(workspace.run("run @b.yaml --json --strategy quick").output)
        #expect(added.digests == own.digests && added.names == ["quick"])
    }

    @Test func everyFormOfAFileIsTheSameStrategy() throws {
        // Broken: a map without a scenario, a file with `preset:`, or a file without the suffix of YAML is refused.
        let workspace = try workspace()
        try workspace.write("own/slow.before", Self.slow)
        try workspace.write("own/map.yaml", "slow: {preset: composed, keepalive: 2m}\n")
        try workspace.write("own/over.yaml", "preset: ./slow.yaml\nabout: the same\n")
        let slow = try Run(workspace.run("run @a.yaml --json --only --with @own/slow.yaml").output)
        for (file, name) in [("slow.before", "slow"), ("map.yaml", "slow"), ("over.yaml", "over")] {
            let outcome = workspace.run("run @a.yaml --json --only --with @own/\(file)")
            try #require(outcome.code == .ok, "\(file): \(outcome.errors)")
            let run = try Run(outcome.output)
            #expect(run.names == [name] && run.digests == slow.digests, "\(file)")
        }
    }

    @Test func aMatrixKeepsItsPoints() throws {
        // Broken: a budget of runs divides by the added strategies, too, so every cell has another world.
        let workspace = try TestWorkspace()
        try workspace.write(
            "m.yaml",
            TestWorkspace.scenario.replacing(
                "timeline:",
                with: "matrix: {traffic.down.every: {range: [5s, 20s]}}\nsample: {runs: 24}\ntimeline:"))
        func cells(_ flags: String) throws -> [String] {
            let text = workspace.run("run @m.yaml --json" + flags).output
            let runs = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            return try #require(runs["runs"] as? [[String: Any]]).compactMap {
                ($0["scenario"] as? [String: Any])?["world_hash"] as? String
            }
        }
        let plain = try cells("")
        let beside = try cells(" --with grpc-java")
        #expect(plain.count == 4 && beside == plain)
    }

    @Test func shardsAndReportsCarryIt() throws {
        // Broken: `merge` or `report` needs the file of the strategy, or leaves the strategy out.
        let workspace = try workspace()
        let line = "run @a.yaml --with @own/mine.yaml --with x=patient --only --strategy slow --strategy x"
        let whole = workspace.run(line + " --json --out @whole --format json,html")
        #expect(whole.code == .ok, "\(whole.errors)")
        for number in 1...2 { _ = workspace.run(line + " --shard \(number)/2 --out @parts") }
        #expect(workspace.run("merge @parts --json").output == whole.output)
        let other = workspace.run("run @a.yaml --with @own/mine.yaml --shard 2/2 --resume --out @parts")
        #expect(!other.output.contains("already exists"))
        try FileManager.default.removeItem(atPath: workspace.file("own"))
        let report = workspace.run("report @whole/results.json --json")
        #expect(report.code == .ok && report.output == whole.output, "\(report.errors)")
        let sweep = workspace.run("sweep @a.yaml --with grpc-java --only").output
        #expect(sweep.contains("--with grpc-java --only --shard"))
    }

    @Test func printedCommandsContainIt() throws {
        // Broken: the command under a table repeats the run without the added strategy.
        let workspace = try workspace()
        let table = workspace.run("run @a.yaml --with grpc-java --only").output
        #expect(table.contains("a.yaml --with grpc-java --seed 1 --replicas 3 --only"), "\(table)")
        let line = try #require(table.split(separator: "\n").last { $0.contains("deadzone run ") })
        let words = line.split(separator: " ").dropFirst().joined(separator: " ")
        #expect(workspace.run(words).output == table)
    }

    @Test func comparisonsAndBoundariesTakeIt() throws {
        // Broken: only `run` knows the flag.
        let workspace = try workspace()
        let compared = workspace.run("compare @a.yaml --with own=grpc-java --only --against patient --json")
        let document = try JSONSerialization.jsonObject(with: Data(compared.output.utf8)) as? [String: Any]
        let scenario = try #require((document?["scenarios"] as? [[String: Any]])?.first)
        #expect((scenario["strategies"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["own"])
        let saved = workspace.run("baseline save @a.yaml --with own=grpc-java --baseline @base.json -q --replicas 9")
        #expect(saved.code == .ok, "\(saved.errors)")
        let same = workspace.run("compare @a.yaml --with own=grpc-java --baseline @base.json")
        #expect(same.code == .ok && !same.output.contains("Not compared"), "\(same.output)")
        let edge = workspace.run(
            "boundary @a.yaml --with @own/mine.yaml --only --strategy quick --vary strategies.quick.keepalive "
                + "--range 10s,40s --steps 2 --expect keepalive.pings:\u{a0}under\u{a0}100")
        #expect(edge.code == .ok && edge.output.contains("quick: holds"), "\(edge.output)\(edge.errors)")
        #expect(!edge.output.contains("patient"))
    }

    @Test(arguments: [
        ("--with patiemt", "E0310", "did you mean `patient`?"), ("--with @none.yaml", "E0401", "there is no file"),
        ("--with =patient", "E0306", "NAME=STRATEGY"), ("--only", "E0311", "`--only` needs `--with`"),
        ("--strategy grpc-java", "E0310", "`--with grpc-java` adds the strategy"),
        ("--with patient=grpc-java", "E0009", "--with 'own=grpc-java'"),
        ("--with @profile.yaml", "E0101", "contains no strategies"),
        ("--with @wrong.yaml", "E0104", "did you mean `keepalive`?"),
    ])
    func mistakesAreExplained(_ flags: String, _ code: String, _ words: String) throws {
        // Broken: a mistyped name runs nothing, or the message does not say how to write it.
        let workspace = try workspace()
        try workspace.write("profile.yaml", "technology: lte\n")
        try workspace.write("wrong.yaml", "strategy: composed\nkeepaliv: 3s\n")
        let outcome = workspace.run("run @a.yaml " + flags)
        #expect(outcome.code != .ok && outcome.errors.contains(code) && outcome.errors.contains(words), "\(outcome)")
    }

    /// The file of a user. Its client has the name of a strategy of the scenario.
    private func workspaceWithClash() throws -> TestWorkspace {
        let workspace = try workspace()
        let other = Self.mine.replacing("quick:", with: "patient:")
        try workspace.write("own/other.yaml", other)
        try workspace.write("own/more/other.yaml", other.replacing("./slow", with: "../slow"))
        try workspace.write("own/patient.yaml", Self.slow)
        return workspace
    }

    @Test(arguments: [
        ("--with @own/other.yaml", ["other patient", "slow"]),
        (
            "--with @own/other.yaml --with @own/more/other.yaml",
            ["other patient", "slow", "other patient 2", "other slow"]
        ),
        ("--with @own/patient.yaml", ["file patient"]), ("--with patient", ["added patient"]),
        ("--with @a.yaml", ["a eager", "a patient"]),
    ])
    func aTakenNameGetsTheFilesName(_ flags: String, _ names: [String]) throws {
        // Broken: a name that the scenario has too is refused, or one of the two strategies takes the other's place.
        let workspace = try workspaceWithClash()
        let alone = try Run(workspace.run("run @a.yaml --json").output)
        let outcome = workspace.run("run @a.yaml --json " + flags)
        try #require(outcome.code == .ok, "\(outcome.errors)")
        let run = try Run(outcome.output)
        #expect(run.names == alone.names + names && Array(run.digests.prefix(2)) == alone.digests)
        #expect(run.expected == ["patient"] && run.worldHash == alone.worldHash)
        // The note names each changed name once, and `-q` leaves it out.
        for name in names where name.contains(" ") {
            #expect(outcome.errors.components(separatedBy: "runs as `\(name)`").count == 2, "\(outcome.errors)")
        }
        #expect(outcome.errors.components(separatedBy: "note: ").count == names.count { $0.contains(" ") } + 1)
        #expect(!workspace.run("run @a.yaml --json -q " + flags).errors.contains("note: "))
        let only = try Run(workspace.run("run @a.yaml --json --only " + flags).output)
        #expect(only.names == names && only.digests == Array(run.digests.dropFirst(2)))
    }

    @Test func theNameInTheFileIsClearAmongAddedStrategies() throws {
        // Broken: `--only --strategy` selects nothing, or the scenario's own; the printed name cannot be used.
        let workspace = try workspaceWithClash()
        func run(_ flags: String) throws -> Run {
            try Run(workspace.run("run @a.yaml --json --with @own/other.yaml " + flags).output)
        }
        let all = try run("")
        let added = try run("--only --strategy patient")
        #expect(added.names == ["other patient"] && added.digests == [all.digests[2]])
        #expect(try run("--strategy patient").names == ["patient"])
        #expect(try run("--strategy other\u{a0}patient").digests == added.digests)
        // The same strategy under the name that the user chooses.
        let named = try Run(
            workspace.run("run @a.yaml --json --only --with other=" + workspace.file("own/other.yaml")).output)
        #expect(named.names == ["other patient", "other slow"] && named.digests[0] == added.digests[0])
    }

    @Test func everyVerbAcceptsATakenName() throws {
        // Broken: only `run` gives an added strategy another name.
        let workspace = try workspaceWithClash()
        let flags = " --with @own/other.yaml "
        let compared = workspace.run("compare @a.yaml --only --against patient --json" + flags)
        let document = try JSONSerialization.jsonObject(with: Data(compared.output.utf8)) as? [String: Any]
        let scenario = try #require((document?["scenarios"] as? [[String: Any]])?.first, "\(compared.errors)")
        #expect(
            (scenario["strategies"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == [
                "other patient", "slow",
            ])
        let saved = workspace.run("baseline save @a.yaml --replicas 9 --baseline @base.json" + flags)
        #expect(saved.code == .ok && saved.errors.contains("runs as `other patient`"), "\(saved.errors)")
        let same = workspace.run("compare @a.yaml --baseline @base.json" + flags)
        #expect(same.code == .ok && !same.output.contains("Not compared"), "\(same.output)\(same.errors)")
        let edge = workspace.run(
            "boundary @a.yaml --only --strategy patient --vary strategies.other\u{a0}patient.keepalive --range 10s,40s"
                + " --steps 2 --expect keepalive.pings:\u{a0}under\u{a0}100" + flags)
        #expect(edge.code == .ok && edge.output.contains("other patient: holds"), "\(edge.output)\(edge.errors)")
        #expect(edge.errors.contains("runs as `other patient`"))
        let sweep = workspace.run("sweep @a.yaml" + flags)
        #expect(sweep.code == .ok && sweep.errors.contains("runs as `other patient`"), "\(sweep.errors)")
        for number in 1...2 { _ = workspace.run("run @a.yaml --shard \(number)/2 --out @parts" + flags) }
        let whole = workspace.run("run @a.yaml --json" + flags)
        #expect(workspace.run("merge @parts --json").output == whole.output)
    }

    @Test func aFleetHasNoPlaceForIt() throws {
        // Broken: a strategy is added that no phone runs.
        let workspace = try TestWorkspace()
        let groups = "population:\n  all: {phones: 2, strategy: patient}\n"
        let text = TestWorkspace.scenario.split(separator: "strategies:")[0]
        try workspace.write("fleet.yaml", text + groups)
        #expect(workspace.run("lint @fleet.yaml").code == .ok)
        let outcome = workspace.run("run @fleet.yaml --with grpc-java")
        #expect(outcome.code == .badInput && outcome.errors.contains("no phone can run the strategies of `--with`"))
    }

    @Test func itIsCompleted() {
        // Broken: a shell offers neither strategies nor files.
        let completion = Completion(["run", "a.yaml", "--with", "grpc-ja"], .standard, .memory())
        #expect(completion.candidates.map(\.word) == ["grpc-java"] && completion.paths == .files)
    }
}
