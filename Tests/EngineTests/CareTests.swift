import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// How the server looks after its connections by its own clock.
@Suite struct CareTests {
    private func expiries(_ run: Everything) -> [(ExpiryCode, Int64)] {
        run.records.filter { $0.kind == .serverExpired }.map {
            (ExpiryCode(rawValue: $0.tag)!, $0.at.nanoseconds / 1_000_000)
        }
    }

    /// Broken: gRPC's server does not ask after a client that says nothing, or asks one that does; a client that does not answer is
    /// kept (gRFC A9: 2 h and 20 s).
    @Test func asksAfterSilentClients() {
        var world = Fixture.wifiWorld(horizon: .hours(9))
        world.server.keepalive = .grpc
        let healthy = Rider(Carrier(.http2)).run(world)
        #expect(healthy.count(.serverPinged) == 4 && expiries(healthy).isEmpty && healthy.count(.closed) == 0)
        #expect(healthy.packets(.up, .pong) == 4)

        // The network goes away in silence after an hour.
        world.timeline.append(TimelineEntry(at: .zero + .hours(1), .pathDown(.wifi, .silent)))
        let gone = Rider(Carrier(.http2)).run(world)
        let found = expiries(gone)
        #expect(found.map(\.0) == [.unanswered])
        #expect((7_220_000...7_221_000).contains(found.first?.1 ?? 0), "\(found)")

        var busy = Fixture.wifiWorld(Traffic(up: .every(.minutes(50))), horizon: .hours(9))
        busy.server.keepalive = .grpc
        #expect(Rider(Carrier(.http2)).run(busy).count(.serverPinged) == 0)
    }

    /// Broken: Engine.IO's heartbeat: a ping 25 s after the last answer, and over when none comes for 20 s; no other transport's
    /// server pings by itself.
    @Test func beatsAsSocketIODoes() {
        var world = Fixture.wifiWorld(horizon: .minutes(10))
        world.server.heartbeat = .socketIO
        let healthy = Rider(.webSocket).run(world)
        #expect((22...24).contains(healthy.count(.serverPinged)) && healthy.count(.closed) == 0)
        #expect(Rider(Carrier(.http2)).run(world).count(.serverPinged) == 0)
        #expect(Rider(Carrier(.longPolling)).run(world).count(.serverPinged) == 0)
        world.timeline.append(TimelineEntry(at: .zero + .seconds(100), .pathDown(.wifi, .silent)))
        let found = expiries(Rider(.webSocket).run(world))
        #expect(found.map(\.0) == [.unanswered])
        // The fourth ping leaves at about 100 s; in vain is the one that comes next.
        #expect((120_000...146_000).contains(found.first?.1 ?? 0), "\(found)")
    }

    /// Broken: a client that listens for the server's beats gives a good connection up, or believes in a dead one for longer than
    /// the beats allow. Action Cable: 3 s, stale after 6 s.
    @Test func beatsAsActionCableDoes() {
        var world = Fixture.wifiWorld(horizon: .minutes(10))
        world.server.heartbeat = .actionCable
        let client: Written = ["keepalive": ["pings": "false", "verdict": "silence", "silence": "6s"]]
        let healthy = client.run(world)
        #expect(healthy.count(.serverPinged) >= 198 && healthy.count(.opened) == 1 && healthy.count(.closed) == 0)
        #expect(healthy.packets(.up, .pong) == 0 && healthy.count(.pinged) == 0)
        world.timeline.append(TimelineEntry(at: .zero + .minutes(5), .server(.frozen)))
        let frozen = client.run(world)
        let closedAt = frozen.times(.closed).first ?? 0
        #expect((303_000...306_500).contains(closedAt), "\(closedAt)")
    }

