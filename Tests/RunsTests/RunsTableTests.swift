import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneTestKit
import Testing

@testable import DeadzoneRuns

/// Faults of the command, settings of flags, gate files, shards and searches, with their texts.
struct RunsTableTests {
    @Test func codesHaveTheirTitles() {
        // Broken: `explain` prints the text of another error.
        expectText(
            ToolFaultCode.allCases.map { "\($0.rawValue) \($0.title): \($0.explanation)" }.joined(separator: "\n"),
            #"""
            E0301 no verb: The first word is the verb: `deadzone run FILE`. `deadzone help` lists the verbs.
            E0302 an unknown verb: `deadzone help` lists the verbs. A similar verb is suggested, but not run.
            E0303 an unknown flag: `deadzone help VERB` lists the flags of a verb. Words after `--` are not flags.
            E0304 a flag without its value: Write `--flag VALUE` or `--flag=VALUE`.
            E0305 a value for a flag that takes none: The flag has no value.
            E0306 an invalid value for a flag: The message lists the valid values.
            E0307 a flag twice: Only flags whose help says so may be repeated. Otherwise it is unclear which value counts.
            E0308 an argument is missing: `deadzone help VERB` shows what the verb needs.
            E0309 too many arguments: A name with spaces needs quotes.
            E0310 an unknown name: `deadzone list` shows the names that `explain` and the flags accept.
            E0311 two options or names that conflict: Leave one of them out, or use another name.
            E0401 no file matched: A file, folder or pattern without a match is an error, never a pass.
            E0402 a file cannot be read: The message contains the operating system's reason.
            E0403 a file cannot be written: Missing folders of `--out` are created. Only regular files are replaced, not links or devices.
            E0404 the file already exists: Name another file; `--force` replaces it, if the command has this flag.
            E0405 a run could not go on: The message names the scenario, the strategy and the time.
            E0406 stopped by a signal: Completed parts are shown and marked incomplete.
            E0420 a file is not a result: `report` reads what `run --json` prints: complete, with its scenario, seed and digests.
            E0421 a result cannot be reproduced: Equal inputs give equal digests. Causes: another version of the tool, a changed strategy, or an edited file. The message names the difference. This program no longer produces the numbers in the file.
            E0430 an unreadable capture or battery history: Captures are pcap, pcapng or Perfetto traces; a truncated one is used up to the break. Battery histories are bug reports, output of `dumpsys batterystats`, or Powerlogs. All may be gzip.
            E0431 a file is not a radio profile: `deadzone explain NAME` shows a shipped profile as an example.
            E0440 a file is not a shard: `deadzone run --shard N/COUNT --out DIR` writes a shard. `merge` reads only shards of its own version.
            E0441 shards are missing: `merge` needs all shards of the run. Each shard can be run again separately.
            E0442 shards of different runs: All shards must come from one command line, and the scenarios must be unchanged since.
            E0501 there is no baseline: `deadzone baseline save` writes one. A gate without its baseline never passes.
            E0502 a file is not a baseline: The message names the position. `deadzone baseline save` writes one.
            E0503 a baseline with another world: The world hash covers phone, timeline, traffic, server, profiles and duration. If it differs, the old and the new numbers cannot be compared. If the change is intended, save the scenario again. If other scenarios can be compared, they are, and this is reported.
            E0504 there is nothing to compare with: The baseline contains none of the named scenarios; it is usually the wrong file. If only some scenarios are in the baseline, the others are listed as new. Or --against names the only strategy that runs.
            E0505 a gate that matches nothing: The pattern matches no scenario, or no strategy of the matching scenarios: it is misspelt, or the scenario was not named on the command line.
            E0506 a gate without a reference: `of baseline` needs --baseline FILE; `of NAME` needs a strategy with that name in each scenario that the gate matches.
            """#)
        expectText(
            [
                ToolFault.unknownName("clam", "strategy", among: ["calm"], help: "list them"),
                .unknownName("xyz", "strategy", among: ["calm"], help: "list them"),
                .unknown(.absent, "no a", "a", among: ["a1"], help: "h"), .noShard("a\u{7}", "cut"),
                .otherScenario("Lift"), .otherShard("a", "is not", "b"),
                .missingShards([Shard(2, of: 9)!]), .missingShards((1...20).map { Shard($0, of: 30)! }),
                .missingShards((1...22).map { Shard($0, of: 30)! }), .unreadableCapture("a.pcap", nil),
            ].map { "\($0.code.rawValue) \($0.message) | \($0.help.joined(separator: " | "))" }.joined(separator: "\n"),
            #"""
            E0310 unknown strategy `clam` | did you mean `calm`? | list them
            E0310 unknown strategy `xyz` | list them
            E0504 no a | did you mean `a1`? | h
            E0440 a\u{7} is not a shard: cut | run it again, with the same --shard
            E0442 `Lift` is not the scenario that the shards simulated | merge with the same scenario files as when the shards ran
            E0442 a is not b | merge only shards of one command line and one version of deadzone
            E0441 1 shard of 9 is missing: 2 | run what is missing, `--shard 2/9` first, and merge all of them
            E0441 20 shards of 30 are missing: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 | run what is missing, `--shard 1/30` first, and merge all of them
            E0441 22 shards of 30 are missing: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, and 2 more | run what is missing, `--shard 1/30` first, and merge all of them
            E0430 a.pcap: it is empty | 
            """#)
        #expect(ToolFault.didYouMean("a", []).isEmpty && ToolFaults.shown == 20)
    }

    @Test func settingsOfFlagsAreNested() {
        // Broken: a setting replaces its neighbours, or a word that is no setting is accepted.
        func outcome(_ words: String...) -> String {
            do throws(ToolFault) {
                let overrides = try SettingOverrides(words)
                return overrides.node.map(flowText) ?? "none"
            } catch { return "\(error.code.rawValue) \(error.message) | \(error.help.joined(separator: " | "))" }
        }
        expectText(
            [
                outcome(), outcome("a=1"), outcome("a.b=1", "a.c=2"), outcome("a.b=1", "a.b=2"),
                outcome("a=1", "a.b=2"), outcome("a.b=1", "a=2"), outcome("a={b: [1, 2]}"), outcome("a=b=c"),
                outcome("a"), outcome("=1"), outcome("a..b=1"), outcome(".a=1"), outcome("a="), outcome("a=["),
                outcome("a=1", "b.c.d=x"),
            ].joined(separator: "\n"),
            #"""
            none
            {a: 1}
            {a: {b: 1, c: 2}}
            {a: {b: 2}}
            {a: {b: 2}}
            {a: 2}
            {a: {b: [1, 2]}}
            {a: "b=c"}
            E0306 `--set` cannot be `a` | write --set KEY=VALUE or KEY.KEY=VALUE
            E0306 `--set` cannot be `=1` | write --set KEY=VALUE or KEY.KEY=VALUE
            E0306 `--set` cannot be `a..b=1` | write --set KEY=VALUE or KEY.KEY=VALUE
            E0306 `--set` cannot be `.a=1` | write --set KEY=VALUE or KEY.KEY=VALUE
            E0306 `--set` cannot be `a=` | A scenario is a map that begins with `version: 1`. `deadzone init` writes a first one.
            E0306 `--set` cannot be `a=[` | while parsing a flow node that began at line 2, column 1
            {a: 1, b: {c: {d: x}}}
            """#)
        let overrides = try? SettingOverrides(["a=1"])
        var faults = Faults()
        faults.note(Fault(.syntax, at: SourceMark(line: 1, column: 1), "other", label: "x"))
        #expect(overrides?.fault(among: faults) == nil)
        faults.note(Fault(.unknownWord, at: SourceMark(line: 0, column: 0, file: -1), "own", label: "l", help: "h"))
        #expect(overrides?.fault(among: faults) == ToolFault(.badFlagValue, "`--set`: own", help: ["l; h"]))
        #expect(
            Fault(.syntax, at: .none, "m").advice.isEmpty && Fault(.syntax, at: .none, "m", help: "h").advice == "h")
    }

    @Test func gateFilesAreRead() {
        // Broken: a gate applies to other scenarios or at another level, or a wrong one is accepted.
        func outcome(_ text: String) -> String {
            switch GateFile.read(Array(text.utf8), name: "g.yaml") {
            case .gates(let file):
                return "\(file.extendsRecommended) \(file.floor.count)"
                    + file.gates.map { gate in
                        "\n    \(gate.level) \(gate.scenarios) \(gate.strategies) \(gate.groups ?? "-") \(gate.metric) \(gate.threshold.relation) \(gate.threshold.reference ?? "-") \(gate.place.text)"
                    }.joined()
            case .faults(let faults, let files):
                return faults.sorted.map {
                    "\n    \($0.code.rawValue) \($0.mark.line):\($0.mark.column)+\($0.width) \($0.message) | \($0.label) | \($0.help)"
                }.joined() + " \(files.map(\.name))"
            }
        }
        let texts = [
            "version: 1\ngates:\n- {scenarios: a, zombie.max: under 15s}",
            "version: 1\nextends: none\nignore: 2%\ngates:\n- {scenarios: a*, strategies: b, groups: c, level: warn, zombie.max: within 5% of baseline, battery.joules: 3J}\n- {scenarios: \"*\", level: off, zombie.max: 0}",
            "version: 2\ngates: []", "version: 1", "version: 1\ngates: []",
            "version: 1\ngates:\n- {scenarios: a}", "version: 1\ngates:\n- {zombie.max: under 1s}",
            "version: 1\ngates:\n- {scenarios: a, zombie.mx: under 1s}",
            "version: 1\ngates:\n- {scenarios: a, zombie.max: soon}",
            "version: 1\ngates:\n- {scenarios: a, zombie.max: under 1J}",
            "version: 1\ngates:\n- {scenarios: a, level: fatal, zombie.max: 0}",
            "version: 1\nignore: 101%\ngates:\n- {scenarios: a, zombie.max: 0}",
            "version: 1\nextends: all\ngates:\n- {scenarios: a, zombie.max: 0}", "[1]", "a: [",
            "version: 1\nodd: 1\ngates:\n- {scenarios: a, zombie.max: 0}",
        ]
        expectText(
            texts.map { "\($0.debugDescription): \(outcome($0))" }.joined(separator: "\n"),
            gateFilesAreReadText)
        let usual = GateFile()
        #expect(usual.extendsRecommended && usual.floor.count == 10_000_000 && usual.gates.isEmpty)
        for (count, isRead) in [(1_000, true), (1_001, false)] {
            let text = "version: 1\ngates:\n" + String(repeating: "- {scenarios: a, zombie.max: 0}\n", count: count)
            if case .gates(let file) = GateFile.read(Array(text.utf8), name: "") {
                #expect(isRead && file.gates.count == count)
            } else {
                #expect(!isRead)
            }
        }
    }

    @Test func shardsHaveTheirNames() {
        // Broken: a shard that cannot be is accepted, or a folder lists the shards in another order.
        #expect(
            Shard(0, of: 5) == nil && Shard(6, of: 5) == nil && Shard(1, of: 0) == nil && Shard(1, of: 100_001) == nil
                && Shard(100_000, of: 100_000) != nil && Shard(5, of: 5)?.flag == "5/5")
        #expect(
            Shard(7, of: 120)?.fileName == "007-of-120" + ShardFile.suffix
                && Shard(120, of: 120)?.fileName == "120-of-120" + ShardFile.suffix)
    }

    @Test func stopsAreCounted() {
        // Broken: the first phone that stopped is another one, or a reason is counted twice.
        func summary(_ stops: [(code: UInt16, phone: UInt32, milliseconds: Int64)]) -> StopSummary {
            var summary = StopSummary()
            let records =
                stops.map {
                    Record(at: .zero + .milliseconds($0.milliseconds), phone: $0.phone, kind: .stopped, tag: $0.code)
                } + [Record(at: .zero, phone: 0, kind: .pinged, tag: 1)]
            records.withUnsafeBufferPointer { summary.record($0) }
            return summary
        }
        let stops: [(code: UInt16, phone: UInt32, milliseconds: Int64)] = [
            (999, 4, 7), (999, 2, 9), (998, 3, 5), (999, 3, 1),
        ]
        let expected = [
            "1 phone stopped, the first (phone 3) at 5 ms: code 998",
            "3 phones stopped, the first (phone 2) at 9 ms: code 999",
        ]
        #expect(summary(stops).sentences == expected)
        for split in 0...4 {
            var (one, other) = (summary(Array(stops.prefix(split))), summary(Array(stops.dropFirst(split))))
            one.merge(other)
            #expect(one.sentences == expected, "\(split)")
            var writing = BinaryCoder()
            writing.code(&one)
            var (reading, read) = (BinaryCoder(reading: writing.bytes), StopSummary())
            reading.code(&read)
            #expect(reading.isFullyRead && read.sentences == expected)
            other.merge(StopSummary())
        }
        #expect(StopSummary().sentences.isEmpty)
        #expect(
            summary([(1, 0, 1_999)]).sentences.allSatisfy {
                $0.hasPrefix("1 phone stopped, the first (phone 0) at 1999 ms: ") && !$0.contains("code")
            })
    }

    @Test func edgesAreFoundToTheirPrecision() {
        // Broken: an edge is searched with fewer or more trials, or at other places.
        for (edge, expected) in [
            (0.3, [0, 0.25, 0.28125, 0.296875, 0.3125, 0.375, 0.5, 0.75, 1.0]),
            (0.25, [0, 0.125, 0.1875, 0.21875, 0.234375, 0.25, 0.5, 0.75, 1.0]),
        ] as [(Double, [Double])] {
            let found = EdgeSearch(steps: 5, halvings: 4).answers { [$0 < edge] }
            #expect(found.isComplete && found.trials.map(\.place) == expected, "\(found.trials.map(\.place))")
            #expect(found.trials.allSatisfy { $0.answers == [$0.place < edge] })
        }
        let two = EdgeSearch(steps: 2, halvings: 3).answers { [$0 < 0.5, $0 < 0.9] }
        #expect(two.trials.map(\.place) == [0, 0.25, 0.375, 0.5, 0.75, 0.875, 1] && two.isComplete)
        #expect(EdgeSearch(steps: 3, halvings: 5).answers { _ in [true] }.trials.map(\.place) == [0, 0.5, 1])
        for limit in 0...8 {
            var count = 0
            let found = EdgeSearch(steps: 3, halvings: 4).answers { place -> [Bool]? in
                count += 1
                return count > limit ? nil : [place < 0.3]
            }
            #expect(found.isComplete == (limit >= 7) && found.trials.count == min(limit, 7), "\(limit)")
        }
    }

    @Test func strategiesAreSelected() throws {
        // Broken: another strategy runs than the one that was named, or a wrong name is accepted.
        var scenario = try Scenario.standalone(
            "version: 1\nname: S\nduration: 1m\nphone: {radios: {cellular: lte-verizon-2021}}\nstrategies: {a: {strategy: patient}, b: {strategy: patient}, c: {strategy: patient}}\n"
        )
        scenario.addedStrategies = ["b", "c"]
        func outcome(_ selection: StrategySelection, reference: String? = nil) -> String {
            do throws(ToolFault) { return try selection.selected(scenario, and: reference).map(\.name).joined() } catch
            { return "\(error.message) | \(error.help.joined(separator: " | "))" }
        }
        #expect(
            outcome(.init()) == "abc" && outcome(.init(names: ["a", "c"])) == "ac"
                && outcome(.init(names: ["a"]), reference: "b") == "ab")
        #expect(
            outcome(.init(isOnlyAdded: true)) == "bc" && outcome(.init(isOnlyAdded: true), reference: "a") == "abc"
                && outcome(.init(isOnlyAdded: true, names: ["a"])).isEmpty)
        #expect(outcome(.init(isOnlyAdded: true, names: ["b"])) == "b")
        #expect(
            outcome(.init(names: ["d"])) == "unknown strategy `d` | did you mean `a`? | S has these strategies: a, b, c"
        )
        #expect(
            outcome(.init(names: ["long name"], addable: ["long name"]))
                == "unknown strategy `long name` | S has these strategies: a, b, c | `--with long name` adds the strategy to the scenario"
        )
        #expect(
            outcome(.init(), reference: "far-away.yaml")
                == "unknown strategy `far-away.yaml` | S has these strategies: a, b, c | `--with far-away.yaml` adds the strategy to the scenario"
        )
        let all = StrategySelection(added: [AddedStrategy("x=y")], isOnlyAdded: true, names: ["a", "b"])
        #expect(
            all.flags == ["--with", "x=y", "--only", "--strategy", "a", "--strategy", "b"]
                && StrategySelection().flags.isEmpty)
        #expect(
            StrategySelection().isEverything && !all.isEverything && !StrategySelection(names: ["a"]).isEverything
                && !StrategySelection(isOnlyAdded: true).isEverything)
    }
}

private let gateFilesAreReadText = #"""
    "version: 1\ngates:\n- {scenarios: a, zombie.max: under 15s}": true 10000000
        error a * - zombie.max below - g.yaml:3:18
    "version: 1\nextends: none\nignore: 2%\ngates:\n- {scenarios: a*, strategies: b, groups: c, level: warn, zombie.max: within 5% of baseline, battery.joules: 3J}\n- {scenarios: \"*\", level: off, zombie.max: 0}": false 20000000
        warn a* b c zombie.max between baseline g.yaml:5:58
        warn a* b c battery.joules equal - g.yaml:5:93
        off * * - zombie.max equal - g.yaml:6:32
    "version: 2\ngates: []": 
        E0110 1:10+1 unknown word `2` | did you mean `1`? | expected `1`
        E0116 2:8+1 0 items | expected 1 to 1000 |  ["g.yaml"]
    "version: 1": 
        E0101 1:1+1 `gates` is missing | without gates, nothing is checked | example: gates: [{scenarios: "*", delivery.down.lost: 0}] ["g.yaml"]
    "version: 1\ngates: []": 
        E0116 2:8+1 0 items | expected 1 to 1000 |  ["g.yaml"]
    "version: 1\ngates:\n- {scenarios: a}": 
        E0101 3:3+1 a gate without a bound | name a metric | example: zombie.max: under 15s ["g.yaml"]
    "version: 1\ngates:\n- {zombie.max: under 1s}": 
        E0101 3:3+1 `scenarios` is missing | an entry of `gates` needs `scenarios` | `scenarios` is a text ["g.yaml"]
    "version: 1\ngates:\n- {scenarios: a, zombie.mx: under 1s}": 
        E0204 3:18+9 unknown metric `zombie.mx` | did you mean `zombie.max`? | `deadzone list metrics` lists the metrics ["g.yaml"]
    "version: 1\ngates:\n- {scenarios: a, zombie.max: soon}": 
        E0205 3:30+4 `soon`: `soon` is not a bound |  | write 0, under 15s, at most 3, over 2m, at least 99%, 1s to 3s, at most 60% of NAME or within 1% of NAME ["g.yaml"]
    "version: 1\ngates:\n- {scenarios: a, zombie.max: under 1J}": 
        E0205 3:30+8 `under 1J`: `J` is not a unit of this metric |  | example: `1s` ["g.yaml"]
    "version: 1\ngates:\n- {scenarios: a, level: fatal, zombie.max: 0}": 
        E0110 3:25+5 unknown word `fatal` | expected off, warn or error |  ["g.yaml"]
    "version: 1\nignore: 101%\ngates:\n- {scenarios: a, zombie.max: 0}": 
        E0108 2:9+4 `101%` is out of range | must be from 0% to 100% |  ["g.yaml"]
    "version: 1\nextends: all\ngates:\n- {scenarios: a, zombie.max: 0}": 
        E0110 2:10+3 unknown word `all` | expected recommended, none or recommended@1 |  ["g.yaml"]
    "[1]": 
        E0102 1:1+1 a list where a map is expected | expected a map | 
        E0101 1:1+1 `version` is missing | a gate file needs `version` | `version` is `1`
        E0101 1:1+1 `gates` is missing | without gates, nothing is checked | example: gates: [{scenarios: "*", delivery.down.lost: 0}] ["g.yaml"]
    "a: [": 
        E0004 2:1+1 this is not YAML: did not find expected node content | while parsing a flow node that began at line 2, column 1 |  ["g.yaml"]
    "version: 1\nodd: 1\ngates:\n- {scenarios: a, zombie.max: 0}": 
        E0104 2:1+3 unknown setting `odd` | not known here | a gate file takes version, extends, ignore, gates ["g.yaml"]
    """#
