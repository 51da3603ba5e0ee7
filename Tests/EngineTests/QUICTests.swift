import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Suite struct QUICMoveTests {
    /// On Wi-Fi, with cellular beside it from `overlapFrom`; Wi-Fi ends at 60 s with this signal.
    private static func world(_ lossSignal: PathLossSignal, overlapFrom: TimeSpan = .seconds(55)) -> World {
        World(
            horizon: .zero + .minutes(3), wifi: Fixture.wifi, cellular: Fixture.lte,
            wifiLink: Fixture.link(delay: .milliseconds(10)), cellularLink: Fixture.link(),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
                TimelineEntry(at: .zero + overlapFrom, .pathUp(.cellular, .plain)),
                TimelineEntry(at: .zero + .seconds(60), .pathDown(.wifi, lossSignal)),
            ], traffic: Traffic(down: .every(.seconds(5)), up: .every(.seconds(7))))
    }

    /// Broken: a connection that survives a change of address. The same messages go over QUIC, which migrates, and over
    /// TCP, which cannot.
    @Test(arguments: [PathLossSignal.error, .silent])
    func movesFromWifiToCellular(_ lossSignal: PathLossSignal) {
        let quic = SingleConnectionStrategy(Transport(.quic), migrates: true).run(Self.world(lossSignal))
        let tcp = SingleConnectionStrategy(Transport(.http2), migrates: true).run(Self.world(lossSignal))
        #expect(quic.count(.opened) == 1 && quic.count(.closed) == 0 && quic.sum(.lostUp) == 0)
        #expect(quic.count(.deliveredDown) >= 34 && quic.count(.deliveredUp) >= 24)
        #expect(quic.values(.deliveredDown).allSatisfy { $0 < TimeSpan.seconds(2).nanoseconds })
        #expect(quic.count(.unrecovered) == 0)
        #expect(quic.count(.zombie) == 0)
        #expect(tcp.count(.deliveredDown) <= 12 && tcp.count(.deliveredUp) <= 9)
        #expect(tcp.count(.closed) == (lossSignal == .error ? 1 : 0))
    }

    /// Broken: a gap without any network ends a connection that could have waited. 20 s are less than its idle timeout
    /// of 30 s.
    @Test(arguments: [(80, 0), (120, 1)] as [(Int64, Int)])
    func waitsOutAGapButNotForEver(_ cellularFrom: Int64, _ closed: Int) {
        let world = Self.world(.silent, overlapFrom: .seconds(cellularFrom))
        let sorted = World(
            horizon: world.horizon, wifi: world.wifi, cellular: world.cellular, wifiLink: world.wifiLink,
            cellularLink: world.cellularLink, timeline: world.timeline.sorted { $0.at < $1.at },
            traffic: Traffic(down: .every(.seconds(5))))
        let run = SingleConnectionStrategy(Transport(.quic), migrates: true).run(sorted)
        #expect(run.count(.closed) == closed && run.count(.opened) == 1)
        #expect(run.count(.deliveredDown) >= (closed == 0 ? 34 : 11))
    }

    /// Broken: a migrated connection ends by idle timeout although both ends have just validated the path. The fault
    /// counts 30 s from the last packet of its stream instead of the last packet of all (RFC 9000 §10.1). Covers both
    /// ends: the phone's, and a server with a shorter timeout.
    @Test(arguments: [30, 20] as [Int64])
    func aProvenPathIsNoSilence(_ idleTimeout: Int64) {
        var world = Self.world(.error)
        world.traffic = Traffic(up: .every(.seconds(15), until: .zero + .seconds(50)))
        world.server.quicIdle = .seconds(idleTimeout)
        let run = SingleConnectionStrategy(Transport(.quic), migrates: true).run(world)
        #expect(run.count(.opened) == 1 && run.tags(.closed) == [CloseCode.timedOut.rawValue])
        // It migrates at 60 s, 15 s after its last message, and receives the last packet of the path validation within
        // a second.
        let closed = run.times(.closed).first ?? 0
        #expect((60_000..<62_000).contains(closed - idleTimeout * 1_000), "\(closed)")
    }

    /// Broken: a connection that no client will ever move counts as cut off for a time instead of as dead. A client that
    /// ignores the change of network stays unaware of it, with QUIC as with TCP.
    @Test(arguments: [Transport(.quic), Transport(.http2)])
    func withoutMigrationTheOldPathIsDead(_ carrier: Transport) {
        let run = SingleConnectionStrategy(carrier).run(Self.world(.silent))
        #expect(run.count(.zombie) == 1 && run.count(.blocked) == 0)
    }

    /// Broken: a server that forbids migration (a load balancer that routes by address) keeps a connection alive.
    @Test func aForbiddenMoveIsALoss() {
        var world = Self.world(.silent)
        world.server.allowsMigration = false
        let run = SingleConnectionStrategy(Transport(.quic), migrates: true).run(world)
        #expect(run.tags(.closed) == [CloseCode.pathLost.rawValue])
    }

    /// Broken: the idle timeout. A connection ends after 30 s without packets.
    @Test(arguments: [(nil, 1), (20, 0)] as [(Int64?, Int)])
    func anIdleConnectionTimesOut(_ ping: Int64?, _ closed: Int) {
        let world = Fixture.wifiWorld(horizon: .minutes(3))
        let run = SingleConnectionStrategy(Transport(.quic), ping: ping.map(TimeSpan.seconds)).run(world)
        #expect(run.count(.closed) == closed && run.count(.opened) == 1)
        let times = run.times(.closed)
        #expect(times.allSatisfy { (30_000..<30_500).contains($0) }, "\(times)")
    }

    /// Broken: the round trips before a connection is open: two for TCP with TLS 1.3, one for QUIC. With early data the
    /// app need not wait for it. A round trip is 40 ms, and up to 103 ms more while the radio sleeps between beacons.
    @Test(
        arguments: [(.http2, .tls13, 2), (.quic, .tls13, 1), (.quic, .tls13Early, 1)]
            as [(Transport.TransportKind, Transport.TLSMode, Int64)])
    func opensAfterTheExpectedRoundTrips(_ kind: Transport.TransportKind, _ security: Transport.TLSMode, _ trips: Int64)
    {
        let run = SingleConnectionStrategy(Transport(kind, security: security)).run(
            Fixture.wifiWorld(Traffic(down: .every(.seconds(1))), horizon: .seconds(20)))
        let took = run.times(.opened)[0]
        #expect(trips * 40 <= took && took <= trips * 145)
        #expect(run.count(.deliveredDown) >= 18)
    }

    /// Broken: a connection with early data counts as a zombie until its first packet arrives.
    @Test func earlyDataIsNoZombie() {
        var world = Fixture.cellularWorld(Traffic(up: .every(.seconds(10), bytes: 20)), horizon: .minutes(2))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .readdress(.cellular, .error)))
        let early = RecoveringClient(Transport(.quic, security: .tls13Early)).run(world)
        #expect(early.count(.opened) == 2 && early.sum(.zombie) == 0)
        #expect(early.sum(.available) > TimeSpan.seconds(119).nanoseconds)
        // A server that is down receives nothing.
        world.timeline.append(TimelineEntry(at: .zero + .seconds(90), .server(.down)))
        #expect(RecoveringClient(Transport(.quic, security: .tls13Early)).run(world).sum(.zombie) > 0)
    }
}
