import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTransport
import Testing

/// Traffic keys: when an app sends messages.
@Suite struct TrafficKeyTests {
    private static func load(_ traffic: String, _ timeline: String = "") -> LoadedScenarios {
        let text = """
            version: 1
            name: Hours
            duration: 1h
            phone: {platform: android-15, radios: {cellular: test-lte}}
            timeline: [\(timeline)]
            traffic: {\(traffic)}
            strategies: {a: {strategy: calm}}
            """
        return ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
            .load(Array(text.utf8), name: "hours.yaml")
    }

    private func minutes(_ stream: TrafficStream?) -> [[Int64]] {
        (stream?.periods ?? []).map { [$0.from, $0.until].map { ($0 - Instant.zero).nanoseconds / 60_000_000_000 } }
    }

    /// Broken: foreground traffic is sent in the background, or not at all; or a stream without `while` is limited.
    @Test func foregroundTraffic() throws {
        let loaded = Self.load(
            "up: {every: 10s, size: 1B, from: 2m, until: 58m, while: foreground}, "
                + "calls: {every: 10s, size: 1B, answer: 1B}, down: {every: 10s, size: 1B}", Self.upAndDown)
        #expect(faultTexts(loaded) == "")
        let traffic = try #require(loaded.scenarios.first).world.traffic
        #expect(minutes(traffic.up) == [[2, 5], [10, 20], [40, 50], [55, 58]])
        #expect(minutes(traffic.calls) == [[0, 60]] && minutes(traffic.down) == [[0, 60]])
    }

    private static let upAndDown =
        "{at: 5m, app: background}, {at: 10m, app: foreground}, {at: 20m, screen: off}, {at: 22m, app: background}, "
        + "{at: 30m, screen: on}, {at: 40m, app: foreground}, {at: 50m, kill: app}, {at: 55m, app: foreground}"

    /// Broken: background traffic is sent in the foreground too, or not while the app is open and the screen is off.
    @Test func backgroundTraffic() throws {
        let loaded = Self.load(
            "up: {every: 10s, size: 1B, from: 7m, until: 54m, while: background}, "
                + "calls: {at: [6m, 12m, 21m, 45m], size: 1B, answer: 1B, while: background}", Self.upAndDown)
        #expect(faultTexts(loaded) == "")
        let traffic = try #require(loaded.scenarios.first).world.traffic
        #expect(minutes(traffic.up) == [[7, 10], [20, 40], [50, 54]])
        #expect(traffic.calls?.recordedTimes == [6, 21].map { Instant.zero + .minutes($0) })
    }

    /// Broken: a stream flows at times when some phones are in the other state, because of random times or entries for
    /// a subset.
    @Test(
        arguments: [
            // Random times.
            (
                "{at: {uniform: [5m, 15m]}, app: background}, {at: {uniform: [40m, 45m]}, app: foreground}",
                [[0, 5], [45, 60]], [[15, 40]]
            ),
            (
                "{at: 5m, app: background}, {at: {uniform: [10m, 20m]}, screen: off}, "
                    + "{at: {uniform: [30m, 35m]}, app: foreground}, {at: {uniform: [40m, 50m]}, screen: on}",
                [[0, 5], [50, 60]], [[5, 40]]
            ),
            // The set of killed phones is random.
            ("{at: 8m, kill: app, phones: 30%}, {at: 20m, app: foreground}", [[0, 8], [20, 60]], []),
            (
                "{at: 8m, kill: app, phones: 30%}, {at: 12m, screen: off}, {at: 30m, screen: on}",
                [[0, 8]], [[12, 30]]
            ),
            ("{at: 5m, app: background}, {at: 8m, kill: app, phones: 30%}", [[0, 5]], [[5, 60]]),
        ] as [(String, [[Int64]], [[Int64]])])
    func streamsWaitUntilAllPhonesAgree(_ timeline: String, _ inFront: [[Int64]], _ behind: [[Int64]]) throws {
        for (word, expected) in [("foreground", inFront), ("background", behind)] {
            let loaded = Self.load("up: {every: 10s, size: 1B, while: \(word)}", timeline)
            #expect(expected.isEmpty != (faultTexts(loaded) == ""))
            #expect(minutes(loaded.scenarios.first?.world.traffic.up) == expected, "\(word)")
        }
    }

