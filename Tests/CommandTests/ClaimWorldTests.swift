import DeadzoneHost
import DeadzoneRuns
import Foundation
import Testing

@testable import DeadzoneCommand

/// Verdicts in a world of the user.
struct ClaimWorldTests {
    private func claims(_ words: [String], input: String = "") -> (code: ExitCode, output: String, errors: String) {
        let surroundings = CommandContext.memory(input: input)
        let code = run(["claims"] + words, in: surroundings)
        return (code, surroundings.output.text, surroundings.errors.text)
    }

    private func claim(_ output: String) throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        return try #require((document?["claims"] as? [[String: Any]])?.first)
    }

    /// A world for A30 (a TLS handshake adds 200 to 400 ms) with one cell for each delay.
    private func world(_ delays: String, strategies: String = Self.strategies, platform: String = "") -> String {
        """
        version: 1
        name: My own path
        duration: 10m
        phone: {\(platform)radios: {wifi: wifi-aro}}
        links: {wifi: {delay: "${delay}", rate: 100Mbps}}
        matrix: {delay: \(delays)}
        timeline:
          - {at: 0s, wifi: home}
          - {at: 1m, readdress: wifi, repeat: {every: 1m, times: 8}}
        traffic: {down: {every: 5s, size: 100B}}
        strategies:
        \(strategies)
        """
    }

    private static let strategies = """
          with TLS: {strategy: composed, transport: {kind: websocket, tls: "1.2"}, on-path-change: reconnect}
          without: {strategy: composed, transport: {kind: websocket, tls: none}, on-path-change: reconnect}
        """

    /// Broken: the user's world is not measured, a cell of its matrix is missing, or the rule is another one.
    @Test func `a claim is judged in the user's world`() throws {
        let outcome = claims(["A30", "--world", "-", "--json"], input: world("[1ms, 60ms, 90ms]"))
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let claim = try claim(outcome.output)
        let cells = try #require(claim["cells"] as? [[String: Any]])
        #expect(cells.map { $0["name"] as? String } == ["1ms", "60ms", "90ms"])
        #expect(cells.map { $0["verdict"] as? String } == ["refuted", "confirmed", "confirmed"])
        #expect(claim["verdict"] as? String == "conditional" && claim["how"] as? String == "scenario -")
        #expect(claim["again"] as? String == "deadzone claims A30 --world -")
        let change = try #require(claim["world"] as? [String: Any])
        #expect(change["file"] as? String == "-" && change["seed"] is NSNull && change["replicas"] is NSNull)
        // Broken: the text does not say that these are not the built-in worlds.
        let text = claims(["A30", "--world", "-"], input: world("[60ms]"))
        #expect(text.code == .ok && text.output.contains("Measured with -.") && text.output.contains("confirmed: true"))
    }

    /// Broken: settings, seed or replicas of the command line have no effect on a built-in or on the user's scenario.
    @Test func `settings of the command line change the world`() throws {
        let plain = try claim(claims(["A11", "--json"]).output)
        #expect(plain["verdict"] as? String == "conditional" && plain["world"] == nil)
        let permitted = claims([
            "A11", "--set", "matrix.stream.silent on a default server.floor=30s", "--set", "replicas=1", "--json",
        ])
        #expect(permitted.code == .ok, "\(permitted.errors)")
        let changed = try claim(permitted.output)
        #expect(changed["verdict"] as? String == "confirmed")
        let change = try #require(changed["world"] as? [String: Any])
        #expect((change["set"] as? [String])?.last == "replicas=1" && change["file"] is NSNull)
        // The user's file, changed as well.
        let outcome = claims(
            ["A30", "--world", "-", "--set", "links.wifi.rate=3Mbps", "--seed", "7", "--replicas", "2", "--json"],
            input: world("[60ms]"))
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let both = try claim(outcome.output)
        #expect(
            both["again"] as? String
                == "deadzone claims A30 --world - --set links.wifi.rate=3Mbps --seed 7 --replicas 2")
        let other = try claim(claims(["A30", "--world", "-", "--json"], input: world("[60ms]")).output)
        #expect(both["measured"] as? String != other["measured"] as? String)
    }

    /// Broken: another seed changes nothing, or counts as another world and drops the picture.
    @Test func `a seed repeats a claim with other random numbers`() throws {
        let first = try claim(claims(["A6", "--replicas", "1", "--json"]).output)
        let second = try claim(claims(["A6", "--replicas", "1", "--seed", "99", "--json"]).output)
        #expect(first["measured"] as? String != second["measured"] as? String)
        #expect((second["world"] as? [String: Any])?["seed"] as? Int == 99)
    }

    /// Broken: a world that lacks something that the rule needs runs, traps, or is refused without a word about it.
    @Test(
        arguments: [
            (
                ["A30"], "  with TLS: {strategy: composed}",
                ["has no strategy `without`", "write under `strategies:`", "without: {strategy: composed"]
            ),
            (["A29"], Self.strategies, ["has no strategy `old client`"]),
            (["A18"], Self.strategies, ["A18 is computed"]),
            ([], Self.strategies, ["needs the claims to test"]),
            (["A30", "--scenario"], Self.strategies, ["--scenario"]),
        ])
    func `a world that lacks something is refused`(_ ids: [String], _ strategies: String, _ words: [String]) {
        let outcome = claims(ids + ["--world", "-"], input: world("[60ms]", strategies: strategies))
        #expect(outcome.code == .usage && outcome.output == "", "\(outcome)")
        for word in words { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
    }

    /// Broken: a claim that compares cells is judged by other cells.
    @Test func `a claim that compares cells names them`() {
        let strategies = """
              old client: {strategy: composed, transport: grpc, resume: nothing}
              new client: {strategy: composed, transport: grpc}
            """
        let outcome = claims(["A29", "--world", "-"], input: world("[60ms]", strategies: strategies))
        #expect(outcome.code == .usage)
        for word in ["has no cell `an old server`", "a new server", "a server updated in the run"] {
            #expect(outcome.errors.contains(word), "\(outcome.errors)")
        }
    }

    /// Broken: a metric without a value leaves the claim open, and nothing says why.
    @Test func `a world without a value for the rule is refused`() {
        let strategies = "  client: {strategy: composed, transport: websocket}"
        let outcome = claims(["B19", "--world", "-"], input: world("[60ms]", strategies: strategies))
        #expect(outcome.code == .usage)
        for word in ["no value for `runs on for`", "deadzone explain app.suspended_s"] {
            #expect(outcome.errors.contains(word), "\(outcome.errors)")
        }
        let platform = claims(
            ["B19", "--world", "-"],
            input: world("[60ms]", strategies: strategies, platform: "platform: ios-18, ")
                .replacing("  - {at: 0s, wifi: home}", with: "  - {at: 0s, wifi: home}\n  - {at: 90s, app: background}")
        )
        #expect(platform.code == .ok && platform.output.contains("refuted"), "\(platform.errors)")
    }

    /// Broken: faults of the user's file are not printed with their lines, or a wrong setting names no setting.
    @Test func `faults of the world are reported`() {
        let wrong = claims(
            ["A30", "--world", "-"], input: world("[60ms]").replacing("duration: 10m", with: "duration: x"))
        #expect(wrong.code == .badInput && wrong.errors.contains("standard input:3"), "\(wrong.errors)")
        let unknown = claims(["A11", "--set", "server.ping-flor=30s"])
        #expect(unknown.code == .usage && unknown.errors.contains("`--set`"), "\(unknown.errors)")
        #expect(claims(["--set", "server.think=1s"]).code == .usage)
    }
}
