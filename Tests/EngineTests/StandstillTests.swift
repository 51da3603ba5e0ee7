import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneStrategies
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// A server that stands still, and one that is down.
@Suite struct StandstillTests {
    private func world(_ changes: [(TimeSpan, ServerChange)], down: TrafficStream, horizon: TimeSpan) -> World {
        var world = Fixture.wifiWorld(Traffic(down: down), horizon: horizon)
        world.timeline += changes.map { TimelineEntry(at: .zero + $0.0, .server($0.1)) }
        return world
    }

    /// Broken: news that came up while the program stood still wait for the end of the hold time, though a request is held. A
    /// long poll hears of it at 110 s, as a WebSocket does.
    @Test(arguments: [Carrier.Kind.longPolling, .webSocket])
    func aHeldPollIsAnsweredAtThaw(_ kind: Carrier.Kind) {
        var world = world(
            [(.seconds(90), .frozen), (.seconds(110), .thawed)],
            down: .every(.seconds(100), until: .zero + .seconds(150)), horizon: .minutes(10))
        world.server.hold = .minutes(4)
        let run = Rider(Carrier(kind)).run(world)
        #expect(run.times(.deliveredDown).allSatisfy { (110_000..<110_300).contains($0) })
        #expect(run.count(.deliveredDown) == 1)
    }

    /// Broken: a QUIC program that stands still and repeats, though there is nobody else who could. A kernel does.
    @Test(arguments: [(.quic, 0), (.webSocket, 0)] as [(Carrier.Kind, Int)])
    func aFrozenQUICProgramRepeatsNothing(_ kind: Carrier.Kind, _ repeats: Int) {
        // The message of 60 s is on its way when the program stops; its acknowledgement finds nobody.
        var world = world(
            [(.milliseconds(60_030), .frozen), (.seconds(120), .thawed)],
            down: .every(.seconds(60), until: .zero + .seconds(70)), horizon: .minutes(4))
        world.server.quicIdle = .minutes(3)
        let run = Rider(Carrier(kind)).run(world)
        let during = run.records.count {
            $0.tag(of: .bytes)?.direction == .down && .zero + .seconds(61) < $0.at
                && $0.at < .zero + .seconds(120)
        }
        #expect(during == repeats && run.count(.deliveredDown) == 1)
    }

    /// Broken: datagrams that are "truly connected" to a server that is down. They are blocked, and work when it is back.
    @Test func datagramsToAServerThatIsDownAreBlocked() {
        let world = world(
            [(.seconds(60), .down), (.seconds(180), .up)], down: .every(.seconds(10)), horizon: .minutes(5))
        let run = Rider(.datagram).run(world)
        #expect(run.sum(.blocked) == TimeSpan.seconds(120).nanoseconds && run.count(.zombie) == 0)
        #expect(run.sum(.available) == TimeSpan.seconds(180).nanoseconds)
        #expect(run.count(.deliveredDown) > 15)
    }
}
