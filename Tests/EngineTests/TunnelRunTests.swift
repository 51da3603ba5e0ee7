import DeadzoneBase
import DeadzoneClient
import DeadzoneDevice
import DeadzoneTransport
import Testing
@testable import DeadzoneSimulator

/// A VPN tunnel in complete runs.
@Suite struct TunnelRunTests {
    private func world(_ traffic: Traffic, minutes: Int64 = 20, _ change: (inout TunnelRules) -> Void = { _ in })
        -> World
    {
        var world = Fixture.cellularWorld(traffic, horizon: .minutes(minutes))
        var rules = TunnelRules()
        change(&rules)
        world.tunnel = rules
        return world
    }

    private func run(_ world: World, _ settings: [(String, [(String, String)])] = []) -> AllRecords {
        let transport = [("transport", [("kind", "websocket")])]
        return Simulation(world: world, strategy: Fixture.composed(transport + settings), seed: 3).allRecords()
    }

    private func bytes(_ cause: Cause, _ records: AllRecords) -> Int64 {
        records.records.reduce(0) { $1.tag(of: .bytes)?.cause == cause ? $0 + $1.value : $0 }
    }

    /// A handoff from Wi-Fi to cellular in minute 5, which ends the sockets of Wi-Fi with an error.
    private func handoff(_ world: World) -> World {
        var moved = world
        (moved.wifi, moved.wifiLink) = (Fixture.wifi, Fixture.link())
        moved.timeline = [
            TimelineEntry(at: .zero, .pathUp(.wifi, .plain)),
            TimelineEntry(at: .zero + .minutes(5), .pathDown(.wifi, .error)),
            TimelineEntry(at: .zero + .minutes(5) + .seconds(1), .pathUp(.cellular, .plain)),
        ]
        return moved
    }

    /// Broken: an app's packets do not wait for the session, the tunnel's headers cost nothing or cost the app, or the
    /// app's own bytes change.
    @Test func packetsCarryTheTunnelsHeaders() {
        let traffic = Traffic(down: .every(.seconds(7)), up: .every(.seconds(11)))
        let inside = run(world(traffic))
        var plainWorld = world(traffic)
        plainWorld.tunnel = nil
        let outside = run(plainWorld)
        #expect(inside.sum(.lostDown) == 0 && inside.count(.deliveredDown) == outside.count(.deliveredDown))
        #expect(bytes(.payload, inside) == bytes(.payload, outside) && bytes(.tunnel, outside) == 0)
        let packets = inside.records.filter { $0.tag(of: .bytes).map { $0.cause == .tunnel } ?? false }
        let headers = packets.filter { $0.value == 60 }.count
        #expect(headers > 400, "\(headers)")
        // The first packet goes out a round trip later.
        let opened = [inside, outside].map { $0.records.first { $0.kind == .opened }!.at }
        // A packet that is dropped instead of sent is repeated a second later.
        #expect((60_000_001...500_000_000).contains((opened[0] - opened[1]).nanoseconds), "\(opened)")
        #expect(inside.values(.tunnelReady).first! > 70_000_000)
        // One handshake every two minutes of use.
        #expect((9...11).contains(inside.count(.tunnelReady)), "\(inside.count(.tunnelReady))")
        var wide = world(traffic)
        wide.tunnel?.overhead = 100
        #expect(bytes(.tunnel, run(wide)) - bytes(.tunnel, inside) >= Int64(headers) * 30)
    }

