import DeadzoneHost
import Foundation
import Testing

@testable import DeadzoneCommand

struct ScheduleTests {
    private static let gRPC =
        "composed --set backoff.base=1s --set backoff.multiplier=1.6 --set backoff.cap=2m --set backoff.jitter=20%"
        + " --set backoff.first-jitter=none --set backoff.from=attempt --set backoff.min-connect-timeout=20s"

    private struct Schedule: Decodable {
        struct Attempt: Decodable {
            let n: Int
            let atS: Double
            let delayS: Double?
            let delayMinS: Double?
            let delayMaxS: Double?
            let timeoutS: Double?
            let timeoutMinS: Double?
            let timeoutMaxS: Double?
        }
        let schema: String
        let strategy: String
        let failure: String
        let gaveUp: Bool
        let attempts: [Attempt]
        let note: String?
    }

    private func schedule(_ line: String) throws -> Schedule {
        let outcome = try TestWorkspace().run("schedule \(line) --json")
        #expect(outcome.code == .ok && outcome.errors == "", "\(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let schedule = try decoder.decode(Schedule.self, from: Data(outcome.output.utf8))
        #expect(schedule.schema == "deadzone/schedule/1")
        return schedule
    }

    private func expectClose(_ found: [Double], _ expected: [Double], within error: Double = 0.006) {
        #expect(found.count == expected.count, "\(found)")
        for (a, b) in zip(found, expected) { #expect(abs(a - b) <= error, "\(a) instead of \(b)") }
    }

    @Test func equalsGRPCConnectionBackoff() throws {
        // Broken: gRPC's attempts differ from those of its specification (grpc/grpc `doc/connection-backoff.md`).
        let refused = try schedule(Self.gRPC)
        #expect(refused.strategy == "composed" && refused.failure == "refused" && !refused.gaveUp)
        expectClose(
            refused.attempts.map(\.atS),
            [0, 1, 2.6, 5.16, 9.256, 15.81, 26.30, 43.07, 69.92, 112.87, 181.59, 291.54, 411.54, 531.54])
        #expect(refused.attempts.map(\.n) == Array(0..<14))
        let bounds = refused.attempts.map { [$0.delayMinS, $0.delayS, $0.delayMaxS].compactMap { $0 } }
        expectClose(bounds[0], [0, 0, 0])
        expectClose(bounds[1], [1, 1, 1])
        expectClose(bounds[2], [1.28, 1.6, 1.92])
        expectClose(bounds[13], [96, 120, 144])
        expectClose(refused.attempts.prefix(8).compactMap(\.timeoutS), [20, 20, 20, 20, 20, 20, 20, 26.84])

        let hung = try schedule(Self.gRPC + " --failure blackhole --for 630s")
        expectClose(
            hung.attempts.map(\.atS),
            [0, 20, 40, 60, 80, 100, 120, 140, 166.84, 209.79, 278.51, 388.46, 508.46, 628.46])
        expectClose(hung.attempts.prefix(4).compactMap(\.delayS), [0, 1, 1.6, 2.56])
    }

    @Test func reportsTheRangeOfATimeout() throws {
        // Broken: a timeout that depends on a jittered wait is reported without its range, so that real clients seem
        // out of bounds.
        let hung = try schedule(Self.gRPC + " --failure blackhole --for 630s").attempts
        let limits = hung.map { [$0.timeoutMinS, $0.timeoutS, $0.timeoutMaxS].compactMap { $0 } }
        expectClose(limits[0], [20, 20, 20])
        expectClose(limits[7], [21.47, 26.84, 32.21])
        // 144 s is longer than the kernel's own limit.
        expectClose(limits[12], [96, 120, 135.168])
    }

    @Test func reportsTheDurationOfAnUnansweredAttempt() throws {
        // Broken: a timeout for TCP alone ends an accepted connection, or a timeout for the whole attempt does not.
        let dialler =
            "composed --set transport.address-timeout=5s --set connect.timeout=60s --set backoff.table=[1s] --for 2m"
        #expect(try schedule(dialler + " --failure blackhole").attempts[0].timeoutS == 5)
        // Two repetitions of the app's choice.
        let few = "composed --set transport.syn-retries=2 --set connect.timeout=60s --set backoff.table=[1s] --for 2m"
        #expect(try schedule(few + " --failure blackhole").attempts[0].timeoutS.map { (7..<8).contains($0) } == true)
        let frozen = try schedule(dialler + " --failure frozen")
        #expect(frozen.failure == "frozen" && frozen.attempts.compactMap(\.timeoutS) == [60, 60])
        let waiting = "composed --set connect.timeout=1h --set backoff.table=[1s] --for 5m"
        #expect(try schedule(waiting + " --failure frozen").attempts[0].timeoutS == 3_600)
        let unanswered = try schedule(waiting + " --failure blackhole").attempts
        // Broken: a script sees no bound where the kernel ends the attempt.
        for limit in [unanswered[0].timeoutMinS, unanswered[0].timeoutS, unanswered[0].timeoutMaxS] {
            #expect(limit.map { abs($0 + 1 - unanswered[1].atS) < 0.001 } == true)
        }
        let eager = try TestWorkspace().run("schedule eager --failure frozen").output
        #expect(eager.contains("never") && eager.contains("1 attempt in"))
    }

    @Test func reportsStrategiesThatStopOrNeverTry() throws {
        // Broken: a strategy that gives up seems to continue, or one without a schedule seems to have one.
        let table = "composed --set backoff.table=[0s,2s,10s,30s] --set backoff.give-up.retries=4"
        let stopping = try schedule(table)
        expectClose(stopping.attempts.map(\.atS), [0, 0, 2, 12, 42])
        #expect(stopping.gaveUp && stopping.note == nil)
        #expect(try !schedule(table + " --for 30s").gaveUp)
        for line in ["datagram", "composed --set backoff.give-up.retries=0"] {
            let silent = try schedule(line)
            #expect(silent.attempts.isEmpty && !silent.gaveUp)
            #expect(silent.note?.isEmpty == false)
        }
        #expect(try schedule("eager").attempts.allSatisfy { $0.timeoutS == nil })
    }

    @Test func acceptsPresetsAndFiles() throws {
        // Broken: a preset, or a preset in a file, has another schedule than its settings.
        let spec = try schedule("grpc-spec")
        expectClose(spec.attempts.map(\.atS), try schedule(Self.gRPC).attempts.map(\.atS))
        #expect(spec.strategy == "grpc-spec")
        let workspace = try TestWorkspace()
        try workspace.write("slow.yaml", "version: 1\nstrategy: grpc-spec\nbackoff: {multiplier: 1, base: 1s}\n")
        let slow = workspace.run("schedule @slow.yaml --for 5s")
        #expect(slow.output.contains("6 attempts in 5 s; it continues."), "\(slow.errors)")
        try workspace.write("bad.yaml", "version: 1\nstrategy: grpc-spec\nbackof: {multiplier: 1}\n")
        let bad = workspace.run("schedule @bad.yaml --json")
        #expect(bad.code == .badInput && bad.errors.contains("did you mean `backoff`?"))
        #expect(bad.output.contains("\"schema\": \"deadzone/errors/1\"") && bad.output.contains("\"line\": 3"))
        #expect(workspace.run("schedule @none.yaml").code == .badInput)
    }

    @Test func isReadable() throws {
        // Broken: the table for a terminal lacks data of the document, or repeats the wait at the cap without end.
        let workspace = try TestWorkspace()
        let outcome = workspace.run("schedule \(Self.gRPC)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0] == "composed: every attempt is refused at once")
        #expect(lines[1] == "try         at       wait  with jitter            gives up after")
        #expect(lines[4] == "  2      2.6 s      1.6 s  1.28 s to 1.92 s                 20 s")
        #expect(lines.last == "14 attempts in 10 min; it continues.")
        let long = workspace.run("schedule eager --for 1h").output
        #expect(long.split(separator: "\n").count < 12 && long.contains("3600  3600 s"))
    }

    @Test(
        arguments: [
            ("compsed", "did you mean `composed`?"), ("patient --for 3x", "E0306"), ("patient --for 3", "3s"),
            ("patient --set pig=3s", "did you mean `ping`?"), ("patient --set ping", "KEY=VALUE"),
            ("patient --set ping=[", "E0306"), ("patient --set .=1s", "KEY=VALUE"),
            ("composed --set backoff.table=[1s] --set backoff.base=2s", "the table replaces it"),
            ("patient --failure refussed", "did you mean `refused`?"), ("patient eager", "E0309"), ("", "E0308"),
        ])
    func mistakesAreNamed(_ line: String, _ advice: String) throws {
        // Broken: a typing error shows the schedule of another strategy.
        let outcome = try TestWorkspace().run("schedule " + line)
        #expect(outcome.code == .usage && outcome.output == "")
        #expect(outcome.errors.contains(advice), "\(outcome.errors)")
    }
}
