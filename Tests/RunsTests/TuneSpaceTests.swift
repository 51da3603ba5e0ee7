import DeadzoneBase
import DeadzoneScenarios
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

struct TuneSpaceTests {
    private static let yaml = """
        version: 1
        name: One
        duration: 5m
        phone: {radios: {wifi: wifi-aro}}
        timeline: [{at: 0s, wifi: home}]
        traffic: {down: {every: 10s, size: 100B}}
        strategies:
          mine:
            strategy: composed
            transport: websocket
            keepalive: {interval: 45s, timeout: 10s}
            backoff: {base: 500ms, cap: 32s, jitter: full}

        """

    private static func strategy() throws -> TunableStrategy {
        let loaded = ScenarioLoader(.standard, read: ScenarioFiles.read).load(Array(yaml.utf8), name: "one.yaml")
        let scenario = try #require(loaded.scenarios.first, "\(loaded.faults.sorted)")
        return TunableStrategy(scenario.strategies[0], in: scenario, .standard)
    }

    @Test func everyNumberIsVariedADecadeEachWay() throws {
        // Broken: a setting is missing, a range leaves what the strategy accepts, or a size of the protocol is varied.
        let strategy = try Self.strategy()
        let space = try TuneSpace(strategy, varying: [])
        let ranges = space.settings.map { "\($0.name) \($0.range)" }
        #expect(ranges.contains("keepalive.interval 4.5s to 450s"), "\(ranges)")
        // A multiplier below 1 is refused.
        #expect(ranges.contains("backoff.multiplier 1 to 20"), "\(ranges)")
        #expect(!ranges.contains { $0.contains("KiB") || $0.contains("jitter") }, "\(ranges)")
        for setting in space.settings {
            for position in [0, 0.25, 0.5, 0.75, 1] {
                guard let value = setting.value(at: position) else { continue }
                let faults = strategy.faults([(setting.path, value)]).sorted.filter {
                    $0.code != .contradiction
                }
                #expect(faults.isEmpty, "\(setting.name) \(value): \(faults)")
            }
        }
    }

