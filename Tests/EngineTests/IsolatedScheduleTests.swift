import DeadzoneBase
import DeadzoneClient
import DeadzoneRuns
import DeadzoneSimulator
import Testing

@Suite struct IsolatedScheduleTests {
    private func simulate(
        _ strategy: AnyStrategy, _ failing: IsolatedSchedule.SimulatedFailure, _ dice: Dice.FixedDraw = .usual,
        seconds: Int64 = 600
    ) -> IsolatedSchedule.AttemptLog {
        IsolatedSchedule(strategy, failing: failing, dice: dice).run(attempts: 1_000, until: .zero + .seconds(seconds))
    }

    private func make<S: Strategy>(_ type: S.Type, _ entries: [(String, Node)] = []) -> AnyStrategy {
        var reader = SettingsReader(.map(entries.map { .init(key: $0.0, value: $0.1) }), of: S.name)
        let strategy = S(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "\(reader.faults.sorted.map(\.message))")
        return AnyStrategy(strategy)
    }

    /// Broken: an isolated schedule shows other attempts than the strategy makes. The waits double from 500 ms, and an
    /// attempt without an answer takes 20 s.
    @Test func showsWhatPatientDoes() {
        let patient = make(Patient.self)
        let refused = simulate(patient, .refused, seconds: 30)
        #expect(refused.attempts.map { $0.at.nanoseconds / 1_000_000 } == [0, 500, 1_500, 3_500, 7_500, 15_500])
        #expect(refused.ending == .stillTrying && refused.attempts.allSatisfy { $0.abandonedAt == nil })
        let hung = simulate(patient, .blackhole, seconds: 70)
        #expect(hung.attempts.map { $0.at.nanoseconds / 1_000_000 } == [0, 20_500, 41_500, 63_500])
        #expect(hung.attempts.dropLast().allSatisfy { $0.abandonedAt == $0.at + .seconds(20) })
        // Full jitter draws between zero and the whole wait.
        let quick = IsolatedSchedule(patient, failing: .refused, dice: .lowest).run(attempts: 20)
        #expect(quick.attempts.count == 20 && quick.attempts.allSatisfy { $0.at == .zero })
        #expect(simulate(patient, .refused, .highest, seconds: 30).attempts == refused.attempts)
    }

    /// Broken: a strategy without a timeout of its own waits for ever, or less than its kernel does. The kernel sends
    /// eleven SYNs and gives up after 131 s (torvalds/linux `Documentation/networking/ip-sysctl.rst`) plus the
    /// granularity of its timers; measured 133.3 s.
    @Test func leavesAnAttemptToTheKernel() {
        let eager = simulate(make(Eager.self), .blackhole)
        #expect(eager.attempts.map { $0.at.nanoseconds / 1_000_000_000 } == [0, 136, 272, 408, 544])
        #expect(eager.attempts.allSatisfy { $0.abandonedAt == nil })
    }

    /// Broken: a kernel with a shorter timeout does not use it, or ends an attempt that it has connected. Or an attempt
    /// that is accepted and never answered ends by itself.
    @Test func usesTheKernelsTimeout() {
        let dialler = make(
            Composed.self,
            [
                ("transport", .map([.init(key: "address-timeout", value: .text("5s"))])),
                ("connect", .map([.init(key: "timeout", value: .text("60s"))])),
                ("backoff", .map([.init(key: "table", value: .list([.text("1s")]))])),
            ])
        let dropped = simulate(dialler, .blackhole, seconds: 20).attempts
        #expect(dropped.map { $0.at.nanoseconds / 1_000_000_000 } == [0, 6, 12, 18])
        #expect(dropped.dropLast().allSatisfy { $0.abandonedAt == $0.at + .seconds(5) })
        let frozen = simulate(dialler, .frozen, seconds: 130).attempts
        #expect(frozen.map { $0.at.nanoseconds / 1_000_000_000 } == [0, 61, 122])
        let eager = simulate(make(Eager.self), .frozen)
        #expect(eager.attempts.count == 1 && eager.attempts[0].abandonedAt == nil)
        // Each part of the attempt has a limit of its own.
        let parts = Fixture.composed(
            "{transport: {address-timeout: 5s, setup-timeout: 3s}, connect: {timeout: 60s}, backoff: {table: [1s]}}")
        let silent = simulate(parts, .frozen, seconds: 10).attempts
        #expect(silent.map { $0.at.nanoseconds / 1_000_000_000 } == [0, 4, 8])
        #expect(silent.dropLast().allSatisfy { $0.abandonedAt == $0.at + .seconds(3) })
    }

