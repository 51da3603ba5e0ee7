import DeadzoneBase
import DeadzoneScenarios
import DeadzoneSimulator
import DeadzoneTransport
import Synchronization
import Testing

@Test func aMatrixMakesAScenarioOfEveryCombination() throws {
    // Broken if cells are missing, are in another order, or do not differ in the axis values.
    let text =
        small.replacing("every: 20s", with: "every: \"${interval}\"") + """
            matrix:
              interval: [5s, 1680s]
              phone.radios.cellular: [test-lte, {profile: test-lte, promotion: 1ms}]

            """
    let loaded = load(text)
    #expect(faultTexts(loaded) == "")
    #expect(
        loaded.scenarios.map(\.name) == [
            "Small [interval=5s, phone.radios.cellular=test-lte]",
            "Small [interval=5s, phone.radios.cellular={profile: test-lte, promotion: 1ms}]",
            "Small [interval=1680s, phone.radios.cellular=test-lte]",
            "Small [interval=1680s, phone.radios.cellular={profile: test-lte, promotion: 1ms}]",
        ])
    #expect(
        loaded.scenarios.map(\.world.traffic.down?.gap) == [5, 5, 1680, 1680].map { .constant($0 * 1_000_000_000) })
    #expect(Set(loaded.scenarios.map(\.worldHash)).count == 4)
    let last = try #require(loaded.scenarios.last)
    #expect(load(last.resolved).scenarios.map(\.worldHash) == [last.worldHash])
    #expect(last.labels.map(\.axis) == ["interval", "phone.radios.cellular"])
}

@Test func cellsReadAProfileOnce() {
    // Broken if every cell of a matrix reads its radios again, or if two different radios are taken for one.
    let reads = Mutex(0)
    var vocabulary = testVocabulary
    vocabulary.readProfile = { settings in
        reads.withLock { $0 += 1 }
        return testVocabulary.readProfile(&settings)
    }
    func readings(_ axis: String) -> Int {
        reads.withLock { $0 = 0 }
        let loaded = ScenarioLoader(vocabulary) { _ in .failure(FileError("not read")) }
            .load(Array((small + "matrix:\n  \(axis)\n").utf8), name: "test.yaml")
        #expect(faultTexts(loaded) == "")
        #expect(Set(loaded.scenarios.map(\.worldHash)).count == 3)
        return reads.withLock { $0 }
    }
    let one = readings("duration: [1m, 2m, 3m]")
    #expect(one > 0)
    let three = readings(
        "phone.radios.cellular: [test-lte, {profile: test-lte, promotion: 1ms}, {profile: test-lte, promotion: 2ms}]")
    #expect(three == one + 2)
}

@Test func namedAxesCarrySeveralValues() throws {
    // Broken if one axis cannot change several settings and a bound that depends on them.
    let text =
        small.replacing("every: 20s", with: "every: \"${load.every}\"").replacing("300B", with: "\"${load.bytes}B\"")
            + """
            expect: {a: {battery.joules: "under ${load.joules}J"}}
            matrix:
              load:
                light: {every: 5m, bytes: 100, joules: 10}
                heavy: {every: 1s, bytes: 900, joules: 99}

            """
    let loaded = load(text)
    #expect(faultTexts(loaded) == "")
    #expect(loaded.scenarios.map(\.name) == ["Small [load=light]", "Small [load=heavy]"])
    #expect(loaded.scenarios.map(\.expectations[0].bound) == ["under 10J", "under 99J"])
    #expect(loaded.scenarios.map(\.world.traffic.down?.size) == [.constant(100), .constant(900)])
}

