import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

/// Attribution of energy to causes.
@Suite struct AttributionTests {
    private func spent(_ driver: RadioDriver, _ level: PowerLevel, _ cause: Cause) -> TimeSpan {
        driver.ledger.time(at: level, for: cause, on: driver.profile.interface)
    }

    /// A keepalive, 2 s later a message with 1 s of bits, then silence.
    private func pair(_ tails: TailAttribution) -> RadioDriver {
        var driver = RadioDriver(Fixture.lte2021)
        driver.tails = tails
        driver.carry(.up, cause: .keepalive)
        driver.run(until: .zero + .milliseconds(2_265))
        driver.carry(.up, bytes: 1_000, airtime: .seconds(1), cause: .payload)
        driver.run(for: .seconds(30))
        driver.settle()
        return driver
    }

    @Test func aTailBelongsToTheLatestData() {
        // Broken: a later packet of another cause does not take over the tail, or also takes the part before it.
        let driver = pair(.latest)
        #expect(spent(driver, .promotion, .keepalive) == .milliseconds(265))
        #expect(spent(driver, .tail, .keepalive) == .seconds(2))
        #expect(spent(driver, .activeUp, .payload) == .seconds(1))
        #expect(spent(driver, .tail, .payload) == .milliseconds(10_200))
        #expect(spent(driver, .idle, .baseline) == driver.now - .zero - .milliseconds(265 + 2_000 + 1_000 + 10_200))
    }

    @Test func equalSharesSplitTheTailAmongAllEarlierCauses() {
        // Broken: a tail is split among causes that arrived after it, or not among all earlier causes.
        let driver = pair(.equalShares)
        #expect(spent(driver, .promotion, .keepalive) == .milliseconds(265))
        #expect(spent(driver, .tail, .keepalive) == .milliseconds(2_000 + 5_100))
        #expect(spent(driver, .activeUp, .payload) == .seconds(1))
        #expect(spent(driver, .tail, .payload) == .milliseconds(5_100))
    }

    @Test func aWaitingPacketIsNotBilledYet() {
        // Broken: a packet that waits for its on-duration is billed for the tail before it.
        var driver = RadioDriver(Fixture.lte2021, phases: RadioPhases(paging: 0, drx: 0))
        driver.tails = .equalShares
        driver.carry(.up, cause: .keepalive)
        driver.run(until: .zero + .milliseconds(2_265))
        let push = driver.carry(.down, cause: .push)
        #expect(push.flowsAt == .zero + .milliseconds(2_560))
        driver.run(until: push.flowsAt)
        driver.settle()
        #expect(spent(driver, .tail, .keepalive) == .milliseconds(2_560 - 265))
        #expect(spent(driver, .tail, .push) == .zero)
        driver.run(for: .seconds(2))
        driver.settle()
        #expect(spent(driver, .tail, .push) == .seconds(1))
    }

    @Test(arguments: [TailAttribution.latest, .equalShares])
    func aPacketThatNeverFlowedIsNotBilled(_ tails: TailAttribution) {
        // Broken: a push that was held when coverage was lost is billed for the time after the dead zone.
        var driver = RadioDriver(Fixture.lte2021, phases: RadioPhases(paging: 0, drx: 0))
        driver.tails = tails
        driver.carry(.up, cause: .keepalive)
        driver.run(until: .zero + .milliseconds(2_265))
        #expect(driver.now < driver.carry(.down, cause: .push).flowsAt)
        driver.run(for: .milliseconds(100))
        driver.setCoverage(false)
        driver.run(for: .seconds(1))
        driver.setCoverage(true)
        driver.run(for: .seconds(9))
        driver.carry(.up, cause: .payload)
        driver.run(for: .seconds(30))
        driver.settle()
        #expect(PowerLevel.allCases.allSatisfy { spent(driver, $0, .push) == .zero })
        #expect(spent(driver, .tail, .payload) == .milliseconds(10_200))
    }

    @Test func newSharersStartANewPeriod() {
        // Broken: a cause that joins while the latest cause is unchanged shares the tail from its start, or never.
        var driver = RadioDriver(Fixture.lte2021, phases: RadioPhases(paging: 0, drx: 0))
        driver.tails = .equalShares
        driver.carry(.up, cause: .keepalive)
        driver.run(until: .zero + .milliseconds(2_265))
        driver.carry(.down, cause: .push)
        driver.carry(.down, cause: .keepalive)
        driver.run(until: .zero + .milliseconds(2_560 + 1_000))
        driver.settle()
        #expect(spent(driver, .tail, .keepalive) == .milliseconds(2_560 - 265 + 500))
        #expect(spent(driver, .tail, .push) == .milliseconds(500))
    }

    @Test func basePowerIsBilledOnceWhenBothDirectionsFlow() {
        // Broken: sending while receiving costs two base powers, or the smaller one.
        for (profile, both) in [(Fixture.lte2021, PowerLevel.activeUp), (Fixture.nsa, .activeUp)] {
            var driver = RadioDriver(profile)
            driver.carry(.up)
            driver.run(until: .zero + .seconds(3))
            driver.carry(.down, bytes: 10_000, airtime: .milliseconds(700))
            driver.run(for: .milliseconds(200))
            driver.carry(.up, bytes: 100, airtime: .milliseconds(300))
            driver.run(for: .seconds(5))
            driver.settle()
            #expect(driver.time(at: both) == .milliseconds(300))
            #expect(driver.time(at: .activeDown) == .milliseconds(400))
        }
    }

    @Test func batteryUnitsAgree() throws {
        // Broken: joules, milliampere-hours and milliwatt-hours of one battery disagree.
        let battery = try #require(Battery.named("oneplus8"))
        // 4300 mAh at 3.7 V are 57.276 kJ.
        #expect(battery.capacity == Energy(femtojoules: 57_276 * 1_000_000_000_000_000))
        #expect(Battery(milliwattHours: 15_910).capacity == battery.capacity)
        #expect(Battery.names.allSatisfy { Battery.named($0) != nil })
        #expect(Battery.named("nokia3310") == nil)
    }
}
