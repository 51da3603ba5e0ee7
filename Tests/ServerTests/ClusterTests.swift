import DeadzonePrimitives
@testable import DeadzoneServer
import Testing

@Suite struct ClusterTests {
    /// A cluster, and what comes to it, each arrival alone in its round.
    private struct Scene {
        var cluster: Cluster

        init(_ instances: UInt8, events: [InstanceEvent] = [], _ set: (inout ServerProfile) -> Void = { _ in }) {
            var server = ServerProfile()
            server.cluster.instances = instances
            set(&server)
            cluster = Cluster(server, events: events)
        }

        mutating func decide(_ matter: Arrival.Matter, of instance: UInt8? = nil, at second: Int64) -> Cluster.Verdict {
            let at = Instant.zero + .seconds(second)
            let arrival = Arrival(at: at, sequence: 0, slot: 0, generation: 1, instance: instance, matter: matter)
            return cluster.decide(arrival, roundEnd: at + .milliseconds(5))
        }

        /// Who gets a new connection; nil: nobody.
        mutating func connect(at second: Int64) -> UInt8? {
            guard case .served(_, let instance) = decide(.session(handshake: .zero), at: second) else { return nil }
            return instance
        }
    }

    /// Broken: a balancer that passes somebody over, or does not know who has left.
    @Test func theBalancerDealsConnectionsOut() {
        var turns = Scene(3)
        #expect((0..<5).map { turns.connect(at: $0) } == [0, 1, 2, 0, 1])
        var fewest = Scene(3) { $0.cluster.balance = .leastConnections }
        #expect((0..<3).map { fewest.connect(at: $0) } == [0, 1, 2])
        fewest.cluster.leave(1)
        #expect(fewest.connect(at: 4) == 1)
        var bounded = Scene(2) { $0.cluster.connectionLimit = 1 }
        #expect((0..<3).map { bounded.connect(at: $0) } == [0, 1, nil])
        bounded.cluster.leave(0)
        #expect(bounded.connect(at: 4) == 0)
    }

    /// Broken: an accept queue without an end, a handshake that waits for nobody, or instances that share a door.
    @Test func eachInstanceHasItsOwnDoor() {
        var scene = Scene(2) {
            $0.acceptsPerSecond = 10
            $0.cluster.backlog = 1
        }
        let verdicts = (0..<5).map { _ in scene.decide(.session(handshake: .milliseconds(400)), at: 1) }
        let (first, second) = (Instant.zero + .milliseconds(1_500), Instant.zero + .seconds(2))
        #expect(
            verdicts == [
                .served(at: first, by: 0), .served(at: first, by: 1), .served(at: second, by: 0),
                .served(at: second, by: 1), .unheard,
            ])
        var sheds = Scene(1) {
            $0.acceptsPerSecond = 10
            $0.cluster.backlog = 0
            $0.cluster.shedding = .seconds(5)
        }
        #expect(sheds.connect(at: 0) == 0)
        #expect(sheds.decide(.session(handshake: .zero), at: 0) == .refused)
    }

    /// Broken: an instance that is away and gets connections, one that is ejected and gets them, or one that is back and does not.
    @Test func anInstanceThatIsAwayGetsNothing() {
        let health = ClusterProfile.HealthChecks(every: .seconds(5), failures: 3)
        let (away, back) = (Instant.zero + .seconds(11), Instant.zero + .seconds(42))
        #expect(
            health.ejected(awayFrom: away) == .zero + .seconds(25)
                && health.taken(backFrom: back) == .zero + .seconds(45))
        for (change, absence) in [(InstanceChange.down, Cluster.Verdict.reset), (.frozen, .unheard)] {
            var scene = Scene(
                2,
                events: [
                    InstanceEvent(at: away, 1, change), InstanceEvent(at: .zero + .seconds(25), 1, .ejected),
                    InstanceEvent(at: back, 1, .up), InstanceEvent(at: .zero + .seconds(45), 1, .taken),
                ])
            #expect([1, 2].map { scene.connect(at: $0) } == [0, 1])
            #expect(scene.connect(at: 12) == 0)
            #expect(scene.decide(.session(handshake: .zero), at: 13) == absence)
            #expect([26, 27, 44].map { scene.connect(at: $0) } == [0, 0, 0])
            #expect([46, 47].map { scene.connect(at: $0) } == [1, 0])
        }
    }

    /// Broken: a connection in the very round in which its instance goes, which its phone would never lose.
    @Test func whoComesInTheRoundInWhichItGoesIsReset() {
        var scene = Scene(1, events: [InstanceEvent(at: .zero + .milliseconds(1_004), 0, .down)])
        #expect(scene.decide(.session(handshake: .zero), at: 1) == .reset)
        var later = Scene(1, events: [InstanceEvent(at: .zero + .milliseconds(1_005), 0, .down)])
        #expect(later.connect(at: 1) == 0)
    }

    /// Broken: a database that each instance has for itself, or whose queue is no part of the instance's.
    @Test func allInstancesWaitForOneDatabase() {
        var scene = Scene(2) {
            $0.troubles.requestsPerSecond = 1_000
            $0.troubles.queue = 1
            $0.cluster.database = .init(queriesPerSecond: 10, perCall: 2)
        }
        let verdicts = [0, 1, 0, 0].map { scene.decide(.call(0), of: $0, at: 1) }
        func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
        #expect(
            verdicts == [
                .served(at: at(1_201), by: 0), .served(at: at(1_401), by: 1), .served(at: at(1_601), by: 0), .refused,
            ])
    }

    /// Broken: more instances than the work asks for, fewer, too soon, or more than there may be. One instance works for 10 s out
    /// of 10: at a target of half of the time that wants two.
    @Test func instancesComeWhereThereIsWork() {
        var scene = Scene(1) {
            $0.troubles.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .seconds(20), most: 3)
        }
        for _ in 0..<100 { _ = scene.decide(.call(0), of: 0, at: 0) }
        #expect((11..<14).map { scene.connect(at: $0) } == [0, 0, 0])
        #expect((30..<33).map { scene.connect(at: $0) } == [1, 0, 1])
        var idle = Scene(1) {
            $0.troubles.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, most: 3)
        }
        for _ in 0..<50 { _ = idle.decide(.call(0), of: 0, at: 0) }
        #expect((11..<14).map { idle.connect(at: $0) } == [0, 0, 0])
    }
}