    /// Broken: a connection in the tunnel ends when the phone changes its network, or a socket that stays on the old
    /// network works.
    @Test(arguments: [TunnelRules.SocketReaction.rebind, .keep, .renew])
    func aHandoffChangesOnlyTheOuterPath(_ reaction: TunnelRules.SocketReaction) {
        let traffic = Traffic(down: .every(.seconds(7)), up: .every(.seconds(11)))
        let records = run(handoff(world(traffic) { $0.onPathChange = reaction }), [("keepalive", [("interval", "1h")])])
        let closed = records.records.filter { $0.kind == .closed && $0.tag == CloseCode.pathLost.rawValue }
        #expect(closed.isEmpty && records.sum(.lostDown) == 0)
        let down = records.sum(.tunnelDown)
        if reaction != .keep {
            #expect(records.count(.opened) == 1 && (1...2_000_000_000).contains(down), "\(down)")
        }
        // The handshake before came at 4 min or a little later, so the next one would be due at 6 min.
        let isAnew = records.records.contains {
            $0.kind == .tunnelReady && $0.at > .zero + .minutes(5) && $0.at < .zero + .minutes(5) + .seconds(5)
        }
        #expect(isAnew == (reaction == .renew))
        if reaction == .keep {
            // The session is dead 180 s after its handshake, which was at most 131 s old.
            #expect((49_000_000_000...185_000_000_000).contains(down), "\(down)")
            #expect(records.sum(.blocked) > 20_000_000_000)
            let last = records.records.last { $0.kind == .deliveredDown }!
            #expect(last.at > .zero + .minutes(19))
        }
    }

    /// Broken: time without a network, without signal or without an internet behind it counts as time without a tunnel.
    @Test(
        arguments: [
            (.pathDown(.cellular, .error), .pathUp(.cellular, .plain)),
            (.coverage(.cellular, false), .coverage(.cellular, true)),
            (.uplink(.cellular, false), .uplink(.cellular, true)),
        ] as [(ConditionChange, ConditionChange)])
    func timeWithoutANetworkDoesNotCount(lost: ConditionChange, back: ConditionChange) {
        var cut = world(Traffic(down: .every(.seconds(7)), up: .every(.seconds(11))))
        cut.timeline += [
            TimelineEntry(at: .zero + .minutes(5), lost), TimelineEntry(at: .zero + .minutes(15), back),
        ]
        let records = run(cut, [("keepalive", [("interval", "1m")])])
        let last = records.records.last { $0.kind == .deliveredDown }
        #expect(last.map { $0.at > .zero + .minutes(19) } ?? false)
        let down = records.sum(.tunnelDown)
        #expect((1...20_000_000_000).contains(down), "\(down)")
    }

    /// Broken: a keepalive of the tunnel costs nothing, or keeps no session; or a tunnel without one shakes hands
    /// without use, or counts as down because its session is old.
    @Test func aKeepaliveHoldsTheSession() {
        let kept = run(world(Traffic(), minutes: 60) { $0.keepalive = .seconds(25) })
        #expect((26...31).contains(kept.count(.tunnelReady)), "\(kept.count(.tunnelReady))")
        #expect(kept.sum(.tunnelDown) < 1_000_000_000)
        let idle = run(world(Traffic(), minutes: 60))
        #expect(idle.count(.tunnelReady) == 1)
        #expect(idle.sum(.tunnelDown) < 1_000_000_000)
        let energy = [kept, idle].map { records in
            records.records.reduce(0) { $1.tag(of: .residency)?.cause == .tunnel ? $0 + $1.value : $0 }
        }
        #expect(energy[0] > 20 * max(energy[1], 1), "\(energy)")
    }

    /// Broken: timers of the uptime clock run while the processor sleeps, or those of the elapsed clock do not wake it.
    @Test func theClockDecidesAboutSleep() {
        func woken(_ clock: TunnelRules.TimerClock) -> (wakes: Int, down: Int64) {
            var world = world(Traffic(), minutes: 60) { ($0.keepalive, $0.clock) = (.seconds(25), clock) }
            world.platform = Platform.named("android-15")
            world.timeline.append(TimelineEntry(at: .zero + .minutes(1), .screen(false)))
            world.middleboxes.cellular = [Middlebox(udp: .seconds(60))]
            let records = run(world)
            let wakes = records.records.count { $0.tag(of: .woke) == .tunnel }
            return (wakes, records.sum(.tunnelDown))
        }
        let (elapsed, uptime) = (woken(.elapsed), woken(.uptime))
        #expect(elapsed.wakes > 100 && elapsed.down < 1_000_000_000, "\(elapsed)")
        #expect(uptime.wakes < 5 && uptime.down > TimeSpan.minutes(50).nanoseconds, "\(uptime)")
    }

