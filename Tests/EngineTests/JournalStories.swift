import DeadzoneBase
import DeadzoneDevice
@testable import DeadzoneSimulator
import DeadzoneTransport

enum JournalStories {
    static let all = [handoff, pocket, iPhone, boxes, consumer, calls, portal, quic, datagrams, radio, server, account]

    private static func up(_ interface: Interface) -> ConditionChange { .pathUp(interface, .plain) }

    static let handoff = JournalStory(
        "two networks and a dead zone",
        """
        keepalive: {interval: 20s, timeout: 5s}
        backoff: {base: 2s, jitter: none}
        on-path-change: {available: reconnect, losing: probe}
        resume: persisted
        """, handoffJournal, seconds: 180,
        Traffic(down: .every(.seconds(11), until: .zero + .seconds(150)), up: .every(.seconds(17), bytes: 900)),
        [
            (0, up(.wifi)), (0, up(.cellular)), (20_500, .pathDown(.wifi, .error)), (40_250, up(.wifi)),
            (52_000, .coverage(.wifi, false)), (61_000, .coverage(.wifi, true)), (70_000, .pathDown(.wifi, .silent)),
            (90_000, .coverage(.cellular, false)), (111_000, .coverage(.cellular, true)),
            (115_000, .oneWay(.cellular, .down, passes: false)), (128_000, .oneWay(.cellular, .down, passes: true)),
            (130_000, .uplink(.cellular, false)), (139_000, .uplink(.cellular, true)),
            (140_000, .readdress(.cellular, .reset)), (150_000, .spurious(.cellular, .flap)),
            (155_000, .cellHandover), (160_000, .fading(.wifi)),
        ])

    static let pocket = JournalStory(
        "an Android phone in a pocket",
        """
        keepalive: {interval: 2m, timeout: 10s, wake: alarm}
        backoff: {base: 2s, jitter: none, wake: while-idle}
        life-cycle: {wake-lock: beat, on-push: 20s}
        on-path-change: reconnect
        """, pocketJournal, seconds: 1_500,
        Traffic(
            down: .every(.seconds(250), until: .zero + .seconds(800)), up: .every(.seconds(420)),
            probe: .every(.seconds(390), bytes: 0)),
        [
            (0, up(.cellular)), (60_000, .app(foreground: false)), (61_000, .screen(false)),
            (150_000, .push(urgent: true)), (260_000, .moving(true)), (290_000, .moving(false)),
            (400_000, .push(urgent: false)), (500_000, .alarmClock(.zero + .seconds(900))),
            (600_000, .pathDown(.cellular, .error)), (640_000, up(.cellular)), (700_000, .saving(true)),
            (800_000, .charging(true)), (860_000, .charging(false)), (920_000, .kill), (1_000_000, .screen(true)),
            (1_001_000, .app(foreground: true)), (1_100_000, .forceStop), (1_200_000, .app(foreground: true)),
        ]
    ) {
        $0.platform = Platform.named("android-15")
        // Long maintenance windows, so that traffic meets them.
        $0.platform?.doze.work = .longest
        // Alarms of light Doze that wait for no other alarm.
        $0.platform?.doze.lightInactiveWindow = .zero
        $0.platform?.doze.lightIdleWindow = .zero
        $0.server.push = .high
        $0.otherApps = [
            OtherApp(
                name: "mail", gap: .constant(900_000_000_000), cellularGap: .constant(330_000_000_000), up: 300,
                down: 2_000, cause: .otherApps, wake: .whileIdle)
        ]
    }

    static let iPhone = JournalStory(
        "an iPhone with background time and a captive network",
        """
        life-cycle: {background: flush-and-close, flush-limit: 8s, asks-for-time: true, on-push: 15s, foreground: probe}
        backoff: {base: 2s, jitter: none}
        transport: {kind: websocket, api: framework}
        on-path-change: {available: reconnect, debounce: 300ms}
        """, iPhoneJournal, seconds: 500,
        Traffic(down: .every(.seconds(90)), up: .every(.seconds(55), bytes: 40_000)),
        [
            (0, up(.cellular)), (30_000, .pathUp(.wifi, Attachment(portal: .seconds(9)))),
            (56_000, .app(foreground: false)),
            (57_000, .screen(false)), (120_000, .push(urgent: true)), (180_000, .screen(true)),
            (181_000, .app(foreground: true)), (230_000, .access(.wifi, .refused)), (260_000, .access(.wifi, .open)),
            (290_000, .access(.wifi, .needsConnection(.seconds(3)))), (330_000, .pathDown(.wifi, .halfOpen)),
            (370_000, .app(foreground: false)), (371_000, .kill), (420_000, .app(foreground: true)),
            (460_000, .clockSet(.hours(1))),
        ]
    ) {
        $0.platform = Platform.named("ios-18")
        $0.server.push = .normal
    }

