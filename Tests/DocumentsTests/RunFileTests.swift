import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// A run as JSON, Markdown, JUnit and in the summary of several files, character by character.
struct RunFileTests {
    /// The document without these members.
    private func without(_ keys: Set<String>, _ value: JSON) -> JSON {
        switch value {
        case .object(let members):
            .object(members.filter { !keys.contains($0.key) }.mapValues { without(keys, $0) })
        case .array(let items): .array(items.map { without(keys, $0) })
        default: value
        }
    }

    @Test func aRunHasItsMembers() throws {
        // Broken: a member is missing, has another value, or is a string instead of a number.
        var report = FullRun.report()
        try report.judge(
            Sample.expectations() + [
                Expectation(
                    strategy: "tuned", group: "old", metric: "zombie.max",
                    threshold: Threshold("at least 2 s", in: .seconds))
            ])
        report.model.platform = ModelNote(name: "android-15", sources: ["AOSP", "Pixel"], assumed: ["linger 30s"])
        report.vacuous = ["it never took effect"]
        expectText(
            without(["metrics", "ci95"], report.json).textInLines,
            aRunHasItsMembersText)
        report.isComplete = false
        report.focus = Focus(replica: 2, phone: 3)
        report.scenario.cell = []
        report.model.platform = nil
        report.model.population = []
        report.strategies = []
        expectText(
            report.json.textInLines,
            #"""
            {"complete": false, "incomplete": true, "model": {"limits": ["The radio alone: no screen, no processor."],
            "radios": [{"assumed": ["idle power 10 mW", "promotion power of lte-att-2012-aro"],
            "interface": "cellular", "profile": "lte-verizon-2021", "source": "Narayanan et al., SIGCOMM 2021"}]},
            "phone": 3, "replica": 2, "replicas": 6, "scenario": {"about": "Wi-Fi dies in the elevator, LTE in the street.", "duration_s": 2700, "name": "Lift [radio=lte, every=5s]", "phones": 4, "resolved": "version: 1\nname: Elevator\n", "world_hash": "00c0ffee00c0ffee"},
            "schema": "deadzone/run/1", "seed": 1, "selection": [],
            "strategies": [],
            "tool": {"version": "0.1.0"},
            "vacuous": ["it never took effect"],
            "verdict": "fail"}
            """#)
        #expect(
            RunReport.json(of: [], isComplete: false).text(.line)
                == "{\"incomplete\": true, \"runs\": [], \"schema\": \"deadzone/runs/1\"}")
        #expect(RunReport.json(of: []).text(.line) == "{\"runs\": [], \"schema\": \"deadzone/runs/1\"}")
    }

    @Test func everyMetricIsInTheDocument() {
        // Broken: a metric or its interval is missing, or belongs to another strategy or group.
        let report = FullRun.report()
        let strategies = report.json["strategies"]?.items ?? []
        #expect(strategies.count == 2)
        for (json, strategy) in zip(strategies, report.strategies) {
            let parts =
                [(json, strategy.measurement)]
                + zip(json["groups"]?.items ?? [], strategy.groups.map(\.measurement)).map { ($0, $1) }
            #expect(parts.count == 3)
            for (part, measurement) in parts {
                for metric in Catalogue.all {
                    let isListed = !metric.isPartOfEnergy
                    let figure = measurement.figure(metric.name) ?? .nothing
                    let number: JSON =
                        switch figure {
                        case .value(let value): .number(value.double)
                        case .atLeast(let value): .object(["at_least": .number(value.double)])
                        case .never, .nothing: .null
                        }
                    #expect(part["metrics"]?[metric.name] == (isListed ? number : nil), "\(metric.name)")
                    let interval = isListed ? measurement.interval(metric.name) : nil
                    let ends = part["ci95"]?[metric.name]?.items
                    #expect(ends?.count == interval.map { _ in 2 }, "\(metric.name)")
                    #expect(ends?.first?.double == interval?.low.double && ends?.last?.double == interval?.high.double)
                }
            }
        }
    }

    @Test func lowerBoundsAreWritten() {
        // Broken: a lower bound is written as a number, or a value that no number expresses as zero.
        #expect(Figure?.some(.atLeast(Billionths(count: 1_500_000_000))).json.text(.line) == #"{"at_least": 1.5}"#)
        #expect(Figure?.some(.value(Billionths(count: 1_500_000_000))).json.text(.line) == "1.5")
        #expect([Figure?.some(.never), .some(.nothing), nil].allSatisfy { $0.json == .null })
    }

    @Test func aSummaryIsMarkdown() throws {
        // Broken: a failure is not listed, a winner is not bold, or a name is markup.
        var report = FullRun.report()
        report.scenario.name = "*Lift*"
        report.vacuous = ["it <never> took effect"]
        try report.judge(
            Sample.expectations().filter { $0.metric.hasPrefix("delivery") || $0.metric == "latency.down.max" })
        var single = Sample.report(replicas: 1)
        single.strategies.removeFirst()
        expectText(
            RunReport.markdown(of: [report, single]),
            aSummaryIsMarkdownText)
        #expect(RunReport.markdown(of: [single]).hasPrefix("## Deadzone: pass ✅\n\n1 of 1 runs pass.\n\n### ✅ "))
        let piece = RunReport.markdown(of: [report]).utf8.count
        let many = RunReport.markdown(of: Array(repeating: report, count: Markdown.limit / piece + 40))
        #expect(many.utf8.count <= Markdown.limit && many.hasSuffix(" more runs, left out because of the size limit\n"))
    }

    @Test func theMarksOfASummaryAreExplained() {
        // Broken: a reader of Markdown does not learn what `?`, `~` and bold mean, or reads of marks that are absent.
        let report = Sample.report()
        let all: Set<String> = ["*", "?", "~", ">", ""]
        #expect(
            report.legendNotes(all, best: "bold is") == [
                "bold is best (95% CI does not overlap the others)",
                "? lowest only because it delivered fewer messages",
                "~ undecided: 95% CIs overlap", "> at least this much: too many messages are pending",
            ])
        #expect(report.legendNotes([""], best: "bold is").isEmpty)
        let text = RunReport.markdown(of: [Sample.report()])
        let signs = [("| **", "bold is best"), (" &#126; |", "&#126; undecided"), (" ? |", "? lowest only")]
        for (sign, note) in signs { #expect(text.contains(sign) == text.contains(note), "\(note): \(text)") }
    }

    @Test func casesAreJUnit() throws {
        // Broken: a case has another name, result or text, or two suites of one name are mixed.
        var report = FullRun.report()
        report.scenario.name = "Lift & 'stairs'"
        report.vacuous = ["first\n<second>"]
        try report.judge(Sample.expectations())
        expectText(
            RunReport.junit(of: [report, Sample.report(), Sample.report()]),
            casesAreJUnitText)
        let long = String(repeating: "n", count: 250)
        let text = JUnit.text([
            .init(suite: long, name: long + "1", result: .passed),
            .init(suite: long, name: long + "2", result: .passed),
        ])
        let short = String(repeating: "n", count: 200)
        #expect(text.contains("<testsuite name=\"\(short)…\" tests=\"2\""))
        #expect(text.contains("classname=\"\(short)…\" name=\"\(short)\"/>") && text.contains("name=\"\(short)…\"/>"))
        for count in [199, 200, 201] {
            let name = String(repeating: "s", count: count)
            let isCut = JUnit.text([.init(suite: name, name: "a", result: .passed)]).contains("…")
            #expect(isCut == (count > 200), "\(count)")
        }
        #expect(
            JUnit.text([])
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"deadzone\" tests=\"0\" failures=\"0\" errors=\"0\">\n</testsuites>\n"
        )
    }

    @Test func duplicateNamesAreNumbered() {
        // Broken: the first number is taken although it exists.
        var known: Set = ["a", "a (2)", "a (3)"]
        #expect(JUnit.uniqueName("a") { known.insert($0).inserted } == "a (4)")
        #expect(JUnit.uniqueName("b") { known.insert($0).inserted } == "b")
        #expect(JUnit.uniqueName("b") { known.insert($0).inserted } == "b (2)")
    }

    @Test func reasonsOfFailuresArePhrases() throws {
        // Broken: a failure names another metric, value or bound, or a passing bound is listed.
        var report = Sample.report()
        report.vacuous = ["it never took effect"]
        try report.judge(Sample.expectations())
        expectText(
            report.failures.joined(separator: "\n"),
            #"""
            latency.down.max of naive is never, not under 2000 ms
            latency.up.p50 of tuned is -, not under 1000 ms
            latency.down.p50 of tuned is 500 ms, not within 1% of naive (544.7 ms to 555.7 ms)
            battery.percent_per_hour of tuned is 0.2252 %/h, not over 2 %/h
            it never took effect
            """#)
        var summary = RunSummary()
        summary.add("bad.yaml", [Sample.report(), report])
        summary.add("good.yaml", [Sample.report()])
        expectText(
            summary.text(Style(hasColour: true)),
            #"""

            «b:Summary»
              «r:FAIL»  bad.yaml: latency.down.max of naive is never, not under 2000 ms; and 4 more
              «g:pass»  good.yaml
            «r:FAIL»: 1 of 2 files

            """#)
    }

    @Test func boundsAreWords() throws {
        // Broken: a relation is written as another one, or a reference without its number.
        let bounds = Billionths(count: 1_000_000_000)...Billionths(count: 2_000_000_000)
        let table: [(String, String, String)] = [
            ("0", "0 s", "0 s"), ("under 15s", "under 15 s", "under 15 s"),
            ("at most 3s", "at most 3 s", "at most 3 s"),
            ("over 2m", "over 120 s", "over 120 s"), ("at least 1s", "at least 1 s", "at least 1 s"),
            ("1s to 3s", "1 s to 3 s", "1 s to 3 s"),
            ("at most 60% of a|b", "at most 60% of a|b", "at most 60% of a|b (1 s)"),
            ("within 1% of naive", "within 1% of naive", "within 1% of naive (1 s to 2 s)"),
        ]
        for (text, plain, resolved) in table {
            let threshold = try Threshold(text, in: .seconds)
            #expect(threshold.words(.seconds, nil) == plain, "\(text)")
            #expect(threshold.words(.seconds, bounds) == resolved, "\(text)")
        }
    }
}

private let aRunHasItsMembersText = #"""
    {"complete": true, "model": {"limits": ["The radio alone: no screen, no processor."],
    "platform": {"assumed": ["linger 30s"],
    "name": "android-15", "source": "AOSP; Pixel"},
    "population": ["old: 3 phones", "new: 1 phone"],
    "radios": [{"assumed": ["idle power 10 mW", "promotion power of lte-att-2012-aro"],
    "interface": "cellular", "profile": "lte-verizon-2021", "source": "Narayanan et al., SIGCOMM 2021"}]},
    "replicas": 6, "scenario": {"about": "Wi-Fi dies in the elevator, LTE in the street.", "cell": {"every": "5s", "radio": "lte"},
    "duration_s": 2700, "name": "Lift [radio=lte, every=5s]", "phones": 4, "resolved": "version: 1\nname: Elevator\n", "world_hash": "00c0ffee00c0ffee"},
    "schema": "deadzone/run/1", "seed": 1, "selection": ["naive", "tuned"],
    "strategies": [{"digest": "1111111111111111", "energy": {"by_cause": {"ack": 0, "baseline": 17.675, "connect": 0, "dns": 0, "handover": 0, "keepalive": 160.65655024, "other_apps": 0, "payload": 16.1185008, "poll": 0, "pong": 0, "probe": 0, "push": 0, "resume": 0, "retransmit": 0, "search": 0, "tls": 0, "tunnel": 0, "wake": 0},
    "by_state": {"cellular.active": 16.13005104, "cellular.idle": 17.675, "cellular.tail": 160.645}},
    "entries": [{"at_s": 720, "entry": 0, "joules_difference": 2.5, "lost_down": 403, "lost_up": 0, "silence_s": 90, "title": "Wi-Fi left"},
    {"at_s": 1500, "entry": 1, "joules_difference": -0.25, "lost_down": 0, "lost_up": 1, "silence_s": 0, "title": "dead zone"},
    {"lost_down": 2, "lost_up": 0, "silence_s": 30, "title": "no entry"}],
    "expect": [{"bound": 120, "metric": "zombie.max", "op": ">", "value": 1200, "verdict": "pass"},
    {"bound": 2000, "metric": "latency.down.max", "op": "<", "reason": "too many messages never arrived, so there is no number", "value": null, "verdict": "fail"}],
    "groups": [{"name": "old", "phones": 3, "strategy": "polling"},
    {"name": "new", "phones": 1}],
    "losses": {"down": {"by_cause": {"dead_connection": 3, "no_path": 1, "packet_lost": 400, "unobserved": 1},
    "by_place": {"connection": 3, "path": 400, "session_start": 1, "unobserved": 1}},
    "silence_s": {"dead_connection": 90, "no_path": 30},
    "up": {"by_cause": {"app_queue_full": 1},
    "by_place": {"app_queue": 1}}},
    "name": "naive", "radio": {"cellular": {"active": 30, "idle": 1767.5, "tail": 902.5}},
    "stops": [],
    "strategy_hash": "aaaa", "witness": {"latency.down.max": {"phone": 3, "replica": 1},
    "zombie.max": {"phone": 0, "replica": 2}}},
    {"digest": "2222222222222222", "energy": {"by_cause": {"ack": 0, "baseline": 23.675, "connect": 0, "dns": 0, "handover": 0, "keepalive": 53.845577512, "other_apps": 0, "payload": 16.1185008, "poll": 0, "pong": 0, "probe": 0, "push": 0, "resume": 0, "retransmit": 0, "search": 0, "tls": 0, "tunnel": 0, "wake": 0},
    "by_state": {"cellular.active": 16.119078312, "cellular.idle": 23.675, "cellular.tail": 53.845}},
    "entries": [{"at_s": 1500, "entry": 1, "lost_down": 0, "lost_up": 0, "silence_s": 2, "title": "dead zone"}],
    "expect": [{"bound": 0, "metric": "delivery.down.lost", "note": "and 1 pending", "op": "==", "value": 0, "verdict": "pass"},
    {"bound": 15, "metric": "zombie.max", "op": "<", "value": 9, "verdict": "pass"},
    {"bound": 116.670030624, "metric": "battery.joules", "of": "naive", "op": "<=", "ratio": 0.6, "value": 93.639078312, "verdict": "pass"},
    {"bound": 1000, "metric": "latency.up.p50", "op": "<", "reason": "there was nothing to measure", "value": null, "verdict": "fail"},
    {"bound": [1, 9],
    "metric": "keepalive.pings", "op": "in", "value": 9, "verdict": "pass"},
    {"bound": null, "metric": "latency.down.p50", "of": "naive", "op": "in", "ratio": 0.01, "reason": "naive has no number to compare with", "value": 500.03968, "verdict": "fail"},
    {"bound": 2, "metric": "battery.percent_per_hour", "op": ">", "value": 0.225202209, "verdict": "fail"},
    {"bound": 2, "group": "old", "metric": "zombie.max", "op": ">=", "value": 1200, "verdict": "pass"}],
    "groups": [{"name": "old", "phones": 3, "strategy": "polling"},
    {"name": "new", "phones": 1}],
    "losses": {"down": {"by_cause": {},
    "by_place": {}},
    "silence_s": {"no_path": 2},
    "up": {"by_cause": {},
    "by_place": {}}},
    "name": "tuned", "radio": {"cellular": {"active": 30, "idle": 2367.5, "tail": 302.5}},
    "stops": [],
    "strategy_hash": "bbbb", "witness": {"zombie.max": {"phone": 1, "replica": 5}}}],
    "tool": {"version": "0.1.0"},
    "vacuous": ["it never took effect"],
    "verdict": "fail"}
    """#

private let aSummaryIsMarkdownText = #"""
    ## Deadzone: fail ❌

    1 of 2 runs pass.

    ### ❌ &#42;Lift&#42;

    - invalid run: it &#60;never&#62; took effect
    - **naive**: `latency.down.max` is never&#58; too many messages never arrived, so there is no number; the bound is under 2000 ms
    - holds: **tuned**: `delivery.down.lost` is 0, and 1 pending; the bound is 0

    <details><summary>numbers: 6 replicas, seed 1</summary>

    |  | naive | tuned |
    | --- | --- | --- |
    | Energy, a phone | 194.5 J | **93.64 J** |
    | Energy above idle, a phone | 167.5 J | **66.64 J** |
    | Energy per hour, a phone | 259.3 J/h | **124.9 J/h** |
    | Energy per day, a phone | 6222 J/d | **2996 J/d** |
    | Battery drain, a phone | 0.4677 %/h | **0.2252 %/h** |
    | Battery drain per day, a phone | 11.22 %/d | **5.405 %/d** |
    | Charge per hour, a phone | 19.46 mAh/h | **9.373 mAh/h** |
    | Charge per day, a phone | 467.1 mAh/d | **225 mAh/d** |
    | Radios awake, added up | 34.54% | **12.31%** |
    | Radio promotions, all 4 phones | 0 | 0 |
    | Server to app, median | never | **500 ms** |
    | Server to app, 95th percentile | never | **949.7 ms** |
    | Server to app, longest | never | **1000 ms** |
    | Messages, server to app, all 4 phones | 621 | 21 |
    | Lost, server to app, all 4 phones | 405 | **0** |
    | Pending, server to app, all 4 phones | **0** | 1 |
    | Truly connected | 55.56% | **97.78%** |
    | Longest dead connection believed open | 1200 s | **9 s** |
    | Time on dead connections, a phone | 1200 s | **9 s** |
    | Dead connection noticed after, 95th percentile | never | **9 s** |
    | Served again after, 95th percentile | - | 2 s |
    | Connections opened, all 4 phones | 1 | 1 |
    | Good connections given up, all 4 phones | 0 | 0 |
    | Pings, all 4 phones | 180 | **9** |
    | Bytes in a month, a phone | 74.88 MB | **58.46 MB** |
    | Overhead bytes per message byte | 30% | **1.5%** |
    | Bytes received, all 4 phones | 0 B | 0 B |

    bold is best (95% CI does not overlap the others)

    </details>

    ### ✅ Elevator to the subway


    <details><summary>numbers: 1 replica, seed 1</summary>

    |  | tuned |
    | --- | --- |
    | Energy | 93.22 J |
    | Energy above idle | 66.22 J |
    | Energy per hour | 124.3 J/h |
    | Energy per day | 2983 J/d |
    | Battery drain | 0.2242 %/h |
    | Battery drain per day | 5.381 %/d |
    | Charge per hour | 9.331 mAh/h |
    | Charge per day | 223.9 mAh/d |
    | Radios awake, added up | 12.22% |
    | Radio promotions | 0 |
    | Server to app, median | 500 ms |
    | Server to app, 95th percentile | 949.7 ms |
    | Server to app, longest | 1000 ms |
    | Messages, server to app | 21 |
    | Lost, server to app | 0 |
    | Pending, server to app | 1 |
    | Truly connected | 97.78% |
    | Longest dead connection believed open | 9 s |
    | Time on dead connections | 9 s |
    | Dead connection noticed after, 95th percentile | 9 s |
    | Served again after, 95th percentile | 2 s |
    | Connections opened | 1 |
    | Good connections given up | 0 |
    | Pings | 9 |
    | Bytes in a month | 58.46 MB |
    | Overhead bytes per message byte | 1.5% |

    </details>


    """#

private let casesAreJUnitText = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="deadzone" tests="12" failures="4" errors="1">
      <testsuite name="Lift &amp; &apos;stairs&apos;" tests="10" failures="4" errors="1">
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="the run is valid">
          <error type="unsound" message="first&#10;&lt;second&gt;"/>
        </testcase>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="naive: zombie.max over 120 s"/>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="naive: latency.down.max under 2000 ms">
          <failure type="bound" message="latency.down.max of naive is never: too many messages never arrived, so there is no number; the bound is under 2000 ms">latency.down.max of naive is never: too many messages never arrived, so there is no number; the bound is under 2000 ms</failure>
        </testcase>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: delivery.down.lost 0">
          <system-out>delivery.down.lost of tuned is 0, and 1 pending; the bound is 0</system-out>
        </testcase>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: zombie.max under 15 s"/>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: battery.joules at most 60% of naive"/>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: latency.up.p50 under 1000 ms">
          <failure type="bound" message="latency.up.p50 of tuned is there was nothing to measure; the bound is under 1000 ms">latency.up.p50 of tuned is there was nothing to measure; the bound is under 1000 ms</failure>
        </testcase>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: keepalive.pings 1 to 9"/>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: latency.down.p50 within 1% of naive">
          <failure type="bound" message="latency.down.p50 of tuned is 500 ms: naive has no number to compare with; the bound is within 1% of naive">latency.down.p50 of tuned is 500 ms: naive has no number to compare with; the bound is within 1% of naive</failure>
        </testcase>
        <testcase classname="Lift &amp; &apos;stairs&apos;" name="tuned: battery.percent_per_hour over 2 %/h">
          <failure type="bound" message="battery.percent_per_hour of tuned is 0.2252 %/h; the bound is over 2 %/h">battery.percent_per_hour of tuned is 0.2252 %/h; the bound is over 2 %/h</failure>
        </testcase>
      </testsuite>
      <testsuite name="Elevator to the subway" tests="1" failures="0" errors="0">
        <testcase classname="Elevator to the subway" name="the run completed"/>
      </testsuite>
      <testsuite name="Elevator to the subway (2)" tests="1" failures="0" errors="0">
        <testcase classname="Elevator to the subway (2)" name="the run completed"/>
      </testsuite>
    </testsuites>

    """#
