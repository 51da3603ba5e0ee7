import DeadzoneBase
import DeadzoneDevice
import Testing

/// Durations of handovers and of NR leg changes, and the state that both must preserve.
@Suite struct HandoverTests {
    private static func milliseconds(_ count: Int64) -> Distribution { .constant(count * 1_000_000) }

    /// Broken: every handover takes the same time, takes longer than HandoverTimings allows, or fails too often.
    @Test func handoverLengthsFollowTheirDistribution() {
        let law = HandoverTimings(
            .uniform(20_000_000, 60_000_000), failure: Probability(1, of: 10), reestablishment: Self.milliseconds(400))
        let phases = RadioPhases(paging: 0, drx: 0, luck: 7)
        let spans = (0..<4_000).map { law.length(phases, at: .zero + .seconds($0)) }
        let smooth = spans.filter { $0 <= .milliseconds(60) }.sorted()
        #expect(spans.allSatisfy { .milliseconds(20) <= $0 && $0 <= .milliseconds(460) })
        #expect(3_520...3_680 ~= smooth.count, "\(smooth.count)")
        #expect(abs(smooth[smooth.count / 10].nanoseconds - 24_000_000) < 1_000_000)
        #expect(abs(smooth[smooth.count / 2].nanoseconds - 40_000_000) < 2_000_000)
        #expect(spans.filter { $0 > .milliseconds(60) }.allSatisfy { .milliseconds(420) <= $0 })
    }

    private func laws() -> (lte: RadioProfile, nsa: RadioProfile) {
        var (lte, nsa) = (Fixture.lteParts, Fixture.nsa)
        lte.handover = .always(.milliseconds(30))
        nsa.handover = HandoverTimings(
            Self.milliseconds(50), addition: Self.milliseconds(40), release: Self.milliseconds(60))
        return (lte, nsa)
    }

    /// Broken: adding or releasing an NR leg drops the connection, its held data or the rest of its tail. Or the
    /// addition and the release take each other's time.
    @Test func addingOrReleasingALegKeepsTheConnection() {
        let (lte, nsa) = laws()
        for (old, new, span) in [(lte, nsa, 40), (nsa, lte, 60), (nsa, nsa, 150), (lte, lte, 30)]
            as [(RadioProfile, RadioProfile, Int64)]
        {
            guard case .cellular(let timers) = new.machine else { return }
            var driver = RadioDriver(old)
            driver.carry(.up)
            driver.run(for: .seconds(6))
            let driverStays = driver.changeNetwork(to: new)
            #expect(driverStays)
            #expect(driver.radio.level == .handover)
            let begin = driver.now
            let held = driver.carry(.up, bytes: 100)
            #expect(held.flowsAt == begin + .milliseconds(span))
            driver.run(until: held.flowsAt)
            #expect(driver.radio.level != .promotion && driver.radio.level != .secondPromotion)
            driver.run(until: held.flowsAt + timers.tail.end - .milliseconds(1))
            #expect(driver.radio.level != .idle)
            driver.run(for: .milliseconds(1))
            #expect(driver.radio.level == .idle)
            #expect(driver.promotions == 1)
            driver.settle()
            #expect(driver.time(at: .handover) == .milliseconds(span))
        }
    }

    /// Broken: a handover counts as silence while data waits, so that the NR leg is gone when the data flows. The last
    /// bit is at 5 s, the leg would be released at 15.2 s, and the phone listens every 320 ms.
    @Test(arguments: [(14_900, 15_000, false), (14_900, nil, false), (15_250, nil, true)] as [(Int64, Int64?, Bool)])
    func aHandoverDoesNotCountAsSilence(heldAt: Int64, handover: Int64?, isAddedAnew: Bool) {
        var nsa = Fixture.nsa
        nsa.handover = .always(.milliseconds(400))
        var driver = RadioDriver(nsa)
        driver.carry(.up)
        driver.run(until: .zero + .seconds(5))
        let last = driver.carry(.up).flowsAt
        #expect(last == .zero + .seconds(5))
        driver.run(until: .zero + .milliseconds(heldAt))
        var flowsAt = driver.carry(.down).flowsAt
        #expect(driver.now < flowsAt)
        if let handover {
            driver.run(until: .zero + .milliseconds(handover))
            driver.handover()
            flowsAt = driver.now + .milliseconds(400)
        }
        driver.run(until: flowsAt)
        #expect((driver.radio.level == .secondPromotion) == isAddedAnew, "\(driver.radio.level)")
        #expect(driver.promotions == 1)
    }

    /// Broken: adding or releasing a leg during the tail does not count as activity.
    @Test func aLegChangeRestartsTheTail() {
        let (lte, nsa) = laws()
        var driver = RadioDriver(nsa)
        let first = driver.carry(.up).flowsAt
        driver.run(until: first + .seconds(9))
        let driverStays = driver.changeNetwork(to: lte)
        #expect(driverStays)
        let settled = driver.now + .milliseconds(60)
        driver.run(until: settled + .milliseconds(10_199))
        #expect(driver.radio.level == .longDRX)
        driver.run(for: .milliseconds(1))
        #expect(driver.radio.level == .idle)
    }

    /// Broken: an idle phone wakes up for a network change, a stand-alone NR network takes over an LTE connection, or a
    /// promoting phone loses its held data.
    @Test func networkChangesWithoutAConnection() {
        let (lte, nsa) = laws()
        var idle = RadioDriver(lte)
        idle.run(for: .seconds(3))
        let idleStays = idle.changeNetwork(to: nsa)
        #expect(idleStays)
        #expect(idle.radio.level == .idle)
        var alone = RadioDriver(lte)
        alone.carry(.up)
        alone.run(for: .seconds(2))
        let aloneStays = alone.changeNetwork(to: Fixture.sa)
        #expect(!aloneStays)
        var waking = RadioDriver(lte)
        let first = waking.carry(.up).flowsAt
        waking.run(for: .milliseconds(100))
        let wakingStays = waking.changeNetwork(to: nsa)
        #expect(wakingStays)
        #expect(waking.radio.dataFlowsFrom == first + .milliseconds(40))
        waking.run(for: .seconds(1))
        #expect(waking.radio.level == .secondPromotion)
    }
}
