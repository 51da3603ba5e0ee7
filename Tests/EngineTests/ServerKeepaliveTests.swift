import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// Server-side supervision of connections by timers: keepalive, heartbeat, age and idle limits.
@Suite struct ServerKeepaliveTests {
    private func expiries(_ run: AllRecords) -> [(ExpiryCode, Int64)] {
        run.records.filter { $0.kind == .serverExpired }.map {
            (ExpiryCode(rawValue: $0.tag)!, $0.at.nanoseconds / 1_000_000)
        }
    }

    /// Broken: gRPC's server does not ping a silent client, pings an active one, or keeps a client that does not answer
    /// (gRFC A9: 2 h and 20 s).
    @Test func pingsSilentClients() {
        var world = Fixture.wifiWorld(horizon: .hours(9))
        world.server.keepalive = .grpc
        let healthy = SingleConnectionStrategy(Transport(.http2)).run(world)
        #expect(healthy.count(.serverPinged) == 4 && expiries(healthy).isEmpty && healthy.count(.closed) == 0)
        #expect(healthy.packets(.up, .pong) == 4)

        // The network disappears silently after an hour.
        world.timeline.append(TimelineEntry(at: .zero + .hours(1), .pathDown(.wifi, .silent)))
        let gone = SingleConnectionStrategy(Transport(.http2)).run(world)
        let found = expiries(gone)
        #expect(found.map(\.0) == [.unanswered])
        #expect((7_220_000...7_221_000).contains(found.first?.1 ?? 0), "\(found)")

        var busy = Fixture.wifiWorld(Traffic(up: .every(.minutes(50))), horizon: .hours(9))
        busy.server.keepalive = .grpc
        #expect(SingleConnectionStrategy(Transport(.http2)).run(busy).count(.serverPinged) == 0)
    }

    /// Broken: Engine.IO's heartbeat: a ping 25 s after the last answer, and a close after 20 s without an answer.
    /// Servers of other transports do not send it.
    @Test func matchesSocketIOHeartbeats() {
        var world = Fixture.wifiWorld(horizon: .minutes(10))
        world.server.heartbeat = .socketIO
        let healthy = SingleConnectionStrategy(.webSocket).run(world)
        #expect((22...24).contains(healthy.count(.serverPinged)) && healthy.count(.closed) == 0)
        #expect(SingleConnectionStrategy(Transport(.http2)).run(world).count(.serverPinged) == 0)
        #expect(SingleConnectionStrategy(Transport(.longPolling)).run(world).count(.serverPinged) == 0)
        world.timeline.append(TimelineEntry(at: .zero + .seconds(100), .pathDown(.wifi, .silent)))
        let found = expiries(SingleConnectionStrategy(.webSocket).run(world))
        #expect(found.map(\.0) == [.unanswered])
        // The fourth ping is sent at about 100 s; the next ping gets no answer.
        #expect((120_000...146_000).contains(found.first?.1 ?? 0), "\(found)")
    }

    /// Broken: a client that relies on the server's heartbeats closes a good connection, or keeps a dead one longer
    /// than the heartbeats allow. Action Cable sends one every 3 s; the connection is stale after 6 s.
    @Test func matchesActionCableHeartbeats() {
        var world = Fixture.wifiWorld(horizon: .minutes(10))
        world.server.heartbeat = .actionCable
        let client: SettingsLiteral = ["keepalive": ["pings": "false", "verdict": "silence", "silence": "6s"]]
        let healthy = client.run(world)
        #expect(healthy.count(.serverPinged) >= 198 && healthy.count(.opened) == 1 && healthy.count(.closed) == 0)
        #expect(healthy.packets(.up, .pong) == 0 && healthy.count(.pinged) == 0)
        world.timeline.append(TimelineEntry(at: .zero + .minutes(5), .server(.frozen)))
        let frozen = client.run(world)
        let closedAt = frozen.times(.closed).first ?? 0
        #expect((303_000...306_500).contains(closedAt), "\(closedAt)")
    }

