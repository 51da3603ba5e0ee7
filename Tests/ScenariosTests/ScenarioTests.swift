import DeadzoneBase
import DeadzoneClient
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTransport
import Testing

@Test(arguments: [("up", Direction.down), ("down", .up)])
func oneWayNamesTheOpenDirection(_ word: String, _ shut: Direction) throws {
    // Broken if the named direction is blocked instead of the other one, or the blockage never ends.
    let loaded = load(small + "timeline: [{at: 1m, one-way: \(word), for: 10s}]\n")
    let changes = try #require(loaded.scenarios.first, "\(faultTexts(loaded))").world.timeline.compactMap { entry in
        if case .oneWay(_, let direction, let passes) = entry.change { (entry.at, direction, passes) } else { nil }
    }
    try #require(changes.count == 2)
    #expect(changes[0] == (.zero + .seconds(60), shut, false) && changes[1] == (.zero + .seconds(70), shut, true))
}

@Test func everyKeyIsRead() throws {
    // Broken if any key of the language is no longer read, or is read as another setting.
    let loaded = load(everyKey)
    #expect(faultTexts(loaded) == "")
    let scenario = try #require(loaded.scenarios.first)
    #expect(scenario.world.horizon == .zero + .minutes(45))
    #expect((scenario.world.phones, scenario.replicas, scenario.seed) == (2, 3, 7))
    #expect(scenario.world.wifiLink.up.delay == .uniform(15_000_000, 25_000_000))
    #expect(scenario.world.wifiLink.down.bitsPerSecond == 30_000_000)
    #expect(scenario.world.cellularLink.up.floor == .milliseconds(30))
    #expect(scenario.world.cellularLink.down.floor == .milliseconds(1))
    #expect(scenario.world.traffic.down?.gap == .exponential(mean: 20_000_000_000))
    #expect(scenario.world.traffic.up?.gap == .uniform(54_000_000_000, 66_000_000_000))
    #expect(scenario.world.server.acceptsPerSecond == 100)
    #expect(scenario.strategies.map(\.name) == ["slow", "fast"])
    #expect(scenario.strategies.map(\.strategy.name) == ["calm", "hasty"])
    #expect(scenario.expectations.map(\.metric) == ["battery.joules", "zombie.max", "delivery.down.lost"])
    #expect(
        timelineText(scenario) == """
            0 pathUp(DeadzoneBase.Interface.wifi, plain)
            360000 pathDown(DeadzoneBase.Interface.wifi, DeadzoneSimulator.PathLossSignal.silent)
            360400 pathUp(DeadzoneBase.Interface.cellular, plain)
            720000 coverage(DeadzoneBase.Interface.cellular, false)
            810000 coverage(DeadzoneBase.Interface.cellular, true)
            1080000 coverage(DeadzoneBase.Interface.cellular, false)
            1170000 coverage(DeadzoneBase.Interface.cellular, true)
            1200000 app(foreground: false)
            1440000 coverage(DeadzoneBase.Interface.cellular, false)
            1530000 coverage(DeadzoneBase.Interface.cellular, true)
            1800000 coverage(DeadzoneBase.Interface.cellular, false)
            1890000 coverage(DeadzoneBase.Interface.cellular, true)
            2160000 cellHandover
            2280000 pathUp(DeadzoneBase.Interface.wifi, plain)
            2285000 pathDown(DeadzoneBase.Interface.cellular, DeadzoneSimulator.PathLossSignal.error)
            2400000 pathDown(DeadzoneBase.Interface.wifi, DeadzoneSimulator.PathLossSignal.silent)
            """)
    #expect(
        scenario.conditions.map(\.changes) == [
            [0], [1, 2], [3, 4, 5, 6, 8, 9, 10, 11], [7], [12], [13, 14], [15],
        ])
}

/// One line for each timeline change: milliseconds, and the change.
func timelineText(_ scenario: Scenario) -> String {
    let plain = String(reflecting: Attachment.plain)
    return scenario.world.timeline.map { entry in
        "\(entry.at.nanoseconds / 1_000_000) " + "\(entry.change)".replacing(plain, with: "plain")
    }.joined(separator: "\n")
}

@Test func theResolvedTextIsTheSameScenario() throws {
    // Broken if `--print-resolved` prints text that reads back as another scenario, or not at all.
    let first = try #require(load(everyKey).scenarios.first)
    let again = load(first.resolved)
    #expect(faultTexts(again) == "")
    let second = try #require(again.scenarios.first)
    #expect(second.resolved == first.resolved)
    #expect(second.worldHash == first.worldHash)
    #expect(second.strategies.map(\.hash) == first.strategies.map(\.hash))
    #expect(first.resolved.contains("seed: 7"))
}

let small = """
    version: 1
    name: Small
    duration: 10m
    phone: {radios: {cellular: test-lte}}
    traffic: {down: {every: 20s, size: 300B}}
    strategies: {a: {strategy: calm}}

    """

