import DeadzoneCommand
import DeadzoneHost
import Foundation
import Testing

/// Live runs with real programs and real packets.
@Suite(.enabled(if: Live.isWanted, "\(Live.advice)"))
struct ProgramTests {
    private static let home = "timeline: [{at: 0s, wifi: home}]"

    @Test func kernelsDetectSilence() throws {
        // Broken: the path is not silent (a proxy would answer), so that none of the three connections ever ends.
        let outcome = try Live.outcome(.kernels)
        let ended = outcome.said.split(separator: "\n").filter { $0.hasPrefix("ended ") }.map {
            $0.split(separator: " ")
        }
        let times = Dictionary(ended.map { (String($0[1]), Double($0[2]) ?? 0) }) { first, _ in first }
        #expect(times.keys.sorted() == ["both", "keepalive", "user-timeout"], "\(outcome.said)")
        // Keepalive starts after 3 s of silence, with three probes a second apart. The user timeout expires after 6 s
        // and is checked by the retransmission timer.
        for (name, span) in times { #expect((5.0...17).contains(span), "\(name) \(span)") }
        let probes = outcome.flows.reduce(0) { $0 + (($1["up"] as? [String: Any])?["pings"] as? Int ?? 0) }
        #expect(probes >= 3, "\(outcome.flows)")
    }

    @Test func aDeployedServerReturns() throws {
        // Broken: `server: down`, the server's return, or the reset by its kernel in between.
        let outcome = try Live.outcome(.deploy)
        #expect(outcome.metric("connection.handshakes") ?? 0 >= 2, "\(outcome.said)")
        #expect(outcome.attempts.contains { $0["opened"] as? Bool == false }, "no attempt was refused")
        #expect(outcome.metric("delivery.up.lost") == 0)
    }

    @Test func aFrozenServerAcceptsConnectionsButIsSilent() throws {
        // Broken: the server's process keeps running, so the client does not reconnect; or its kernel stops with it, so
        // nothing is acknowledged. Frozen from 3 s to 12 s; the client's timeout is 5 s.
        let outcome = try Live.outcome(.frozenServer)
        let opened = outcome.flows.compactMap { $0["opened_s"] as? Double }
        #expect(opened.contains { (6.5...10).contains($0) }, "\(outcome.flows)")
        let silence = outcome.flows.compactMap { $0["silence_s"] as? Double }.max() ?? 0
        #expect(silence < 3.5, "\(outcome.flows)")
        // Messages sent during the freeze are buffered in the server's kernel, or are sent again. The last messages may
        // still be in flight, which is not a loss.
        #expect(outcome.metric("delivery.up.lost") == 0, "\(outcome.said)")
        #expect(outcome.metric("delivery.up.sent") ?? 0 >= 8)
    }

    @Test func tenConnectionsShareAScenario() throws {
        // Broken: connections are mixed up, or one of ten is not handled.
        let outcome = try Live.outcome(.ten)
        #expect(outcome.metric("connection.handshakes") == 10, "\(outcome.said)")
        #expect(outcome.own["client"] as? [Int] == [0])
    }

    @Test func badProgramsLeaveNoProcess() throws {
        // Broken: processes outlive a run, or a client that exits does not end the run.
        let mark = "7\(ProcessInfo.processInfo.processIdentifier)"
        let forks = try Live.run(
            .init(yaml: Self.home, seconds: 5, server: Live.echo, client: Live.program("odd.py", "forks", mark)))
        #expect(forks.own["client"] as? [Int] == [0])
        #expect(Live.processes(with: mark) == 0)
        let crashes = try Live.run(.init(yaml: Self.home, seconds: 5, client: Live.program("odd.py", "crashes")))
        #expect(crashes.own["client"] as? [Int] == [139])
        #expect(crashes.code == .gateFailed && crashes.document["verdict"] as? String == "fail")
        #expect(crashes.document["troubles"] as? [String] == ["the client was ended by signal 11"])
        let never = try Live.run(.init(yaml: Self.home, seconds: 1, client: Live.program("odd.py", "never")))
        #expect(never.metric("connection.attempts") == nil && never.document["complete"] as? Bool == true)
        let absent = try Live.run(.init(yaml: Self.home, seconds: 2, client: ["/no/such/program"]))
        #expect(absent.own["client"] as? [Int] == [127])
        #expect(absent.code == .runtime && absent.said.contains("/no/such/program"), "\(absent.said)")
        #expect(absent.document["verdict"] as? String == "fail")
        // A code of its own is a failure of the client, not of its start.
        let failed = try Live.run(.init(yaml: Self.home, seconds: 2, client: ["sh", "-c", "exit 127"]))
        #expect(failed.code == .gateFailed, "\(failed.said)")
        #expect(failed.document["troubles"] as? [String] == ["the client exited with code 127"])
    }

    @Test(arguments: [("false", "exited with code 1"), ("true", "exited with code 0"), ("kill -9 $$", "signal 9")])
    func aServerThatEndsAtOnceFailsTheRun(_ server: String, _ says: String) throws {
        // Broken: the run goes on without its server, takes all its time, and passes.
        let start = Date()
        let printed = Live.RunSetup(
            yaml: Self.home, seconds: 60, server: ["sh", "-c", "'\(server)'"], client: ["sleep", "60"]
        )
        .printed
        #expect(printed.code == .runtime && printed.errors.contains(says), "\(printed.errors)")
        #expect((printed.errors + printed.output).contains("it printed nothing"), "\(printed.errors)")
        #expect(Date().timeIntervalSince(start) < 20)
    }

    @Test func aRunThatJudgesNothingDoesNotPass() throws {
        // Broken: a client that exits at once passes, or expectations vanish because several strategies could apply.
        let yaml = Self.home + "\nexpect: {a: {battery.joules: over 0J}}"
        let idle = try Live.run(.init(yaml: yaml, seconds: 2, client: ["true"]))
        #expect(idle.code == .nothingMatched && idle.document["verdict"] as? String == "not_judged", "\(idle.said)")
        #expect(idle.document["not_judged"] as? [String] == ["battery.joules over 0J: the client sent no packet"])
        let several = try Live.run(
            .init(
                yaml: yaml, seconds: 3, strategy: "a: {strategy: patient}, b: {strategy: eager}", server: Live.echo,
                client: Live.program("odd.py", "asks", "server.test", "8080")))
        #expect(several.code == .nothingMatched, "\(several.said)")
        let unjudged = try #require(several.document["not_judged"] as? [String])
        #expect(unjudged.count == 1 && unjudged[0].contains("--strategy NAME"), "\(unjudged)")
    }

    @Test func aServerThatCrashesLaterFailsTheRun() throws {
        // Broken: only a note reports that the server is gone, and the run passes.
        let server =
            "\(Live.python) -c 'import socket, sys, time; s = socket.create_server((\"\", 8080)); time.sleep(1); sys.exit(3)'"
        let outcome = try Live.run(.init(yaml: Self.home, seconds: 3, server: [server], client: ["sleep", "10"]))
        #expect(outcome.code == .gateFailed, "\(outcome.said)")
        #expect(outcome.document["troubles"] as? [String] == ["the server program exited with code 3 during the run"])
    }

    @Test func aFloodIsLimitedToTheLinkRate() throws {
        // Broken: a program that sends without pause stops the timeline, uses all memory, or exceeds the link rate. 8
        // Mbit/s for 3 s.
        let outcome = try Live.run(
            .init(
                yaml: "links: {wifi: {preset: wifi, rate: 8Mbps, queue: 64KiB}}\n" + Self.home, seconds: 3,
                server: Live.program("odd.py", "swallows"), client: Live.program("odd.py", "fills")))
        let arrived = outcome.flows.reduce(0) { sum, flow in
            let up = flow["up"] as? [String: Any]
            return sum + (up?["bytes"] as? Int ?? 0) - (up?["lost"] as? Int ?? 0) * 1_500
        }
        #expect((1_000_000...3_300_000).contains(arrived), "\(outcome.flows)")
        #expect(outcome.document["complete"] as? Bool == true)
    }

    @Test func localListenersAreReachedByForwarding() throws {
        // Broken: --forward does not connect, or its name does not resolve.
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            Live.python, "-c",
            """
            import socket
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            connection, _ = listener.accept()
            connection.sendall(b"outside " + connection.recv(100))
            connection.recv(1)
            """,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        defer { process.terminate() }
        let port = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")[0]
        let outcome = try Live.run(
            .init(
                yaml: Self.home, seconds: 5, flags: ["--forward", "shop.test:443=127.0.0.1:\(port)"],
                client: Live.program("odd.py", "asks", "shop.test", "443")))
        #expect(outcome.said.contains("heard outside 7"), "\(outcome.said)")
    }

    @Test func runsAreRepeated() throws {
        // Broken: --repeat runs once, or mixes its runs up.
        let outcome = try Live.run(
            .init(
                yaml: Self.home, seconds: 3, flags: ["--repeat", "3"], server: Live.echo,
                client: Live.program("odd.py", "asks", "server.test", "8080")))
        #expect(outcome.document["runs"] as? Int == 3)
        #expect(outcome.attempts.compactMap { $0["run"] as? Int } == [0, 1, 2], "\(outcome.attempts)")
        #expect(outcome.own["client"] as? [Int] == [0, 0, 0])
    }

    @Test func aRunWritesItsFiles() throws {
        // Broken: a file is missing, the page has no lanes, HTML in a name is not escaped, or events belong to another
        // run.
        let folder = FileManager.default.temporaryDirectory.appending(path: "deadzone-live-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let events = folder + "-events"
        defer { try? FileManager.default.removeItem(atPath: events) }
        let outcome = try Live.run(
            .init(
                yaml: Self.home, seconds: 3, strategy: "\"<b>bold\": {strategy: patient}",
                flags: ["--strategy", "<b>bold", "--out", folder, "--events", events, "--repeat", "2"],
                server: Live.echo, client: Live.watchful))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["live.html", "live.json", "packets.pcapng", "trace.perfetto-trace"])
        let page = try String(contentsOfFile: folder + "/live.html", encoding: .utf8)
        // The client and its simulated counterpart.
        #expect(page.components(separatedBy: "class=\"block\"").count == 3)
        #expect(page.contains("Timeline") && page.contains("Flows") && page.contains("&lt;b&gt;bold"))
        #expect(!page.contains("<b>bold"))
        #expect(try String(contentsOfFile: folder + "/live.json", encoding: .utf8) == outcome.text)
        let lines = try String(contentsOfFile: events, encoding: .utf8).split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(Set(lines.compactMap { $0["replica"] as? Int }) == [0, 1])
        #expect(lines.contains { $0["event"] as? String == "opened" })
        for document in [["--json"], ["--format", "json"]] {
            let both = Live.CommandOutput(["live", "-", "--events", "-"] + document + ["--", "true"])
            #expect(both.code == .usage && (both.errors + both.output).contains("E0311"), "\(both)")
        }
        #expect(Live.CommandOutput(["live", "-", "--format", "pcapng", "--", "true"]).code == .usage)
        #expect(Live.CommandOutput(["live", "-", "--format", "html,json", "--", "true"]).code == .usage)
    }

    @Test func eventsHaveStandardOutputForThemselves() throws {
        // Broken: the tables of the report stand between the lines of events.
        let printed = Live.CommandOutput(
            ["live", "-", "--events", "-", "--", "sleep", "9"],
            input: """
                version: 1
                name: x
                duration: 1s
                phone: {radios: {wifi: wifi-galaxy-s2}}
                timeline: [{at: 0s, wifi: home}]
                strategies: {a: {strategy: patient}}
                """)
        let lines = printed.output.split(separator: "\n")
        #expect(printed.code == .ok && !lines.isEmpty && lines.allSatisfy { $0.hasPrefix("{") }, "\(printed.output)")
    }

    @Test func strictRejectsUnsupportedEntries() throws {
        // Broken: --strict runs a scenario with an entry or a server setting that it cannot enact.
        let refused = Live.CommandOutput(
            ["live", "-", "--strict", "--", "true"],
            input: """
                version: 1
                name: x
                duration: 2s
                phone: {platform: ios-18, radios: {wifi: wifi-galaxy-s2}}
                timeline: [{at: 0s, wifi: home}, {at: 1s, clock: 1h}]
                strategies: {a: {strategy: patient}}
                """)
        #expect(refused.code == .usage && refused.errors.contains("clock"), "\(refused.errors)")
        let limited = Live.CommandOutput(
            ["live", "-", "--strict", "--", "true"],
            input: """
                version: 1
                name: x
                duration: 2s
                phone: {radios: {wifi: wifi-galaxy-s2}}
                server: {idle-limit: 2s, think: 500ms, accepts-per-second: 1}
                timeline: [{at: 0s, wifi: home}]
                traffic: {down: {every: 1s, size: 100B}}
                strategies: {a: {strategy: patient}}
                """)
        #expect(limited.code == .usage, "\(limited.errors)")
        #expect(limited.errors.contains("server: accepts-per-second, think, idle-limit: "), "\(limited.errors)")
    }

    @Test func misspeltReportsAreNoted() throws {
        // Broken: a typo in a report makes a metric wrong, and nothing says so.
        let outcome = try Live.run(
            .init(
                yaml: Self.home, seconds: 2,
                client: ["sh", "-c", "echo deadzone foo 3; echo deadzone sent; echo deadzone acked 99"]))
        let notes = try #require(outcome.document["notes"] as? [String])
        #expect(notes.contains { $0.contains("the client printed 2 lines") && $0.contains("first: deadzone foo 3") })
        #expect(notes.contains { $0.contains("1 acknowledged message") && $0.contains("acked 99") }, "\(notes)")
    }

    @Test func hooksRunTheUsersCommand() throws {
        // Broken: --on does nothing.
        let file = FileManager.default.temporaryDirectory.appending(path: "deadzone-hook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try Live.run(
            .init(
                yaml: "timeline: [{at: 0s, wifi: home}, {at: 500ms, dead-zone: 1s}]", seconds: 1,
                flags: ["--on", "dark=echo x >> '\(file.path)'"], client: ["sleep", "10"]))
        #expect((try? String(contentsOf: file, encoding: .utf8)) == "x\n")
    }

    @Test func failedHooksAreNoted() throws {
        // Broken: a hook that fails, or with a command that does not exist, is silent.
        let outcome = try Live.run(
            .init(
                yaml: "timeline: [{at: 0s, wifi: home}, {at: 500ms, dead-zone: 500ms}]", seconds: 2,
                flags: [
                    "--on", "dead-zone=exit 7", "--on", "light=no-such-command-here", "--on", "dark=true",
                    "--on", "up-wifi=kill -9 $$",
                ], client: ["sleep", "10"]))
        let notes = try #require(outcome.document["notes"] as? [String]).filter { $0.hasPrefix("--on") }
        #expect(
            notes == [
                "--on dead-zone: the command exited with code 7: exit 7",
                "--on light: the command exited with code 127: no-such-command-here",
                "--on up-wifi: the command was ended by signal 9: kill -9 $$",
            ])
    }

