import DeadzoneClient
import DeadzoneEngine
import DeadzoneJournal
import DeadzonePrimitives
import DeadzoneStrategies
import DeadzoneSystem
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Phones that differ: each meets a change at a moment of its own, or not at all.
@Suite struct MomentTests {
    private static let tunnel = Instant.zero + .minutes(10)

    private func chance(late: TimeSpan = .zero, longer: TimeSpan = .zero, phones: Probability = .one) -> Chance {
        Chance(drawnAt: Self.tunnel, late: late, longer: longer, phones: phones)
    }

    /// When each phone met each change, by the change's place.
    private func moments(
        _ timeline: [TimelineEntry], phones: Int = 200, seed: UInt64 = 1,
        strategy: AnyStrategy = Fixture.strategy(Patient.self)
    ) -> [[Int: Instant]] {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(40), phones: phones)
        world.timeline = timeline
        var moments = Array(repeating: [Int: Instant](), count: timeline.count)
        for record in Simulation(world: world, strategy: strategy, seed: seed).everything().records
        where record.kind == .weather { moments[Int(record.tag)][Int(record.lane)] = record.at }
        return moments
    }

    private func darkness(_ begin: Chance?, _ end: Chance?) -> [TimelineEntry] {
        [
            TimelineEntry(at: Self.tunnel, .coverage(.cellular, false), chance: begin),
            TimelineEntry(at: Self.tunnel + .minutes(1), .coverage(.cellular, true), chance: end),
        ]
    }

    @Test func everyPhoneHasAMomentOfItsOwn() {
        // Broken: phones that are copies of one, moments outside what was said or crowded in a part of it, or an end that
        // does not belong to its beginning.
        let late = chance(late: .minutes(8))
        let moments = moments(darkness(late, late))
        let begins = moments[0].values.sorted()
        #expect(begins.count == 200 && Set(begins).count == 200)
        #expect(begins.allSatisfy { Self.tunnel...Self.tunnel + .minutes(8) ~= $0 })
        // Of 200 uniform draws, 50 are expected in each quarter, with a deviation of 6.1.
        for quarter in 0..<4 {
            let from = Self.tunnel + .minutes(Int64(quarter) * 2)
            #expect((25...75).contains(begins.filter { from..<from + .minutes(2) ~= $0 }.count))
        }
        for (phone, begin) in moments[0] { #expect(moments[1][phone] == begin + .minutes(1)) }
    }

    @Test func aLengthIsDrawnByItself() {
        // Broken: who comes late stays long.
        let moments = moments(darkness(nil, chance(longer: .minutes(3))))
        let lengths = moments[0].map { moments[1][$0.key]! - $0.value }
        #expect(lengths.allSatisfy { .minutes(1) ... .minutes(4) ~= $0 } && Set(lengths).count == 200)
        #expect(moments[0].values.allSatisfy { $0 == Self.tunnel })
    }

    @Test func aShareOfThePhonesIsTheSameAtBothEnds() {
        // Broken: a dead zone that begins for some and ends for others.
        let some = chance(phones: Probability(30, of: 100))
        let moments = moments(darkness(some, some))
        #expect(Set(moments[0].keys) == Set(moments[1].keys))
        // 60 are expected, with a deviation of 6.5.
        #expect((35...85).contains(moments[0].count))
    }

    @Test func itIsWeather() {
        // Broken: a moment that a strategy or another entry moves, or that does not depend on the seed.
        let late = chance(late: .minutes(8))
        let plain = moments(darkness(late, late), phones: 20)
        let other = moments(darkness(late, late), phones: 20, strategy: Fixture.strategy(Eager.self))
        #expect(plain == other)
        let rumour = TimelineEntry(at: .zero + .minutes(1), .spurious(.cellular, .flap))
        #expect(moments([rumour] + darkness(late, late), phones: 20).dropFirst() == plain[...])
        let reseeded = moments(darkness(late, late), phones: 20, seed: 2)
        #expect(reseeded != plain && reseeded[0].count == 20)
    }

    @Test func nobodyIsTakenAlong() {
        // Broken: a herd that begins with a change which each phone meets at a moment of its own.
        func herds(_ chance: Chance?) -> Int {
            var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(40), phones: 5)
            world.timeline = [
                TimelineEntry(at: .zero, .pathUp(.cellular, .plain)),
                TimelineEntry(at: Self.tunnel, .readdress(.cellular, .reset), chance: chance),
            ]
            let run = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).everything()
            return run.count(.herdBegan)
        }
        #expect(herds(nil) == 5 && herds(chance(late: .minutes(8))) == 0)
    }
}
