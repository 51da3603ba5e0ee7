import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// A server that sets up connections but cannot identify its clients.
@Suite struct LoginTests {
    private func world(_ traffic: Traffic = Traffic()) -> World {
        var world = Fixture.wifiWorld(traffic, horizon: .minutes(20))
        let changes: [(Int64, ServerChange)] = [
            (60, .refusingLogins), (120, .down), (121, .up), (600, .takingLogins),
        ]
        for (second, change) in changes {
            world.timeline.append(TimelineEntry(at: .zero + .seconds(second), .server(change)))
        }
        return world
    }

    private func run(_ kind: String, _ backoff: [(String, String)], _ world: World) -> AllRecords {
        let law = Node.map(backoff.map { .init(key: $0.0, value: .text($0.1)) })
        var reader = SettingsReader(
            .map([.init(key: "transport", value: .text(kind)), .init(key: "backoff", value: law)]), of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty)
        return Simulation(world: world, strategy: AnyStrategy(strategy), seed: 1).allRecords()
    }

    /// Broken: the server disconnects a client that is already logged in, or a message is lost on the way. Or a refused
    /// client keeps its connection, counts it as alive, gets another reason, or is not served again once logins work.
    @Test(arguments: ["websocket", "grpc", "mqtt", "sse", "quic"])
    func isRefusedUntilLoginsWork(_ kind: String) {
        let everything = run(
            kind, [("base", "10s"), ("multiplier", "1"), ("jitter", "none")], world(Traffic(down: .every(.seconds(10))))
        )
        let closed = everything.records.filter { $0.kind == .closed }
        let denied = closed.filter { $0.tag == CloseCode.denied.rawValue }
        #expect(closed.count == denied.count + 1 && closed[0].at > .zero + .seconds(119))
        // From 130 s to 600 s, at a little more than ten seconds each.
        #expect(44 <= denied.count && denied.count <= 48, "\(denied.count)")
        #expect(everything.count(.opened) == denied.count + 2)
        #expect(everything.sum(.lostDown) == 0 && everything.sum(.deliveredDown) > 0)
        #expect(everything.count(.deliveredDown) >= 2)
        #expect(everything.values(.zombie).allSatisfy { $0 < 200_000_000 })
    }

    /// Broken: a client that should stop when its login is refused continues, or one that should continue stops.
    @Test func stopsOnRefusalIfConfigured() {
        let law = [("base", "1s"), ("cap", "1m"), ("jitter", "none"), ("reset", "path")]
        #expect(run("websocket", law + [("when-denied", "stop")], world()).count(.connecting) == 2)
        // Refused at 120 s; from 121 s on connected and then disconnected, with waits that double.
        let going = run("websocket", law, world()).count(.connecting)
        #expect(12 <= going && going <= 16, "\(going)")
    }
}
