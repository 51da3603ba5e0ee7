import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

/// Waiting time of downlink data, over all phases of the network's cycles.
@Suite struct WaitTests {
    private static func timers(_ name: String) -> CellularTimers {
        guard case .cellular(let timers) = Fixture.named(name).machine else { fatalError("\(name) is not cellular") }
        return timers
    }

    @Test(arguments: Fixture.cellular)
    func anIdlePhoneWaitsUniformlyForItsPagingOccasion(_ name: String) {
        // Broken: the paging delay is constant, or some phases wait longer than a cycle or are never met.
        let profile = Fixture.named(name)
        let timers = Self.timers(name)
        let cycle = timers.paging.period.nanoseconds / 1_000_000
        var waits: [Int64] = []
        for phase in 0..<cycle {
            var driver = RadioDriver(profile, phases: RadioPhases(paging: phase * 1_000_000, drx: 0))
            driver.run(until: .zero + .milliseconds(123_457))
            let carried = driver.carry(.down)
            let wait = carried.flowsAt - driver.now - timers.promotion
            #expect(wait.nanoseconds % 1_000_000 == 0)
            waits.append(wait.nanoseconds / 1_000_000)
            driver.run(until: carried.flowsAt)
            #expect(!driver.radio.isPromoting)
            #expect(driver.promotions == 1)
        }
        #expect(waits.sorted() == Array(0..<cycle))
    }

    @Test(arguments: Fixture.cellular)
    func aConnectedPhoneWaitsForItsOnDuration(_ name: String) {
        // Broken: waits in long DRX are not spread evenly over the cycle minus its on-duration.
        let profile = Fixture.named(name)
        let timers = Self.timers(name)
        let cycle = timers.drx.long.period.nanoseconds / 1_000_000
        let on = timers.drx.long.on.nanoseconds / 1_000_000
        var waits: [Int64] = []
        for phase in 0..<cycle {
            var driver = RadioDriver(profile, phases: RadioPhases(paging: 0, drx: phase * 1_000_000))
            let first = driver.carry(.up)
            driver.run(until: first.flowsAt + .milliseconds(4_001))
            waits.append((driver.carry(.down).flowsAt - driver.now).nanoseconds / 1_000_000)
        }
        let expected = Array(repeating: 0, count: Int(on)) + Array(1...(cycle - on))
        #expect(waits.sorted() == expected)
    }

    @Test(arguments: Fixture.cellular)
    func theBoundaryIsTheEndOfTheTail(_ name: String) {
        // Broken: a packet just before the end of the tail is paged, or one at its end still finds a connection.
        let profile = Fixture.named(name)
        let timers = Self.timers(name)
        let nanosecond = TimeSpan.nanoseconds(1)
        for (silence, isConnected) in [(timers.tail.end - nanosecond, true), (timers.tail.end, false)] {
            for phase in stride(from: Int64(0), to: timers.paging.period.nanoseconds, by: 97_000_001) {
                var driver = RadioDriver(
                    profile, phases: RadioPhases(paging: phase, drx: phase % timers.drx.long.period.nanoseconds))
                let first = driver.carry(.up)
                let settled = first.flowsAt + .nanoseconds(timers.signalling.draw(0)) + timers.secondPromotion
                driver.run(until: settled + silence)
                let wait = driver.carry(.down).flowsAt - driver.now
                let fromIdle = .zero < timers.inactive ? timers.resume : timers.promotion
                if isConnected {
                    #expect(wait <= timers.drx.long.period)
                } else {
                    #expect(fromIdle <= wait && wait < fromIdle + timers.paging.period)
                }
                driver.run(for: .seconds(3))
                #expect(driver.promotions == (isConnected ? 1 : 2))
            }
        }
    }

    @Test func nothingWaitsBeforeTheInactivityTimerHasRun() {
        // Broken: DRX begins before its timer, or not at all.
        for name in Fixture.cellular where name != "nsa" {
            var waited = 0
            for phase in stride(from: Int64(0), to: 320, by: 7) {
                var driver = RadioDriver(Fixture.named(name), phases: RadioPhases(paging: 0, drx: phase * 1_000_000))
                let first = driver.carry(.up)
                driver.run(until: first.flowsAt + .milliseconds(100) - .nanoseconds(1))
                var early = driver
                #expect(early.carry(.down).flowsAt == early.now)
                driver.run(for: .milliseconds(30))
                if driver.now < driver.carry(.down).flowsAt { waited += 1 }
            }
            #expect(waited > 20, "\(name)")
        }
    }

