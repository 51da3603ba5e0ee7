import DeadzoneBase
import Testing
@testable import DeadzoneScenarios

/// The test vocabulary with additional presets.
private let vocabulary = Vocabulary(
    strategies: testVocabulary.strategies,
    presets: [
        PresetText(
            name: "drowsy",
            text: """
                version: 1
                strategy: calm
                family: Sleepers
                about: Rarely stirs. And more.
                source: ["a book", 'a "note" # with a hash']
                limits: [dreams]
                ping: 5m               # page 7
                backoff:
                  base: 2s             # page 8,
                                       # and page 9
                  jitter: none
                """),
        PresetText(name: "asleep", text: "strategy: drowsy\nabout: Never stirs.\nbackoff: {base: ~, multiplier: 300%}"),
        PresetText(name: "round", text: "strategy: robin"), PresetText(name: "robin", text: "strategy: round"),
        PresetText(name: "lost", text: "strategy: clam"), PresetText(name: "broken", text: "strategy: calm\npnig: 5m"),
        PresetText(name: "empty", text: "ping: 5m"), PresetText(name: "torn", text: "{"),
    ],
    metrics: testVocabulary.metrics, profiles: testVocabulary.profiles, readProfile: testVocabulary.readProfile)

private func read(_ strategies: String, files: [String: String] = [:]) -> LoadedScenarios {
    let text = """
        version: 1
        name: Presets
        duration: 1m
        phone: {radios: {wifi: test-wifi}}
        strategies:
        """
    return ScenarioLoader(vocabulary) { path in
        files[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("no such file"))
    }.load(Array((text + "\n" + strategies + "\n").utf8), name: "dir/test.yaml")
}

@Suite struct PresetTests {
    @Test(arguments: [
        ("{strategy: drowsy}", "{strategy: calm, ping: 5m, backoff: {base: 2s, jitter: none}}"),
        ("{preset: drowsy}", "{strategy: calm, ping: 5m, backoff: {base: 2s, jitter: none}}"),
        ("{strategy: drowsy, ping: 1m}", "{strategy: calm, ping: 1m, backoff: {base: 2s, jitter: none}}"),
        (
            "{strategy: drowsy, backoff: {jitter: full}}",
            "{strategy: calm, ping: 5m, backoff: {base: 2s, jitter: full}}"
        ),
        ("{strategy: drowsy, backoff: ~}", "{strategy: calm, ping: 5m}"),
        ("{strategy: asleep}", "{strategy: calm, ping: 5m, backoff: {multiplier: 300%, jitter: none}}"),
        ("{strategy: ./mine.yaml}", "{strategy: calm, ping: 7m, backoff: {base: 2s, jitter: none}}"),
        ("{strategy: sub/his.yaml, ping: 9m}", "{strategy: calm, ping: 9m, backoff: {base: 2s, jitter: none}}"),
        ("{strategy: calm}", "{strategy: calm}"),
    ])
    func aPresetEqualsItsExpansion(_ short: String, _ long: String) throws {
        // Broken: a preset does not equal the settings in its file, overlaid with the user's settings.
        let files = [
            "dir/mine.yaml": "strategy: drowsy\nping: 7m\n", "dir/sub/his.yaml": "strategy: ../mine.yaml\nabout: his\n",
        ]
        let loaded = read("  a: \(short)\n  b: \(long)", files: files)
        #expect(faultTexts(loaded) == "")
        let scenario = try #require(loaded.scenarios.first)
        #expect(scenario.strategies[0].hash == scenario.strategies[1].hash)
        #expect(scenario.strategies.count == 2)
        // The canonical text contains no preset name, so it stays valid when a preset changes.
        #expect(scenario.resolved.contains("strategy: calm") && !scenario.resolved.contains("drowsy"))
        #expect(testVocabulary.presets.isEmpty)
        let again = ScenarioLoader(testVocabulary) { _ in .failure(FileError("not read")) }
            .load(Array(scenario.resolved.utf8), name: "resolved")
        #expect(again.scenarios.first?.strategies.map(\.hash) == scenario.strategies.map(\.hash))
    }

    @Test(arguments: [
        ("{strategy: drowsy, pnig: 1m}", "E0104", "dir/test.yaml:6:", "did you mean `ping`?"),
        ("{strategy: drowsy, ping: 1}", "E0105", "dir/test.yaml:6:", "write 1s"),
        ("{strategy: drosy}", "E0202", "dir/test.yaml:6:", "did you mean `drowsy`?"),
        ("{strategy: broken}", "E0104", "preset broken:2:1", "did you mean `ping`?"),
        ("{strategy: lost}", "E0202", "preset lost:1:", "did you mean `calm`?"),
        ("{strategy: round}", "E0209", "preset robin:1:", "preset round is based on preset robin"),
        ("{strategy: empty}", "E0", "preset empty:1:", "a preset names the strategy that it configures"),
        ("{strategy: ./none.yaml}", "E0202", "dir/test.yaml:6:", "no such file"),
        ("{strategy: ./list.yaml}", "E0102", "dir/test.yaml:6:", "it begins with `strategy"),
        ("{strategy: drowsy, preset: drowsy}", "E0", "dir/test.yaml:6:", "one of them is enough"),
    ])
    func faultsPointAtTheFaultyFile(_ entry: String, _ code: String, _ place: String, _ word: String) {
        // Broken: a fault in a preset is reported at the user's line, or the user's fault in the preset.
        let text = faultTexts(read("  a: \(entry)", files: ["dir/list.yaml": "[1]"]))
        #expect(text.contains("error[\(code)") && text.contains(place) && text.contains(word), "\(text)")
    }

