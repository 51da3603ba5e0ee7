import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// Credentials that expire, from the server's check to the metric's records.
@Suite struct CredentialRunTests {
    private func world(phones: Int = 1, calls: Bool = false, _ change: (inout CredentialRules) -> Void = { _ in })
        -> World
    {
        var traffic = Traffic(down: .every(.seconds(5)))
        if calls {
            traffic.calls = .every(.milliseconds(50))
            traffic.answer = .constant(200)
        }
        var world = Fixture.cellularWorld(traffic, horizon: .minutes(20), phones: phones)
        var rules = CredentialRules(life: .minutes(2))
        change(&rules)
        world.server.credentials = rules
        // Every connection ends once a minute, so tokens are checked once a minute.
        for minute in 1..<20 {
            world.timeline.append(TimelineEntry(at: .zero + .minutes(Int64(minute)), .server(.draining)))
        }
        return world
    }

    private func run(_ credentials: [(String, String)]?, _ world: World) -> AllRecords {
        var settings: [(String, [(String, String)])] = [
            ("transport", [("kind", "websocket")]), ("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")]),
            ("calls", [("deadline", "10s")]),
        ]
        if let credentials { settings.append(("credentials", credentials)) }
        return Simulation(world: world, strategy: Fixture.composed(settings), seed: 3).allRecords()
    }

    /// Broken: an expired token opens a session, a valid one does not, a client without the facet gets a token, or one
    /// with it is refused for ever.
    @Test func sessionsNeedAValidToken() {
        let without = run(nil, world())
        #expect(without.count(.credentialsRefused) > 500 && without.count(.credentialsRenewed) == 0)
        let with = run([("flights", "one")], world())
        #expect(with.count(.credentialsRenewed) >= 5 && with.count(.credentialsRefused) < 20)
        #expect(with.count(.loggedOut) == 0 && with.sum(.lostDown) == 0)
        // A timer before the expiry prevents every refusal.
        let early = run([("refresh-at", "50%")], world())
        #expect(early.count(.credentialsRefused) == 0 && early.count(.credentialsRenewed) >= 15)
        let before = run([("before-connect", "true")], world())
        #expect(before.count(.credentialsRefused) == 0 && before.count(.credentialsRenewed) >= 5)
        #expect(run(nil, world { $0.checksSessions = false }).count(.credentialsRefused) == 0)
    }

    /// Broken: requests at once present different refresh tokens, a replay does not log the user out, or one request at
    /// a time does. Or the time logged out is not recorded up to the horizon.
    @Test func requestsAtOnceLogOut() {
        let rules: (inout CredentialRules) -> Void = { $0.isSingleUse = true }
        let many = run([("flights", "many")], world(calls: true, rules))
        #expect(many.count(.loggedOut) == 1 && many.count(.loggedOutFor) == 1)
        let out = many.records.first { $0.kind == .loggedOut }!
        #expect(many.sum(.loggedOutFor) == (Instant.zero + .minutes(20) - out.at).nanoseconds)
        // After the logout there is neither a connection nor a request.
        #expect(!many.records.contains { out.at < $0.at && [.connecting, .credentialsRenewed].contains($0.kind) })
        let one = run([("flights", "one")], world(calls: true, rules))
        #expect(one.count(.loggedOut) == 0 && one.count(.credentialsRenewed) >= 5)
        let forgiving = run(
            [("flights", "many")],
            world(calls: true) {
                rules(&$0); $0.grace = .seconds(30)
            })
        #expect(forgiving.count(.loggedOut) == 0)
    }

    /// Broken: an outage because of credentials has another cause.
    @Test func theOutageHasItsCause() {
        let silence = run(nil, world()).records.filter { $0.kind == .silent }
        let expired = silence.filter { $0.tag(of: .silent)?.cause == .credentialsExpired }.reduce(0) { $0 + $1.value }
        #expect(expired > TimeSpan.minutes(10).nanoseconds, "\(expired)")
        let other = run([("refresh-at", "50%")], world()).records.filter { $0.kind == .silent }
        #expect(!other.contains { $0.tag(of: .silent)?.cause == .credentialsExpired })
    }

    /// Broken: requests for tokens ignore the capacity that all phones share, or a full queue issues tokens.
    @Test func requestsShareTheCapacity() {
        func renewed(_ perSecond: UInt32?) -> [Int64] {
            var world = world(phones: 40) { $0.life = .seconds(1) }
            world.horizon = .zero + .seconds(90)
            world.server.faults.requestsPerSecond = perSecond
            return run([("before-connect", "true")], world).values(.credentialsRenewed)
        }
        let (free, shared) = (renewed(nil), renewed(4))
        #expect(free.count >= 40 && free.allSatisfy { $0 < 1_000_000_000 }, "\(free.max() ?? 0)")
        #expect(shared.count >= 30 && shared.max()! > 5_000_000_000, "\(shared.max() ?? 0)")
    }

    /// Broken: a packet of a request is not repeated after a loss, or a request without an answer never ends.
    @Test func lostPacketsAreRepeated() {
        var lossy = world()
        lossy.cellularLink = Fixture.link(loss: .independent(Probability(30, of: 100)))
        let run = run([("before-connect", "true"), ("timeout", "30s")], lossy)
        #expect(run.count(.credentialsRenewed) >= 3)
        #expect(run.values(.credentialsRenewed).contains { $0 > 1_000_000_000 })
        #expect(run.values(.credentialsRenewed).allSatisfy { $0 <= 30_000_000_000 })
    }

    /// Broken: a request has other bytes or round trips than its settings, the answer comes at another time, or a
    /// packet with an answer after a second is not repeated. A round trip takes 70 ms, and the radio needs 260 ms to
    /// begin; a small packet has 40 bytes.
    @Test(
        arguments: [
            (2_000, 5_000, 3, 50, 2_000, 5_000), (2_400, 6_000, 4, 50, 2_400, 6_000),
            (2_000, 5_000, 1, 50, 2_000, 5_000),
            (60, 60, 3, 50, 120, 120), (2_000, 5_000, 3, 1_500, 3_000, 5_000),
        ] as [(UInt32, UInt32, UInt8, Int64, Int64, Int64)])
    func aRequestCostsItsBytesAndRoundTrips(
        up: UInt32, down: UInt32, trips: UInt8, issue: Int64, upTotal: Int64, downTotal: Int64
    ) throws {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(10))
        let transport = [("transport", [("kind", "websocket")])]
        let plain = Simulation(world: world, strategy: Fixture.composed(transport), seed: 3).allRecords()
        var rules = CredentialRules(life: .minutes(2))
        (rules.up, rules.down, rules.roundTrips, rules.issueTime) = (up, down, trips, .milliseconds(issue))
        world.server.credentials = rules
        let client = Fixture.composed(transport + [("credentials", [("refresh-at", "50%")])])
        let run = Simulation(world: world, strategy: client, seed: 3).allRecords()
        let renewed = run.values(.credentialsRenewed)
        #expect(renewed.count >= 8 && run.count(.opened) == 1)
        // After the last answer a request may be on its way.
        let last = try #require(run.records.last { $0.kind == .credentialsRenewed }).at
        func bytes(_ records: AllRecords, _ direction: Direction) -> Int64 {
            records.records.reduce(0) { sum, record in
                record.at <= last && record.tag(of: .bytes)?.direction == direction ? sum + record.value : sum
            }
        }
        #expect(bytes(run, .up) - bytes(plain, .up) == Int64(renewed.count) * upTotal)
        #expect(bytes(run, .down) - bytes(plain, .down) == Int64(renewed.count) * downTotal)
        let least = 260 + 70 * Int64(trips) + issue
        #expect(renewed.dropFirst().allSatisfy { (least...least + 60).contains($0 / 1_000_000) }, "\(renewed)")
    }

    /// Broken: a server that is down or frozen issues tokens, or none after its return. The client gets one every ten
    /// seconds.
    @Test(arguments: [(ServerChange.down, ServerChange.up), (.frozen, .thawed)])
    func aServerThatIsAwayIssuesNoToken(away: ServerChange, back: ServerChange) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(5))
        world.server.credentials = CredentialRules(life: .seconds(20))
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(100), .server(away)),
            TimelineEntry(at: .zero + .seconds(160), .server(back)),
        ]
        let client = Fixture.composed([
            ("transport", [("kind", "websocket")]), ("credentials", [("refresh-at", "50%")]),
        ])
        let times = Simulation(world: world, strategy: client, seed: 3).allRecords().times(.credentialsRenewed)
        // An answer may be on its way when the server goes.
        #expect(!times.contains { (100_300..<160_000).contains($0) }, "\(times)")
        #expect(times.count { $0 < 100_000 } >= 5 && times.count { $0 >= 160_000 } >= 1, "\(times)")
    }
}
