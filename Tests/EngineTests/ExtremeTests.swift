import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Suite struct ExtremeTests {
    /// Broken: a size drawn from a heavy tail overflows a counter and ends the program.
    @Test(arguments: [true, false]) func anEnormousMessageDoesNotCrash(asDatagram: Bool) {
        let stream = TrafficStream(gap: .constant(1_000_000_000), size: .pareto(scale: 1_000_000, shapePPM: 100_000))
        let world = Fixture.cellularWorld(Traffic(down: stream, up: stream, probe: stream), horizon: .minutes(5))
        let strategy = asDatagram ? Fixture.strategy(Datagrams.self) : Fixture.strategy(Patient.self)
        let run = Simulation(world: world, strategy: strategy, seed: 1).allRecords()
        // A datagram is one packet, whatever its size; a stream sends as much as its window admits.
        #expect(run.count(.finished) == 1 && run.sum(.bytes) > (asDatagram ? 1 << 29 : 1 << 24))
    }

    /// Broken: Wi-Fi that is joined without signal idles as if it had signal.
    @Test func aNetworkJoinedWithoutSignalIsSearchedFor() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(30))
        world.wifi = Fixture.wifi
        world.wifiLink = Fixture.link()
        world.timeline += [
            TimelineEntry(at: .zero + .seconds(5), .coverage(.wifi, false)),
            TimelineEntry(at: .zero + .seconds(10), .pathUp(.wifi, .plain)),
            TimelineEntry(at: .zero + .seconds(20), .coverage(.wifi, true)),
        ]
        let ledger = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords().ledger
        let expected = TimeSpan.seconds(1)
        #expect(ledger.time(in: .search, on: .wifi) == expected)
    }
}
