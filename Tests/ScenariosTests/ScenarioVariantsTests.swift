import DeadzoneBase
import DeadzoneSimulator
import Testing

@testable import DeadzoneScenarios

/// Scenarios that are read from one file with settings over its own.
@Suite struct ScenarioVariantsTests {
    private func variants(_ text: String, files: [String: String] = [:]) -> ScenarioVariants {
        let loader = ScenarioLoader(testVocabulary) { path in
            files[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("no such file"))
        }
        return ScenarioVariants(loader, Array(text.utf8), name: "dir/test.yaml")
    }

    private func node(_ text: String) throws -> Node { try #require(compose(Array(text.utf8)).node) }

    /// Broken: a variant differs from the same settings in a file, so that a hunt reports a world that users cannot
    /// run.
    @Test(arguments: [
        ("{duration: 5m}", 300), ("{phones: 3, replicas: 2}", 600), ("{matrix: {duration: [7m]}}", 420), ("{}", 600),
    ])
    func aVariantEqualsTheFileWithItsSettings(settings: String, seconds: Int64) throws {
        let variants = variants(small)
        // The file is read once, so a variant must not remember the settings of the one before.
        for text in ["{duration: 1m}", settings, settings] {
            let overrides = try node(text)
            let found = try #require(variants.scenario(overrides))
            let loader = ScenarioLoader(testVocabulary) { _ in .failure(FileError("no such file")) }
            let loaded = loader.load(Array(small.utf8), name: "dir/test.yaml", overrides: overrides)
            let expected = try #require(loaded.scenarios.first)
            #expect(differences(expected.world, found.world) == "", "\(text)")
            #expect(found.resolved == expected.resolved && found.worldHash == expected.worldHash, "\(text)")
            #expect(found.name == expected.name && found.replicas == expected.replicas, "\(text)")
            if text == settings { #expect(found.world.horizon == .zero + .seconds(seconds)) }
        }
    }

    /// Broken: a hunt runs one cell of several, or a scenario with a fault.
    @Test(arguments: [
        "{duration: 0s}", "{duration: [5m]}", "{matrix: {duration: [5m, 6m]}}", "{matrix: {duration: [5m, 0s]}}",
        "{matrix: {duration: [0s, 5m]}}", "{durationn: 5m}", "{strategies: ~}",
    ])
    func onlyOneSoundScenarioIsAVariant(settings: String) throws {
        #expect(try variants(small).scenario(node(settings)) == nil)
        #expect(try variants(small).scenario(node("{duration: 5m}")) != nil)
    }

    /// Broken: a file with a fault, or one that extends a file with a fault, has variants.
    @Test func aFileWithAFaultHasNoVariants() throws {
        let files = [
            "dir/sound.yaml": "duration: 4m", "dir/torn.yaml": "{", "dir/twice.yaml": "duration: 4m\nduration: 5m",
        ]
        let none = try node("{}")
        for (line, isSound) in [
            ("extends: sound.yaml", true), ("extends: torn.yaml", false), ("extends: twice.yaml", false),
            ("extends: nowhere.yaml", false), ("seed: 3", true), ("seed: 3\nseed: 4", false), ("{", false),
        ] {
            let found = variants(small + line + "\n", files: files).scenario(none)
            #expect((found != nil) == isSound, "\(line)")
        }
        #expect(variants("").scenario(none) == nil)
    }
}