    /// Broken: a connection that works is silent, so a client that closes silent connections ends it early.
    @Test(
        arguments: [(.opensAndEnds, 60), (.opensAndFallsSilent, 10)] as [(IsolatedSchedule.FirstAttempt, Int64)])
    func onlyAConnectionThatFallsSilentIsSilent(_ first: IsolatedSchedule.FirstAttempt, _ seconds: Int64) throws {
        let impatient = Fixture.composed(
            "{keepalive: {pings: false, verdict: silence, silence: 10s}, backoff: {table: [1s]}}")
        let log = IsolatedSchedule(impatient, failing: .refused, first: first)
            .run(attempts: 3, until: .zero + .minutes(5))
        let lost = try #require(log.lostAt)
        #expect(lost.nanoseconds / 1_000_000_000 == seconds, "\(lost)")
        #expect(log.attempts.count == 3 && lost < log.attempts[1].at, "\(log.attempts)")
    }

    /// Broken: a strategy that stops counts as still trying, or one that needs no connection counts as retrying.
    @Test func reportsItsEnding() {
        let few = Node.map([.init(key: "give-up", value: .map([.init(key: "retries", value: .text("3"))]))])
        let stopping = simulate(make(Composed.self, [("backoff", few)]), .refused)
        #expect(stopping.attempts.count == 4 && stopping.ending == .silent(since: stopping.attempts[3].at))
        let datagrams = simulate(make(Datagrams.self), .blackhole)
        #expect(datagrams.attempts.isEmpty && datagrams.isConnectionless)
    }

    /// Broken: a strategy that never lets time advance, or never tries, hangs the schedule.
    @Test func ends() {
        let restless = Node.map([
            .init(key: "base", value: .text("0s")), .init(key: "jitter", value: .text("none")),
        ])
        #expect(simulate(make(Composed.self, [("backoff", restless)]), .refused).attempts.count >= 1_000)
        let polling = Node.map([.init(key: "give-up", value: .map([.init(key: "retries", value: .text("0"))]))])
        let silent = IsolatedSchedule(make(Composed.self, [("backoff", polling)]), failing: .blackhole).run(
            attempts: 10)
        #expect(silent.attempts.count == 1 && silent.ending == .silent(since: .zero + .seconds(20)))
    }

    /// Broken: an isolated schedule shows other attempts than the strategy makes on a phone with a server that is down,
    /// or with a cut uplink. On the phone a refusal takes a round trip, and the kernel's timeout is that of its TCP.
    @Test(arguments: [IsolatedSchedule.SimulatedFailure.refused, .blackhole])
    func equalsTheSimulatedPhone(_ failing: IsolatedSchedule.SimulatedFailure) {
        func map(_ entries: [(String, String)]) -> Node { .map(entries.map { .init(key: $0.0, value: .text($0.1)) }) }
        let gRPC: [(String, String)] = [
            ("base", "1s"), ("multiplier", "1.6"), ("cap", "2m"), ("jitter", "none"), ("from", "attempt"),
            ("min-connect-timeout", "20s"),
        ]
        let strategies = [
            make(Eager.self), make(Composed.self, [("backoff", map(gRPC))]),
            make(Composed.self, [("backoff", map([("jitter", "none"), ("step", "3s"), ("base", "2s")]))]),
            make(Composed.self, [("backoff", map([("jitter", "none")])), ("transport", .text("quic"))]),
        ]
        let trouble: ConditionChange = failing == .refused ? .server(.down) : .uplink(.wifi, false)
        var attempts = 0
        for strategy in strategies {
            var world = Fixture.wifiWorld(horizon: .minutes(10))
            world.timeline.append(TimelineEntry(at: .zero, trouble))
            let run = Simulation(world: world, strategy: strategy, seed: 1).allRecords()
            let found = run.records.filter { $0.kind == .connecting }.map(\.at)
            let expected = simulate(strategy, failing).attempts.map(\.at)
            // If each attempt takes a round trip, fewer attempts fit into the time.
            let missing = expected.count - found.count
            #expect(0 <= missing && missing <= expected.count / 10)
            for (index, (a, b)) in zip(found, expected).enumerated() {
                let late = (a - b).nanoseconds
                // Kernel timers are coarse, and their clock has a different phase on each phone.
                let grain: Int64 = failing == .blackhole ? 8_000_000_000 : 0
                #expect(
                    -grain * Int64(index) <= late && late <= Int64(index) * (grain + 100_000_000),
                    "attempt \(index) of \(strategy.name)")
            }
            attempts += found.count
        }
        #expect(attempts > 40)
    }
}
