import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

/// Servers that end streams while the connection lives: the settings, and worlds in which they would do nothing.
@Suite struct StreamKeyTests {
    private func load(_ text: String) -> LoadedScenarios {
        let head = """
            version: 1
            name: Streams
            duration: 45m
            phone: {radios: {wifi: test-wifi}}
            strategies: {calm: {strategy: calm}}

            """
        let loader = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
        return loader.load(Array((head + text).utf8), name: "stories/streams.yaml")
    }

    /// Broken: a share or the mean time is read as another one, or a server without the setting ends streams.
    @Test func readsTheFaultsOfStreams() throws {
        let loaded = load(
            """
            server: {streams: {ends-every: 10m, silent: 50%, refused: 10%, unanswered: 1%}}
            timeline: [{at: 1m, streams: ended}, {at: 2m, streams: lost}, {at: 3m, streams: {lost: 2}}, {at: 4m, streams: {ended: 3}}]
            """)
        #expect(loaded.faults.sorted.map(\.message) == [])
        let world = try #require(loaded.scenarios.first).world
        let rules = try #require(world.server.streams)
        #expect(rules.endsEvery == .minutes(10) && rules.silent == Probability(1, of: 2))
        #expect(rules.refused == Probability(1, of: 10) && rules.unanswered == Probability(1, of: 100))
        let ends = world.timeline.compactMap {
            if case .subscriptionsEnded(let end) = $0.change { "\(end.isSilent) \(end.count)" } else { nil }
        }
        #expect(ends == ["false 64", "true 64", "true 2", "false 3"])
        #expect(try #require(load("traffic: {}").scenarios.first).world.server.streams == nil)
    }

    /// Broken: a setting that does nothing in this world, or contradicts another one, is accepted in silence.
    @Test(arguments: [
        ("server: {streams: {silent: 10%}}", "without `ends-every`"),
        ("server: {streams: {}, slow-consumers: {conflate: {above: 1KiB}}}", "beside `conflate`"),
        ("server: {streams: {}}\ntimeline: [{at: 1m, streams: {}}]", "an end of no stream"),
    ])
    func refusesStreamsWithoutEffect(text: String, message: String) {
        let messages = load(text).faults.sorted.map(\.message)
        #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
    }
}