    /// Broken: a server's HEARTBEAT never arrives over a gRPC stream, is not recognised by a client that waits for it,
    /// or is charged to another cause. In protobuf it has 5 bytes: the number of the newest message, and the type.
    @Test func sendsHeartbeatsOnAGRPCStream() {
        func world(_ envelope: Envelope, _ beats: Heartbeat?) -> World {
            var world = Fixture.wifiWorld(Traffic(down: .every(.minutes(7))), horizon: .minutes(20))
            world.traffic.envelope = envelope
            world.server.heartbeat = beats
            return world
        }
        let beats = Heartbeat(.beats, every: .seconds(30))
        let client: SettingsLiteral = [
            "transport": "grpc", "keepalive": ["pings": "false", "verdict": "silence", "silence": "45s"],
        ]
        let healthy = client.run(world(.protobuf, beats))
        #expect((38...40).contains(healthy.count(.serverPinged)) && healthy.count(.opened) == 1)
        #expect(healthy.count(.pinged) == 0 && healthy.packets(.up, .pong) == 0)
        #expect(healthy.packets(.down, .keepalive) == healthy.count(.serverPinged))
        // Without heartbeats, 45 s of silence count as a dead connection.
        #expect(client.run(world(.protobuf, nil)).count(.opened) > 15)

        var frozen = world(.protobuf, beats)
        frozen.timeline.append(TimelineEntry(at: .zero + .minutes(10), .server(.frozen)))
        let closedAt = client.run(frozen).times(.closed).first ?? 0
        #expect((601_000...646_000).contains(closedAt), "\(closedAt)")

        // Without an envelope a heartbeat has one byte. In protobuf, the type has 2 bytes before the first message; the
        // message number adds 2 more bytes after it.
        let bytes = [Envelope.none, .protobuf].map {
            client.run(world($0, beats)).ledger.bytes(.down, for: .keepalive, on: .wifi)
        }
        let more = bytes[1] - bytes[0]
        #expect(
            bytes[0] > 0 && more > Int128(healthy.count(.serverPinged))
                && more < Int128(healthy.count(.serverPinged)) * 3)
    }

    /// Broken: which transport can carry which heartbeat. A stream carries heartbeats that need no answer, and only
    /// while a stream is open. A server that may only answer cannot send any. With gRPC's own keepalive, both are sent.
    @Test func sendsHeartbeatsOnlyWhereTheTransportCan() {
        func pings(_ carrier: Transport, _ kind: Heartbeat.Mode, keepalive: Bool = false) -> Int {
            var world = Fixture.wifiWorld(horizon: .minutes(10))
            world.server.heartbeat = Heartbeat(kind, every: .seconds(60), timeout: .minutes(20))
            if keepalive { world.server.keepalive = Heartbeat(.asks, every: .seconds(100), afterSilence: true) }
            return SingleConnectionStrategy(carrier).run(world).count(.serverPinged)
        }
        var unary = Transport(.http2)
        unary.keepsStreamOpen = false
        #expect((9...10).contains(pings(Transport(.http2), .beats)) && pings(unary, .beats) == 0)
        #expect(pings(Transport(.http2), .asks) == 0 && pings(Transport(.http2), .expects) == 0)
        #expect(pings(Transport(.polling), .beats) == 0 && pings(Transport(.longPolling), .beats) == 0)
        // The client's kernel acknowledges a heartbeat, which is no message from the client. So the keepalive pings as
        // well.
        #expect((13...16).contains(pings(Transport(.http2), .beats, keepalive: true)))
        for kind in Transport.TransportKind.allCases {
            for beats in Heartbeat.Mode.allCases {
                let bears = Transport(kind).supports(Heartbeat(beats, every: .seconds(60)))
                #expect(bears || pings(Transport(kind), beats) == 0, "\(kind) \(beats)")
            }
        }
    }

    /// Broken: heartbeats on a stream do not forgive early pings, as DATA does (gRFC A8).
    @Test(arguments: [(true, 0), (false, 1)])
    func heartbeatsForgiveEarlyPings(_ beats: Bool, _ goaways: Int) {
        var world = Fixture.wifiWorld(horizon: .minutes(7))
        world.server.pingPolicy = .core
        if beats { world.server.heartbeat = Heartbeat(.beats, every: .seconds(50)) }
        let run = SingleConnectionStrategy(Transport(.http2), ping: .seconds(60)).run(world)
        #expect(min(run.count(.goAway), 1) == goaways && run.count(.pinged) >= 3)
    }

    /// Broken: a client is disconnected although it sends heartbeats as often as the server requires, or is kept
    /// although it does not (Discord).
    @Test func matchesDiscordHeartbeats() {
        var world = Fixture.wifiWorld(horizon: .minutes(20))
        world.server.heartbeat = .discord
        let obedient: SettingsLiteral = [
            "keepalive": [
                "interval": "10m", "from-server": "true", "first": "random", "verdict": "next-beat",
                "postponed-by": "nothing", "answered-by": "pong",
            ]
        ]
        let good = obedient.run(world)
        #expect((25...28).contains(good.count(.pinged)) && good.count(.closed) == 0)
        let deaf: SettingsLiteral = ["keepalive": "10m", "backoff": ["base": "1h"]]
        let found = expiries(deaf.run(world))
        #expect(found.map(\.0) == [.unanswered])
        #expect((67_500...68_500).contains(found.first?.1 ?? 0), "\(found)")
    }

    /// Broken: a connection is kept longer than MAX_CONNECTION_AGE plus ten percent, all connections end at one moment,
    /// or open streams get less or more than the grace period.
    @Test func retiresOldConnections() {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(60))), horizon: .minutes(12), phones: 60)
        world.server.limits.age = .minutes(10)
        world.server.limits.ageGrace = .seconds(30)
        let run = SingleConnectionStrategy(Transport(.http2)).run(world)
        let retired = expiries(run)
        #expect(retired.count == 60 && retired.allSatisfy { $0.0 == .age })
        let times = retired.map(\.1)
        #expect(times.min()! >= 540_000 && times.max()! <= 661_500, "\(times)")
        #expect(times.min()! < 560_000 && times.max()! > 640_000 && Set(times).count > 50)
        let goodbyes = run.values(.goAway)
        #expect(goodbyes.count >= 116 && goodbyes.first == 2_147_483_647)
        let first = run.records.first { $0.kind == .goAway }!
        let end = run.records.first { $0.kind == .closed && $0.phone == first.phone }!
        #expect(end.at - first.at > .seconds(30) && end.at - first.at < .seconds(32))
    }

    /// Broken: a connection without a stream is kept for ever, or a connection in use is closed as idle.
    @Test func retiresIdleConnections() {
        var world = Fixture.wifiWorld(Traffic(), horizon: .minutes(40))
        world.server.limits.idle = .minutes(5)
        world.traffic.calls = TrafficStream(
            gap: .constant(TimeSpan.minutes(4).nanoseconds), size: .constant(100), until: .zero + .minutes(21))
        let unary: SettingsLiteral = ["transport": ["kind": "http2", "stream": "false"], "backoff": ["base": "2h"]]
        let run = unary.run(world)
        let retired = expiries(run)
        // The last call is answered at 20 min.
        #expect(retired.map(\.0) == [.idle] && (1_500_000...1_501_000).contains(retired[0].1), "\(retired)")
        #expect(run.count(.answered) == 5 && run.tags(.closed) == [CloseCode.byClient.rawValue])
        let streaming: SettingsLiteral = ["transport": "http2"]
        #expect(expiries(streaming.run(world)).isEmpty)
    }

    /// Broken: a call on a connection that must close is lost or sent twice, or a new call starts on that connection.
    /// The server takes 10 s per call; a deploy happens in between.
    @Test func finishesCallsOnTheOldConnection() {
        func run(_ farewell: String) -> AllRecords {
            var world = Fixture.wifiWorld(
                Traffic(down: .every(.seconds(7)), up: .every(.seconds(11))), horizon: .minutes(4))
            world.traffic.calls = TrafficStream(
                gap: .constant(TimeSpan.seconds(3).nanoseconds), size: .constant(100), until: .zero + .minutes(3))
            world.server.thinkTime = .seconds(10)
            world.timeline.append(TimelineEntry(at: .zero + .seconds(61), .server(.draining)))
            let client: SettingsLiteral = [
                "transport": "grpc", "on-goaway": .text(farewell), "calls": ["deadline": "60s", "retry": "false"],
                "backoff": ["base": "1s", "jitter": "none"],
            ]
            return client.run(world)
        }
        let drained = run("drain")
        #expect(drained.count(.opened) == 2 && drained.count(.callFailed) == 0 && drained.count(.answerUnused) == 0)
        #expect(drained.sum(.lostDown) == 0 && drained.sum(.lostUp) == 0 && drained.sum(.pendingDown) == 0)
        #expect(drained.count(.falseDrop) == 1 || drained.tags(.closed).count == 1)
        // About ten seconds of calls are in progress when clients with these settings leave the connection.
        for farewell in ["give-up", "reconnect"] {
            let cut = run(farewell)
            #expect((2...4).contains(cut.count(.callFailed)), "\(farewell): \(cut.count(.callFailed))")
            #expect(cut.count(.opened) == 2)
        }
    }
}
