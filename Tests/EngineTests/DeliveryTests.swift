import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTransport
import Testing

extension Fixture {
    /// `composed` with settings in YAML, as in a scenario.
    static func composed(_ yaml: String) -> AnyStrategy {
        guard let node = compose(Array(yaml.utf8)).node else { preconditionFailure("not YAML: \(yaml)") }
        var reader = SettingsReader(node, of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "\(reader.faults)")
        return AnyStrategy(strategy)
    }

    /// A network outage that the system reports, from half a second after `from` to half a second after `to`.
    static func outage(from: Int64, to: Int64) -> [TimelineEntry] {
        [
            TimelineEntry(at: .zero + .milliseconds(from * 1_000 + 500), .pathDown(.cellular, .error)),
            TimelineEntry(at: .zero + .milliseconds(to * 1_000 + 500), .pathUp(.cellular, .plain)),
        ]
    }
}

/// Messages and sessions that servers forget, and the reactions of clients.
@Suite struct ForgettingTests {
    /// One message every 2 s. The network is away from 10.5 s to 24.5 s, and seven messages are written meanwhile.
    private static func world(_ change: (inout ServerProfile) -> Void) -> World {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(2), until: .zero + .seconds(59))), horizon: .minutes(2))
        world.timeline += Fixture.outage(from: 10, to: 24)
        change(&world.server)
        return world
    }

    private static func run(_ world: World, _ settings: String) -> AllRecords {
        Simulation(world: world, strategy: Fixture.composed(settings), seed: 1).allRecords()
    }

    private static let client = "{on-path-change: reconnect, backoff: {base: 500ms, jitter: none}"

    /// Broken: messages count as in transit at the end of the run, although nothing can deliver them. The network is
    /// gone from 10.5 s on, and 24 messages are written meanwhile. A client that starts afresh has lost them; one that
    /// resumes has not. A history of five messages keeps five.
    @Test(arguments: [
        ("nothing", messages: UInt32?.none, History.ExpiredCursorAction.silence, lost: Int64(24)),
        ("cursor", nil, .silence, 0),
        ("cursor", 5, .silence, 19), ("cursor", 5, .snapshot, 0), ("nothing", 5, .snapshot, 24),
    ])
    func undeliverableMessagesAreLost(
        resume: String, messages: UInt32?, whenGone: History.ExpiredCursorAction, lost: Int64
    ) {
        var world = Self.world {
            $0.history.messages = messages
            $0.history.expiredCursorAction = whenGone
        }
        world.timeline.removeLast()
        let run = Self.run(world, Self.client + ", resume: \(resume)}")
        #expect(run.count(.sentDown) == 29 && run.sum(.lostDown) == lost && run.sum(.pendingDown) == 24 - lost)
    }

    /// Broken: attempts without a network are not counted, or a first connection counts as resumed.
    @Test func attemptsWithoutANetworkCount() {
        let world = Self.world { _ in }
        let run = Self.run(
            world, "{connect: {when: always}, backoff: {base: 1s, multiplier: 1, jitter: none}, resume: cursor}")
        // One attempt per second from 10.5 s on: the first after one second, the last before 24.5 s.
        #expect(run.count(.attemptedOffline) == 13 && run.count(.connecting) == 2 && run.count(.resumed) == 1)
    }

    /// Broken: a history of five messages when a client has missed seven. The client gets five; depending on the
    /// settings the gap stays unnoticed or is noticed (centrifugal/centrifugo#165).
    @Test(arguments: [
        (History.ExpiredCursorAction.silence, "ignore", lost: Int64(2), noticed: 0, unnoticed: 1, syncs: 0),
        (.silence, "mark", 2, 1, 0, 0), (.silence, "resync", 0, 1, 0, 1), (.snapshot, "ignore", 0, 1, 0, 1),
    ])
    func aHistoryThatIsTooShort(
        whenGone: History.ExpiredCursorAction, onGap: String, lost: Int64, noticed: Int, unnoticed: Int, syncs: Int
    ) {
        let world = Self.world {
            $0.history.messages = 5
            $0.history.expiredCursorAction = whenGone
        }
        let run = Self.run(world, Self.client + ", resume: {on-gap: \(onGap)}}")
        #expect(run.count(.sentDown) == 29 && run.sum(.lostDown) == lost, "\(whenGone) \(onGap): \(run.sum(.lostDown))")
        #expect(run.count(.deliveredDown) == 29 - Int(lost) && run.sum(.pendingDown) == 0)
        #expect(run.count(.gapNoticed) == noticed && run.count(.gapUnnoticed) == unnoticed)
        #expect(run.count(.fullSync) == syncs && run.sum(.duplicatedDown) == 0)
        #expect(run.values(.drift).contains(7))
    }

    /// Broken: the same gap with a slow consumer: whether it counts as noticed or unnoticed.
    @Test(arguments: [("ignore", 0, 1), ("mark", 1, 0)])
    func aHistoryThatIsTooShortForAConsumer(onGap: String, noticed: Int, unnoticed: Int) {
        var world = Self.world { $0.history.messages = 5 }
        world.consumer = Consumer(service: .constant(TimeSpan.milliseconds(100).nanoseconds))
        let run = Self.run(world, Self.client + ", resume: {on-gap: \(onGap)}}")
        #expect(run.sum(.lostDown) == 2 && run.count(.deliveredDown) == 27)
        #expect(run.count(.gapNoticed) == noticed && run.count(.gapUnnoticed) == unnoticed)
    }

    /// Broken: a server counts from one again after a restart, and the client's old cursor silently skips new messages
    /// (manaflow-ai/cmux#9615). An epoch reveals the restart.
    @Test(arguments: [true, false])
    func aRestartInsideTheOutage(namesEpoch: Bool) {
        var world = Self.world {
            $0.session.survivesRestart = false
            $0.session.namesEpoch = namesEpoch
            $0.history.expiredCursorAction = .snapshot
        }
        world.timeline.insert(TimelineEntry(at: .zero + .seconds(15), .server(.down)), at: 2)
        world.timeline.insert(TimelineEntry(at: .zero + .seconds(17), .server(.up)), at: 3)
        let run = Self.run(world, Self.client + "}")
        #expect(run.sum(.duplicatedDown) == 0 && run.count(.fullSync) == (namesEpoch ? 1 : 0))
        #expect(run.sum(.lostDown) == (namesEpoch ? 0 : 7), "\(run.sum(.lostDown))")
        #expect(run.count(.gapUnnoticed) == (namesEpoch ? 0 : 1))
    }

    /// Broken: a session expires without notice (ChatSecure/ChatSecure-iOS#677: the client assumes 24 h, the server 5
    /// min). Or a client that knows the session window does not request everything by itself.
    @Test(arguments: [(TimeSpan.seconds(13), "{}", 1), (.seconds(20), "{}", 0), (.seconds(20), "{window: 13s}", 1)])
    func aSessionThatIsTooOld(window: TimeSpan, resume: String, syncs: Int) {
        var world = Self.world {
            $0.session.window = window
            $0.history.expiredCursorAction = .snapshot
        }
        // The server does not learn of the end and keeps the session.
        world.timeline[1].change = .pathDown(.cellular, .reset)
        let run = Self.run(world, Self.client + ", resume: \(resume)}")
        #expect(run.count(.fullSync) == syncs && run.sum(.lostDown) == 0 && run.count(.deliveredDown) == 29)
        #expect(run.sum(.bytesDown) > (syncs == 1 ? 20_000 : 0))
    }

    /// Broken: the loss of messages that the server forgets as soon as it has written them, when their connection
    /// breaks.
    @Test(arguments: History.Purge.allCases)
    func messagesPurgedTooEarlyAreLost(purge: History.Purge) {
        var world = Self.world { $0.history.purge = purge }
        // Silent from 10.5 s on: the server keeps writing to a dead connection until a new one replaces it.
        world.timeline = [world.timeline[0]]
        world.timeline += [
            TimelineEntry(at: .zero + .milliseconds(10_500), .pathDown(.cellular, .silent)),
            TimelineEntry(at: .zero + .milliseconds(24_500), .pathUp(.cellular, .plain)),
        ]
        let run = Self.run(world, Self.client + ", keepalive: 5s, resume: {acknowledge: {every: 1}}}")
        #expect(run.sum(.lostDown) == (purge == .sent ? 7 : 0), "\(purge): \(run.sum(.lostDown))")
        #expect(run.count(.opened) == 2)
    }
}

