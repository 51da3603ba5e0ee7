import DeadzoneBase
import DeadzoneClient
import DeadzoneSimulator
import Testing

@testable import DeadzoneScenarios

/// Groups with their own strategy, and phone counts in a timeline.
@Suite struct GroupStrategyTests {
    private static let plain = small.replacing("strategies: {a: {strategy: calm}}\n", with: "")

    private func text(
        _ groups: String, strategies: String? = "{a: {strategy: calm}, b: {strategy: hasty, tries: 7}}",
        more: String = "", phones: Int = 10
    ) -> String {
        Self.plain + "phones: \(phones)\n" + (strategies.map { "strategies: \($0)\n" } ?? "") + more
            + "population:\n" + groups.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    private func scenario(_ text: String) throws -> Scenario {
        let loaded = load(text)
        #expect(faultTexts(loaded) == "", "\(text)")
        return try #require(loaded.scenarios.first)
    }

    @Test(
        "A group runs the strategy that it names",
        arguments: [
            ("strategy: hasty", "hasty", "hasty"), ("strategy: {strategy: hasty, tries: 7}", "hasty", "b"),
            ("strategy: {preset: hasty, tries: 7}", "hasty", "b"), ("strategy: b", "b", "b"),
            ("strategy: {name: last year, strategy: hasty, tries: 7}", "last year", "b"), ("strategy: a", "a", "calm"),
        ])
    func aGroupRunsItsNamedStrategy(_ words: String, _ name: String, _ same: String) throws {
        let scenario = try scenario(text("old: {share: 30%, \(words)}\nnew: {share: 70%}"))
        let own = try #require(scenario.population[0].strategy)
        #expect(own.name == name && scenario.population[1].strategy == nil)
        let others = try self.scenario(
            text(
                "all: {share: 100%}",
                strategies: "{a: {strategy: calm}, b: {strategy: hasty, tries: 7}, hasty: {strategy: hasty}, "
                    + "calm: {strategy: calm}}"))
        #expect(own.hash == others.strategies.first { $0.name == same }?.hash)
        #expect(own.strategy.name == others.strategies.first { $0.name == same }?.strategy.name)
        #expect(scenario.groupStrategies.map { $0?.name } == [own.strategy.name, nil])
        #expect(scenario.strategies.map(\.name) == ["a", "b"])
    }

    @Test("The canonical text of group strategies reads back as the same scenario")
    func theCanonicalTextIsStable() throws {
        let groups = "old: {share: 30%, strategy: {preset: hasty, tries: 7}}\nnew: {share: 70%}"
        let scenario = try scenario(text(groups))
        let again = try self.scenario(scenario.resolved)
        #expect(again.resolved == scenario.resolved && again.worldHash == scenario.worldHash)
        #expect(again.population[0].strategy?.hash == scenario.population[0].strategy?.hash)
        #expect(again.population[0].strategy?.name == "hasty")
        for other in ["tries: 7": "tries: 8", ", strategy: {preset: hasty, tries: 7}": ""] {
            #expect(
                try self.scenario(text(groups.replacing(other.key, with: other.value))).worldHash != scenario.worldHash)
        }
        // The strategy's display name does not change the hash.
        let named = groups.replacing("{preset", with: "{name: last year, preset")
        #expect(try self.scenario(text(named)).worldHash == scenario.worldHash)
    }

    @Test("If every group has its own strategy, the scenario runs as strategy `fleet`")
    func allGroupsMayHaveTheirOwnStrategy() throws {
        let groups = "old: {share: 30%, strategy: hasty}\nnew: {share: 70%, strategy: calm}"
        let scenario = try scenario(text(groups, strategies: nil, more: "expect: {fleet: {zombie.max: under 15s}}\n"))
        #expect(scenario.strategies.map(\.name) == ["fleet"] && scenario.expectations.map(\.strategy) == ["fleet"])
        let again = try self.scenario(scenario.resolved)
        #expect(again.resolved == scenario.resolved && again.worldHash == scenario.worldHash)
        #expect(again.strategies.map(\.hash) == scenario.strategies.map(\.hash))
        let other = try self.scenario(
            text(groups.replacing("calm", with: "{strategy: calm, ping: 9s}"), strategies: nil))
        #expect(other.strategies[0].hash != scenario.strategies[0].hash && other.worldHash != scenario.worldHash)
        let one = try self.scenario(text("all: {share: 100%, strategy: calm}", strategies: nil))
        #expect(try one.worldHash != self.scenario(small + "phones: 10\n").worldHash)
    }

