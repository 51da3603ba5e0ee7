import DeadzonePrimitives
import DeadzoneScenarios
import DeadzoneSettings
import DeadzoneTransport
import DeadzoneWorld
import Testing

/// When users say something.
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
        return ScenarioLoader(testVocabulary) { _ in .failure(FileTrouble("no such file")) }
            .load(Array(text.utf8), name: "hours.yaml")
    }

    private func minutes(_ stream: TrafficStream?) -> [[Int64]] {
        (stream?.stretches ?? []).map { [$0.from, $0.until].map { ($0 - Instant.zero).nanoseconds / 60_000_000_000 } }
    }

    /// Broken: what is said in front only is said elsewhere, or not at all; a stream that says nothing of it goes on.
    @Test func whatIsSaidInFront() throws {
        let timeline =
            "{at: 5m, app: background}, {at: 10m, app: foreground}, {at: 20m, screen: off}, {at: 22m, app: background}, "
            + "{at: 30m, screen: on}, {at: 40m, app: foreground}, {at: 50m, kill: app}, {at: 55m, app: foreground}"
        let loaded = Self.load(
            "up: {every: 10s, size: 1B, from: 2m, until: 58m, while: foreground}, "
                + "calls: {every: 10s, size: 1B, answer: 1B}, down: {every: 10s, size: 1B}", timeline)
        #expect(faultTexts(loaded) == "")
        let traffic = try #require(loaded.scenarios.first).world.traffic
        #expect(minutes(traffic.up) == [[2, 5], [10, 20], [40, 50], [55, 58]])
        #expect(minutes(traffic.calls) == [[0, 60]] && minutes(traffic.down) == [[0, 60]])
    }

    /// Broken: streams that follow each other are one of them, or come again when the resolved text is read.
    @Test func streamsThatFollowEachOther() throws {
        let loaded = Self.load("down: [{every: 1m, until: 20m, size: 3B}, {every: 5m, from: 30m, size: 3B}]")
        #expect(faultTexts(loaded) == "")
        let first = try #require(loaded.scenarios.first)
        #expect(minutes(first.world.traffic.down) == [[0, 20], [30, 60]])
        #expect(
            first.world.traffic.down?.stretches.map(\.gap) == [.constant(60_000_000_000), .constant(300_000_000_000)])
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileTrouble("no such file")) }
            .load(Array(first.resolved.utf8), name: "again.yaml")
        #expect(faultTexts(again) == "" && again.scenarios.first?.worldHash == first.worldHash)
        let other = Self.load("down: [{every: 1m, until: 20m, size: 3B}, {every: 6m, from: 30m, size: 3B}]")
        #expect(other.scenarios.first?.worldHash != first.worldHash)
    }

    /// Broken: streams of other sizes, times or manners are taken for one, or are other streams when the resolved text is read.
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
        #expect(up.later.isEmpty && up.beside.count == 2 && up.beside[1].size == .constant(7))
        #expect(minutes(up.beside[1]) == [[0, 60]])
        #expect(minutes(up)[0][1] == (streams.contains("while") ? 3 : streams.contains("until") ? 5 : 60))
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileTrouble("no such file")) }
            .load(Array(first.resolved.utf8), name: "again.yaml")
        #expect(faultTexts(again) == "" && again.scenarios.first?.worldHash == first.worldHash)
    }

    /// Broken: what cannot be is taken for something.
    @Test(
        arguments: [
            ("up: {every: 1m, size: 1B, while: foreground}", "{at: 0s, app: background}", "never in front"),
            (
                "up: [{every: 1m, size: 1B}, {every: 1m, size: 2B, while: foreground}]", "{at: 0s, app: background}",
                "never in front"
            ),
            ("up: [{every: 3ms, size: 1B}, {every: 1m, size: 1B}]", "", "in streams side by side"),
        ])
    func whatCannotBe(_ traffic: String, _ timeline: String, _ message: String) {
        let faults = Self.load(traffic, timeline).faults.sorted
        #expect(faults.count == 1 && faults[0].message.contains(message), "\(faults.map(\.message))")
    }
}