    /// Broken: call streams lose a stream or its answer, or are merged although only their answers differ. Or they
    /// change when the resolved text is read, or a list of one stream changes the world hash.
    @Test func callsSideBySide() throws {
        let one = "{every: 1m, size: 1B, answer: 5B, until: 10m}"
        func world(_ calls: String) throws -> Scenario {
            let loaded = Self.load("calls: \(calls)", Self.upAndDown)
            #expect(faultTexts(loaded) == "")
            return try #require(loaded.scenarios.first)
        }
        let alone = try world(one)
        #expect(try world("[\(one)]").worldHash == alone.worldHash)
        let following = try world("[\(one), {every: 2m, size: 1B, answer: 5B, from: 10m}]").world.traffic
        #expect(minutes(following.calls) == [[0, 10], [10, 60]] && following.parallelAnswers.isEmpty)
        let behind = "{every: 2m, size: 1B, answer: 6B, from: 10m, while: background}"
        let several = try world("[\(one), \(behind)]")
        let traffic = several.world.traffic
        #expect(traffic.answer == .constant(5) && traffic.parallelAnswers == [.constant(6)])
        #expect(traffic.calls?.parallelStreams.count == 1 && minutes(traffic.calls) == [[0, 10]])
        #expect(minutes(traffic.calls?.parallelStreams.first) == [[20, 40], [50, 55]])
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
            .load(Array(several.resolved.utf8), name: "again.yaml")
        #expect(faultTexts(again) == "" && again.scenarios.first?.worldHash == several.worldHash)
        let other = try world("[\(one), \(behind.replacing("6B", with: "7B"))]")
        #expect(other.worldHash != several.worldHash)
    }

    /// Broken: consecutive streams become one stream, or are doubled when the resolved text is read.
    @Test func streamsThatFollowEachOther() throws {
        let loaded = Self.load("down: [{every: 1m, until: 20m, size: 3B}, {every: 5m, from: 30m, size: 3B}]")
        #expect(faultTexts(loaded) == "")
        let first = try #require(loaded.scenarios.first)
        #expect(minutes(first.world.traffic.down) == [[0, 20], [30, 60]])
        #expect(
            first.world.traffic.down?.periods.map(\.gap) == [.constant(60_000_000_000), .constant(300_000_000_000)])
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
            .load(Array(first.resolved.utf8), name: "again.yaml")
        #expect(faultTexts(again) == "" && again.scenarios.first?.worldHash == first.worldHash)
        let other = Self.load("down: [{every: 1m, until: 20m, size: 3B}, {every: 6m, from: 30m, size: 3B}]")
        #expect(other.scenarios.first?.worldHash != first.worldHash)
    }

    /// Broken: streams with other sizes, times or arrivals are merged, or change when the resolved text is read.
    @Test(
        arguments: [
            "{every: 1m, size: 1B}, {every: 1m, size: 1B, from: 5m}",
            "{every: 1m, size: 1B, until: 5m}, {every: 1m, size: 2B, from: 5m}",
            "{every: 1m, size: 1B, until: 5m}, {at: [6m], size: 1B}",
            "{every: 1m, size: 1B, until: 5m, while: foreground}, {every: 1m, size: 1B, from: 5m}",
        ])
    func streamsSideBySide(_ streams: String) throws {
        let loaded = Self.load("up: [\(streams), {every: 9m, size: 7B}]", "{at: 3m, app: background}")
        #expect(faultTexts(loaded) == "")
        let first = try #require(loaded.scenarios.first)
        let up = try #require(first.world.traffic.up)
        #expect(up.laterPeriods.isEmpty && up.parallelStreams.count == 2 && up.parallelStreams[1].size == .constant(7))
        #expect(minutes(up.parallelStreams[1]) == [[0, 60]])
        #expect(minutes(up)[0][1] == (streams.contains("while") ? 3 : streams.contains("until") ? 5 : 60))
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
            .load(Array(first.resolved.utf8), name: "again.yaml")
        #expect(faultTexts(again) == "" && again.scenarios.first?.worldHash == first.worldHash)
    }

    /// Broken: an impossible stream is accepted.
    @Test(
        arguments: [
            ("up: {every: 1m, size: 1B, while: foreground}", "{at: 0s, app: background}", "never in the foreground"),
            (
                "up: [{every: 1m, size: 1B}, {every: 1m, size: 2B, while: foreground}]", "{at: 0s, app: background}",
                "never in the foreground"
            ),
            ("up: [{every: 3ms, size: 1B}, {every: 1m, size: 1B}]", "", "messages in parallel streams"),
            (
                "calls: [{every: 3ms, size: 1B, answer: 1B}, {every: 1m, size: 1B, answer: 1B}]", "",
                "calls in parallel streams"
            ),
            ("up: {every: 1m, size: 1B, while: background}", "", "`while: background` for an app that is then always"),
            (
                "calls: {at: [1m], size: 1B, answer: 1B, while: background}", "{at: 5m, app: background}",
                "always in the foreground"
            ),
        ])
    func impossibleStreamsAreRejected(_ traffic: String, _ timeline: String, _ message: String) {
        let faults = Self.load(traffic, timeline).faults.sorted
        #expect(faults.count == 1 && faults[0].message.contains(message), "\(faults.map(\.message))")
    }
}