/// Uplink messages of the app: confirmation and duplicate detection.
@Suite struct ConfirmingTests {
    private static func run(_ world: World, _ settings: String) -> AllRecords {
        Simulation(world: world, strategy: Fixture.composed(settings), seed: 1).allRecords()
    }

    /// Broken: a kernel's acknowledgement counts as the program's confirmation. The program is frozen, reads nothing
    /// and dies; the kernel has acknowledged messages that are never read.
    @Test(arguments: [true, false])
    func aKernelAcknowledgementIsNoReceipt(hasReceipts: Bool) {
        var world = Fixture.cellularWorld(
            Traffic(up: .every(.seconds(2), until: .zero + .seconds(59))), horizon: .minutes(2))
        world.server.receipts = hasReceipts ? ReceiptRules() : nil
        world.timeline += [
            TimelineEntry(at: .zero + .milliseconds(10_500), .server(.frozen)),
            TimelineEntry(at: .zero + .milliseconds(16_500), .server(.down)),
            TimelineEntry(at: .zero + .milliseconds(16_600), .server(.thawed)),
            TimelineEntry(at: .zero + .milliseconds(17_500), .server(.up)),
        ]
        let run = Self.run(world, "{backoff: {base: 500ms, jitter: none}}")
        #expect(run.count(.opened) == 2 && run.count(.sentUp) == 29)
        #expect(run.sum(.lostUp) == (hasReceipts ? 0 : 3), "\(run.sum(.lostUp))")
        #expect(run.count(.acknowledgedUp) == 29 && run.sum(.duplicatedUp) == 0)
    }

