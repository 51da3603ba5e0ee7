import DeadzoneClient
import DeadzoneJournal
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneTestKit
import DeadzoneWorld
import Testing
@testable import DeadzoneLane

/// Radios are rolled forward to the next event of their lane, or to the end of its turn. Into how many turns a day is cut can
/// therefore not show: a lane that is run in one go writes what one does that is stepped, record for record.
@Suite struct RolledRadioTests {
    /// Broken: a change of a radio that is rolled past, written twice, at another moment or behind what came later; a turn that begins
    /// with what was next before something else came.
    @Test func writeWhatSteppedRadiosWrite() {
        var changed = 0
        var quiet = 0
        seedSweep(60) { seed in
            let (world, client) = RandomWorld.draw(seed)
            let rolled = Self.run(world, client, turns: nil)
            // Between the shortest steps of a radio and the longest of its tails.
            let step = TimeSpan.milliseconds([7, 90, 1_300][Int(seed % 3)])
            let stepped = Self.run(world, client, turns: step)
            #expect(rolled.records == stepped.records)
            #expect(zip(rolled.records, rolled.records.dropFirst()).allSatisfy { $0.at <= $1.at })
            changed += rolled.records.count { $0.kind == .residency }
            quiet += stepped.quiet
        }
        // Radios did change, and in turns in which nothing else happened.
        #expect(changed > 10_000 && quiet > 1_000, "\(changed) periods, \(quiet) quiet turns")
    }

    private static func run(
        _ world: World, _ client: AnyStrategy, turns: TimeSpan?
    ) -> (records: [Record], quiet: Int) {
        var records: [Record] = []
        var quiet = 0
        withoutActuallyEscaping({ (batch: UnsafeBufferPointer<Record>) in records += batch }) { record in
            var stage = Stage(world: world, seed: 1, strategy: client, journal: JournalBuffer(record))
            stage.begin(PhoneID(0))
            var lane = Lane(phone: PhoneID(0), stage: stage)
            lane.start(&stage)
            let step = turns ?? .nanoseconds(world.horizon.nanoseconds)
            var end = min(Instant.zero + step, world.horizon)
            while true {
                stage.journal.flush()
                let before = records.count
                let due = lane.due(stage)
                lane.run(until: end, &stage)
                stage.journal.flush()
                if end <= due && before < records.count { quiet += 1 }
                if world.horizon <= end { break }
                end = min(end + step, world.horizon)
            }
            lane.finish(at: world.horizon, &stage)
            lane.landAll(&stage)
            stage.journal.flush()
        }
        return (records, quiet)
    }
}
