import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Servers that are frozen, and servers that are down.
@Suite struct FrozenServerTests {
    private func world(_ changes: [(TimeSpan, ServerChange)], down: TrafficStream, horizon: TimeSpan) -> World {
        var world = Fixture.wifiWorld(Traffic(down: down), horizon: horizon)
        world.timeline += changes.map { TimelineEntry(at: .zero + $0.0, .server($0.1)) }
        return world
    }

    /// Broken: messages that became due while the program was frozen wait until the end of the hold time, although a
    /// request is held. A long poll must deliver them at 110 s, as a WebSocket does.
    @Test(arguments: [Transport.TransportKind.longPolling, .webSocket])
    func aHeldPollIsAnsweredAtThaw(_ kind: Transport.TransportKind) {
        var world = world(
            [(.seconds(90), .frozen), (.seconds(110), .thawed)],
            down: .every(.seconds(100), until: .zero + .seconds(150)), horizon: .minutes(10))
        world.server.longPollTimeout = .minutes(4)
        let run = SingleConnectionStrategy(Transport(kind)).run(world)
        #expect(run.times(.deliveredDown).allSatisfy { (110_000..<110_300).contains($0) })
        #expect(run.count(.deliveredDown) == 1)
    }

    /// Broken: a frozen QUIC program retransmits. QUIC has no kernel that could retransmit in its place; TCP has one.
    @Test(arguments: [(.quic, 0), (.webSocket, 0)] as [(Transport.TransportKind, Int)])
    func aFrozenQUICProgramRepeatsNothing(_ kind: Transport.TransportKind, _ repeats: Int) {
        // The message of 60 s is in flight when the program stops; the program does not process its acknowledgement.
        var world = world(
            [(.milliseconds(60_030), .frozen), (.seconds(120), .thawed)],
            down: .every(.seconds(60), until: .zero + .seconds(70)), horizon: .minutes(4))
        world.server.quicIdle = .minutes(3)
        let run = SingleConnectionStrategy(Transport(kind)).run(world)
        let during = run.records.count {
            $0.tag(of: .bytes)?.direction == .down && .zero + .seconds(61) < $0.at
                && $0.at < .zero + .seconds(120)
        }
        #expect(during == repeats && run.count(.deliveredDown) == 1)
    }

    /// Broken: datagrams to a server that is down count as "truly connected". They are blocked, and work when the
    /// server is back.
    @Test func datagramsToAServerThatIsDownAreBlocked() {
        let world = world(
            [(.seconds(60), .down), (.seconds(180), .up)], down: .every(.seconds(10)), horizon: .minutes(5))
        let run = SingleConnectionStrategy(.datagram).run(world)
        #expect(run.sum(.blocked) == TimeSpan.seconds(120).nanoseconds && run.count(.zombie) == 0)
        #expect(run.sum(.available) == TimeSpan.seconds(180).nanoseconds)
        #expect(run.count(.deliveredDown) > 15)
    }
}
