import DeadzoneBase
import DeadzoneMetrics
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// Baseline files: the exact text, reading it back, older files, and the message of every fault.
struct BaselineTextTests {
    private func column(_ figures: Figure...) -> BaselineStrategy.MetricSeries {
        .init(whole: figures[0], each: FigureColumn(figures))
    }

    private func number(_ value: Double) -> Figure { .value(Billionths(stored: value)) }

    private func baseline() -> Baseline {
        let hash = String(repeating: "a", count: 64)
        let nothing = BaselineStrategy.MetricSeries(whole: .nothing, each: FigureColumn([.nothing, .nothing]))
        var naive = BaselineStrategy(
            name: "naive", hash: hash, digests: ["0000000000000001", "0000000000000002"],
            minutes: [String(repeating: "AB", count: 121), String(repeating: "CD", count: 60)],
            series: [
                "battery.joules": .init(whole: number(2), each: FigureColumn([number(1.5), number(2.5)])),
                "zombie.max": column(.never, .never),
                "latency.down.p95": .init(
                    whole: .atLeast(Billionths(stored: 3)),
                    each: FigureColumn([number(2), .atLeast(Billionths(stored: 3))])),
                "latency.probe.p5": nothing, "latency.probe.p95": nothing, "dns.failed": nothing,
                "calls.ok": .init(whole: number(4), each: FigureColumn([number(0), number(0)])),
            ])
        naive.groups = ["old \"b\"": ["zombie.max": column(number(7), number(7))], "new": [:]]
        var early = BaselineStrategy(
            name: "early", hash: hash, digests: ["3", "4"], minutes: [],
            series: [
                "latency.probe.p5": nothing, "latency.probe.p95": nothing, "dns.failed": nothing,
            ])
        early.series["dns.failed"]?.each = FigureColumn([.nothing, number(1)])
        let run = BaselineRun(
            name: "Lift", worldHash: hash, seed: 7, replicas: 2, minute: .seconds(60), strategies: [naive, early])
        var calm = run
        calm.name = "Calm"
        calm.strategies = [early]
        let names = [
            "battery.joules", "calls.ok", "dns.failed", "latency.down.p95", "latency.probe.p5", "latency.probe.p95",
            "zombie.max",
        ]
        return Baseline(
            tool: "1.2.3", metrics: names.reversed() + (0..<8).map { "made.up.metric.number\($0)" }, runs: [run, calm])
    }

