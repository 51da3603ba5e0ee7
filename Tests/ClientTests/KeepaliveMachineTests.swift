import DeadzoneClient
import DeadzonePrimitives
import Testing

/// A keepalive alone, with nanoseconds for time.
private struct Bench {
    var facet: Keepalive
    var state = Keepalive.State()
    var session = Session(random: Dice(seed: 1, phone: PhoneID(0), purpose: .strategy))
    /// When it pinged, and when it found the connection dead.
    var pings: [Int64] = []
    var deaths: [Int64] = []

    static let beat = TimerSlot(1)
    static let reply = TimerSlot(2)

    init(_ machine: Keepalive.Machine, interval: Int64 = 1_000, timeout: Int64 = 2_000) {
        facet = Keepalive(interval: TimeSpan(nanoseconds: interval), beat: Self.beat, reply: Self.reply)
        facet.machine = machine
        facet.timeout = TimeSpan(nanoseconds: timeout)
        facet.withoutCalls = false
    }

    var now: Int64 { session.now.nanoseconds }

    mutating func take(_ step: Keepalive.Step) {
        switch step {
        case .nothing: break
        case .ping: pings.append(now)
        case .dead:
            deaths.append(now)
            end()
        }
    }

    mutating func start(hasStreams: Bool = false) {
        take(facet.opened(&state, hasStreams: hasStreams, &session))
    }

    mutating func streams(_ areOpen: Bool) { take(facet.streams(areOpen, &state, &session)) }
    mutating func data() { take(facet.heard(&state, &session)) }

    mutating func end() {
        facet.closed(&state, &session)
        session.disarm(Self.beat)
        session.disarm(Self.reply)
    }

    /// Until this instant, that included.
    mutating func run(to nanoseconds: Int64) {
        let end = Instant(nanoseconds: nanoseconds)
        while case let (at, slot) = session.timers.earliest, at <= end {
            session.now = at
            session.disarm(slot)
            take(
                slot == Self.beat ? facet.beatFired(&state, &session) : facet.replyFired(&state, &session))
        }
        session.now = end
    }

    func due(_ slot: TimerSlot) -> Int64? {
        session.isArmed(slot) ? session.timers[slot].at.nanoseconds : nil
    }
}

/// grpc-java's own tests (`core/src/test/java/io/grpc/internal/KeepAliveManagerTest.java`): an interval of 1000 ns and a timeout
/// of 2000 ns.
@Suite struct KeepaliveMachineTests {
    /// Broken: a connection in use is not asked after, or its answer does not begin a whole interval.
    @Test func pingsAndIsAnswered() {
        var bench = Bench(.java)
        bench.start()
        bench.run(to: 1)
        bench.streams(true)
        #expect(bench.state.phase == .pingScheduled && bench.due(Bench.beat) == 1_000)
        bench.run(to: 1_000)
        #expect(bench.pings == [1_000] && bench.state.phase == .pingSent)
        #expect(bench.due(Bench.reply) == 3_000)
        bench.run(to: 1_100)
        bench.data()
        #expect(bench.due(Bench.reply) == nil && bench.due(Bench.beat) == 2_100)
        #expect(bench.state.phase == .pingScheduled && bench.deaths == [])
    }

    /// Broken: a ping beside data that has just come.
    @Test func isPutOffByData() {
        var bench = Bench(.java)
        bench.start()
        bench.streams(true)
        bench.run(to: 990)
        bench.data()
        // The task stays where it was, and finds that it is too early.
        #expect(bench.state.phase == .pingDelayed && bench.due(Bench.beat) == 1_000)
        bench.session.now = Instant(nanoseconds: 1_010)
        bench.session.disarm(Bench.beat)
        bench.take(bench.facet.beatFired(&bench.state, &bench.session))
        #expect(bench.pings == [] && bench.due(Bench.beat) == 1_990)
    }

    /// Broken: a task of a connection that is over.
    @Test func endsWithItsConnection() {
        var bench = Bench(.java)
        bench.start(hasStreams: true)
        bench.run(to: 1_000)
        #expect(bench.due(Bench.reply) == 3_000)
        bench.end()
        #expect(bench.state.phase == .disconnected)
        bench.run(to: 1_000_000)
        #expect(bench.pings == [1_000] && bench.deaths == [])
    }

