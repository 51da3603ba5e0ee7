import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneTestKit
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// A client with a direct path to its peer and a relay beside it, in complete runs.
@Suite struct ICERunTests {
    private static let second = TimeSpan.seconds(1).nanoseconds

    private func run(
        _ settings: [(String, String)] = [], _ changes: [TimelineEntry] = []
    ) -> AllRecords {
        let traffic = Traffic(down: .every(.seconds(1)), up: .every(.seconds(1)))
        var world = Fixture.cellularWorld(traffic, horizon: .minutes(10))
        world.server.peer = PeerRules(relayDelay: .milliseconds(100))
        world.timeline += changes
        return Simulation(world: world, strategy: Fixture.strategy(ICE.self, settings), seed: 3).allRecords()
    }

    private func at(_ minute: Int64, _ change: ConditionChange) -> TimelineEntry {
        TimelineEntry(at: .zero + .minutes(minute), change)
    }

    private func share(_ records: AllRecords) -> Double {
        let (direct, relay) = (records.sum(.usedDirect), records.sum(.usedRelay))
        return Double(direct) / Double(max(direct + relay, 1))
    }

    /// Broken: the relay takes no longer than the direct path, the client does not find the direct path, or the peer
    /// sends on both paths.
    @Test func theDirectPathIsUsedWhenItWorks() {
        let (both, relay, direct) = (run(), run([("paths", "relay")]), run([("paths", "direct")]))
        #expect(share(both) > 0.99 && share(relay) == 0 && share(direct) == 1)
        #expect(both.count(.pathSelected) == 1 && relay.count(.pathSelected) == 0)
        func median(_ records: AllRecords) -> Int64 {
            let values = records.values(.deliveredDown).sorted()
            return values[values.count / 2]
        }
        // A radio that listens at intervals adds some milliseconds to either.
        let (more, same) = (median(relay) - median(direct), median(both) - median(direct))
        #expect((90_000_000...130_000_000).contains(more) && abs(same) < 15_000_000, "\(more) ns, \(same) ns")
        for records in [both, relay, direct] {
            #expect(records.count(.deliveredDown) >= 595 && records.sum(.duplicatedDown) == 0)
            #expect(records.sum(.suppressedDown) == 0 && records.sum(.lostUp) <= 2)
        }
        // A second path kept alive costs one check in 25 s, beside those of the first seconds.
        #expect(both.count(.pinged) > direct.count(.pinged) + 20 && both.count(.pinged) < direct.count(.pinged) + 50)
        let times = [both, direct].map { Double($0.sum(.available)) / Double(600 * Self.second) }
        #expect(times.allSatisfy { $0 > 0.98 && $0 <= 1 }, "\(times)")
    }

    /// Broken: a direct path that is blocked is used, the relay carries nothing meanwhile, or the direct path is not used
    /// again when it works within the consent time.
    @Test func theRelayCarriesWhatTheDirectPathCannot() {
        // One check in 25 s is too few to see it.
        let short = run(
            [("backup-checks", "5s")], [at(3, .peer(.blocked)), TimelineEntry(at: .zero + .seconds(200), .peer(.open))])
        // One relay at the start, one while the direct path was silent.
        #expect(short.count(.pathSelected) == 3, "\(short.count(.pathSelected))")
        #expect((1...8).contains(short.sum(.lostDown)), "\(short.sum(.lostDown))")
        #expect(share(short) > 0.9)
        let long = run([], [at(3, .peer(.blocked)), at(5, .peer(.open))])
        #expect(long.count(.pathSelected) == 2 && share(long) < 0.35 && long.sum(.lostDown) <= 8)
        let climbs = run([("climb", "30s")], [at(3, .peer(.blocked)), at(5, .peer(.open))])
        #expect(climbs.count(.pathSelected) >= 3 && share(climbs) > 0.6 && climbs.sum(.lostDown) <= 10)
    }

    /// Broken: a path that was opened before the peer moved works, a new one does not, or a change without effect counts.
    @Test func aPeerThatMovesNeedsANewPath() {
        let stays = run([], [at(3, .peer(.moves))])
        #expect(share(stays) < 0.35 && stays.sum(.lostDown) <= 8)
        let climbs = run([("climb", "30s")], [at(3, .peer(.moves))])
        #expect(share(climbs) > 0.75, "\(share(climbs))")
        let direct = run([("paths", "direct")], [at(3, .peer(.moves))])
        #expect(direct.sum(.lostDown) > 400)
        let restarts = run([("paths", "direct"), ("restart-after", "5s")], [at(3, .peer(.moves))])
        #expect((5...14).contains(restarts.sum(.lostDown)), "\(restarts.sum(.lostDown))")
        #expect(run([], [at(3, .peer(.open))]).records.contains { $0.kind == .weather && $0.tag == 1 && $0.value == 0 })
    }

    /// Broken: a client without restarts finds its peer over another network, or one with them does not.
    @Test func anotherNetworkNeedsARestart() {
        let traffic = Traffic(down: .every(.seconds(1)), up: .every(.seconds(1)))
        var world = Fixture.cellularWorld(traffic, horizon: .minutes(10))
        (world.wifi, world.wifiLink) = (Fixture.wifi, Fixture.link())
        world.server.peer = PeerRules()
        world.timeline = [
            TimelineEntry(at: .zero, .pathUp(.wifi, .plain)), at(5, .pathDown(.wifi, .silent)),
            TimelineEntry(at: .zero + .minutes(5) + .seconds(1), .pathUp(.cellular, .plain)),
        ]
        func lost(_ settings: [(String, String)]) -> Int64 {
            let client = Fixture.strategy(ICE.self, settings)
            return Simulation(world: world, strategy: client, seed: 3).allRecords().sum(.lostDown)
        }
        let (never, after, event) = (
            lost([("on-path-change", "nothing")]), lost([("on-path-change", "nothing"), ("restart-after", "5s")]),
            lost([])
        )
        #expect(never > 280 && (5...15).contains(after) && event < after, "\(never), \(after), \(event)")
    }

    /// Broken: with two paths a message ends twice or never, a period is counted twice, or the client is stopped.
    @Test func lawsHoldInRandomWorlds() {
        let settings: [[(String, String)]] = [
            [], [("restart-after", "5s"), ("climb", "10s")], [("paths", "direct"), ("consent", "5s")],
        ]
        let clients = settings.map { Fixture.strategy(ICE.self, $0) }
        let sweep = Sweep.worlds(.init(ShippedRadios.profiles), clients: clients)
        seedSweep(150) { seed in
            let finding = sweep.result(seed)
            #expect(finding.broken == [], "\(finding.client)")
        }
    }
}
