import DeadzoneBase
import DeadzoneClient
import Testing

/// A keepalive alone; times are in nanoseconds.
private struct KeepaliveHarness {
    var facet: Keepalive
    var state = Keepalive.State()
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    /// Times of its pings, and times at which it declared the connection dead.
    var pings: [Int64] = []
    var deaths: [Int64] = []

    static let beat = TimerSlot(1)
    static let reply = TimerSlot(2)

    init(_ machine: Keepalive.KeepaliveImplementation, interval: Int64 = 1_000, timeout: Int64 = 2_000) {
        facet = Keepalive(interval: TimeSpan(nanoseconds: interval), beatSlot: Self.beat, replySlot: Self.reply)
        facet.implementation = machine
        facet.timeout = TimeSpan(nanoseconds: timeout)
        facet.pingsWithoutCalls = false
    }

    var now: Int64 { session.now.nanoseconds }

    mutating func apply(_ step: Keepalive.KeepaliveDecision) {
        switch step {
        case .nothing: break
        case .ping: pings.append(now)
        case .dead:
            deaths.append(now)
            closeConnection()
        }
    }

    mutating func start(hasStreams: Bool = false) {
        apply(facet.opened(&state, hasStreams: hasStreams, &session))
    }

    mutating func setStreams(_ areOpen: Bool) { apply(facet.streamsChanged(areOpen, &state, &session)) }
    mutating func receiveData() { apply(facet.received(&state, &session)) }

    mutating func closeConnection() {
        facet.closed(&state, &session)
        session.disarm(Self.beat)
        session.disarm(Self.reply)
    }

    /// Runs until this instant, inclusive.
    mutating func run(to nanoseconds: Int64) {
        let end = Instant(nanoseconds: nanoseconds)
        while case let (at, slot) = session.timers.earliest, at <= end {
            session.now = at
            session.disarm(slot)
            apply(
                slot == Self.beat ? facet.beatFired(&state, &session) : facet.replyFired(&state, &session))
        }
        session.now = end
    }

    func due(_ slot: TimerSlot) -> Int64? {
        session.isArmed(slot) ? session.timers[slot].at.nanoseconds : nil
    }
}

/// Tests of grpc-java (`core/src/test/java/io/grpc/internal/KeepAliveManagerTest.java`): an interval of 1000 ns and a
/// timeout of 2000 ns.
@Suite struct KeepaliveMachineTests {
    /// Broken: a connection with open streams is not pinged, or the answer does not start a full interval.
    @Test func pingsAndReceivesAnAnswer() {
        var bench = KeepaliveHarness(.java)
        bench.start()
        bench.run(to: 1)
        bench.setStreams(true)
        #expect(bench.state.phase == .pingScheduled && bench.due(KeepaliveHarness.beat) == 1_000)
        bench.run(to: 1_000)
        #expect(bench.pings == [1_000] && bench.state.phase == .pingSent)
        #expect(bench.due(KeepaliveHarness.reply) == 3_000)
        bench.run(to: 1_100)
        bench.receiveData()
        #expect(bench.due(KeepaliveHarness.reply) == nil && bench.due(KeepaliveHarness.beat) == 2_100)
        #expect(bench.state.phase == .pingScheduled && bench.deaths == [])
    }

    /// Broken: a ping is sent although data has just arrived.
    @Test func isPostponedByData() {
        var bench = KeepaliveHarness(.java)
        bench.start()
        bench.setStreams(true)
        bench.run(to: 990)
        bench.receiveData()
        // The task stays scheduled at its old time. When it runs, it detects that it is too early.
        #expect(bench.state.phase == .pingDelayed && bench.due(KeepaliveHarness.beat) == 1_000)
        bench.session.now = Instant(nanoseconds: 1_010)
        bench.session.disarm(KeepaliveHarness.beat)
        bench.apply(bench.facet.beatFired(&bench.state, &bench.session))
        #expect(bench.pings == [] && bench.due(KeepaliveHarness.beat) == 1_990)
    }

    /// Broken: a task outlives its connection.
    @Test func endsWithItsConnection() {
        var bench = KeepaliveHarness(.java)
        bench.start(hasStreams: true)
        bench.run(to: 1_000)
        #expect(bench.due(KeepaliveHarness.reply) == 3_000)
        bench.closeConnection()
        #expect(bench.state.phase == .disconnected)
        bench.run(to: 1_000_000)
        #expect(bench.pings == [1_000] && bench.deaths == [])
    }

