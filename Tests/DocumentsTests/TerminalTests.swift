import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneReports

@Suite struct TerminalReportTests {
    private let command = "deadzone run Scenarios/handoff/elevator.yaml --seed 1 --replicas 6"

    @Test("The comparison in the terminal equals its snapshot")
    func theComparison() throws {
        var report = Sample.report()
        try report.judge(Sample.expectations())
        let text = report.terminalText(.plain, reproduce: command)
        expectSnapshot(text, "comparison.txt")
        #expect(text == report.terminalText(.plain, reproduce: command))
        #expect(!text.contains("\u{1B}") && text.contains("FAIL") && text.contains(" * "))
        #expect(text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test("Strategies that lose few messages are not said to lose nothing")
    func theLeastLossIsNotNothing() throws {
        var report = Sample.report()
        // Two lose 1 of 21 messages, the third loses 11.
        report.strategies[1].measurement = Sample.measurement(replicas: 6, tail: 300, pings: 9, isZombie: true)
        var third = report.strategies[1]
        third.name = "third"
        third.measurement = Sample.measurement(replicas: 6, tail: 200, pings: 9, isZombie: true, delivered: 10)
        report.strategies.append(third)
        let line = try #require(report.bottomLine)
        #expect(line.hasPrefix("2 of 3 lose the least (4.8% of their messages); of these, tuned uses "), "\(line)")
    }

    @Test("The report in the terminal shows the operating system and the calls")
    func aNightWithAPlatform() {
        let report = Sample.night()
        let text = report.terminalText(.plain, reproduce: command)
        expectSnapshot(text, "night.txt")
        #expect(text.contains("cpu.wake ") && text.contains("Wake-ups of the processor") && text.contains("Calls"))
        #expect(text.contains("android-15") && !text.contains("linger") && !text.contains("Delivery"))
        let long = report.terminalText(.plain, reproduce: command, isVerbose: true)
        #expect(long.contains("assumed: linger 30s") && long.contains("from Pixel 8 measurements"))
        guard case .object(let document) = report.json, case .object(let model) = document["model"],
            case .object(let platform) = model["platform"], case .array(let strategies) = document["strategies"],
            case .object(let naive) = strategies[0], case .object(let energy) = naive["energy"],
            case .object(let states) = energy["by_state"]
        else {
            Issue.record("the document has another shape")
            return
        }
        #expect(platform["name"] == .string("android-15") && states["cpu.wake"] != nil)
    }

    @Test("A report of one replica decides nothing, and problems are shown")
    func oneReplicaAndTrouble() {
        var report = Sample.report(replicas: 1)
        report.vacuous = ["the dead zone at 12 min found no cellular network to take away"]
        report.isComplete = false
        let text = report.terminalText(.plain, reproduce: command)
        expectSnapshot(text, "trouble.txt")
        #expect(
            !text.contains(" * ") && !text.contains("~")
                && text.contains("one replica has no confidence interval, so nothing is decided"))
    }

    @Test("Colour only repeats what words say, and moves no column")
    func colourOnlyRepeats() throws {
        var report = Sample.report()
        try report.judge(Sample.expectations())
        let painted = report.terminalText(Style(hasColour: true), reproduce: command)
        #expect(painted.contains("\u{1B}[32m"))
        #expect(painted.replacing(/\u{1B}\[[0-9]*m/, with: "") == report.terminalText(.plain, reproduce: command))
    }

