import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Network changes while a connection is open.
@Suite struct NetworkChangeTests {
    /// On Wi-Fi, with cellular beside it from `overlapFrom`; Wi-Fi ends at 60 s with this signal.
    private static func world(
        overlapFrom: TimeSpan, _ lossSignal: PathLossSignal, traffic: Traffic = Traffic(),
        horizon: TimeSpan = .minutes(5)
    ) -> World {
        World(
            horizon: .zero + horizon, wifi: Fixture.wifi, cellular: Fixture.lte,
            wifiLink: Fixture.link(delay: .milliseconds(10)), cellularLink: Fixture.link(),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
                TimelineEntry(at: .zero + overlapFrom, .pathUp(.cellular, .plain)),
                TimelineEntry(at: .zero + .seconds(60), .pathDown(.wifi, lossSignal)),
            ], traffic: traffic)
    }

    /// Broken: an app gets no event for the network that takes over, because that network was up before the old one
    /// failed silently.
    @Test func aSilentLossSwitchesToTheOtherNetwork() {
        let world = Self.world(overlapFrom: .seconds(55), .silent, traffic: Traffic(down: .every(.seconds(5))))
        let run = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords()
        #expect(run.values(.recovered).allSatisfy { $0 < TimeSpan.seconds(3).nanoseconds })
        #expect(run.count(.recovered) == 1 && run.count(.unrecovered) == 0)
        #expect(run.sum(.pendingDown) <= 1)
    }

    /// Broken: a dead zone that a connection survives is not counted as an outage although packets in transit had to
    /// wait for its end. Or it is counted although nothing was in transit.
    @Test(arguments: [true, false])
    func aDeadZoneIsAnOutageForDataInTransit(isBusy: Bool) {
        var world = Fixture.cellularWorld(
            Traffic(up: isBusy ? .every(.seconds(5)) : nil), horizon: .minutes(3))
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(61), .coverage(.cellular, false)),
            TimelineEntry(at: .zero + .seconds(69), .coverage(.cellular, true)),
        ]
        let run = Simulation(world: world, strategy: AnyStrategy(SingleConnectionStrategy(.webSocket)), seed: 1)
            .allRecords()
        #expect(run.count(.opened) == 1 && run.sum(.blocked) == TimeSpan.seconds(8).nanoseconds)
        #expect(run.count(.recovered) == (isBusy ? 1 : 0) && run.count(.unrecovered) == 0)
        // A retransmission by the kernel, after a doubled timeout.
        #expect(run.values(.recovered).allSatisfy { 0 < $0 && $0 < TimeSpan.seconds(10).nanoseconds })
    }

    /// Broken: the end of the old connection is reported after the strategy has opened a new one in its place, and
    /// makes it abandon the new one.
    @Test func theEndOfAnOldConnectionDoesNotTouchTheNewOne() {
        let run = Simulation(
            world: Self.world(overlapFrom: .seconds(55), .error), strategy: Fixture.strategy(Patient.self), seed: 1
        ).allRecords()
        #expect(run.count(.connecting) == 2 && run.count(.opened) == 2, "\(run.values(.connecting))")
        #expect(run.count(.detected) == 1)
    }

    /// Answers every event with attempts on both slots.
    struct TwoSlotClient: Strategy {
        static let name = "twofold"
        static let about = "answers every failure with two attempts"
        init(_ settings: inout SettingsReader) {}
        func initialState() -> UInt8 { 0 }
        func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
            out.append(.connect(ConnectionSlot(0), .datagram, resuming: .fresh))
            out.append(.connect(ConnectionSlot(1), .datagram, resuming: .fresh))
            out.append(.connect(ConnectionSlot(0), .datagram, resuming: .fresh))
            out.append(.connect(ConnectionSlot(1), .datagram, resuming: .fresh))
        }
    }

    /// Broken: one wrong belief counts as two. The system first takes the network from the app and then suspends its
    /// process; in between, the connection seems to work for zero time.
    @Test func aFrozenAppHasOneWrongBelief() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .hours(1))
        world.platform = Platform.named("android-15")
        world.timeline.append(TimelineEntry(at: .zero + .seconds(1), .screen(false)))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(1), .app(foreground: false)))
        let run = Simulation(world: world, strategy: AnyStrategy(SingleConnectionStrategy(.webSocket)), seed: 1)
            .allRecords()
        #expect(run.values(.zombieFrozen).filter { $0 > 0 }.count == 1 && run.values(.available).allSatisfy { $0 > 0 })
        let wrong = run.sum(.zombie) + run.sum(.zombieFrozen)
        #expect(run.sum(.undetected) == wrong && run.sum(.zombieFrozen) > TimeSpan.minutes(50).nanoseconds)
    }

    /// Broken: a strategy that causes more events than it receives ends the program instead of its own phone.
    @Test func multiplyingEventsStopOnlyTheirPhone() {
        var reader = SettingsReader.describing("a test")
        let strategy = AnyStrategy(TwoSlotClient(&reader))
        for paths in [[], [TimelineEntry(at: .zero, .pathUp(.cellular, .plain))]] {
            var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(10))
            world.timeline = paths
            let run = Simulation(world: world, strategy: strategy, seed: 1).allRecords()
            #expect(run.count(.stopped) == 1 && run.count(.finished) == 1)
        }
    }

    /// Broken: a timeline with many changes at its first instant fails.
    @Test func theFirstInstantHoldsAnyNumberOfChanges() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(10))
        world.timeline += (0..<200).map { TimelineEntry(at: .zero, .app(foreground: $0 % 2 == 1)) }
        let run = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords()
        #expect(run.count(.weather) == 201 && run.count(.opened) == 1)
    }

    /// Broken: messages that a dead connection has taken, and that the app will not send again, count as in transit.
    @Test func messagesTakenByADeadConnectionAreLost() {
        var world = Self.world(overlapFrom: .hours(1), .silent, traffic: Traffic(up: .every(.seconds(7))))
        world.timeline.removeLast()
        world.timeline[1] = TimelineEntry(at: .zero + .seconds(60), .pathDown(.wifi, .silent))
        let run = Simulation(
            world: world, strategy: Fixture.strategy(Eager.self, [("ping", "1h")]), seed: 1
        ).allRecords()
        #expect(run.sum(.undetected) == TimeSpan.minutes(4).nanoseconds)
        #expect(run.count(.deliveredUp) == 8 && run.sum(.lostUp) == 34 && run.sum(.pendingUp) == 0)
    }

    /// Broken: messages that an open connection has taken, and that the app will not send again, count as lost. Or
    /// those of a dead connection count as in transit. The app sends each 2 s, and the link takes 35 ms.
    @Test(
        arguments: [
            (nil, 2_020, 0, 1), (nil, 2_100, 1, 0), (nil, 8_010, 3, 1),
            // Cut off, the connection keeps what it has taken.
            (.coverage(.cellular, false), 5_100, 2, 0), (.coverage(.cellular, false), 9_000, 2, 2),
            (.pathDown(.cellular, .silent), 5_100, 2, 0), (.pathDown(.cellular, .silent), 9_000, 2, 0),
        ] as [(ConditionChange?, Int64, Int, Int64)])
    func messagesOnAnOpenConnectionArePending(change: ConditionChange?, end: Int64, arrived: Int, pending: Int64) {
        var world = Fixture.cellularWorld(Traffic(up: .every(.seconds(2))), horizon: .milliseconds(end))
        if let change { world.timeline.append(TimelineEntry(at: .zero + .seconds(5), change)) }
        let run = Simulation(
            world: world, strategy: Fixture.strategy(Eager.self, [("ping", "1h")]), seed: 1
        ).allRecords()
        #expect(run.count(.sentUp) == Int(end / 2_000) && run.count(.deliveredUp) == arrived)
        #expect(run.sum(.pendingUp) == pending && run.sum(.lostUp) == end / 2_000 - Int64(arrived) - pending)
    }

    /// Keeps a connection for half a minute and then closes it for good.
    struct ShortConnectionClient: Strategy {
        static let name = "brief"
        static let about = "closes after 30 s"
        init(_ settings: inout SettingsReader) {}
        func initialState() -> UInt8 { 0 }
        func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
            switch event {
            case .started:
                out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .fresh))
                session.arm(TimerSlot(0), after: .milliseconds(30_100))
            case .fired(TimerSlot(0)): out.append(.close(ConnectionSlot(0)))
            default: break
            }
        }
    }

    /// Broken: a server that did not receive the close keeps waking the phone for a quarter of an hour, because nothing
    /// resets it.
    @Test func aClosedSocketAnswersWithAReset() {
        var reader = SettingsReader.describing("a test")
        var world = Fixture.cellularWorld(Traffic(down: .every(.seconds(45))), horizon: .minutes(30))
        // The close falls into a short dead zone.
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(30), .coverage(.cellular, false)),
            TimelineEntry(at: .zero + .seconds(31), .coverage(.cellular, true)),
        ]
        let run = Simulation(world: world, strategy: AnyStrategy(ShortConnectionClient(&reader)), seed: 1).allRecords()
        #expect(run.count(.closed) == 1)
        #expect(run.count(.promotion) <= 4, "\(run.count(.promotion))")
    }
}