    @Test func aFileHasItsLines() {
        // Broken: a line is missing, or stands at another place, so that a diff shows more than what changed.
        expectText(
            baseline().text,
            aFileHasItsLinesText)
        #expect(
            Baseline(tool: "", metrics: [], runs: []).text
                == "{\n\"metrics\": [],\n\"scenarios\": {\n},\n\"schema\": \"deadzone/baseline/2\",\n\"tool\": {\"version\": \"\"}\n}\n"
        )
    }

    @Test func linesBreakAtTheirWidth() {
        // Broken: a line that fits is broken, or a longer one is not.
        for (length, lines) in [(70, 1), (71, 2)] {
            let names = ["a" + String(repeating: "x", count: 69), "b" + String(repeating: "y", count: length)]
            let text = Baseline(tool: "", metrics: names, runs: []).text
            let row = text.split(separator: "\n")[1]
            #expect(row.utf8.count == (lines == 1 ? 161 : 85), "\(row.utf8.count)")
            #expect(text.split(separator: "\n").count == 6 + lines)
        }
    }

    @Test func aFileIsReadBack() throws {
        // Broken: a value, the order of strategies or a group is lost in a file.
        let saved = baseline()
        var read = try Baseline(text: Array(saved.text.utf8))
        #expect(read.metrics == saved.metrics.sorted() && read.tool == "1.2.3")
        // A series that nothing measured is written once for the run.
        read.metrics = saved.metrics
        #expect(read == saved)
        #expect(
            read.runs.map(\.name) == ["Calm", "Lift"] && read.runs[1].strategies.map(\.name) == ["naive", "early"])
        let compared = Baseline(tool: "1", metrics: ["zombie.max"], runs: [ComparedRuns.run(isNew: true)])
        #expect(try Baseline(text: Array(compared.text.utf8)) == compared)
    }

    @Test func olderFilesAreRead() throws {
        // Broken: a baseline of the first format compares with other numbers.
        let read = try Baseline(text: Array(first().utf8))
        let run = try #require(read.runs.first)
        let naive = try #require(run.strategies.first)
        #expect(read.tool == "0.9" && run.name == "Lift" && run.seed == 7 && run.replicas == 2)
        #expect(
            run.minute == .seconds(60) && run.worldHash == "w" && naive.hash == "h" && naive.digests == ["d1", "d2"])
        #expect(naive.minutes == [MinuteHash.text(fromHex: "00010002"), MinuteHash.text(fromHex: "0003")])
        #expect(
            naive.series(of: "battery.joules") == .init(whole: number(2), each: FigureColumn([number(1), number(3)])))
        #expect(naive.series(of: "zombie.max") == column(.never, .never))
        #expect(
            naive.groups["old"]?["zombie.max"] == .init(whole: number(4), each: FigureColumn([number(4), .nothing])))
    }

    private func first() -> String {
        """
        {"schema": "deadzone/baseline/1", "tool": {"version": "0.9"}, "metrics": ["battery.joules", "zombie.max"],
        "scenarios": [{"name": "Lift", "world_hash": "w", "seed": 7, "replicas": 2, "minute_s": 60, "strategies": [
        {"name": "naive", "strategy_hash": "h", "digests": ["d1", "d2"], "minutes": ["00010002", "0003"],
        "metrics": {"battery.joules": 2, "zombie.max": "never"}, "each": {"battery.joules": [1, 3]},
        "groups": [{"name": "old", "metrics": {"zombie.max": 4}, "each": {"zombie.max": [4, null]}}]}]}]}
        """
    }

    private func message(_ text: String) -> String {
        do throws(BaselineFault) {
            _ = try Baseline(text: Array(text.utf8))
            return "read"
        } catch { return error.message }
    }

    @Test func faultsNameTheirPlace() {
        // Broken: a damaged file is read, or the message names another member.
        let text = baseline().text
        for (old, new, expected) in placedFaults {
            guard text.contains(old) else {
                Issue.record("\(old) is not in the file")
                continue
            }
            #expect(message(text.replacing(old, with: new, maxReplacements: 1)) == expected, "\(new)")
        }
    }

    @Test func faultsOfOlderFilesNameTheirPlace() {
        // Broken: a damaged file of the first format is read, or the message names another member.
        let text = first()
        let table: [(String, String, String)] = [
            ("[1, 3]", "[1]", "scenarios[0].strategies[0].each: `battery.joules` has not 2 entries"),
            ("[1, 3]", "1", "scenarios[0].strategies[0].each: `battery.joules` has not 2 entries"),
            ("[1, 3]", "[1, \"x\"]", "scenarios[0].strategies[0].each: `battery.joules` is not a number"),
            ("\"name\": \"naive\"", "\"name\": 1", "scenarios[0].strategies[0]: `name` is not a text"),
            ("\"scenarios\": [", "\"scenarios\": 1, \"s\": [", "`scenarios` is not a list"),
            ("[{\"name\": \"Lift\"", "[1, {\"name\": \"Lift\"", "scenarios[0]: it is not an object"),
            (
                "\"each\": {\"battery.joules\": [1, 3]}", "\"each\": 1",
                "scenarios[0].strategies[0]: `each` is not an object"
            ), ("[\"00010002\", \"0003\"]", "[1]", "scenarios[0].strategies[0]: `minutes` is not a list of texts"),
            (
                "[{\"name\": \"old\"", "[{\"name\": \"old\", \"metrics\": {}, \"each\": {}}, {\"name\": \"old\"",
                "scenarios[0].strategies[0]: two groups are called `old`"
            ),
            (
                "\"strategies\": [",
                "\"strategies\": [{\"name\": \"naive\", \"strategy_hash\": \"h\", \"digests\": [\"1\", \"2\"], \"minutes\": [], \"metrics\": {}, \"each\": {}}, ",
                "scenarios[0]: two strategies are called `naive`"
            ),
            (
                "\"scenarios\": [",
                "\"scenarios\": [{\"name\": \"Lift\", \"world_hash\": \"\", \"seed\": 1, \"replicas\": 1, \"minute_s\": 1, \"strategies\": []}, ",
                "two scenarios are called `Lift`"
            ),
        ]
        for (old, new, expected) in table {
            guard text.contains(old) else {
                Issue.record("\(old) is not in the file")
                continue
            }
            #expect(message(text.replacing(old, with: new, maxReplacements: 1)) == expected, "\(new)")
        }
    }
}

