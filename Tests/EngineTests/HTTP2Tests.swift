import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Suite struct HTTP2Tests {
    /// Broken: the moment at which a silent stream is ended because of its own keepalive. Pings at this interval meet a
    /// minimum of 300 s on the server. The fifth ping is one too many, because the answer to the first also forgives
    /// the second (measured with grpcio 1.85.1).
    @Test(arguments: [(60, 300), (120, 600), (200, 1_000), (300, nil)] as [(Int64, Int64?)])
    func tooManyPingsEndTheConnection(_ interval: Int64, _ endsAt: Int64?) {
        var world = Fixture.wifiWorld(horizon: .minutes(30))
        world.server.pingFloor = .minutes(5)
        let run = SingleConnectionStrategy(Transport(.http2), ping: .seconds(interval)).run(world)
        let ends = run.times(.goAway).map { $0 / 1_000 }
        #expect(ends == (endsAt.map { [$0] } ?? []))
        #expect(run.tags(.goAway).allSatisfy { $0 == UInt16(GoAway.tooManyPings.rawValue) })
        #expect(run.tags(.closed) == (endsAt == nil ? [] : [CloseCode.ended.rawValue]))
        #expect(run.count(.opened) == 1 && run.count(.pinged) > 3)
    }

    /// Broken: a server that sends data disconnects its pinging clients, or a server without a minimum interval does.
    @Test func aSendingServerToleratesPings() {
        var world = Fixture.wifiWorld(Traffic(down: .every(.seconds(50))), horizon: .minutes(30))
        world.server.pingFloor = .minutes(5)
        let talking = SingleConnectionStrategy(Transport(.http2), ping: .seconds(60)).run(world)
        let careless = SingleConnectionStrategy(Transport(.http2), ping: .seconds(1)).run(
            Fixture.wifiWorld(horizon: .minutes(5)))
        #expect(talking.count(.goAway) == 0 && talking.count(.ponged) == 29)
        #expect(careless.count(.goAway) == 0 && careless.count(.ponged) >= 298)
    }

    /// Broken: a deploy. The server sends GOAWAY that names no stream, a ping, GOAWAY that names the last stream, and
    /// FIN after the grace.
    @Test func drainsInTwoStages() {
        var world = Fixture.wifiWorld(Traffic(down: .every(.seconds(5))), horizon: .minutes(3))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(60), .server(.draining)))
        world.server.grace = .seconds(20)
        let run = SingleConnectionStrategy(Transport(.http2)).run(world)
        #expect(run.values(.goAway) == [2_147_483_647, 1])
        let times = run.times(.goAway)
        #expect(60_000 < times[0] && times[0] < times[1] && times[1] < 60_500, "\(times)")
        let closed = run.times(.closed)
        #expect(closed.count == 1 && 80_000 < closed[0] && closed[0] < 80_600, "\(closed)")
        #expect(run.tags(.closed) == [CloseCode.ended.rawValue])
        // Streams that are open at the second GOAWAY are served to their end.
        #expect(run.count(.deliveredDown) == 16)
    }

    /// Broken: more than a window of DATA never arrives, or arrives without credit. 65,535 bytes are open at first. A
    /// message of 40 kB leaves 25 kB for the next one; the third waits for a WINDOW_UPDATE.
    @Test func windowsAreGrantedAnew() {
        var world = Fixture.wifiWorld(horizon: .minutes(1))
        world.traffic.down = TrafficStream(
            gap: .constant(10_000_000), size: .constant(40_000), until: .zero + .seconds(1))
        let run = SingleConnectionStrategy(Transport(.http2)).run(world)
        let free = SingleConnectionStrategy(Transport(.webSocket)).run(world)
        #expect(run.count(.deliveredDown) == free.count(.deliveredDown) && run.count(.deliveredDown) >= 90)
        #expect(run.sum(.lostDown) == 0 && run.sum(.pendingDown) == 0)
        // Two WINDOW_UPDATEs for each 40 kB, each inside an acknowledgement or in addition to it.
        let ledger = (run.ledger, free.ledger)
        #expect(
            ledger.0.bytes(.up, for: .ack, on: .wifi) - ledger.1.bytes(.up, for: .ack, on: .wifi) > 90 * 2 * 13)
    }

    /// Broken: a server program hangs while its kernel runs. Pings get no answer, and nothing is closed.
    @Test func aHungProgramAnswersNoPing() {
        var world = Fixture.wifiWorld(horizon: .minutes(5))
        world.timeline.append(TimelineEntry(at: .zero + .seconds(90), .server(.frozen)))
        let run = SingleConnectionStrategy(Transport(.http2), ping: .seconds(20)).run(world)
        #expect(run.count(.pinged) == 14 && run.count(.ponged) == 4)
        #expect(run.count(.closed) == 0)
        #expect(run.packets(.up, .retransmit) == 0)
    }
}
