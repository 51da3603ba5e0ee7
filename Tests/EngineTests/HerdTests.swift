import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Load of a fleet on its server after a common trigger.
@Suite struct HerdTests {
    /// The server goes down a minute after the start; a round trip takes 2 ms. The radio never sleeps: otherwise each
    /// phone would get the reset at a beacon of its own.
    private func world(_ phones: Int, away: TimeSpan = .seconds(20), horizon: TimeSpan = .minutes(5)) -> World {
        var world = Fixture.wifiWorld(horizon: horizon)
        world.phones = phones
        world.wifi?.machine = .wifi(WiFiTimers(tail: .hours(1), beacon: Cycle(period: .microseconds(102_400))))
        world.wifiLink = Fixture.link(delay: .milliseconds(1))
        world.timeline += [
            TimelineEntry(at: .zero + .minutes(1), .server(.down)),
            TimelineEntry(at: .zero + .minutes(1) + away, .server(.up)),
        ]
        return world
    }

    private func client(_ jitter: SettingsLiteral, base: String = "1s") -> SettingsLiteral {
        ["backoff": ["base": .text(base), "cap": "32s", "jitter": jitter]]
    }

    private func measure(_ world: World, _ client: SettingsLiteral, blocks: Int = 1) -> Measurement {
        let simulation = Simulation(world: world, strategy: client.strategy, seed: 1)
        var fold = RunFold()
        // The last part runs first, because threads may finish in any order.
        for block in simulation.blocks(of: world.phones / blocks).reversed() {
            var part = RunFold()
            simulation.run(block, into: &part)
            fold.merge(part)
        }
        #expect(fold.unreadable == 0)
        let prices = Prices(radios: RadioProfiles(wifi: world.wifi, cellular: nil))
        return Measurement(of: [fold], prices: prices, seed: 1)
    }

    /// The figure in thousandths; `nil` if it has no value.
    private func thousandths(_ name: String, _ run: Measurement) -> Int? {
        guard case .value(let value) = run.figure(name) else { return nil }
        return Int(value.count / 1_000_000)
    }

    /// Broken: the bunching of a fleet's attempts. Without jitter, 200 clients all come within a tenth of a second.
    /// With ±20 % the first attempt spreads over 0.4 s, with full jitter over one second.
    @Test(arguments: [("none", 200...200), ("20%", 45...80), ("full", 15...50)] as [(String, ClosedRange<Int>)])
    func attemptsSpreadByTheirJitter(jitter: String, peak: ClosedRange<Int>) throws {
        let world = world(200)
        let run = measure(world, client(.text(jitter)))
        #expect(peak.contains(try #require(thousandths("herd.peak_per_100ms", run)) / 1_000))
        let attempts = try #require(thousandths("herd.attempts", run)) / 1_000
        // The attempts at the start do not count.
        #expect(thousandths("connection.attempts", run) == (attempts + 200) * 1_000)
        let allConnected = try #require(thousandths("herd.all_connected_s", run))
        #expect(allConnected > 20_000 && allConnected < 60_000)
        #expect(thousandths("server.connections_max", run) == 200_000)
        #expect(attempts >= 200 * 4)
        // The division of the fleet into blocks must not affect the figures.
        let split = measure(world, client(.text(jitter)), blocks: 4)
        for name in Self.names { #expect(split.figure(name) == run.figure(name), "\(name)") }
    }

    private static let names = [
        "herd.attempts", "herd.peak_per_s", "herd.peak_per_100ms", "herd.all_connected_s", "server.connections_max",
    ]

    /// Broken: the peaks by which fleets are compared. 10,000 clients are dropped at once, with base 0.5 s and cap 32
    /// s. The busiest second of the first minute has 10,000 attempts without jitter. It has 19,206 with full, 12,562
    /// with equal and 7,970 with decorrelated jitter (calculated independently of this engine).
    @Test(arguments: [("none", 500), ("full", 960), ("equal", 628), ("decorrelated", 398)])
    func matchesTheCalculatedPeaks(jitter: String, peak: Int) throws {
        let run = measure(
            world(500, away: .minutes(2), horizon: .seconds(75)), client(.text(jitter), base: "500ms"))
        let measured = try #require(thousandths("herd.peak_per_s", run)) / 1_000
        #expect((peak * 95 / 100...peak * 105 / 100).contains(measured), "\(measured)")
        // At the horizon the server is still down.
        #expect(thousandths("herd.all_connected_s", run) == nil)
    }

    /// Broken: which changes start a herd, and for which phones. Without such a change the herd begins at the start of
    /// the run.
    @Test(
        arguments: [
            ([], 0, 50, 200), ([(.pathDown(.wifi, .error)), .pathUp(.wifi, .plain)], 50, 50, 1_500),
            ([.server(.draining)], 50, 50, 1_500), ([.conditions(.wifi, 0)], 0, 50, 200),
            ([.mappingsLost(.wifi)], 0, 50, 200),
        ] as [([ConditionChange], Int, Int, Int)])
    func beginsWithAChange(changes: [ConditionChange], begun: Int, attempts: Int, longest: Int) throws {
        var world = Fixture.wifiWorld(horizon: .minutes(3))
        world.phones = 50
        for (second, change) in changes.enumerated() {
            world.timeline.append(TimelineEntry(at: .zero + .seconds(60 + Int64(second)), change))
        }
        let client: SettingsLiteral = ["on-path-change": "reconnect", "backoff": ["base": "200ms", "jitter": "none"]]
        let run = measure(world, client)
        #expect(thousandths("herd.attempts", run) == attempts * 1_000)
        let after = try #require(thousandths("herd.all_connected_s", run))
        #expect((1...longest).contains(after), "\(after)")
        let records = client.run(world)
        #expect((records.count(.herdBegan) > 0) == (begun > 0))
        #expect(records.tags(.herdBack).count { $0 == 1 } == begun)
    }

    /// Broken: the number of connections that the server holds. If its phone leaves silently, the server holds a
    /// connection until the phone's next session replaces it. After a close the server does not hold it any longer.
    @Test func countsTheServersConnections() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(10), phones: 20)
        world.wifi = Fixture.wifi
        world.wifiLink = Fixture.link(delay: .milliseconds(20))
        world.timeline += [
            TimelineEntry(at: .zero + .minutes(5), .pathDown(.cellular, .silent)),
            TimelineEntry(at: .zero + .minutes(6), .pathUp(.wifi, .plain)),
        ]
        let client: SettingsLiteral = [
            "on-path-change": "reconnect", "keepalive": ["interval": "10m", "timeout": "10s"],
        ]
        let run = Simulation(world: world, strategy: client.strategy, seed: 1).allRecords()
        let held = run.values(.serverHeld).map { $0 / 1_000_000_000 }.sorted()
        // Until the replacement at 6 min, and from there to the horizon.
        #expect(held.count == 40 && held.prefix(20).allSatisfy { (238...240).contains($0) }, "\(held)")
        #expect(held.suffix(20).allSatisfy { (358...361).contains($0) })
    }
}
