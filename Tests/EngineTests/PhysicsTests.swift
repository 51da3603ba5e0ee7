import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Suite struct PhysicsTests {
    /// Broken: the energy of the simplest traffic. Empty one-way datagrams every minute on ARO's LTE cost 741.4 J/h.
    @Test func aDatagramAMinuteCostsWhatTheClosedFormSays() {
        let world = Fixture.cellularWorld(
            Traffic(up: .every(.seconds(60), bytes: 0)), horizon: .hours(100))
        let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords()
        let bill = EnergyBill(run.ledger, on: .cellular, Fixture.lte)
        let joulesPerHour = Double(bill.total.femtojoules) / 1e15 / 100
        #expect(abs(joulesPerHour - 741.4) < 0.5, "\(joulesPerHour) J/h")
        #expect(run.count(.promotion) == 5_999)
    }

    /// Broken: the latency of a packet to a sleeping phone: link delay, wait for its paging occasion, then promotion.
    /// Over many phones the wait is uniform over the paging cycle. In the tail the wait is at most a DRX cycle.
    @Test(arguments: [(TimeSpan.seconds(15), true), (.seconds(9), false)])
    func downlinkAfterIdleWaitsForPagingAndPromotion(gap: TimeSpan, isIdle: Bool) {
        let world = Fixture.cellularWorld(
            Traffic(probe: .every(gap, bytes: 0)), horizon: gap * 3 + .seconds(5), phones: 2_000)
        let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 3).allRecords()
        // Uses only the third probe: the first two set the interval.
        let trips = run.records.filter { $0.kind == .probeAnswered && $0.at >= .zero + gap * 3 }.map(\.value).sorted()
        #expect(trips.count == 2_000)
        let base: Int64 = 70_000_000
        if isIdle {
            #expect(trips.first! >= base + 260_000_000)
            #expect(trips.last! <= base + 260_000_000 + 1_280_000_000 + 1_000_000)
            for (index, trip) in trips.enumerated() {
                let wait = Double(trip - base - 260_000_000) / 1_280_000_000
                #expect(abs(wait - (Double(index) + 0.5) / 2_000) < 0.04)
            }
        } else {
            #expect(trips.first! >= base && trips.last! <= base + 40_000_000)
        }
    }

    /// Broken: a probe in transit at the end has the age of its answer, or none.
    @Test func aProbesAgeBeginsWithItsRequest() {
        var ages: [Int64] = []
        for milliseconds in stride(from: 5 as Int64, through: 150, by: 5) {
            let world = Fixture.cellularWorld(
                Traffic(probe: .every(.seconds(9), bytes: 0)), horizon: .seconds(18) + .milliseconds(milliseconds))
            let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 3).allRecords()
            #expect(run.values(.waitedProbe).allSatisfy { $0 == milliseconds * 1_000_000 }, "\(milliseconds) ms")
            #expect(run.count(.waitedProbe) + run.count(.probeAnswered) == 2)
            ages += run.values(.waitedProbe)
        }
        // The first probe finds the phone idle, the second finds it in its tail. There the round trip takes 70 ms, and
        // up to 40 ms more until the phone listens.
        #expect((14...22).contains(ages.count), "\(ages.count)")
    }

    /// Broken: a phone that sends is awake but does not get a packet that waits for paging at once.
    @Test func anUplinkPacketBringsTheWaitingDownlinkWithIt() {
        // The probe leaves at 20 s and reaches the edge at 20.035 s; the phone's own packet leaves at 20.04 s.
        var world = Fixture.cellularWorld(
            Traffic(
                up: TrafficStream(gap: .constant(20_040_000_000), size: .constant(0)),
                probe: TrafficStream(gap: .constant(20_000_000_000), size: .constant(0))),
            horizon: .seconds(30), phones: 500)
        world.traffic.up?.until = .zero + .seconds(25)
        let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 3).allRecords()
        let trips = run.values(.probeAnswered)
        #expect(trips.count == 500)
        // At the latest with the phone's own promotion: 40 ms after the probe left, 260 ms, and the way back.
        #expect(trips.allSatisfy { $0 <= 40_000_000 + 260_000_000 + 35_000_000 + 1_000_000 })
    }
}

@Suite struct AttributionTests {
    private func energy(_ tails: TailAttribution) -> Ledger {
        // A ping every 20 s and its pong 70 ms later; a message of the app 5 s after every second ping.
        var world = Fixture.cellularWorld(
            Traffic(up: TrafficStream(gap: .constant(40_000_000_000), size: .constant(100), from: .zero + .seconds(5))),
            horizon: .minutes(30))
        world.tailAttribution = tails
        let strategy = Fixture.strategy(Datagrams.self, [("ping", "20s")])
        return Simulation(world: world, strategy: strategy, seed: 1).allRecords().ledger
    }

    private func tail(_ ledger: Ledger, _ cause: Cause) -> TimeSpan {
        [PowerLevel.tail, .shortDRX, .longDRX].reduce(.zero) { $0 + ledger.time(at: $1, for: cause, on: .cellular) }
    }

    /// Broken: a pong or an acknowledgement is charged for the tail of the ping or message that it answers.
    @Test func anAnswerIsChargedToItsRequest() {
        let ledger = energy(.latest)
        #expect(tail(ledger, .pong) == .zero && tail(ledger, .ack) == .zero)
        #expect(ledger.bytes(.down, for: .pong, on: .cellular) > 0)
        #expect(tail(ledger, .keepalive) > .minutes(5) && tail(ledger, .payload) > .minutes(3))
    }

    /// Broken: a later packet does not take over the tail, or shares of a tail do not sum to it.
    @Test func aLaterPacketTakesTheTailOverUnlessItIsShared() {
        let latest = energy(.latest)
        let shared = energy(.equalShares)
        let sums = [latest, shared].map { tail($0, .keepalive) + tail($0, .payload) }
        #expect(sums[0] == sums[1])
        #expect(latest.time(on: .cellular) == .minutes(30) && shared.time(on: .cellular) == .minutes(30))
        // The message comes during the tail of a ping and takes over the rest of it. Sharing that rest equally gives
        // the ping more.
        #expect(tail(shared, .keepalive) > tail(latest, .keepalive))
        #expect(tail(shared, .payload) < tail(latest, .payload))
    }
}
