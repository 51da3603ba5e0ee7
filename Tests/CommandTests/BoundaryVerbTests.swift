import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand

/// `deadzone boundary` in a world with a known boundary.
struct BoundaryVerbTests {
    /// Ten calls a second: a server with less capacity falls behind until every call misses its deadline.
    private static let scenario = """
        version: 1
        name: Ten a second
        duration: 5m
        phone: {radios: {wifi: wifi-aro}}
        server: {capacity: {requests-per-second: 50, queue: 100000}}
        timeline: [{at: 0s, wifi: home, app: foreground}]
        traffic: {calls: {every: 100ms, size: 100B, answer: 100B}}
        strategies:
          one: {strategy: composed, transport: grpc, calls: {deadline: 5s}}
        """

    @Test func aMatrixIsAConflict() throws {
        // Broken: a scenario with a matrix of its own is reported as a file in which nothing matches.
        let workspace = try TestWorkspace()
        try workspace.write("many.yaml", Self.scenario + "\nmatrix: {duration: [4m, 5m]}\n")
        let outcome = workspace.run(
            "boundary @many.yaml --vary server.capacity.requests-per-second --range 2,50 --expect "
                + Self.word("calls.failed: at most 2"))
        #expect(outcome.code == .usage && outcome.errors.contains("[E0311]"), "\(outcome.errors)")
    }

    /// Broken: the only expectation of a scenario is not used, or one of several is chosen without a word.
    @Test func theOnlyExpectationIsTheDefault() throws {
        let workspace = try TestWorkspace()
        let line = "boundary @one.yaml --vary server.capacity.requests-per-second --range 2,50 --steps 2 --json"
        try workspace.write("one.yaml", Self.scenario)
        let none = workspace.run(line)
        #expect(none.code == .usage && none.errors.contains("`--expect` is missing"), "\(none.errors)")
        let asked = workspace.run(line + " --expect " + Self.word("calls.failed: at most 2"))
        try workspace.write("one.yaml", Self.scenario + "\nexpect: {one: {calls.failed: at most 2}}\n")
        let own = workspace.run(line)
        #expect(own.code == .ok && own.output == asked.output, "\(own.errors)")
        let two = "\nexpect: {one: {calls.failed: at most 2, zombie.max: 0}}\n"
        try workspace.write("one.yaml", Self.scenario + two)
        let several = workspace.run(line)
        #expect(several.code == .usage && several.errors.contains("2 expectations"), "\(several.errors)")
    }

    @Test func serverKeepsUpFromTenRequestsPerSecond() throws {
        // Broken: `--vary` sets another setting, or another expectation than the requested one is judged.
        let workspace = try TestWorkspace()
        try workspace.write("one.yaml", Self.scenario)
        let outcome = workspace.run(
            "boundary @one.yaml --vary server.capacity.requests-per-second --range 2,50 --log --json --expect "
                + Self.word("calls.failed: at most 2"))
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let rows = try #require(whole["strategies"] as? [[String: Any]])
        let edges = try #require(rows.first?["edges"] as? [[String: Any]])
        #expect(edges.count == 1)
        func number(_ key: String) -> Double? { (edges[0][key] as? String).flatMap(Double.init) }
        let (holds, breaks) = (number("holds_at"), number("breaks_at"))
        #expect((breaks ?? 99) < (holds ?? 0) && (breaks ?? 0) >= 8 && (holds ?? 99) <= 11, "\(edges)")
    }

    @Test func groupBoundaryDiffersFromWhole() throws {
        // Broken: an expectation for a group is judged over all phones, or the answer does not name the group.
        let workspace = try TestWorkspace()
        let one = Self.scenario.replacing("timeline:", with: "phones: 2\ntimeline:")
        let slow = "population:\n  near: {share: 50%}\n  far: {share: 50%, links: {wifi: {delay: 400ms}}}\n"
        try workspace.write(
            "two.yaml", one.replacing("traffic: {", with: slow + "traffic: {up: {every: 1s, size: 9B}, "))
        func edges(_ demand: String) throws -> (whole: [String: Any], edges: [[String: Any]]) {
            let outcome = workspace.run(
                "boundary @two.yaml --vary links.wifi.delay --range 10ms,900ms --steps 3 --json --expect "
                    + Self.word(demand))
            let whole = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any] ?? [:]
            let rows = whole["strategies"] as? [[String: Any]] ?? []
            #expect(outcome.code == .ok && rows.count == 1, "\(outcome.errors)")
            return (whole, rows.first?["edges"] as? [[String: Any]] ?? [])
        }
        let near = try edges("near: {latency.up.p50: under 500ms}")
        #expect(near.whole["group"] as? String == "near" && near.edges.count == 1, "\(near)")
        #expect((near.whole["demand"] as? String)?.contains("of near") == true)
        // Group `far` sets its own link delay, so the varied setting does not affect it.
        let far = try edges("far: {latency.up.p50: under 500ms}")
        #expect(far.whole["group"] as? String == "far" && far.edges.isEmpty, "\(far)")
        #expect(try edges("latency.up.p50: under 9s").whole["group"] == nil)
    }

    /// Makes a text with spaces one argument of the command line.
    private static func word(_ text: String) -> String { text.replacing(" ", with: "\u{a0}") }

    @Test(arguments: [
        ("--vary server.capacity.requests-per-second --range 4,1 --expect", "calls.failed: 0", "is not a range"),
        ("--vary server.capacity.nonsense --range 1,4 --expect", "calls.failed: 0", "nonsense"),
        ("--vary server.capacity.requests-per-second --range 1,4 --expect", "calls.nonsense: 0", "nonsense"),
        (
            "--vary server.capacity.requests-per-second --range 1,4 --strategy two --expect", "calls.failed: 0",
            "`two`"
        ),
        ("--vary server.capacity.requests-per-second --range 1 --expect", "calls.failed: 0", "two values"),
        ("--vary server.capacity.requests-per-second --range 1,4 --expect", "calls.failed under 2", "no colon"),
    ])
    func invalidRequestIsReported(_ words: String, _ demand: String, _ said: String) throws {
        let workspace = try TestWorkspace()
        try workspace.write("one.yaml", Self.scenario)
        let outcome = workspace.run("boundary @one.yaml \(words) \(Self.word(demand))")
        #expect(outcome.code != .ok && outcome.errors.contains(said), "\(outcome.errors)")
    }
}