    /// Broken: silence that goes unnoticed, or something that goes on after it.
    @Test func findsSilence() {
        var bench = Bench(.java)
        bench.start(hasStreams: true)
        bench.run(to: 3_000)
        #expect(bench.pings == [1_000] && bench.deaths == [3_000])
        bench.data()
        bench.streams(false)
        bench.streams(true)
        #expect(bench.due(Bench.beat) == nil && bench.due(Bench.reply) == nil && bench.state.phase == .disconnected)
    }

    /// Broken: pings between calls, or a connection that was long idle is trusted with a new call.
    @Test func asksAtOnceAfterAnIdleTime() {
        var bench = Bench(.java)
        bench.start()
        bench.streams(true)
        bench.streams(false)
        #expect(bench.state.phase == .idle)
        bench.run(to: 1_000)
        #expect(bench.pings == [] && bench.due(Bench.beat) == nil)
        bench.streams(true)
        #expect(bench.due(Bench.beat) == 1_000)
        bench.run(to: 1_000)
        #expect(bench.pings == [1_000])
    }

    /// Broken: a client that is allowed to ping between calls, and does not.
    @Test func pingsWithoutCalls() {
        var bench = Bench(.java)
        bench.facet.withoutCalls = true
        bench.start()
        #expect(bench.due(Bench.beat) == 1_000)
        bench.streams(true)
        bench.streams(false)
        bench.run(to: 3_000)
        #expect(bench.pings == [1_000] && bench.deaths == [3_000])
    }

    /// Broken: any of the six states that is left by another way than Java's.
    @Test func goesThroughItsStates() {
        var bench = Bench(.java)
        bench.start(hasStreams: true)
        bench.run(to: 1_000)
        bench.streams(false)
        #expect(bench.state.phase == .idleAndPingSent)
        bench.streams(true)
        #expect(bench.state.phase == .pingSent)
        bench.streams(false)
        bench.run(to: 1_500)
        bench.data()
        #expect(bench.state.phase == .idle && bench.due(Bench.reply) == nil && bench.due(Bench.beat) == nil)
        bench.run(to: 1_700)
        bench.streams(true)
        // 200 ns of silence count.
        #expect(bench.due(Bench.beat) == 2_500)
        bench.data()
        bench.streams(false)
        #expect(bench.state.phase == .idle)
        bench.run(to: 10_000)
        #expect(bench.pings == [1_000] && bench.deaths == [])
    }

    /// Broken: grpc-go's loop: after an idle time it pings at once however short the silence was, its verdict comes at the timeout
    /// whether that is longer or shorter than the interval, and data puts it off.
    @Test(arguments: [2_000, 300] as [Int64])
    func goSleepsAndWakes(timeout: Int64) {
        var dead = Bench(.go, timeout: timeout)
        dead.start(hasStreams: true)
        dead.run(to: 100_000)
        #expect(dead.pings == [1_000] && dead.deaths == [1_000 + timeout])

        var bench = Bench(.go, timeout: timeout)
        bench.start()
        bench.run(to: 1_400)
        #expect(bench.pings == [] && bench.due(Bench.beat) == nil)
        bench.data()
        bench.run(to: 1_500)
        bench.streams(true)
        #expect(bench.pings == [1_500])
        bench.run(to: 1_510)
        bench.data()
        bench.run(to: 2_509)
        #expect(bench.pings == [1_500] && bench.deaths == [])
        bench.run(to: 2_510)
        #expect(bench.pings == [1_500, 2_510])
    }

    /// Broken: a connection in use all the time is asked after.
    @Test(arguments: Keepalive.Machine.allCases)
    func neverAsksWhatTalks(machine: Keepalive.Machine) {
        var bench = Bench(machine)
        bench.start(hasStreams: true)
        for step in 1...1_000 as ClosedRange<Int64> {
            bench.run(to: step * 99)
            bench.data()
        }
        #expect(bench.pings == [] && bench.deaths == [] && bench.due(Bench.beat) != nil)
    }

    /// Broken: the plain machine looks for open streams other than gRPC's core: it asks an interval later, not at once.
    @Test func thePlainMachineLooksAgainLater() {
        var bench = Bench(.plain)
        bench.start()
        bench.run(to: 2_500)
        #expect(bench.pings == [])
        bench.streams(true)
        #expect(bench.pings == [] && bench.due(Bench.beat) == 3_000)
        bench.run(to: 3_000)
        #expect(bench.pings == [3_000])
    }
}
