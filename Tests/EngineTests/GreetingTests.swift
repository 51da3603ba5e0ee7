import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import Testing

@Suite struct GreetingTests {
    /// Number of connection attempts, by the event that resets the backoff. The client is open as soon as TCP is
    /// established.
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
        return Simulation(world: world, strategy: AnyStrategy(strategy), seed: 1).allRecords().count(.connecting)
    }

    /// Broken: the backoff resets for a connection on which the server has sent nothing.
    @Test func aSilentServerDoesNotResetTheBackoff() {
        var world = Fixture.wifiWorld(horizon: .minutes(21))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .server(.frozen)))
        // A cycle lasts 16 s without backoff. With backoff it lasts 15 s plus a wait that doubles up to two minutes.
        let restless = attempts("open", "sse", world)
        #expect(70 < restless && restless < 78, "\(restless)")
        // Dead at 75 s; then attempts 1, 17, 36, 59, 90, 137, 216 s later and every 135 s.
        #expect(attempts("settings", "sse", world) == 1 + 14)
        // An upgrade opens only when it is answered.
        #expect(attempts("open", "websocket", world) < 40)
    }

    /// Broken: a server's message is not recognised, and a successful client waits longer each time.
    @Test(arguments: ["grpc", "websocket", "mqtt", "sse", "quic"])
    func aServerThatSendsResetsTheBackoff(_ kind: String) {
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
