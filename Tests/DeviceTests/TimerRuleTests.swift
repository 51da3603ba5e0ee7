import DeadzoneBase
import Testing

@testable import DeadzoneDevice

/// Small rules of the radio profiles against naive ones.
@Suite struct TimerRuleTests {
    @Test("A cycle listens at its phase and for its on-duration, as a search over all instants says")
    func cycles() {
        for (period, on, offset) in [(7, 0, 0), (7, 1, 3), (7, 3, 5), (5, 5, 2), (4, 2, 4), (4, 1, 9)]
            as [(Int64, Int64, Int64)]
        {
            let cycle = Cycle(period: .nanoseconds(period), on: .nanoseconds(on))
            for now in 0..<30 as Range<Int64> {
                let expected = (now...).first { at in
                    let into = ((at - offset) % period + period) % period
                    return into == 0 || into < on
                }
                let next = cycle.nextOn(from: .zero + .nanoseconds(now), offset: offset)
                #expect(next == .zero + .nanoseconds(expected ?? -1), "\(period) \(on) \(offset) from \(now)")
            }
        }
        #expect(Cycle.none.nextOn(from: .zero + .seconds(3), offset: 7) == .zero + .seconds(3))
    }

    @Test("Each step of a tail ends exactly at its time, and a cut ends the tail earlier")
    func tails() {
        let tail = TailLadder(
            .init(.tail, until: .seconds(1)), .init(.shortDRX, until: .seconds(2)), .init(.longDRX, until: .seconds(5)),
            .init(.secondTail, until: .seconds(9)))
        let steps: [(TimeSpan, PowerLevel)] = [
            (.seconds(1), .tail), (.seconds(2), .shortDRX), (.seconds(5), .longDRX), (.seconds(9), .secondTail),
        ]
        var begin = TimeSpan.zero
        for (end, level) in steps {
            #expect(tail.step(after: begin).level == level && tail.step(after: end - .nanoseconds(1)).level == level)
            #expect(tail.step(after: begin).until == end)
            begin = end
        }
        #expect(tail.end == .seconds(9) && tail.step(after: .seconds(9)).level == .secondTail)
        for count in 1...3 {
            let parts = steps.prefix(count).map { TailLadder.TailStep($0.1, until: $0.0) }
            let short = TailLadder(parts[0], count > 1 ? parts[1] : nil, count > 2 ? parts[2] : nil)
            #expect(short.end == steps[count - 1].0 && short.step(after: .seconds(8)).level == steps[count - 1].1)
        }
        let cut = tail.cut(at: .seconds(3))
        #expect(cut.end == .seconds(3))
        for (end, level) in steps.prefix(2) { #expect(cut.step(after: end - .nanoseconds(1)).level == level) }
        #expect(cut.step(after: .seconds(3) - .nanoseconds(1)).level == .longDRX)
        #expect(cut.step(after: .seconds(3)).until == .seconds(3))
    }

    @Test("Scans and pauses take turns, each pause twice the one before, up to the limit and for 32 doublings")
    func searches() {
        for (first, longest) in [(TimeSpan.seconds(4), TimeSpan.seconds(64)), (.nanoseconds(1), .hours(1))] {
            var profile = Fixture.lte2021
            profile.search = SearchTimers(scan: .seconds(2), firstPause: first, longestPause: longest)
            var radio = Radio(profile: profile, phases: RadioPhases(paging: 0, drx: 0), at: .zero)
            _ = radio.setCoverage(false, at: .zero, profile)
            var (now, pause) = (Instant.zero, first)
            for turn in 0..<40 {
                #expect(radio.level == .search && radio.nextTransition == now + .seconds(2), "turn \(turn)")
                now += .seconds(2)
                _ = radio.advance(profile)
                #expect(radio.level == .unassociated && radio.nextTransition == now + pause, "turn \(turn)")
                now += pause
                if turn < 32 { pause = min(pause * 2, longest) }
                let (spent, _) = radio.advance(profile)
                #expect(spent?.cause == .search && spent?.level == .unassociated)
            }
            let burst = Burst(direction: .up, bytes: 1, airtime: .seconds(1), cause: .payload)
            #expect(radio.carry(burst, at: now, profile).flowsAt == .never && radio.dataFlowsFrom == .never)
            // A search begins anew with its shortest pause.
            _ = radio.setCoverage(true, at: now, profile)
            #expect(radio.level == .idle && radio.nextTransition == .never)
            _ = radio.setCoverage(false, at: now, profile)
            _ = radio.advance(profile)
            #expect(radio.nextTransition == now + .seconds(2) + first)
        }
    }

    @Test("The phases of a phone are its own draws, each within its cycle")
    func phases() {
        for (profile, paging, drx) in [
            (Fixture.lte2012, 1_280, 40), (Fixture.sa, 1_250, 40), (Fixture.umtsARO, 1_280, 0),
            (Fixture.wifiS2, 307, 0),
        ] as [(RadioProfile, Int64, Int64)] {
            var (largestPaging, largestDRX): (Int64, Int64) = (0, 0)
            for phone in 0..<200 as Range<UInt32> {
                let phases = RadioPhases.draw(profile, seed: 5, phone: PhoneID(phone))
                func word(_ purpose: Purpose) -> UInt64 { Dice(seed: 5, phone: PhoneID(phone), purpose: purpose).at(0) }
                #expect(phases.luck == word(.radioLuck))
                let purpose: Purpose = profile.technology.isLocal ? .beaconPhase : .pagingPhase
                let cycle: UInt64 = profile.technology.isLocal ? 307_200_000 : UInt64(paging) * 1_000_000
                #expect(phases.paging == Int64(word(purpose).scaled(below: cycle)))
                let long = UInt64(max(drx * 1_000_000, 1))
                #expect(phases.drx == (drx > 0 ? Int64(word(.drxPhase).scaled(below: long)) : 0))
                largestPaging = max(largestPaging, phases.paging / 1_000_000)
                largestDRX = max(largestDRX, phases.drx / 1_000_000)
            }
            #expect(largestPaging > paging * 9 / 10 && largestDRX >= drx * 9 / 10)
        }
    }

    @Test("The length of a handover is the draw of its kind, plus that of a failure")
    func handovers() {
        let always = Probability(1, of: 1)
        let timings = HandoverTimings(
            .constant(10), addition: .constant(20), release: .constant(30), failure: always,
            reestablishment: .constant(400))
        let phases = RadioPhases(paging: 0, drx: 0, luck: 3)
        #expect(timings.length(phases, at: .zero) == .nanoseconds(410))
        let smooth = HandoverTimings(.constant(10), reestablishment: .constant(400))
        #expect(smooth.length(phases, at: .zero) == .nanoseconds(10))
        #expect(smooth.addition == .constant(10) && smooth.release == .constant(10) && smooth.failure == .zero)
        #expect(HandoverTimings.none.isNone && !timings.isNone && HandoverTimings.always(.seconds(1)) != .none)
        // Draws are limited to between zero and an hour.
        let lengths: [(Int64, TimeSpan)] = [
            (-1, .zero), (0, .zero), (3_600_000_000_000, .hours(1)), (3_600_000_000_001, .hours(1)),
        ]
        for (draw, length) in lengths { #expect(Distribution.constant(draw).span(0) == length) }
        func length(_ old: RadioProfile, _ new: RadioProfile) -> TimeSpan? {
            new.length(ofLegFrom: old, phases, at: .zero)
        }
        var (lte, nsa) = (Fixture.lteParts, Fixture.nsa)
        lte.handover = HandoverTimings(.constant(1), addition: .constant(2), release: .constant(4))
        nsa.handover = HandoverTimings(.constant(8), addition: .constant(16), release: .constant(32))
        #expect(length(lte, lte) == .nanoseconds(1) && length(lte, nsa) == .nanoseconds(16))
        #expect(length(nsa, lte) == .nanoseconds(32) && length(nsa, nsa) == .nanoseconds(32 + 8 + 16))
        for other in [Fixture.sa, Fixture.umtsARO] {
            #expect(length(lte, other) == nil && length(other, lte) == nil && length(other, other) == nil)
        }
    }

    @Test("Each power level has a power of its own, and the dearer direction is compared exactly")
    func powers() {
        var table = PowerTable()
        for (row, level) in PowerLevel.allCases.enumerated() { table[level] = .microwatts(Int64(row + 1)) }
        for (row, level) in PowerLevel.allCases.enumerated() { #expect(table[level] == .microwatts(Int64(row + 1))) }
        let third = Power(femtojoules: 1, per: .nanoseconds(3))
        let half = Power(femtojoules: 2, per: .nanoseconds(4))
        #expect(half.isAtLeast(third) && !third.isAtLeast(half) && third.isAtLeast(third))
        #expect(half.isAtLeast(Power(femtojoules: 1, per: .nanoseconds(2))))
        var profile = Fixture.lte2021
        #expect(profile.upIsDearer)
        profile.powers[.activeDown] = .milliwatts(537)
        #expect(!profile.upIsDearer)
        profile.powers[.activeUp] = .milliwatts(537)
        #expect(profile.upIsDearer)
    }

    @Test("Batteries have the capacity of their charge at their voltage")
    func batteries() {
        #expect(Battery(milliampereHours: 1, millivolts: 1).capacity == Energy(femtojoules: 3_600_000_000_000))
        #expect(Battery(milliwattHours: 1).capacity == Energy(femtojoules: 3_600_000_000_000_000))
        #expect(Battery(milliwattHours: 1).millivolts == 3_700)
        #expect(Battery.named("oneplus8") == Battery(milliampereHours: 4_300, millivolts: 3_700))
        #expect(Battery.named("nexus5") == Battery(milliampereHours: 2_300, millivolts: 3_800))
        #expect(Battery.names == ["nexus5", "oneplus8"])
    }

    @Test("Batteries without a capacity or a voltage are refused")
    func impossibleBatteries() async {
        // Broken: a share of a battery without a capacity, or a charge at no voltage, is a division by zero.
        await #expect(processExitsWith: .failure) { _ = Battery(milliampereHours: 0, millivolts: 1) }
        await #expect(processExitsWith: .failure) { _ = Battery(milliampereHours: 1, millivolts: 0) }
        await #expect(processExitsWith: .failure) { _ = Battery(milliwattHours: 0) }
        await #expect(processExitsWith: .failure) { _ = Battery(milliwattHours: 1, millivolts: 0) }
    }

    @Test("A battery has the energy of its charge at its voltage, and keeps the voltage")
    func batteriesKeepTheirVoltage() {
        // Broken: a battery that is given by its charge has another voltage or capacity than one given by its energy.
        let (charge, energy) = (
            Battery(milliampereHours: 3_000, millivolts: 3_800), Battery(milliwattHours: 11_400, millivolts: 3_800)
        )
        #expect(charge == energy && charge.millivolts == 3_800)
        #expect(charge.capacity.femtojoules == Int128(41_040) * 1_000_000_000_000_000)
        #expect(Battery(milliwattHours: 1).millivolts == 3_700)
    }

    @Test("The drain time of a buffer is its polynomial, and more than a mebibyte drains like one")
    func drains() {
        let buffer = RLCBuffer(idleLimit: 1, fachLimit: 2, constant: 5, linear: 3, quadratic: 2)
        for bytes in [0, 1, 7, 1_000] as [Int64] {
            #expect(buffer.drain(UInt32(bytes)) == .nanoseconds(5 + 3 * bytes + 2 * bytes * bytes))
        }
        let most: Int64 = 1 << 20
        #expect(buffer.drain(.max) == .nanoseconds(5 + 3 * most + 2 * most * most))
        #expect(buffer.drain(UInt32(most) + 1) == buffer.drain(UInt32(most)))
        #expect(buffer.drain(UInt32(most) - 1) < buffer.drain(UInt32(most)))
    }

    @Test("A set of causes counts, contains and gives up its causes in order of their raw values")
    func causes() {
        var set: CauseSet = []
        for (count, cause) in Cause.allCases.enumerated() {
            #expect(set.count == count && !set.contains(CauseSet(cause)))
            set.insert(CauseSet(cause))
        }
        for cause in Cause.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
            let first = set.popFirst()
            #expect(first == cause)
        }
        let none = set.popFirst()
        #expect(none == nil && set.isEmpty)
    }
}
