import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

/// The key `starts`, and times of day in the rest of a scenario.
@Suite struct TimeOfDayKeyTests {
    private static func load(_ starts: String, _ times: [String], more: String = "") -> LoadedScenarios {
        ScenariosTests.load(
            """
            version: 1
            name: Shift
            \(starts)duration: 40h
            phones: 4
            phone: {platform: android-15, radios: {wifi: test-wifi, cellular: test-lte}}
            timeline:
              - {at: \(times[0]), handoff: cellular}
              - {at: {uniform: [\(times[1]), \(times[2])]}, handoff: wifi}
              - {at: \(times[3]), dead-zone: 1m, repeat: {every: 1h, times: 3}}
              - {at: 1m, alarm-clock: \(times[4])}
            traffic:
              up: {every: 5m, size: 1B, from: \(times[5]), until: \(times[6])}
              down: {at: [\(times[7]), \(times[8])], size: 1B}
            \(more)
            strategies: {slow: {strategy: calm}}
            """)
    }

    private static let days = ["07:50", "17:30", "18:00", "31:00", "30:15:30", "09:00", "17:00", "07:00:01", "46:00"]
    private static let spans = ["50m", "10h30m", "11h", "24h", "23h15m30s", "2h", "10h", "1s", "39h"]

    /// Broken: a time of day is another moment than the same time from the start, in any of its places.
    @Test(arguments: ["", "population: {a: {share: 50%}, b: {share: 50%, timeline: [{at: 20:00, dead-zone: 1m}]}}"])
    func bothNotationsAreOneWorld(_ more: String) throws {
        let day = Self.load("starts: 07:00\n", Self.days, more: more)
        let plain = Self.load("", Self.spans, more: more.replacing("20:00", with: "13h"))
        #expect(faultTexts(day) == "" && faultTexts(plain) == "")
        let (first, second) = (try #require(day.scenarios.first), try #require(plain.scenarios.first))
        #expect(first.worldHash == second.worldHash)
        #expect(first.world.timeline == second.world.timeline)
        #expect(first.startOfDay == .hours(7) && second.startOfDay == nil)
        // The resolved text keeps the start, and has all other times from the start.
        #expect(first.resolved.replacing("starts: \"07:00\"\n", with: "") == second.resolved)
        #expect(first.conditions[0].text == "{at: \"07:50\", handoff: cellular}")
    }

    /// Broken: a time before the start is read, or a message counts from the start where the file has times of day.
    @Test func faultsNameTimesOfDay() {
        var times = Self.days
        times[3] = "06:00"
        #expect(faultTexts(Self.load("starts: 07:00\n", times)).contains("`06:00` is before the start at 07:00"))
        times[3] = "47:30"
        #expect(
            faultTexts(Self.load("starts: 07:00\n", times)).contains(
                "it would come at 47:30, when the scenario is over"))
        #expect(faultTexts(Self.load("", Self.days)).contains("`07:50` is ambiguous"))
    }

    /// Broken: an unreadable start makes every time of day a fault that asks for `starts`, or the states of the
    /// timeline are checked as if all entries were at the start.
    @Test(arguments: ["7am", "25:00", "7h"])
    func anUnreadableStartIsOneFault(_ text: String) {
        let loaded = Self.load("starts: \(text)\n", Self.days)
        #expect(loaded.faults.sorted.map(\.message) == ["`\(text)` is no time of day"], "\(faultTexts(loaded))")
    }
}