    @Test(
        "Invalid group strategies are rejected",
        arguments: [
            ("a: {share: 100%, strategy: hasti}", "E0202", "hasti"), ("a: {share: 100%, strategy: 3}", "E0202", "3"),
            ("a: {share: 50%, strategy: bb}\nc: {share: 50%}", "E0202", "bb"),
            ("a: {share: 50%, strategy: {}}\nc: {share: 50%}", "E0101", "{}"),
            ("a: {share: 50%, strategy: [hasty]}\nc: {share: 50%}", "E0102", "["),
            ("a: {share: 50%, strategy: ~}\nc: {share: 50%}", "E0103", "~"),
            ("a: {share: 50%, strategy: {strategy: hasty, tris: 4}}\nc: {share: 50%}", "E0104", "tris"),
            ("a: {share: 100%, strategy: hasty}", "E0219", "strategies"),
            ("a: {share: 50%, strategy: none.yaml}\nc: {share: 50%}", "E0202", "none.yaml"),
        ])
    func invalidGroupStrategiesAreRejected(_ groups: String, _ code: String, _ place: String) throws {
        let text = text(groups)
        let loaded = load(text)
        let faults = loaded.faults.sorted
        #expect(Set(faults.map(\.code.rawValue)) == [code], "\(faultTexts(loaded))")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let fault = try #require(faults.first)
        let line = lines[fault.mark.line - 1]
        #expect(line.dropFirst(fault.mark.column - 1).hasPrefix(place), "\(faultTexts(loaded))")
    }

    @Test("A scenario in which a group has no strategy needs `strategies`")
    func someGroupRunsTheComparedStrategies() {
        let loaded = load(text("a: {share: 50%, strategy: hasty}\nc: {share: 50%}", strategies: nil))
        #expect(loaded.faults.sorted.map(\.code.rawValue) == ["E0101"])
    }

    // MARK: Counts of phones

    private func samplers(_ text: String) throws -> [PhoneSampler?] {
        let scenario = try scenario(text)
        let worlds = scenario.world.groups.isEmpty ? [scenario.world] : scenario.world.groups.map(\.world)
        return worlds.flatMap { $0.timeline.filter { $0.at > .zero }.map(\.occurrence?.sampler) }
    }

    @Test("A phone count applies to the phones that share the timeline entry")
    func aCountAppliesToThePhonesOfTheEntry() throws {
        let line = "timeline: [{at: 2m, phones: 3, dead-zone: 9s}]\n"
        let plain = PhoneSampler(count: 3, of: 10)
        #expect(try samplers(small + "phones: 10\n" + line) == [plain, plain])
        let own = "timeline: [{at: 3m, phones: 1, dead-zone: 9s}]"
        let groups = text(
            "a: {phones: 2}\nb: {phones: 4, \(own)}\nc: {phones: 4}", more: line)
        let (shared, lone) = (PhoneSampler(count: 3, of: 6), PhoneSampler(count: 1, of: 4, skipped: 2))
        let behind = PhoneSampler(count: 3, of: 6, skipped: 4)
        #expect(try samplers(groups) == [shared, shared, lone, lone, behind, behind])
        // If the count covers all phones, no sampler is needed.
        #expect(try samplers(small + "phones: 3\n" + line) == [nil, nil])
    }

    @Test("Counts and shares of phones differ, and survive the canonical text")
    func countsAndSharesDiffer() throws {
        func resolved(_ words: String) throws -> String {
            let scenario = try scenario(small + "phones: 10\ntimeline: [{at: 2m, phones: \(words), dead-zone: 9s}]\n")
            let again = try self.scenario(scenario.resolved)
            #expect(again.resolved == scenario.resolved && again.worldHash == scenario.worldHash)
            return scenario.worldHash.hex
        }
        let hashes = try ["3", "4", "1", "50%", "100%"].map(resolved)
        #expect(Set(hashes).count == 5)
        #expect(try resolved("10") == resolved("100%") && resolved("0.5") == hashes[3])
    }

    @Test(
        "Impossible phone counts are rejected",
        arguments: [
            ("11", "E0108"), ("0", "E0108"), ("101%", "E0108"), ("-1", "E0108"), ("\"3\"", "E0117"), ("3x", "E0107"),
        ])
    func impossibleCountsAreRejected(_ words: String, _ code: String) {
        let loaded = load(small + "phones: 10\ntimeline: [{at: 2m, phones: \(words), dead-zone: 9s}]\n")
        #expect(loaded.faults.sorted.map(\.code.rawValue) == [code], "\(faultTexts(loaded))")
    }
}
