import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzoneMessages
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Phones that do not take what the server has to say.
@Suite struct SlowPhoneTests {
    /// Forty kilobytes a second for a minute, over a link that carries twelve and a half.
    private func world(_ rules: SlowConsumers = SlowConsumers(), horizon: TimeSpan = .minutes(4)) -> World {
        var world = Fixture.wifiWorld(horizon: horizon)
        world.wifiLink.down.bitsPerSecond = 100_000
        world.traffic.down = .every(.milliseconds(100), bytes: 4_000, until: .zero + .minutes(1))
        // Linux doubles it.
        world.server.sendBuffer = 16 << 10
        world.server.slowConsumers = rules
        return world
    }

    private func conflating(above: UInt64 = 0, keys: UInt32 = 1) -> SlowConsumers {
        var rules = SlowConsumers()
        rules.conflatesAbove = above
        rules.keys = keys
        return rules
    }

    private func cutting(above: UInt64 = 0, after: TimeSpan) -> SlowConsumers {
        var rules = SlowConsumers()
        rules.cutsAbove = above
        rules.cutsAfter = after
        return rules
    }

    private func isConserved(_ run: Everything) -> Bool {
        Int64(run.count(.sentDown)) == Int64(run.count(.deliveredDown)) + run.sum(.lostDown) + run.sum(.pendingDown)
    }

    /// Broken: memory that is not counted, or counted twice: of 2.4 MB 0.75 MB cross in the minute, and all of it in the end.
    @Test(arguments: [Carrier.Kind.webSocket, .http2, .serverSentEvents])
    func aQueueWithoutRulesGrows(kind: Carrier.Kind) {
        let run = Rider(Carrier(kind)).run(world())
        #expect((1_550_000...1_750_000).contains(run.sum(.serverQueuePeak)), "\(run.sum(.serverQueuePeak))")
        #expect(run.count(.deliveredDown) == 599 && run.sum(.lostDown) == 0 && run.count(.serverExpired) == 0)
        let quick = Rider(Carrier(kind)).run(
            Fixture.wifiWorld(Traffic(down: .every(.seconds(1))), horizon: .minutes(1)))
        #expect(quick.count(.serverQueuePeak) == 0)
    }

    /// Broken: a server that keeps the newest and yet shows the past, or loses a message without saying so; with a consumer and
    /// without; whose heartbeats find no place between messages that leave others out.
    @Test(arguments: [(0, 1), (0, 20), (100_000, 1)] as [(UInt64, UInt32)])
    func keepsTheNewest(above: UInt64, keys: UInt32) {
        for hasConsumer in [false, true] {
            var world = world(conflating(above: above, keys: keys))
            world.server.heartbeat = Heartbeat(.asks, every: .seconds(5), timeout: .seconds(20))
            if hasConsumer { world.consumer = Consumer() }
            let run = Rider(.webSocket).run(world)
            let dropped = run.sum(.serverQueueDropped)
            #expect((300...500).contains(dropped) && run.sum(.lostDown) == dropped, "\(dropped)")
            #expect(isConserved(run) && run.sum(.pendingDown) == 0)
            #expect(run.count(.opened) == 1 && run.count(.serverExpired) == 0 && run.count(.serverPinged) > 10)
            #expect(run.sum(.serverQueuePeak) <= Int64(above) + Int64(keys + 1) * 4_100)
            // What the kernel holds and, in the worst case, what waits before it is kept.
            let oldest = run.values(.deliveredDown).max() ?? 0
            #expect(
                oldest < TimeSpan.seconds(7 + Int64(above + UInt64(keys) * 4_000) / 12_000).nanoseconds, "\(oldest)")
        }
    }

    /// Broken: a slow phone that is kept, cut too early, or not told. What the kernel has still comes, then the end.
    @Test(arguments: [(0, 2), (0, 10), (200_000, 0)] as [(UInt64, Int64)])
    func givesSlowPhonesUp(above: UInt64, after: Int64) {
        let run = Reviver(.webSocket).run(world(cutting(above: above, after: .seconds(after))))
        let cuts = run.records.filter { $0.kind == .serverExpired }
        #expect(cuts.count >= 2 && cuts.allSatisfy { $0.tag == ExpiryCode.slow.rawValue })
        // Who asks for more than is borne is sent away at once, perhaps before its connection is open.
        let (closed, opened) = (run.count(.closed), run.count(.opened))
        #expect(
            above > 0 || opened == closed + 1 && (cuts.count - 1...cuts.count).contains(closed),
            "\(closed) of \(cuts.count)")
        #expect(isConserved(run))
        // 27.5 KB more each second than leave, from the moment when the kernel's 32 KiB are full.
        let first = cuts[0].at.nanoseconds / 1_000_000
        let due = 1_400 + after * 1_000 + Int64(above) / 27
        #expect((due - 1_200...due + 1_500).contains(first), "\(first) of \(due)")
    }

    /// Broken: a phone that is shut out by its own consumer: the window is shut, and what waits is the server's.
    @Test func aShutWindowFillsTheQueue() {
        var world = Fixture.wifiWorld(horizon: .minutes(3))
        world.traffic.down = .every(.milliseconds(100), bytes: 4_000, until: .zero + .minutes(2))
        world.consumer = Consumer()
        world.timeline.append(TimelineEntry(at: .zero + .seconds(10), .consumerStall(.minutes(1))))
        let client: Written = ["transport": "grpc", "intake": ["read-ahead": "4"]]
        let run = client.run(world)
        #expect((2_200_000...2_420_000).contains(run.sum(.serverQueuePeak)), "\(run.sum(.serverQueuePeak))")
        #expect(run.sum(.lostDown) == 0 && run.count(.windowShut) >= 1)
    }

    /// Broken: a message that a rule of the server makes appear twice, vanish or wait for ever, in some world.
    @Test func losesNothingUnseen() {
        var dropped: Int64 = 0
        var cuts = 0
        seedSweep(60) { seed in
            var (world, _) = RandomWorld.draw(seed)
            let isCutting = seed % 3 == 0
            world.server.slowConsumers =
                isCutting
                ? cutting(after: .seconds(1)) : conflating(above: seed % 2 * 5_000, keys: UInt32(seed % 4) + 1)
            world.server.sendBuffer = 4_096
            world.wifiLink.down.bitsPerSecond = min(world.wifiLink.down.bitsPerSecond, 20_000)
            world.cellularLink.down.bitsPerSecond = min(world.cellularLink.down.bitsPerSecond, 20_000)
            let client: Written = ["transport": "websocket", "resume": seed % 5 == 0 ? "nothing" : "cursor"]
            var laws = WorldLaws()
            Simulation(world: world, strategy: client.strategy, seed: seed).run(0..<UInt32(world.phones), into: &laws)
            #expect(laws.broken(in: world) == [])
            dropped += Int64(laws.count(.serverQueueDropped))
            cuts += laws.records.count { $0.kind == .serverExpired && $0.tag == ExpiryCode.slow.rawValue }
        }
        #expect(dropped > 20 && cuts > 5, "the worlds were too kind: \(dropped), \(cuts)")
    }
}
