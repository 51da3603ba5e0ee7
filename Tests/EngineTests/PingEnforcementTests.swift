import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import DeadzoneTestKit
import DeadzoneTransport
import Testing

/// Nested settings of `composed`, written as literals.
indirect enum SettingsLiteral: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    case text(String)
    case map([(String, SettingsLiteral)])

    init(stringLiteral text: String) { self = .text(text) }
    init(dictionaryLiteral entries: (String, SettingsLiteral)...) { self = .map(entries) }

    var node: Node {
        switch self {
        case .text(let text): .text(text)
        case .map(let entries): .map(entries.map { .init(key: $0.0, value: $0.1.node) })
        }
    }

    var strategy: AnyStrategy {
        var reader = SettingsReader(node, of: "composed")
        let strategy = Composed(&reader)
        reader.finish()
        precondition(reader.faults.isEmpty, "\(reader.faults.sorted.map(\.message))")
        return AnyStrategy(strategy)
    }

    func run(_ world: World) -> AllRecords { Simulation(world: world, strategy: strategy, seed: 1).allRecords() }
}

@Suite struct PingEnforcementTests {
    /// The time at which each connection opened and its life until GOAWAY, in milliseconds.
    private func lives(_ run: AllRecords) -> [(opened: Int64, life: Int64)] {
        var openedAt: Int64 = 0
        var lives: [(Int64, Int64)] = []
        for record in run.records {
            let at = record.at.nanoseconds / 1_000_000
            if record.kind == .opened { openedAt = at }
            if record.kind == .goAway { lives.append((openedAt, at - openedAt)) }
        }
        return lives
    }

    /// A ping is sent one interval after the last byte. So each ping adds its round trip, with a radio that listens
    /// only at its beacons.
    private func isAt(_ seconds: Int64, _ milliseconds: Int64, pings: Int64) -> Bool {
        (seconds * 1_000...seconds * 1_000 + pings * 450).contains(milliseconds)
    }

    /// Broken: the moment at which each kind of server ends a silent stream. With a keepalive of 60 s this is 240 s,
    /// 300 s with gRPC's core as measured, and 180 s with grpc-java on a young connection. Above 100 s they differ.
    @Test(
        arguments: [
            (60, [240, 300, 240, 180]), (120, [600, 600, 480, 480]), (200, [1_200, 1_000, 800, 1_000]),
            (299, [1_794, 1_495, 1_196, 1_495]), (301, [nil, nil, nil, nil]),
        ] as [(Int64, [Int64?])])
    func endsASilentStream(interval: Int64, ends: [Int64?]) {
        let variants: [PingPolicy.Implementation] = [.text, .core, .go, .java]
        for ((variant, end), machine) in zip(zip(variants, ends), ["plain", "plain", "grpc-go", "grpc-java"]) {
            var world = Fixture.wifiWorld(horizon: .minutes(40))
            world.server.pingPolicy = variant
            let client: SettingsLiteral = [
                "transport": "grpc", "backoff": ["base": "1h"],
                "keepalive": ["interval": .text("\(interval)s"), "machine": .text(machine), "timeout": "20s"],
            ]
            let lives = lives(client.run(world))
            #expect(lives.count == (end == nil ? 0 : 1), "\(variant)")
            if let end, let life = lives.first?.life {
                #expect(isAt(end, life, pings: end / interval), "\(variant): \(life)")
            }
        }
    }

    /// Broken: the GOAWAYs of a client that starts at 60 s and doubles its interval until it is tolerated, at 480 s.
    /// Silence until each GOAWAY: 300 + 600 + 1200 s with gRPC's core, 240 + 480 + 960 s with Go, 240 + 600 + 1440 s
    /// with A8 to the letter. With grpc-swift 1 there is no GOAWAY.
    @Test(
        arguments: [
            (.core, [300, 600, 1_200]), (.go, [240, 480, 960]), (.text, [240, 600, 1_440]), (.java, [180, 480, 1_200]),
            (.swift1, []),
        ] as [(PingPolicy.Implementation, [Int64])])
    func settlesAtAToleratedInterval(variant: PingPolicy.Implementation, kills: [Int64]) {
        var world = Fixture.wifiWorld(horizon: .hours(3))
        world.server.pingPolicy = variant
        let client: SettingsLiteral = [
            "transport": "grpc", "keepalive": ["interval": "60s", "timeout": "20s"],
            "backoff": ["base": "1s", "multiplier": "1.6", "cap": "2m", "jitter": "20%", "from": "attempt"],
        ]
        let run = client.run(world)
        let lives = lives(run)
        #expect(lives.count == kills.count, "\(lives)")
        for ((index, kill), life) in zip(kills.enumerated(), lives) {
            let interval = Int64(60 << index)
            #expect(isAt(kill, life.life, pings: kill / interval), "\(life)")
        }
        #expect(run.count(.opened) == kills.count + 1)
        #expect(run.count(.pingStruck) == kills.count * 3)
        // The tolerated interval stays for the rest of the three hours.
        let last = Int64(60 << kills.count)
        let rest = 10_800 - kills.reduce(0, +)
        #expect(run.count(.pinged) >= Int(rest / (last + 1)))
    }

    /// Broken: a connection without a stream has the same minimum ping interval as one with a stream, or
    /// PERMIT_WITHOUT_CALLS has no effect.
    @Test(arguments: [(true, "true", 0), (false, "true", 1), (false, "false", 0)])
    func requiresLongerIntervalsWithoutCalls(isPermitted: Bool, withoutCalls: String, goodbyes: Int) {
        var world = Fixture.wifiWorld(horizon: .minutes(50))
        world.server.pingPolicy = .core
        world.server.permitsPingsWithoutCalls = isPermitted
        let client: SettingsLiteral = [
            "transport": ["kind": "http2", "stream": "false"], "backoff": ["base": "1h"],
            "keepalive": ["interval": "6m", "without-calls": .text(withoutCalls)],
        ]
        let run = client.run(world)
        #expect(run.count(.goAway) == goodbyes)
        #expect((run.count(.pinged) > 0) == (withoutCalls == "true") && run.count(.opened) == 1)
    }

    /// Broken: pings during an open call are limited as if there were no call. The server takes 20 min to answer.
    @Test func aCallIsAStream() {
        var world = Fixture.wifiWorld(horizon: .minutes(50))
        world.server.pingPolicy = .core
        world.server.thinkTime = .minutes(20)
        world.traffic.calls = TrafficStream(
            gap: .constant(TimeSpan.minutes(5).nanoseconds), size: .constant(100), until: .zero + .minutes(9))
        let client: SettingsLiteral = [
            "transport": ["kind": "http2", "stream": "false"], "backoff": ["base": "1h"],
            "keepalive": ["interval": "5m", "without-calls": "false", "machine": "grpc-go"],
        ]
        let run = client.run(world)
        #expect(run.count(.answered) == 1 && run.count(.goAway) == 0)
        // One ping at once when the call comes, then one every five minutes while it waits.
        #expect(run.count(.pinged) == 4, "\(run.times(.pinged))")
    }
}
