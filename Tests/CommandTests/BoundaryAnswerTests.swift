import DeadzoneTestKit
import Foundation
import Synchronization
import Testing

@testable import DeadzoneCommand
@testable import DeadzoneScenarios

/// The questions that `boundary` accepts, and the values in its answers.
struct BoundaryAnswerTests {
    /// A NAT forgets idle mappings after four minutes. The interval of the keepalive decides how soon the client notices.
    private static let scenario = """
        version: 1
        name: Keepalive
        duration: 2h
        phone: {radios: {cellular: lte-verizon-2021}}
        middleboxes: {cellular: [{tcp: 4m}]}
        traffic: {down: {every: 9m, size: 300B}}
        strategies:
          one: {strategy: composed, keepalive: {interval: 1m, timeout: 10s, verdict: timeout}}
          two: {strategy: composed, keepalive: 1m}

        """

    private func workspace() throws -> TestWorkspace {
        let workspace = try TestWorkspace()
        try workspace.write("a.yaml", Self.scenario)
        return workspace
    }

    /// Makes a text with spaces one argument of the command line.
    private static func word(_ text: String) -> String { text.replacing(" ", with: "\u{a0}") }

    private static let question =
        "boundary @a.yaml --vary strategies.one.keepalive.interval --range 30s,30m --log --expect "
        + word("latency.down.max: under 5s")

    private func document(_ outcome: TestWorkspace.Outcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test(arguments: [
        ("replicas --range 5,30", "it is no condition of the simulated world", "--replicas sets it for all values"),
        ("seed --range 1,9", "it is no condition of the simulated world", "--seed sets it for all values"),
        (
            "middleboxes.cellular.0.tcp --range 2m,8m",
            "`middleboxes.cellular` is a list, and its entries cannot be varied by number",
            "matrix: {value: [2m, 8m]} in the scenario"
        ),
    ])
    func settingsThatAreNoConditionAreRefused(_ line: (setting: String, message: String, help: String)) throws {
        // Broken: the number of replicas or the seed is varied as if it changed the world, or the help for an entry of
        // a list is a path of a strategy.
        let workspace = try workspace()
        let outcome = workspace.run(
            "boundary @a.yaml --vary \(line.setting) --expect " + Self.word("delivery.down.lost: 0"))
        #expect(outcome.code == .usage && outcome.output.isEmpty, "\(outcome.output)")
        // Errors are wrapped.
        let words = outcome.errors.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains(line.message) && words.contains(line.help), "\(outcome.errors)")
        #expect(!words.contains("strategies.NAME"), "\(outcome.errors)")
    }

    @Test func wholeMapIsRefused() throws {
        // Broken: one value replaces a map, and with it settings that decide the result.
        let workspace = try workspace()
        let tail = " --range 30s,30m --expect " + Self.word("delivery.down.lost: 0")
        let outcome = workspace.run("boundary @a.yaml --vary strategies.one.keepalive" + tail)
        #expect(outcome.code == .usage && outcome.errors.contains("is not one setting, but a map"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--vary strategies.one.keepalive.interval  (now 1m)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("--vary strategies.one.keepalive.timeout"), "\(outcome.errors)")
        // A setting of another kind is no suggestion.
        #expect(!outcome.errors.contains("--vary strategies.one.keepalive.verdict"), "\(outcome.errors)")
        #expect(workspace.run("boundary @a.yaml --vary strategies.one" + tail).errors.contains("but a map"))
        // A keepalive that is written as one value can be varied as one.
        #expect(workspace.run("boundary @a.yaml --vary strategies.two.keepalive --steps 2" + tail).code == .ok)
    }

    @Test(arguments: ["latency.down.p95 under 5s", "latency.down.p95: below 5s", "latency.down.p95: under 5 apples"])
    func faultyDemandIsBlamedOnTheDemand(_ demand: String) throws {
        // Broken: a faulty `--expect` is reported as a fault of `--vary`.
        let outcome = try workspace().run(
            "boundary @a.yaml --vary strategies.one.keepalive.interval --range 30s,30m --expect " + Self.word(demand))
        #expect(outcome.code == .usage && outcome.errors.contains("--expect"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("keepalive"), "\(outcome.errors)")
    }