    /// Broken: a middlebox that blocks UDP lets the tunnel pass, packets wait for ever, or the queue has no end.
    @Test func aTunnelThatNeverOpensDropsItsPackets() {
        var blocked = world(Traffic(up: .every(.seconds(1)))) { $0.queue = 3 }
        blocked.middleboxes.cellular = [Middlebox(udp: Middlebox.blocked)]
        let records = run(blocked, [("backoff", [("base", "1s"), ("cap", "1s"), ("jitter", "none")])])
        #expect(records.count(.opened) == 0 && records.count(.tunnelReady) == 0)
        #expect(records.count(.protocolBlocked) >= 1 && records.sum(.tunnelDropped) > 30)
        #expect(records.values(.tunnelDropped).contains(3) && records.values(.tunnelDropped).allSatisfy { $0 <= 3 })
    }

    /// Broken: a NAT of the access network sees the app's TCP connection instead of the tunnel's UDP flow.
    @Test func theNATSeesOneUDPFlow() {
        func run(_ box: Middlebox, _ keepalive: TimeSpan = .longest) -> AllRecords {
            var world = world(Traffic(down: .every(.seconds(90)))) { $0.keepalive = keepalive }
            world.middleboxes.cellular = [box]
            return self.run(world)
        }
        let tcp = run(Middlebox(tcp: .seconds(30)))
        #expect(tcp.count(.mappingExpired) == 0 && tcp.sum(.lostDown) == 0 && tcp.count(.opened) == 1)
        let udp = run(Middlebox(udp: .seconds(30)))
        #expect(udp.count(.mappingExpired) >= 1 && udp.sum(.tunnelDown) > 100_000_000_000)
        let causes = Set(udp.records.compactMap { $0.tag(of: .silent)?.cause })
        #expect(causes.contains(.mappingForgotten), "\(causes)")
        let kept = run(Middlebox(udp: .seconds(30)), .seconds(25))
        #expect(kept.count(.mappingExpired) == 0 && kept.sum(.tunnelDown) < 1_000_000_000)
        #expect(kept.count(.deliveredDown) > udp.count(.deliveredDown))
    }

    /// Broken: a message of the server never reaches a phone with an old session, or a gateway's handshake that gets no
    /// answer does not end.
    @Test func theGatewayOpensAnOldSession() {
        let idle = run(world(Traffic(down: .every(.minutes(5))), minutes: 60))
        #expect(idle.count(.deliveredDown) == idle.count(.sentDown) && idle.count(.sentDown) >= 11)
        #expect(idle.values(.deliveredDown).allSatisfy { $0 < 5_000_000_000 })
        // A NAT that has forgotten the flow lets no handshake of the gateway pass.
        var behind = world(Traffic(down: .every(.minutes(5))), minutes: 60) { $0.queue = 2 }
        behind.middleboxes.cellular = [Middlebox(udp: .seconds(60))]
        let cut = run(behind)
        #expect(cut.count(.deliveredDown) < 3 && cut.sum(.tunnelDropped) > 3)
    }

    /// Broken: a box before the server sees the tunnel instead of the app's connection, or a reset of it does not reach
    /// the app through the tunnel.
    @Test func boxesBeforeTheServerSeeTheApp() {
        var world = world(Traffic(up: .every(.minutes(2)))) { $0.keepalive = .seconds(25) }
        world.middleboxes.server = [Middlebox(tcp: .seconds(60), udp: .seconds(1), expiryAction: .reset)]
        let records = run(world, [("keepalive", [("interval", "1h")])])
        #expect(records.records.contains { $0.kind == .closed && $0.tag == CloseCode.reset.rawValue })
        #expect(records.sum(.tunnelDown) < 1_000_000_000)
    }

