import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// The order of timeline entries that occur at one instant.
@Suite struct ResolvedOrderTests {
    private static let head = """
        version: 1
        name: Order
        duration: 30m
        phone: {platform: android-15, radios: {cellular: test-lte}}
        traffic: {down: {every: 20s, size: 300B}}
        strategies: {a: {strategy: calm}}
        timeline:

        """

    /// Broken: a repeated entry that was written after another one follows it in the file, and precedes it in the
    /// resolved text.
    @Test func theEntryThatBeganFirstComesFirst() throws {
        let text =
            Self.head + """
                  - {at: 10m, app: background}
                  - {at: 5m, push: high, repeat: {every: 5m, times: 2}}
                """
        let scenario = try #require(load(text).scenarios.first)
        #expect(scenario.world.timeline.map(\.change).suffix(2) == [.push(urgent: true), .app(foreground: false)])
        let again = try #require(load(scenario.resolved).scenarios.first)
        #expect(again.world.timeline == scenario.world.timeline && again.worldHash == scenario.worldHash)
    }

    /// Broken: a scenario and its resolved text are different worlds. 400 timelines in random order, with repetitions
    /// and many entries at one instant.
    @Test func aFileAndItsResolvedTextRunAlike() throws {
        var (read, meetings) = (0, 0)
        seedSweep(400) { seed in
            var random = SplitMix(seed: seed)
            let text = Self.head + (0..<(3 + random.below(6))).map { _ in Self.entry(&random) }.joined()
            // A faulty file has no resolved text.
            guard let scenario = load(text).scenarios.first else { return }
            let loaded = load(scenario.resolved)
            #expect(faultTexts(loaded) == "", "\(scenario.resolved)")
            let again = try #require(loaded.scenarios.first)
            #expect(again.world.timeline == scenario.world.timeline && again.worldHash == scenario.worldHash, "\(text)")
            #expect(again.resolved == scenario.resolved)
            read += 1
            let instants = scenario.world.timeline.map(\.at)
            if Set(instants).count < instants.count { meetings += 1 }
        }
        if read > 100 { #expect(meetings > read / 3) }
    }

    /// An entry at a minute that many entries share.
    private static func entry(_ random: inout SplitMix) -> String {
        let changes = [
            "push: high", "push: normal", "kill: app", "readdress: cellular", "clock: +1h", "freeze-ui: 2s",
            "app: background", "app: foreground", "spurious: flap", "cell-handover: true", "screen: off",
            "dns: down, for: 1m",
        ]
        var line = "  - {at: \(random.below(4) * 2)m, \(changes[random.below(changes.count)])"
        if random.below(2) == 0 {
            line += ", repeat: {every: \(2 + 2 * random.below(2))m, times: \(2 + random.below(3))}"
        }
        return line + "}\n"
    }
}