    /// Broken: silence goes unnoticed, or the keepalive continues after detecting it.
    @Test func detectsSilence() {
        var bench = KeepaliveHarness(.java)
        bench.start(hasStreams: true)
        bench.run(to: 3_000)
        #expect(bench.pings == [1_000] && bench.deaths == [3_000])
        bench.receiveData()
        bench.setStreams(false)
        bench.setStreams(true)
        #expect(
            bench.due(KeepaliveHarness.beat) == nil && bench.due(KeepaliveHarness.reply) == nil
                && bench.state.phase == .disconnected)
    }

    /// Broken: pings are sent between calls, or a new call trusts a connection that was idle for long.
    @Test func pingsAtOnceAfterAnIdleTime() {
        var bench = KeepaliveHarness(.java)
        bench.start()
        bench.setStreams(true)
        bench.setStreams(false)
        #expect(bench.state.phase == .idle)
        bench.run(to: 1_000)
        #expect(bench.pings == [] && bench.due(KeepaliveHarness.beat) == nil)
        bench.setStreams(true)
        #expect(bench.due(KeepaliveHarness.beat) == 1_000)
        bench.run(to: 1_000)
        #expect(bench.pings == [1_000])
    }

    /// Broken: a client that may ping between calls does not.
    @Test func pingsWithoutCalls() {
        var bench = KeepaliveHarness(.java)
        bench.facet.pingsWithoutCalls = true
        bench.start()
        #expect(bench.due(KeepaliveHarness.beat) == 1_000)
        bench.setStreams(true)
        bench.setStreams(false)
        bench.run(to: 3_000)
        #expect(bench.pings == [1_000] && bench.deaths == [3_000])
    }

    /// Broken: a transition between the six states differs from Java's.
    @Test func goesThroughJavasStates() {
        var bench = KeepaliveHarness(.java)
        bench.start(hasStreams: true)
        bench.run(to: 1_000)
        bench.setStreams(false)
        #expect(bench.state.phase == .idleAndPingSent)
        bench.setStreams(true)
        #expect(bench.state.phase == .pingSent)
        bench.setStreams(false)
        bench.run(to: 1_500)
        bench.receiveData()
        #expect(
            bench.state.phase == .idle && bench.due(KeepaliveHarness.reply) == nil
                && bench.due(KeepaliveHarness.beat) == nil)
        bench.run(to: 1_700)
        bench.setStreams(true)
        // The 200 ns of silence count.
        #expect(bench.due(KeepaliveHarness.beat) == 2_500)
        bench.receiveData()
        bench.setStreams(false)
        #expect(bench.state.phase == .idle)
        bench.run(to: 10_000)
        #expect(bench.pings == [1_000] && bench.deaths == [])
    }

    /// Broken: the keepalive differs from grpc-go's loop. After an idle time it pings at once, however short the
    /// silence was. It declares the connection dead at the timeout, whether that is longer or shorter than the
    /// interval. Data postpones the ping.
    @Test(arguments: [2_000, 300] as [Int64])
    func goSleepsAndWakes(timeout: Int64) {
        var dead = KeepaliveHarness(.go, timeout: timeout)
        dead.start(hasStreams: true)
        dead.run(to: 100_000)
        #expect(dead.pings == [1_000] && dead.deaths == [1_000 + timeout])

        var bench = KeepaliveHarness(.go, timeout: timeout)
        bench.start()
        bench.run(to: 1_400)
        #expect(bench.pings == [] && bench.due(KeepaliveHarness.beat) == nil)
        bench.receiveData()
        bench.run(to: 1_500)
        bench.setStreams(true)
        #expect(bench.pings == [1_500])
        bench.run(to: 1_510)
        bench.receiveData()
        bench.run(to: 2_509)
        #expect(bench.pings == [1_500] && bench.deaths == [])
        bench.run(to: 2_510)
        #expect(bench.pings == [1_500, 2_510])
    }

    /// Broken: an implementation does not know that it waits for an answer, or waits after the answer. A wake lock for a
    /// ping is held exactly as long.
    @Test(arguments: Keepalive.KeepaliveImplementation.allCases)
    func awaitsAnAnswerFromPingToAnswer(machine: Keepalive.KeepaliveImplementation) {
        var bench = KeepaliveHarness(machine)
        bench.start(hasStreams: true)
        for _ in 0..<3 {
            let before = bench.pings.count
            while bench.pings.count == before {
                #expect(!bench.state.awaitsAnswer)
                bench.run(to: bench.now + 1)
            }
            #expect(bench.state.awaitsAnswer)
            bench.run(to: bench.now + 10)
            #expect(bench.state.awaitsAnswer)
            bench.receiveData()
            #expect(!bench.state.awaitsAnswer)
        }
    }

    /// Broken: a connection that receives data all the time is pinged.
    @Test(arguments: Keepalive.KeepaliveImplementation.allCases)
    func neverPingsABusyConnection(machine: Keepalive.KeepaliveImplementation) {
        var bench = KeepaliveHarness(machine)
        bench.start(hasStreams: true)
        for step in 1...1_000 as ClosedRange<Int64> {
            bench.run(to: step * 99)
            bench.receiveData()
        }
        #expect(bench.pings == [] && bench.deaths == [] && bench.due(KeepaliveHarness.beat) != nil)
    }

    /// Broken: the plain implementation checks for open streams like gRPC's core: it pings at once, not at the next
    /// interval.
    @Test func thePlainImplementationChecksAgainLater() {
        var bench = KeepaliveHarness(.plain)
        bench.start()
        bench.run(to: 2_500)
        #expect(bench.pings == [])
        bench.setStreams(true)
        #expect(bench.pings == [] && bench.due(KeepaliveHarness.beat) == 3_000)
        bench.run(to: 3_000)
        #expect(bench.pings == [3_000])
    }
}
