import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

@Suite struct WiFiTests {
    @Test func aDozingPhoneWaitsUniformlyForItsBeacon() {
        // Broken: downlink data reaches a dozing phone at once, or after more than a beacon cycle.
        for (profile, promotion) in [(Fixture.wifiS2, TimeSpan.zero), (Fixture.wifiMobiSys, .microseconds(79_100))] {
            guard case .wifi(let timers) = profile.machine else { return }
            let cycle = timers.beacon.period.nanoseconds / 100_000
            var waits: [Int64] = []
            for phase in 0..<cycle {
                var driver = RadioDriver(profile, phases: RadioPhases(paging: phase * 100_000, drx: 0))
                driver.run(for: .seconds(5))
                let wait = driver.carry(.down, bytes: 100).flowsAt - driver.now - promotion
                waits.append(wait.nanoseconds / 100_000)
                driver.run(for: .seconds(1))
                #expect(driver.promotions == (promotion == .zero ? 0 : 1))
            }
            #expect(waits.sorted() == Array(0..<cycle))
        }
    }

    @Test func anAwakePhoneDoesNotWait() {
        // Broken: the phone is not reachable during the tail, or the tail does not end at its timer.
        for (silence, waits) in [(TimeSpan.milliseconds(219), false), (.milliseconds(220), true)] {
            var driver = RadioDriver(Fixture.wifiS2, phases: RadioPhases(paging: 1, drx: 0))
            #expect(driver.carry(.up, bytes: 100, airtime: .milliseconds(1)).flowsAt == driver.now)
            driver.run(for: .milliseconds(1) + silence)
            #expect(driver.radio.level == (waits ? .idle : .tail))
            #expect((driver.now < driver.carry(.down, bytes: 100).flowsAt) == waits)
        }
    }

    @Test(
        arguments: [
            // Bytes sent every 10 ms; resulting ms at the high level.
            ([3_000], 0), ([3_001], 50), ([1_500, 1_500], 0), ([1_500, 1_501], 40), ([1_000, 1_000, 1_000, 1], 20),
            // The sixth packet begins another window.
            ([600, 600, 600, 600, 600, 2_400], 0), ([600, 600, 600, 600, 601, 3_001], 60),
        ] as [([UInt32], Int64)])
    func manyBytesInAWindowDrawMore(_ sizes: [UInt32], _ high: Int64) {
        // Broken: the limit or the window of the high level is wrong.
        var driver = RadioDriver(Fixture.wifiS2)
        for size in sizes {
            driver.carry(.down, bytes: 0)
            driver.carry(.up, bytes: size)
            driver.run(for: .milliseconds(10))
        }
        driver.run(for: .seconds(2))
        driver.settle()
        #expect(driver.time(at: .activeHigh) == .milliseconds(high))
    }

    @Test func aLongBurstIsHighToItsEnd() {
        // Broken: the high level ends with its window while the bits that caused it still flow.
        var driver = RadioDriver(Fixture.wifiS2)
        driver.carry(.down, bytes: 100_000, airtime: .milliseconds(400))
        driver.run(for: .seconds(2))
        driver.settle()
        #expect(driver.time(at: .activeHigh) == .milliseconds(400))
        #expect(driver.time(at: .tail) == .milliseconds(220))
    }

    @Test func withoutANetworkNothingFlows() {
        // Broken: a radio without a network carries data, or draws power.
        let profile = Fixture.wifiS2
        var driver = RadioDriver(profile)
        driver.carry(.up, bytes: 100, airtime: .milliseconds(5))
        driver.setAssociated(false)
        #expect(driver.radio.level == .unassociated)
        #expect(driver.radio.nextTransition == .never)
        #expect(driver.carry(.up).flowsAt == .never)
        driver.setCoverage(false)
        driver.run(for: .seconds(100))
        #expect(driver.bill().energy(in: .idle) == .zero)
        driver.setAssociated(true)
        #expect(driver.radio.level == .idle)
        #expect(driver.carry(.up).flowsAt == driver.now)
    }
}
