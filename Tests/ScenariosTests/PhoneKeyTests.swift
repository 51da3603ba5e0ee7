import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

/// Timeline entries about the phone, and its other apps.
@Suite struct PhoneKeyTests {
    private static func load(_ timeline: String, platform: String = "platform: android-15, ", more: String = "")
        -> LoadedScenarios
    {
        ScenariosTests.load(
            """
            version: 1
            name: Phone
            duration: 45m
            phone: {\(platform)radios: {cellular: test-lte}\(more)}
            timeline: [\(timeline)]
            strategies: {slow: {strategy: calm}}
            """)
    }

    private static let refusals: [(String, String, String)] = [
        ("{at: 5m, screen: on}", "platform: android-15, ", "the screen is on already"),
        ("{at: 5m, charging: off}", "platform: android-15, ", "charging is off already"),
        ("{at: 5m, motion: still}", "platform: android-15, ", "the phone is still already"),
        ("{at: 5m, battery-saver: off}", "platform: android-15, ", "battery saver is off already"),
        ("{at: 5m, data-saver: off}", "platform: android-15, ", "data saver is off already"),
        ("{at: 5m, app-restriction: off}", "platform: android-15, ", "the app is not restricted already"),
        (
            "{at: 5m, alarm-clock: 5m}", "platform: android-15, ",
            "the alarm clock would have rung before it is set"
        ),
        ("{at: 5m, kill: app}, {at: 6m, app: background}", "platform: android-15, ", "background already"),
        ("{at: 5m, app: foreground}", "platform: android-15, ", "foreground already"),
        ("{at: 5m, screen: off}, {at: 6m, kill: app}, {at: 7m, app: foreground}", "platform: ios-18, ", "already"),
        ("{at: 5m, screen: off}", "", "`screen` without an operating system"),
        ("{at: 5m, cellular: off}, {at: 6m, cellular: on, metered: false}", "", "`metered` without `data-saver: on`"),
        ("{at: 5m, kill: force-stop}", "", "`kill` without an operating system"),
        ("{at: 5m, clock: +1h}", "", "`clock` without an operating system"),
        ("{at: 5m, push: high}", "", "`push` without an operating system"),
        ("{at: 5m, alarm-clock: 1h}", "", "`alarm-clock` without an operating system"),
    ]

    /// Broken: an entry without effect is accepted.
    @Test(arguments: refusals)
    func entriesWithoutEffectAreRejected(timeline: String, platform: String, message: String) {
        let loaded = Self.load(timeline, platform: platform)
        #expect(loaded.faults.sorted.map(\.code) == [.contradiction])
        #expect(loaded.faults.sorted.allSatisfy { $0.message.contains(message) && $0.mark.line == 5 })
    }

    /// Broken: an order of networks with a mistake is accepted, or its message names another mistake.
    @Test func anOrderNamesEachNetworkOfThePhoneOnce() {
        func faults(_ order: String) -> [String] {
            let loaded = Self.load("{at: 1m, screen: off}", more: ", prefers: \(order)")
            return loaded.faults.sorted.map { "\($0.message) | \($0.label)" }
        }
        let (twice, absent) = ("each network once", "add one under phone: radios:")
        #expect(faults("[cellular]").isEmpty)
        #expect(faults("[cellular, cellular]") == ["`cellular` twice in `prefers` | \(twice)"])
        #expect(faults("[cellular, wifi]") == ["the phone has no wifi radio | \(absent)"])
        #expect(
            faults("[wifi, wifi]").sorted()
                == ["`wifi` twice in `prefers` | \(twice)", "the phone has no wifi radio | \(absent)"])
    }

    private static let tales: [(String, String, [ConditionChange])] = [
        (
            "{at: 5m, kill: app}, {at: 6m, app: foreground}", "platform: android-15, ",
            [.kill, .app(foreground: true)]
        ),
        (
            "{at: 1m, screen: off}, {at: 5m, kill: force-stop}, {at: 6m, app: foreground}", "platform: ios-18, ",
            [.screen(false), .forceStop, .app(foreground: true)]
        ),
        (
            "{at: 1m, screen: off}, {at: 30m, screen: on}, {at: 31m, app: foreground}",
            "platform: android-oem-killer, ", [.screen(false), .screen(true), .app(foreground: true)]
        ),
        (
            "{at: 1m, data-saver: on, app-restriction: on}", "platform: android-15, ",
            [.dataSaver(true), .restriction(true)]
        ),
        (
            "{at: 1m, battery-saver: on, alarm-clock: 7h}", "platform: android-15, ",
            [.saving(true), .alarmClock(.zero + .hours(7))]
        ),
        (
            "{at: 0s, screen: on, motion: still, charging: off}, {at: 1m, app: background}", "platform: android-9, ",
            [.app(foreground: false)]
        ),
    ]

    /// Broken: a scenario cannot express that an app is killed and opened again.
    @Test(arguments: tales)
    func killAndReopenCanBeExpressed(timeline: String, platform: String, changes: [ConditionChange]) throws {
        let loaded = Self.load(timeline, platform: platform)
        #expect(faultTexts(loaded) == "")
        let world = try #require(loaded.scenarios.first).world
        #expect(world.timeline.map(\.change).filter { $0 != .pathUp(.cellular, .plain) } == changes)
    }

    /// Broken: a user's interval beside a preset is ignored on cellular.
    @Test(
        arguments: [
            ("preset: push-service", 15, 28), ("preset: push-service, every: 5m", 5, nil),
            ("preset: push-service, every: 5m, every-on-cellular: 7m", 5, 7),
            ("preset: push-service, every-on-cellular: 7m", 15, 7),
        ] as [(String, Int64, Int64?)])
    func aCustomIntervalAppliesOnAllNetworks(text: String, usual: Int64, cellular: Int64?) throws {
        let loaded = Self.load("{at: 1m, screen: off}", more: ", apps: {push: {\(text)}}")
        let tenant = try #require(loaded.scenarios.first?.world.otherApps.first)
        #expect(tenant.gap == .constant(TimeSpan.minutes(usual).nanoseconds))
        #expect(tenant.cellularGap == cellular.map { .constant(TimeSpan.minutes($0).nanoseconds) })
    }
}
