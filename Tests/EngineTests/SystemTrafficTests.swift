import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// A client that does nothing, so that all packets are those of the system.
private struct Silence: Strategy {
    static let name = "silence"
    static let about = "does nothing"
    init(_ settings: inout SettingsReader) {}
    func initialState() -> UInt8 { 0 }
    func handle(_ event: Event, _ state: inout UInt8, _ session: inout Session, _ out: inout Outbox) {}
}

/// Probes, pushes and other apps: their times are sums of a link's delay, a wait for paging, and a promotion.
@Suite struct SystemTrafficTests {
    private func run(_ world: World) -> AllRecords {
        var reader = SettingsReader.describing("a test")
        return Silence(&reader).run(world)
    }

    /// Time at which a packet that was sent down now is on the phone of an idle radio: link, paging, promotion.
    private func arrival(_ bytes: Int64, sentAt: Instant) -> Instant {
        let atEdge = sentAt + .nanoseconds(bytes * 400) + .milliseconds(35)
        let phases = RadioPhases.draw(Fixture.lte, seed: 1, phone: PhoneID(0))
        let paged = Cycle(period: .milliseconds(1_280)).nextOn(from: atEdge, offset: phases.paging)
        return paged + .milliseconds(260)
    }

    private let sent = Instant.zero + .seconds(5)
    /// An uplink packet of 28 bytes at 20 Mbit/s.
    private let uplink = TimeSpan.milliseconds(35) + .nanoseconds(28 * 400)

    private func probeWorld(until horizon: Instant = .zero + .seconds(20)) -> World {
        let probe = TrafficStream(gap: .constant(5_000_000_000), size: .constant(0), until: .zero + .seconds(6))
        return Fixture.cellularWorld(Traffic(probe: probe), horizon: horizon - .zero)
    }

    @Test("A probe pages the phone, and its answer leaves at once")
    func probes() {
        let answered = arrival(28, sentAt: sent) + uplink
        let run = run(probeWorld())
        #expect(run.values(.probeAnswered) == [(answered - sent).nanoseconds])
        #expect(run.count(.promotion) == 1 && run.count(.probeLost) == 0 && run.count(.waitedProbe) == 0)
        #expect(run.packets(.down, .probe) == 1 && run.packets(.up, .probe) == 1 && run.count(.bytes) == 2)
        #expect(run.sum(.bytes) == 56)
        // A probe that is under way at the end of the run waits, on each part of its way.
        for end in [sent + .milliseconds(20), sent + .milliseconds(40), answered - .milliseconds(10), answered] {
            let cut = self.run(probeWorld(until: end))
            #expect(cut.values(.waitedProbe) == [(end - sent).nanoseconds], "\(end)")
            #expect(cut.count(.probeAnswered) == 0)
        }
        let just = self.run(probeWorld(until: answered + .nanoseconds(1)))
        #expect(just.count(.waitedProbe) == 0 && just.count(.probeAnswered) == 1)
    }

    @Test("A probe is lost where its path ends")
    func lostProbes() {
        let rows: [(Int64, ConditionChange, Int64)] = [
            (4_000, .pathDown(.cellular, .error), 5_000), (4_000, .uplink(.cellular, false), 5_000),
            (4_000, .oneWay(.cellular, .down, passes: false), 5_000), (4_000, .coverage(.cellular, false), 5_035),
            // While it waits for the phone's paging.
            (5_036, .coverage(.cellular, false), 5_036), (5_036, .pathDown(.cellular, .error), 5_036),
        ]
        for (at, change, lostAt) in rows {
            var world = probeWorld()
            world.timeline.append(TimelineEntry(at: .zero + .milliseconds(at), change))
            let run = run(world)
            #expect(run.times(.probeLost) == [lostAt] && run.sum(.probeLost) == 1, "\(change)")
            #expect(run.count(.probeAnswered) == 0 && run.count(.bytes) == 0, "\(change)")
        }
        // The answer is lost if only the uplink fails.
        var world = probeWorld()
        world.timeline.append(TimelineEntry(at: .zero + .seconds(4), .oneWay(.cellular, .up, passes: false)))
        let run = run(world)
        let flows = (arrival(28, sentAt: sent) - Instant.zero).nanoseconds / 1_000_000
        #expect(run.times(.probeLost) == [flows] && run.packets(.up, .probe) == 1)
    }

