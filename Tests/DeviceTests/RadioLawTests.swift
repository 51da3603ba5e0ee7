import DeadzoneBase
import DeadzoneDevice
import DeadzoneLaws
import DeadzoneTestKit
import Testing

@Suite struct RadioLawTests {
    @Test(arguments: Fixture.all.map(\.name))
    func ledgersBalanceInRandomHistories(_ name: String) {
        // Broken: time is lost or counted twice, energy by state and by cause disagree, or an illegal transition is
        // taken.
        let profile = Fixture.named(name)
        let legal = LegalSteps(profile)
        var seen: Set<PowerLevel> = []
        seedSweep(300) { seed in
            var traffic = RandomTraffic(seed: seed)
            var driver = RadioDriver(profile, phases: RadioPhases.draw(profile, seed: seed, phone: PhoneID(7)))
            driver.tails = seed % 2 == 0 ? .latest : .equalShares
            for _ in 0..<80 {
                driver.run(for: traffic.gap())
                traffic.act(on: &driver)
            }
            driver.run(for: .seconds(60))
            let bill = driver.bill()
            #expect(driver.ledger.time(on: profile.interface) == driver.now - .zero)
            #expect(RadioState.allCases.reduce(Energy.zero) { $0 + bill.energy(in: $1) } == bill.total)
            #expect(Cause.allCases.reduce(Energy.zero) { $0 + bill.energy(for: $1) } == bill.total)
            for step in driver.steps {
                #expect(legal.allow(step.from, step.to), "\(step.from) to \(step.to)")
                seen.insert(step.to)
            }
        }
        #expect(seen == legal.levels, "never reached: \(legal.levels.subtracting(seen))")
    }

    @Test(arguments: Fixture.all.map(\.name))
    func closingAPeriodChangesNothing(_ name: String) {
        // Broken: closing the ledger's open period changes the radio's behaviour or the total cost.
        let profile = Fixture.named(name)
        seedSweep(30) { seed in
            var traffic = RandomTraffic(seed: seed)
            var plain = RadioDriver(profile)
            var settled = RadioDriver(profile)
            for _ in 0..<60 {
                let gap = traffic.gap()
                plain.run(for: gap)
                settled.run(for: gap / 3)
                settled.settle()
                settled.run(until: plain.now)
                settled.settle()
                var same = traffic
                traffic.act(on: &plain)
                same.act(on: &settled)
                #expect(plain.radio.nextTransition == settled.radio.nextTransition)
            }
            plain.settle()
            settled.settle()
            #expect(plain.ledger == settled.ledger)
            #expect(plain.now > .zero)
        }
    }

    @Test(arguments: Fixture.all.map(\.name))
    func noRadioWakesWithoutAPromotion(_ name: String) {
        // Broken: the legal transitions allow a radio to go from idle to an awake level directly.
        let profile = Fixture.named(name)
        let legal = LegalSteps(profile)
        let promotes =
            switch profile.machine {
            case .cellular, .umts: true
            case .wifi(let timers): .zero < timers.promotion
            }
        let awake: [PowerLevel] = [.activeUp, .activeDown, .activeHigh, .tail, .secondTail, .longDRX, .dch, .fach]
        let reached = awake.filter { legal.levels.contains($0) && legal.allow(.idle, $0) }
        #expect(reached.isEmpty == promotes, "from idle to \(reached)")
        #expect(!promotes || legal.allow(.idle, .promotion))
    }

    @Test func radiosArePlainAndSmall() {
        // Broken: a radio owns heap memory, or outgrows its storage.
        #expect(MemoryLayout<Radio>.size <= 112, "\(MemoryLayout<Radio>.size) bytes")
        #expect(_isPOD(Radio.self))
    }

    @Test func equalSharesAddUpToTheNanosecond() {
        // Broken: splitting a tail loses or adds time, or favours a cause by more than a nanosecond.
        var split = 0
        seedSweep(500) { seed in
            let dice = Dice(seed: seed, phone: PhoneID(0), purpose: .test)
            let sharers = CauseSet(rawValue: UInt32(truncatingIfNeeded: dice.at(0)) & 0xFFFF)
            let span = TimeSpan.nanoseconds(Int64(dice.at(1).scaled(below: 1_000_000)))
            let residency = Residency(level: .tail, cause: .push, sharers: sharers, span: span)
            var shares: [TimeSpan] = []
            residency.forEachShare(.equalShares) { cause, share in
                #expect(sharers.isEmpty || sharers.contains(CauseSet(cause)))
                shares.append(share)
            }
            #expect(shares.reduce(.zero, +) == span)
            #expect(shares.count == max(1, sharers.count))
            #expect((shares.max() ?? .zero) - (shares.min() ?? .zero) <= .nanoseconds(1))
            split += shares.count
        }
        #expect(split > 0)
    }
}
