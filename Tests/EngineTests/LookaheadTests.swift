import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// The number of sync windows that phones run through before the server handles their requests.
@Suite struct LookaheadTests {
    private func last(_ lookahead: inout Lookahead, from window: Int64) -> Int64 {
        lookahead.begin(window)
        return lookahead.last
    }

    /// Broken: a lookahead is longer than its limits, or becomes longer although many phones were due, or does not
    /// although few were.
    @Test func itsLengthFollowsTheWork() {
        var shared = Lookahead(phones: 100, isShared: true)
        #expect(last(&shared, from: 7) == 7 + 15 && shared.turns == 100)
        for (limit, most, end) in [(12, .max, 11), (90, .max, 22), (90, 3, 9), (9, 3, 8)] as [(Int64, Int64, Int64)] {
            shared.begin(7, before: limit, atMost: most)
            #expect(shared.last == end)
        }
        shared.adaptLength()
        #expect(last(&shared, from: 0) == 15, "all phones were due")
        shared.recordTurns()
        #expect(shared.turns == 0)
        for length in [32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096] as [Int64] {
            shared.adaptLength()
            #expect(last(&shared, from: 10) == 10 + length - 1)
        }
        // Less than a quarter of the phones must be due.
        for (phones, length) in [(3, 16), (4, 32)] as [(Int, Int64)] {
            var small = Lookahead(phones: phones, isShared: true)
            small.begin(0)
            small.recordTurns()
            small.adaptLength()
            #expect(last(&small, from: 0) == length - 1)
        }
        var single = Lookahead(phones: 100, isShared: false)
        single.begin(0)
        single.recordTurns()
        single.adaptLength()
        #expect(last(&single, from: 5) == 5 + 4_095, "a single partition has no work to distribute")
    }

    /// Lets new phones of two partitions run until the end of the lookahead. Each runs once.
    private func run(_ phones: Int, in lookahead: inout Lookahead) {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(5), phones: phones)
        world.server.acceptsPerSecond = 100
        let simulation = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1)
        let syncWindows = SyncWindows(world)
        lookahead.begin(0)
        let end = syncWindows.end(of: lookahead.last)
        var recorders = [AllRecords(), AllRecords()]
        recorders.withUnsafeMutableBufferPointer { recorders in
            let partitions = CoupledPartitions(simulation, 0..<UInt32(phones), into: recorders, by: SerialFor())
            partitions.each(by: SerialFor()) { $0.run(until: end) }
            // The second call finds no further runs.
            for _ in 0..<2 { lookahead.collect(from: partitions, syncWindows) }
        }
        lookahead.recordTurns()
    }

    /// Broken: a lookahead of 64 windows keeps its length although too many phones ran, or runs are counted wrongly. It
    /// becomes shorter if more than half of the phones ran, and longer if less than a quarter did.
    @Test(
        arguments: [
            (8, 1, 128), (8, 2, 64), (8, 4, 64), (8, 5, 32), (8, 9, 32), (9, 4, 64), (9, 5, 32), (4, 1, 64), (4, 3, 32),
        ] as [(Int, Int, Int64)])
    func itBecomesShorterIfManyPhonesRan(phones: Int, runs: Int, length: Int64) {
        var lookahead = Lookahead(phones: phones, isShared: true)
        for _ in 0..<2 {
            lookahead.begin(0)
            lookahead.recordTurns()
            lookahead.adaptLength()
        }
        run(runs, in: &lookahead)
        #expect(lookahead.last == 63 && lookahead.turns == runs)
        lookahead.adaptLength()
        #expect(last(&lookahead, from: 0) == length - 1)
    }
}
