import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneReports

/// Sections of the page that are words and tables.
struct TableTextTests {
    @Test func theAnswerIsWritten() throws {
        // Broken: a card names another winner, number or lead.
        var report = FullRun.report()
        try report.judge(Sample.expectations())
        expectText(
            DrawnRun.lines(SummarySection(report: report).html),
            TableTextExpected1.theAnswerIsWrittenText1)
        expectText(
            DrawnRun.lines(SummarySection(report: Sample.night()).html),
            TableTextExpected2.theAnswerIsWrittenText2)
    }

    @Test func lossesAndGroupsAreWritten() {
        // Broken: a row shows the numbers of another cause, entry or group.
        expectText(
            DrawnRun.lines(LossSection(report: FullRun.report()).html),
            TableTextExpected1.lossesAndGroupsAreWrittenText)
        expectText(
            DrawnRun.lines(GroupsTable(report: FullRun.report()).html).split(separator: "\n").prefix(40).joined(
                separator: "\n"),
            #"""
            <section class="part">
            <h2>By group</h2>
            <div class="wide"><table class="numbers"><thead>
            <tr><td></td><th scope="col"><b class="who">
            <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <circle class="dot p0" cx="6" cy="6" r="4"></circle></svg>naive</b></th><th scope="col"><b class="who">
            <svg class="key" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path class="dot p1" d="M6 6m-4 -4h8v8h-8z"></path></svg>tuned</b></th></tr></thead>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.joules" colspan="3">Energy, a phone</th></tr>
            <tr><th scope="row">old, always polling: 3 phones</th><td>93.64 J<small>93.3 J – 93.95 J</small></td><td>194.5 J<small>194.1 J – 194.8 J</small></td></tr>
            <tr><th scope="row">new: 1 phone</th><td>194.5 J<small>194.1 J – 194.8 J</small></td><td>93.64 J<small>93.3 J – 93.95 J</small></td></tr>
            </tbody>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.above_idle_joules" colspan="3">Energy above idle, a phone</th></tr>
            <tr><th scope="row">old, always polling: 3 phones</th><td>66.64 J<small>66.3 J – 66.95 J</small></td><td>167.5 J<small>167.1 J – 167.8 J</small></td></tr>
            <tr><th scope="row">new: 1 phone</th><td>167.5 J<small>167.1 J – 167.8 J</small></td><td>66.64 J<small>66.3 J – 66.95 J</small></td></tr>
            </tbody>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.joules_per_hour" colspan="3">Energy per hour, a phone</th></tr>
            <tr><th scope="row">old, always polling: 3 phones</th><td>124.9 J/h<small>124.4 J/h – 125.3 J/h</small></td><td>259.3 J/h<small>258.8 J/h – 259.7 J/h</small></td></tr>
            <tr><th scope="row">new: 1 phone</th><td>259.3 J/h<small>258.8 J/h – 259.7 J/h</small></td><td>124.9 J/h<small>124.4 J/h – 125.3 J/h</small></td></tr>
            </tbody>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.joules_per_day" colspan="3">Energy per day, a phone</th></tr>
            <tr><th scope="row">old, always polling: 3 phones</th><td>2996 J/d<small>2986 J/d – 3006 J/d</small></td><td>6222 J/d<small>6212 J/d – 6232 J/d</small></td></tr>
            <tr><th scope="row">new: 1 phone</th><td>6222 J/d<small>6212 J/d – 6232 J/d</small></td><td>2996 J/d<small>2986 J/d – 3006 J/d</small></td></tr>
            </tbody>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.percent_per_hour" colspan="3">Battery drain, a phone</th></tr>
            <tr><th scope="row">old, always polling: 3 phones</th><td>0.2252 %/h<small>0.2244 %/h – 0.2259 %/h</small></td><td>0.4677 %/h<small>0.4668 %/h – 0.4684 %/h</small></td></tr>
            <tr><th scope="row">new: 1 phone</th><td>0.4677 %/h<small>0.4668 %/h – 0.4684 %/h</small></td><td>0.2252 %/h<small>0.2244 %/h – 0.2259 %/h</small></td></tr>
            </tbody>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.percent_per_day" colspan="3">Battery drain per day, a phone</th></tr>
            <tr><th scope="row">old, always polling: 3 phones</th><td>5.405 %/d<small>5.385 %/d – 5.423 %/d</small></td><td>11.22 %/d<small>11.2 %/d – 11.24 %/d</small></td></tr>
            <tr><th scope="row">new: 1 phone</th><td>11.22 %/d<small>11.2 %/d – 11.24 %/d</small></td><td>5.405 %/d<small>5.385 %/d – 5.423 %/d</small></td></tr>
            </tbody>
            <tbody>
            <tr class="group"><th scope="rowgroup" title="battery.charge_per_hour" colspan="3">Charge per hour, a phone</th></tr>
            """#)
    }

    @Test func reproductionIsWritten() {
        // Broken: a reader cannot repeat the run, or misses an assumption.
        expectText(
            DrawnRun.lines(ReproduceSection(report: Sample.report()).html),
            #"""
            <section class="part reproduce">
            <h2>Reproduce</h2>
            <p>Save the scenario below as <code>scenario.yaml</code>. The result is identical on any machine.</p>
            <pre><code>deadzone run scenario.yaml --seed 1 --replicas 6 --strategy naive --strategy tuned</code></pre>
            <div class="wide"><table><tbody>
            <tr><th scope="row">tool</th><td>deadzone 0.1.0</td></tr>
            <tr><th scope="row">seed · replicas</th><td>1 · 6</td></tr>
            <tr><th scope="row">world</th><td><code>00c0ffee00c0ffee</code></td></tr>
            <tr><th scope="row">naive</th><td>settings <code>aaaa</code>, digest <code>1111111111111111</code></td></tr>
            <tr><th scope="row">tuned</th><td>settings <code>bbbb</code>, digest <code>2222222222222222</code></td></tr>
            </tbody></table></div>
            <details><summary>The scenario with all defaults and profiles filled in</summary><pre class="yaml"><code>version: 1
            name: Elevator
            </code></pre></details>
            <h2>Model and assumptions</h2>
            <p>Joules are those of the profile's phone and network. Compare strategies before you trust a joule.</p>
            <details><summary><b>cellular radio</b> lte-verizon-2021 — 1 source, 2 assumed</summary><ul><li>Narayanan et al., SIGCOMM 2021</li><li>assumed: idle power 10 mW</li><li>assumed: promotion power of lte-att-2012-aro</li></ul></details>
            <ul><li>The radio alone: no screen, no processor.</li></ul>
            </section>
            """#)
    }

    @Test func pagesHaveTheirHeads() {
        // Broken: the first sentence tells the verdict of other runs.
        func page(_ reports: [RunReport], change: String? = nil) -> String {
            let html = ReportPage.html(reports.map { RunWithTraces(report: $0) }, change: change)
            let body = html.replacing(/<style>.*<\/style>/.dotMatchesNewlines(), with: "").replacing(
                /<script>.*<\/script>/.dotMatchesNewlines(), with: ""
            ).replacing(/<article class="run".*<\/article>/.dotMatchesNewlines(), with: "RUNS")
                .replacing(/<svg class="defs".*?<\/svg>/.dotMatchesNewlines(), with: "").replacing(
                    /'sha256-[^']*'/, with: "HASH")
            return DrawnRun.lines(body)
        }
        expectText(
            [page([]), page([Sample.report()], change: "one <change>"), page([Sample.report(), FullRun.report()])]
                .joined(separator: "\n---\n"),
            TableTextExpected1.pagesHaveTheirHeadsText)
    }

    @Test func failuresOfAMatrixAreNamed() throws {
        // Broken: the page says that runs fail, and names no expectation, no bound or no value; or a run that passes is
        // listed.
        let demands = try Sample.expectations()
        let reports = try ["1s", "5s", "9s"].map { value -> RunReport in
            var report = Sample.report(name: "Cost [every=\(value)]")
            report.scenario.cell = [CellAxis(key: "every", value: value)]
            if value == "9s" { report.vacuous = ["the dead zone never took effect"] }
            if value == "5s" { try report.judge(demands) }
            return report
        }
        let failed = reports[1].strategies.flatMap(\.outcomes).filter { $0.verdict == .fail }
        #expect(!failed.isEmpty)
        let html = Overview(reports: reports).html
        let rows = html.split(separator: "\n").filter { $0.hasPrefix("<tr class=\"fail\"><th scope=\"row\">") }
        #expect(rows.count == failed.count + 1, "\(rows)")
        for (row, outcome) in zip(rows, failed) {
            #expect(row.contains("every=5s") && row.contains("<td>\(outcome.expectation.metric)</td>"), "\(row)")
            #expect(row.contains(Markup.escaped(outcome.valueText)), "\(row)")
        }
        #expect(rows.last?.contains("every=9s") == true && rows.last?.contains("the dead zone never") == true)
        #expect(!Overview(reports: [reports[0], reports[0]]).html.contains("Not met"))
        let many = Overview(reports: Array(repeating: reports[2], count: 23)).html
        #expect(many.contains("<p>and 3 more</p>"))
    }

    @Test func matricesAreDrawn() {
        // Broken: a curve of a matrix has another number at a value of its axis.
        let reports = [("1s", 900), ("5s", 600), ("30s", 300), ("2m", 310)].map { value, tail -> RunReport in
            var report = Sample.report(name: "Cost [every=\(value)]")
            report.scenario.cell = [CellAxis(key: "every", value: value)]
            report.scenario.columns = ["battery.joules"]
            report.strategies[1].measurement = Sample.measurement(
                replicas: 6, tail: Int64(tail), pings: 9, isZombie: false)
            return report
        }
        expectText(
            DrawnRun.lines(MatrixChart(reports)?.html ?? ""),
            TableTextExpected2.matricesAreDrawnText)
        expectText(
            DrawnRun.lines(Overview(reports: Array(reports.prefix(2))).html),
            #"""
            <section class="part" id="runs">
            <h2>2 runs</h2>
            <div class="multiples">
            <article class="multiple pass">
            <h3><a href="#run-0"> every=1s</a></h3>
            <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Energy: naive 194.5 J, tuned 194.4 J">
            <text class="who" x="0" y="14">Energy</text>
            <path class="grid" d="M112 10H232"/>
            <circle class="dot p0" cx="232" cy="10" r="4">
            <title>naive 194.5 J</title></circle>
            <path class="dot p1" d="M232 10m-4 -4h8v8h-8z">
            <title>tuned 194.4 J</title></path></svg></article>
            <article class="multiple pass">
            <h3><a href="#run-1"> every=5s</a></h3>
            <svg class="mini" viewBox="0 0 240 20" role="img" aria-label="Energy: naive 194.5 J, tuned 144 J">
            <text class="who" x="0" y="14">Energy</text>
            <path class="grid" d="M112 10H232"/>
            <circle class="dot p0" cx="232" cy="10" r="4">
            <title>naive 194.5 J</title></circle>
            <path class="dot p1" d="M200.9 10m-4 -4h8v8h-8z">
            <title>tuned 144 J</title></path></svg></article>
            </div>
            <details class="data" open><summary>Every run</summary>
            <div class="wide"><table class="runs"><thead>
            <tr><td><th>run<th>Energy<tbody>
            <tr><td><th>every=1s<td>194.5 J · 194.4 J
            <tr><td><th>every=5s<td>194.5 J · 144 J
            </table></div>
            <p>Numbers are in the order of the strategies: naive · tuned.</p></details>
            </section>
            """#)
        #expect(MatrixChart(Array(reports.prefix(2))) == nil && MatrixChart([]) == nil)
    }
}
