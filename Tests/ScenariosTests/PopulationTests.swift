import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@testable import DeadzoneScenarios

/// Populations: several groups of phones in one file.
@Suite struct PopulationTests {
    /// A population of ten phones with these groups.
    private func text(_ groups: String, phones: String = "phones: 10\n") -> String {
        small + phones + "population:\n" + groups.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    @Test(arguments: [
        (10, [700_000, 300_000], [7, 3]), (10, [330_000, 330_000, 340_000], [3, 3, 4]),
        (7, [500_000, 500_000], [4, 3]),
        (60, [333_300, 333_300, 333_400], [20, 20, 20]), (1, [1_000_000], [1]), (3, [999_999, 1], [3, 0]),
        (10_000_000, [1, 999_999], [10, 9_999_990]),
    ])
    func groupSizesFollowTheirShares(_ phones: Int, _ shares: [Int64], _ groups: [Int]) {
        // Broken: a phone is in no group, or a group's size is off by more than one.
        #expect(apportion(phones, by: shares) == groups)
    }

    @Test func aGroupInheritsOtherSettings() throws {
        // Broken: one group's overrides affect another group, or are lost.
        let loaded = load(
            text(
                """
                near: {share: 70%, timeline: [{at: 1m, dead-zone: 9s}]}
                far: {share: 30%, traffic: {down: {every: 5s}}, phone: {radios: {wifi: test-wifi}}}
                """) + "timeline: [{at: 2m, dead-zone: {exponential: 9s}}]\n")
        #expect(faultTexts(loaded) == "")
        let scenario = try #require(loaded.scenarios.first)
        let worlds = scenario.world.groups.map(\.world)
        #expect(scenario.world.groups.map(\.phones) == [0..<7, 7..<10] && scenario.world.phones == 10)
        #expect(scenario.population.map(\.name) == ["near", "far"] && scenario.population.map(\.phones) == [7, 3])
        #expect(worlds.map { $0.traffic.down?.gap } == [.constant(20_000_000_000), .constant(5_000_000_000)])
        #expect(worlds.map { $0.wifi == nil } == [true, false] && worlds.allSatisfy { $0.cellular != nil })
        #expect(
            worlds[0].timeline.contains { $0.at == .zero + .minutes(1) }
                && worlds[0].timeline.allSatisfy { $0.occurrence == nil })
        #expect(worlds[1].timeline.contains { $0.occurrence != nil })
        #expect(scenario.world.timeline == worlds.flatMap(\.timeline))
        let conditions = scenario.conditions.map { condition in condition.changes.map { scenario.world.timeline[$0].at }
        }
        #expect(conditions.allSatisfy { Set($0).count <= 2 } && conditions.count == 2)
    }

    @Test(arguments: [
        "x: {share: 50%}\ny: {share: 50%}", "x: {share: 90%}", "x: {share: fifty}", "{}", "[]", "null", "5",
        "x: {phones: 4, share: 50%}", "x: {}",
    ])
    func aFaultOfThePopulationIsAFaultInEveryCell(_ groups: String) {
        // Broken: the second cell of a matrix has the same fault as the first, and the population counts as read.
        let text =
            small + "matrix: {traffic.down.every: [10s, 20s]}\n"
            + (groups.contains(":")
                ? "population:\n" + groups.split(separator: "\n").map { "  \($0)\n" }.joined()
                : "population: \(groups)\n")
        let loaded = load(text)
        #expect(loaded.scenarios.isEmpty && loaded.faults.count > 0)
        #expect(faultTexts(loaded).contains("error[E0"))
    }

    @Test func oneGroupOfAllPhonesChangesNothing() throws {
        // Broken: a name for the group of all phones changes the world.
        let plain = try #require(load(small + "phones: 10\n").scenarios.first)
        for text in [text("all: {share: 100%}"), text("all: {phones: 10}"), text("all: {phones: 10}", phones: "")] {
            let scenario = try #require(load(text).scenarios.first)
            #expect(scenario.worldHash == plain.worldHash)
        }
    }

    @Test func theCanonicalTextIsTheSamePopulation() throws {
        // Broken: `lint --print-resolved` writes a different scenario, or one that cannot be read.
        let groups = """
            near: {share: 70%, links: {cellular: {loss: 2%}}}
            far: {share: 30%, timeline: [{at: 2m, dead-zone: 9s}, {at: 1m, dead-zone: 9s}], app: {consumes: 5ms}}
            """
        let scenario = try #require(load(text(groups)).scenarios.first)
        let again = load(scenario.resolved)
        #expect(faultTexts(again) == "", "\(scenario.resolved)")
        #expect(again.scenarios.first?.worldHash == scenario.worldHash)
        #expect(again.scenarios.first?.resolved == scenario.resolved)
        let other = try #require(load(text(groups.replacing("2%", with: "3%"))).scenarios.first)
        let dealt = try #require(
            load(text(groups.replacing("70%", with: "60%").replacing("30%", with: "40%"))).scenarios.first)
        let renamed = try #require(load(text(groups.replacing("near:", with: "close:"))).scenarios.first)
        #expect(other.worldHash != scenario.worldHash && dealt.worldHash != scenario.worldHash)
        #expect(renamed.worldHash == scenario.worldHash)
    }

    @Test(arguments: [
        ("a: {share: 70%}\nb: {share: 20%}", "E0219"), ("a: {share: 70%}\nb: {phones: 3}", "E0219"),
        ("a: {phones: 7}\nb: {phones: 4}", "E0219"), ("a: {share: 99%}\nb: {share: 1%}", "E0219"), ("a: {}", "E0101"),
        ("a: {share: 0%}\nb: {share: 100%}", "E0108"), ("a: {share: 100%, strategies: {}}", "E0104"),
        ("a: {share: 100%, server: {think: 1s}}", "E0104"), ("a: {share: 100%, seed: 4}", "E0104"),
        ("a: {share: 50%}\nb: {share: 50%, phone: {battery: 15Wh}}", "E0219"),
        ("a: {share: 50%}\nb: {share: 50%, timeline: [{at: 1h, dead-zone: 1s}]}", "E0214"),
        ("a: {share: 50%, traffic: {up: {every: 3}}}\nb: {share: 50%, traffic: {up: {every: 4}}}", "E0101 E0105"),
        ("a: {share: 50%}\nb: {share: 50%}", "none"),
    ])
    func inconsistentGroupsAreRejected(_ groups: String, _ expected: String) {
        // Broken: phones without a group are accepted, or a group may change a setting of the whole scenario.
        let loaded = load(text(groups))
        let codes = Set(loaded.faults.sorted.map(\.code.rawValue)).sorted().joined(separator: " ")
        #expect((codes.isEmpty ? "none" : codes) == expected, "\(faultTexts(loaded))")
        #expect(loaded.scenarios.isEmpty == (expected != "none"))
    }
}
