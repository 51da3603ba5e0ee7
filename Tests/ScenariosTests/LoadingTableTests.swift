import DeadzoneBase
import DeadzoneSimulator
import DeadzoneTestKit
import Testing

@testable import DeadzoneScenarios

/// Files, matrices, samples, added strategies and placeholders, with their results or their faults.
struct LoadingTableTests {
    private static let head =
        "{version: 1, name: M, duration: 10m, phone: {radios: {cellular: test-lte}}, strategies: {a: {strategy: calm, ping: 10s}, b: {strategy: calm}}"

    private func cells(_ more: String) -> String {
        let loaded = load(Self.head + more + "}")
        guard loaded.faults.isEmpty else { return faultLines(loaded.faults) }
        return loaded.scenarios.map { scenario in
            "\(scenario.name) \(scenario.world.horizon.nanoseconds / 1_000_000_000)s x\(scenario.replicas)"
        }.joined(separator: ", ")
    }

    @Test func matricesHaveTheirCells() {
        // Broken: a cell is missing, or an axis changes another setting.
        let texts = [
            ", matrix: {duration: [5m, 6m], replicas: [2, 3]}", ", matrix: {strategies.a.ping: [1s, 2s]}",
            ", matrix: {strategies.a.odd: [1s]}", ", matrix: {duration: {short: 1m, long: 2m, x-own: 3m}}",
            ", matrix: {x: [5m]}", ", matrix: {x: []}", ", matrix: {x: {}}", ", matrix: {x: 5}", ", matrix: 5",
            ", matrix: {x: [5m], x-own: 3}, name: \"M ${x}\"", ", matrix: {duration: {range: [5m, 7m], steps: 3}}",
            ", matrix: {duration: {range: [1m, 4m], steps: 3, scale: log}}",
            ", matrix: {duration: {range: [7m, 5m], steps: 3}}", ", matrix: {duration: {range: [5m, 7m], steps: 1}}",
            ", matrix: {duration: {range: [5m, 7m]}}",
            ", matrix: {duration: {range: [5m, 7m]}}, sample: {cells: 2}",
            ", matrix: {duration: {range: [5m, 7m]}}, sample: {cells: 1}",
            ", matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 4}",
            ", matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 3}",
            ", matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 8, cells: 2}",
            ", matrix: {duration: {range: [5m, 7m]}}, sample: {seed: 2}",
            ", matrix: {duration: {range: [5m, 7m]}, replicas: [1, 2]}, sample: {runs: 8}",
            ", replicas: 2, matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 8}", ", sample: {cells: 2}",
            ", matrix: {duration: [5m]}, sample: {cells: 2}", ", matrix: {duration: [5m, \"${x}\"], x: [6m, 7m]}",
            ", about: \"${y}\"", ", matrix: {x: [1]}, about: \"${y} ${x}\"",
            ", matrix: {x: [{a: 1, b: 2}]}, about: \"${x.a}-${x.b}\"", ", matrix: {x: [{a: 5m}]}, about: \"${x}\"",
            ", matrix: {phones: {range: [1, 3], steps: 3}}", ", matrix: {phones: {range: [1, 1.5], steps: 3}}",
        ]
        expectText(
            texts.map { "\($0)\n    \(cells($0))" }.joined(separator: "\n"),
            matricesHaveTheirCellsText)
        let many = (0..<11).map { "a\($0)" }.joined(separator: ", ")
        for (count, isRead) in [(90, true), (91, false)] {
            let other = (0..<count).map { "b\($0)" }.joined(separator: ", ")
            let loaded = load(Self.head + ", about: \"${x} ${y}\", matrix: {x: [\(many)], y: [\(other)]}}")
            #expect(loaded.faults.isEmpty == isRead && loaded.scenarios.count == (isRead ? 11 * count : 0), "\(count)")
        }
    }