    static let boxes = JournalStory(
        "middleboxes that forget", "backoff: {base: 2s, jitter: none}", boxesJournal, seconds: 400,
        Traffic(down: .every(.seconds(47)), up: .every(.seconds(71))),
        [
            (0, up(.cellular)), (0, up(.wifi)), (100_000, .mappingsLost(.wifi)), (150_000, .pathDown(.wifi, .error)),
            (250_000, .mappingsLost(.cellular)),
        ]
    ) {
        $0.middleboxes.wifi = [Middlebox(tcp: .seconds(40), expiryAction: .reset)]
        $0.middleboxes.cellular = [Middlebox(tcp: .seconds(43), expiryAction: .close)]
        $0.middleboxes.server = [Middlebox(tcp: .seconds(60))]
        $0.server.heartbeat = Heartbeat(.asks, every: .seconds(45), timeout: .seconds(8))
    }

    static let consumer = JournalStory(
        "a slow consumer, stalls and process ends",
        """
        intake: {buffer: [{capacity: 3, overflow: drop-oldest}], cursor: received}
        resume: {keeps: persisted, on-gap: resync}
        backoff: {base: 2s, jitter: none}
        """, consumerJournal, seconds: 120,
        Traffic(down: .every(.seconds(2), bytes: 700, until: .zero + .seconds(100))),
        [
            (0, up(.wifi)), (20_000, .consumerStall(.seconds(15))), (50_000, .kill), (53_000, .app(foreground: true)),
            (70_000, .pathDown(.wifi, .reset)), (95_000, up(.wifi)),
        ]
    ) {
        $0.consumer = Consumer(service: .constant(2_500_000_000))
        $0.server.history.messages = 4
        $0.server.history.expiredCursorAction = .snapshot
        $0.server.history.snapshot = 5_000
    }

    static let calls = JournalStory(
        "calls over HTTP/2",
        """
        transport: {kind: http2, stream: false}
        calls: {deadline: 6s, retry-policy: {jitter: none, max-attempts: 3}, probe-after: 1}
        keepalive: {interval: 15s, timeout: 4s, without-calls: false}
        backoff: {base: 2s, jitter: none}
        channel: {stream: none, idle-timeout: 20s, connects: on-demand}
        """, callsJournal, seconds: 150,
        Traffic(
            calls: .every(.seconds(13), bytes: 500, until: .zero + .seconds(110)), answer: .constant(3_000)),
        [
            (0, up(.cellular)), (40_000, .coverage(.cellular, false)), (49_000, .coverage(.cellular, true)),
            (65_500, .server(.frozen)), (80_000, .server(.thawed)), (100_000, .server(.draining)),
        ]
    ) {
        $0.server.thinkTime = .milliseconds(400)
        $0.server.faults.transient = Probability(1, of: 3)
        $0.server.limits = ConnectionLimits(idle: .seconds(60), age: .seconds(70), ageGrace: .seconds(3))
    }

    static let portal = JournalStory(
        "names, a captive portal and a network that is slow to come",
        """
        connect: {when: available, timeout: 6s, at-portal: 20s}
        backoff: {base: 2s, jitter: none}
        on-path-change: {available: reconnect, validated: hurry}
        """, portalJournal, seconds: 200, Traffic(up: .every(.seconds(9), until: .zero + .seconds(120))),
        [
            (0, .names(resolve: false)), (0, up(.cellular)), (20_000, .names(resolve: true)),
            (
                40_000,
                .pathUp(.wifi, Attachment(usableAfter: .seconds(2), portal: .seconds(25), announcedAfter: .seconds(1)))
            ),
            (90_000, .pathDown(.wifi, .ended)), (120_000, .pathDown(.cellular, .error)),
            (130_000, .pathUp(.cellular, Attachment(usableAfter: .seconds(3)))),
        ]
    ) {
        $0.resolver = Resolver(
            ttl: .seconds(30), timeout: .seconds(2), attempts: 2, work: .milliseconds(30), ipv6: .works,
            failureMode: .refusing)
        $0.tcpKernel = .xnu
    }

