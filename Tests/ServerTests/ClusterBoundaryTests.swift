import DeadzoneBase
import DeadzoneTestKit
import Testing

@testable import DeadzoneSimulator

/// Decisions of a cluster at the exact times and counts at which they change.
@Suite struct ClusterBoundaryTests {
    private static func at(_ milliseconds: Int64, _ nanoseconds: Int64 = 0) -> Instant {
        .zero + .milliseconds(milliseconds) + .nanoseconds(nanoseconds)
    }

    private static func cluster(
        _ instances: UInt8, _ events: [InstanceEvent] = [], _ set: (inout ServerProfile) -> Void = { _ in }
    ) -> Cluster {
        var server = ServerProfile()
        server.cluster.instances = instances
        set(&server)
        return Cluster(server, events: events)
    }

    // MARK: Health checks

    /// Broken: a check at the very moment of the failure is missed, or one more or fewer failure ejects the instance.
    @Test func checksAreAtMultiplesOfTheirInterval() {
        let checks = ClusterProfile.HealthChecks(every: .seconds(5), failures: 3)
        let table: [(Instant, Int64, Int64)] = [
            (.zero, 10, 0), (Self.at(0, 1), 15, 5), (Self.at(5_000, -1), 15, 5), (Self.at(5_000), 15, 5),
            (Self.at(5_000, 1), 20, 10),
        ]
        for (moment, ejected, readmitted) in table {
            #expect(checks.ejected(awayFrom: moment) == .zero + .seconds(ejected))
            #expect(checks.readmitted(backFrom: moment) == .zero + .seconds(readmitted))
        }
        let once = ClusterProfile.HealthChecks(every: .seconds(5), failures: 1)
        #expect(once.ejected(awayFrom: Self.at(7_000)) == .zero + .seconds(10))
    }

