import DeadzoneBase
import DeadzoneClient
import DeadzoneMetrics

import Foundation
import Testing

@testable import DeadzoneRuns
@testable import DeadzoneScenarios

/// Trials of a strategy in the world of a scenario file, texts of demands, and entries without effect.
struct TrialTests {
    private static let world = """
        phone: {battery: 15Wh, radios: {cellular: lte-verizon-2021}}
        middleboxes: {cellular: [carrier-nat-300]}
        timeline: [{at: 0s, cellular: street}, {at: 50s, nat: forget, interface: cellular}]
        traffic: {down: {every: 20s, size: 300B}, up: {every: 30s, size: 100B}}

        """

    /// Runs a trial in a file with this scenario.
    private static func trial(_ scenario: String, seed: UInt64? = nil, replicas: Int? = nil) throws -> Trial {
        let path = NSTemporaryDirectory() + "deadzone-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("version: 1\nname: T\nduration: 4m\nreplicas: 2\n\(scenario)\n".utf8).write(to: URL(filePath: path))
        return try Trial.run(Patient.self, in: path, seed: seed, replicas: replicas)
    }

    private static func fault(_ scenario: String) -> String {
        do { return try trial(scenario).scenario } catch { return "\(error)" }
    }

    @Test func figuresHaveTheirNames() throws {
        // Broken: a figure of a trial is that of another metric, or has another unit.
        let trial = try Self.trial(Self.world + "strategies: {a: {strategy: patient, ping: 30s}}")
        func value(_ metric: String) throws -> Double { try trial.value(of: metric) }
        let spans: [(TimeSpan, String)] = [
            (trial.zombie.max, "zombie.max"), (trial.zombie.p95, "zombie.p95"), (trial.zombie.total, "zombie.total"),
            (trial.detection.p50, "detection.p50"), (trial.detection.max, "detection.max"),
            (trial.recovery.p50, "recovery.p50"), (trial.recovery.max, "recovery.max"),
            (trial.latency.down.p50, "latency.down.p50"), (trial.latency.down.p99, "latency.down.p99"),
            (trial.latency.down.max, "latency.down.max"), (trial.latency.up.p95, "latency.up.p95"),
        ]
        for (span, name) in spans {
            let metric = try #require(Catalogue.metric(named: name))
            let unit = metric.unit == .milliseconds ? 1e6 : 1e9
            let number = try value(name)
            #expect(abs(Double(span.nanoseconds) - number * unit) <= 1 && number > 0, "\(name): \(span) \(number)")
        }
        let numbers: [(Double, String)] = [
            (trial.delivery.down.sent, "delivery.down.sent"),
            (trial.delivery.down.delivered, "delivery.down.delivered"),
            (trial.delivery.up.sent, "delivery.up.sent"), (trial.delivery.up.delivered, "delivery.up.delivered"),
            (trial.battery.joules, "battery.joules"), (trial.battery.percentPerHour, "battery.percent_per_hour"),
            (trial.connection.attempts, "connection.attempts"), (trial.connection.handshakes, "connection.handshakes"),
            (trial.pings, "keepalive.pings"), (trial.availability, "availability.ratio"),
        ]
        for (number, name) in numbers { #expect(try number == value(name) && number > 0, "\(name)") }
        #expect(Set(numbers.map(\.0)).count > 6, "\(numbers)")
        for (number, name) in [
            (trial.delivery.down.lost, "delivery.down.lost"), (trial.delivery.down.pending, "delivery.down.pending"),
            (trial.delivery.up.duplicated, "delivery.up.duplicated"), (trial.connection.drops, "connection.drops"),
            (trial.connection.falseDrops, "connection.false_drops"), (trial.delivery.up.lost, "delivery.up.lost"),
        ] { #expect(try number == value(name), "\(name)") }
        // Calls were not made, so nothing was measured.
        #expect(try value("latency.call.p95").isNaN)
        #expect(throws: TrialFault.self) { try value("zombie.mx") }
        do { _ = try value("zombie.mx") } catch {
            #expect("\(error)" == "there is no metric `zombie.mx`; did you mean `zombie.max`?")
        }
    }

    @Test func aTrialIsARunOfItsScenario() throws {
        // Broken: a trial has other settings, another seed or other replicas than the run of its scenario.
        let (slow, fast) = ("a: {strategy: patient, ping: 15s}", "b: {strategy: eager}")
        let strategies = "strategies: {\(fast), \(slow)}"
        let usual = try Self.trial(Self.world + strategies)
        #expect(usual.scenario == "T" && usual.seed == 1 && usual.replicas == 2)
        let seeded = try Self.trial(Self.world + "seed: 8\n" + strategies)
        #expect(seeded.seed == 8 && seeded.digest != usual.digest)
        let own = try Self.trial(Self.world + "seed: 8\n" + strategies, seed: 1, replicas: 3)
        #expect(own.seed == 1 && own.replicas == 3 && own.digest != usual.digest)
        #expect(try Self.trial(Self.world + strategies, seed: 8).digest == seeded.digest)
        // The settings of the scenario count for a type, but not for a value.
        let plain = try Self.trial(Self.world + "strategies: {\(fast)}")
        #expect(plain.pings < usual.pings && plain.pings > 0)
        let whole = try Scenario.standalone(
            "version: 1\nname: T\nduration: 4m\nreplicas: 2\n" + Self.world + "strategies: {\(slow)}\n")
        let results = SimulationPlan(whole, whole.strategies, seed: 1, replicas: 2).run(by: ParallelExecutor(jobs: 1))
        #expect(results.byStrategy[0].digest == usual.digest)
    }

    @Test func scenariosThatProveNothingAreRefused() {
        // Broken: a test passes although its scenario has faults, several worlds, or an entry that never takes effect.
        let one = "strategies: {a: {strategy: patient}}"
        #expect(Self.fault(Self.world + one) == "T")
        #expect(Self.fault("odd: 1\n" + Self.world + one).contains("unknown setting `odd`"))
        #expect(
            Self.fault(Self.world + "matrix: {phones: [1, 2]}\n" + one).hasSuffix(
                "contains 2 scenarios; a trial runs one"))
        let late = Self.world.replacing("{at: 50s,", with: "{at: 40s, motion: moving}, {at: 50s,")
            .replacing("{battery", with: "{platform: ios-18, battery")
        #expect(Self.fault(late + one).contains("of the timeline never took effect: "), "\(Self.fault(late + one))")
        let population = "population: {all: {phones: 2, strategy: patient}}\n"
        #expect(
            Self.fault(Self.world + population).hasSuffix("has its own strategy, so no phone runs the tested strategy"),
            "\(Self.fault(Self.world + population))")
    }