private let aFileHasItsLinesText = #"""
    {
    "metrics": ["battery.joules", "calls.ok", "dns.failed", "latency.down.p95", "latency.probe.p5", "latency.probe.p95", "made.up.metric.number0",
    "made.up.metric.number1", "made.up.metric.number2", "made.up.metric.number3", "made.up.metric.number4", "made.up.metric.number5", "made.up.metric.number6",
    "made.up.metric.number7", "zombie.max"],
    "scenarios": {
    "Calm": {
    "minute_s": 60,
    "nothing": ["latency.probe.*"],
    "replicas": 2,
    "seed": 7,
    "strategies": {
    "early": {
    "digests": ["3", "4"],
    "metrics": {
    "dns.failed": [null, null, 1]
    },
    "minutes": [
    ],
    "strategy_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    }
    },
    "world_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    },
    "Lift": {
    "minute_s": 60,
    "nothing": ["latency.probe.*"],
    "order": ["naive", "early"],
    "replicas": 2,
    "seed": 7,
    "strategies": {
    "early": {
    "digests": ["3", "4"],
    "metrics": {
    "dns.failed": [null, null, 1]
    },
    "minutes": [
    ],
    "strategy_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    },
    "naive": {
    "digests": ["0000000000000001", "0000000000000002"],
    "groups": {
    "new": {
    },
    "old \"b\"": {
    "zombie.max": 7
    }
    },
    "metrics": {
    "battery.joules": [2, 1.5, 2.5],
    "calls.ok": [4, 0],
    "dns.failed": null,
    "latency.down.p95": [{"at_least": 3}, 2, {"at_least": 3}],
    "zombie.max": "never"
    },
    "minutes": [
    ["ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB",
    "ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB",
    "AB"],
    ["CDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCDCD"]
    ],
    "strategy_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    }
    },
    "world_hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    }
    },
    "schema": "deadzone/baseline/2",
    "tool": {"version": "1.2.3"}
    }

    """#

/// A part of the file, its replacement, and the message.
private let placedFaults: [(String, String, String)] = [
    (
        "\"deadzone/baseline/2\"", "\"deadzone/baseline/3\"",
        "its schema is `deadzone/baseline/3`, not `deadzone/baseline/2`"
    ),
    ("\"schema\": \"deadzone/baseline/2\",", "", "it has no `schema`"),
    ("\"tool\": {\"version\": \"1.2.3\"}", "\"tool\": 1", "`tool` is not an object"),
    ("\"1.2.3\"", "1", "tool: `version` is not a text"),
    ("\"battery.joules\", ", "1, ", "`metrics` is not a list of texts"),
    (
        "\"seed\": 7", "\"seed\": -1",
        "scenarios.Calm: `seed` is not a whole number from 0 to 18446744073709551615"
    ),
    (
        "\"seed\": 7", "\"seed\": 18446744073709551616",
        "scenarios.Calm: `seed` is not a whole number from 0 to 18446744073709551615"
    ),
    ("\"replicas\": 2", "\"replicas\": 0", "scenarios.Calm: `replicas` is not a whole number from 1 to 100000"),
    (
        "\"replicas\": 2", "\"replicas\": 100001",
        "scenarios.Calm: `replicas` is not a whole number from 1 to 100000"
    ),
    (
        "\"minute_s\": 60", "\"minute_s\": 0",
        "scenarios.Calm: `minute_s` is not a whole number from 1 to 1000000000"
    ),
    (
        "\"minute_s\": 60", "\"minute_s\": 1000000001",
        "scenarios.Calm: `minute_s` is not a whole number from 1 to 1000000000"
    ),
    (
        "\"digests\": [\"3\", \"4\"]", "\"digests\": [\"3\"]",
        "scenarios.Calm.strategies.early: `digests` has not 2 entries"
    ),
    (
        "\"minutes\": [\n],", "\"minutes\": [\"a\"],",
        "scenarios.Calm.strategies.early: `minutes` is not a list of lists of texts"
    ),
    (
        "\"minutes\": [\n],", "\"minutes\": [[1]],",
        "scenarios.Calm.strategies.early: `minutes` is not a list of lists of texts"
    ),
    (
        "\"dns.failed\": [null, null, 1]", "\"dns.failed\": [null, null, 1, 2]",
        "scenarios.Calm.strategies.early.metrics: `dns.failed` has not 2 replicas"
    ),
    (
        "\"dns.failed\": [null, null, 1]", "\"dns.failed\": []",
        "scenarios.Calm.strategies.early.metrics: `dns.failed` has not 2 replicas"
    ),
    (
        "\"dns.failed\": [null, null, 1]", "\"dns.failed\": [null, null, \"x\"]",
        "scenarios.Calm.strategies.early.metrics: `dns.failed` is not a number"
    ),
    (
        "\"dns.failed\": [null, null, 1]", "\"dns.failed\": \"x\"",
        "scenarios.Calm.strategies.early.metrics: `dns.failed` is not a number"
    ),
    (
        "\"order\": [\"naive\", \"early\"]", "\"order\": [\"naive\", \"naive\"]",
        "scenarios.Lift: `order` does not name each strategy once"
    ),
    (
        "\"order\": [\"naive\", \"early\"]", "\"order\": [\"naive\"]",
        "scenarios.Lift: `order` does not name each strategy once"
    ),
    (
        "\"order\": [\"naive\", \"early\"]", "\"order\": [\"naive\", \"early\", \"x\"]",
        "scenarios.Lift: `order` does not name each strategy once"
    ),
    ("\"order\": [\"naive\", \"early\"]", "\"order\": [1]", "scenarios.Lift: `order` is not a list of texts"),
    ("\"scenarios\": {", "\"scenarios\": {\"A\": 1,", "scenarios.A: it is not an object"),
    (
        "\"nothing\": [\"latency", "\"nothing\": [1, \"latency",
        "scenarios.Calm: `nothing` is not a list of texts"
    ),
    ("\"new\": {\n}", "\"new\": 1", "scenarios.Lift.strategies.naive.groups.new: it is not an object"),
    ("{\n\"metrics\"", "{\n\"metrics\" 1", "byte 12: a colon is expected here"),
]
