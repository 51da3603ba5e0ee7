import DeadzoneBase
import DeadzoneClient
import DeadzoneLaws
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// Delivery guarantees of clients. `deadzone laws` tests ten thousand clients with 50,000 disconnects; this suite tests
/// a sample.
@Suite struct DeliveryLawTests {
    private static let radios = RandomWorld.RadioChoices(ShippedRadios.profiles)

    /// Broken: a client that claims exactly-once, at-least-once or at-most-once delivery does not keep the claim.
    @Test func claimsAreKept() {
        let sweep = Sweep.delivery(Self.radios, composed: .of(Composed.self))
        var seen: [[Bool]] = []
        seedSweep(300) { seed in
            let finding = sweep.result(seed)
            #expect(finding.broken == [], "\(finding.client)")
            seen.append(finding.seen)
        }
        if seen.count >= 300 {
            // Duplicates, and duplicates that the app recognises, occur in one of 200 to 300 worlds. `deadzone laws`
            // must cover them.
            let missed = CoverageCounters(sweep.coverageGoals, seen).missed
            #expect(Set(missed).isSubset(of: ["duplicates down", "duplicates up", "recognised down"]), "\(missed)")
        }
    }

    /// Broken: a counterexample names irrelevant changes, or omits a necessary one. The client's queue is lost in a
    /// kill, but the client claims that it is not.
    @Test func counterexamplesAreMinimal() throws {
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

    /// Settings of `composed`. First the article's design to the letter, with the wrong numbers in its handshake and
    /// its filter of 512 bytes; then the repaired design.
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

    /// Broken: the chaos test of the WebSocket article. The repaired client loses nothing and shows nothing twice; the
    /// article's own design fails the test.
    @Test func chaosIsSurvived() {
        let sweep = ChaosSweep(radios: Self.radios)
        var tallies: [String: ChaosSweep.ChaosTally] = [:]
        for (name, settings) in Self.designs {
            let client = Fixture.composed(settings)
            seedSweep(6) { seed in
                let tally = sweep.tally(seed, client)
                tallies[name, default: ChaosSweep.ChaosTally()].add(tally)
                guard name == Self.repaired else { return }
                #expect(tally.lost == 0 && tally.duplicated == 0 && tally.pending == 0, "\(tally)")
                // 600 s with a mean gap of 17.5 s between disconnects, and a network change each minute.
                #expect((30...70).contains(tally.disconnects), "\(tally.disconnects) disconnects")
            }
        }
        let article = tallies["article"] ?? ChaosSweep.ChaosTally()
        #expect(article.lost > 0, "\(article)")
        #expect((tallies[Self.repaired]?.killedInFlight ?? 0) > 0 || article.runs < 6)
    }

    /// Broken: chaos differs between clients, or has only one kind of trouble.
    @Test func chaosDependsOnlyOnItsSeed() {
        let chaos = Chaos(
            disconnect: .uniform(5_000_000_000, 30_000_000_000), handoff: .constant(60_000_000_000),
            kill: .constant(100_000_000_000), length: .minutes(10), seed: 3)
        var first = [true, false]
        var second = [true, false]
        let one = chaos.changes(of: [.wifi, .cellular], &first)
        let two = chaos.changes(of: [.wifi, .cellular], &second)
        #expect(one.map(\.change) == two.map(\.change) && one.map(\.after) == two.map(\.after))
        // After nine network changes the phone is on the other network.
        #expect(first == [false, true] && second == first)
        #expect(one.count { if case .readdress = $0.change { true } else { false } } > 20)
        #expect(one.count { $0.change == .kill } == 5 && one.count { $0.change == .app(foreground: true) } == 5)
        // The list is in the order in which troubles begin; each end directly follows its beginning.
        let begins = one.filter { $0.change != .app(foreground: true) }.map(\.after)
        #expect(begins == begins.sorted())
        // Networks end in every possible way, unless `ends` selects one.
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

    private static func endings(_ changes: [(after: TimeSpan, change: ConditionChange)]) -> [PathLossSignal] {
        changes.compactMap { change in
            switch change.change {
            case .readdress(_, let lossSignal), .pathDown(_, let lossSignal): lossSignal
            default: nil
            }
        }
    }

    /// Broken: dead zones of a chaos run all have the same length, overlap, last beyond its end, or move its other
    /// events.
    @Test func deadZoneLengthsVary() {
        let bounds = TimeSpan.seconds(1)...TimeSpan.seconds(20)
        seedSweep(20) { seed in
            var chaos = Chaos(disconnect: .constant(17_000_000_000), length: .minutes(10), seed: seed)
            var isUp = [true, false]
            let without = chaos.changes(of: [.wifi, .cellular], &isUp)
            chaos.deadZone = .uniform(5_000_000_000, 30_000_000_000)
            chaos.deadZoneLength = .uniform(bounds.lowerBound.nanoseconds, bounds.upperBound.nanoseconds)
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