    @Test func switchesThatAreNotVariedAreNamed() throws {
        // Broken: a number, a promise, a name or a varied setting is called a switch; or a named one cannot be varied.
        let strategy = try Self.strategy()
        let all = try TuneSpace(strategy, varying: []).unvariedSwitches(of: strategy)
        for name in [
            "backoff.jitter", "keepalive.verdict", "keepalive.pings", "connect.when", "resume", "on-path-change",
        ] {
            #expect(all.contains(name), "\(name): \(all)")
        }
        for name in ["keepalive.interval", "backoff.base", "strategy"] { #expect(!all.contains(name), "\(name)") }
        #expect(!all.contains { $0.hasPrefix("claims") } && all.count < 80, "\(all)")
        for name in all { #expect(throws: Never.self) { try TuneSpace(strategy, varying: [name]) } }
        let fewer = try TuneSpace(strategy, varying: ["backoff.jitter", "resume=nothing,cursor"])
        #expect(fewer.unvariedSwitches(of: strategy) == all.filter { $0 != "backoff.jitter" && $0 != "resume" })
    }

    @Test func roundingNeverLeavesTheRange() throws {
        // Broken: a round value lies outside the range that the user gave.
        let space = try TuneSpace(
            Self.strategy(),
            varying: ["keepalive.interval=23s..17m", "backoff.multiplier=1.3..3.1", "backoff.base=80ms..7s"])
        var count = 0
        for setting in space.settings {
            guard case .numbers(_, let notation, let low, let high) = setting.values else { continue }
            for place in 0...400 {
                guard let value = setting.value(at: Double(place) / 400) else { continue }
                let number = try #require(notation.number(of: value))
                #expect(low <= number && number <= high, "\(setting.name) \(value)")
                for rounder in setting.rounderValues(near: value) {
                    let rounded = try #require(notation.number(of: rounder))
                    #expect(low <= rounded && rounded <= high, "\(setting.name) \(value) to \(rounder)")
                    count += 1
                }
            }
        }
        #expect(count > 1_000)
    }

    @Test func aNumberIsMovedByAShare() throws {
        // Broken: the neighbour of a value is on its other side, is the value itself, or lies outside the range.
        let space = try TuneSpace(
            Self.strategy(), varying: ["keepalive.interval=20s..10m", "backoff.jitter=none,full"])
        let interval = space.settings[0]
        let rows: [(String, Double, String?)] = [
            ("296s", 0.1, "330s"), ("296s", -0.1, "270s"), ("20s", -0.1, nil), ("10m", 0.1, nil), ("30s", 0.1, "33s"),
        ]
        for (value, share, moved) in rows {
            let found = interval.value(near: value, changedBy: share)
            let notation = NumberNotation(of: value, accepting: [])
            #expect(
                found.flatMap { notation?.number(of: $0) } == moved.flatMap { notation?.number(of: $0) },
                "\(value) \(share) \(found ?? "none")")
        }
        #expect(space.settings[1].value(near: "none", changedBy: 0.1) == nil)
    }

    @Test func presentValueIsNoChange() throws {
        // Broken: the present value in another notation counts as a change, or its position is not found.
        let space = try TuneSpace(
            Self.strategy(),
            varying: ["keepalive.interval=10s..10m", "backoff.jitter=none,full,equal", "keepalive.on-wifi=1m..9m"])
        #expect(space.settings.map(\.present) == ["45s", "full", nil])
        let position = space.settings.map(\.presentPosition)
        #expect(space.values(at: position).prefix(2).allSatisfy { $0 == nil })
        // An absent setting has no present value to return to.
        #expect(space.values(at: position)[2] != nil)
        #expect(space.values(at: [0, 0.1, 0]) == ["10s", "none", "1m"])
        #expect(space.values(at: [1, 0.9, 1]) == ["10m", "equal", "9m"])
    }

    @Test func wordsWithoutValuesAreAllTried() throws {
        let space = try TuneSpace(Self.strategy(), varying: ["backoff.capped", "keepalive.pings", "keepalive.timeout"])
        #expect(space.settings.map(\.range) == ["before-jitter, after-jitter, both", "true, false", "1s to 100s"])
        let lists = try TuneSpace(Self.strategy(), varying: ["backoff.jitter=full,{plus: [0s, 3s]},20%"])
        #expect(lists.settings[0].range == "full, {plus: [0s, 3s]}, 20%")
    }

    @Test(arguments: [
        ("keepalive.intervall=1s..2s", "did you mean `interval`?"), ("keepalive=1s..2s", "vary one of its settings"),
        ("keepalive.interval=2m..1m", "the lower first"), ("keepalive.interval=0s..1m", "at least 1ms"),
        ("keepalive.interval=1s", "a range"), ("backoff.jitter=none,ful", "did you mean `full`?"),
        ("=1s..2s", "the path"),
        ("keepalive.interval=1s..5MB", "no unit"),
    ])
    func wrongValuesAreExplained(_ request: String, _ said: String) throws {
        let strategy = try Self.strategy()
        let fault = #expect(throws: ToolFault.self) { try TuneSpace(strategy, varying: [request]) }
        let words = ([fault?.message ?? ""] + (fault?.help ?? [])).joined(separator: " ")
        #expect(words.contains(said) || said == "no unit" && words.contains("unit"), "\(words)")
    }

    @Test(arguments: ["life-cycle.on-push", "keepalive.interval=1s", "keepalive.interval=2m..1m"])
    func wrongValuesHaveOneCode(_ request: String) throws {
        // Broken: a setting without values, or with wrong ones, is reported as a flag that takes no value.
        let strategy = try Self.strategy()
        let fault = #expect(throws: ToolFault.self) { try TuneSpace(strategy, varying: [request]) }
        #expect(fault?.code == .badFlagValue, "\(fault?.message ?? "")")
    }

    @Test func sameSettingTwiceIsAConflict() throws {
        let strategy = try Self.strategy()
        #expect(throws: ToolFault.self) {
            try TuneSpace(
                strategy, varying: ["keepalive.interval=1s..2s", "strategies.mine.keepalive.interval=1s..3s"])
        }
    }
}