    @Test func onlyTheVariedStrategyIsRun() throws {
        // Broken: strategies without the varied setting are run and printed as well.
        let workspace = try workspace()
        func names(_ flags: String) throws -> [String] {
            let rows = try document(workspace.run(Self.question + " --steps 2 --json" + flags))["strategies"]
            return (rows as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        }
        #expect(try names("") == ["one"])
        #expect(try names(" --strategy two --strategy one") == ["one", "two"])
        // A bound that refers to another strategy still has its number.
        let relative = workspace.run(
            "boundary @a.yaml --vary strategies.one.keepalive.interval --range 30s,5m --json --expect "
                + Self.word("battery.above_idle_joules: at most 100% of two"))
        let rows = try document(relative)["strategies"] as? [[String: Any]]
        #expect(rows?.count == 1 && (rows?.first?["edges"] as? [Any])?.count == 1, "\(relative.errors)")
    }

    @Test func valuesArePrintedAsPeopleWriteThem() throws {
        // Broken: 5m58s is printed as 5.96m, or a printed value is not the value that was run.
        let workspace = try workspace()
        let outcome = workspace.run(Self.question)
        #expect(outcome.code == .ok, "\(outcome.errors)")
        #expect(!outcome.output.contains(/\d\.\d+m\b/), "\(outcome.output)")
        let edge = try #require(outcome.output.firstMatch(of: /holds up to (\S+), does not hold at (\S+?)\./))
        // Each value is run again as it was printed.
        for (value, holds) in [(edge.1, true), (edge.2, false)] {
            try workspace.write("b.yaml", Self.scenario.replacing("interval: 1m", with: "interval: \(value)"))
            let run = workspace.run("run @b.yaml --strategy one --json")
            let metrics = (try document(run)["strategies"] as? [[String: Any]])?.first?["metrics"] as? [String: Any]
            let slowest = (metrics?["latency.down.max"] as? NSNumber)?.doubleValue
            #expect(slowest.map { ($0 < 5_000) == holds } == true, "\(value): \(String(describing: slowest))")
        }
    }

    @Test func figuresHaveOneUnit() throws {
        // Broken: 5000 ms stands beside 22.12 s.
        let outcome = try workspace().run(
            Self.question)
        #expect(outcome.output.contains("under 5 s") && !outcome.output.contains(" ms"), "\(outcome.output)")
    }

    @Test func interruptedSearchPrintsWhatItHas() throws {
        // Broken: an interruption loses minutes of work.
        let workspace = try workspace()
        let whole = try document(workspace.run(Self.question + " --jobs 1 --json"))
        #expect(whole["complete"] as? Bool == true)
        var partial = 0
        for limit in stride(from: 5, through: 200, by: 15) {
            let asked = Atomic(0)
            let outcome = workspace.run(Self.question + " --jobs 1 --json") {
                $0.isInterrupted = { asked.wrappingAdd(1, ordering: .relaxed).newValue > limit }
            }
            guard outcome.code == .interrupted, !outcome.output.isEmpty else { continue }
            let found = try document(outcome)
            let rows = try #require(found["strategies"] as? [[String: Any]])
            #expect(found["complete"] as? Bool == false && (rows.first?["trials"] as? [Any])?.isEmpty == false)
            partial += 1
        }
        #expect(partial > 2)
    }

    @Test(arguments: [
        ("30s", "30m", 0.5, false, "15m15s"), ("10s", "10m", 0, false, "10s"), ("10s", "90m", 1, false, "1h30m"),
        ("1h", "3h", 0.123, false, "1h15m"), ("1ms", "900ms", 0.5, false, "451ms"), ("100us", "1s", 0.5, true, "10ms"),
        ("1s", "60s", 0.77, false, "46.4s"), ("30s", "61.5s", 1, false, "1m1.5s"), ("0s", "10m", 0, false, "0s"),
        ("50", "400", 0.5, false, "225"), ("10%", "90%", 0.25, false, "30%"), ("1KiB", "64KiB", 0.5, false, "32.5KiB"),
    ])
    func naturalValues(_ low: String, _ high: String, _ part: Double, _ isLog: Bool, _ value: String) throws {
        // Broken: a value is written in a unit that people do not use for it, or outside the range.
        let range = try #require(ValueRange(from: low, to: high, isLog: isLog))
        #expect(range.naturalValue(at: part) == value)
    }
}
