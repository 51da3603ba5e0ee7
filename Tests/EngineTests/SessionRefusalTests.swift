import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

@Suite struct SessionRefusalTests {
    private func world(_ minutes: Int64 = 30, phones: Int = 1) -> World {
        Fixture.cellularWorld(Traffic(down: .every(.seconds(30))), horizon: .minutes(minutes), phones: phones)
    }

    private func client(_ kind: String, _ connect: [(String, String)] = []) -> AnyStrategy {
        Fixture.composed([
            ("transport", [("kind", kind)]), ("connect", [("timeout", "20s")] + connect),
            ("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")]),
        ])
    }

    /// Broken: temporarily refused sessions never open, or permanently refused ones do. Or a client continues where it
    /// should stop, or returns before Retry-After has passed.
    @Test(arguments: ["websocket", "grpc"])
    func theServerRefusesSessions(kind: String) {
        var world = world()
        world.server.faults.sessionTransient = Probability(90, of: 100)
        world.server.faults.retryAfter = .seconds(20)
        func attempts(_ connect: [(String, String)]) -> (AllRecords, [Instant]) {
            let run = Simulation(world: world, strategy: client(kind, connect), seed: 5).allRecords()
            return (run, run.records.filter { $0.kind == .connecting }.map(\.at))
        }
        let (hasty, often) = attempts([])
        let (patient, seldom) = attempts([("retry-after", "heed")])
        #expect(hasty.count(.serverRejected) > 0 && patient.count(.serverRejected) == hasty.count(.serverRejected))
        #expect(zip(seldom, seldom.dropFirst()).allSatisfy { $1 - $0 >= .seconds(20) } && seldom.count == often.count)
        #expect(zip(often, often.dropFirst()).allSatisfy { $1 - $0 < .seconds(3) })
        #expect(hasty.count(.deliveredDown) > 0)
        world.server.faults.sessionTransient = .zero
        world.server.faults.sessionPermanent = .one
        #expect(attempts([]).1.count > 500 && attempts([("when-denied", "stop")]).1.count == 1)
    }

    /// Broken: a session counts as open before the server has authenticated the client. Authentication costs one more
    /// round trip and its processing time.
    @Test(arguments: ["websocket", "grpc"])
    func authenticationCostsARoundTrip(kind: String) {
        var world = world(1)
        func opened() -> Instant {
            let run = Simulation(world: world, strategy: client(kind), seed: 1).allRecords()
            return run.records.first { $0.kind == .opened }!.at
        }
        let plain = opened()
        world.server.authentication = .milliseconds(500)
        let more = opened() - plain
        // A transport that opens before the server's first message must also wait for that message.
        let least = TimeSpan.milliseconds(kind == "grpc" ? 640 : 570)
        #expect(more >= least && more < least + .milliseconds(60), "\(more)")
    }

    /// Broken: a gradual deploy ends all connections at once, a deploy ends none, or it ends a connection to a new
    /// instance.
    @Test(arguments: [(TimeSpan.zero, false), (.seconds(100), false), (.seconds(100), true)])
    func aDeployRolls(over: TimeSpan, isAbrupt: Bool) {
        var world = world(5, phones: 200)
        world.timeline.append(
            TimelineEntry(at: .zero + .minutes(1), .deploy(Deploy(over: over, instances: 10, isAbrupt: isAbrupt))))
        let run = Simulation(world: world, strategy: client("websocket"), seed: 1).allRecords()
        let ends = run.records.filter { $0.kind == .closed }
        let code = isAbrupt ? CloseCode.reset : .ended
        #expect(ends.allSatisfy { $0.tag == code.rawValue })
        let first = ends.map(\.at).min()!, last = ends.map(\.at).max()!
        #expect(first >= .zero + .minutes(1) && last < .zero + .minutes(1) + over + .seconds(2))
        #expect(last - first >= over * 85 / 100)
        if over == .zero {
            #expect(ends.count == 200)
        } else {
            // A new connection is on an instance that is still to be replaced, with a falling probability: one more end
            // in all, at most three.
            #expect(ends.count > 300 && ends.count < 700)
            let waves = Set(ends.map { ($0.at - Instant.zero).nanoseconds / 10_000_000_000 })
            #expect(waves.count >= 9)
        }
    }

    /// Broken: handshakes cost the server nothing, or resumed handshakes cost as much as full ones.
    @Test func handshakesCostTheServer() {
        var world = world(2, phones: 100)
        world.server.acceptsPerSecond = 1_000
        func last(_ tls: String) -> Instant {
            let strategy = Fixture.composed([("transport", [("kind", "websocket"), ("tls", tls)])])
            let run = Simulation(world: world, strategy: strategy, seed: 1).allRecords()
            return run.records.filter { $0.kind == .opened }.map(\.at).max()!
        }
        let free = last("1.3")
        world.server.handshakeCost = HandshakeCost(full: .milliseconds(20), resumed: .milliseconds(2))
        let full = last("1.3") - free
        #expect(full > .milliseconds(1_900) && full < .milliseconds(2_100), "\(full)")
        // The first connection of a process needs a full handshake, whatever the settings are.
        #expect(last("1.3-resumed") - free == full)
    }

    /// Broken: without a rate of connections, a handshake takes no time, or handshakes delay one another. Instances
    /// without a rate are the same.
    @Test(arguments: [1, 4] as [UInt8])
    func aHandshakeTakesItsTimeWithoutARate(_ instances: UInt8) {
        var world = world(2, phones: 100)
        world.server.cluster.instances = instances
        func opened(_ tls: String) -> [Instant] {
            let strategy = Fixture.composed([("transport", [("kind", "websocket"), ("tls", tls)])])
            let run = Simulation(world: world, strategy: strategy, seed: 1).allRecords()
            return run.records.filter { $0.kind == .opened }.map(\.at).sorted()
        }
        let (free, plain) = (opened("1.3"), opened("none"))
        world.server.handshakeCost = HandshakeCost(full: .milliseconds(20), resumed: .milliseconds(2))
        let paid = opened("1.3")
        #expect(free.count >= 100 && paid.count == free.count)
        let slower = paid[99] - free[99]
        #expect(.milliseconds(19) < slower && slower < .milliseconds(21), "\(slower)")
        #expect(opened("none") == plain)
    }
}
