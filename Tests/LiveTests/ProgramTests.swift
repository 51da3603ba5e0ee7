import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

/// Real programs on real packets.
@Suite(.enabled(if: Live.isWanted, "\(Live.advice)"))
struct ProgramTests {
    private static let one = "strategies: {a: {strategy: patient}}"

    @Test func kernelsNoticeSilence() throws {
        // Broken: the path is not silent, as a proxy's is not: then none of the three ever ends.
        let outcome = try Live.run(
            "timeline: [{at: 0s, wifi: home}, {at: 5s, dead-zone: 30s}]\n" + Self.one, seconds: 30,
            server: "../../../Scenarios/live/server.py", client: Live.program("sockets.py"))
        let ended = outcome.said.split(separator: "\n").filter { $0.hasPrefix("ended ") }.map {
            $0.split(separator: " ")
        }
        let times = Dictionary(ended.map { (String($0[1]), Double($0[2]) ?? 0) }) { first, _ in first }
        #expect(times.keys.sorted() == ["both", "keepalive", "user-timeout"], "\(outcome.said)")
        // Idle 3 s after the last sign, three probes a second apart; the user timeout after 6 s, checked by a repeat's timer.
        for (name, span) in times { #expect((5.0...17).contains(span), "\(name) \(span)") }
        let probes = outcome.flows.reduce(0) { $0 + (($1["up"] as? [String: Any])?["pings"] as? Int ?? 0) }
        #expect(probes >= 3, "\(outcome.flows)")
    }

    @Test func theShippedClientLosesNothing() throws {
        // Broken: the handoff, the dead zone, or the words by which programs tell of messages.
        let scenario = Live.scenarios
        let surroundings = Surroundings.memory()
        let code = run(
            [
                "live", scenario + "/elevator.yaml", "--json", "--server", "\(Live.python) \(scenario)/server.py", "--",
                Live.python, scenario + "/client.py",
            ], in: surroundings)
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(surroundings.output.text.utf8)) as? [String: Any])
        #expect(code == .ok, "\(surroundings.output.text)")
        let own = try #require((document["strategies"] as? [[String: Any]])?.first)
        let metrics = try #require(own["metrics"] as? [String: Any])
        #expect(metrics["delivery.up.lost"] as? Double == 0)
        #expect(metrics["battery.joules"] as? Double ?? 0 > 1)
        #expect((own["expect"] as? [Any])?.count == 3)
    }

    @Test func aServerThatIsDeployedComesBack() throws {
        // Broken: server: down, its return, or the reset that its kernel gives in between.
        let outcome = try Live.run(
            "timeline: [{at: 0s, wifi: home}, {at: 3s, server: down, for: 3s}]\n" + Self.one, seconds: 14,
            server: "../../../Scenarios/live/server.py", client: [Live.python, Live.scenarios + "/client.py"])
        #expect(outcome.metric("connection.handshakes") ?? 0 >= 2, "\(outcome.said)")
        #expect(outcome.attempts.contains { $0["opened"] as? Bool == false }, "nobody was refused")
        #expect(outcome.metric("delivery.up.lost") == 0)
    }

    @Test func badGuestsLeaveNothing() throws {
        // Broken: processes outlive a run, or a client that ends ends nothing.
        let mark = "7\(ProcessInfo.processInfo.processIdentifier)"
        let timeline = "timeline: [{at: 0s, wifi: home}]\n" + Self.one
        let echo = "../../../Scenarios/live/server.py"
        let forks = try Live.run(timeline, seconds: 5, server: echo, client: Live.program("odd.py", "forks", mark))
        #expect(forks.own["client"] as? [Int] == [0])
        #expect(Live.processes(with: mark) == 0)
        let crashes = try Live.run(timeline, seconds: 5, server: echo, client: Live.program("odd.py", "crashes"))
        #expect(crashes.own["client"] as? [Int] == [139])
        let never = try Live.run(timeline, seconds: 2, server: nil, client: Live.program("odd.py", "never"))
        #expect(never.metric("connection.attempts") == nil && never.document["complete"] as? Bool == true)
        let absent = try Live.run(timeline, seconds: 2, server: nil, client: ["/no/such/program"])
        #expect(absent.own["client"] as? [Int] == [127])
        let ten = try Live.run(timeline, seconds: 10, server: echo, client: Live.program("odd.py", "ten"))
        #expect(ten.metric("connection.handshakes") == 10)
    }

    @Test func whatCannotBeDoneIsRefusedIfAsked() throws {
        // Broken: --strict runs what it cannot enact.
        let timeline = "timeline: [{at: 0s, wifi: home}, {at: 1s, screen: off}]\n" + Self.one
        let surroundings = Surroundings.memory(
            input: "version: 1\nname: x\nduration: 2s\nphone: {platform: android-15, radios: {wifi: wifi-galaxy-s2}}\n"
                + timeline)
        #expect(run(["live", "-", "--strict", "--", "true"], in: surroundings) == .usage)
        #expect(surroundings.errors.text.contains("screen-off"))
    }

    @Test func hooksAreTheUsers() throws {
        // Broken: --on does nothing.
        let file = FileManager.default.temporaryDirectory.appending(path: "deadzone-hook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try Live.run(
            "timeline: [{at: 0s, wifi: home}, {at: 500ms, dead-zone: 1s}]\n" + Self.one, seconds: 2,
            flags: ["--on", "dark=echo x >> '\(file.path)'"], server: nil, client: ["sleep", "10"])
        #expect((try? String(contentsOf: file, encoding: .utf8)) == "x\n")
    }
}

