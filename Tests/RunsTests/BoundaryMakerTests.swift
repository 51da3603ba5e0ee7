import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import Foundation
import Testing

@testable import DeadzoneRuns

/// Searches for the value of a setting at which a demand begins to hold.
struct BoundaryMakerTests {
    private static let scenario = """
        version: 1
        name: Quiet
        duration: 4m
        replicas: 2
        seed: 5
        phone: {radios: {cellular: lte-verizon-2021}}
        timeline: [{at: 0s, cellular: street}]
        traffic: {down: {every: 100s, size: 300B}}
        strategies: {a: {strategy: patient, ping: 30s}, b: {strategy: eager}}

        """

    /// The report of a search, and the lines about the values that were tried.
    private static func search(
        _ setting: String, _ from: String, _ to: String, _ demand: String = "keepalive.pings: under 10",
        _ text: String = scenario, _ change: (inout BoundaryMaker.BoundaryRequest) -> Void = { _ in }
    ) throws -> (report: BoundaryReport, tried: [String]) {
        let path = NSTemporaryDirectory() + "deadzone-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(text.utf8).write(to: URL(filePath: path))
        var request = BoundaryMaker.BoundaryRequest(file: path, setting: setting, from: from, to: to, demand: demand)
        request.steps = 3
        change(&request)
        var tried: [String] = []
        var maker = BoundaryMaker(request, .standard, by: ParallelExecutor(jobs: 1))
        let report = try maker.report(tried: { tried.append($0) })
        return (try #require(report), tried)
    }

    private static func fault(
        _ setting: String, _ from: String, _ to: String, _ demand: String = "keepalive.pings: under 10",
        _ text: String = scenario, _ change: (inout BoundaryMaker.BoundaryRequest) -> Void = { _ in }
    ) -> String {
        do { return "\(try search(setting, from, to, demand, text, change).tried)" } catch let fault as ToolFault {
            return "\(fault.code.rawValue) \(fault.message) | \(fault.help.joined(separator: " | "))"
        } catch { return "\(error)" }
    }

    @Test func theEdgeIsEnclosed() throws {
        // Broken: the boundary lies outside of the values that were tried, a value is shown twice, or a fact of the
        // report is that of another search.
        let (report, tried) = try Self.search("strategies.a.ping", "10s", "60s")
        #expect(
            report.scenario == "Quiet" && report.setting == "strategies.a.ping" && report.metric == "keepalive.pings")
        #expect(
            report.from == "10s" && report.to == "1m" && report.seed == 5 && report.replicas == 2
                && report.group == nil)
        // The setting belongs to one strategy, so only that one runs.
        #expect(report.strategies.map(\.name) == ["a"] && report.isComplete)
        let trials = report.strategies[0].trials
        #expect(
            trials.first?.value == "10s" && trials.first?.isKept == false && trials.last?.value == "1m"
                && trials.last?.isKept == true)
        #expect(
            trials.map(\.fraction) == trials.map(\.fraction).sorted() && Set(trials.map(\.value)).count == trials.count)
        for trial in trials {
            let pings = try #require(trial.measured.double)
            #expect(trial.isKept == (pings < 10), "\(trial.value): \(pings)")
            #expect(trial.measurement?.figure("keepalive.pings") == trial.measured)
            #expect(tried.contains("\(trial.value): " + (trial.isKept ? "holds" : "does not hold")), "\(tried)")
        }
        let edge = try #require(trials.firstIndex { $0.isKept })
        #expect(trials[edge].fraction - trials[edge - 1].fraction <= 0.5 / 64 + 1e-9 && tried.count == trials.count)
        // With a strategy of the user's choice, both run.
        let both = try Self.search("strategies.a.ping", "10s", "60s") {
            ($0.strategies, $0.seed, $0.replicas, $0.steps) = (StrategySelection(names: ["a", "b"]), 9, 1, 2)
        }
        #expect(both.report.strategies.map(\.name) == ["a", "b"] && both.report.seed == 9 && both.report.replicas == 1)
        #expect(both.tried.contains("1m: a holds, b does not hold"), "\(both.tried)")
        let world = try Self.search("traffic.down.every", "50s", "100s") { $0.steps = 2 }
        #expect(world.report.strategies.map(\.name) == ["a", "b"] && world.report.strategies[1].trials.count == 2)
    }

    @Test func requestsThatCannotBeAreRefused() {
        // Broken: a search varies nothing, a map, a list or the number of replicas, or its demand is that of another
        // metric.
        let rows: [(found: String, said: [String])] = [
            (
                Self.fault("strategies.a.ping", "60s", "10s"),
                ["E0306 `60s` to `10s` is not a range | two values with the same unit"]
            ),
            (Self.fault("strategies.a.ping", "0s", "10s") { $0.isLog = true }, ["E0306 `0s` to `10s` is not a range"]),
            (
                Self.fault("replicas", "2", "5"),
                ["E0306 `--vary` cannot be `replicas`", "--replicas sets it for all values"]
            ),
            (Self.fault("seed", "2", "5"), ["E0306 `--vary` cannot be `seed`"]),
            (Self.fault("timeline.0.at", "1s", "5s"), ["`timeline` is a list", "matrix: {value: [1s, 5s]}"]),
            (
                Self.fault("strategies.a", "1s", "5s"),
                ["E0306 `--vary`: `strategies.a` is not one setting, but a map", "--vary strategies.a.ping  (now 30s)"]
            ),
            (
                Self.fault("ping", "1s", "5s"),
                ["E0306 `--vary`: ", "for a setting of a strategy, write --vary 'strategies.NAME.ping'"]
            ),
            (
                Self.fault("ping", "1s", "5s") { $0.strategies = StrategySelection(names: ["b"]) },
                ["write --vary 'strategies.b.ping'"]
            ),
            (Self.fault("strategies.a.pingg", "1s", "5s"), ["did you mean `ping`?"]),
            (
                Self.fault("strategies.a.ping", "1s", "5s", "zombie.max: under 1J"),
                ["E0306 `--expect`", "is not a unit of this metric"]
            ),
            (
                Self.fault("strategies.a.ping", "1s", "5s", "zombie.max: at most 50% of baseline"),
                ["a boundary has no baseline"]
            ),
            (Self.fault("strategies.a.ping", "1s", "5s", "zombie.mx: 0"), ["zombie.mx"]),
            (
                Self.fault(
                    "strategies.a.ping", "1s", "5s", "zombie.max: 0", Self.scenario + "matrix: {phones: [1, 2]}\n"),
                ["E0311 ", "has a matrix"]
            ),
            (
                Self.fault("strategies.a.ping", "1s", "5s", "zombie.max: 0", Self.scenario + "odd: 1\n"),
                ["cannot be run | unknown setting `odd`"]
            ),
        ]
        for row in rows {
            for words in row.said { #expect(row.found.contains(words), "\(words) in \(row.found)") }
            #expect(
                !row.found.contains("for a setting of a strategy") || row.said.contains { $0.contains("strateg") },
                "\(row.found)")
        }
    }
}
