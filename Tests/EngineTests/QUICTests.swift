import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld
import Testing

@Suite struct QUICMoveTests {
    /// On Wi-Fi, from 55 s with cellular beside it; Wi-Fi goes at 60 s in this manner.
    private static func world(_ manner: OldPath, overlapFrom: TimeSpan = .seconds(55)) -> World {
        World(
            horizon: .zero + .minutes(3), wifi: Fixture.wifi, cellular: Fixture.lte,
            wifiLink: Fixture.link(delay: .milliseconds(10)), cellularLink: Fixture.link(),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
                TimelineEntry(at: .zero + overlapFrom, .pathUp(.cellular, .plain)),
                TimelineEntry(at: .zero + .seconds(60), .pathDown(.wifi, manner)),
            ], traffic: Traffic(down: .every(.seconds(5)), up: .every(.seconds(7))))
    }

    /// Broken: a connection that outlives its address. The same messages over QUIC, which moves, and over TCP, which cannot.
    @Test(arguments: [OldPath.error, .silent])
    func movesFromWifiToCellular(_ manner: OldPath) {
        let quic = Rider(Carrier(.quic), moves: true).run(Self.world(manner))
        let tcp = Rider(Carrier(.http2), moves: true).run(Self.world(manner))
        #expect(quic.count(.opened) == 1 && quic.count(.closed) == 0 && quic.sum(.lostUp) == 0)
        #expect(quic.count(.deliveredDown) >= 34 && quic.count(.deliveredUp) >= 24)
        #expect(quic.values(.deliveredDown).allSatisfy { $0 < TimeSpan.seconds(2).nanoseconds })
        #expect(quic.count(.unrecovered) == 0)
        #expect(quic.count(.zombie) == 0)
        #expect(tcp.count(.deliveredDown) <= 12 && tcp.count(.deliveredUp) <= 9)
        #expect(tcp.count(.closed) == (manner == .error ? 1 : 0))
    }

    /// Broken: a gap without any network kills a connection that could have waited: 20 s are less than its 30 s of idle time.
    @Test(arguments: [(80, 0), (120, 1)] as [(Int64, Int)])
    func waitsOutAGapButNotForEver(_ cellularFrom: Int64, _ closed: Int) {
        let world = Self.world(.silent, overlapFrom: .seconds(cellularFrom))
        let sorted = World(
            horizon: world.horizon, wifi: world.wifi, cellular: world.cellular, wifiLink: world.wifiLink,
            cellularLink: world.cellularLink, timeline: world.timeline.sorted { $0.at < $1.at },
            traffic: Traffic(down: .every(.seconds(5))))
        let run = Rider(Carrier(.quic), moves: true).run(sorted)
        #expect(run.count(.closed) == closed && run.count(.opened) == 1)
        #expect(run.count(.deliveredDown) >= (closed == 0 ? 34 : 11))
    }

    /// Broken: a connection that moved is ended by silence, though both ends have just heard each other prove the path: 30 s after the
    /// last packet of its stream, not of all (RFC 9000 §10.1). At both ends: the phone's, and that of a server with less patience.
    @Test(arguments: [30, 20] as [Int64])
    func aProvenPathIsNoSilence(_ patience: Int64) {
        var world = Self.world(.error)
        world.traffic = Traffic(up: .every(.seconds(15), until: .zero + .seconds(50)))
        world.server.quicIdle = .seconds(patience)
        let run = Rider(Carrier(.quic), moves: true).run(world)
        #expect(run.count(.opened) == 1 && run.tags(.closed) == [CloseCode.timedOut.rawValue])
        // It moves at 60 s, a quarter of a minute after its last message, and hears the last of the path within a second.
        let closed = run.times(.closed).first ?? 0
        #expect((60_000..<62_000).contains(closed - patience * 1_000), "\(closed)")
    }

    /// Broken: a server that forbids moves (a load balancer that goes by addresses) keeps a connection alive.
    @Test func aForbiddenMoveIsALoss() {
        var world = Self.world(.silent)
        world.server.allowsMigration = false
        let run = Rider(Carrier(.quic), moves: true).run(world)
        #expect(run.tags(.closed) == [CloseCode.pathLost.rawValue])
    }

    /// Broken: silence. A connection ends after the idle time of 30 s, unless something is said.
    @Test(arguments: [(nil, 1), (20, 0)] as [(Int64?, Int)])
    func silenceEndsIt(_ ping: Int64?, _ closed: Int) {
        let world = Fixture.wifiWorld(horizon: .minutes(3))
        let run = Rider(Carrier(.quic), ping: ping.map(TimeSpan.seconds)).run(world)
        #expect(run.count(.closed) == closed && run.count(.opened) == 1)
        let times = run.times(.closed)
        #expect(times.allSatisfy { (30_000..<30_500).contains($0) }, "\(times)")
    }

    /// Broken: round trips before the app may speak: TCP and TLS 1.3 two, QUIC one, with early data none. A round trip is 40 ms,
    /// up to 103 ms more while the radio sleeps between beacons.
    @Test(
        arguments: [(.http2, .tls13, 2), (.quic, .tls13, 1), (.quic, .tls13Early, 0)]
            as [(Carrier.Kind, Carrier.Security, Int64)])
    func opensAfterSoManyRoundTrips(_ kind: Carrier.Kind, _ security: Carrier.Security, _ trips: Int64) {
        let run = Rider(Carrier(kind, security: security)).run(
            Fixture.wifiWorld(Traffic(down: .every(.seconds(1))), horizon: .seconds(20)))
        let took = run.times(.opened)[0]
        #expect(trips * 40 <= took && took <= trips * 145)
        #expect(run.count(.deliveredDown) >= 18)
    }

    /// Broken: a connection with early data that is a zombie until its first packet arrives.
    @Test func earlyDataIsNoZombie() {
        var world = Fixture.cellularWorld(Traffic(up: .every(.seconds(10), bytes: 20)), horizon: .minutes(2))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .readdress(.cellular, .error)))
        let early = Reviver(Carrier(.quic, security: .tls13Early)).run(world)
        #expect(early.count(.opened) == 2 && early.count(.zombie) == 0)
        #expect(early.sum(.available) > TimeSpan.seconds(119).nanoseconds)
        // A server that is down takes nothing.
        world.timeline.append(TimelineEntry(at: .zero + .seconds(90), .server(.down)))
        #expect(Reviver(Carrier(.quic, security: .tls13Early)).run(world).count(.zombie) > 0)
    }
}
