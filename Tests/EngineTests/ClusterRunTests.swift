import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Phones that share several server instances.
@Suite struct ClusterRunTests {
    private func world(_ instances: UInt8, phones: Int, minutes: Int64 = 4) -> World {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(minutes), phones: phones)
        world.server.cluster.instances = instances
        return world
    }

    private func run(
        _ world: World, _ settings: [(String, [(String, String)])] = [], over kind: String = "websocket"
    ) -> AllRecords {
        let transport = ("transport", [("kind", kind)])
        return Simulation(world: world, strategy: Fixture.composed([transport] + settings), seed: 1).allRecords()
    }

    /// Broken: an instance failure ends connections of other instances, connections outlive their instance, or a frozen
    /// instance closes its connections. A third of the twelve phones is on the instance.
    @Test(arguments: [InstanceChange.down, .frozen])
    func anInstanceFailureEndsItsConnections(change: InstanceChange) {
        var world = world(3, phones: 12)
        world.timeline += [(60, change), (80, .ejected), (120, .up), (125, .readmitted)].map {
            TimelineEntry(at: .zero + .seconds($0.0), .instance(1, $0.1))
        }
        let run = run(world)
        let closed = run.records.filter { $0.kind == .closed }
        #expect(closed.count == 4 && Set(closed.map { $0.phone % 3 }) == [1])
        let from = Instant.zero + .seconds(change == .down ? 60 : 80)
        #expect(closed.allSatisfy { from < $0.at && $0.at < from + .seconds(2) })
        let back = run.records.filter { $0.kind == .herdBack && $0.tag == 1 }
        #expect(back.count == 4 && run.count(.herdMissing) == 0)
    }

    /// Broken: calls go to another instance than their connection, or instances share one capacity.
    @Test func eachInstanceServesItsOwnConnections() {
        func answered(_ instances: UInt8) -> (Int, rejected: Int) {
            var world = world(instances, phones: 4)
            world.traffic.calls = .every(.seconds(2), bytes: 200)
            world.traffic.answer = .constant(500)
            world.server.faults.requestsPerSecond = 1
            world.server.faults.queue = 1
            let run = run(world, [("calls", [("deadline", "20s")])], over: "grpc")
            return (run.count(.answered), run.count(.serverRejected))
        }
        let (one, two) = (answered(1), answered(2))
        #expect(one.rejected > 200 && two.rejected == 0 && two.0 > one.0 * 18 / 10)
    }

    /// Broken: abandoned requests are served before useful ones although the queue has a timeout, or a timeout is not
    /// reported. Thirty clients make one call a second and call again before a long queue answers. The database can
    /// serve a third more than that; the server freezes for half a minute. Half a minute later it is useful again, or
    /// never.
    @Test func aQueueWithATimeoutRecovers() {
        func after(_ timeout: TimeSpan?) -> (answered: Int, rejected: Int) {
            var world = world(2, phones: 30)
            world.traffic.calls = .every(.seconds(1), bytes: 200)
            world.traffic.answer = .constant(500)
            world.server.faults.requestsPerSecond = 100
            world.server.faults.queue = 1_000_000
            world.server.faults.queueTimeout = timeout
            world.server.cluster.database = .init(queriesPerSecond: 40)
            world.timeline += [(60, ServerChange.frozen), (90, .thawed)].map {
                TimelineEntry(at: .zero + .seconds($0.0), .server($0.1))
            }
            let client: SettingsLiteral = [
                "transport": ["kind": "grpc"],
                "calls": ["deadline": "5s", "hedging-policy": ["delay": "1s", "max-attempts": "4"]],
            ]
            let run = Simulation(world: world, strategy: client.strategy, seed: 1).allRecords()
            let late = run.records.filter { $0.at >= .zero + .minutes(2) }
            return (late.count { $0.kind == .answered }, late.count { $0.kind == .serverRejected })
        }
        let (forEver, bounded) = (after(nil), after(.milliseconds(500)))
        #expect(forEver.answered < 360 && forEver.rejected == 0, "\(forEver)")
        #expect(bounded.answered > 3_400, "\(bounded)")
    }

    /// Broken: connections on an instance that is removed are never reset, are reset too soon, or are reset without a
    /// configured grace. Or a phone that is idle at the end gets no reset. Twelve phones work for two minutes and are
    /// idle afterwards; one instance becomes two.
    @Test(arguments: [nil, TimeSpan.seconds(30)])
    func connectionsOnARemovedInstanceAreResetAfterItsGrace(grace: TimeSpan?) {
        var world = world(1, phones: 12, minutes: 10)
        world.server.acceptsPerSecond = 1
        world.server.cluster.balance = .leastConnections
        world.server.cluster.autoscaling = .init(
            target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, maximum: 2, downAfter: .seconds(60),
            grace: grace)
        let run = run(world, [("connect", [("timeout", "3s")]), ("backoff", [("base", "1s"), ("jitter", "none")])])
        let closed = run.records.filter { $0.kind == .closed && $0.at > .zero + .minutes(1) }
        #expect(grace == nil ? closed.isEmpty : !closed.isEmpty, "\(closed.count)")
        // A check requests the second instance at 10 s at the earliest. Removal then takes `downAfter` and the grace.
        #expect(closed.allSatisfy { $0.at > .zero + .seconds(100) })
    }

    /// Broken: a client that is shed gets no answer, or does not return after the delay that the server requested.
    @Test func aShedClientReturnsAfterTheRequestedDelay() {
        var world = world(1, phones: 3)
        world.server.acceptsPerSecond = 1
        world.server.cluster.backlog = 0
        world.server.cluster.shedding = .seconds(30)
        let run = run(
            world,
            [
                ("connect", [("retry-after", "heed")]),
                ("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")]),
            ],
            over: "grpc")
        #expect(run.count(.serverAccepted) == 3 && run.count(.serverRejected) == 3)
        let last = run.records.filter { $0.kind == .opened }.map(\.at).max()!
        #expect(last > .zero + .minutes(1) && last < .zero + .seconds(65))
    }

    /// Broken: a full accept queue answers.
    @Test func anIgnoredClientWaitsForItsTimeout() {
        var world = world(1, phones: 2)
        world.server.acceptsPerSecond = 1
        world.server.cluster.backlog = 0
        let run = run(world, [("connect", [("timeout", "7s")]), ("backoff", [("base", "1s"), ("jitter", "none")])])
        let opened = run.records.filter { $0.kind == .opened }.map(\.at).sorted()
        #expect(opened.count == 2 && opened[1] - opened[0] > .seconds(6))
        let refused = run.records.filter { $0.kind == .serverRejected }
        #expect(refused.map(\.tag) == [RejectionCode.unheard.rawValue])
    }

    /// Broken: acknowledgements are sent in the middle of a sync window, before an answer that was sent earlier. A
    /// shared server that is never busy must send the same as one that is not shared. A sync window lasts 60 ms, and a
    /// kernel delays acknowledgements by 40 ms.
    @Test func aSharedServerAcknowledgesLikeAnUnsharedOne() {
        func acknowledgements(isShared: Bool) -> (Int128, answered: Int) {
            var world = world(1, phones: 2)
            let way = LinkDirection(
                delay: .constant(60_000_000), floor: .milliseconds(60), bitsPerSecond: 20_000_000,
                loss: .independent(.zero))
            world.cellularLink = LinkProfile(up: way, down: way)
            world.traffic.calls = .every(.seconds(2), bytes: 200)
            world.traffic.answer = .constant(500)
            // A program that answers at once does so in the same step in which it reads.
            world.server.thinkTime = .milliseconds(1)
            if isShared { world.server.faults.requestsPerSecond = 1_000_000 }
            let run = run(world, [("calls", [("deadline", "20s")])], over: "grpc")
            return (run.ledger.bytes(.down, for: .ack, on: .cellular), run.count(.answered))
        }
        let (alone, shared) = (acknowledgements(isShared: false), acknowledgements(isShared: true))
        #expect(alone == shared && alone.answered > 200, "\(alone), \(shared)")
    }
}
