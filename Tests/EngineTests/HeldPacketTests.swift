import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Packets that wait for a radio keep their order.
@Suite struct HeldPacketTests {
    /// Broken: a datagram sent at the nanosecond in which the radio opens overtakes the one that opened the radio. The
    /// latter then counts as lost, and again as a duplicate.
    @Test func aPacketAtTheOpeningInstantWaitsItsTurn() {
        let world = Fixture.cellularWorld(
            Traffic(up: .every(.milliseconds(260), bytes: 10, until: .zero + .milliseconds(600))), horizon: .seconds(5))
        let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords()
        #expect(run.count(.deliveredUp) == 2 && run.count(.promotion) == 1)
        #expect(run.sum(.lostUp) == 0 && run.sum(.duplicatedUp) == 0)
    }

    /// Broken: a handover during a promotion lets a later packet overtake an earlier one.
    @Test func aHandoverKeepsTheOrder() {
        var world = Fixture.cellularWorld(
            Traffic(up: .every(.milliseconds(150), bytes: 10, until: .zero + .milliseconds(400))), horizon: .seconds(5))
        world.timeline.append(TimelineEntry(at: .zero + .milliseconds(250), .cellHandover))
        let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords()
        #expect(run.count(.deliveredUp) == 2)
        #expect(run.sum(.lostUp) == 0 && run.sum(.duplicatedUp) == 0)
        // Both packets wait for the end of the promotion, which the handover delays by 35 ms.
        let opening = TimeSpan.milliseconds(150 + 260 + 35)
        #expect(run.records.filter { $0.kind == .bytes }.allSatisfy { $0.at == .zero + opening })
    }

