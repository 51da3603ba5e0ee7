import DeadzoneBase
import Testing

@testable import DeadzoneScenarios

/// Bounds on one group of a population.
@Suite struct GroupDemandTests {
    private func text(_ expect: String, groups: String = "old: {share: 30%}\nnew: {share: 70%}") -> String {
        small.replacing("strategies: {a: {strategy: calm}}\n", with: "") + "phones: 40\n"
            + "strategies: {a: {strategy: calm}, b: {strategy: hasty}}\nexpect:\n  a: {\(expect)}\n"
            + (groups.isEmpty ? "" : "population:\n" + groups.split(separator: "\n").map { "  \($0)\n" }.joined())
    }

    private func demands(_ text: String) throws -> [String] {
        let loaded = load(text)
        #expect(faultTexts(loaded) == "", "\(text)")
        return try #require(loaded.scenarios.first).expectations.map {
            "\($0.strategy) \($0.group ?? "-") \($0.metric): \($0.bound) @\($0.mark.line)"
        }
    }

    @Test(
        "Bounds apply to the group that they are written under",
        arguments: [
            ("zombie.max: under 15s", ["a - zombie.max: under 15s"]),
            ("new: {zombie.max: under 15s}", ["a new zombie.max: under 15s"]),
            (
                "new: {zombie.max: under 9s}, zombie.max: under 15s, old: {battery.joules: at most 60% of b}",
                [
                    "a - zombie.max: under 15s", "a old battery.joules: at most 60% of b", "a new zombie.max: under 9s",
                ]
            ),
            ("new: {zombie.max: at most 60% of old}", ["a new zombie.max: at most 60% of old"]),
            (
                "new: {zombie.max: at most 60% of baseline}, x-old: {note: any}",
                ["a new zombie.max: at most 60% of baseline"]
            ),
        ])
    func boundsApplyToTheirGroup(_ words: String, _ expected: [String]) throws {
        let text = text(words)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix("  a: {") }
        #expect(try demands(text) == expected.map { "\($0) @\((line ?? 0) + 1)" })
        // Reloading a saved result gives the same scenario.
        let scenario = try #require(load(text).scenarios.first)
        let again = try #require(load(scenario.resolved).scenarios.first)
        #expect(again.resolved == scenario.resolved && again.worldHash == scenario.worldHash)
        #expect(
            again.expectations.map { [$0.group, $0.metric, $0.bound] }
                == scenario.expectations.map { [$0.group, $0.metric, $0.bound] })
    }

    @Test("Expectations do not change the world hash")
    func expectationsDoNotChangeTheWorld() throws {
        let worlds = try ["zombie.max: 3", "new: {zombie.max: 3}"].map {
            try #require(load(text($0)).scenarios.first).worldHash
        }
        #expect(worlds[0] == worlds[1])
    }

    @Test(
        "Invalid bounds are rejected with advice",
        arguments: [
            ("nwe: {zombie.max: under 15s}", "E0207", "nwe", "did you mean `new`?"),
            ("new: {zombie.min: under 15s}", "E0204", "zombie.min", "zombie.max"),
            ("new: under 15s", "E0102", "under", "map"),
            ("zombie.max: {new: 3}", "E0102", "{new", "bound"),
            ("new: {zombie.max: at most 60% of bb}", "E0207", "at most", "did you mean `b`?"),
            ("new: {zombie.max: at most 60% of new}", "E0207", "at most", "name another"),
            ("new: {zombie.max: at most 60% of a}", "E0207", "at most", "name another"),
            ("zombie.max: at most 60% of old", "E0207", "at most", "known: a, b, baseline"),
            ("zombie.maxx: 3", "E0204", "zombie.maxx", "did you mean `zombie.max`?"),
            ("new: {zombie.max: soon}", "E0205", "soon", "under 15s"),
        ])
    func invalidBoundsAreRejected(_ words: String, _ code: String, _ place: String, _ advice: String) throws {
        let text = text(words)
        let loaded = load(text)
        #expect(loaded.faults.sorted.map(\.code.rawValue) == [code], "\(faultTexts(loaded))")
        let fault = try #require(loaded.faults.sorted.first)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[fault.mark.line - 1].dropFirst(fault.mark.column - 1).hasPrefix(place), "\(faultTexts(loaded))")
        #expect(faultTexts(loaded).contains(advice), "\(faultTexts(loaded))")
    }

    @Test("A bound on a group needs 2 to 16 reported groups")
    func groupBoundsNeedReportedGroups() {
        let many = (1...17).map { "g\($0): {phones: 2}" }.joined(separator: "\n")
        for (groups, words, help) in [
            ("", "new: {zombie.max: 3}", "population"),
            ("new: {share: 100%}", "new: {zombie.max: 3}", "contains all phones"),
            (many, "g3: {zombie.max: 3}", "2 to 16"),
        ] {
            var text = text(words, groups: groups)
            if groups == many { text = text.replacing("phones: 40\n", with: "") }
            #expect(faultTexts(load(text)).contains(help), "\(faultTexts(load(text)))")
            #expect(load(text).faults.sorted.map(\.code.rawValue) == ["E0207"])
        }
        let most = many.split(separator: "\n").dropLast().joined(separator: "\n")
        #expect(faultTexts(load(text("g3: {zombie.max: 3}", groups: most).replacing("phones: 40\n", with: ""))) == "")
    }
}
