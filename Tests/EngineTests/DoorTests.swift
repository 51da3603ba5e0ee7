import DeadzoneClient
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneTransport
import DeadzoneWorld
import Testing
import DeadzoneEngine
@testable import DeadzoneLane

@Suite struct DoorTests {
    private func world(_ minutes: Int64 = 30, phones: Int = 1) -> World {
        Fixture.cellularWorld(Traffic(down: .every(.seconds(30))), horizon: .minutes(minutes), phones: phones)
    }

    private func client(_ kind: String, _ connect: [(String, String)] = []) -> AnyStrategy {
        Fixture.composed([
            ("transport", [("kind", kind)]), ("connect", [("timeout", "20s")] + connect),
            ("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")]),
        ])
    }

    /// Broken: sessions refused now that never open, or refused for ever and do; a client that goes on where it should stop, or
    /// comes back before Retry-After is over.
    @Test(arguments: ["websocket", "grpc"])
    func theServerTurnsAway(kind: String) {
        var world = world()
        world.server.troubles.sessionTransient = Probability(90, of: 100)
        world.server.troubles.retryAfter = .seconds(20)
        func attempts(_ connect: [(String, String)]) -> (Everything, [Instant]) {
            let run = Simulation(world: world, strategy: client(kind, connect), seed: 5).everything()
            return (run, run.records.filter { $0.kind == .connecting }.map(\.at))
        }
        let (hasty, often) = attempts([])
        let (patient, seldom) = attempts([("retry-after", "heed")])
        #expect(hasty.count(.serverRejected) > 0 && patient.count(.serverRejected) == hasty.count(.serverRejected))
        #expect(zip(seldom, seldom.dropFirst()).allSatisfy { $1 - $0 >= .seconds(20) } && seldom.count == often.count)
        #expect(zip(often, often.dropFirst()).allSatisfy { $1 - $0 < .seconds(3) })
        #expect(hasty.count(.deliveredDown) > 0)
        world.server.troubles.sessionTransient = .zero
        world.server.troubles.sessionPermanent = .one
        #expect(attempts([]).1.count > 500 && attempts([("when-denied", "stop")]).1.count == 1)
    }

    /// Broken: a session that counts before the server knows who asks: a round trip more, and its time.
    @Test(arguments: ["websocket", "grpc"])
    func whoAsksCostsARoundTrip(kind: String) {
        var world = world(1)
        func opened() -> Instant {
            let run = Simulation(world: world, strategy: client(kind), seed: 1).everything()
            return run.records.first { $0.kind == .opened }!.at
        }
        let plain = opened()
        world.server.authentication = .milliseconds(500)
        let more = opened() - plain
        // What opens before the server has spoken waits for that, too.
        let least = TimeSpan.milliseconds(kind == "grpc" ? 640 : 570)
        #expect(more >= least && more < least + .milliseconds(60), "\(more)")
    }

    /// Broken: a deploy that ends all at once what it should end one after the other, ends nothing, or ends a connection that is
    /// on a new instance.
    @Test(arguments: [(TimeSpan.zero, false), (.seconds(100), false), (.seconds(100), true)])
    func aDeployRolls(over: TimeSpan, isAbrupt: Bool) {
        var world = world(5, phones: 200)
        world.timeline.append(
            TimelineEntry(at: .zero + .minutes(1), .deploy(Deploy(over: over, instances: 10, isAbrupt: isAbrupt))))
        let run = Simulation(world: world, strategy: client("websocket"), seed: 1).everything()
        let ends = run.records.filter { $0.kind == .closed }
        let code = isAbrupt ? CloseCode.reset : .ended
        #expect(ends.allSatisfy { $0.tag == code.rawValue })
        let first = ends.map(\.at).min()!, last = ends.map(\.at).max()!
        #expect(first >= .zero + .minutes(1) && last < .zero + .minutes(1) + over + .seconds(2))
        #expect(last - first >= over * 85 / 100)
        if over == .zero {
            #expect(ends.count == 200)
        } else {
            // A new connection is on an instance that is still to go with a chance that sinks: one more in all, at most three.
            #expect(ends.count > 300 && ends.count < 700)
            let waves = Set(ends.map { ($0.at - Instant.zero).nanoseconds / 10_000_000_000 })
            #expect(waves.count >= 9)
        }
    }

    /// Broken: handshakes that cost the server nothing, or resumed ones as much as full ones.
    @Test func handshakesCostTheServer() {
        var world = world(2, phones: 100)
        world.server.acceptsPerSecond = 1_000
        func last(_ tls: String) -> Instant {
            let strategy = Fixture.composed([("transport", [("kind", "websocket"), ("tls", tls)])])
            let run = Simulation(world: world, strategy: strategy, seed: 1).everything()
            return run.records.filter { $0.kind == .opened }.map(\.at).max()!
        }
        let free = last("1.3")
        world.server.handshakeCost = HandshakeCost(full: .milliseconds(20), resumed: .milliseconds(2))
        let full = last("1.3") - free
        #expect(full > .milliseconds(1_900) && full < .milliseconds(2_100), "\(full)")
        // The first connection of a process is set up in full, whatever is asked for.
        #expect(last("1.3-resumed") - free == full)
    }
}
