import DeadzoneClient
import DeadzoneDevice
import DeadzoneEngine
import DeadzoneJournal
import DeadzoneLaws
import DeadzoneNetwork
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSystem
import DeadzoneTestKit
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// Nothing is stuck for ever. Worlds drawn at random fall ill in every way; then all of it ends.
@Suite struct LivenessTests {
    /// What is there to be delivered when the trouble ends is there within this.
    private static let bound = TimeSpan.minutes(5)

    /// Broken: a word of a protocol, a credit, a message, a call or a whole connection that is lost for good, because something
    /// was full, frozen, asleep or away at the wrong moment. A client that pings and connects again has everything five minutes
    /// after the last trouble, over every carrier. 400 worlds.
    @Test func everythingArrivesOnceTheTroubleIsOver() {
        var seeds = 0
        var troubled = 0
        var carriers = Set<Carrier.Kind>()
        seedSweep(400) { seed in
            seeds += 1
            let (world, client, kind) = Self.draw(seed)
            let run = client.run(world, seed: seed)
            #expect(Self.stuck(run, world, kind) == [], "\(kind), \(client.carrier.sendBuffer ?? 0) B of buffer")
            carriers.insert(kind)
            if run.sum(.zombie) + run.sum(.blocked) > TimeSpan.seconds(10).nanoseconds { troubled += 1 }
        }
        if seeds > 100 { #expect(carriers.count == Carrier.Kind.allCases.count && troubled > seeds / 3) }
    }

    /// What is still not there at the end, in words.
    private static func stuck(_ run: Everything, _ world: World, _ kind: Carrier.Kind) -> [String] {
        var stuck: [String] = []
        if run.count(.stopped) > 0 { stuck.append("the client was stopped") }
        let down = run.sum(.pendingDown)
        // What there was to say while the server was away is not said again in datagrams, and nothing new comes after it.
        if kind != .datagram, down > 0 {
            stuck.append("\(down) of \(run.count(.sentDown)) messages wait at the server")
        }
        // Nobody confirms a datagram. What a kernel acknowledges, and its program never looks at, the app takes for delivered.
        let known = run.count(.acknowledgedUp)
        if kind != .datagram, known < run.count(.sentUp) {
            stuck.append("\(run.count(.sentUp) - known) messages wait in the app")
        }
        let calls = run.sum(.callPending)
        if calls > 0 { stuck.append("\(calls) of \(run.count(.called)) calls are open") }
        let answered = run.records.last { $0.kind == .ponged }?.at ?? .zero
        if answered < world.horizon - .minutes(1) { stuck.append("no ping was answered since \(answered)") }
        return stuck
    }

    private static func draw(_ seed: UInt64) -> (World, Reviver, Carrier.Kind) {
        var random = RandomWorld(seed: seed, radios: .init(Shipped.profiles))
        var world = random.world()
        // Nothing helps whoever has no address to go to, is sent away for pinging, or asks what the server refuses.
        world.resolver?.ipv4 = .works
        world.resolver?.ipv6 = random.pick([.works, .broken, .absent])
        world.server.pingFloor = nil
        world.server.troubles = ServerTroubles()
        let kind = Carrier.Kind.allCases[Int(seed % UInt64(Carrier.Kind.allCases.count))]
        var carrier = Carrier(kind, security: random.pick(Carrier.Security.allCases))
        if random.below(2) == 0 { carrier.sendBuffer = 2_000 }
        // What a process was told dies with it, and this client keeps nothing where it outlives that.
        world.timeline.removeAll { $0.change == .kill || $0.change == .forceStop }
        world.platform?.life.killsAfter = .longest
        // No call goes over datagrams.
        if kind == .datagram { world.traffic.calls = nil }
        for _ in 0..<random.below(6) {
            let at = Instant.zero + .milliseconds(Int64(random.below(300_000)))
            world.timeline.append(TimelineEntry(at: at, .server(random.pick(ServerChange.allCases))))
        }
        end(&world)
        return (world, Reviver(carrier, moves: random.below(2) == 0), kind)
    }

    /// From the old horizon on nothing is wrong and nobody wants anything new.
    private static func end(_ world: inout World) {
        let healed = world.horizon
        world.horizon = healed + bound
        world.timeline.sort { $0.at < $1.at }
        world.timeline.removeAll { healed <= $0.at }
        // What may come late could come among the server's own troubles, or after all of it.
        world.timeline = world.timeline.map { TimelineEntry(at: $0.at, $0.change) }
        var changes: [Change] = [
            .server(.thawed), .server(.up), .server(.takingLogins), .names(resolve: true), .screen(true),
        ]
        for interface in Interface.allCases {
            changes += [
                .pathUp(interface, .plain), .access(interface, .open), .coverage(interface, true),
                .uplink(interface, true), .conditions(interface, 0),
                .oneWay(interface, .up, passes: true), .oneWay(interface, .down, passes: true),
            ]
        }
        changes += [.app(foreground: false), .app(foreground: true)]
        world.timeline += changes.map { TimelineEntry(at: healed, $0) }
        world.traffic.down?.until = healed
        world.traffic.up?.until = healed
        world.traffic.calls?.until = healed
        world.traffic.probe = nil
    }
}
