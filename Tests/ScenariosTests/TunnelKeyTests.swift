import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

/// The key `phone: tunnel`, and `metered` of a join.
@Suite struct TunnelKeyTests {
    private static func load(_ phone: String, _ timeline: String = "") -> LoadedScenarios {
        ScenariosTests.load(
            """
            version: 1
            name: Tunnel
            duration: 45m
            phone: {radios: {wifi: test-wifi, cellular: test-lte}, \(phone)}
            timeline: [\(timeline)]
            strategies: {slow: {strategy: calm}}
            """)
    }

    /// Broken: a setting of a tunnel that does nothing is accepted.
    @Test(arguments: [
        ("tunnel: {clock: uptime}", "`clock: uptime` without an operating system"),
        ("tunnel: {routes: other-apps}", "`routes: other-apps` without other apps"),
    ])
    func settingsWithoutEffectAreRejected(phone: String, message: String) {
        let loaded = Self.load(phone)
        #expect(loaded.faults.sorted.map(\.code) == [.contradiction])
        #expect(loaded.faults.sorted.allSatisfy { $0.message == message && $0.mark.line == 4 })
    }

    /// Broken: an empty map is no tunnel, a phone has one without the key, or a default is not WireGuard's.
    @Test func theDefaultsAreThoseOfWireGuard() throws {
        let with = try #require(Self.load("tunnel: {}").scenarios.first).world
        let rules = try #require(with.tunnel)
        #expect(rules == TunnelRules() && rules.keepalive == .longest)
        #expect(rules.rekey == .seconds(120) && rules.deadAfter == .seconds(180))
        #expect(rules.retry == .seconds(5) && rules.giveUp == .seconds(90))
        #expect(try #require(Self.load("kernel: linux-6.6").scenarios.first).world.tunnel == nil)
    }

    /// Broken: a network is not metered any more after airplane mode.
    @Test func aMeteredNetworkStaysMetered() throws {
        let loaded = Self.load(
            "platform: android-15",
            "{at: 0s, wifi: hotspot, metered: true}, {at: 1m, data-saver: on}, {at: 5m, airplane: 10s}")
        #expect(faultTexts(loaded) == "")
        let joins = try #require(loaded.scenarios.first).world.timeline.compactMap { entry -> Bool?? in
            guard case .pathUp(_, let attachment) = entry.change else { return nil }
            return .some(attachment.isMetered)
        }
        #expect(joins == [true, true])
    }
}
