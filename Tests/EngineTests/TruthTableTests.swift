import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Connects once, at the start, shows what it receives, and leaves the connection alone.
private struct Holder: Strategy {
    static let name = "holder"
    static let about = "connects once"
    init(_ settings: inout SettingsReader) {}
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {
        switch event {
        case .started: out.append(.connect(ConnectionSlot(0), .webSocket, resuming: .from(session.cursor)))
        case .received(_, let cursor, _): out.append(.deliver(cursor))
        default: break
        }
    }
}

/// The true state of one connection after each change of conditions, to the millisecond.
@Suite struct TruthTableTests {
    private static let kinds: [RecordKind] = [
        .opened, .closed, .available, .blocked, .zombie, .zombieFrozen, .undetected, .detected, .recovered,
        .unrecovered, .falseDrop, .mappingExpired,
    ]

    private func run(_ entries: [(Int64, ConditionChange)], _ change: (inout World) -> Void = { _ in }) -> AllRecords {
        var reader = SettingsReader.describing("a test")
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(4), until: .zero + .seconds(50))), horizon: .seconds(60))
        world.timeline += entries.map { TimelineEntry(at: .zero + .milliseconds($0.0), $0.1) }
        change(&world)
        return Holder(&reader).run(world)
    }

    private func story(_ run: AllRecords) -> [String] {
        run.records.filter { Self.kinds.contains($0.kind) }.map {
            let value = [.opened, .closed, .mappingExpired].contains($0.kind) ? "" : " \($0.value / 1_000_000)"
            return "\($0.at.nanoseconds / 1_000_000) \($0.kind)\(value)"
        }
    }

    /// A row of the table: the changes of conditions by milliseconds, and the records that follow from them.
    struct Row: Sendable {
        var name: String
        var entries: [(Int64, ConditionChange)]
        var story: [String]

        init(_ name: String, _ entries: [(Int64, ConditionChange)], _ story: [String]) {
            (self.name, self.entries, self.story) = (name, entries, story)
        }
    }

    /// The connection opens 260 ms (promotion) and three round trips of 70 ms after the start, plus transmission times.
    /// All changes come 10,028 ms later. Messages are written every four seconds.
    private static let rows: [Row] = [
        Row("nothing", [], ["60000 available 59528"]),
        // The message of 12 s comes with its retransmission.
        Row(
            "a dead zone with a message",
            [(10_500, .coverage(.cellular, false)), (13_000, .coverage(.cellular, true))],
            ["10500 available 10028", "13000 blocked 2500", "14476 recovered 1476", "60000 available 47000"]),
        // Nothing was in flight, so the outage is over with the dead zone.
        Row(
            "a dead zone without a message",
            [(10_500, .coverage(.cellular, false)), (11_000, .coverage(.cellular, true))],
            ["10500 available 10028", "11000 blocked 500", "60000 available 49000"]),
        Row(
            "a dead zone until the end",
            [(10_500, .coverage(.cellular, false)), (59_000, .coverage(.cellular, true))],
            ["10500 available 10028", "59000 blocked 48500", "60000 available 1000", "60000 unrecovered 1000"]),
        Row(
            "no internet", [(10_500, .uplink(.cellular, false)), (21_000, .uplink(.cellular, true))],
            ["10500 available 10028", "21000 blocked 10500", "27276 recovered 6276", "60000 available 39000"]),
        Row(
            "no downlink",
            [
                (10_500, .oneWay(.cellular, .down, passes: false)), (21_000, .oneWay(.cellular, .down, passes: true)),
            ], ["10500 available 10028", "21000 blocked 10500", "27276 recovered 6276", "60000 available 39000"]),
        Row(
            "a loss with an error", [(10_500, .pathDown(.cellular, .error)), (13_000, .pathUp(.cellular, .plain))],
            [
                "10500 available 10028", "10500 detected 0", "10500 zombie 0", "10500 closed",
                "60000 unrecovered 47000",
            ]),
        Row(
            "a silent loss", [(10_500, .pathDown(.cellular, .silent)), (13_000, .pathUp(.cellular, .plain))],
            ["10500 available 10028", "60000 undetected 49500", "60000 zombie 49500", "60000 unrecovered 47000"]),
        // Without a path no client could recover.
        Row(
            "a loss that leaves the socket half open", [(10_500, .pathDown(.cellular, .halfOpen))],
            ["10500 available 10028", "60000 undetected 49500", "60000 zombie 49500"]),
        Row(
            "a loss with a reset", [(10_500, .pathDown(.cellular, .reset))],
            ["10500 available 10028", "10500 detected 0", "10500 zombie 0", "10500 closed"]),
        Row(
            "a loss with an end", [(10_500, .pathDown(.cellular, .ended))],
            ["10500 available 10028", "10500 detected 0", "10500 zombie 0", "10500 closed"]),
        Row(
            "a new address, silently", [(10_500, .readdress(.cellular, .silent))],
            ["10500 available 10028", "60000 undetected 49500", "60000 zombie 49500", "60000 unrecovered 49500"]),
        Row(
            "a new address, with an error", [(10_500, .readdress(.cellular, .error))],
            [
                "10500 available 10028", "10500 detected 0", "10500 zombie 0", "10500 closed",
                "60000 unrecovered 49500",
            ]),
        Row(
            "a frozen server", [(10_500, .server(.frozen)), (13_000, .server(.thawed))],
            ["10500 available 10028", "13000 blocked 2500", "13069 recovered 69", "60000 available 47000"]),
        // The reset takes 35 ms, and up to 40 ms until the phone listens.
        Row(
            "a server that goes down", [(10_500, .server(.down)), (13_000, .server(.up))],
            [
                "10500 available 10028", "10549 detected 49", "10549 zombie 49", "10549 closed",
                "60000 unrecovered 47000",
            ]),
        Row(
            "a server that drains", [(10_500, .server(.draining))],
            [
                "10500 available 10028", "10549 detected 49", "10549 zombie 49", "10549 closed",
                "60000 unrecovered 49500",
            ]),
        Row(
            "logins refused", [(10_500, .server(.refusingLogins)), (13_000, .server(.takingLogins))],
            ["60000 available 59528"]),
        Row("a handover", [(10_500, .cellHandover)], ["60000 available 59528"]),
    ]

    @Test("A connection is available, blocked or a zombie exactly while its path and the server make it so")
    func table() {
        for row in Self.rows {
            let run = run(row.entries)
            #expect(story(run) == ["471 opened"] + row.story, "\(row.name)")
            // The periods of the state cover the life of the connection without a gap.
            let spans = [RecordKind.available, .blocked, .zombie, .zombieFrozen].map { run.sum($0) }.reduce(0, +)
            let opened = run.records.first { $0.kind == .opened }?.at ?? .never
            let closed = run.records.first { $0.kind == .closed }?.at ?? run.records.last?.at ?? .never
            #expect(spans == (closed - opened).nanoseconds, "\(row.name)")
            #expect(run.sum(.detected) + run.sum(.undetected) == run.sum(.zombie), "\(row.name)")
            let applied = run.records.filter { $0.kind == .weather }.map(\.value)
            #expect(applied == Array(repeating: 1, count: row.entries.count + 1), "\(row.name)")
            let residency = run.ledger.time(on: .cellular)
            #expect(residency == .seconds(60), "\(row.name)")
        }
    }

    /// The idle time of ten seconds counts from the acknowledgement of the upgrade at 548 ms.
    @Test(
        "A middlebox that forgets a connection ends it as its action says", arguments: Middlebox.ExpiryAction.allCases)
    func middleboxes(action: Middlebox.ExpiryAction) {
        let run = run([]) { world in
            world.traffic.down = .every(.seconds(25), until: .zero + .seconds(55))
            world.middleboxes.cellular = [Middlebox(tcp: .seconds(10), expiryAction: action)]
        }
        let rest =
            switch action {
            case .drop, .reset: ["60000 undetected 49451", "60000 zombie 49451"]
            case .oneWay: ["60000 blocked 49451"]
            case .close: ["10589 detected 41", "10589 zombie 41", "10589 closed"]
            }
        #expect(
            story(run) == ["471 opened", "10548 mappingExpired", "10548 available 10076"] + rest
                + ["60000 unrecovered 49451"])
    }

    @Test("A change that changes nothing counts as not applied, and leaves the connection alone")
    func withoutEffect() {
        let changes: [ConditionChange] = [
            .pathUp(.cellular, .plain), .pathUp(.wifi, .plain), .pathDown(.wifi, .error), .fading(.wifi),
            .readdress(.wifi, .error), .coverage(.cellular, true), .coverage(.wifi, false), .uplink(.cellular, true),
            .oneWay(.cellular, .up, passes: true), .technology(0), .technology(1), .conditions(.cellular, 0),
            .spurious(.wifi, .flap), .access(.cellular, .open), .mappingsLost(.cellular), .screen(true), .kill,
            .forceStop, .push(urgent: true), .pushTokenVoid, .clockSet(.seconds(1)), .saving(true), .moving(true),
            .charging(true),
            .dataSaver(true), .restriction(true),
            .alarmClock(.zero + .seconds(50)), .consumerStall(.seconds(1)), .names(resolve: true),
            .nameUpdated, .subscriptionsEnded(SubscriptionEnd(isSilent: false, count: 64)),
            .server(.thawed), .server(.up), .server(.takingLogins), .app(foreground: true),
        ]
        for change in changes {
            let run = run([(10_500, change)])
            #expect(run.records.last { $0.kind == .weather }?.value == 0, "\(change)")
            #expect(story(run) == ["471 opened", "60000 available 59528"], "\(change)")
        }
    }
}
