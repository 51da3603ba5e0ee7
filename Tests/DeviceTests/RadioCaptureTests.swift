import DeadzoneBase
import DeadzoneDevice
import DeadzoneTestKit
import Testing

/// A radio can be driven by a phone's requests or by the packet times of a capture. Both must result in the same energy
/// bill.
@Suite struct RadioCaptureTests {
    private struct Flow {
        var burst: Burst
        var at: Instant
    }

    /// Random traffic as a capture would record it, one burst after the other, and the driver that produced it.
    /// `nil` if a downlink burst was held as long as a promotion takes, because the capture then does not show which
    /// happened.
    private func randomRun(_ profile: RadioProfile, seed: UInt64, directions: [Direction]) -> (
        flows: [Flow], RadioDriver
    )? {
        var traffic = RandomTraffic(seed: seed)
        var driver = RadioDriver(profile, phases: RadioPhases.draw(profile, seed: seed, phone: PhoneID(7)))
        var flows: [Flow] = []
        driver.run(for: .seconds(5))
        for _ in 0..<40 {
            // A burst that joins earlier bytes in a buffer does not reveal when it arrived.
            driver.run(for: max(traffic.gap(), .nanoseconds(1)))
            var burst = traffic.burst()
            burst.direction = directions[Int(traffic.number(below: UInt64(directions.count)))]
            if profile.technology == .umts { (burst.bytes, burst.airtime) = (max(burst.bytes, 1), .zero) }
            let was = (level: driver.radio.level, due: driver.radio.nextTransition)
            let carried = driver.carry(
                burst.direction, bytes: burst.bytes, airtime: burst.airtime, cause: burst.cause)
            // On a slow common channel, a packet arrives when its buffer has drained.
            let stamp = carried.flowsAt + (carried.airtime - burst.airtime)
            driver.run(until: stamp)
            if isAmbiguous(profile, since: was.level, due: was.due, until: stamp) { return nil }
            flows.append(Flow(burst: burst, at: stamp))
        }
        driver.run(for: .seconds(60))
        driver.settle()
        return (flows, driver)
    }

    private func isAmbiguous(_ profile: RadioProfile, since level: PowerLevel, due: Instant, until stamp: Instant)
        -> Bool
    {
        guard case .cellular(let timers) = profile.machine, level != .idle, due < stamp else { return false }
        let resumes = .zero < timers.inactive && level != .inactive
        return (resumes ? timers.resume : timers.promotion) <= stamp - due
    }

    private func replayedRun(_ flows: [Flow], _ profile: RadioProfile, until end: Instant) -> RadioDriver {
        var driver = RadioDriver(profile)
        for flow in flows { driver.flowed(flow.burst, at: flow.at) }
        driver.run(until: end)
        driver.settle()
        return driver
    }

    /// Broken: the same traffic costs differently as requests and as a capture.
    @Test(arguments: Fixture.all.map(\.name), [[Direction.up], [.up, .down]])
    func aCaptureCostsTheSameAsTheRequests(_ name: String, _ directions: [Direction]) {
        let profile = Fixture.named(name)
        var compared = 0
        seedSweep(200) { seed in
            guard let (flows, phone) = randomRun(profile, seed: seed, directions: directions) else { return }
            compared += 1
            let capture = replayedRun(flows, profile, until: phone.now)
            #expect(phone.ledger == capture.ledger)
        }
        #expect(compared > 50)
    }

    /// Broken: a promotion longer than the time before the packet is billed in full, or hangs the radio.
    @Test(arguments: ["lte 2012", "nsa", "sa", "umts aro", "umts teliasonera", "wifi mobisys"])
    func aPromotionIsCutToTheTimeBeforeThePacket(_ name: String) {
        let profile = Fixture.named(name)
        for wait in [TimeSpan.zero, .nanoseconds(1), .milliseconds(7), .milliseconds(1_800), .seconds(9)] {
            var driver = RadioDriver(profile)
            let burst = Burst(direction: .up, bytes: 1_400, airtime: .zero, cause: .payload)
            driver.run(for: .seconds(1))
            driver.flowed(burst, at: driver.now + wait)
            #expect(driver.now == Instant.zero + .seconds(1) + wait)
            driver.settle()
            #expect(driver.time(at: .promotion) <= wait)
            #expect(driver.ledger.time(on: profile.interface) == driver.now - .zero)
        }
    }

