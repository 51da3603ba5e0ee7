import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// The app's process: how it ends, what is lost with it, and what restarts it.
@Suite struct ProcessTests {
    /// A world with Wi-Fi and a platform.
    static func world(
        _ platform: String, _ traffic: Traffic = Traffic(), minutes: Int64, _ changes: [(Int64, ConditionChange)]
    ) -> World {
        var world = Fixture.wifiWorld(traffic, horizon: .minutes(minutes))
        world.platform = Platform.named(platform)
        world.timeline += changes.map { TimelineEntry(at: .zero + .seconds($0), $1) }
        return world
    }

    private static func run(_ world: World, _ settings: [(String, Node)] = []) -> AllRecords {
        Simulation(world: world, strategy: Fixture.composed(settings), seed: 1).allRecords()
    }

    private static let comebacks: [(String, ConditionChange, Int?)] = [
        ("android-15", .kill, 300), ("android-9", .kill, 300), ("android-15", .forceStop, nil), ("ios-18", .kill, nil),
    ]

    /// Broken: an alarm does not restart the process that set it, or an alarm that the system discarded does.
    @Test(arguments: comebacks)
    func anAlarmOutlivesItsProcessOnAndroid(platform: String, end: ConditionChange, seconds: Int?) {
        let world = Self.world(
            platform, minutes: 40, [(60, .app(foreground: false)), (62, end), (1_800, .app(foreground: true))])
        let beat = Node.map([.init(key: "interval", value: .text("5m")), .init(key: "wake", value: .text("alarm"))])
        let run = Self.run(world, [("keepalive", beat)])
        #expect(run.times(.relaunched).map { Int($0 / 1_000) } == [seconds ?? 1_800])
        // A discarded timer is not late in the new process.
        if seconds == nil { #expect(run.count(.timerLate) == 0) }
        #expect(run.count(.killed) == 1 && run.count(.opened) >= 2)
    }

    @Test("A force stop discards alarms, even if there is no process at that moment")
    func anAlarmDoesNotOutliveAStop() {
        let world = Self.world(
            "android-15", minutes: 40,
            [(60, .app(foreground: false)), (62, .kill), (100, .forceStop), (1_800, .app(foreground: true))])
        let beat = Node.map([.init(key: "interval", value: .text("5m")), .init(key: "wake", value: .text("alarm"))])
        let run = Self.run(world, [("keepalive", beat)])
        #expect(run.times(.relaunched) == [1_800_000])
        #expect(!run.times(.timerFired).contains { (100_000..<1_800_000).contains($0) }, "a discarded alarm fires")
    }

    /// Sets one alarm in the first process, and none in any later one.
    private struct OneAlarm: Strategy {
        static let name = "one alarm"
        static let about = "sets an alarm once"

        init() {}
        init(_ settings: inout SettingsReader) {}
        func initialState() -> UInt8 { 0 }

        func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
            guard case .started = event, session.now == .zero else { return }
            session.arm(TimerSlot(0), after: .minutes(5), wake: .alarm)
        }
    }

    /// Broken: an alarm that a force stop should have discarded fires when the user opens the app again.
    @Test(arguments: [false, true]) func aStoppedAppHasNoAlarmsLeft(isStopped: Bool) {
        var changes: [(Int64, ConditionChange)] = [(60, .app(foreground: false)), (62, .kill)]
        if isStopped { changes.append((100, .forceStop)) }
        let world = Self.world("android-15", minutes: 40, changes + [(1_800, .app(foreground: true))])
        let run = Simulation(world: world, strategy: AnyStrategy(OneAlarm()), seed: 1).allRecords()
        #expect(run.times(.timerFired) == (isStopped ? [] : [300_000]))
    }

    /// Broken: events from the time without a process reach the next process, which then connects twice.
    @Test func aNewProcessGetsItsStartFirst() {
        var world = World(
            horizon: .zero + .minutes(40), wifi: Fixture.wifi, cellular: Fixture.lte, wifiLink: Fixture.link(),
            cellularLink: Fixture.link())
        world.platform = Platform.named("android-15")
        world.timeline = [
            TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
            TimelineEntry(at: .zero + .seconds(60), .app(foreground: false)),
            TimelineEntry(at: .zero + .seconds(62), .kill),
            TimelineEntry(at: .zero + .minutes(20), .pathUp(.cellular, .plain)),
            TimelineEntry(at: .zero + .minutes(20), .pathDown(.wifi, .error)),
            TimelineEntry(at: .zero + .minutes(30), .app(foreground: true)),
        ]
        let run = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords()
        #expect(run.times(.connecting) == [0, 1_800_000])
        #expect(run.count(.networkTold) > 0 && run.count(.relaunched) == 1)
    }