/// Opens a second connection beside the first at 30 s, and closes the first when the second is open.
private struct Mover: Strategy {
    static let name = "mover"
    static let about = "moves to a second connection"
    init(_ settings: inout SettingsReader) {}
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started:
            out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .fresh))
            session.arm(TimerSlot(0), after: .seconds(30))
        case .fired(TimerSlot(0)):
            out.append(.connect(ConnectionSlot(1), .webSocket, resuming: .from(session.cursor)))
        case .opened(ConnectionSlot(1), _): out.append(.close(ConnectionSlot(0)))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        default: break
        }
    }
}

@Suite struct MoveTests {
    /// Broken: a client that moves to a second connection before it closes the first is charged with an outage and a
    /// recovery.
    @Test func movingBeforeBreakingIsNoOutage() {
        var reader = SettingsReader.describing("a test")
        let run = Simulation(
            world: Fixture.cellularWorld(Traffic(down: .every(.seconds(1))), horizon: .minutes(1)),
            strategy: AnyStrategy(Mover(&reader)), seed: 1
        ).allRecords()
        #expect(run.count(.opened) == 2 && run.count(.recovered) == 0 && run.count(.deliveredDown) >= 58)
        // The server has ended the first connection while its answer is on the way to the second one.
        let detected = run.values(.detected)
        #expect(detected.count == 1 && detected.allSatisfy { 0 < $0 && $0 < TimeSpan.seconds(1).nanoseconds })
        #expect(run.sum(.zombie) == run.sum(.detected) && run.count(.unrecovered) == 0)
    }
}