    @Test("Names in a scenario cannot control the terminal")
    func namesCannotControlTheTerminal() throws {
        let evil = "\u{1B}[2J\u{7}\u{202E}\u{9B}\r\n\u{200B}name"
        var report = Sample.report(name: evil)
        report.scenario.about = evil
        report.scenario.cell = [CellAxis(key: evil, value: evil)]
        report.strategies[0].name = evil
        report.strategies[0].stops = [evil]
        report.vacuous = [evil]
        report.model.radios[0].profile = ModelNote(name: evil, sources: [evil, evil], assumed: [evil])
        report.model.platform = ModelNote(name: evil, sources: [evil], assumed: [evil, evil, evil, evil])
        report.model.limits = [evil]
        try report.judge([
            DeadzoneMetrics.Expectation(
                strategy: evil, metric: "zombie.max", threshold: try Threshold("under 1% of \(evil)", in: .seconds))
        ])
        let texts = [
            report.terminalText(.plain, reproduce: evil),
            report.terminalText(.plain, reproduce: evil, isVerbose: true),
            RunReport.matrixText([report], .plain, reproduce: evil),
        ]
        for text in texts {
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPlain })
            #expect(text.contains("\\u{1b}[2J\\u{7}\\u{202e}"))
        }
    }

    @Test("A winner is marked only if the intervals are apart")
    func winnersNeedIntervalsApart() throws {
        let many = Sample.report().strategies.map(\.measurement)
        let fewer = Sample.report(replicas: 5).strategies.map(\.measurement)
        let one = Sample.report(replicas: 1).strategies.map(\.measurement)
        func own(_ tail: Int64, delivered: Int = 20) -> Measurement {
            Sample.measurement(replicas: 6, tail: tail, pings: 9, isZombie: false, delivered: delivered)
        }
        let table: [(String, [Measurement], [Ranking.RankMark])] = [
            ("battery.joules", many, [.none, .best]), ("battery.joules", [many[0], many[0]], [.none, .none]),
            ("battery.joules", one, [.undecided, .undecided]), ("delivery.down.sent", many, [.none, .none]),
            ("latency.down.max", many, [.none, .best]), ("latency.up.p50", many, [.none, .none]),
            ("detection.p95", many, [.none, .best]), ("battery.joules", [many[0]], [.none]),
            ("battery.joules", [many[1], fewer[1], many[0]], [.undecided, .undecided, .none]),
            ("battery.joules", [many[1], one[1]], [.undecided, .undecided]), ("recovery.p95", many, [.none, .none]),
            // A strategy that delivered almost nothing wins nothing.
            ("battery.joules", [own(100, delivered: 2), own(300)], [.flattered, .none]),
            ("battery.joules", [own(100, delivered: 19), own(300)], [.best, .none]),
            // Below a difference of one percent there is no winner, however narrow the intervals are.
            ("battery.joules", [own(900), own(908)], [.none, .none]),
            ("battery.joules", [own(900), own(930)], [.best, .none]),
        ]
        for (name, measurements, marks) in table {
            let metric = try #require(Catalogue.metric(named: name))
            #expect(Ranking(metric, measurements).marks == marks, "\(name)")
        }
    }

    @Test("The rows of a matrix can be compared by eye")
    func theGrid() throws {
        let demands = try Sample.expectations()
        let runs = try [15, 60, 1_680].map { seconds in
            let interval = "\(seconds)s"
            var report = Sample.report(name: "Keepalive [interval=\(interval), radio=lte]")
            report.scenario.cell = [CellAxis(key: "interval", value: interval), CellAxis(key: "radio", value: "lte")]
            if seconds == 60 { report.vacuous = ["the dead zone at 12 min never took effect"] }
            try report.judge(demands.filter { $0.metric == "battery.joules" || $0.metric == "latency.down.max" })
            return report
        }
        expectSnapshot(
            RunReport.matrixText(runs, .plain, reproduce: command), "matrix.txt")
        let chosen = MatrixTable.text(runs, metrics: ["battery.joules", "latency.down.p95", "no.such"], .plain)
        expectSnapshot(chosen, "grid.txt")
        #expect(MatrixTable.text([], metrics: ["battery.joules"], .plain).isEmpty)
    }

    @Test func aWideMatrixIsDivided() {
        // Broken: a matrix with ten strategies has lines that no screen shows, or lacks a strategy or a cell.
        let runs = ["15s", "60s"].map { value in
            var report = Sample.report()
            report.scenario.cell = [CellAxis(key: "interval", value: value)]
            report.strategies = (0..<10).map { index in
                var strategy = report.strategies[index % 2]
                strategy.name = "client \(index)"
                return strategy
            }
            return report
        }
        for (style, limit) in [(Style.plain, 200), (Style(hasColour: false, width: 100, hasFixedWidth: true), 100)] {
            let text = MatrixTable.text(runs, style)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.allSatisfy { $0.count <= limit }, "\(limit)")
            #expect(
                (0..<10).allSatisfy {
                    text.split(separator: "client \($0)", omittingEmptySubsequences: false).count == 2
                })
            let tables = text.split(separator: "\n\n")
            #expect(tables.count > 1 && tables.allSatisfy { $0.contains("interval") && $0.contains("\n60s") })
        }
        // Two strategies fit, so nothing is divided.
        let few = runs.map { run in
            var run = run
            run.strategies.removeLast(8)
            return run
        }
        #expect(!MatrixTable.text(few, .plain).contains("\n\n"))
    }
}

@Suite struct NumberTextTests {
    @Test("Numbers of a table equal those of the JSON, with four digits")
    func fourDigits() {
        let table: [(Int128, String)] = [
            (0, "0"), (41_200_000_000, "41.2"), (1_234_567_890, "1.235"), (12_345_678_900, "12.35"),
            (123_456_789_000, "123.5"), (1_234_567_890_000, "1235"), (12_345_000_000_000, "12345"),
            (999_960_000_000, "1000"), (123_456_789, "0.1235"), (1_234_567, "0.001235"), (1, "0.000000001"),
            (500_000_000, "0.5"), (99_999_000_000, "100"), (-1_500_000_000, "-1.5"),
        ]
        for (count, text) in table { #expect(NumberText.short(Billionths(count: count)) == text, "\(count)") }
    }

    @Test("A change is printed as a percentage or as a factor")
    func changes() {
        let table: [(Int128, Int128, String?)] = [
            (100, 67, "-33%"), (100, 100, "0%"), (1_000, 1_015, "+1.5%"), (100, 900, "+800%"), (100, 1_150, "12x"),
            (3, 2, "-33%"), (0, 5, nil), (1_000_000, 1_000_001, "0%"), (100, 0, "-100%"),
        ]
        for (old, new, text) in table {
            #expect(
                NumberText.change(from: Billionths(count: old), to: Billionths(count: new)) == text, "\(old), \(new)")
        }
    }

    @Test("Wide characters count with their width in the terminal")
    func columnsEqualThoseOfATerminal() {
        #expect("é".columns == 1 && "e\u{301}".columns == 1 && "地下鉄".columns == 6 && "🚇".columns == 2)
        #expect(
            "a\u{7}b".escapedForTerminal == "a\\u{7}b" && "a\u{200D}b".escapedForTerminal == "a\\u{200d}b"
                && "naïve".escapedForTerminal == "naïve")
    }
}