/// Libraries that presets are made of.
@Suite(.enabled(if: Live.hasLibraries, "\(Live.libraries)"))
struct LibraryTests {
    private static let outage = "timeline: [{at: 0s, wifi: home}, {at: 6s, wan-cut: 22s}]\n"

    @Test func grpcBehavesAsItsPreset() throws {
        // Broken: attempts of grpcio outside of what `deadzone schedule grpc-core` says.
        let outcome = try Live.run(
            "timeline: [{at: 0s, wifi: home}, {at: 4s, server: down, for: 18s}]\nstrategies: {grpc: {strategy: grpc-core}}",
            seconds: 36, flags: ["--strategy", "grpc"], server: "grpc_server.py",
            client: Live.program("grpc_client.py"))
        let backoff = try #require(outcome.law("backoff"), "\(outcome.said)")
        #expect(backoff.of >= 3 && backoff.inside == backoff.of, "\(outcome.attempts)")
        let fit = try outcome.fit(like: "grpc-core")
        #expect(fit.complaints.isEmpty && !fit.refuted.contains("backoff.base"), "\(fit)")
    }

    @Test func pahoBehavesAsItsPreset() throws {
        // Broken: paho's reconnection outside of what its preset says, or its silence not noticed.
        let outcome = try Live.run(
            "timeline: [{at: 0s, wifi: home}, {at: 4s, server: down, for: 16s}]\nstrategies: {paho: {strategy: paho-python}}",
            seconds: 34, flags: ["--strategy", "paho"], server: "broker.py", client: Live.program("paho_client.py"))
        let backoff = try #require(outcome.law("backoff"), "\(outcome.said)")
        #expect(backoff.of >= 2 && backoff.inside == backoff.of, "\(outcome.attempts)")
        #expect(outcome.metric("keepalive.pings") ?? 0 >= 1)
        // It pings every three seconds here, and the preset once a minute.
        let fit = try outcome.fit(like: "paho-python")
        #expect(fit.complaints.isEmpty && fit.refuted.contains("keepalive.interval"), "\(fit)")
        #expect(!fit.refuted.contains("backoff.base"), "\(fit)")
        let other = try outcome.fit(like: "websocket-naive")
        #expect(other.code == .gateFailed && !other.complaints.isEmpty, "\(other)")
    }

    @Test func aQUICClientComesBackAndLosesNothing() throws {
        // Broken: datagrams of a real QUIC stack, or its idle timeout, which nobody but its silence sets off.
        let outcome = try Live.run(
            "timeline: [{at: 0s, wifi: home}, {at: 4s, dead-zone: 7s}]\nstrategies: {a: {strategy: patient}}",
            seconds: 18, server: "quic_server.py", client: Live.program("quic_client.py"))
        // Idle for four seconds from the last answer, before 4 s, and a new connection: another flow.
        let flows = outcome.flows.compactMap { $0["began_s"] as? Double }
        #expect(flows.count >= 2 && flows.dropFirst().first.map { (6.5...12).contains($0) } == true, "\(flows)")
        #expect(outcome.metric("delivery.up.sent") ?? 0 >= 8, "\(outcome.said)")
        #expect(outcome.metric("delivery.up.lost") == 0, "\(outcome.said)")
    }

    @Test func websocketsNoticeSilenceByTheirPings() throws {
        // Broken: the internet that is gone answers, or pings of a plain protocol are not seen.
        let outcome = try Live.run(
            Self.outage + "strategies: {a: {strategy: patient}}", seconds: 38, server: "websockets_server.py",
            client: Live.program("websockets_client.py"))
        #expect(outcome.metric("keepalive.pings") ?? 0 >= 2, "\(outcome.said)")
        // A ping within 3 s of the last answer, 3 s for its pong, and 10 s for the goodbye that nobody answers.
        let second = outcome.attempts.count > 1 ? outcome.attempts[1]["at_s"] as? Double : nil
        #expect((9.0...24).contains(second ?? 0), "\(outcome.attempts)")
        #expect(outcome.metric("connection.handshakes") == 2, "\(outcome.attempts)")
        #expect(outcome.metric("delivery.up.lost") ?? 0 <= 1)
    }
}