    @Test func rangesHaveThreeDigits() {
        // Broken: a value of a range has another unit, or its ends are not its bounds.
        let bounds: [(String, String, Bool)] = [
            ("30s", "10m", false), ("30s", "10m", true), ("1s", "100s", true), ("0s", "1h", false), ("0s", "1h", true),
            ("1ms", "1us", false), ("1KiB", "1MiB", true), ("10%", "90%", false), ("1", "9", false),
            ("1.0", "9", false), ("1", "1e3", true), ("-5", "5", false), ("5", "5", false),
            ("1s", "5", false), ("1%", "5", false), ("1B", "5s", false), ("0", "1e15", false), ("0", "9.9e14", false),
            ("1bps", "1000bps", false), ("1s", "2h30m", false), ("1W", "5mW", false), ("1mW", "5W", false),
            ("inf", "5", false),
        ]
        let rows = bounds.map { low, high, isLog -> String in
            guard let range = ValueRange(from: low, to: high, isLog: isLog) else {
                return "\(low)…\(high) \(isLog): none"
            }
            let parts = [0, 0.25, 0.5, 0.999, 1]
            return "\(low)…\(high) \(isLog): " + parts.map(range.value).joined(separator: " ") + " / "
                + parts.map(range.naturalValue).joined(separator: " ")
                + " / \(["5s", "5", "5%", "5B", "x"].map(range.hasSameKind))"
        }
        expectText(
            rows.joined(separator: "\n"),
            #"""
            30s…10m false: 0.5m 2.88m 5.25m 9.99m 10m / 30s 2m53s 5m15s 9m59s 10m / [true, false, false, false, false]
            30s…10m true: 0.5m 1.06m 2.24m 9.97m 10m / 30s 1m3s 2m14s 9m58s 10m / [true, false, false, false, false]
            1s…100s true: 1s 3.16s 10s 99.5s 100s / 1s 3.16s 10s 1m40s 1m40s / [true, false, false, false, false]
            0s…1h false: 0h 0.25h 0.5h 0.999h 1h / 0s 15m 30m 59m56s 1h / [true, false, false, false, false]
            0s…1h true: none
            1ms…1us false: none
            1KiB…1MiB true: 0.000977MiB 0.00552MiB 0.0313MiB 0.993MiB 1MiB / 0.000977MiB 0.00552MiB 0.0313MiB 0.993MiB 1MiB / [false, false, false, true, false]
            10%…90% false: 10% 30% 50% 89.9% 90% / 10% 30% 50% 89.9% 90% / [false, true, true, false, false]
            1…9 false: 1 3 5 9 9 / 1 3 5 9 9 / [false, true, true, false, false]
            1.0…9 false: 1 3 5 8.99 9 / 1 3 5 8.99 9 / [false, true, true, false, false]
            1…1e3 true: 1 5.62 31.6 993 1000 / 1 5.62 31.6 993 1000 / [false, true, true, false, false]
            -5…5 false: -5 -3 0 5 5 / -5 -3 0 5 5 / [false, true, true, false, false]
            5…5 false: none
            1s…5 false: none
            1%…5 false: none
            1B…5s false: none
            0…1e15 false: none
            0…9.9e14 false: 0 248000000000000 495000000000000 989000000000000 990000000000000 / 0 248000000000000 495000000000000 989000000000000 990000000000000 / [false, true, true, false, false]
            1bps…1000bps false: 1bps 251bps 501bps 999bps 1000bps / 1bps 251bps 501bps 999bps 1000bps / [false, false, false, false, false]
            1s…2h30m false: 0.0167m 37.5m 75m 150m 150m / 1s 37m31s 1h15m 2h30m 2h30m / [true, false, false, false, false]
            1W…5mW false: none
            1mW…5W false: 0.001W 1.25W 2.5W 5W 5W / 0.001W 1.25W 2.5W 5W 5W / [false, false, false, false, false]
            inf…5 false: none
            """#)
        let hours = ValueRange(from: "1ns", to: "10h", isLog: true)
        expectText(
            stride(from: 0.0, through: 1, by: 1.0 / 24).map { hours?.naturalValue(at: $0) ?? "" }.joined(
                separator: " "),
            #"""
            1ns 4ns 13ns 49ns 182ns 667ns 2.45us 8.99us 33us 121us 445us 1.63ms 6ms 22ms 80.9ms 297ms 1.09s 4s 14.7s 54s 3m18s 12m7s 44m31s 2h43m 10h
            """#)
    }

    @Test func samplesCoverEachPart() throws {
        // Broken: two points fall into one part of a range, or the points depend on other axes.
        var settings = SettingsReader(compose(Array("{cells: 50, seed: 3}".utf8)).node!, of: "sample")
        let sample = MatrixSample(reading: &settings)
        for axis in ["a", "b"] {
            let points = sample.positions(of: axis, count: 50)
            #expect(points.map { Int($0 * 50) }.sorted() == Array(0..<50))
            #expect(points != points.sorted() && points == sample.positions(of: axis, count: 50))
        }
        #expect(
            sample.positions(of: "a", count: 50) != sample.positions(of: "b", count: 50) && sample.count(runs: 7) == 50)
        var other = SettingsReader(compose(Array("{runs: 100}".utf8)).node!, of: "sample")
        let budget = MatrixSample(reading: &other)
        #expect(budget.count(runs: 3) == 33 && budget.count(runs: 0) == 100 && budget.count(runs: 101) == 0)
        var large = SettingsReader(compose(Array("{runs: 1000000}".utf8)).node!, of: "sample")
        #expect(MatrixSample(reading: &large).count(runs: 1) == Matrix.largest)
    }

    @Test func pathsFollowTheirFolders() {
        // Broken: a file is looked for in another folder.
        let opened = OpenedFiles { _ in .failure(FileError("none")) }
        for name in ["a/b/c.yaml", "c.yaml", "/r/c.yaml", "../c.yaml"] { _ = opened.compose(name, Array("a: 1".utf8)) }
        let table: [(String, Int, String)] = [
            ("d", 0, "a/b/d"), ("../d", 0, "a/d"), ("../../d", 0, "d"), ("../../../d", 0, "../d"), ("./d", 0, "a/b/d"),
            ("x/../d", 0, "a/b/d"), ("/d", 0, "/d"), ("d", 1, "d"), ("../d", 1, "../d"), ("../../d", 1, "../../d"),
            ("d", 2, "/r/d"),
            ("../d", 2, "/d"), ("../../d", 2, "/../d"), ("d", 3, "../d"), ("../d", 3, "../../d"), ("d", 9, "d"),
            ("d", -1, "d"), ("x//d", 0, "a/b/x/d"),
        ]
        for (path, file, expected) in table {
            #expect(
                opened.path(path, from: SourceMark(line: 1, column: 1, file: file)) == expected,
                "\(path) \(file): \(opened.path(path, from: SourceMark(line: 1, column: 1, file: file)))")
        }
    }

    @Test func filesExtendOthers() {
        // Broken: a value of the extended file wins, or a circle is followed.
        let files = [
            "dir/base.yaml":
                "version: 1\nname: Base\nduration: 10m\nphone: {radios: {cellular: test-lte}}\nstrategies: {a: {strategy: calm}, b: {strategy: hasty}}\n",
            "dir/circle.yaml": "extends: circle.yaml\n", "dir/broken.yaml": "a: [\n",
            "dir/list.yaml": "[1]\n", "dir/empty.yaml": "extends: ''\n",
        ]
        func outcome(_ text: String) -> String {
            let loaded = load(text, files: files)
            guard loaded.faults.isEmpty else { return faultLines(loaded.faults) }
            return loaded.scenarios.map {
                "\($0.name) \($0.strategies.map(\.name)) \($0.world.horizon.nanoseconds / 1_000_000_000)"
            }.joined()
        }
        let texts = [
            "extends: base.yaml", "extends: base.yaml\nname: Own\nduration: 5m",
            "extends: base.yaml\nstrategies: {c: {strategy: calm}}", "extends: base.yaml\nstrategies: {a: ~}",
            "extends: none.yaml", "extends: circle.yaml", "extends: broken.yaml", "extends: list.yaml", "extends: [a]",
            "extends: ~", "extends: empty.yaml",
            "extends: ../dir/base.yaml", "extends: /base.yaml",
        ]
        expectText(
            texts.map { "\($0.replacing("\n", with: " / "))\n    \(outcome($0))" }.joined(separator: "\n"),
            #"""
            extends: base.yaml
                Base ["a", "b"] 600
            extends: base.yaml / name: Own / duration: 5m
                Own ["a", "b"] 300
            extends: base.yaml / strategies: {c: {strategy: calm}}
                Base ["a", "b", "c"] 600
            extends: base.yaml / strategies: {a: ~}
                Base ["b"] 600
            extends: none.yaml
                E0208 1:10+9 cannot read `dir/none.yaml`: no such file | help: `extends:` names a file relative to the one it stands in.
            extends: circle.yaml
                E0209 1:10+11 files that extend each other in a circle | help: dir/test.yaml extends dir/circle.yaml extends dir/circle.yaml
            extends: broken.yaml
                E0004 2:1+1 this is not YAML: did not find expected node content | while parsing a flow node that began at line 2, column 1
            extends: list.yaml
                E0102 1:10+9 `dir/list.yaml` contains no scenario | expected a file with a map | help: The setting takes a single value, a list (`[a, b]`) or a map (`{key: value}`), but the file has another of the three.
            extends: [a]
                E0102 1:10+1 a list where a text is expected | expected a text
            extends: ~
                E0103 1:10+1 a value is missing | expected a text | help: remove the key to have the default
            extends: empty.yaml
                E0208 1:10+2 cannot read `dir`: no such file | help: `extends:` names a file relative to the one it stands in.
            extends: ../dir/base.yaml
                Base ["a", "b"] 600
            extends: /base.yaml
                E0208 1:10+10 cannot read `/base.yaml`: no such file | help: `extends:` names a file relative to the one it stands in.
            """#)
    }

    @Test func strategiesAreAdded() {
        // Broken: an added strategy replaces one of the scenario, or its note names another one.
        let files = [
            "p/calm-one.yaml": "strategy: calm\nping: 9s\n",
            "p/story.yaml": "extends: other.yaml\nstrategies: {a: {strategy: hasty}, x-own: 1}\n",
            "p/other.yaml": "strategies: {z: {strategy: calm}}\n", "p/none.yaml": "name: N\n", "p/list.yaml": "[1]\n",
            "p/bad.yaml": "a: [\n", "p/a.yaml": "strategy: calm\n",
            "p/map.yaml": "version: 1\nnaive: {preset: calm}\nx-own: 1\nother: {strategy: hasty}\n",
            "p/over.yaml": "preset: calm\nping: 9s\n",
        ]
        func outcome(_ added: [String]) -> String {
            let loader = ScenarioLoader(testVocabulary) { path in
                files[path].map { .success(Array($0.utf8)) } ?? .failure(FileError("no such file"))
            }
            var adding = loader
            adding.addedStrategies = added.map(AddedStrategy.init)
            let loaded = adding.load(Array((Self.head + "}").utf8), name: "dir/test.yaml")
            let notes = loaded.scenarios.flatMap(\.renamedStrategies).map { "\n    " + $0.note }.joined()
            guard loaded.faults.isEmpty else { return faultLines(loaded.faults) + notes }
            return loaded.scenarios.map { "\($0.strategies.map(\.name))" }.joined() + notes
        }
        let lists = [
            ["calm"], ["mine=calm"], ["a=calm"], ["calm", "calm"], ["calm", "calm", "calm"], ["clam"],
            ["p/calm-one.yaml"], ["mine=p/calm-one.yaml"], ["p/story.yaml"], ["new=p/story.yaml"], ["p/none.yaml"],
            ["p/list.yaml"], ["p/bad.yaml"], ["p/missing.yaml"], ["p/a.yaml"], ["p/a.yaml", "p/a.yaml"], ["=calm"], [],
            ["p/map.yaml"], ["new=p/map.yaml"], ["p/over.yaml"],
        ]
        expectText(
            lists.map { "\($0)\n    \(outcome($0))" }.joined(separator: "\n"),
            strategiesAreAddedText)
        #expect(AddedStrategy("x.yml").isFile && AddedStrategy("x.yaml").isFile && !AddedStrategy("x.yamlx").isFile)
        #expect(
            AddedStrategy("a=b=c").name == "a" && AddedStrategy("a=b=c").source == "b=c"
                && AddedStrategy("a").name == nil)
    }

    @Test func placeholdersAreBounded() {
        // Broken: a text grows beyond the budget, or a placeholder is replaced only in part.
        var filler = PlaceholderSubstitution()
        let value = Node.map([.init(key: "k", value: .text("v")), .init(key: "m", value: .list([.text("1")]))])
        let node = Node.list([
            .text("${x}"), .text("${x.k}"), .text("a${x.k}b${x.k}"), .text("${x.m}"), .text("c${x.m}"), .text("${y}"),
            .map([.init(key: "${x}", value: .text("${x.k}"))]),
        ])
        #expect(
            flowText(filler.substituted(node, "x", value))
                == "[{k: v, m: [1]}, v, avbv, [1], \"c${x.m}\", \"${y}\", {\"${x}\": v}]")
        #expect(
            filler.weight(of: .text("abc")) == 19 && filler.weight(of: .list([.text("a"), .text("")])) == 49
                && filler.weight(of: .map([.init(key: "long", value: .text("a"))])) == 33)
        var small = PlaceholderSubstitution()
        #expect(
            small.spend(PlaceholderSubstitution.budget) && !small.isExhausted && !small.spend(1) && small.isExhausted
                && !small.spend(0))
        #expect(flowText(small.substituted(.text("${x}"), "x", .text("1"))) == "\"${x}\"")
        #expect("a${x}".holds("${x}") && !"a{x}".holds("{x}") && !"$x".holds("${x}"))
    }
}

private let matricesHaveTheirCellsText = #"""
    , matrix: {duration: [5m, 6m], replicas: [2, 3]}
        M [duration=5m, replicas=2] 300s x2, M [duration=5m, replicas=3] 300s x3, M [duration=6m, replicas=2] 360s x2, M [duration=6m, replicas=3] 360s x3
    , matrix: {strategies.a.ping: [1s, 2s]}
        M [strategies.a.ping=1s] 600s x1, M [strategies.a.ping=2s] 600s x1
    , matrix: {strategies.a.odd: [1s]}
        E0104 1:172+3 unknown setting `odd` | not known here | help: strategy `a` takes strategy, preset, ping, backoff
    , matrix: {duration: {short: 1m, long: 2m, x-own: 3m}}
        M [duration=short] 60s x1, M [duration=long] 120s x1
    , matrix: {x: [5m]}
        E0210 1:153+1 the axis `x` changes nothing | used nowhere | help: name it by a path such as phone.radios.cellular, or write ${x} somewhere
    , matrix: {x: []}
        E0210 1:156+1 an axis without values
    , matrix: {x: {}}
        E0210 1:156+1 an axis without values
    , matrix: {x: 5}
        E0102 1:156+1 `5` where a list of values is expected | expected a list of values
    , matrix: 5
        E0102 1:152+1 `5` where a map of axes is expected | expected a map of axes
    , matrix: {x: [5m], x-own: 3}, name: "M ${x}"
        E0210 1:153+1 the axis `x` changes nothing | used nowhere | help: name it by a path such as phone.radios.cellular, or write ${x} somewhere
        E0009 1:173+4 the key `name` appears twice | first at line 1, column 14 | help: remove one of the two
    , matrix: {duration: {range: [5m, 7m], steps: 3}}
        M [duration=5m] 300s x1, M [duration=6m] 360s x1, M [duration=7m] 420s x1
    , matrix: {duration: {range: [1m, 4m], steps: 3, scale: log}}
        M [duration=1m] 60s x1, M [duration=2m] 120s x1, M [duration=4m] 240s x1
    , matrix: {duration: {range: [7m, 5m], steps: 3}}
        E0210 1:164+5 this is not a range | expected two values of the same unit, the smaller first | help: range: [30s, 10m]; on a log scale both are above zero
    , matrix: {duration: {range: [5m, 7m], steps: 1}}
        E0210 1:153+8 the number of values of `duration` is missing | a range without `steps` | help: steps: 8 sets 8 values of this range; sample: {cells: 64} sets 64 points over all such ranges
        E0108 1:188+1 `1` is out of range | must be from 2 to 1000
    , matrix: {duration: {range: [5m, 7m]}}
        E0210 1:153+8 the number of values of `duration` is missing | a range without `steps` | help: steps: 8 sets 8 values of this range; sample: {cells: 64} sets 64 points over all such ranges
    , matrix: {duration: {range: [5m, 7m]}}, sample: {cells: 2}
        M [duration=5.92m] 355s x1, M [duration=6.14m] 368s x1
    , matrix: {duration: {range: [5m, 7m]}}, sample: {cells: 1}
        E0210 1:191+1 a sample needs `cells` or `runs`, but not both | set the number of points | help: sample: {cells: 64}
        E0108 1:199+1 `1` is out of range | must be from 2 to 1000
    , matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 4}
        M [duration=5.92m] 355s x1, M [duration=6.14m] 368s x1
    , matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 3}
        E0211 1:191+1 the budget is too small for two points | one point takes 2 runs | help: more runs, fewer replicas, or fewer values of the other axes
    , matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 8, cells: 2}
        E0210 1:192+1 a sample needs `cells` or `runs`, but not both | set the number of points | help: sample: {cells: 64}
    , matrix: {duration: {range: [5m, 7m]}}, sample: {seed: 2}
        E0210 1:191+1 a sample needs `cells` or `runs`, but not both | set the number of points | help: sample: {cells: 64}
    , matrix: {duration: {range: [5m, 7m]}, replicas: [1, 2]}, sample: {runs: 8}
        M [replicas=1, duration=5.92m] 355s x1, M [replicas=1, duration=6.14m] 368s x1, M [replicas=2, duration=5.92m] 355s x2, M [replicas=2, duration=6.14m] 368s x2
    , replicas: 2, matrix: {duration: {range: [5m, 7m]}}, sample: {runs: 8}
        M [duration=5.92m] 355s x2, M [duration=6.14m] 368s x2
    , sample: {cells: 2}
        E0210 1:152+1 `sample` without a range to draw from | every range has `steps`, or there is no range | help: matrix: {ping: {range: [30s, 10m], scale: log}}
    , matrix: {duration: [5m]}, sample: {cells: 2}
        E0210 1:178+1 `sample` without a range to draw from | every range has `steps`, or there is no range | help: matrix: {ping: {range: [30s, 10m], scale: log}}
    , matrix: {duration: [5m, "${x}"], x: [6m, 7m]}
        E0106 1:168+6 `${x}` is not a number | expected a duration such as 45s
        E0210 1:177+1 the axis `x` changes nothing | used nowhere | help: name it by a path such as phone.radios.cellular, or write ${x} somewhere
    , about: "${y}"
        E0212 1:151+6 `${y}` is not the name of an axis | expected a `matrix:` | help: ${name} is replaced by the value of the matrix axis of that name.
    , matrix: {x: [1]}, about: "${y} ${x}"
        E0212 1:169+11 `${y} 1` is not the name of an axis | expected ${x} | help: ${name} is replaced by the value of the matrix axis of that name.
    , matrix: {x: [{a: 1, b: 2}]}, about: "${x.a}-${x.b}"
        M [x={a: 1, b: 2}] 600s x1
    , matrix: {x: [{a: 5m}]}, about: "${x}"
        E0102 1:157+1 a map where a text is expected | expected a text
    , matrix: {phones: {range: [1, 3], steps: 3}}
        M [phones=1] 600s x1, M [phones=2] 600s x1, M [phones=3] 600s x1
    , matrix: {phones: {range: [1, 1.5], steps: 3}}
        E0109 1:161+1 `1.25` has more digits than can be kept | expected a whole number
        E0109 1:161+1 `1.5` has more digits than can be kept | expected a whole number
    """#

private let strategiesAreAddedText = #"""
    ["calm"]
        ["a", "b", "calm"]
    ["mine=calm"]
        ["a", "b", "mine"]
    ["a=calm"]
        E0009 0:0+1 `--with` adds a strategy `a`, but the scenario already has one | help: NAME=STRATEGY gives it another name: --with 'own=calm'
    ["calm", "calm"]
        ["a", "b", "calm", "added calm"]
        `calm` of `--with calm` runs as `added calm`, because the scenario already has a strategy `calm`; `--with NAME=calm` chooses another name
    ["calm", "calm", "calm"]
        ["a", "b", "calm", "added calm", "added calm 2"]
        `calm` of `--with calm` runs as `added calm`, because the scenario already has a strategy `calm`; `--with NAME=calm` chooses another name
        `calm` of `--with calm` runs as `added calm 2`, because the scenario already has a strategy `calm`; `--with NAME=calm` chooses another name
    ["clam"]
        E0202 0:0+1 unknown strategy `clam` | did you mean `calm`? | help: known: calm, hasty
    ["p/calm-one.yaml"]
        ["a", "b", "calm-one"]
    ["mine=p/calm-one.yaml"]
        ["a", "b", "mine"]
    ["p/story.yaml"]
        ["a", "b", "z", "story a"]
        `a` of `--with p/story.yaml` runs as `story a`, because the scenario already has a strategy `a`; `--with NAME=p/story.yaml` chooses another name
    ["new=p/story.yaml"]
        ["a", "b", "new z", "new a"]
    ["p/none.yaml"]
        E0101 0:0+1 `p/none.yaml` contains no strategies | help: `--with` takes a strategy, a preset file, a scenario file with `strategies`, or a file with such a map
    ["p/list.yaml"]
        E0101 0:0+1 `p/list.yaml` contains no strategies | help: `--with` takes a strategy, a preset file, a scenario file with `strategies`, or a file with such a map
    ["p/bad.yaml"]
        E0004 2:1+1 this is not YAML: did not find expected node content | while parsing a flow node that began at line 2, column 1
    ["p/missing.yaml"]
        E0202 0:0+1 cannot read `p/missing.yaml`: no such file
    ["p/a.yaml"]
        ["a", "b", "file a"]
        `a` of `--with p/a.yaml` runs as `file a`, because the scenario already has a strategy `a`; `--with NAME=p/a.yaml` chooses another name
    ["p/a.yaml", "p/a.yaml"]
        ["a", "b", "file a", "file a 2"]
        `a` of `--with p/a.yaml` runs as `file a`, because the scenario already has a strategy `a`; `--with NAME=p/a.yaml` chooses another name
        `a` of `--with p/a.yaml` runs as `file a 2`, because the scenario already has a strategy `a`; `--with NAME=p/a.yaml` chooses another name
    ["=calm"]
        E0115 0:0+1 a strategy's name has 1 to 64 characters
    []
        ["a", "b"]
    ["p/map.yaml"]
        ["a", "b", "naive", "other"]
    ["new=p/map.yaml"]
        ["a", "b", "new naive", "new other"]
    ["p/over.yaml"]
        ["a", "b", "over"]
    """#