    private static let stories: [([(Int64, ConditionChange)], relaunched: [Int64])] = [
        // Ended in front of the user: the screen shows something else until the user opens the app.
        ([(300, .kill), (360, .screen(false)), (420, .screen(true))], []),
        ([(300, .kill), (360, .screen(false)), (420, .screen(true)), (480, .app(foreground: true))], [480_000]),
        // Ended with the screen off: the app remains in the foreground.
        ([(300, .screen(false)), (360, .kill), (420, .screen(true))], [420_000]),
        ([(300, .screen(false)), (360, .forceStop), (420, .screen(true))], []),
        ([(300, .app(foreground: false)), (360, .kill), (420, .app(foreground: true))], [420_000]),
    ]

    /// Broken: a visible process takes itself for invisible, or the reverse. The phone and the session then disagree.
    @Test(arguments: stories)
    func phoneAndSessionAgreeOnTheForeground(_ changes: [(Int64, ConditionChange)], relaunched: [Int64]) {
        for platform in ["android-15", "ios-18"] {
            let close = Node.map([.init(key: "background", value: .text("close"))])
            let run = Self.run(Self.world(platform, minutes: 20, changes), [("life-cycle", close)])
            #expect(run.times(.relaunched) == relaunched)
            // The client connects when it takes itself for visible.
            #expect(run.count(.opened) == 1 + relaunched.count)
            #expect(run.values(.weather).allSatisfy { $0 == 1 })
            #expect(run.count(.killed) == 1)
        }
    }

    /// Broken: an app that a manufacturer's task killer ended returns with the screen, or cannot be opened again.
    @Test func aKilledAppCanBeOpenedAgain() {
        let world = Self.world(
            "android-oem-killer", minutes: 40,
            [(60, .screen(false)), (1_800, .screen(true)), (1_860, .app(foreground: true))])
        let run = Self.run(world)
        #expect(run.times(.killed) == [360_000] && run.times(.relaunched) == [1_860_000])
        #expect(run.values(.weather).allSatisfy { $0 == 1 })
    }

    /// No internet from 298 s to 328 s; the process ends at 302 s, and a new one starts at 900 s.
    private static func cutOff(_ traffic: Traffic) -> World {
        world(
            "android-15", traffic, minutes: 20,
            [
                (298, .uplink(.wifi, false)), (302, .kill), (328, .uplink(.wifi, true)),
                (900, .app(foreground: true)),
            ])
    }

    /// Broken: calls of a dead process stay open, or their outage is not recorded.
    @Test func callsEndWithTheirProcess() {
        var traffic = Traffic()
        traffic.calls = .every(.seconds(300), until: .zero + .seconds(301))
        let run = Self.run(Self.cutOff(traffic), [("calls", .map([.init(key: "deadline", value: .text("10s"))]))])
        #expect(run.times(.callFailed) == [302_000] && run.tags(.callFailed) == [CallCode.unavailable.rawValue])
        #expect(run.count(.callPending) == 0 && run.values(.callOutage) == [TimeSpan.seconds(900).nanoseconds])
        #expect(run.count(.called) == 1)
    }

    /// Broken: messages that were not stored survive the process, or stored ones do not.
    @Test(arguments: [("nothing", 0), ("cursor", 0), ("persisted", 1)])
    func messagesAreLostUnlessStored(resume: String, delivered: Int) {
        let world = Self.cutOff(Traffic(up: .every(.seconds(300), until: .zero + .seconds(301))))
        let run = Self.run(world, [("resume", .text(resume))])
        #expect(run.count(.deliveredUp) == delivered && run.sum(.lostUp) == Int64(1 - delivered))
        #expect(run.count(.sentUp) == 1 && run.sum(.pendingUp) == 0 && run.count(.opened) == 2)
    }
}

extension Fixture {
    /// `composed` with these settings.
    static func composed(_ settings: [(String, Node)] = []) -> AnyStrategy {
        var reader = SettingsReader(.map(settings.map { .init(key: $0.0, value: $0.1) }), of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "composed refuses \(settings)")
        return AnyStrategy(strategy)
    }
}