    /// Broken: a server's HEARTBEAT never comes over a stream of gRPC, or a client that listens for it does not hear it, or pays for
    /// something else. 5 bytes of protobuf: the number of the newest message, and the type.
    @Test func beatsOnAStreamOfGRPC() {
        func world(_ envelope: Envelope, _ beats: Heartbeat?) -> World {
            var world = Fixture.wifiWorld(Traffic(down: .every(.minutes(7))), horizon: .minutes(20))
            world.traffic.envelope = envelope
            world.server.heartbeat = beats
            return world
        }
        let beats = Heartbeat(.beats, every: .seconds(30))
        let client: Written = [
            "transport": "grpc", "keepalive": ["pings": "false", "verdict": "silence", "silence": "45s"],
        ]
        let healthy = client.run(world(.protobuf, beats))
        #expect((38...40).contains(healthy.count(.serverPinged)) && healthy.count(.opened) == 1)
        #expect(healthy.count(.pinged) == 0 && healthy.packets(.up, .pong) == 0)
        #expect(healthy.packets(.down, .keepalive) == healthy.count(.serverPinged))
        // Without beats 45 s of silence are taken for death.
        #expect(client.run(world(.protobuf, nil)).count(.opened) > 15)

        var frozen = world(.protobuf, beats)
        frozen.timeline.append(TimelineEntry(at: .zero + .minutes(10), .server(.frozen)))
        let closedAt = client.run(frozen).times(.closed).first ?? 0
        #expect((601_000...646_000).contains(closedAt), "\(closedAt)")

        // A byte where nothing is said of it; a type of 2 bytes before the first message, and its number of 2 more after it.
        let bytes = [Envelope.none, .protobuf].map {
            client.run(world($0, beats)).ledger.bytes(.down, for: .keepalive, on: .wifi)
        }
        let more = bytes[1] - bytes[0]
        #expect(
            bytes[0] > 0 && more > Int128(healthy.count(.serverPinged))
                && more < Int128(healthy.count(.serverPinged)) * 3)
    }

    /// Broken: who may beat over what: a stream carries beats that want no answer, and only while there is one; a server that may only
    /// answer has nobody to speak to. Beside gRPC's own keepalive both go on.
    @Test func beatsWhereItCan() {
        func pings(_ carrier: Carrier, _ kind: Heartbeat.Kind, keepalive: Bool = false) -> Int {
            var world = Fixture.wifiWorld(horizon: .minutes(10))
            world.server.heartbeat = Heartbeat(kind, every: .seconds(60), timeout: .minutes(20))
            if keepalive { world.server.keepalive = Heartbeat(.asks, every: .seconds(100), afterSilence: true) }
            return Rider(carrier).run(world).count(.serverPinged)
        }
        var unary = Carrier(.http2)
        unary.holdsStream = false
        #expect((9...10).contains(pings(Carrier(.http2), .beats)) && pings(unary, .beats) == 0)
        #expect(pings(Carrier(.http2), .asks) == 0 && pings(Carrier(.http2), .expects) == 0)
        #expect(pings(Carrier(.polling), .beats) == 0 && pings(Carrier(.longPolling), .beats) == 0)
        // Acknowledged by its kernel, a beat is no word of the client: the keepalive asks as well.
        #expect((13...16).contains(pings(Carrier(.http2), .beats, keepalive: true)))
        for kind in Carrier.Kind.allCases {
            for beats in Heartbeat.Kind.allCases {
                let bears = Carrier(kind).bears(Heartbeat(beats, every: .seconds(60)))
                #expect(bears || pings(Carrier(kind), beats) == 0, "\(kind) \(beats)")
            }
        }
    }

    /// Broken: what a server says on a stream does not forgive early pings, as DATA does (gRFC A8).
    @Test(arguments: [(true, 0), (false, 1)])
    func beatsForgivePings(_ beats: Bool, _ goaways: Int) {
        var world = Fixture.wifiWorld(horizon: .minutes(7))
        world.server.pingPolicy = .core
        if beats { world.server.heartbeat = Heartbeat(.beats, every: .seconds(50)) }
        let run = Rider(Carrier(.http2), ping: .seconds(60)).run(world)
        #expect(min(run.count(.goAway), 1) == goaways && run.count(.pinged) >= 3)
    }

    /// Broken: a client that beats as often as the server asks is sent away, or one that does not is kept. Discord.
    @Test func expectsBeatsAsDiscordDoes() {
        var world = Fixture.wifiWorld(horizon: .minutes(20))
        world.server.heartbeat = .discord
        let obedient: Written = [
            "keepalive": [
                "interval": "10m", "from-server": "true", "first": "random", "verdict": "next-beat",
                "postponed-by": "nothing", "answered-by": "pong",
            ]
        ]
        let good = obedient.run(world)
        #expect((25...28).contains(good.count(.pinged)) && good.count(.closed) == 0)
        let deaf: Written = ["keepalive": "10m", "backoff": ["base": "1h"]]
        let found = expiries(deaf.run(world))
        #expect(found.map(\.0) == [.unanswered])
        #expect((67_500...68_500).contains(found.first?.1 ?? 0), "\(found)")
    }

    /// Broken: a connection is kept longer than MAX_CONNECTION_AGE and ten percent, or all leave at one moment; streams that are
    /// open have less or more than the grace.
    @Test func retiresOldConnections() {
        var world = Fixture.cellularWorld(
            Traffic(down: .every(.seconds(60))), horizon: .minutes(12), phones: 60)
        world.server.limits.age = .minutes(10)
        world.server.limits.ageGrace = .seconds(30)
        let run = Rider(Carrier(.http2)).run(world)
        let retired = expiries(run)
        #expect(retired.count == 60 && retired.allSatisfy { $0.0 == .age })
        let times = retired.map(\.1)
        #expect(times.min()! >= 540_000 && times.max()! <= 661_500, "\(times)")
        #expect(times.min()! < 560_000 && times.max()! > 640_000 && Set(times).count > 50)
        let goodbyes = run.values(.goAway)
        #expect(goodbyes.count >= 116 && goodbyes.first == 2_147_483_647)
        let first = run.records.first { $0.kind == .goAway }!
        let end = run.records.first { $0.kind == .closed && $0.lane == first.lane }!
        #expect(end.at - first.at > .seconds(30) && end.at - first.at < .seconds(32))
    }

    /// Broken: a connection without a stream is kept for ever, or one in use is ended for being idle.
    @Test func retiresIdleConnections() {
        var world = Fixture.wifiWorld(Traffic(), horizon: .minutes(40))
        world.server.limits.idle = .minutes(5)
        world.traffic.calls = TrafficStream(
            gap: .constant(TimeSpan.minutes(4).nanoseconds), size: .constant(100), until: .zero + .minutes(21))
        let unary: Written = ["transport": ["kind": "http2", "stream": "false"], "backoff": ["base": "2h"]]
        let run = unary.run(world)
        let retired = expiries(run)
        // The last call is answered at 20 min.
        #expect(retired.map(\.0) == [.idle] && (1_500_000...1_501_000).contains(retired[0].1), "\(retired)")
        #expect(run.count(.answered) == 5 && run.tags(.closed) == [CloseCode.byClient.rawValue])
        let streaming: Written = ["transport": "http2"]
        #expect(expiries(streaming.run(world)).isEmpty)
    }

    /// Broken: what was asked on a connection that is told to go is lost, or asked twice, or something new is asked on it. The
    /// server thinks for 10 s; a deploy in between.
    @Test func finishesCallsOnTheOldConnection() {
        func run(_ farewell: String) -> Everything {
            var world = Fixture.wifiWorld(
                Traffic(down: .every(.seconds(7)), up: .every(.seconds(11))), horizon: .minutes(4))
            world.traffic.calls = TrafficStream(
                gap: .constant(TimeSpan.seconds(3).nanoseconds), size: .constant(100), until: .zero + .minutes(3))
            world.server.think = .seconds(10)
            world.timeline.append(TimelineEntry(at: .zero + .seconds(61), .server(.draining)))
            let client: Written = [
                "transport": "grpc", "on-goaway": .text(farewell), "calls": ["deadline": "60s", "retry": "false"],
                "backoff": ["base": "1s", "jitter": "none"],
            ]
            return client.run(world)
        }
        let drained = run("drain")
        #expect(drained.count(.opened) == 2 && drained.count(.callFailed) == 0 && drained.count(.answerUnused) == 0)
        #expect(drained.sum(.lostDown) == 0 && drained.sum(.lostUp) == 0 && drained.sum(.pendingDown) == 0)
        #expect(drained.count(.falseDrop) == 1 || drained.tags(.closed).count == 1)
        // Ten seconds of calls are under way when the others leave.
        for farewell in ["give-up", "reconnect"] {
            let cut = run(farewell)
            #expect((2...4).contains(cut.count(.callFailed)), "\(farewell): \(cut.count(.callFailed))")
            #expect(cut.count(.opened) == 2)
        }
    }
}
