import DeadzoneBase
import DeadzoneDevice
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

/// The setting `phone: {platform: …}`.
@Suite struct PlatformTests {
    private func scenario(_ platform: String) -> String {
        """
        version: 1
        name: Night
        duration: 8h
        phone: {platform: \(platform), radios: {cellular: test-lte}}
        strategies: {slow: {strategy: calm}}
        """
    }

    @Test(arguments: ShippedPlatform.all.map(\.name))
    func everyPlatformCanBeNamed(_ name: String) throws {
        /// Broken: a shipped platform cannot be named, is another one, or does not survive `--print-resolved`.
        let loaded = load(scenario(name))
        #expect(faultTexts(loaded) == "")
        let first = try #require(loaded.scenarios.first)
        #expect(first.world.platform == Platform.named(name))
        let again = try #require(load(first.resolved).scenarios.first)
        #expect(again.worldHash == first.worldHash)
    }

    @Test func customNumbersReplaceThoseOfTheProfile() throws {
        /// Broken: a number is assigned to another setting, or does not change the world hash.
        let plain = try #require(load(scenario("android-15")).scenarios.first)
        let spelled = try #require(load(scenario("{profile: android-15, doze.deep.idle: 60m}")).scenarios.first)
        #expect(spelled.worldHash == plain.worldHash)
        let text = "{profile: android-15, standby: rare, doze.deep.idle: 30m, alarms.while-idle.count: unlimited, "
        let loaded = load(scenario(text + "life.suspends-after: never, processor.power: 200mW, processor.wake-up: 1J}"))
        #expect(faultTexts(loaded) == "")
        let own = try #require(loaded.scenarios.first)
        let platform = try #require(own.world.platform)
        #expect(platform.standby.pinned == .rare)
        #expect(platform.doze.idle == .minutes(30))
        #expect(platform.alarms.whileIdle.count == .max)
        #expect(platform.life.suspendsAfter == .longest)
        #expect(platform.wakePower == .milliwatts(200))
        #expect(platform.wakeEnergy == Energy(femtojoules: 1_000_000_000_000_000))
        #expect(own.worldHash != plain.worldHash)
        let again = try #require(load(own.resolved).scenarios.first)
        #expect(again.worldHash == own.worldHash)
    }

    @Test(arguments: [
        ("android-51", "unknown platform"), ("{profile: android-15, standby: seldom}", "unknown word"),
        ("{profile: android-15, doze.deep.idle: 0s}", "out of range"),
        ("{profile: ios-18, doze.deep.idle: 1h}", "unknown setting"), ("{standby: rare}", "`profile` is missing"),
    ])
    func mistakesAreReported(_ platform: String, _ message: String) {
        /// Broken: a mistake is accepted, or is reported as a different one.
        #expect(faultTexts(load(scenario(platform))).contains(message))
    }

    @Test(arguments: ShippedPlatform.all.map(\.name))
    func everyNumberHasASourceOrIsAssumed(_ name: String) throws {
        /// Broken: a number without a source is not marked as an assumption.
        let shipped = try #require(ShippedPlatform.all.first { $0.name == name })
        #expect(shipped.sheet.numbers.count > 10)
        for number in shipped.sheet.numbers {
            #expect(!number.source.isEmpty || number.trust.isAssumption, "\(number.parameter)")
            #expect(!number.value.isEmpty, "\(number.parameter)")
        }
    }
}
