import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

@Suite struct HistoryTests {
    @Test(arguments: Fixture.cellular)
    func theMachineDoesWhatTheHistoryImplies(_ name: String) {
        // Broken: data flows, or a level ends, at a different time than the rules of the radio require.
        let profile = Fixture.named(name)
        var spent: Set<PowerLevel> = []
        seedSweep(250) { seed in
            var traffic = RandomTraffic(seed: seed)
            let phases = RadioPhases.draw(profile, seed: seed, phone: PhoneID(1))
            var driver = RadioDriver(profile, phases: phases)
            var history = ReferenceRadio(profile, phases)
            for _ in 0..<40 {
                driver.run(for: traffic.gap())
                let burst = traffic.burst()
                let carried = driver.carry(
                    burst.direction, bytes: burst.bytes, airtime: burst.airtime, cause: burst.cause)
                let expected = history.carry(burst, at: driver.now)
                #expect(carried.flowsAt == expected)
            }
            driver.run(for: traffic.gap())
            driver.settle()
            let times = history.times(until: driver.now)
            for level in PowerLevel.allCases {
                #expect(driver.time(at: level) == times[level] ?? .zero, "\(level)")
                if .zero < driver.time(at: level) { spent.insert(level) }
            }
            #expect(driver.promotions == history.promotions.count + (driver.radio.isPromoting ? 1 : 0))
        }
        #expect(spent.count >= 5)
    }
}
