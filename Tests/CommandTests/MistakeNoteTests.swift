import DeadzoneTestKit
import Testing

@testable import DeadzoneCommand

/// Notes of `lint` about valid settings that are almost certainly mistakes.
@Suite struct MistakeNoteTests {
    private func notes(_ traffic: String, _ strategy: String, _ expect: String) throws -> [String] {
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml",
            """
            version: 1
            name: Mistakes
            duration: 10m
            phone: {radios: {wifi: wifi-aro}}
            traffic: {\(traffic)}
            strategies:
              a: {strategy: composed, \(strategy)}
              b: {strategy: composed}
            expect: {a: {\(expect)}}
            """)
        let outcome = workspace.run("lint @a.yaml")
        #expect(outcome.code == .ok, "\(outcome.errors)")
        return outcome.errors.split(separator: "\n").filter { $0.hasPrefix("note: ") }.map { String($0.dropFirst(6)) }
    }

    private static let down = "down: {every: 1m, size: 9B}"
    private static let both = "up: {every: 1m, size: 9B}, " + down

    /// Broken: an expectation that holds whatever the client does passes without a word, or one that can fail gets a
    /// note.
    @Test(
        arguments: [
            (down, "delivery.up.lost: 0", "the scenario has no `traffic: {up: …}`"),
            (down, "delivery.up.lost: at most 60% of b", "the scenario has no `traffic: {up: …}`"),
            (both, "delivery.up.lost: 0", nil), (both, "calls.failed: 0", "the scenario has no `traffic: {calls: …}`"),
            (both, "delivery.down.lost: at least 0", "no count is below 0"),
            (both, "delivery.down.lost: at least 1", nil),
            (both, "calls.failed: over 3", nil), (both, "zombie.max: under 600000h", "the scenario lasts only 10m"),
            (both, "zombie.max: under 10m", nil), (both, "latency.down.p95: under 2h", nil),
        ] as [(String, String, String?)])
    func anExpectationThatCannotFailIsNoted(_ traffic: String, _ bound: String, _ reason: String?) throws {
        let expected = reason.map { "expect: `a`: `\(bound)` can never fail, because \($0)" }
        #expect(try notes(traffic, "resume: nothing", bound) == [expected].compactMap(\.self))
    }

    /// Broken: swapped numbers of a backoff, or an interval longer than the scenario, stay without a note.
    @Test(
        arguments: [
            (
                "backoff: {base: 1m, cap: 1s}",
                "`a`: `backoff` has a `base` of 1m above its `cap` of 1s, so its waits do not grow"
            ),
            ("backoff: {base: 1s, cap: 1s}", nil),
            (
                "keepalive: {interval: 99d}",
                "`a`: `keepalive: {interval: 2376h}` is longer than the scenario, which lasts 10m, so it never elapses"
            ),
            ("keepalive: {interval: 10m}", nil), ("keepalive: {interval: 365d}", nil),
            ("keepalive: {interval: 1m, timeout: 5m}", nil),
        ] as [(String, String?)])
    func aProbableMistakeOfAStrategyIsNoted(_ settings: String, _ expected: String?) throws {
        #expect(try notes(Self.both, settings, "") == [expected].compactMap(\.self))
    }

    /// Broken: a long interval of a shipped preset is taken for a mistake of the scenario.
    @Test func aPresetMayHaveALongInterval() throws {
        let workspace = try TestWorkspace()
        try workspace.write(
            "a.yaml",
            """
            version: 1
            name: Preset
            duration: 10m
            phone: {radios: {wifi: wifi-aro}}
            strategies: {a: {preset: fcm}}
            """)
        #expect(!workspace.run("lint @a.yaml").errors.contains("note: "))
    }
}
