import DeadzoneBase
import DeadzoneClient
@testable import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// A server that ends sessions with success, and a server that changes its rules.
@Suite struct SessionLimitTests {
    private func strategy(_ kind: String) -> AnyStrategy {
        Fixture.composed([
            ("transport", [("kind", kind)]), ("backoff", [("base", "1s"), ("multiplier", "1"), ("jitter", "none")]),
        ])
    }

    /// Broken: a session lasts longer or shorter than its limit, the client hears another reason, or a message is lost.
    @Test(arguments: ["grpc", "websocket", "mqtt", "sse", "quic"])
    func aSessionEndsInOrder(_ kind: String) {
        var world = Fixture.wifiWorld(Traffic(down: .every(.seconds(3))), horizon: .minutes(10))
        world.server.limits.session = .seconds(10)
        let run = Simulation(world: world, strategy: strategy(kind), seed: 1).allRecords()
        let closed = run.records.filter { $0.kind == .closed }
        #expect(closed.count > 50 && closed.allSatisfy { $0.tag == CloseCode.completed.rawValue })
        let opened = run.records.filter { $0.kind == .opened }.map(\.at)
        for (begin, end) in zip(opened, closed) {
            let length = end.at - begin
            #expect(.milliseconds(9_900) < length && length < .milliseconds(10_200), "\(length)")
        }
        #expect(run.records.filter { $0.kind == .serverExpired }.allSatisfy { $0.tag == ExpiryCode.session.rawValue })
        #expect(run.sum(.lostDown) == 0 && run.count(.deliveredDown) > 150)
        // A connection without a stream of its own has no session that could end.
        let calls = Fixture.composed([("transport", [("kind", "grpc"), ("stream", "false")])])
        #expect(Simulation(world: world, strategy: calls, seed: 1).allRecords().count(.closed) == 0)
    }

    /// Broken: an age limit that comes first is taken for the limit of the session, or the other way round.
    @Test(arguments: [(5, 60), (60, 5)] as [(Int64, Int64)])
    func theEarlierLimitEndsTheConnection(_ session: Int64, _ age: Int64) {
        var world = Fixture.wifiWorld(Traffic(down: .every(.seconds(3))), horizon: .minutes(1))
        world.server.limits = ConnectionLimits(
            age: .seconds(age), ageGrace: .zero, session: .seconds(session))
        let run = Simulation(world: world, strategy: strategy("grpc"), seed: 1).allRecords()
        let reasons = Set(run.records.filter { $0.kind == .serverExpired }.map(\.tag))
        #expect(reasons == [session < age ? ExpiryCode.session.rawValue : ExpiryCode.age.rawValue])
    }

    /// Broken: the server does not change its rules, changes them at another time, or a client cannot resume after it.
    @Test func aServerChangesItsHistory() {
        var world = Fixture.wifiWorld(Traffic(down: .every(.seconds(1))), horizon: .minutes(10))
        world.server.history.messages = 1
        world.server.history.purge = .sent
        var version = world.server
        version.history = History()
        world.serverVersions = [version]
        for second: Int64 in stride(from: 30, to: 600, by: 60) {
            world.timeline.append(TimelineEntry(at: .zero + .seconds(second), .server(.down)))
            world.timeline.append(TimelineEntry(at: .zero + .seconds(second + 10), .server(.up)))
        }
        func lost(changedAt second: Int64?) -> [Instant] {
            var changed = world
            if let second {
                changed.timeline.append(TimelineEntry(at: .zero + .seconds(second), .serverVersion(1)))
                changed.timeline.sort { $0.at < $1.at }
            }
            let run = Simulation(world: changed, strategy: strategy("grpc"), seed: 1).allRecords()
            return run.records.filter { $0.kind == .lostDown }.map(\.at)
        }
        let never = lost(changedAt: nil)
        #expect(never.count >= 9 && never.contains { $0 > .zero + .minutes(5) })
        let later = lost(changedAt: 300)
        #expect(later == never.filter { $0 < .zero + .minutes(5) } && !later.isEmpty)
        #expect(lost(changedAt: 1).isEmpty)
    }
}