    @Test func hooksAcceptWordsOfTheTimeline() throws {
        // Broken: `--on dead-zone` never runs, runs at the end of the dead zone too, or an unknown name is silent.
        let file = FileManager.default.temporaryDirectory.appending(path: "deadzone-hook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try Live.run(
            .init(
                yaml: "timeline: [{at: 0s, wifi: home}, {at: 500ms, dead-zone: 500ms}]", seconds: 2,
                flags: [
                    "--on", "dead-zone=echo zone >> '\(file.path)'", "--on", "light=echo light >> '\(file.path)'",
                    "--on", "handoff=echo handoff >> '\(file.path)'",
                ], client: ["sleep", "10"]))
        #expect((try? String(contentsOf: file, encoding: .utf8)) == "zone\nlight\n")
        let notes = try #require(outcome.document["notes"] as? [String])
        #expect(notes.contains { $0.contains("--on handoff ran nothing") }, "\(notes)")
        for (wrong, near) in [
            ("zzzz", "no timeline entry"), ("handof", "did you mean `handoff`?"), ("dark-celular", "`dark-cellular`"),
        ] {
            let refused = Live.CommandOutput(["live", "-", "--on", "\(wrong)=true", "--", "true"])
            #expect(refused.code == .usage && refused.errors.contains("E0306"), "\(refused.errors)")
            #expect(refused.errors.contains(near) && refused.errors.contains("deadzone help live"), "\(refused.errors)")
        }
    }

    @Test func theShippedClientLosesNothing() throws {
        // Broken: the handoff, the dead zone, or the messages by which programs report sent and received messages.
        let outcome = try Live.outcome(.elevator)
        #expect(outcome.code == .ok, "\(outcome.text)")
        #expect(outcome.metric("delivery.up.lost") == 0)
        #expect(outcome.metric("battery.joules") ?? 0 > 1)
        #expect((outcome.own["expect"] as? [Any])?.count == 3)
    }
}
