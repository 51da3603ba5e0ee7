import DeadzonePrimitives
import DeadzoneTestKit
import Testing

@testable import DeadzoneServer

/// How a cluster takes care of itself: requests that leave the queue, checks that see its length, instances that come and go.
@Suite struct ClusterCareTests {
    private static func cluster(_ instances: UInt8, _ set: (inout ServerProfile) -> Void) -> Cluster {
        var server = ServerProfile()
        server.cluster.instances = instances
        set(&server)
        return Cluster(server)
    }

    // MARK: The queue

    /// Broken: a request that leaves and has cost work, or leaves too early or late, or is in nobody's way while it stands there. A tenth
    /// of a second each, three may wait, a quarter of a second at most.
    @Test func whoseTurnDoesNotComeLeaves() {
        var cluster = Self.cluster(1) {
            $0.troubles.requestsPerSecond = 10
            $0.troubles.queue = 3
            $0.troubles.queueTimeout = .milliseconds(250)
        }
        let verdicts = [0, 0, 0, 0, 0, 240, 260, 300].map { cluster.call(0, at: 1_000 + $0) }
        #expect(
            verdicts == [
                .served(at: at(1_100), by: 0), .served(at: at(1_200), by: 0), .served(at: at(1_300), by: 0),
                .dropped(at: at(1_250)), .refused, .served(at: at(1_400), by: 0), .served(at: at(1_500), by: 0),
                .served(at: at(1_600), by: 0),
            ])
    }

    /// Broken: a wait without a bound, a request that is refused though there is a place, or a database that works for who has left.
    /// The oracle keeps everybody's time to leave in a plain list.
    @Test func noWaitIsLongerThanTheTimeout() {
        seedSweep(200) { seed in
            var dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            func draw(_ range: ClosedRange<Int64>) -> Int64 {
                range.lowerBound + Int64(dice.next().scaled(below: UInt64(range.upperBound - range.lowerBound + 1)))
            }
            let (patience, places, queries) = (draw(1...900), Int(draw(0...20)), draw(0...2))
            var cluster = Self.cluster(1) {
                $0.troubles.requestsPerSecond = 20
                $0.troubles.queue = UInt32(places)
                $0.troubles.queueTimeout = .milliseconds(patience)
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
                case .unheard, .reset: Issue.record("\(verdict)")
                }
                #expect(leaving.count <= places + 1)
            }
        }
    }

    /// Broken: who waits for a database that others keep busy does not count that wait.
    @Test func aBusyDatabaseIsWaitedForToo() {
        var cluster = Self.cluster(2) {
            $0.troubles.requestsPerSecond = 10
            $0.troubles.queueTimeout = .milliseconds(500)
            $0.cluster.database = .init(queriesPerSecond: 1)
        }
        #expect(cluster.call(0, at: 0) == .served(at: at(1_100), by: 0))
        #expect(cluster.call(1, at: 0) == .dropped(at: at(500)))
        #expect(cluster.call(1, at: 600) == .served(at: at(2_100), by: 1))
    }

    /// Broken: an instance that comes back goes on with what it had to do when it went.
    @Test func whoComesBackHasNothingToDo() {
        var server = ServerProfile()
        server.troubles.requestsPerSecond = 1
        let gone = [(5_000, InstanceChange.down), (6_000, .up)].map {
            InstanceEvent(at: at($0.0), 0, $0.1)
        }
        var cluster = Cluster(server, events: gone)
        for _ in 0..<20 { _ = cluster.call(0, at: 0) }
        #expect(cluster.call(0, at: 7_000) == .served(at: at(8_000), by: 0))
    }

    // MARK: Checks

    /// Broken: a check waits where a request would have left. Two requests of a second each, the second begun half a second after the look.
    @Test func aCheckIsNoMorePatientThanARequest() {
        var cluster = Self.cluster(1) {
            $0.troubles.requestsPerSecond = 1
            $0.troubles.queueTimeout = .seconds(1)
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .seconds(3))
        }
        for moment in [500, 900] as [Int64] { _ = cluster.call(0, at: moment) }
        #expect(cluster.connect(at: 1_100) == .reset)
    }

    /// Broken: an instance with a long line gets connections, loses those that it has, or is not taken back by the first good check. Twenty
    /// requests of a second each; out with the second check, back with the one at 17 s.
    @Test func whoseLineIsLongGetsNoConnections() {
        var cluster = Self.cluster(2) {
            $0.troubles.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 2, timeout: .seconds(3))
        }
        for _ in 0..<20 { _ = cluster.call(0, at: 0) }
        #expect([1_900, 1_950].map { cluster.connect(at: $0) } == [.by(0), .by(1)])
        #expect([2_000, 2_100, 16_900].map { cluster.connect(at: $0) } == [.by(1), .by(1), .by(1)])
        #expect(cluster.outCount(at: at(16_900)) == 1)
        #expect(cluster.connect(at: 17_000) == .by(0))
        #expect(cluster.call(0, at: 17_000) == .served(at: at(21_000), by: 0))
    }

    /// Broken: what becomes of who comes when nobody is fit: reset, or dealt out to all where the balancer panics.
    @Test(
        arguments: [
            (2, nil, .reset), (2, Probability(1, of: 2), .by(0)), (1, nil, .by(1)), (1, Probability(1, of: 2), .by(1)),
            (1, Probability(3, of: 4), .by(0)),
        ] as [(UInt8, Probability?, Outcome)])
    func whenNobodyIsFit(out: UInt8, panic: Probability?, outcome: Outcome) {
        var cluster = Self.cluster(2) {
            $0.troubles.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .zero, panic: panic)
        }
        for number in 0..<out { for _ in 0..<9 { _ = cluster.call(number, at: 0) } }
        #expect(cluster.connect(at: 1_500) == outcome)
        #expect(cluster.outCount(at: at(1_500)) == Int(out))
    }

    /// Broken: checks that take out what is left one after the other. Forty clients connect anew every ten seconds and ask once a second;
    /// four instances can do twelve a second each, three cannot. One has a lot to do for a while.
    @Test(arguments: [nil, Probability(3, of: 5)])
    func oneThatIsOutTakesTheOthersAlong(panic: Probability?) {
        func most(burst: Int) -> (out: Int, reset: Int) {
            var cluster = Self.cluster(4) {
                $0.troubles.requestsPerSecond = 12
                $0.troubles.queue = 10_000
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
                    if let instance = instances[client] { cluster.leave(instance) }
                    let outcome = cluster.connect(at: now)
                    instances[client] = outcome.instance
                    if outcome == .reset { reset += 1 }
                }
                if let instance = instances[client] { _ = cluster.call(instance, at: now) }
                out = max(out, cluster.outCount(at: at(now)))
            }
            return (out, reset)
        }
        #expect(most(burst: 0) == (0, 0))
        let met = most(burst: 400)
        #expect(panic == nil ? met.out == 4 && met.reset > 10 : met.out > 1 && met.reset == 0, "\(met)")
    }

    // MARK: Instances that go

    /// Broken: an instance that goes at once, gets connections when it is too many, loses its own, or goes below the number of the
    /// beginning. Ten seconds of work at the first look want two instances; none later does.
    @Test func whoIsTooManyLeaves() {
        var cluster = Self.cluster(1) {
            $0.troubles.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, most: 3, downAfter: .seconds(30))
        }
        for _ in 0..<100 { _ = cluster.call(0, at: 0) }
        #expect([11_000, 12_000, 48_000, 49_000].map { cluster.connect(at: $0) } == [.by(1), .by(0), .by(1), .by(0)])
        #expect([51_000, 52_000, 900_000].map { cluster.connect(at: $0) } == [.by(0), .by(0), .by(0)])
        #expect(cluster.call(1, at: 900_000) == .served(at: at(900_100), by: 1))
        // The next has another number while somebody is there, and that number afterwards.
        for _ in 0..<100 { _ = cluster.call(0, at: 900_000) }
        #expect([911_000, 912_000].map { cluster.connect(at: $0) } == [.by(2), .by(0)])
        _ = cluster.connect(at: 960_000)
        cluster.leave(1)
        cluster.leave(1)
        for _ in 0..<100 { _ = cluster.call(0, at: 960_000) }
        #expect([971_000, 972_000].map { cluster.connect(at: $0) } == [.by(1), .by(0)])
    }

    /// Broken: what is left of an instance is reset at another moment, its number is given to another before that, or fewer stay than there
    /// were at the beginning. Two that are busy want four; from 50 s on two are too many.
    @Test func whatIsLeftIsResetAfterTheGrace() {
        var cluster = Self.cluster(2) {
            $0.troubles.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, most: 4, downAfter: .seconds(30),
                grace: .seconds(20))
        }
        for number in 0..<2 as Range<UInt8> { for _ in 0..<100 { _ = cluster.call(number, at: 0) } }
        #expect(cluster.nextCut(knownAt: at(49_999)) == nil)
        #expect(cluster.nextCut(knownAt: at(50_000)) == Cluster.Cut(at: at(70_000), instance: 3))
        #expect(cluster.instances.count { !$0.isLeaving } == 2)
        for number in 0..<2 as Range<UInt8> { for _ in 0..<100 { _ = cluster.call(number, at: 51_000) } }
        _ = cluster.call(0, at: 61_000)
        #expect(cluster.instances.count == 6)
    }

    /// Broken: a tolerance that is none, or that holds for all. Twenty instances whose target is half of the time.
    @Test(arguments: [(50, 20), (46, 20), (45, 20), (44, 18), (20, 8), (0, 1)])
    func aTenthLessIsNearEnough(requests: Int, staying: Int) {
        var cluster = Self.cluster(1) {
            $0.troubles.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, most: 20, downAfter: .seconds(30))
        }
        for look in 0..<Int64(20) {
            _ = cluster.connect(at: look * 10_000)
            for number in cluster.instances.indices where !cluster.instances[number].isLeaving {
                let count = look < 8 ? 100 : look < 13 ? requests : 50
                for _ in 0..<count { _ = cluster.call(UInt8(number), at: look * 10_000) }
            }
        }
        #expect(cluster.instances.count { !$0.isLeaving } == staying)
    }
}

private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

/// What came of a new connection.
enum Outcome: Equatable, Sendable {
    case by(UInt8)
    case reset, none

    var instance: UInt8? { if case .by(let instance) = self { instance } else { nil } }
}

extension Cluster {
    fileprivate mutating func call(_ instance: UInt8, at milliseconds: Int64) -> Verdict {
        decide(.call(0), of: instance, at: milliseconds)
    }

    fileprivate mutating func connect(at milliseconds: Int64) -> Outcome {
        switch decide(.session(handshake: .zero), of: nil, at: milliseconds) {
        case .served(_, let instance): .by(instance)
        case .reset: .reset
        case .refused, .dropped, .unheard: .none
        }
    }

    private mutating func decide(_ matter: Arrival.Matter, of instance: UInt8?, at milliseconds: Int64) -> Verdict {
        let now = Instant.zero + .milliseconds(milliseconds)
        let arrival = Arrival(at: now, sequence: 0, slot: 0, generation: 1, instance: instance, matter: matter)
        return decide(arrival, roundEnd: now + .milliseconds(5))
    }
}