@Test(arguments: [
    ("matrix: {unused: [1s]}", "E0210"), ("matrix: [1]", "E0102"), ("matrix: {duration: []}", "E0210"),
    ("matrix: {duration: 1s}", "E0102"),
    ("matrix: {duration: [1s, 2]}", "E0105"), ("x: 1\nabout: ${who}", "E0104 E0212"),
    ("about: ${who}\nmatrix: {duration: [1s]}", "E0212"),
    ("about: {a: ${who}}", "E0004"), ("matrix: {a.b: [1, 2]}", "E0104"),
    ("matrix: {duration: [1s], replicas: [" + (1...1001).map(String.init).joined(separator: ",") + "]}", "E0211"),
])
func anInvalidMatrixIsRejected(_ matrix: String, _ expected: String) {
    // Broken if an axis that changes nothing, or far too many cells, are accepted.
    let loaded = load(small + matrix + "\n")
    #expect(
        Set(loaded.faults.sorted.map(\.code.rawValue)).sorted().joined(separator: " ") == expected,
        "\(faultTexts(loaded))")
}

@Test func expandingPlaceholdersAreLimited() {
    // Broken if values full of placeholders can make a small file grow without bound.
    var text = small + "x-all: [" + (0...30).map { "\"${a\($0)}\"" }.joined(separator: ",") + "]\nmatrix:\n"
    for level in 0..<30 {
        text += "  a\(level): [[" + Array(repeating: "\"${a\(level + 1)}\"", count: 20).joined(separator: ",") + "]]\n"
    }
    text += "  a30: [[1]]\n"
    #expect(load(text).faults.sorted.contains { $0.code == .matrixSize })
    let lines = (1..<4_000).map { "  - {at: \($0)ms, app: \($0 % 2 == 0 ? "fore" : "back")ground}\n" }.joined()
    let counts = (1...1_000).map(String.init).joined(separator: ",")
    let wide = small + "timeline:\n" + lines + "matrix: {replicas: [\(counts)]}\n"
    #expect(load(wide).faults.sorted.map(\.code) == [.matrixSize])
    // The maximum number of cells, and one more.
    for cells in [1_000, 1_001] {
        let loaded = load(small + "matrix: {replicas: [\((1...cells).map(String.init).joined(separator: ","))]}\n")
        #expect(loaded.faults.sorted.map(\.code) == (cells > 1_000 ? [.matrixSize] : []))
        #expect(loaded.scenarios.count == (cells > 1_000 ? 0 : cells))
    }
    let long =
        small + "about: \"" + String(repeating: "${w}", count: 20_000) + "\"\nmatrix: {w: ["
        + String(repeating: "x", count: 20_000) + "]}\n"
    #expect(load(long).faults.sorted.contains { $0.code == .matrixSize })
}

@Test func aFileOverridesTheFileThatItExtends() throws {
    // Broken if maps are replaced instead of merged, lists merged instead of replaced, or the wrong file is read.
    let base = small + "timeline: [{at: 1m, app: background}]\n"
    let loaded = load(
        "version: 1\nextends: ../base.yaml\nname: Upper\ntraffic: {down: {size: 1KiB}}\ntimeline: [{at: 2m, cell-handover: true}]\n",
        files: ["base.yaml": base])
    #expect(faultTexts(loaded) == "")
    let scenario = try #require(loaded.scenarios.first)
    #expect(scenario.name == "Upper")
    #expect(scenario.world.traffic.down?.size == .constant(1_024))
    #expect(scenario.world.traffic.down?.gap == .constant(20_000_000_000))
    #expect(scenario.world.timeline.map(\.at.nanoseconds) == [0, 120_000_000_000])
    #expect(loaded.files.map(\.name) == ["dir/test.yaml", "base.yaml", "profile test-lte"])
}

