import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneWorld
import Testing

@Suite struct GreetingTests {
    /// Attempts of a client that is open as soon as TCP stands, by what it begins its waits anew with.
    private func attempts(_ reset: String, _ kind: String, _ world: World) -> Int {
        func map(_ entries: [(String, String)]) -> Node {
            .map(entries.map { .init(key: $0.0, value: .text($0.1)) })
        }
        var reader = SettingsReader(
            .map([
                .init(key: "transport", value: map([("kind", kind)] + (kind == "quic" ? [] : [("tls", "none")]))),
                .init(key: "keepalive", value: map([("interval", "10s"), ("timeout", "5s")])),
                .init(
                    key: "backoff", value: map([("base", "1s"), ("cap", "2m"), ("jitter", "none"), ("reset", reset)])),
            ]), of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty)
        return Simulation(world: world, strategy: AnyStrategy(strategy), seed: 1).everything().count(.connecting)
    }

    /// Broken: what the server has not said counts as said, so that waits begin anew with a connection of which nothing comes.
    @Test func aServerThatSaysNothingIsNoSuccess() {
        var world = Fixture.wifiWorld(horizon: .minutes(21))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .server(.frozen)))
        // A cycle of 16 s without backoff; with it 15 s and a wait that doubles to two minutes.
        let restless = attempts("open", "sse", world)
        #expect(70 < restless && restless < 78, "\(restless)")
        // Dead at 75 s; then 1, 17, 36, 59, 90, 137, 216 s later and every 135 s.
        #expect(attempts("settings", "sse", world) == 1 + 14)
        // An upgrade is open when it is answered, and not before.
        #expect(attempts("open", "websocket", world) < 40)
    }

    /// Broken: a server that speaks is not heard to, and a client that does well waits longer each time.
    @Test(arguments: ["grpc", "websocket", "mqtt", "sse", "quic"])
    func aServerThatSpeaksIsOne(_ kind: String) {
        var world = Fixture.wifiWorld(horizon: .minutes(30))
        for minute in 1..<29 as Range<Int64> {
            world.timeline.append(TimelineEntry(at: .zero + .minutes(minute), .server(.draining)))
        }
        world.server.grace = .seconds(1)
        let patient = attempts("settings", kind, world)
        #expect(patient == attempts("open", kind, world) && patient >= 28, "\(patient)")
        #expect(attempts("never", kind, world) < patient)
    }
}
