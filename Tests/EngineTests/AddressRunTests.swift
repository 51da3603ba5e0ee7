import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// A server that moves to another address, from the timeline to the record of the silence.
@Suite struct AddressRunTests {
    private static let moved = Instant.zero + .minutes(5)

    /// The server moves after five minutes.
    private func world(
        _ old: OldAddress, nameAfter: TimeSpan = .zero, ttl: TimeSpan = .seconds(60), _ traffic: Traffic? = nil
    ) -> World {
        var world = Fixture.cellularWorld(
            traffic ?? Traffic(down: .every(.seconds(5)), up: .every(.seconds(7))), horizon: .minutes(20))
        world.resolver = Resolver(ttl: ttl)
        world.timeline += [
            TimelineEntry(at: Self.moved, .serverMoved(old)),
            TimelineEntry(at: Self.moved + nameAfter, .nameUpdated),
        ]
        return world
    }

    private func run(
        _ world: World, transport: String = "websocket", names: [(String, String)]? = nil, keeps: String = "cursor"
    ) -> AllRecords {
        var settings: [(String, [(String, String)])] = [
            ("transport", [("kind", transport)]), ("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")]),
            ("keepalive", [("interval", "20s"), ("timeout", "5s")]),
            ("connect", [("timeout", "5s"), ("when", "always")]),
        ]
        settings.append(("resume", [("keeps", keeps)]))
        if let names { settings.append(("names", names)) }
        return Simulation(world: world, strategy: Fixture.composed(settings), seed: 3).allRecords()
    }

    /// Time from the move to the next connection.
    private func away(_ run: AllRecords) -> TimeSpan? {
        run.records.first { $0.kind == .opened && $0.at > Self.moved }.map { $0.at - Self.moved }
    }

    /// Broken: a connection to the old address survives the move, the phone finds the new address before its resolver
    /// or its cache lets it, or it never finds it.
    @Test(arguments: [OldAddress.silent, .reset], ["websocket", "quic"])
    func clientsFindTheNewAddress(old: OldAddress, transport: String) {
        let named = run(world(old, ttl: .seconds(1)), transport: transport)
        let isReset = old == .reset && transport == "websocket"
        // A reset answers the next packet; silence is noticed by the keepalive.
        let noticed: ClosedRange<TimeSpan> = isReset ? .zero ... .seconds(10) : .seconds(4)...(.seconds(40))
        #expect(noticed.contains(away(named)!), "\(away(named)!)")
        let late = run(world(old, nameAfter: .minutes(2), ttl: .seconds(1)), transport: transport)
        #expect((.seconds(120) ... .seconds(130)).contains(away(late)!), "\(away(late)!)")
        let attempts = late.records.filter { $0.kind == .connecting && $0.at > Self.moved }
        #expect(attempts.count >= 10)
        // The client itself ends attempts that nothing answers.
        let failed = late.records.filter { $0.kind == .failed && $0.at > Self.moved }
        #expect(isReset ? failed.count >= 10 && failed.allSatisfy { $0.tag(of: .failed) == .refused } : failed.isEmpty)
        let cached = run(world(old, ttl: .minutes(8)), transport: transport)
        // The phone asked at its first connection, and its cache lives for eight minutes.
        #expect((.seconds(178) ... .seconds(190)).contains(away(cached)!), "\(away(cached)!)")
        for one in [named, late, cached] { #expect(one.sum(.zombie) > 0 && one.sum(.lostUp) == 0) }
    }

    /// Broken: the silence has another cause or change, or ends before the new address is used.
    @Test(arguments: [OldAddress.silent, .reset])
    func theSilenceHasItsCause(old: OldAddress) {
        let run = run(world(old, nameAfter: .minutes(2), ttl: .seconds(1)), keeps: "nothing")
        let after = run.records.filter { $0.kind == .silent && $0.at > Self.moved }
        #expect(!after.isEmpty)
        // The last attempt, which goes to the new address, takes some time too.
        for record in after where record.value > TimeSpan.seconds(1).nanoseconds {
            let tag = record.tag(of: .silent)!
            #expect(tag.cause == .oldAddress && tag.change == 1, "\(tag)")
        }
        let sum = after.reduce(0) { $0 + $1.value }
        #expect(sum == away(run)!.nanoseconds)
        let lost = run.records.filter { $0.kind.isLoss }.compactMap(\.loss)
        #expect(!lost.isEmpty && lost.allSatisfy { $0.cause == .oldAddress && $0.change == 1 }, "\(lost)")
    }

    /// Broken: a server that has moved back and forth is not found, a phone without a resolver loses it, or a move
    /// before the first connection counts as silence of the old address.
    @Test func everyMoveHasItsAddress() {
        var often = world(.silent, ttl: .seconds(1))
        for minute in 6..<19 {
            let at = Instant.zero + .minutes(Int64(minute))
            often.timeline += [
                TimelineEntry(at: at, .serverMoved(minute % 2 == 0 ? .reset : .silent)),
                TimelineEntry(at: at, .nameUpdated),
            ]
        }
        #expect(run(often).count(.opened) == 15)
        var literal = world(.silent, nameAfter: .minutes(9))
        literal.resolver = nil
        #expect(away(run(literal))! < .seconds(40))
        var early = world(.silent)
        early.timeline.insert(TimelineEntry(at: .zero, .serverMoved(.reset)), at: 0)
        early.timeline.insert(TimelineEntry(at: .zero, .nameUpdated), at: 1)
        let first = run(early).records.first { $0.kind == .silent }!
        #expect(first.tag(of: .silent)?.cause != .oldAddress)
    }

    /// Broken: a library that keeps its first address finds another one, or one that resolves again does not.
    @Test(arguments: [OldAddress.silent, .reset])
    func librariesKeepAddresses(old: OldAddress) {
        let world = world(old, ttl: .seconds(1))
        let once = run(world, names: [("resolves", "at-start")])
        #expect(away(once) == nil && once.count(.opened) == 1)
        let kept = once.records.filter { $0.kind == .resolved && $0.at > Self.moved }
        #expect(kept.count > 50 && kept.allSatisfy { $0.tag(of: .resolved) == .kept })
        let silent = once.records.filter { $0.kind == .silent && $0.at > Self.moved }
        #expect(silent.allSatisfy { $0.tag(of: .silent)?.cause == .oldAddress })
        let each = away(run(world, names: [("resolves", "each-attempt")]))!
        #expect(each == away(run(world)))
        // Three attempts fail first: at once, or after five seconds each.
        let third = away(run(world, names: [("resolves", "at-start"), ("after", "3")]))! - each
        let expected: ClosedRange<TimeSpan> =
            old == .reset ? .seconds(2) ... .seconds(5) : .seconds(17) ... .seconds(20)
        #expect(expected.contains(third), "\(third)")
        let cache = away(run(world, names: [("cache", "7m")]))!
        #expect((.seconds(118) ... .seconds(130)).contains(cache), "\(cache)")
    }

    /// Broken: a process keeps the address of the one before it.
    @Test func processesForgetAddresses() {
        var world = world(.silent, ttl: .seconds(1))
        world.platform = Platform.named("android-15")
        world.timeline += [
            TimelineEntry(at: .zero + .minutes(10), .kill),
            TimelineEntry(at: .zero + .minutes(11), .app(foreground: true)),
        ]
        let back = away(run(world, names: [("resolves", "at-start")]))!
        #expect((.minutes(5) ... .minutes(7)).contains(back), "\(back)")
    }

    /// Broken: the failure to resolve is kept for another time than the policy says, or a phone without a network asks.
    @Test func librariesKeepFailures() {
        func world(_ mode: Resolver.FailureMode) -> World {
            var world = self.world(.reset, ttl: .seconds(1))
            world.resolver?.failureMode = mode
            // The move ends the connection; for ten seconds after it the name is not resolved.
            world.timeline.insert(TimelineEntry(at: Self.moved - .seconds(1), .names(resolve: false)), at: 1)
            world.timeline.append(TimelineEntry(at: Self.moved + .seconds(10), .names(resolve: true)))
            return world
        }
        let refusing = world(.refusing)
        let usual = away(run(refusing))!
        #expect((.seconds(10) ... .seconds(12)).contains(usual), "\(usual)")
        let negative = run(refusing, names: [("negative", "30s")])
        #expect((.seconds(30) ... .seconds(42)).contains(away(negative)!), "\(away(negative)!)")
        let results = negative.records.filter { $0.kind == .resolved }.compactMap { $0.tag(of: .resolved) }
        #expect(results.filter { $0 == .failed }.count == 1 && results.filter { $0 == .keptFailure }.count > 20)
        // The last address is old, so it helps only before the move.
        let stale = run(refusing, names: [("negative", "30s"), ("stale", "when-failing")])
        #expect(stale.records.contains { $0.tag(of: .resolved) == .stale } && away(stale)! > .seconds(29))
        var offline = self.world(.reset)
        offline.timeline = [
            offline.timeline[0], TimelineEntry(at: .zero + .minutes(1), .pathDown(.cellular, .error)),
            TimelineEntry(at: .zero + .minutes(1) + .seconds(10), .pathUp(.cellular, .plain)),
        ]
        func opened(_ names: [(String, String)]?) -> Instant {
            run(offline, names: names).records.last { $0.kind == .opened }!.at
        }
        #expect(opened([("negative", "40s")]) - opened(nil) > .seconds(25))
        #expect(opened([("negative", "40s"), ("resolves", "at-start")]) - opened(nil) < .seconds(2))
    }
}
