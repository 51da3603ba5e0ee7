import DeadzoneBase
import DeadzoneClient
import DeadzoneHost
import DeadzoneRuns
import DeadzoneScenarios
import DeadzoneShipped
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCommand

/// Names of all clients in real use that must have a preset.
private let promised = """
    grpc-spec grpc-core grpc-java grpc-go grpc-swift-1 grpc-swift-2 grpc-android-okhttp grpc-ios-tcp grpc-ios-monitor
    grpc-ios-cfstream article-grpc-kotlin article-grpc-swift article-grpc-fixed article-websocket article-websocket-code
    article-websocket-aggressive article-websocket-push rest-polling-1s rest-polling-30s websocket-naive aws-none aws-full
    aws-equal aws-decorrelated socket.io phoenix supabase-realtime signalr reconnecting-websocket graphql-ws actioncable
    okhttp-websocket firebase-rtdb firestore paho-java paho-python discord-gateway slack-socket-mode ably pusher
    centrifuge-js nats nats-py xmpp-sm slixmpp discord.py python-socketio realtime-py websockets signal-android wechat-mars fcm quic-migrating deadzone-recommended
    """
    .split { $0 == " " || $0 == "\n" }.map(String.init)

@Suite struct PresetTableTests {
    @Test func theListIsTheFolder() throws {
        // Broken: a preset of the folder is not built into the program, or an outdated text of it is.
        let folder = Repository.root + "/Scenarios/strategies"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        #expect(files.sorted() == shippedPresets.map { $0.name + ".yaml" }.sorted())
        for preset in shippedPresets {
            #expect(try String(contentsOfFile: "\(folder)/\(preset.name).yaml", encoding: .utf8) == preset.text)
        }
        #expect(files.count >= promised.count)
    }

    @Test func noPresetIsMissing() {
        // Broken: a promised name is unknown.
        let known = Vocabulary.standard.strategies.map(\.name) + Vocabulary.standard.presets.map(\.name)
        #expect(promised.filter { !known.contains($0) } == [])
        #expect(Set(known).count == known.count && promised.count == 54)
    }

    @Test(arguments: shippedPresets.map(\.name))
    func explainsItselfWithASource(_ name: String) throws {
        // Broken: a preset does not load, or sets a number without a source.
        let text = try #require(Vocabulary.standard.presets.first { $0.name == name })
        let reading = PresetDescription.read(text, .standard)
        #expect(reading.faults.sorted.map { faultText($0, files: reading.files) } == [])
        let sheet = try #require(reading.sheet)
        #expect(!sheet.about.isEmpty && !sheet.sources.isEmpty && sheet.family != "yours")
        #expect(sheet.parameters.filter { $0.isOwn && $0.note.isEmpty }.map(\.name) == [])
        #expect(!sheet.parameters.isEmpty)
        let workspace = try TestWorkspace()
        let page = workspace.run("explain \(name)").output
        #expect(page.hasPrefix(name + ": ") && page.contains("\nSources\n  - "))
    }

    @Test func explainsHowToWriteOne() throws {
        // Broken: a user with the program but without the repository cannot find out how to add a strategy.
        let page = try TestWorkspace().run("explain strategy").output
        #expect(page.hasPrefix("strategy: ") && page.contains("DeadzoneCommand.run(adding: [.of(Mine.self)])"))
        #expect(page.contains("{strategy: ./my-client.yaml}"))
    }

    @Test func strategyOfTheCallerIsKnown() throws {
        // Broken: an external strategy is not known everywhere, or silently replaces a built-in one.
        func run(_ line: String, _ kind: StrategyKind) -> (ExitCode, String, String) {
            let surroundings = CommandContext.memory()
            let words = line.split(separator: " ").map(String.init)
            let code = DeadzoneCommand.run(words, in: surroundings, adding: [kind])
            return (code, surroundings.output.text, surroundings.errors.text)
        }
        let idle = StrategyKind(name: "idle-one", about: "does nothing") { AnyStrategy(Idle(&$0)) }
        #expect(run("list strategies", idle).1.contains("idle-one"))
        #expect(run("explain idle-one", idle).1.contains("how long"))
        #expect(run("schema", idle).1.contains("\"idle-one\""))
        let taken = StrategyKind(name: "grpc-java", about: "another") { AnyStrategy(Idle(&$0)) }
        let refused = run("list strategies", taken)
        #expect(refused.0 == .usage && refused.2.contains("two strategies are called `grpc-java`"))
    }

    private struct Idle: Strategy {
        static let name = "idle-one"
        static let about = "does nothing"

        init(_ settings: inout SettingsReader) { _ = settings.span("rest", default: .seconds(1), "how long") }
        func initialState() -> UInt8 { 0 }
        func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {}
    }

    @Test func everyPresetRuns() throws {
        // Broken: a preset stops its phone, never connects, or receives nothing in ten good minutes with one handoff.
        let names = promised
        let workspace = try TestWorkspace()
        let entries = names.map { "  \($0): {strategy: \($0)}\n" }.joined()
        try workspace.write(
            "all.yaml",
            """
            version: 1
            name: All of them
            duration: 10m
            phone: {radios: {wifi: wifi-galaxy-s2, cellular: lte-verizon-2021}, platform: android-15}
            timeline:
              - {at: 0s, wifi: home, app: foreground, screen: on}
              - {at: 6m, handoff: cellular, gap: 400ms, old-path: error}
            traffic:
              down: {every: 20s, arrivals: poisson, size: 300B}
              up: {every: 30s, arrivals: poisson, size: 200B}
              calls: {every: 1m, size: 400B, answer: 2KiB}
            strategies:
            \(entries)
            """)
        let outcome = workspace.run("run @all.yaml --json")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let strategies = try #require(document["strategies"] as? [[String: Any]])
        #expect(strategies.map { $0["name"] as? String } == names)
        for strategy in strategies {
            let name = strategy["name"] as? String ?? ""
            let metrics = try #require(strategy["metrics"] as? [String: Any])
            let opened = metrics["connection.handshakes"] as? Double ?? 0
            let shown = metrics["delivery.down.delivered"] as? Double ?? 0
            #expect(opened >= 1 && shown >= 1, "\(name): \(opened) connections, \(shown) messages")
        }
    }
}
