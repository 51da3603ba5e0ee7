import DeadzoneBase
import DeadzoneClient
import DeadzoneTransport
import Testing

@testable import DeadzoneSimulator

/// Phones that differ: each phone meets a change at its own moment, or not at all.
@Suite struct MomentTests {
    private static let tunnel = Instant.zero + .minutes(10)

    private func occurrence(
        late: TimeSpan = .zero, longer: TimeSpan = .zero, phones: Probability = .one, isCommon: Bool = false
    ) -> OccurrenceRule {
        OccurrenceRule(
            drawnAt: Self.tunnel, extraDelay: upTo(late), extraLength: upTo(longer), phones: phones, isCommon: isCommon)
    }

    private func upTo(_ most: TimeSpan) -> SpanRange { law(.uniform(0, most.nanoseconds)) }

    private func law(_ law: Distribution) -> SpanRange { SpanRange(law, in: .zero ... .hours(24))! }

    private func dice(_ phone: Int, seed: UInt64 = 1) -> TimelineDice {
        TimelineDice(seed: seed, phone: PhoneID(UInt32(phone)))
    }

    /// For each change in the timeline, the moment at which each phone met it.
    private func moments(
        _ timeline: [TimelineEntry], phones: Int = 200, seed: UInt64 = 1,
        strategy: AnyStrategy = Fixture.strategy(Patient.self)
    ) -> [[Int: Instant]] {
        var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(40), phones: phones)
        world.timeline = timeline
        var moments = Array(repeating: [Int: Instant](), count: timeline.count)
        for record in Simulation(world: world, strategy: strategy, seed: seed).allRecords().records
        where record.kind == .weather { moments[Int(record.tag)][Int(record.phone)] = record.at }
        return moments
    }

    private func darkness(_ begin: OccurrenceRule?, _ end: OccurrenceRule?) -> [TimelineEntry] {
        [
            TimelineEntry(at: Self.tunnel, .coverage(.cellular, false), occurrence: begin),
            TimelineEntry(at: Self.tunnel + .minutes(1), .coverage(.cellular, true), occurrence: end),
        ]
    }

    /// Broken: the times of a scenario are drawn from the numbers of the radio or of the messages, so that a phone with
    /// bad luck there meets every change early.
    @Test(arguments: [false, true])
    func timesAreDrawnFromTheirOwnNumbers(isCommon: Bool) {
        let sampler = PhoneSampler(count: 6, of: 8)
        let rule = OccurrenceRule(
            drawnAt: Self.tunnel, extraDelay: law(.uniform(180_000_000_000, 480_000_000_000)),
            extraLength: law(.uniform(7_000_000_000, 900_000_000_000)), phones: Probability(1, of: 2), sampler: sampler,
            isCommon: isCommon)
        let entry = TimelineEntry(at: Self.tunnel + .seconds(9), .cellHandover, occurrence: rule)
        let slot = UInt64(Self.tunnel.nanoseconds)
        var (met, missed) = (0, 0)
        for seed in 1...12 as ClosedRange<UInt64> {
            let common = Dice(seed: seed, phone: PhoneID(.max), purpose: .changeTimes)
            for phone in 0..<8 as Range<UInt32> {
                let own = Dice(seed: seed, phone: PhoneID(phone), purpose: .changeTimes)
                let times = isCommon ? common : own
                var expected: Instant?
                if rule.phones.hits(own.pair(at: slot).1),
                    sampler.samples(PhoneID(phone), key: common.pair(at: slot).1)
                {
                    let delay = rule.extraDelay.draw(times.at(slot)) - .minutes(3)
                    let length = rule.extraLength.draw(times.at(slot | 1 << 63)) - .seconds(7)
                    expected = Self.tunnel + .seconds(9) + delay + length
                }
                let found = entry.instant(TimelineDice(seed: seed, phone: PhoneID(phone)))
                #expect(found == expected, "seed \(seed), phone \(phone)")
                if expected == nil { missed += 1 } else { met += 1 }
            }
        }
        #expect(met > 15 && missed > 30)
    }

    @Test func everyPhoneHasAMomentOfItsOwn() {
        // Broken: all phones are copies of one, moments lie outside their range or in one part of it, or an end does
        // not belong to its beginning.
        let late = occurrence(late: .minutes(8))
        let moments = moments(darkness(late, late))
        let begins = moments[0].values.sorted()
        #expect(begins.count == 200 && Set(begins).count == 200)
        #expect(begins.allSatisfy { Self.tunnel...Self.tunnel + .minutes(8) ~= $0 })
        // Of 200 uniform draws, 50 are expected in each quarter, with a standard deviation of 6.1.
        for quarter in 0..<4 {
            let from = Self.tunnel + .minutes(Int64(quarter) * 2)
            #expect((25...75).contains(begins.filter { from..<from + .minutes(2) ~= $0 }.count))
        }
        for (phone, begin) in moments[0] { #expect(moments[1][phone] == begin + .minutes(1)) }
    }

    @Test func aLengthIsDrawnByItself() {
        // Broken: a late beginning implies a longer duration.
        let moments = moments(darkness(nil, occurrence(longer: .minutes(3))))
        let lengths = moments[0].map { moments[1][$0.key]! - $0.value }
        #expect(lengths.allSatisfy { .minutes(1) ... .minutes(4) ~= $0 } && Set(lengths).count == 200)
        #expect(moments[0].values.allSatisfy { $0 == Self.tunnel })
    }

    @Test func aShareOfThePhonesIsTheSameAtBothEnds() {
        // Broken: a dead zone begins for some phones and ends for others.
        let some = occurrence(phones: Probability(30, of: 100))
        let moments = moments(darkness(some, some))
        #expect(Set(moments[0].keys) == Set(moments[1].keys))
        // 60 are expected, with a standard deviation of 6.5.
        #expect((35...85).contains(moments[0].count))
    }

    @Test func momentsAreWeather() {
        // Broken: a strategy or another timeline entry changes a moment, or the moment does not depend on the seed.
        let late = occurrence(late: .minutes(8))
        let plain = moments(darkness(late, late), phones: 20)
        let other = moments(darkness(late, late), phones: 20, strategy: Fixture.strategy(Eager.self))
        #expect(plain == other)
        let rumour = TimelineEntry(at: .zero + .minutes(1), .spurious(.cellular, .flap))
        #expect(moments([rumour] + darkness(late, late), phones: 20).dropFirst() == plain[...])
        let reseeded = moments(darkness(late, late), phones: 20, seed: 2)
        #expect(reseeded != plain && reseeded[0].count == 20)
    }

    @Test(arguments: [
        Distribution.exponential(mean: 40_000_000_000), .normal(mean: 60_000_000_000, deviation: 9_000_000_000),
        .logNormal(median: 30_000_000_000, sigmaPPM: 500_000), .uniform(7_000_000_000, 90_000_000_000),
        .pareto(scale: 5_000_000_000, shapePPM: 1_500_000),
    ])
    func drawsFollowTheirDistribution(_ law: Distribution) {
        // Broken: the lengths of tunnels do not follow the scenario's distribution, at the median or at the ends.
        let range = self.law(law)
        let zone = darkness(nil, OccurrenceRule(drawnAt: Self.tunnel, extraLength: range))
        let lengths = (0..<10_000).map { phone in
            let light = zone.next(after: 0, at: Self.tunnel, maxDisplacement: zone.maxDisplacement, dice(phone))!
            return (light.at - zone[1].at + range.least).nanoseconds
        }
        #expect(Set(lengths).count > 9_990)
        for tenth in 1...9 {
            let bound = law.draw(UInt64.max / 10 * UInt64(tenth))
            let below = lengths.count { $0 <= bound }
            // Binomial: five standard deviations, plus the draws that are clamped at the ends.
            #expect(abs(below - tenth * 1_000) < 260, "\(law.law), below \(tenth)0 %: \(below)")
        }
        #expect(lengths.allSatisfy { range.least.nanoseconds...range.greatest.nanoseconds ~= $0 })
        // If a distribution is unbounded, one phone in two thousand is clamped on either side.
        if case .uniform = law.law { return }
        #expect(range.greatest.nanoseconds <= law.draw(.max - .max / 2_001))
    }

    @Test func lateChangesMayBeOvertaken() {
        // Broken: a change waits for another one that comes later on this phone, happens twice, or never happens.
        let flap = ConditionChange.spurious(.cellular, .flap)
        let timeline =
            [TimelineEntry(at: Self.tunnel, flap, occurrence: occurrence(late: .minutes(20)))]
            + (1...6).map { TimelineEntry(at: Self.tunnel + .minutes($0 * 3), flap) }
        #expect(timeline.maxDisplacement == 6)
        let moments = moments(timeline)
        #expect(moments.allSatisfy { $0.count == 200 })
        for place in 1...6 { #expect(moments[place].values.allSatisfy { $0 == timeline[place].at }) }
        #expect(Set(moments[0].values).count == 200)
        #expect(
            moments[0].values.contains { timeline[6].at < $0 } && moments[0].values.contains { $0 < timeline[1].at })
    }

    @Test func everyPhoneHasItsOwnOrder() {
        // Broken: the walk through the timeline omits, repeats or reverses entries. The reference is a plain sort.
        for seed in 0..<200 as Range<UInt64> {
            var random = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            var at = Instant.zero
            let timeline = (0..<12).map { _ in
                at += .nanoseconds(Int64(random.next().scaled(below: 4)))
                let late = law(.uniform(0, Int64(random.next().scaled(below: 12))))
                let isDrawn = random.next().scaled(below: 2) == 0
                return TimelineEntry(
                    at: at, .cellHandover,
                    occurrence: isDrawn
                        ? OccurrenceRule(drawnAt: at, extraDelay: late, phones: Probability(3, of: 4)) : nil)
            }
            let dice = dice(7, seed: seed)
            var walked: [Int] = []
            var moments: [Instant] = []
            while let next = timeline.next(
                after: walked.last, at: moments.last ?? .zero, maxDisplacement: timeline.maxDisplacement, dice)
            {
                walked.append(next.index)
                moments.append(next.at)
            }
            let alone = timeline.indices.compactMap { index in
                [timeline[index]].next(after: nil, at: .zero, maxDisplacement: 0, dice).map { ($0.at, index) }
            }
            #expect(walked == alone.sorted { $0 < $1 }.map(\.1))
            #expect(moments == moments.sorted())
        }
    }

    @Test func aCommonChangeHasOneMoment() {
        // Broken: an office network fails at a different moment for each colleague, at the same moment in every
        // replica, or for one colleague only.
        let shared = occurrence(late: .minutes(8), longer: .minutes(3), phones: Probability(1, of: 2), isCommon: true)
        let met = moments(darkness(shared, shared))
        #expect(Set(met[0].values).count == 1 && Set(met[1].values).count == 1 && (70...130).contains(met[0].count))
        #expect(Set(met[0].keys) == Set(met[1].keys))
        #expect(Set(moments(darkness(shared, shared), seed: 2)[0].values) != Set(met[0].values))
    }

    @Test func delayIsIndependentOfSelection() {
        // Broken: the draw that decides whether a phone meets a change also decides how late it is.
        let some = occurrence(late: .minutes(8), phones: Probability(30, of: 100))
        let begins = moments(darkness(some, some), phones: 400)[0].values
        // Of 120, 60 are expected in either half, with a standard deviation of 5.5.
        #expect((80...160).contains(begins.count))
        let early = begins.count { $0 < Self.tunnel + .minutes(4) }
        #expect(abs(2 * early - begins.count) < 70, "\(early) of \(begins.count)")
    }

    @Test func commonDelayAndLengthAreIndependent() {
        // Broken: the same draw decides how late and how long a common outage is.
        let zone = darkness(
            occurrence(late: .minutes(8), isCommon: true),
            occurrence(late: .minutes(8), longer: .minutes(8), isCommon: true))
        let days = (0..<50).map { seed in
            zone.map { [$0].next(after: nil, at: .zero, maxDisplacement: 0, dice(0, seed: UInt64(seed)))!.at }
        }
        let late = days.map { $0[0] - Self.tunnel }
        let longer = zip(days, late).map { $0[1] - Self.tunnel - .minutes(1) - $1 }
        #expect(longer.allSatisfy { .zero ... .minutes(8) ~= $0 } && Set(longer).count == 50)
        #expect(zip(late, longer).allSatisfy { $0 != $1 })
    }

    @Test func drawsBelowTheMinimumAreClamped() {
        // Broken: a draw lies below the minimum that the timeline allows.
        let range = SpanRange(.uniform(0, 10_000_000_000), in: .seconds(3) ... .hours(1))!
        #expect(range.least == .seconds(3) && range.greatest == .seconds(10) && range.spread == .seconds(7))
        let draws = (0..<1_000).map { range.draw(UInt64.max / 999 * $0) }
        #expect(draws.allSatisfy { range.least...range.greatest ~= $0 })
        // Three of ten draws lie on the bound; the others are unchanged.
        #expect(abs(draws.count { $0 == range.least } - 300) < 5 && draws.max()! > .milliseconds(9_990))
        #expect(SpanRange(.uniform(0, 10_000_000_000), in: .zero ... .seconds(9)) == nil)
    }

    @Test func changesAfterTheHorizonDoNotHappen() {
        // Broken: a draw beyond the horizon stops the run, or a change happens at the horizon.
        let late = OccurrenceRule(
            drawnAt: Self.tunnel, extraDelay: law(.normal(mean: 1_800_000_000_000, deviation: 600_000_000_000)))
        let met = moments(darkness(late, late))
        #expect((40...160).contains(met[0].count) && met[1].count <= met[0].count)
        #expect(met.flatMap(\.values).allSatisfy { $0 < .zero + .minutes(40) })
    }

    @Test func individualMomentsBeginNoHerd() {
        // Broken: a herd begins with a change that each phone meets at its own moment.
        func herds(_ occurrence: OccurrenceRule?) -> Int {
            var world = Fixture.cellularWorld(Traffic(), horizon: .minutes(40), phones: 5)
            world.timeline = [
                TimelineEntry(at: .zero, .pathUp(.cellular, .plain)),
                TimelineEntry(at: Self.tunnel, .readdress(.cellular, .reset), occurrence: occurrence),
            ]
            let run = Simulation(world: world, strategy: Fixture.strategy(Patient.self), seed: 1).allRecords()
            return run.count(.herdBegan)
        }
        #expect(herds(nil) == 5 && herds(occurrence(late: .minutes(8))) == 0)
        #expect(herds(occurrence(late: .minutes(8), isCommon: true)) == 5)
    }
}
