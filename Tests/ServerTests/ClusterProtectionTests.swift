import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator

/// Self-protection of a cluster: requests that time out in the queue, health checks that see the queue, and instances
/// that start and stop.
@Suite struct ClusterProtectionTests {
    private static func cluster(_ instances: UInt8, _ set: (inout ServerProfile) -> Void) -> Cluster {
        var server = ServerProfile()
        server.cluster.instances = instances
        set(&server)
        return Cluster(server)
    }

    // MARK: The queue

    /// Broken: a request that times out in the queue costs processing time, leaves too early or too late, or occupies
    /// no queue slot while it waits. Each request takes a tenth of a second; three may wait, for a quarter of a
    /// second at most.
    @Test func aRequestTimesOutInTheQueue() {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.faults.queue = 3
            $0.faults.queueTimeout = .milliseconds(250)
        }
        let verdicts = [0, 0, 0, 0, 0, 240, 260, 300].map { cluster.call(0, at: 1_000 + $0) }
        #expect(
            verdicts == [
                .served(at: at(1_100), by: 0), .served(at: at(1_200), by: 0), .served(at: at(1_300), by: 0),
                .dropped(at: at(1_250)), .refused, .served(at: at(1_400), by: 0), .served(at: at(1_500), by: 0),
                .served(at: at(1_600), by: 0),
            ])
    }

    /// Broken: a wait is unbounded, a request is refused although the queue has room, or the database works for a
    /// request that has left. The reference model keeps the leave time of every request in a plain list.
    @Test func noWaitIsLongerThanTheTimeout() {
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ range: ClosedRange<Int64>) -> Int64 {
                range.lowerBound + Int64(dice.next().scaled(below: UInt64(range.upperBound - range.lowerBound + 1)))
            }
            let (patience, places, queries) = (draw(1...900), Int(draw(0...20)), draw(0...2))
            var cluster = Self.cluster(1) {
                $0.faults.requestsPerSecond = 20
                $0.faults.queue = UInt32(places)
                $0.faults.queueTimeout = .milliseconds(patience)
                $0.cluster.database = .init(queriesPerSecond: 25, perCall: UInt16(queries))
            }
            var (now, asked) = (Int64(0), Int64(0))
            var leaving: [Instant] = []
            var lastQuery = Instant.zero
            for _ in 0..<300 {
                now += draw(0...60)
                leaving.removeAll { $0 <= at(now) }
                let verdict = cluster.call(0, at: now)
                switch verdict {
                case .served(let end, _):
                    leaving.append(end)
                    asked += queries
                    lastQuery = max(lastQuery, at(now)) + .milliseconds(40 * queries)
                    #expect(end <= at(now + patience + 40 * queries + 50) && lastQuery + .milliseconds(50) <= end)
                case .dropped(let end):
                    leaving.append(end)
                    #expect(end == at(now + patience))
                case .refused: #expect(leaving.count == places + 1)
                case .unanswered, .reset: Issue.record("\(verdict)")
                }
                #expect(leaving.count <= places + 1)
            }
        }
    }

    /// Broken: the wait for a database that other instances keep busy does not count towards the timeout.
    @Test func aWaitForABusyDatabaseCounts() {
        var cluster = Self.cluster(2) {
            $0.faults.requestsPerSecond = 10
            $0.faults.queueTimeout = .milliseconds(500)
            $0.cluster.database = .init(queriesPerSecond: 1)
        }
        #expect(cluster.call(0, at: 0) == .served(at: at(1_100), by: 0))
        #expect(cluster.call(1, at: 0) == .dropped(at: at(500)))
        #expect(cluster.call(1, at: 600) == .served(at: at(2_100), by: 1))
    }

    /// Broken: an instance that restarts continues with the work that it had when it stopped.
    @Test func aRestartedInstanceHasNoWork() {
        var server = ServerProfile()
        server.faults.requestsPerSecond = 1
        let gone = [(5_000, InstanceChange.down), (6_000, .up)].map {
            InstanceEvent(at: at($0.0), 0, $0.1)
        }
        var cluster = Cluster(server, events: gone)
        for _ in 0..<20 { _ = cluster.call(0, at: 0) }
        #expect(cluster.call(0, at: 7_000) == .served(at: at(8_000), by: 0))
    }

    // MARK: Checks

    /// Broken: a check waits longer than a request may. Two requests take a second each; the second starts half a
    /// second after the check.
    @Test func aCheckWaitsNoLongerThanARequest() {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 1
            $0.faults.queueTimeout = .seconds(1)
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .seconds(3))
        }
        for moment in [500, 900] as [Int64] { _ = cluster.call(0, at: moment) }
        #expect(cluster.connect(at: 1_100) == .reset)
    }

    /// Broken: an instance with a long queue gets new connections, loses its existing ones, or does not return with
    /// the first good check. There are twenty requests of one second each. The second check takes the instance out;
    /// the check at 17 s returns it.
    @Test func anInstanceWithALongQueueGetsNoConnections() {
        var cluster = Self.cluster(2) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 2, timeout: .seconds(3))
        }
        for _ in 0..<20 { _ = cluster.call(0, at: 0) }
        #expect([1_900, 1_950].map { cluster.connect(at: $0) } == [.by(0), .by(1)])
        #expect([2_000, 2_100, 16_900].map { cluster.connect(at: $0) } == [.by(1), .by(1), .by(1)])
        #expect(cluster.unreadyCount(at: at(16_900)) == 1)
        #expect(cluster.connect(at: 17_000) == .by(0))
        #expect(cluster.call(0, at: 17_000) == .served(at: at(21_000), by: 0))
    }

    /// Broken: a new connection while no instance is healthy. It must be reset, or assigned to any instance if the
    /// balancer is in panic mode.
    @Test(
        arguments: [
            (2, nil, .reset), (2, Probability(1, of: 2), .by(0)), (1, nil, .by(1)), (1, Probability(1, of: 2), .by(1)),
            (1, Probability(3, of: 4), .by(0)),
        ] as [(UInt8, Probability?, ConnectionOutcome)])
    func noInstanceIsHealthy(out: UInt8, panic: Probability?, outcome: ConnectionOutcome) {
        var cluster = Self.cluster(2) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .zero, panic: panic)
        }
        for number in 0..<out { for _ in 0..<9 { _ = cluster.call(number, at: 0) } }
        #expect(cluster.connect(at: 1_500) == outcome)
        #expect(cluster.unreadyCount(at: at(1_500)) == Int(out))
    }

    /// Broken: health checks take out the remaining instances one after the other. Forty clients reconnect every ten
    /// seconds and send one request a second. Four instances can serve twelve requests a second each; three cannot
    /// serve the load. One instance is overloaded for a while.
    @Test(arguments: [nil, Probability(3, of: 5)])
    func oneFailedInstanceOverloadsTheOthers(panic: Probability?) {
        func most(burst: Int) -> (out: Int, reset: Int) {
            var cluster = Self.cluster(4) {
                $0.faults.requestsPerSecond = 12
                $0.faults.queue = 10_000
                $0.cluster.balance = .leastConnections
                $0.cluster.health = .init(every: .seconds(1), failures: 3, timeout: .milliseconds(500), panic: panic)
            }
            var instances: [UInt8?] = Array(repeating: nil, count: 40)
            var (out, reset) = (0, 0)
            for step in 0..<Int64(40 * 120) {
                let (second, client) = (step / 40, Int(step % 40))
                let now = second * 1_000 + Int64(client) * 25
                if step == 40 * 20 { for _ in 0..<burst { _ = cluster.call(0, at: now) } }
                if instances[client] == nil || (second + Int64(client)) % 10 == 0 {
                    if let instance = instances[client] { cluster.releaseConnection(instance) }
                    let outcome = cluster.connect(at: now)
                    instances[client] = outcome.instance
                    if outcome == .reset { reset += 1 }
                }
                if let instance = instances[client] { _ = cluster.call(instance, at: now) }
                out = max(out, cluster.unreadyCount(at: at(now)))
            }
            return (out, reset)
        }
        #expect(most(burst: 0) == (0, 0))
        let met = most(burst: 400)
        #expect(panic == nil ? met.out == 4 && met.reset > 10 : met.out > 1 && met.reset == 0, "\(met)")
    }

    // MARK: Surplus instances

    /// Broken: a surplus instance stops at once, gets new connections, or loses its own. Or the number of instances
    /// falls below the initial number. Ten seconds of work at the first check need two instances; the later checks
    /// need one.
    @Test func surplusInstancesStop() {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, maximum: 3, downAfter: .seconds(30))
        }
        for _ in 0..<100 { _ = cluster.call(0, at: 0) }
        #expect([11_000, 12_000, 48_000, 49_000].map { cluster.connect(at: $0) } == [.by(1), .by(0), .by(1), .by(0)])
        #expect([51_000, 52_000, 900_000].map { cluster.connect(at: $0) } == [.by(0), .by(0), .by(0)])
        #expect(cluster.call(1, at: 900_000) == .served(at: at(900_100), by: 1))
        // A new instance gets another number while the old one still has a connection, and the old number afterwards.
        for _ in 0..<100 { _ = cluster.call(0, at: 900_000) }
        #expect([911_000, 912_000].map { cluster.connect(at: $0) } == [.by(2), .by(0)])
        _ = cluster.connect(at: 960_000)
        cluster.releaseConnection(1)
        cluster.releaseConnection(1)
        for _ in 0..<100 { _ = cluster.call(0, at: 960_000) }
        #expect([971_000, 972_000].map { cluster.connect(at: $0) } == [.by(1), .by(0)])
    }

    /// Broken: the remaining connections of an instance are reset at another time, or its number is reused before
    /// that. Or fewer instances stay than at the start. Two busy instances become four; from 50 s on, two are
    /// surplus.
    @Test func remainingConnectionsAreResetAfterTheGrace() {
        var cluster = Self.cluster(2) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, maximum: 4, downAfter: .seconds(30),
                grace: .seconds(20))
        }
        for number in 0..<2 as Range<UInt8> { for _ in 0..<100 { _ = cluster.call(number, at: 0) } }
        #expect(cluster.nextShutdown(knownAt: at(49_999)) == nil)
        #expect(cluster.nextShutdown(knownAt: at(50_000)) == Cluster.InstanceShutdown(at: at(70_000), instance: 3))
        #expect(cluster.instances.count { !$0.isTerminating } == 2)
        for number in 0..<2 as Range<UInt8> { for _ in 0..<100 { _ = cluster.call(number, at: 51_000) } }
        _ = cluster.call(0, at: 61_000)
        #expect(cluster.instances.count == 6)
    }

    /// Broken: there is no tolerance, or the tolerance covers every load. Twenty instances with a target of half of
    /// the time.
    @Test(arguments: [(50, 20), (46, 20), (45, 20), (44, 18), (20, 8), (0, 1)])
    func aTenthBelowTheTargetIsTolerated(requests: Int, staying: Int) {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, maximum: 20, downAfter: .seconds(30)
            )
        }
        for look in 0..<Int64(20) {
            _ = cluster.connect(at: look * 10_000)
            for number in cluster.instances.indices where !cluster.instances[number].isTerminating {
                let count = look < 8 ? 100 : look < 13 ? requests : 50
                for _ in 0..<count { _ = cluster.call(UInt8(number), at: look * 10_000) }
            }
        }
        #expect(cluster.instances.count { !$0.isTerminating } == staying)
    }
}

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

/// Result of a new connection.
enum ConnectionOutcome: Equatable, Sendable {
    case by(UInt8)
    case reset, none

    var instance: UInt8? { if case .by(let instance) = self { instance } else { nil } }
}

extension Cluster {
    fileprivate mutating func call(_ instance: UInt8, at milliseconds: Int64) -> ServiceOutcome {
        decide(.call(0), of: instance, at: milliseconds)
    }

    fileprivate mutating func connect(at milliseconds: Int64) -> ConnectionOutcome {
        switch decide(.session(handshake: .zero), of: nil, at: milliseconds) {
        case .served(_, let instance): .by(instance)
        case .reset: .reset
        case .refused, .dropped, .unanswered: .none
        }
    }

    private mutating func decide(_ matter: ClusterRequest.RequestKind, of instance: UInt8?, at milliseconds: Int64)
        -> ServiceOutcome
    {
        let now = Instant.zero + .milliseconds(milliseconds)
        let arrival = ClusterRequest(at: now, sequence: 0, slot: 0, generation: 1, instance: instance, kind: matter)
        return decide(arrival, windowEnd: now + .milliseconds(5))
    }
}