    static let quic = JournalStory(
        "QUIC on the move",
        """
        transport: quic
        on-path-change: {available: migrate, lost: hurry}
        keepalive: {interval: 10s, timeout: 3s}
        backoff: {base: 2s, jitter: none}
        """, quicJournal, seconds: 120, Traffic(down: .every(.seconds(7)), up: .every(.seconds(5))),
        [
            (0, up(.wifi)), (15_000, up(.cellular)), (22_000, .pathDown(.wifi, .error)),
            (40_000, .readdress(.cellular, .silent)),
            (60_000, up(.wifi)), (80_000, .server(.down)), (85_000, .server(.up)), (100_000, .pathDown(.wifi, .silent)),
        ]
    ) { $0.server.quicIdle = .seconds(20) }

    static let datagrams = JournalStory(
        "datagrams and acknowledgements", "transport: datagram", datagramsJournal, seconds: 60,
        Traffic(down: .every(.seconds(3)), up: .every(.seconds(4)), probe: .every(.seconds(8), bytes: 0)),
        [
            (0, up(.wifi)), (20_000, .coverage(.wifi, false)), (27_000, .coverage(.wifi, true)),
            (40_000, .server(.frozen)),
            (45_000, .server(.thawed)),
        ])

    static let radio = JournalStory(
        "radios that change",
        """
        keepalive: {interval: 8s, timeout: 3s}
        backoff: {base: 2s, jitter: none}
        """, radioJournal, seconds: 90, Traffic(down: .every(.seconds(5), bytes: 60_000)),
        [
            (0, up(.cellular)), (20_000, .technology(1)), (35_000, .technology(0)), (41_000, .conditions(.cellular, 1)),
            (50_000, .signal(isWeak: true, radio: 1, condition: 1)), (60_000, .cellHandover),
            (70_000, .signal(isWeak: false, radio: 0, condition: 0)), (75_000, .pathDown(.cellular, .error)),
        ]
    ) {
        $0.cellularAlternates = [Fixture.lte]
        $0.cellularConditions = [Fixture.link(delay: .milliseconds(200), bitsPerSecond: 100_000)]
    }

    static let server = JournalStory(
        "a server that goes down, refuses and changes",
        """
        backoff: {base: 2s, jitter: none}
        resume: {keeps: cursor, on-gap: mark}
        queue: {keeps: memory, bound: 2, overflow: drop-oldest}
        """, serverJournal, seconds: 200,
        Traffic(
            down: .every(.seconds(6), until: .zero + .seconds(150)),
            up: .every(.seconds(5), until: .zero + .seconds(150))),
        [
            (0, up(.wifi)), (20_000, .server(.down)), (32_000, .server(.up)), (45_000, .server(.frozen)),
            (70_000, .server(.thawed)), (85_000, .server(.refusingLogins)), (90_000, .pathDown(.wifi, .error)),
            (91_000, up(.wifi)), (100_000, .server(.takingLogins)),
            (120_000, .deploy(Deploy(over: .seconds(10), instances: 4))),
            (140_000, .serverVersion(1)), (150_000, .deploy(Deploy(over: .zero, isAbrupt: true))),
        ]
    ) {
        $0.server.history.messages = 2
        $0.server.dedup = .bitmap(window: 100)
        $0.server.receipts = ReceiptRules(every: 2, within: .seconds(1))
        $0.server.idleLimit = .seconds(40)
        var version = $0.server
        version.history.messages = 9
        $0.serverVersions = [version]
    }

    static let account = JournalStory(
        "a shared server with few places",
        """
        backoff: {base: 2s, jitter: none}
        connect: {timeout: 8s, retry-after: heed}
        keepalive: {interval: 10s, timeout: 3s}
        """, accountJournal, seconds: 70, Traffic(down: .every(.seconds(6)), up: .every(.seconds(5))),
        [
            (0, up(.cellular)), (20_000, .instance(0, .down)), (24_000, .instance(0, .up)),
            (40_000, .instance(1, .frozen)),
            (50_000, .instance(1, .ejected)), (60_000, .instance(1, .up)), (65_000, .instance(1, .readmitted)),
        ]
    ) {
        $0.phones = 2
        $0.server.acceptsPerSecond = 2
        $0.server.cluster.instances = 2
        $0.server.cluster.shedding = .seconds(3)
        $0.server.cluster.backlog = 1
        $0.server.keepalive = Heartbeat(.asks, every: .seconds(12), timeout: .seconds(3), afterSilence: true)
    }
}