    /// Broken: an instance that answers at exactly the timeout fails the check, or one that is later by a nanosecond
    /// passes. A call takes one second; the check is at 1 s.
    @Test(arguments: [(2_000, true), (1_999, false)] as [(Int64, Bool)])
    func aCheckWaitsUntilItsTimeout(timeout: Int64, passes: Bool) {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .milliseconds(timeout))
        }
        for _ in 0..<3 { _ = cluster.call(0, at: Self.at(0)) }
        #expect(cluster.connect(at: Self.at(1_000)) == (passes ? .served(at: Self.at(1_000), by: 0) : .reset))
        #expect(cluster.unreadyCount(at: Self.at(1_000)) == (passes ? 0 : 1))
    }

    /// Broken: the accept queue does not delay a check, or a check passes although a queue is full.
    @Test func aCheckPassesBothQueues() {
        var slow = Self.cluster(1) {
            $0.acceptsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .milliseconds(1_500))
        }
        for _ in 0..<3 { _ = slow.connect(at: Self.at(0)) }
        #expect(slow.connect(at: Self.at(1_000)) == .reset, "the third connection is accepted at 3 s")
        for capacity in [0, 1] as [UInt32] {
            var full = Self.cluster(1) {
                $0.acceptsPerSecond = 1
                $0.cluster.backlog = capacity
                $0.cluster.shedding = .seconds(1)
                $0.cluster.health = .init(every: .milliseconds(500), failures: 1, timeout: .hours(1))
            }
            _ = full.connect(at: Self.at(0))
            #expect(full.connect(at: Self.at(500)) == (capacity == 0 ? .reset : .served(at: Self.at(2_000), by: 0)))
        }
        var calls = Self.cluster(1) {
            $0.faults.requestsPerSecond = 1
            $0.faults.queue = 0
            $0.cluster.health = .init(every: .milliseconds(500), failures: 1, timeout: .hours(1))
        }
        _ = calls.call(0, at: Self.at(0))
        #expect(calls.connect(at: Self.at(999)) == .reset)
        #expect(calls.connect(at: Self.at(1_000)) == .served(at: Self.at(1_000), by: 0))
    }

    /// Broken: failures are counted beyond the limit, so that recovery takes longer, or an instance that is down is
    /// checked.
    @Test func oneAnswerReadmits() {
        var cluster = Self.cluster(2) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 2, timeout: .zero)
        }
        for _ in 0..<5 { _ = cluster.call(0, at: Self.at(0)) }
        #expect(cluster.connect(at: Self.at(1_000)).instance == 0)
        #expect((2...4).map { cluster.connect(at: Self.at($0 * 1_000)).instance } == [1, 1, 1])
        #expect(cluster.instances[0].failures == 2)
        #expect(cluster.connect(at: Self.at(5_000)).instance == 0 && cluster.instances[0].failures == 0)
        var down = Self.cluster(1, [InstanceEvent(at: Self.at(500), 0, .down)]) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: .zero)
        }
        for _ in 0..<5 { _ = down.call(0, at: Self.at(0)) }
        _ = down.connect(at: Self.at(3_000))
        #expect(down.instances[0].failures == 0)
    }

    /// Broken: panic mode begins at exactly its share instead of below it, or counts instances that have not started.
    @Test(arguments: [(1, 2, .reset), (1, 1, .panic), (3, 4, .panic), (2, 4, .panic)] as [(UInt64, UInt64, Outcome)])
    func panicBeginsBelowItsShare(part: UInt64, whole: UInt64, outcome: Outcome) {
        // One of two instances is ready: a half.
        var cluster = Self.cluster(2) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.connectionLimit = 1
            $0.cluster.health = .init(
                every: .seconds(1), failures: 1, timeout: .zero, panic: Probability(part, of: whole))
        }
        for _ in 0..<9 { _ = cluster.call(0, at: Self.at(0)) }
        let first = cluster.connect(at: Self.at(1_000)).instance
        let isPanic = UInt64(1) * whole < part * 2
        #expect(first == (isPanic ? 0 : 1))
    }

    enum Outcome: Sendable { case reset, panic }

    /// Broken: a full cluster is taken for one without a ready instance, or the reverse.
    @Test func fullAndUnreadyDiffer() {
        for (timeout, isReset) in [(nil, false), (TimeSpan.hours(1), false), (.zero, true)] as [(TimeSpan?, Bool)] {
            var cluster = Self.cluster(1) {
                $0.faults.requestsPerSecond = 1
                $0.cluster.connectionLimit = isReset ? nil : 1
                $0.cluster.shedding = .seconds(1)
                $0.cluster.health = .init(every: .seconds(1), failures: 1, timeout: timeout)
            }
            _ = cluster.connect(at: Self.at(0))
            for _ in 0..<3 { _ = cluster.call(0, at: Self.at(0)) }
            #expect(cluster.connect(at: Self.at(1_000)) == (isReset ? .reset : .refused))
        }
    }

    // MARK: Balancing

    /// Broken: the balancer prefers another instance on a tie, or the same one twice in a row.
    @Test func tiesGoRoundInOrder() {
        var cluster = Self.cluster(3) { $0.cluster.balance = .leastConnections }
        #expect((0..<7).map { cluster.connect(at: Self.at($0)).instance } == [0, 1, 2, 0, 1, 2, 0])
        cluster.releaseConnection(2)
        cluster.releaseConnection(1)
        // Connections: 3, 1, 1. The search begins after the instance that was chosen last.
        #expect((0..<5).map { cluster.connect(at: Self.at(10 + $0)).instance } == [1, 2, 1, 2, 0])
        #expect(cluster.instances.map(\.connections) == [4, 3, 3])
    }

    /// Broken: an instance is used a nanosecond before it has started, or not at the moment of its start.
    @Test(arguments: [(-1, false), (0, true)] as [(Int64, Bool)])
    func anInstanceServesFromItsStart(late: Int64, isUsed: Bool) {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .seconds(20), maximum: 2)
        }
        for _ in 0..<100 { _ = cluster.call(0, at: Self.at(0)) }
        #expect(cluster.connect(at: Self.at(30_000, late)).instance == (isUsed ? 1 : 0))
    }

    // MARK: Events

    /// Broken: an event at the time of a request, of a check or at the end of the window is applied too late or early.
    @Test func eventsComeBeforeRequestsOfTheirTime() {
        let down = InstanceEvent(at: Self.at(1_000), 0, .down)
        let up = InstanceEvent(at: Self.at(2_000), 0, .up)
        var cluster = Self.cluster(1, [down, up])
        #expect(cluster.connect(at: Self.at(994), window: 6) == .served(at: Self.at(994), by: 0))
        #expect(cluster.connect(at: Self.at(994, 1), window: 6) == .reset)
        #expect(cluster.connect(at: Self.at(1_000)) == .reset)
        #expect(cluster.connect(at: Self.at(2_000, -1), window: 6) == .reset)
        #expect(cluster.connect(at: Self.at(2_000)) == .served(at: Self.at(2_000), by: 0))
        var frozen = Self.cluster(1, [InstanceEvent(at: Self.at(5), 0, .frozen)])
        #expect(frozen.connect(at: Self.at(9)) == .unanswered)
        var other = Self.cluster(2, [InstanceEvent(at: Self.at(5), 1, .down)])
        #expect(other.connect(at: Self.at(0), window: 6).instance == 0, "another instance goes down")
        var ejected = Self.cluster(
            2, [InstanceEvent(at: Self.at(5), 0, .ejected), InstanceEvent(at: Self.at(7), 0, .readmitted)])
        #expect([0, 5, 6, 7].map { ejected.connect(at: Self.at($0), window: 3).instance } == [0, 1, 1, 0])
    }

    /// Broken: an instance that stops keeps what waits in its accept queue, or its failed checks.
    @Test func anInstanceThatStopsForgets() {
        var cluster = Self.cluster(
            1, [InstanceEvent(at: Self.at(500), 0, .down), InstanceEvent(at: Self.at(600), 0, .up)]
        ) {
            $0.acceptsPerSecond = 1
        }
        for _ in 0..<9 { _ = cluster.connect(at: Self.at(0), window: 1) }
        #expect(cluster.connect(at: Self.at(700)) == .served(at: Self.at(1_700), by: 0))
    }

    // MARK: Database

    /// Broken: a session's queries are not run before it is set up, or those of calls are run instead.
    @Test func aSessionHasItsOwnQueries() {
        func cluster(perSecond: UInt32?, perSession: UInt16) -> Cluster {
            Self.cluster(1) {
                $0.acceptsPerSecond = perSecond
                $0.cluster.database = .init(queriesPerSecond: 10, perCall: 7, perSession: perSession)
            }
        }
        var plain = cluster(perSecond: nil, perSession: 3)
        #expect(plain.connect(at: Self.at(1_000)) == .served(at: Self.at(1_300), by: 0))
        var queued = cluster(perSecond: 100, perSession: 3)
        #expect(queued.connect(at: Self.at(1_000), handshake: .milliseconds(4)) == .served(at: Self.at(1_314), by: 0))
        #expect(queued.connect(at: Self.at(1_000)) == .served(at: Self.at(1_610), by: 0))
        var none = cluster(perSecond: 100, perSession: 0)
        #expect(none.connect(at: Self.at(1_000)) == .served(at: Self.at(1_010), by: 0))
        let defaults = ClusterProfile.DatabaseCapacity(queriesPerSecond: 1)
        #expect(defaults.perCall == 1 && defaults.perSession == 0)
    }

    /// Broken: a call that can start at exactly the timeout is dropped, or a later one is served.
    @Test(arguments: [(100, true), (99, false)] as [(Int64, Bool)])
    func aCallThatStartsAtItsTimeoutIsServed(timeout: Int64, isServed: Bool) {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.faults.queueTimeout = .milliseconds(timeout)
        }
        _ = cluster.call(0, at: Self.at(0))
        #expect(
            cluster.call(0, at: Self.at(0))
                == (isServed ? .served(at: Self.at(200), by: 0) : .dropped(at: Self.at(timeout))))
    }

    // MARK: Scaling

    /// Broken: the number of instances differs from ceil(busy time / (target · interval)), at exact multiples and one
    /// call beside them. Each call takes 100 ms, an instance may work for 5 s of 10 s.
    @Test(arguments: [(50, 1), (51, 2), (100, 2), (101, 3), (150, 3), (151, 4), (999, 5)])
    func theNumberFollowsTheLoad(calls: Int, instances: Int) {
        var cluster = Self.cluster(4) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .seconds(1), maximum: 5)
        }
        // The calls are spread, so that no instance is busy beyond the interval.
        for call in 0..<min(calls, 400) { _ = cluster.call(UInt8(call % 4), at: Self.at(0)) }
        _ = cluster.connect(at: Self.at(10_000))
        #expect(cluster.instances.count == max(instances, 4))
        #expect(cluster.instances.dropFirst(4).allSatisfy { $0.startsAt == Self.at(11_000) })
    }

    /// Broken: the work before the last evaluation counts again, or the work of either queue does not count.
    @Test(arguments: [true, false])
    func onlyNewWorkCounts(accepts: Bool) {
        var cluster = Self.cluster(1) {
            if accepts { $0.acceptsPerSecond = 10 } else { $0.faults.requestsPerSecond = 10 }
            $0.cluster.autoscaling = .init(target: .one, every: .seconds(10), startUp: .zero, maximum: 9)
        }
        for _ in 0..<60 { _ = accepts ? cluster.connect(at: Self.at(0), window: 0) : cluster.call(0, at: Self.at(0)) }
        _ = cluster.connect(at: Self.at(10_000), window: 0)
        #expect(cluster.instances.count == 1 && cluster.instances[0].busyTime == .seconds(6))
        for _ in 0..<90 { _ = cluster.call(0, at: Self.at(10_000)) }
        _ = cluster.connect(at: Self.at(20_000), window: 0)
        #expect(cluster.instances.count == 1)
    }

    /// Broken: an instance that waits for the database counts as busy, so that more instances wait for it instead.
    /// Each call takes 100 ms of work, and 1 s in the database.
    @Test(arguments: [true, false])
    func waitsForTheDatabaseAreNoLoad(isSlow: Bool) {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.database = .init(queriesPerSecond: isSlow ? 1 : 1_000)
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 2), every: .seconds(10), startUp: .zero, maximum: 9)
        }
        // The calls of the first 5 s keep the slow database busy for 50 s.
        for call in 0..<50 { _ = cluster.call(0, at: Self.at(Int64(call) * 100)) }
        for second in [10, 20, 30, 40] {
            _ = cluster.connect(at: Self.at(Int64(second) * 1_000))
            let done: Int64 = isSlow ? Int64(second - 1) * 100 : 5_000
            #expect(cluster.instances.count == 1 && cluster.instances[0].busyTime == .milliseconds(done), "\(second)")
        }
    }

    /// Broken: there are more than 250 instances, so that their numbers overflow.
    @Test func numbersFitAByte() {
        var cluster = Self.cluster(249) {
            $0.faults.requestsPerSecond = 1
            $0.cluster.autoscaling = .init(
                target: Probability(1, of: 1_000), every: .seconds(10), startUp: .zero, maximum: 255)
        }
        for _ in 0..<5 { _ = cluster.call(0, at: Self.at(0)) }
        _ = cluster.connect(at: Self.at(10_000))
        #expect(cluster.instances.count == 250 && ClusterProfile.maximumInstances == 250)
    }

    /// Broken: a wish counts for longer or shorter than the time of a scale-down, or shutdowns are known too early.
    @Test(arguments: [(30, 40), (29, 30)] as [(Int64, Int64)])
    func aWishCountsForItsTime(after: Int64, shrinksAt: Int64) {
        var cluster = Self.cluster(1) {
            $0.faults.requestsPerSecond = 10
            $0.cluster.autoscaling = .init(
                target: .one, every: .seconds(10), startUp: .zero, maximum: 3, downAfter: .seconds(after),
                grace: .seconds(5))
        }
        // The work of 12 s until 10 s needs two instances, at 10 s only.
        for _ in 0..<90 { _ = cluster.call(0, at: Self.at(0)) }
        for _ in 0..<30 { _ = cluster.call(0, at: Self.at(0)) }
        cluster.instances[0].busyTime = .seconds(-2)
        let shrinks = Self.at(shrinksAt * 1_000 + 10_000)
        _ = cluster.connect(at: shrinks - .nanoseconds(1))
        #expect(cluster.instances.count == 2 && cluster.shutdowns.isEmpty)
        #expect(cluster.nextShutdown(knownAt: shrinks - .nanoseconds(1)) == nil)
        #expect(cluster.nextShutdown(knownAt: shrinks) == .init(at: shrinks + .seconds(5), instance: 1))
        #expect(cluster.instances[1].isTerminating)
        cluster.completeShutdown()
        #expect(cluster.shutdowns.isEmpty)
    }

    /// Broken: connections are counted without a need, or a scale-down resets them although it has no grace.
    @Test func someSettingsCountConnections() {
        var profile = ClusterProfile()
        #expect(!profile.countsConnections && !profile.resetsOnScaleDown)
        profile.autoscaling = .init(target: .one, every: .seconds(1), startUp: .zero, maximum: 2, grace: .zero)
        #expect(!profile.countsConnections && !profile.resetsOnScaleDown)
        profile.autoscaling?.downAfter = .zero
        #expect(profile.countsConnections && profile.resetsOnScaleDown)
        profile.autoscaling?.grace = nil
        #expect(profile.countsConnections && !profile.resetsOnScaleDown)
        var cluster = Self.cluster(1) { $0.cluster = profile }
        #expect(cluster.nextShutdown(knownAt: Self.at(9_000)) == nil && cluster.nextScalingAt == Self.at(1_000))
    }
}

extension Cluster {
    fileprivate mutating func call(_ instance: UInt8, at now: Instant) -> ServiceOutcome {
        decide(
            ClusterRequest(at: now, sequence: 0, slot: 0, generation: 1, instance: instance, kind: .call(0)),
            windowEnd: now)
    }

    fileprivate mutating func connect(
        at now: Instant, window milliseconds: Int64 = 5, handshake: TimeSpan = .zero
    ) -> ServiceOutcome {
        decide(
            ClusterRequest(
                at: now, sequence: 0, slot: 0, generation: 1, instance: nil, kind: .session(handshake: handshake)),
            windowEnd: now + .milliseconds(milliseconds))
    }
}

extension Cluster.ServiceOutcome {
    fileprivate var instance: UInt8? { if case .served(_, let instance) = self { instance } else { nil } }
}
