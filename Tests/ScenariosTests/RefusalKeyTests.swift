import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

/// Servers that refuse messages: the settings, and worlds in which they would do nothing.
@Suite struct RefusalKeyTests {
    private func load(_ text: String) -> LoadedScenarios {
        let head = """
            version: 1
            name: Refusals
            duration: 45m
            phone: {radios: {wifi: test-wifi}}
            strategies: {calm: {strategy: calm}}

            """
        let loader = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
        return loader.load(Array((head + text).utf8), name: "stories/refusals.yaml")
    }

    /// Broken: a share or the lock is read as another one, or a server without the setting refuses messages.
    @Test func readsTheErrorsOfMessages() throws {
        let text =
            "server: {acks: {}, errors: {messages: {transient: 10%, permanent: 1%, locked: 60s}}}\ntraffic: {up: {every: 1m, size: 1B}}"
        let loaded = load(text)
        #expect(loaded.faults.sorted.map(\.message) == [])
        let faults = try #require(loaded.scenarios.first?.world.server.faults.messages)
        #expect(faults.transient == Probability(1, of: 10) && faults.permanent == Probability(1, of: 100))
        #expect(faults.lock == .seconds(60))
        let calm = load("server: {acks: {}}\ntraffic: {up: {every: 1m, size: 1B}}")
        #expect(try #require(calm.scenarios.first).world.server.faults.messages == nil)
    }

    /// Broken: a setting that does nothing in this world is accepted in silence.
    @Test(arguments: [
        ("server: {errors: {messages: {transient: 10%}}}\ntraffic: {up: {every: 1m, size: 1B}}", "without `acks`"),
        ("server: {acks: {}, errors: {messages: {transient: 10%}}}", "an app that sends none"),
    ])
    func refusesErrorsWithoutEffect(text: String, message: String) {
        let messages = load(text).faults.sorted.map(\.message)
        #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
    }
}
