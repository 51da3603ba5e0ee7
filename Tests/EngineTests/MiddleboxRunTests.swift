import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Suite struct MiddleboxRunTests {
    private func run(
        _ box: Middlebox, down: TrafficStream? = nil, up: TrafficStream? = nil, ping: String,
        changes: [TimelineEntry] = [], horizon: TimeSpan = .minutes(10)
    ) -> AllRecords {
        var world = Fixture.cellularWorld(Traffic(down: down, up: up), horizon: horizon)
        world.middleboxes.cellular = [box]
        world.timeline += changes
        let strategy = Fixture.strategy(Patient.self, [("ping", ping), ("timeout", "10s")])
        return Simulation(world: world, strategy: strategy, seed: 1).allRecords()
    }

    private func times(_ everything: AllRecords, _ kind: RecordKind) -> [Int64] {
        everything.records.filter { $0.kind == kind }.map { $0.at.nanoseconds / 1_000_000_000 }
    }

    /// Broken: a silent box. A minute after the last packet the connection is dead, and neither end knows it. The next
    /// ping reveals it, ten seconds after the ping was sent. Pings within the minute keep the connection alive.
    @Test func aSilentBoxMakesZombies() {
        let box = Middlebox(tcp: .seconds(60))
        let bad = run(box, ping: "5m", horizon: .seconds(400))
        #expect(times(bad, .mappingExpired).first == 60)
        #expect(times(bad, .detected).first == 310)
        // From 60 s after the last packet to 10 s after the ping, which is sent 300 s after that packet.
        #expect(bad.values(.zombie).first.map { ($0 + 500_000_000) / 1_000_000_000 } == 250)
        let good = run(box, ping: "45s", horizon: .seconds(400))
        #expect(good.count(.mappingExpired) == 0 && good.sum(.zombie) == 0)
        #expect(good.count(.ponged) > 5)
    }

    /// Broken: a box that answers unknown packets with RST, as a network load balancer does after 350 s. The first
    /// message after the silence is reset within a round trip, and is sent over the next connection.
    @Test func aResettingBoxResetsTheNextSender() {
        let box = Middlebox.named("aws-nlb")!
        let told = run(box, up: .every(.seconds(400)), ping: "20m")
        #expect(times(told, .mappingExpired).first == 350)
        let reset = told.records.first { $0.kind == .closed }
        #expect(reset?.tag == CloseCode.reset.rawValue)
        #expect(reset.map { $0.at.nanoseconds / 1_000_000_000 } == 400)
        #expect(told.count(.deliveredUp) == 1)
        #expect(told.values(.deliveredUp).allSatisfy { $0 < 10_000_000_000 })
        let opened = told.records.last { $0.kind == .opened }
        let delivered = told.records.first { $0.kind == .deliveredUp }
        #expect(opened!.at < delivered!.at, "the box reset the sender and still let the packet through")
    }

    /// Broken: a proxy that closes both connections. The client gets the close at once, and no connection is a zombie
    /// for long.
    @Test func aClosingBoxClosesBothEnds() {
        let closed = run(Middlebox.named("aws-elb")!, ping: "20m", horizon: .seconds(90))
        #expect(times(closed, .mappingExpired).first == 60)
        // An idle phone gets the close when it next listens, every 1.28 s, and has been promoted.
        #expect(times(closed, .closed).first == 61)
        #expect(closed.sum(.zombie) < 2_000_000_000)
        #expect(closed.count(.opened) == 2)
    }

    /// Broken: a proxy that closes TCP connections also ends a QUIC connection, before its idle timeout of 30 s.
    @Test func aClosingBoxClosesNoQUICConnection() {
        var world = Fixture.wifiWorld(horizon: .minutes(1))
        world.middleboxes.wifi = [Middlebox(udp: .seconds(20), expiryAction: .close)]
        let run = SingleConnectionStrategy(Transport(.quic)).run(world)
        #expect(run.times(.mappingExpired).map { $0 / 1_000 } == [20])
        #expect(run.times(.closed).map { $0 / 1_000 } == [30] && run.tags(.closed) == [CloseCode.timedOut.rawValue])
    }

    /// Broken: a carrier that blocks the downlink after silence (eclipse-mosquitto/mosquitto#3543). The connection is
    /// no zombie: its messages wait until the phone sends something. A phone that sends in time misses none.
    @Test func aOneWayBoxWaitsForTheUplink() {
        let box = Middlebox(tcp: .seconds(60), expiryAction: .oneWay)
        let down = TrafficStream.every(.seconds(100), until: .zero + .seconds(350))
        let bad = run(box, down: down, ping: "5m")
        #expect(times(bad, .mappingExpired).first == 60)
        #expect(bad.sum(.blocked) > 100_000_000_000 && bad.sum(.zombie) == 0)
        #expect(bad.values(.deliveredDown).first! > 100_000_000_000)
        let good = run(box, down: down, ping: "45s")
        #expect(good.sum(.blocked) == 0)
        #expect(good.count(.deliveredDown) == 3)
        #expect(good.values(.deliveredDown).allSatisfy { $0 < 2_000_000_000 })
    }

    /// Broken: a box that restarts, or a restart that counts as effective although there was no mapping to lose.
    @Test func aBoxThatLosesItsMemory() {
        let lost = run(
            Middlebox(tcp: .seconds(600)), ping: "30s",
            changes: [TimelineEntry(at: .zero + .seconds(100), .mappingsLost(.cellular))])
        #expect(times(lost, .mappingExpired).first == 100)
        #expect(lost.records.last { $0.kind == .weather }?.value == 1)
        // The next ping gets no answer; its timeout is ten seconds.
        #expect(times(lost, .detected).first == 131)
        let none = run(
            Middlebox(tcp: .seconds(600)), ping: "30s",
            changes: [TimelineEntry(at: .zero + .seconds(100), .mappingsLost(.wifi))])
        #expect(none.records.last { $0.kind == .weather }?.value == 0)
    }

    /// Broken: a world with boxes that never forget differs from a world without boxes.
    @Test func patientBoxesChangeNothing() {
        let down = TrafficStream.poisson(.seconds(20))
        let world = Fixture.cellularWorld(Traffic(down: down, up: down), horizon: .minutes(20))
        var boxed = world
        boxed.middleboxes.cellular = [Middlebox(), Middlebox()]
        boxed.middleboxes.server = [Middlebox()]
        let strategy = Fixture.strategy(Patient.self)
        let plain = Simulation(world: world, strategy: strategy, seed: 3).allRecords()
        #expect(plain.records == Simulation(world: boxed, strategy: strategy, seed: 3).allRecords().records)
        #expect(plain.count(.deliveredDown) > 20)
    }

    /// Broken: a change of link conditions does not affect packets, or is never reversed.
    @Test func otherConditionsHoldForAWhile() {
        let up = TrafficStream.every(.seconds(20))
        var world = Fixture.cellularWorld(Traffic(up: up), horizon: .seconds(190))
        world.cellularConditions = [Fixture.link(delay: .milliseconds(900))]
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(70), .conditions(.cellular, 1)),
            TimelineEntry(at: .zero + .seconds(130), .conditions(.cellular, 0)),
        ]
        let strategy = Fixture.strategy(Patient.self)
        let slow = Simulation(world: world, strategy: strategy, seed: 1).allRecords().values(.deliveredUp)
        #expect(slow.count == 9)
        #expect(slow.enumerated().map { $1 >= 900_000_000 } == (0..<9).map { (3...5).contains($0) })
    }

    /// Broken: packets of an abandoned path erase mappings of the boxes on the new path. A QUIC connection moves from a
    /// slow path to a fast one. The server's next message arrives at once, although the old path is still delivering.
    @Test func latePacketsOfTheOldPathEraseNothing() {
        var world = World(
            horizon: .zero + .minutes(4), wifi: Fixture.wifi, cellular: Fixture.lte,
            wifiLink: Fixture.link(delay: .milliseconds(10)), cellularLink: Fixture.link(delay: .milliseconds(400)),
            timeline: [
                TimelineEntry(at: .zero, .pathUp(.cellular, .plain)),
                TimelineEntry(at: .zero + .seconds(120), .pathUp(.wifi, .plain)),
            ],
            traffic: Traffic(
                down: .every(.seconds(124), until: .zero + .seconds(130)),
                up: .every(.milliseconds(50), bytes: 30, until: .zero + .seconds(120))))
        let box = Middlebox(tcp: .hours(2), udp: .seconds(30))
        world.middleboxes.wifi = [box]
        world.middleboxes.cellular = [box]
        let run = SingleConnectionStrategy(Transport(.quic), migrates: true).run(world)
        #expect(run.count(.sentDown) == 1 && run.values(.deliveredDown).allSatisfy { $0 < 1_000_000_000 })
        #expect(run.count(.deliveredDown) == 1 && run.count(.opened) == 1)
    }
}
