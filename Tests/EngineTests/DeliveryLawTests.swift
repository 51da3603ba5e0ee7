import DeadzoneClient
import DeadzoneEngine
import DeadzoneLaws
import DeadzonePrimitives
import DeadzoneServer
import DeadzoneSettings
import DeadzoneStrategies
import DeadzoneSystem
import DeadzoneTestKit
import DeadzoneWorld
import Testing

/// What clients claim of their messages; `deadzone laws` asks ten thousand of them and 50,000 disconnects, this some.
@Suite struct DeliveryLawTests {
    private static let radios = RandomWorld.Radios(Shipped.profiles)

    /// Broken: a client that claims exactly-once, at-least-once or at-most-once, and does not keep it.
    @Test func claimsAreKept() {
        let sweep = Sweep.delivery(Self.radios, composed: .of(Composed.self))
        var seen: [[Bool]] = []
        seedSweep(300) { seed in
            let finding = sweep.finding(seed)
            #expect(finding.broken == [], "\(finding.client)")
            seen.append(finding.seen)
        }
        if seen.count >= 300 {
            // What comes twice, and what the app knows again, is in one of 200 to 300 worlds: `deadzone laws` has to meet them.
            let missed = Sights(sweep.sights, seen).missed
            #expect(Set(missed).isSubset(of: ["duplicates down", "duplicates up", "recognised down"]), "\(missed)")
        }
    }

    /// Broken: a counterexample that names changes which have nothing to do with it, or leaves out one that has. A queue that a kill
    /// takes along, and the claim that it does not.
    @Test func whatBreaksAClaimIsCutDown() throws {
        let liar = Fixture.composed("{queue: memory, on-path-change: reconnect, claims: {up: at-least-once}}")
        var found = 0
        for seed in 1...400 as ClosedRange<UInt64> where found < 3 {
            var random = RandomWorld(seed: seed, radios: Self.radios)
            var world = random.world()
            guard let shortest = Sweep.shortestBreach(liar, in: world, seed: seed) else { continue }
            found += 1
            #expect(shortest.history.count <= world.timeline.count && !shortest.broken.isEmpty)
            for place in shortest.history.indices {
                world.timeline = shortest.history
                world.timeline.remove(at: place)
                #expect(Sweep.shortestBreach(liar, in: world, seed: seed) == nil, "seed \(seed), \(shortest)")
            }
        }
        #expect(found == 3)
    }

    private static let repaired = "repaired"

    /// Settings of `composed`: the article's to the letter, its handshake with the wrong numbers and its filter of 512 bytes; and
    /// the same as it is meant.
    private static let designs: [(name: String, settings: String)] = [
        (
            "article",
            """
            {keepalive: {interval: 30s, timeout: 10s}, on-path-change: {available: reconnect, debounce: 300ms},
            backoff: {base: 500ms, cap: 32s, jitter: full}, resume: {keeps: persisted, handshake: sequences,
            dedup: {bloom: 512B, hashes: 3}}, queue: {keeps: stored, bound: 1000, overflow: halve}}
            """
        ),
        (
            repaired,
            """
            {keepalive: {interval: 30s, timeout: 10s}, on-path-change: {available: reconnect, debounce: 300ms},
            backoff: {base: 500ms, cap: 32s, jitter: full}, resume: persisted, queue: stored,
            claims: {up: exactly-once, down: exactly-once, ordered: true}}
            """
        ),
    ]

    /// Broken: the chaos test of the WebSocket article: the repaired client loses nothing and shows nothing twice, and the article's
    /// own design does not get through it.
    @Test func chaosIsSurvived() {
        let sweep = ChaosSweep(radios: Self.radios)
        var tallies: [String: ChaosSweep.Tally] = [:]
        for (name, settings) in Self.designs {
            let client = Fixture.composed(settings)
            seedSweep(6) { seed in
                let tally = sweep.tally(seed, client)
                tallies[name, default: ChaosSweep.Tally()].add(tally)
                guard name == Self.repaired else { return }
                #expect(tally.lost == 0 && tally.duplicated == 0 && tally.pending == 0, "\(tally)")
                // 600 s at a mean of 17.5 s, and a change of network each minute.
                #expect((30...70).contains(tally.disconnects), "\(tally.disconnects) disconnects")
            }
        }
        let article = tallies["article"] ?? ChaosSweep.Tally()
        #expect(article.lost > 0, "\(article)")
        #expect((tallies[Self.repaired]?.killedInFlight ?? 0) > 0 || article.runs < 6)
    }