    @Test func shortCyclesComeBeforeLongOnes() {
        // Broken: a packet in short DRX waits for the long cycle's on-duration.
        var driver = RadioDriver(Fixture.lte2012, phases: RadioPhases(paging: 0, drx: 0))
        let first = driver.carry(.up)
        // Short DRX lasts from 360 ms to 380 ms. 360 ms is an on-duration of both cycles, 380 ms would be one of the
        // short cycle only.
        driver.run(until: first.flowsAt + .milliseconds(105))
        #expect(driver.radio.level == .shortDRX)
        #expect(driver.carry(.down).flowsAt == .zero + .milliseconds(400))
        driver = RadioDriver(Fixture.lte2012, phases: RadioPhases(paging: 0, drx: 11_000_000))
        driver.carry(.up)
        driver.run(until: .zero + .milliseconds(365))
        #expect(driver.carry(.down).flowsAt == .zero + .milliseconds(371))
    }

    @Test(arguments: [40, 41, 23] as [Int64])
    func theActiveCycleDependsOnTheTimeOnly(period: Int64) {
        // Broken: data flows in an on-duration of the long cycle during short DRX, or of the short cycle during long
        // DRX.
        var profile = Fixture.lte2012
        guard case .cellular(var timers) = profile.machine else { return }
        timers.drx.long = Cycle(period: .milliseconds(period), on: timers.drx.long.on)
        profile.machine = .cellular(timers)
        var waited = 0
        for step in 0..<Int64(800) {
            var driver = RadioDriver(profile)
            let begins = driver.carry(.up).flowsAt + timers.drx.inactivity
            let long = begins + timers.drx.shortSpan
            driver.run(until: begins + .microseconds(100 * step))
            var expected = driver.now
            func isOn(_ at: Instant) -> Bool {
                let cycle = at < long ? timers.drx.short : timers.drx.long
                return at.nanoseconds % cycle.period.nanoseconds < cycle.on.nanoseconds
            }
            while !isOn(expected) { expected = expected + .microseconds(100) }
            #expect(driver.carry(.down).flowsAt == expected, "\(driver.now)")
            if driver.now < expected { waited += 1 }
        }
        #expect(waited > 500)
    }

    @Test func uplinkNeverWaitsForTheNetworksPhases() {
        // Broken: an uplink packet waits for paging or DRX, or held downlink data still waits after the uplink packet.
        seedSweep(200) { seed in
            let dice = Dice(seed: seed, phone: PhoneID(3), purpose: .test)
            let name = Fixture.cellular[Int(dice.at(0).scaled(below: 4))]
            let profile = Fixture.named(name)
            var driver = RadioDriver(profile, phases: RadioPhases.draw(profile, seed: seed, phone: PhoneID(3)))
            driver.run(for: .milliseconds(Int64(dice.at(1).scaled(below: 5_000))))
            let paged = driver.carry(.down)
            driver.run(for: (paged.flowsAt - driver.now) / 3)
            let isPromoting = driver.radio.isPromoting
            let up = driver.carry(.up)
            #expect(up.flowsAt == min(paged.flowsAt, driver.now + Self.timers(name).promotion) || isPromoting)
            #expect(driver.radio.dataFlowsFrom == up.flowsAt)
            driver.run(until: up.flowsAt + .seconds(4))
            let down = driver.carry(.down)
            #expect(driver.radio.dataFlowsFrom == down.flowsAt || down.flowsAt == driver.now)
            #expect(driver.carry(.up).flowsAt == driver.now)
            #expect(driver.radio.dataFlowsFrom <= driver.now)
        }
    }

    @Test func phasesAreSpreadEvenlyOverPhones() {
        // Broken: phones of one population share a phase, or a change of strategy changes the phases.
        let profile = Fixture.lte2021
        let phases = (0..<4_000).map { RadioPhases.draw(profile, seed: 1, phone: PhoneID($0)) }
        var tenths = [Int](repeating: 0, count: 10)
        for phase in phases { tenths[Int(phase.paging / 128_000_000)] += 1 }
        #expect(tenths.allSatisfy { 320...480 ~= $0 }, "\(tenths)")
        #expect(Set(phases.map(\.drx)).count > 3_900)
        #expect(phases.allSatisfy { $0.paging < 1_280_000_000 && $0.drx < 320_000_000 })
    }
}