    /// Broken: bits in the last instant in which the dedicated channel is left need a promotion. They prove that it was
    /// not left. Without an inactivity time, the common channel is left at once.
    @Test(arguments: [1, 0] as [Int64])
    func bitsKeepAChannelUntilItIsLeft(_ nanosecondsBefore: Int64) {
        var profile = Fixture.umtsTeliaSonera
        if case .umts(var timers) = profile.machine {
            timers.fachInactivity = .zero
            profile.machine = .umts(timers)
        }
        var driver = RadioDriver(profile)
        let left = driver.carry(.up, bytes: 2_000).flowsAt + .milliseconds(4_100)
        driver.run(until: left + .milliseconds(200))
        #expect(driver.radio.level == .dch && driver.promotions == 1)
        let burst = Burst(direction: .down, bytes: 100, airtime: .zero, cause: .payload)
        driver.flowed(burst, at: left + .milliseconds(700) - .nanoseconds(nanosecondsBefore))
        #expect(driver.radio.level == .fach && driver.promotions == 1)
    }

    /// Broken: bits that flow on have another direction, or another duration, than a burst of the same length.
    @Test(arguments: Fixture.all.filter { $0.profile.technology != .umts }.map(\.name), [Direction.up, .down])
    func bitsThatFlowOnCostAsALongBurst(_ name: String, _ direction: Direction) {
        let profile = Fixture.named(name)
        func run(_ body: (inout RadioDriver) -> Void) -> Ledger {
            var driver = RadioDriver(profile)
            driver.run(for: .seconds(3))
            body(&driver)
            driver.run(for: .seconds(60))
            driver.settle()
            return driver.ledger
        }
        func burst(_ direction: Direction, _ airtime: TimeSpan) -> Burst {
            Burst(direction: direction, bytes: 0, airtime: airtime, cause: .payload)
        }
        for first in [Direction.up, .down] {
            for length in [TimeSpan.milliseconds(1), .milliseconds(700), .seconds(14)] {
                let long = run { $0.flowed(burst(direction, length), at: $0.now + .seconds(5)) }
                let on = run { driver in
                    driver.flowed(burst(first, .zero), at: driver.now + .seconds(5))
                    driver.flowOn(direction, until: driver.now + length)
                }
                #expect(long == on, "\(first), \(length)")
            }
        }
    }

    /// Broken: bits flow on a radio that sleeps, or that has only a promotion or a handover to do.
    @Test(arguments: Fixture.all.map(\.name))
    func bitsFlowOnOnlyWhereBitsFlow(_ name: String) {
        let profile = Fixture.named(name)
        for isPromoting in [false, true] {
            let ledgers = [false, true].map { flowsOn in
                var driver = RadioDriver(profile)
                driver.run(for: .seconds(3))
                if isPromoting { driver.carry(.up, bytes: 100, airtime: .milliseconds(1)) }
                let level = driver.radio.level
                if flowsOn, level != .activeUp { driver.flowOn(.down, until: driver.now + .seconds(2)) }
                #expect(driver.radio.level == level)
                driver.run(for: .seconds(60))
                driver.settle()
                return driver.ledger
            }
            #expect(ledgers[0] == ledgers[1])
        }
    }

    /// Broken: bits that flow without a pause start a tail, or delay it for ever.
    @Test(arguments: Fixture.all.map(\.name))
    func extendedFlowDelaysTheTail(_ name: String) {
        let profile = Fixture.named(name)
        var driver = RadioDriver(profile)
        driver.run(for: .seconds(3))
        driver.flowed(Burst(direction: .down, bytes: 1_400, airtime: .zero, cause: .payload), at: driver.now)
        let begin = driver.now
        driver.flowOn(.down, until: begin + .seconds(40))
        driver.run(until: begin + .seconds(40))
        driver.settle()
        let flowing: [PowerLevel] = [.activeDown, .secondPromotion, .dch, .activeHigh]
        #expect(flowing.reduce(TimeSpan.zero) { $0 + driver.time(at: $1) } == .seconds(40))
        driver.run(for: .seconds(60))
        #expect(driver.radio.level == .idle)
    }
}
