import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

/// Wi-Fi that the user turns on while airplane mode lasts.
@Suite struct AirplaneModeTests {
    /// Loads an hour on Wi-Fi and cellular with this timeline.
    private static func load(_ timeline: String) -> LoadedScenarios {
        ScenariosTests.load(
            """
            version: 1
            name: Airplane mode
            duration: 1h
            phone: {radios: {wifi: test-wifi, cellular: test-lte}}
            traffic: {down: {every: 20s, size: 300B}}
            strategies: {a: {strategy: calm}}
            timeline: [\(timeline)]
            """)
    }

    /// Broken: Wi-Fi cannot be on in airplane mode, it is joined twice, its state is lost at the end, or cellular comes
    /// back with it.
    @Test(arguments: [
        (
            "{at: 0s, cellular: on, wifi: home}, {at: 10m, airplane: 20m}, {at: 15m, wifi: plane}",
            ["0 up-wifi", "0 up-cellular", "10 down-wifi", "10 down-cellular", "15 up-wifi", "30 up-cellular"]
        ),
        (
            "{at: 0s, handoff: cellular}, {at: 10m, airplane: 20m}, {at: 15m, wifi: plane}, {at: 40m, wifi: off}",
            ["0 up-cellular", "10 down-cellular", "15 up-wifi", "30 up-cellular", "40 down-wifi"]
        ),
        (
            "{at: 10m, airplane: 20m}, {at: 15m, wifi: plane}, {at: 20m, wifi: off}, {at: 40m, wifi: home}",
            ["0 up-wifi", "10 down-wifi", "15 up-wifi", "20 down-wifi", "40 up-wifi"]
        ),
        (
            "{at: 10m, airplane: 20m}, {at: 15m, wifi: plane}, {at: 20m, wifi: off}, {at: 25m, wifi: plane}, {at: 30m, handoff: cellular}",
            [
                "0 up-wifi", "10 down-wifi", "15 up-wifi", "20 down-wifi", "25 up-wifi", "30 down-wifi",
                "30 up-cellular",
            ]
        ),
        (
            "{at: 10m, airplane: {uniform: [20m, 30m]}}, {at: 15m, wifi: plane}, {at: 50m, readdress: wifi}",
            ["0 up-wifi", "10 down-wifi", "15 up-wifi", "50 readdress-wifi"]
        ),
    ])
    func wiFiComesBackWhileAirplaneModeLasts(_ timeline: String, _ changes: [String]) throws {
        let loaded = Self.load(timeline)
        let scenario = try #require(loaded.scenarios.first, "\(faultTexts(loaded))")
        let texts = scenario.world.timeline.map { entry in
            let label = entry.change.labels.text.split(separator: "-").prefix(2).joined(separator: "-")
            return "\((entry.at - Instant.zero).nanoseconds / 60_000_000_000) \(label)"
        }
        #expect(texts == changes)
    }

    /// Broken: a change without effect, or one that only some phones could make, is taken for one in airplane mode.
    @Test(arguments: [
        ("{at: 10m, airplane: 20m}, {at: 15m, wifi: plane}, {at: 16m, wifi: plane}", "wifi is up already"),
        ("{at: 10m, airplane: 20m}, {at: 15m, wifi: off}", "wifi is not up"),
        ("{at: 10m, airplane: 20m}, {at: 15m, cellular: on}", "the previous change of network has not ended yet"),
        ("{at: 10m, airplane: 20m}, {at: 15m, handoff: wifi}", "the previous change of network has not ended yet"),
        (
            "{at: 10m, airplane: {uniform: [20m, 30m]}}, {at: 35m, wifi: plane}",
            "the previous change of network has not ended yet"
        ),
        (
            "{at: 10m, airplane: 20m, phones: 50%}, {at: 15m, wifi: plane}",
            "not every phone is in airplane mode at this time"
        ),
    ])
    func otherChangesAreRefused(_ timeline: String, _ message: String) {
        let loaded = Self.load(timeline)
        #expect(loaded.scenarios.isEmpty && loaded.faults.sorted.map(\.message).contains(message))
    }
}