    /// Broken: `routes` decides nothing, or the wrong thing.
    @Test(arguments: [TunnelRules.Routes.all, .app, .otherApps]) func routesDecideWhoRides(_ routes: TunnelRules.Routes)
    {
        var both = world(Traffic(up: .every(.seconds(30)), probe: .every(.minutes(1)))) { $0.routes = routes }
        both.otherApps = [
            OtherApp(
                name: "mail", gap: .constant(TimeSpan.seconds(30).nanoseconds), up: 1_000, down: 5_000,
                cause: .otherApps, wake: .none)
        ]
        both.middleboxes.cellular = [Middlebox(udp: Middlebox.blocked)]
        let records = run(both)
        // No packet of the tunnel passes this NAT.
        #expect((records.count(.opened) > 0) == (routes == .otherApps))
        #expect((bytes(.otherApps, records) > 0) == (routes == .app))
        #expect(records.count(.probeAnswered) > 10)
    }

    /// Broken: packets in the tunnel are as large as outside.
    @Test func theTunnelMakesPacketsSmaller() {
        func count(_ mtu: UInt16) -> Int64 {
            let traffic = Traffic(down: TrafficStream.every(.seconds(30), bytes: 100_000))
            return bytes(.tunnel, run(world(traffic) { ($0.mtu, $0.rekey) = (mtu, .hours(1)) }))
        }
        let (small, large) = (count(1_280), count(1_500))
        #expect(small > large + large / 12, "\(small) \(large)")
    }

    /// Broken: data saver takes every Wi-Fi as not metered, or every cellular network as metered.
    @Test(
        arguments: [
            (Interface.wifi, Bool?.none, false), (.wifi, true, true), (.cellular, nil, true),
            (.cellular, false, false),
        ] as [(Interface, Bool?, Bool)])
    func dataSaverAsksTheNetwork(_ interface: Interface, _ isMetered: Bool?, _ isBlocked: Bool) {
        var saved = Fixture.cellularWorld(Traffic(down: .every(.seconds(20))), horizon: .minutes(20))
        (saved.wifi, saved.wifiLink) = (Fixture.wifi, Fixture.link())
        // A release that freezes no app in the background.
        saved.platform = Platform.named("android-9")
        saved.timeline = [
            TimelineEntry(at: .zero, .pathUp(interface, Attachment(isMetered: isMetered))),
            TimelineEntry(at: .zero, .app(foreground: true)),
            TimelineEntry(at: .zero + .minutes(2), .dataSaver(true)),
            TimelineEntry(at: .zero + .minutes(3), .app(foreground: false)),
        ]
        let stopped = run(saved).records.contains { $0.tag(of: .silent)?.cause == .appStopped }
        #expect(stopped == isBlocked)
    }

    /// Broken: a client that waits for an unmetered network connects over mobile data or over a metered Wi-Fi, or not
    /// over another Wi-Fi.
    @Test(arguments: [(Bool?.none, true), (true, false)])
    func aClientWaitsForAnUnmeteredNetwork(_ isMetered: Bool?, _ connects: Bool) {
        var waiting = Fixture.cellularWorld(Traffic(down: .every(.seconds(20))), horizon: .minutes(10))
        (waiting.wifi, waiting.wifiLink) = (Fixture.wifi, Fixture.link())
        waiting.timeline = [
            TimelineEntry(at: .zero, .pathUp(.cellular, .plain)),
            TimelineEntry(at: .zero + .minutes(5), .pathUp(.wifi, Attachment(isMetered: isMetered))),
        ]
        let opened = run(waiting, [("connect", [("when", "unmetered")])]).records.filter { $0.kind == .opened }
        #expect(opened.allSatisfy { $0.at >= .zero + .minutes(5) } && opened.isEmpty != connects)
    }
}