    @Test(arguments: [
        ("./none.yaml", "cannot read `dir/none.yaml`: no such file"),
        ("./list.yaml", "`./list.yaml` contains no preset"),
        ("./story.yaml", "`./story.yaml` is a scenario, not a strategy"),
        ("./clients.yaml", "`./clients.yaml` is a file of clients, not a strategy"),
    ])
    func anUnusablePresetFileIsOneFault(_ file: String, _ message: String) {
        // Broken: the name of a file that cannot be read is also reported as an unknown strategy, or a scenario in place
        // of a preset is only said to lack `strategy`.
        let clients = "strategies: {mine: {strategy: calm}}\n"
        let files = [
            "dir/list.yaml": "[1]", "dir/story.yaml": "version: 1\nduration: 1h\n" + clients,
            "dir/clients.yaml": clients,
        ]
        let faults = read("  a: {strategy: \(file)}", files: files).faults.sorted
        #expect(faults.map(\.message) == [message])
        #expect(!message.contains("not a strategy") || faults[0].help.contains("its strategies: mine;"))
    }

    @Test func aMatrixMayChoosePresets() throws {
        // Broken: a preset is looked up before the matrix has substituted its name.
        let loaded = read(
            "  a: {strategy: \"${client}\"}\nmatrix: {client: [drowsy, calm, ./mine.yaml]}",
            files: ["dir/mine.yaml": "strategy: drowsy\n"])
        #expect(faultTexts(loaded) == "")
        let hashes = loaded.scenarios.map { $0.strategies[0].hash }
        #expect(hashes.count == 3 && hashes[0] == hashes[2] && hashes[0] != hashes[1])
    }

    @Test func aPresetIsNotAScenario() {
        // Broken: `lint` on a preset reports all missing keys of a scenario.
        let loaded = read("", files: [:])
        #expect(!loaded.faults.isEmpty)
        let preset = ScenarioLoader(vocabulary) { _ in .failure(FileError("not read")) }
            .load(Array("strategy: calm\n".utf8), name: "mine.yaml")
        #expect(preset.faults.sorted.map(\.message) == ["this is a preset, not a scenario"])
    }

    @Test func aDescriptionHasEveryParameterWithItsSource() throws {
        // Broken: `explain` omits a number, or presents a default as set by the preset.
        let reading = PresetDescription.read(vocabulary.presets[1], vocabulary)
        let sheet = try #require(reading.sheet)
        #expect(sheet.strategy == "calm" && sheet.about == "Never stirs." && sheet.family == "yours")
        #expect(sheet.sources == ["a book", "a \"note\" # with a hash"] && sheet.limits == ["dreams"])
        let rows = sheet.parameters.map { "\($0.name) \($0.value) \($0.isOwn) \($0.note)" }
        #expect(
            rows == [
                "backoff.base 500ms false ", "backoff.jitter none true ", "backoff.multiplier 300% true ",
                "ping 5m true page 7",
            ])
        let below = try #require(PresetDescription.read(vocabulary.presets[0], vocabulary).sheet)
        #expect(below.parameters.first?.note == "page 8, and page 9")
        #expect(PresetDescription.read(vocabulary.presets[5], vocabulary).sheet == nil)
    }

    @Test(arguments: ["\"", "'"])
    func aHashInQuotesIsNoComment(_ quote: String) throws {
        // Broken: the comment of a parameter begins at a `#` inside of a quoted text on the same line.
        let preset = PresetText(
            name: "flowing", text: "{strategy: calm, about: \(quote)Dream # 1.\(quote), ping: 5m}  # page 7")
        let flowing = Vocabulary(
            strategies: testVocabulary.strategies, presets: [preset], metrics: testVocabulary.metrics,
            profiles: testVocabulary.profiles, readProfile: testVocabulary.readProfile)
        let sheet = try #require(PresetDescription.read(preset, flowing).sheet)
        #expect(sheet.about == "Dream # 1.")
        #expect(sheet.parameters.first { $0.name == "ping" }?.note == "page 7")
    }

    @Test func aStrategyHasThePresetsThatAreBasedOnIt() {
        // Broken: the schema lists a preset under a strategy that it is not based on.
        let presets = Dictionary(
            uniqueKeysWithValues: vocabulary.strategyVariants.map { ($0.name, Set($0.presets().map(\.name))) })
        #expect(presets["calm"]?.isSuperset(of: ["drowsy", "asleep"]) == true)
        #expect(presets["calm"]?.isDisjoint(with: ["round", "robin", "lost", "empty", "torn"]) == true)
        #expect(presets["hasty"] == [])
    }

    @Test func theSchemaContainsPresetNames() {
        // Broken: an editor marks a valid preset or one of its settings as an error.
        let schema = scenarioSchema(vocabulary)
        #expect(schema.contains("\"drowsy\"") && schema.contains("\"asleep\"") && !schema.contains("\"robins\""))
        #expect(schema.contains("\\\\.ya?ml$"))
    }
}