    /// Broken: a server without duplicate detection processes a repeated message twice, and the duplicate is not
    /// counted. HTTP/2 sends the unconfirmed tail again without waiting for the server's answer.
    @Test(arguments: [
        (Dedup.none, "true", duplicated: true), (.bitmap(window: 1_000), "true", false),
        (.set(window: 1_000), "true", false),
        (.bloom(bits: 4_096, hashes: 3, keys: nil), "true", false), (.bitmap(window: 1_000), "false", true),
    ])
    func aRepeatedMessageIsCountedOrSuppressed(dedup: Dedup, keys: String, duplicated: Bool) {
        var world = Fixture.cellularWorld(
            Traffic(up: .every(.seconds(2), until: .zero + .seconds(59))), horizon: .minutes(2))
        world.server.dedup = dedup
        // Uplink packets arrive, but nothing comes back: no confirmation.
        world.timeline += [
            TimelineEntry(at: .zero + .milliseconds(10_500), .oneWay(.cellular, .down, passes: false)),
            TimelineEntry(at: .zero + .milliseconds(16_500), .oneWay(.cellular, .down, passes: true)),
            TimelineEntry(at: .zero + .milliseconds(16_500), .readdress(.cellular, .error)),
        ]
        let run = Self.run(
            world, "{transport: http2, on-path-change: reconnect, queue: {keys: \(keys)}, backoff: {base: 500ms}}")
        #expect((run.sum(.duplicatedUp) > 0) == duplicated, "\(dedup): \(run.sum(.duplicatedUp))")
        #expect((run.sum(.suppressedUp) > 0) == !duplicated)
        #expect(run.sum(.lostUp) == 0 && run.count(.deliveredUp) == 29)
        #expect(run.sum(.dedupMemory) == Int64(dedup.bytes))
    }

    /// Broken: a server accepts a second connection while the first is open although it must refuse it, or it never
    /// releases the first one.
    @Test(arguments: [true, false])
    func theOldConnectionBlocksTheNewOne(replaces: Bool) {
        var world = Fixture.cellularWorld(Traffic(up: .every(.seconds(2))), horizon: .minutes(3))
        world.server.session.replaces = replaces
        world.server.idleLimit = .seconds(60)
        // The close of the old connection has no network to leave by.
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(10), .pathDown(.cellular, .silent)),
            TimelineEntry(at: .zero + .seconds(12), .pathUp(.cellular, .plain)),
        ]
        let run = Self.run(world, "{on-path-change: reconnect, backoff: {base: 5s, cap: 5s, jitter: none}}")
        let second = run.records.filter { $0.kind == .opened }.map(\.at)[1]
        #expect((run.count(.sessionRefused) > 5) == !replaces, "\(run.count(.sessionRefused))")
        #expect(second < .zero + .seconds(replaces ? 14 : 76) && (replaces || second > .zero + .seconds(65)))
    }
}

extension AllRecords {
    fileprivate func sum(_ direction: BytesWay) -> Int64 {
        records.reduce(0) { sum, record in
            guard record.tag(of: .bytes)?.direction == .down else { return sum }
            return sum + record.value
        }
    }

    fileprivate enum BytesWay { case bytesDown }
}