    /// Broken: a datagram that waits for the radio, or is on the link, at the end of the run counts as lost. It is sent
    /// at 150 ms, the radio opens after 260 ms, and the link takes 35 ms.
    @Test(arguments: [(200, 0), (405, 0), (420, 0), (440, 0), (450, 1)] as [(Int64, Int)])
    func aDatagramOnItsWayIsPending(end: Int64, delivered: Int) {
        let stream = TrafficStream.every(.milliseconds(150), bytes: 10, until: .zero + .milliseconds(200))
        let up = Simulation(
            world: Fixture.cellularWorld(Traffic(up: stream), horizon: .milliseconds(end)),
            strategy: Fixture.strategy(Datagrams.self), seed: 1
        ).allRecords()
        #expect(up.count(.sentUp) == 1 && up.count(.deliveredUp) == delivered && up.sum(.lostUp) == 0)
        #expect(up.sum(.pendingUp) == Int64(1 - delivered))
        // In the other direction it waits for the paging occasion, too.
        for end in [160, 200, 500, 1_000, 3_000] as [Int64] {
            let down = Simulation(
                world: Fixture.cellularWorld(Traffic(down: stream), horizon: .milliseconds(end)),
                strategy: Fixture.strategy(Datagrams.self), seed: 1
            ).allRecords()
            #expect(down.sum(.lostDown) == 0, "at \(end) ms")
            #expect(Int64(down.count(.deliveredDown)) + down.sum(.pendingDown) == 1, "at \(end) ms")
            if end <= 200 || end == 3_000 { #expect(down.count(.deliveredDown) == (end == 3_000 ? 1 : 0)) }
        }
    }

    @Test("Packets that wait for a radio are lost when it loses its network")
    func packetsHeldForALostNetworkAreLost() {
        var world = Fixture.cellularWorld(
            Traffic(up: .every(.milliseconds(150), bytes: 10, until: .zero + .milliseconds(200))), horizon: .seconds(20)
        )
        let run = { Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords() }
        #expect(run().count(.deliveredUp) == 1 && run().count(.bytes) > 0)
        world.timeline += [
            TimelineEntry(at: .zero + .milliseconds(250), .coverage(.cellular, false)),
            TimelineEntry(at: .zero + .seconds(9), .coverage(.cellular, true)),
        ]
        #expect(run().count(.deliveredUp) == 0 && run().count(.bytes) == 0)
        // The same if coverage is back before the radio would have been ready.
        world.timeline[2] = TimelineEntry(at: .zero + .milliseconds(260), .coverage(.cellular, true))
        #expect(run().count(.deliveredUp) == 0 && run().count(.bytes) == 0)
    }

    /// Broken: a packet that waits for a radio is lost only when the radio would have been ready, and until then counts
    /// as on its way. The promotion of 260 ms begins at a paging occasion after 1,035 ms.
    @Test func aHeldPacketIsLostTogetherWithItsNetwork() {
        var world = Fixture.cellularWorld(
            Traffic(probe: .every(.seconds(1), bytes: 0, until: .zero + .milliseconds(1_500))), horizon: .seconds(5))
        world.timeline.append(TimelineEntry(at: .zero + .milliseconds(1_100), .coverage(.cellular, false)))
        let run = Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords()
        #expect(run.times(.probeLost) == [1_100])
    }

    /// ARO's 3G profile with a slow common channel, in place of LTE.
    private static let umts: RadioProfile = {
        var powers = PowerTable()
        powers[.fachPromotion] = .milliwatts(350)
        powers[.promotion] = .milliwatts(650)
        powers[.secondPromotion] = .milliwatts(800)
        powers[.dch] = .milliwatts(1_300)
        powers[.fach] = .milliwatts(300)
        let up = RLCBuffer(idleLimit: 1_000, fachLimit: 294, constant: 0, linear: 1_200_000)
        let down = RLCBuffer(idleLimit: 515, fachLimit: 515, constant: 30_000_000)
        return RadioProfile(
            technology: .umts, powers: powers, costUp: .zero, costDown: .zero,
            machine: .umts(
                UMTSTimers(
                    idleToFACH: .milliseconds(430), idleToDCH: .milliseconds(1_700), fachToDCH: .milliseconds(650),
                    dchInactivity: .milliseconds(4_100), fachInactivity: .milliseconds(5_600), up: up, down: down,
                    paging: Cycle(period: .milliseconds(1_280)))),
            handover: .none,
            search: SearchTimers(scan: .seconds(2), firstPause: .seconds(5), longestPause: .seconds(60)))
    }()

    private func umtsRun(_ traffic: Traffic) -> AllRecords {
        var world = Fixture.cellularWorld(traffic, horizon: .seconds(30))
        world.cellular = Self.umts
        return Simulation(world: world, strategy: Fixture.strategy(Datagrams.self), seed: 1).allRecords()
    }

    /// Broken: a packet that triggers a dedicated channel overtakes the packets held before it. Each has 228 bytes: two
    /// exceed the limit of the common channel.
    @Test func aChangeOfChannelKeepsTheOrder() {
        let run = umtsRun(Traffic(up: .every(.milliseconds(100), bytes: 200, until: .zero + .milliseconds(201))))
        #expect(run.count(.deliveredUp) == 2 && run.sum(.lostUp) == 0 && run.sum(.duplicatedUp) == 0)
    }

    /// Broken: a packet on the slow common channel arrives early because of the next packet. 38 bytes sent at 920 ms
    /// take 45.6 ms there, although a probe arrives at 940 ms.
    @Test func theCommonChannelIsSlowForEveryPacket() {
        let run = umtsRun(
            Traffic(
                up: .every(.milliseconds(460), bytes: 10, until: .zero + .milliseconds(921)),
                probe: .every(.milliseconds(905), bytes: 0, until: .zero + .milliseconds(906))))
        let sent = run.records.filter {
            $0.tag(of: .bytes)?.direction == .up && $0.tag(of: .bytes)?.cause == .payload
        }.map(\.at)
        #expect(run.count(.deliveredUp) == 2 && run.count(.probeAnswered) == 1)
        #expect(sent.last! > Instant.zero + .milliseconds(965), "\(sent)")
    }
}