    /// Broken: chaos that is another for another client, or nothing but one kind of trouble.
    @Test func chaosIsItsSeed() {
        let chaos = Chaos(
            disconnect: .uniform(5_000_000_000, 30_000_000_000), handoff: .constant(60_000_000_000),
            kill: .constant(100_000_000_000), length: .minutes(10), seed: 3)
        var first = [true, false]
        var second = [true, false]
        let one = chaos.changes(of: [.wifi, .cellular], &first)
        let two = chaos.changes(of: [.wifi, .cellular], &second)
        #expect(one.map(\.change) == two.map(\.change) && one.map(\.after) == two.map(\.after))
        // Nine changes of network leave the phone on the other one.
        #expect(first == [false, true] && second == first)
        #expect(one.count { if case .readdress = $0.change { true } else { false } } > 20)
        #expect(one.count { $0.change == .kill } == 5 && one.count { $0.change == .app(foreground: true) } == 5)
        // Kinds of trouble come as their moments do; of each, its end stands with its beginning.
        let begins = one.filter { $0.change != .app(foreground: true) }.map(\.after)
        #expect(begins == begins.sorted())
        // The ends of a network are of every kind, unless one is named.
        #expect(Set(Self.endings(one)).count == 4)
        var frozen = chaos
        frozen.ends = .silent
        var fourth = [true, false]
        #expect(Set(Self.endings(frozen.changes(of: [.wifi, .cellular], &fourth))) == [.silent])
        var other = chaos
        other.seed = 4
        var third = [true, false]
        #expect(other.changes(of: [.wifi, .cellular], &third).map(\.after) != one.map(\.after))
    }

    private static func endings(_ changes: [(after: TimeSpan, change: Change)]) -> [OldPath] {
        changes.compactMap { change in
            switch change.change {
            case .readdress(_, let manner), .pathDown(_, let manner): manner
            default: nil
            }
        }
    }

    /// Broken: dead zones of chaos that are all alike, overlap, outlast it, or move what else happens.
    @Test func darknessIsOfAnyLength() {
        let bounds = TimeSpan.seconds(1)...TimeSpan.seconds(20)
        seedSweep(20) { seed in
            var chaos = Chaos(disconnect: .constant(17_000_000_000), length: .minutes(10), seed: seed)
            var isUp = [true, false]
            let without = chaos.changes(of: [.wifi, .cellular], &isUp)
            chaos.deadZone = .uniform(5_000_000_000, 30_000_000_000)
            chaos.darkness = .uniform(bounds.lowerBound.nanoseconds, bounds.upperBound.nanoseconds)
            let all = chaos.changes(of: [.wifi, .cellular], &isUp)
            let dark = all.filter { $0.change == .coverage(.wifi, false) }.map(\.after)
            let light = all.filter { $0.change == .coverage(.wifi, true) }.map(\.after)
            let lengths = zip(dark, light).map { $1 - $0 }
            #expect(dark.count == light.count && (15...40).contains(dark.count), "\(dark.count)")
            #expect(lengths.dropLast().allSatisfy { bounds.contains($0) } && Set(lengths).count == lengths.count)
            #expect(lengths.max()! > .seconds(14) && lengths.min()! < .seconds(7))
            #expect(zip(light, dark.dropFirst()).allSatisfy { $0 < $1 } && light.last! <= chaos.length)
            let rest = all.filter { if case .coverage = $0.change { false } else { true } }
            #expect(rest.map(\.after) == without.map(\.after) && rest.map(\.change) == without.map(\.change))
        }
    }
}