    private func otherApp(cellularGap: Distribution? = nil) -> OtherApp {
        OtherApp(
            name: "mail", gap: .constant(7_000_000_000), cellularGap: cellularGap, up: 100, down: 900,
            cause: .otherApps, wake: .none)
    }

    @Test("Another app sends at its gap and is answered after a round trip")
    func otherApps() {
        for (cellularGap, first) in [(nil, 7_000), (.constant(9_000_000_000), 9_000)] as [(Distribution?, Int64)] {
            var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(20))
            world.otherApps = [otherApp(cellularGap: cellularGap)]
            let run = run(world)
            let tags = run.records.filter { $0.kind == .bytes }
            let up = tags.filter { $0.tag(of: .bytes)?.direction == .up }
            let down = tags.filter { $0.tag(of: .bytes)?.direction == .down }
            // The first exchange wakes the radio. The second one finds it in its tail.
            #expect(up.map { $0.at.nanoseconds / 1_000_000 } == [first + 260, 2 * first])
            #expect(down.map { $0.at.nanoseconds / 1_000_000 } == [first + 330, 2 * first + 70])
            #expect(up.map(\.value) == [100, 100] && down.map(\.value) == [900, 900] && run.count(.promotion) == 1)
        }
        for change in [ConditionChange.coverage(.cellular, false), .pathDown(.cellular, .error)] {
            var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(20))
            world.otherApps = [otherApp()]
            world.timeline.append(TimelineEntry(at: .zero + .seconds(1), change))
            #expect(run(world).count(.bytes) == 0, "\(change)")
        }
    }

    @Test("A push wakes the app when the radio delivers it, and requests before that share it")
    func pushes() {
        var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(40))
        world.platform = Platform.named("android-15")
        let asked = Instant.zero + .seconds(10)
        world.timeline += [
            TimelineEntry(at: asked, .push(urgent: true)),
            TimelineEntry(at: asked + .milliseconds(10), .push(urgent: true)),
        ]
        let run = run(world)
        #expect(run.values(.pushed) == [(arrival(374, sentAt: asked) - asked).nanoseconds])
        #expect(run.packets(.down, .push) == 1 && run.packets(.up, .push) == 0)
        // Without signal the push waits, and is sent when the signal is back.
        world.timeline = [
            world.timeline[0], TimelineEntry(at: .zero + .seconds(9), .coverage(.cellular, false)),
            world.timeline[1], TimelineEntry(at: .zero + .seconds(20), .coverage(.cellular, true)),
        ]
        let back = Instant.zero + .seconds(20)
        #expect(self.run(world).values(.pushed) == [(arrival(374, sentAt: back) - asked).nanoseconds])
    }

    @Test("A change of technology begins a new page of the ledger, also without signal")
    func technologies() {
        var other = Fixture.lte
        other.technology = .nrSA
        for isCovered in [true, false] {
            var world = Fixture.cellularWorld(Traffic(), horizon: .seconds(20))
            world.cellularAlternates = [other]
            if !isCovered {
                world.timeline.append(TimelineEntry(at: .zero + .seconds(3), .coverage(.cellular, false)))
            }
            world.timeline.append(TimelineEntry(at: .zero + .seconds(5), .technology(1)))
            let ledger = run(world).ledger
            let pages = (0..<ledger.technologies).map { technology -> [Int64] in
                let levels: [PowerLevel] = [.idle, .search, .unassociated]
                let sums = levels.map { level in
                    Cause.allCases.reduce(0) {
                        $0 + ledger.nanoseconds(at: level, for: $1, on: .cellular, technology: technology)
                    }
                }
                return sums.map { Int64($0 / 1_000_000_000) }
            }.filter { $0 != [0, 0, 0] }
            // Scans take two seconds, the first pause five, and the second ten.
            #expect(pages == (isCovered ? [[5, 0, 0], [15, 0, 0]] : [[3, 2, 0], [0, 4, 11]]), "\(isCovered)")
        }
    }
}