/// Different spellings of the same scenario.
private let rewritings: [(name: String, rewrite: @Sendable (String) -> String)] = [
    ("comment", { $0.replacing("duration: 10m", with: "duration: 10m # long") }),
    ("blank lines", { $0.replacing("\n", with: "\n\n") }),
    ("CR LF", { $0.replacing("\n", with: "\r\n") }),
    ("byte order mark", { "\u{FEFF}" + $0 }),
    ("quotes", { $0.replacing("10m", with: "\"10m\"") }),
    ("another unit", { $0.replacing("10m", with: "600s").replacing("20s", with: "20000ms") }),
    ("order of keys", { $0.split(separator: "\n").reversed().joined(separator: "\n") }),
    ("block style", { $0.replacing("{radios: {cellular: test-lte}}", with: "\n  radios:\n    cellular: test-lte") }),
    ("default spelled out", { $0.replacing("calm}", with: "calm, ping: 45s}") }),
    ("own key", { $0 + "x-mine: 1\n" }),
    ("preset for strategy", { $0.replacing("strategy: calm", with: "preset: calm") }),
]

@Test(arguments: rewritings.indices)
func spellingDoesNotChangeTheHash(_ index: Int) throws {
    // Broken if two results are not comparable because a comment or the order of keys differs.
    let plain = try #require(load(small).scenarios.first)
    let text = rewritings[index].rewrite(small)
    #expect(text != small)
    let loaded = load(text)
    #expect(faultTexts(loaded) == "", "\(rewritings[index].name)")
    let rewritten = try #require(loaded.scenarios.first)
    #expect(rewritten.worldHash == plain.worldHash)
    #expect(rewritten.strategies.map(\.hash) == plain.strategies.map(\.hash))
    #expect(rewritten.resolved == plain.resolved)
}

@Test(arguments: [
    ("duration: 10m", "duration: 11m", true, false), ("every: 20s", "every: 21s", true, false),
    ("cellular: test-lte", "cellular: {profile: test-lte, promotion: 261ms}", true, false),
    ("name: Small", "name: Other", false, false), ("strategy: calm}", "strategy: calm, ping: 46s}", false, true),
    ("{a:", "{b:", false, false), ("strategy: calm", "strategy: hasty", false, true),
    ("name: Small", "name: Small\nphones: 2", true, false), ("name: Small", "name: Small\nreplicas: 2", false, false),
    ("name: Small", "name: Small\nlinks: {cellular: {loss: 1%}}", true, false),
    ("name: Small", "name: Small\nlinks: {wifi: {loss: 1%}}", false, false),
    ("name: Small", "name: Small\ntimeline: [{at: 1m, dead-zone: 1s}]", true, false),
    ("name: Small", "name: Small\ntimeline: [{at: {uniform: [1m, 2m]}, dead-zone: 1s}]", true, false),
    ("name: Small", "name: Small\ntimeline: [{at: 1m, dead-zone: {exponential: 9s}}]", true, false),
])
func whatChangesTheWorldChangesItsHash(_ old: String, _ new: String, _ world: Bool, _ strategy: Bool) throws {
    // Broken if two different worlds share a hash, or if a name or a replica count changes the world hash.
    let plain = try #require(load(small).scenarios.first)
    let loaded = load(small.replacing(old, with: new))
    #expect(faultTexts(loaded) == "")
    let changed = try #require(loaded.scenarios.first)
    #expect((changed.worldHash != plain.worldHash) == world)
    #expect((changed.strategies.map(\.hash) != plain.strategies.map(\.hash)) == strategy)
}

@Test(arguments: [
    ("dead-zone: 9s, phones: 100%", "dead-zone: 9s", true), ("dead-zone: 9s, together: true", "dead-zone: 9s", true),
    ("dead-zone: {uniform: [9s, 9s]}", "dead-zone: 9s", true), ("dead-zone: 9s, phones: 99%", "dead-zone: 9s", false),
    ("dead-zone: {exponential: 9s}", "dead-zone: {exponential: 8s}", false),
    ("dead-zone: {exponential: 9s}, together: true", "dead-zone: {exponential: 9s}", false),
])
func randomDrawsArePartOfTheWorld(_ one: String, _ other: String, _ areSame: Bool) throws {
    // Broken: a setting without effect changes the world hash, or a changed distribution does not.
    let scenarios = try [one, other].map {
        try #require(load(small + "timeline: [{at: 1m, \($0)}]\n").scenarios.first)
    }
    #expect((scenarios[0].worldHash == scenarios[1].worldHash) == areSame)
    #expect((scenarios[0].world.timeline == scenarios[1].world.timeline) == areSame)
    #expect(load(scenarios[0].resolved).scenarios.first?.worldHash == scenarios[0].worldHash)
}
