import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneTestKit
import Testing
@testable import DeadzoneSimulator

/// Radios advance to the next event of their simulation, or to the end of its turn. The number of turns in a day must
/// therefore not affect results. A simulation that runs in one go writes the same records as one that runs in steps.
@Suite struct RolledRadioTests {
    /// Broken: a radio change is skipped, written twice, at another moment or after later records. Or a turn begins
    /// with an event that is no longer the next one.
    @Test func rolledRadiosEqualSteppedRadios() {
        var changed = 0
        var quiet = 0
        seedSweep(60) { seed in
            let (world, client) = RandomWorld.draw(seed)
            let rolled = Self.run(world, client, turns: nil)
            // Between the shortest step of a radio and the longest of its tails.
            let step = TimeSpan.milliseconds([7, 90, 1_300][Int(seed % 3)])
            let stepped = Self.run(world, client, turns: step)
            #expect(rolled.records == stepped.records)
            #expect(zip(rolled.records, rolled.records.dropFirst()).allSatisfy { $0.at <= $1.at })
            changed += rolled.records.count { $0.kind == .residency }
            quiet += stepped.quiet
        }
        // Radios did change, also in turns without any other event.
        #expect(changed > 10_000 && quiet > 1_000, "\(changed) periods, \(quiet) quiet turns")
    }

    private static func run(
        _ world: World, _ client: AnyStrategy, turns: TimeSpan?
    ) -> (records: [Record], quiet: Int) {
        var records: [Record] = []
        var quiet = 0
        withoutActuallyEscaping({ (batch: UnsafeBufferPointer<Record>) in records += batch }) { record in
            var context = WorkerContext(world: world, seed: 1, strategy: client, journal: JournalBuffer(record))
            context.beginPhone(PhoneID(0))
            var simulation = PhoneSimulation(phone: PhoneID(0), context: context)
            simulation.start(&context)
            let step = turns ?? .nanoseconds(world.horizon.nanoseconds)
            var end = min(Instant.zero + step, world.horizon)
            while true {
                context.journal.flush()
                let before = records.count
                let due = simulation.due(context)
                simulation.run(until: end, &context)
                context.journal.flush()
                if end <= due && before < records.count { quiet += 1 }
                if world.horizon <= end { break }
                end = min(end + step, world.horizon)
            }
            simulation.finish(at: world.horizon, &context)
            simulation.releasePackets(&context)
            context.journal.flush()
        }
        return (records, quiet)
    }
}
