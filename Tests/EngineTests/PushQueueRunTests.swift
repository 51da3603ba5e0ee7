import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Keeps a connection for half a minute, closes it, and connects again for a push, for discarded pushes, or both. Sends
/// a new push token at once, if `sends-token`.
private struct Caller: Strategy {
    static let name = "caller"
    static let about = "connects for pushes"
    let syncs: Bool
    let sendsToken: Bool

    init(_ settings: inout SettingsReader) {
        syncs = settings.flag("syncs", default: true, "connects for discarded pushes")
        sendsToken = settings.flag("sends-token", default: true, "sends a new token")
    }

    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started, .pushWoken: connect(&session, &out)
        case .pushesDiscarded: if syncs { connect(&session, &out) }
        case .pushTokenChanged: if sendsToken { out.append(.registerPushToken) }
        case .fired: out.append(.close(ConnectionSlot(0)))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        default: break
        }
    }

    private func connect(_ session: inout Session, _ out: inout Outbox) {
        out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .from(session.cursor)))
        session.arm(TimerSlot(0), after: .seconds(30))
    }
}

@Suite struct PushQueueRunTests {
    /// A world without a network from 60 s to 600 s, with a message every second from 100 s on.
    private func world(_ rules: PushQueueRules?, messages: Int64, push: PushOptions? = nil) -> World {
        var stream = TrafficStream(
            gap: .constant(TimeSpan.seconds(1).nanoseconds), size: .constant(300), from: .zero + .seconds(100),
            until: .zero + .seconds(100) + .milliseconds(messages * 1_000 + 500))
        stream.push = push
        var world = Fixture.cellularWorld(Traffic(down: stream), horizon: .minutes(30))
        world.platform = Platform.named("android-15")
        world.server.push = .high
        world.server.pushQueue = rules
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(60), .uplink(.cellular, false)),
            TimelineEntry(at: .zero + .seconds(600), .uplink(.cellular, true)),
        ]
        return world
    }

    private func run(_ world: World, _ settings: [(String, String)] = []) -> AllRecords {
        Simulation(world: world, strategy: Fixture.strategy(Caller.self, settings), seed: 1).allRecords()
    }

    private func uncollapsed() -> PushQueueRules {
        var rules = PushQueueRules()
        rules.collapseKeys = 0
        return rules
    }

    /// Broken: a stored push that waits at the horizon leaves no trace, or a replaced or expired one does.
    @Test func storedPushesThatWaitHaveTheirAges() {
        var cut = world(uncollapsed(), messages: 3)
        cut.timeline.removeLast()
        let ages = run(cut).values(.waitedPush).map { $0 / 1_000_000_000 }
        #expect(ages == [1_699, 1_698, 1_697], "\(ages)")
        var rules = uncollapsed()
        rules.collapseKeys = 1
        var one = world(rules, messages: 3)
        one.timeline.removeLast()
        #expect(run(one).count(.waitedPush) == 1)
        rules.timeToLive = .minutes(10)
        one.server.pushQueue = rules
        let expired = run(one)
        #expect(expired.count(.waitedPush) == 0 && expired.sum(.pushExpired) == 1)
        #expect(run(world(uncollapsed(), messages: 3)).count(.waitedPush) == 0)
    }

    /// Broken: an urgent push over its quota is counted as demoted each time that the system looks at it again.
    @Test func aPushIsDemotedOnce() {
        var world = world(uncollapsed(), messages: 5)
        world.timeline.removeLast(2)
        world.timeline.append(TimelineEntry(at: .zero + .seconds(50), .app(foreground: false)))
        world.platform?.standby.pinned = .working
        world.platform?.standby.working.urgentPushes = Quota(0, per: .hours(24))
        world.platform?.pushes.quota = Quota(0, per: .hours(24))
        let blocked = run(world)
        #expect(blocked.count(.sentDown) == 5 && blocked.count(.pushDemoted) == 5)
        #expect(blocked.count(.pushed) == 0 && blocked.count(.waitedPush) == 5)
        world.platform?.pushes.quota = .unlimited
        let passed = run(world)
        #expect(passed.count(.pushDemoted) >= 1 && passed.count(.pushed) >= 1)
        world.platform?.standby.working.urgentPushes = .unlimited
        let urgent = run(world)
        #expect(urgent.count(.pushDemoted) == 0 && urgent.count(.pushed) >= 1)
    }

    /// Broken: the pending limit is off by one, the notice is lost, or it counts as a push.
    @Test func beyondTheLimitAllPushesAreDiscardedAndTheAppIsNotified() {
        let within = run(world(uncollapsed(), messages: 100))
        #expect(within.count(.sentDown) == 100 && within.count(.pushed) == 100 && within.sum(.pushDiscarded) == 0)
        #expect(within.times(.pushed).allSatisfy { (600_000..<606_000).contains($0) })
        let beyond = run(world(uncollapsed(), messages: 101))
        #expect(beyond.count(.pushed) == 0 && beyond.sum(.pushDiscarded) == 101)
        #expect(beyond.count(.deliveredDown) == 101)
        #expect(beyond.times(.deliveredDown).allSatisfy { (600_000..<606_000).contains($0) })
        let more = run(world(uncollapsed(), messages: 150))
        #expect(more.sum(.pushDiscarded) == 150 && more.count(.deliveredDown) == 150)
        let ignored = run(world(uncollapsed(), messages: 101), [("syncs", "false")])
        #expect(ignored.sum(.pushDiscarded) == 101 && ignored.count(.deliveredDown) == 0)
    }

    /// Broken: pushes with one collapse key wait side by side, or their latency counts from the newest.
    @Test func oneCollapseKeyKeepsOnePush() {
        let run = run(world(PushQueueRules(), messages: 150))
        #expect(run.sum(.pushCollapsed) == 149 && run.count(.pushed) == 1 && run.sum(.pushDiscarded) == 0)
        #expect(run.values(.pushed).allSatisfy { $0 > TimeSpan.seconds(490).nanoseconds })
        #expect(run.count(.deliveredDown) == 150)
    }

    /// Broken: more keys wait than the service stores.
    @Test func theServiceStoresFewKeys() {
        var rules = PushQueueRules()
        (rules.collapseKeys, rules.keyLimit) = (50, 4)
        let run = run(world(rules, messages: 150))
        #expect(run.count(.pushed) == 4)
        #expect(run.sum(.pushDiscarded) + run.sum(.pushCollapsed) == 146 && run.sum(.pushDiscarded) > 40)
    }

    /// Broken: a push outlives its time, or the options of a stream are not used.
    @Test func pushesExpire() {
        var options = PushOptions(priority: .high)
        (options.collapseKeys, options.timeToLive) = (0, .seconds(450))
        // Messages come at 101 s … 180 s: those up to 149 s have expired at 600 s.
        let run = run(world(nil, messages: 80, push: options))
        #expect(run.sum(.pushExpired) == 49 && run.count(.pushed) == 31)
        options.timeToLive = .zero
        let atOnce = self.run(world(nil, messages: 80, push: options))
        #expect(atOnce.sum(.pushExpired) == 80 && atOnce.count(.pushed) == 0)
        options.priority = .none
        let none = self.run(world(nil, messages: 80, push: options))
        #expect(none.sum(.pushExpired) == 0 && none.count(.pushed) == 0 && none.count(.deliveredDown) == 0)
    }

    /// Broken: a server that is down or frozen learns the new token, so that the app gets pushes again too early.
    @Test(arguments: [(.down, .up), (.frozen, .thawed)] as [(ServerChange, ServerChange)])
    func aServerThatIsAwayLearnsNoToken(gone: ServerChange, back: ServerChange) {
        var voided = world(nil, messages: 1)
        voided.timeline.removeLast(2)
        voided.timeline += [
            TimelineEntry(at: .zero + .milliseconds(98_500), .server(gone)),
            TimelineEntry(at: .zero + .seconds(99), .pushTokenVoid),
            TimelineEntry(at: .zero + .seconds(400), .server(back)),
        ]
        voided.traffic.down = .every(.seconds(100), until: .zero + .seconds(150))
        let gaps = run(voided).values(.pushTokenVoid)
        #expect(gaps.count == 1 && gaps[0] > TimeSpan.seconds(301).nanoseconds, "\(gaps)")
    }

    /// Broken: a void token still wakes the app, the app is not notified of the new one, or its way to the server takes
    /// no time.
    @Test func aVoidTokenWakesNobody() {
        var voided = world(nil, messages: 1)
        voided.timeline.removeLast(2)
        voided.timeline += [TimelineEntry(at: .zero + .seconds(99), .pushTokenVoid)]
        voided.traffic.down = .every(.seconds(100), until: .zero + .seconds(350))
        let sending = run(voided)
        #expect(sending.count(.sentDown) == 3)
        let silent = run(voided, [("sends-token", "false")])
        #expect(silent.sum(.pushUnregistered) == 3 && silent.count(.pushed) == 0 && silent.count(.deliveredDown) == 0)
        #expect(silent.values(.pushTokenVoid) == [TimeSpan.seconds(1_701).nanoseconds])
        #expect(sending.count(.pushed) + Int(sending.sum(.pushUnregistered)) == 3)
        #expect(sending.values(.pushTokenVoid).count == 1 && sending.values(.pushTokenVoid)[0] > 50_000_000)
        #expect(sending.values(.pushTokenVoid)[0] < TimeSpan.seconds(1_701).nanoseconds)
    }
}