    // MARK: Demands

    @Test func demandsAreReadFromOneText() {
        // Broken: a demand of another metric is judged, or a percentage refers to another strategy.
        func read(_ text: String, _ reference: String? = nil, _ flag: String? = nil) -> String {
            do throws(ToolFault) {
                let demand = try DemandText(text, flag: "demand", reference: reference, referenceFlag: flag)
                return "\(demand.metric.name)|\(demand.bound)|\(demand.threshold.reference ?? "-")"
            } catch { return "\(error.code.rawValue) \(error.message) | \(error.help.joined(separator: " | "))" }
        }
        let rows: [(found: String, text: String)] = [
            (read("zombie.max: under 5s"), "zombie.max|under 5s|-"),
            (read(" \"zombie.max\" : 'under 5s' "), "zombie.max|under 5s|-"),
            (read("battery.joules: at most 80%"), "E0306 `--demand` cannot be `battery.joules: at most 80%`"),
            (read("battery.joules: at most 80%", "them"), "battery.joules|at most 80% of them|them"),
            (read("battery.joules: at most 80%", "them", "against"), "battery.joules|at most 80% of them|them"),
            (read("battery.joules: at most 80% of you", "them"), "battery.joules|at most 80% of you|you"),
            (
                read("battery.joules: at most 80%", nil, "against"),
                "E0306 `--demand` cannot be `battery.joules: at most 80%`: the percentage does not say of which strategy | "
                    + "name the strategy: --against NAME, or `at most 80% of NAME` in the demand"
            ),
            (read("battery.percent: at most 80%", "them"), "battery.percent|at most 80%|-"),
            (read("availability.ratio: at least 80%", "them"), "availability.ratio|at least 80%|-"),
            (
                read("zombie.max"),
                "E0306 `--demand` cannot be `zombie.max`: there is no colon after the metric | a metric"
            ),
            (read("zombie.mx: 0"), "E0310 unknown metric `zombie.mx` | did you mean `zombie.max`?"),
            (read("zombie.max: soon"), "E0306 `--demand` cannot be `zombie.max: soon`: `soon` is not a bound"),
        ]
        for row in rows {
            #expect(row.text.hasPrefix("E") ? row.found.hasPrefix(row.text) : row.found == row.text, "\(row.found)")
        }
    }

    // MARK: Entries

    @Test func entriesWithoutEffectAreNamed() {
        // Broken: an entry that never took effect passes, or one that did is reported.
        func fold(_ changes: [Int], slowdowns: Int = 0) -> RunFold {
            var fold = RunFold()
            let records =
                changes.map { Record(at: .zero, phone: 0, kind: .weather, tag: UInt16($0), value: 1) }
                + (0..<slowdowns).map { _ in Record(at: .zero, phone: 0, kind: .serverQueueDropped) }
            records.withUnsafeBufferPointer { fold.record($0) }
            return fold
        }
        var entry = DeclaredCondition(text: "{at: 1m}", mark: SourceMark(line: 7, column: 1), changes: [1, 2, 3])
        entry.parts = ["airplane": [1, 2], "kill": [3]]
        let never = "line 7 of the timeline never took effect: {at: 1m}"
        let rows: [(folds: [[Int]], message: String?)] = [
            ([[1, 3]], nil), ([[2, 3]], nil), ([[1], [3]], nil), ([[3]], "`airplane` in " + never),
            ([[1, 2]], "`kill` in " + never), ([[]], never), ([], never), ([[4, 5], []], never),
        ]
        for row in rows {
            let folds = row.folds.map { fold($0) }
            #expect(entry.noEffectMessage(in: folds) == row.message, "\(row.folds)")
            if folds.count == 1 { #expect(entry.tookEffect(in: folds[0]) == (row.message == nil)) }
        }
        entry.parts["push"] = [9]
        #expect(entry.noEffectMessage(in: [fold([1])]) == "`kill` and `push` in " + never)
        entry.parts = [:]
        #expect(entry.noEffectMessage(in: [fold([])]) == nil)
        var rule = DeclaredCondition(text: "slow", mark: SourceMark(line: 3, column: 1), changes: [])
        rule.origin = DeclaredCondition.ConditionOrigin.server
        #expect(rule.noEffectMessage(in: [fold([]), fold([])]) == "line 3 of the server never took effect: slow")
        #expect(rule.noEffectMessage(in: [fold([]), fold([], slowdowns: 1)]) == nil)
    }
}