/// The path of a message from the socket to the user, with a process that ends on the way.
@Suite struct ShowingTests {
    /// Broken: the order of showing a message and storing the cursor. If the cursor is stored first, a crash in between
    /// loses the message. If it is stored later, the message is shown twice. If it is stored at once, neither happens.
    @Test(arguments: [
        ("{keeps: persisted}", lost: false, duplicated: false),
        ("{keeps: persisted, shows-after: 1500ms}", false, false),
        ("{keeps: persisted, shows-after: 1500ms, stores: before-showing}", true, false),
        ("{keeps: persisted, store: {every: 7, within: 10s}}", false, true),
        ("{keeps: cursor}", false, true), ("{keeps: nothing}", true, false),
    ])
    func aCrashBetweenShowingAndStoring(resume: String, lost: Bool, duplicated: Bool) {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(1), until: .zero + .seconds(59))), horizon: .minutes(2))
        world.platform = Platform.named("android-15")
        for second in [20, 40] as [Int64] {
            world.timeline.append(TimelineEntry(at: .zero + .milliseconds(second * 1_000 + 300), .kill))
            world.timeline.append(
                TimelineEntry(at: .zero + .milliseconds(second * 1_000 + 3_800), .app(foreground: true)))
        }
        let run = Simulation(
            world: world, strategy: Fixture.composed("{resume: \(resume)}"), seed: 1
        ).allRecords()
        #expect(run.count(.killed) == 2 && run.count(.sentDown) == 58)
        #expect((run.sum(.lostDown) > 0) == lost, "\(resume): \(run.sum(.lostDown)) lost")
        #expect((run.sum(.duplicatedDown) > 0) == duplicated, "\(resume): \(run.sum(.duplicatedDown)) duplicated")
        #expect(run.count(.deliveredDown) + Int(run.sum(.lostDown)) == 58)
        // The app was opened again twice, and each time it showed everything that the server had.
        #expect(run.count(.fresh) == 2)
    }

    /// Broken: repeated messages. A client without duplicate detection shows them again; one that compares with its
    /// cursor does not. A Bloom filter like the article's, here with 64 bytes, hides messages that were never shown.
    @Test(arguments: [("cursor", 0, 0), ("none", 1, 0), ("{bloom: 64B, keys: 200}", 0, 1)])
    func repeatedMessagesAreShownOrHidden(dedup: String, duplicated: Int64, lost: Int64) {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(1), until: .zero + .seconds(299))), horizon: .minutes(6))
        // The second connection resumes with the article's wrong number and brings again what the first delivered.
        world.timeline.append(TimelineEntry(at: .zero + .milliseconds(150_500), .readdress(.cellular, .error)))
        let run = Simulation(
            world: world,
            strategy: Fixture.composed(
                "{on-path-change: reconnect, resume: {handshake: sequences, dedup: \(dedup)}}"), seed: 1
        ).allRecords()
        #expect(run.count(.opened) == 2)
        #expect((run.sum(.duplicatedDown) > 0) == (duplicated > 0), "\(dedup): \(run.sum(.duplicatedDown))")
        #expect((run.sum(.lostDown) > 0) == (lost > 0) && (run.sum(.mistakenDown) > 0) == (lost > 0))
        #expect(run.sum(.duplicatedDown) + run.sum(.suppressedDown) == 150)
    }

    /// Broken: the WebSocket article's handshake to the letter. The client discards its own unsent messages up to the
    /// number of messages that the server has sent. The repaired handshake loses nothing.
    @Test(arguments: ["sequences", "received"])
    func theArticlesHandshake(handshake: String) {
        var world = Fixture.cellularWorld(
            Traffic(
                down: .every(.seconds(1), until: .zero + .seconds(119)),
                up: .every(.seconds(3), until: .zero + .seconds(119))), horizon: .minutes(3))
        world.timeline += Fixture.outage(from: 40, to: 60)
        let run = Simulation(
            world: world,
            strategy: Fixture.composed("{on-path-change: reconnect, resume: {handshake: \(handshake)}}"), seed: 1
        ).allRecords()
        let isLiteral = handshake == "sequences"
        // Six or seven uplink messages are due in those twenty seconds; the server has counted sixty messages by then.
        #expect((6...7).contains(run.sum(.lostUp)) == isLiteral, "\(run.sum(.lostUp))")
        #expect(run.sum(.lostDown) == 0 && (run.sum(.suppressedDown) > 0) == isLiteral)
    }
}
