import DeadzoneCommand
import DeadzoneReports
import DeadzoneTestKit
import Foundation
import Testing

/// `run --cell`, and the commands that repeat one cell of a matrix.
struct CellTests {
    private static let scenario = """
        version: 1
        name: Pings
        duration: 10m
        replicas: 2
        phone: {radios: {cellular: lte-verizon-2021}}
        traffic: {down: {every: 2m, arrivals: poisson, size: "${size}"}}
        strategies:
          ours: {strategy: composed, keepalive: "${every}"}
        matrix: {every: [15s, 1m, 4m], size: [300B, 400B]}
        expect:
          ours: {keepalive.pings: under 5}

        """

    private func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
        return workspace
    }

    private func names(_ outcome: TestWorkspace.Outcome) throws -> [String] {
        let document = try JSON(text: Array(outcome.output.utf8))
        let runs = document["runs"]?.items ?? [document]
        return runs.compactMap { $0["scenario"]?["name"]?.string }
    }

    @Test func cellsAreSelectedByTheirValues() throws {
        // Broken: another cell runs, a second axis is ignored, or an unknown value runs nothing and passes.
        let workspace = try workspace()
        let rows: [(String, [String])] = [
            ("--cell every=1m", ["Pings [every=1m, size=300B]", "Pings [every=1m, size=400B]"]),
            ("--cell every=1m --cell size=400B", ["Pings [every=1m, size=400B]"]),
        ]
        for (flags, expected) in rows {
            #expect(try names(workspace.run("run @a.yaml --json --exit-zero \(flags)")) == expected, "\(flags)")
        }
        let one = workspace.run("run @a.yaml --cell every=1m --cell size=400B --exit-zero")
        #expect(one.output.contains("--cell every=1m --cell size=400B --seed 1"), "\(one.output)")
        let none = workspace.run("run @a.yaml --cell every=2m")
        #expect(none.code == .nothingMatched && none.errors.contains("every (15s, 1m, 4m)"), "\(none.errors)")
        #expect(workspace.run("run @a.yaml --cell every").code == .usage)
        #expect(workspace.run("run @a.yaml --cell every=1m --across lte").code == .usage)
    }

    @Test func theCommandOfACellRunsThatCellAlone() throws {
        // Broken: the command to repeat a failing cell of a matrix runs all cells.
        let workspace = try workspace()
        let saved = workspace.run("baseline save @a.yaml --baseline @base.json")
        #expect(saved.code == .ok, "\(saved.errors)")
        let compared = workspace.run("compare @a.yaml --baseline @base.json")
        let lines = compared.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        let commands = lines.filter { $0.hasPrefix("deadzone run ") }
        #expect(!commands.isEmpty && commands.allSatisfy { $0.contains(" --cell every=") }, "\(commands)")
        let command = try #require(commands.first { $0.contains("--cell every=15s --cell size=300B") })
        let words = command.dropFirst("deadzone ".count)
        #expect(try names(workspace.run("\(words) --json --exit-zero")) == ["Pings [every=15s, size=300B]"])
    }
}