@Test func nullRemovesInheritedSettings() throws {
    // Broken if a file cannot remove a strategy, a stream or a whole section of the file that it extends.
    let base = small + "server: {accepts-per-second: 5}\nmatrix: {replicas: [1, 2]}\n"
    let loaded = load(
        "extends: base.yaml\ntraffic: {down: ~, up: {every: 1s, size: 1B}}\nstrategies: {a: null, b: {strategy: hasty}}\nserver: ~\nmatrix:\n",
        files: ["dir/base.yaml": base])
    #expect(faultTexts(loaded) == "")
    let scenario = try #require(loaded.scenarios.first)
    #expect(loaded.scenarios.count == 1)
    #expect(scenario.strategies.map(\.name) == ["b"])
    #expect(scenario.world.traffic.down == nil && scenario.world.traffic.up != nil)
    #expect(!scenario.world.isCoupled)
}

@Test func aFileLeavesOutSectionsOfTheFileThatItExtends() throws {
    // Broken if a section that is left out is merged, if one is missed that the file does not have, or if another
    // section is lost. The file must not depend on names of strategies that the other file may change.
    let bounds = "expect: {a: {delivery.down.lost: 0, zombie.max: under 5s}}\n"
    let own = "extends: {file: base.yaml, without: [expect, server]}\nexpect: {a: {zombie.max: under 9s}}\n"
    for more in ["", bounds, "server: {accepts-per-second: 5}\n", "expect: {nowhere: {zombie.max: under 5s}}\n"] {
        let loaded = load(own, files: ["dir/base.yaml": small + more])
        #expect(faultTexts(loaded) == "", "\(more)")
        let scenario = try #require(loaded.scenarios.first)
        #expect(scenario.expectations.map { "\($0.strategy) \($0.metric) \($0.bound)" } == ["a zombie.max under 9s"])
        #expect(scenario.world.traffic.down != nil && !scenario.world.isCoupled)
    }
    for wrong in ["{without: [expect]}", "{file: base.yaml, without: [expct]}", "{file: base.yaml, but: [expect]}"] {
        #expect(!load("extends: \(wrong)\n", files: ["dir/base.yaml": small]).faults.isEmpty, "\(wrong)")
    }
}

@Test func faultsOfAnExtendedFileNameThatFile() {
    // Broken if a fault in the extended file points into the extending file.
    let text = "version: 1\nextends: base.yaml\nname: Upper\n"
    let wrong = load(text, files: ["dir/base.yaml": small.replacing("10m", with: "10")])
    #expect(faultTexts(wrong).contains("--> dir/base.yaml:3:11"))
    #expect(faultTexts(load(text)).contains("E0208"))
    #expect(faultTexts(load(text, files: ["dir/base.yaml": "extends: test.yaml\n" + small])).contains("E0209"))
    for length in [16, 17] {
        var files: [String: String] = [:]
        for number in 1..<length { files["dir/\(number).yaml"] = "extends: \(number + 1).yaml\n" }
        files["dir/\(length - 1).yaml"] = small
        let codes = load("version: 1\nextends: 1.yaml\nname: Upper\n", files: files).faults.sorted.map(\.code)
        #expect(codes == (length == 16 ? [] : [.longChain]), "a long chain is not a cycle")
    }
    #expect(faultTexts(load(text, files: ["dir/base.yaml": "extends: base.yaml\n" + small])).contains("E0209"))
    #expect(faultTexts(load(text, files: ["dir/base.yaml": "- 1\n"])).contains("E0102"))
    #expect(faultTexts(load("extends: [1]\n" + small)).contains("E0102"))
    #expect(faultTexts(load(text, files: ["dir/base.yaml": "a: ["])).contains("--> dir/base.yaml:"))
}

@Test func aCustomProfileIsAFileBesideTheScenario() throws {
    // Broken if a user's own radio profile cannot be used, or if a fault in it points elsewhere.
    let text = small.replacing("cellular: test-lte", with: "cellular: radios/mine.yml")
    let own = "technology: lte\npromotion: 90ms\n"
    #expect(faultTexts(load(text, files: ["dir/radios/mine.yml": own])) == "")
    let wrong = load(text, files: ["dir/radios/mine.yml": own.replacing("90ms", with: "90")])
    #expect(faultTexts(wrong).contains("--> dir/radios/mine.yml:2:12"))
}
