import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

/// A tail is counted from the last bit or from the signalling after a promotion, whichever is later.
@Suite struct TailHistoryTests {
    /// Time after an answer during which the radio stays connected.
    private func connected(_ profile: RadioProfile, afterWake: Bool) -> TimeSpan {
        var driver = RadioDriver(profile)
        var last = driver.carry(.up).flowsAt
        if !afterWake {
            driver.run(until: last + .seconds(8))
            last = driver.carry(.up).flowsAt
        }
        driver.run(until: last)
        while driver.radio.level != .idle, driver.radio.level != .inactive {
            driver.run(until: driver.radio.nextTransition)
        }
        return driver.now - last
    }

    /// Broken: the length of the connection does not depend on whether the phone was promoted or already connected.
    @Test func aWakeKeepsThePhoneLongerThanARefresh() {
        for (profile, woken, refreshed) in [
            (Fixture.lteParts, 10_200, 10_200), (Fixture.lte2021, 10_200, 10_200), (Fixture.nsa, 20_030, 18_800),
            (Fixture.sa, 15_050, 10_400),
        ] as [(RadioProfile, Int64, Int64)] {
            #expect(connected(profile, afterWake: true) == .milliseconds(woken))
            #expect(connected(profile, afterWake: false) == .milliseconds(refreshed))
        }
    }

    /// Broken: signalling that is due after the release keeps the phone connected, or reaches an idle phone.
    @Test func noLegIsAddedAfterTheRelease() {
        var profile = Fixture.nsa
        guard case .cellular(var timers) = profile.machine else { return }
        for (late, comes) in [(TimeSpan.milliseconds(18_799), true), (.milliseconds(18_801), false)] {
            timers.signalling = .constant(late.nanoseconds)
            profile.machine = .cellular(timers)
            var driver = RadioDriver(profile)
            driver.carry(.up)
            driver.run(for: .minutes(1))
            driver.settle()
            #expect(driver.time(at: .secondPromotion) == (comes ? timers.secondPromotion : .zero))
            #expect(driver.radio.level == .idle)
        }
    }

    /// Broken: the same phone gets the leg every time, or the share of promotions with a leg is not the configured one.
    @Test func legsAreAddedAsOftenAsConfigured() {
        var profile = Fixture.nsa
        guard case .cellular(var timers) = profile.machine else { return }
        timers.signalling = .table([
            Quantile(ppm: 0, 0), Quantile(ppm: 300_000, 0), Quantile(ppm: 300_000, 60_000_000_000),
            Quantile(ppm: 1_000_000, 60_000_000_000),
        ])
        profile.machine = .cellular(timers)
        var driver = RadioDriver(profile, phases: RadioPhases.draw(profile, seed: 3, phone: PhoneID(1)))
        let wakes: Int64 = 2_000
        for _ in 0..<wakes {
            driver.carry(.up)
            driver.run(for: .seconds(41))
        }
        driver.settle()
        let legs = driver.time(at: .secondPromotion).nanoseconds / timers.secondPromotion.nanoseconds
        #expect(560...640 ~= legs, "\(legs) of \(wakes)")
    }

    /// Broken: acknowledgements turn a download into an upload or the reverse, or the order of the two packets matters.
    @Test(arguments: [true, false], Direction.allCases)
    func theLargerOfTwoSimultaneousBurstsDecides(_ isLargerFirst: Bool, _ larger: Direction) {
        var driver = RadioDriver(Fixture.lteParts)
        driver.carry(.up)
        driver.run(for: .milliseconds(300))
        let smaller: Direction = larger == .up ? .down : .up
        for isLarger in [isLargerFirst, !isLargerFirst] {
            driver.carry(
                isLarger ? larger : smaller, bytes: isLarger ? 300 : 299, airtime: .milliseconds(isLarger ? 1 : 20))
        }
        driver.run(for: .milliseconds(60))
        #expect(driver.radio.level == (larger == .up ? .activeUp : .activeDown))
    }

    /// Broken: bits that outlast a later burst are ignored.
    @Test func ofOverlappingBurstsTheLastBitDecides() {
        for (airtime, level) in [(Int64(50), PowerLevel.activeDown), (3, .activeUp)] {
            var driver = RadioDriver(Fixture.lteParts)
            driver.carry(.up)
            driver.run(for: .milliseconds(300))
            driver.carry(.down, bytes: 100, airtime: .milliseconds(airtime), cause: .payload)
            driver.run(for: .milliseconds(4))
            driver.carry(.up, bytes: 1_000, airtime: .milliseconds(1), cause: .payload)
            driver.run(for: .milliseconds(60))
            #expect(driver.radio.level == level)
        }
    }

    /// Broken: silence before DRX costs the same for both directions of the last bit.
    @Test func silenceBeforeDRXKeepsTheBasePowerOfTheLastBit() {
        for direction in Direction.allCases {
            var driver = RadioDriver(Fixture.lteParts)
            driver.carry(.up)
            driver.run(for: .milliseconds(265))
            driver.carry(direction, bytes: 100)
            driver.run(for: .milliseconds(50))
            #expect(driver.radio.level == (direction == .up ? .activeUp : .activeDown))
            driver.run(for: .milliseconds(50))
            #expect(driver.radio.level == .longDRX)
        }
    }
}
