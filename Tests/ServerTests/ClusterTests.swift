import DeadzoneBase
import Testing
@testable import DeadzoneSimulator

@Suite struct ClusterTests {
    /// A cluster and its requests; each request is alone in its sync window.
    private struct ClusterHarness {
        var cluster: Cluster

        init(_ instances: UInt8, events: [InstanceEvent] = [], _ set: (inout ServerProfile) -> Void = { _ in }) {
            var server = ServerProfile()
            server.cluster.instances = instances
            set(&server)
            cluster = Cluster(server, events: events)
        }

        mutating func decide(_ matter: ClusterRequest.RequestKind, of instance: UInt8? = nil, at second: Int64)
            -> Cluster.ServiceOutcome
        {
            let at = Instant.zero + .seconds(second)
            let arrival = ClusterRequest(at: at, sequence: 0, slot: 0, generation: 1, instance: instance, kind: matter)
            return cluster.decide(arrival, windowEnd: at + .milliseconds(5))
        }

        /// Instance that gets a new connection; `nil` if none does.
        mutating func connect(at second: Int64) -> UInt8? {
            guard case .served(_, let instance) = decide(.session(handshake: .zero), at: second) else { return nil }
            return instance
        }
    }

    /// Broken: the balancer skips an instance, or ignores connections that were closed.
    @Test func theBalancerDistributesConnections() {
        var turns = ClusterHarness(3)
        #expect((0..<5).map { turns.connect(at: $0) } == [0, 1, 2, 0, 1])
        var fewest = ClusterHarness(3) { $0.cluster.balance = .leastConnections }
        #expect((0..<3).map { fewest.connect(at: $0) } == [0, 1, 2])
        fewest.cluster.releaseConnection(1)
        #expect(fewest.connect(at: 4) == 1)
        var bounded = ClusterHarness(2) { $0.cluster.connectionLimit = 1 }
        #expect((0..<3).map { bounded.connect(at: $0) } == [0, 1, nil])
        bounded.cluster.releaseConnection(0)
        #expect(bounded.connect(at: 4) == 0)
    }

    /// Broken: the accept queue is unbounded, a handshake takes no time, or the instances share one accept queue.
    @Test func eachInstanceHasItsOwnAcceptQueue() {
        var scene = ClusterHarness(2) {
            $0.acceptsPerSecond = 10
            $0.cluster.backlog = 1
        }
        let verdicts = (0..<5).map { _ in scene.decide(.session(handshake: .milliseconds(400)), at: 1) }
        let (first, second) = (Instant.zero + .milliseconds(1_500), Instant.zero + .seconds(2))
        #expect(
            verdicts == [
                .served(at: first, by: 0), .served(at: first, by: 1), .served(at: second, by: 0),
                .served(at: second, by: 1), .unanswered,
            ])
        var sheds = ClusterHarness(1) {
            $0.acceptsPerSecond = 10
            $0.cluster.backlog = 0
            $0.cluster.shedding = .seconds(5)
        }
        #expect(sheds.connect(at: 0) == 0)
        #expect(sheds.decide(.session(handshake: .zero), at: 0) == .refused)
    }

    /// Broken: an instance that is down or ejected gets connections, or one that is back does not.
    @Test func anInstanceThatIsDownGetsNoConnections() {
        let health = ClusterProfile.HealthChecks(every: .seconds(5), failures: 3)
        let (away, back) = (Instant.zero + .seconds(11), Instant.zero + .seconds(42))
        #expect(
            health.ejected(awayFrom: away) == .zero + .seconds(25)
                && health.readmitted(backFrom: back) == .zero + .seconds(45))
        for (change, absence) in [(InstanceChange.down, Cluster.ServiceOutcome.reset), (.frozen, .unanswered)] {
            var scene = ClusterHarness(
                2,
                events: [
                    InstanceEvent(at: away, 1, change), InstanceEvent(at: .zero + .seconds(25), 1, .ejected),
                    InstanceEvent(at: back, 1, .up), InstanceEvent(at: .zero + .seconds(45), 1, .readmitted),
                ])
            #expect([1, 2].map { scene.connect(at: $0) } == [0, 1])
            #expect(scene.connect(at: 12) == 0)
            #expect(scene.decide(.session(handshake: .zero), at: 13) == absence)
            #expect([26, 27, 44].map { scene.connect(at: $0) } == [0, 0, 0])
            #expect([46, 47].map { scene.connect(at: $0) } == [1, 0])
        }
    }

    /// Broken: a connection is accepted in the same sync window in which its instance stops; the phone would never
    /// lose it.
    @Test func aConnectionInTheWindowOfTheStopIsReset() {
        var scene = ClusterHarness(1, events: [InstanceEvent(at: .zero + .milliseconds(1_004), 0, .down)])
        #expect(scene.decide(.session(handshake: .zero), at: 1) == .reset)
        var later = ClusterHarness(1, events: [InstanceEvent(at: .zero + .milliseconds(1_005), 0, .down)])
        #expect(later.connect(at: 1) == 0)
    }

    /// Broken: each instance has its own database, or the wait for the database is not part of the instance's queue.
    @Test func allInstancesWaitForOneDatabase() {
        var scene = ClusterHarness(2) {
            $0.faults.requestsPerSecond = 1_000
            $0.faults.queue = 1
            $0.cluster.database = .init(queriesPerSecond: 10, perCall: 2)
        }
        let verdicts = [0, 1, 0, 0].map { scene.decide(.call(0), of: $0, at: 1) }
        func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }
        #expect(
            verdicts == [
                .served(at: at(1_201), by: 0), .served(at: at(1_401), by: 1), .served(at: at(1_601), by: 0), .refused,
            ])
    }

    /// Broken: there are more instances than the load needs, fewer, too early, or more than the maximum. One instance
    /// works for 10 s out of 10; a target of half of the time needs two.
    @Test func instancesStartUnderLoad() {
        var scene = ClusterHarness(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .seconds(20), maximum: 3)
        }
        for _ in 0..<100 { _ = scene.decide(.call(0), of: 0, at: 0) }
        #expect((11..<14).map { scene.connect(at: $0) } == [0, 0, 0])
        #expect((30..<33).map { scene.connect(at: $0) } == [1, 0, 1])
        var idle = ClusterHarness(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, maximum: 3)
        }
        for _ in 0..<50 { _ = idle.decide(.call(0), of: 0, at: 0) }
        #expect((11..<14).map { idle.connect(at: $0) } == [0, 0, 0])
    }
}
