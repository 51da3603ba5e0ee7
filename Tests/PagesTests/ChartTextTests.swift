import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneReports

/// Charts of a small run, part by part.
struct ChartTextTests {
    @Test func energyIsDrawn() {
        // Broken: a bar is longer or shorter than its joules.
        expectText(
            DrawnRun.lines(EnergyChart(id: "e", tracedRun: DrawnRun.run).html),
            ChartTextExpected1.energyIsDrawnText)
        #expect(EnergyChart(id: "e", tracedRun: RunWithTraces(report: Sample.report())).html.isEmpty)
    }

    @Test func latencyIsDrawn() {
        // Broken: a curve or a mark is at another latency or share.
        expectText(
            DrawnRun.lines(LatencyChart(id: "l", tracedRun: DrawnRun.run).html),
            ChartTextExpected1.latencyIsDrawnText)
        for (part, whole, text) in [(1, 3, "33.3%"), (2, 3, "66.7%"), (0, 3, "0%"), (3, 3, "100%"), (0, 0, "0%")]
            as [(Int64, Int64, String)]
        {
            #expect(LatencyChart.percent(part, of: whole) == text, "\(part) of \(whole)")
        }
    }

    @Test func tradesAreDrawn() {
        // Broken: a strategy is at another place than its numbers, or a dominated one is filled.
        expectText(
            DrawnRun.lines(ParetoChart(id: "p", tracedRun: RunWithTraces(report: FullRun.many())).html),
            ChartTextExpected2.tradesAreDrawnText)
    }

    @Test func herdsAreDrawn() {
        // Broken: a column of attempts is at another time or has another height.
        expectText(
            DrawnRun.lines(HerdChart(id: "h", tracedRun: DrawnRun.run).html),
            #"""
            <figure id="h" class="chart"><figcaption>
            <h3>Connection attempts of all phones</h3>
            <p>Connection attempts of all 4 phones in replica 0, in columns of 100ms. All strategies have the same scale.</p></figcaption>
            <div class="wide">
            <svg viewBox="0 0 1120 188" role="img" aria-labelledby="h-t h-d" class="chart">
            <title id="h-t">Connection attempts of all phones</title><desc id="h-d">Connection attempts of all 4 phones in replica 0, in columns of 100ms. All strategies have the same scale.</desc>
            <circle class="dot p0" cx="10" cy="52" r="4"></circle>
            <text class="row" x="22" y="56">naive</text>
            <text class="part" x="22" y="71">peak 2 in 100ms</text>
            <path class="herd p0" d="M357.4 76v-18.9h4.4V76z"/>
            <path class="axis" d="M160 76H1100"/>
            <path class="dot p1" d="M10 136m-4 -4h8v8h-8z"></path>
            <text class="row" x="22" y="140">tuned</text>
            <text class="part" x="22" y="155">peak 7 in 100ms</text>
            <path class="herd p1" d="M357.4 160v-18.9h4.4V160zM724 160v-66h4.4V160zM728.7 160v-18.9h4.4V160zM733.4 160v-18.9h4.4V160zM738.1 160v-18.9h4.4V160zM742.8 160v-18.9h4.4V160zM747.5 160v-9.4h4.4V160zM752.2 160v-9.4h4.4V160zM756.9 160v-9.4h4.4V160zM761.6 160v-9.4h4.4V160zM766.3 160v-9.4h4.4V160zM771 160v-9.4h4.4V160zM775.7 160v-9.4h4.4V160zM780.4 160v-9.4h4.4V160zM785.1 160v-9.4h4.4V160zM789.8 160v-9.4h4.4V160zM794.5 160v-9.4h4.4V160zM799.2 160v-9.4h4.4V160zM808.6 160v-9.4h4.4V160zM813.3 160v-9.4h4.4V160zM822.7 160v-9.4h4.4V160zM827.4 160v-9.4h4.4V160zM836.8 160v-9.4h4.4V160zM841.5 160v-9.4h4.4V160zM850.9 160v-9.4h4.4V160zM855.6 160v-9.4h4.4V160zM865 160v-9.4h4.4V160zM874.4 160v-9.4h4.4V160zM883.8 160v-9.4h4.4V160zM893.2 160v-9.4h4.4V160zM902.6 160v-9.4h4.4V160z"/>
            <path class="axis" d="M160 160H1100"/>
            <text class="tick" x="160" y="184">0</text>
            <text class="tick" x="254" y="184">2s</text>
            <text class="tick" x="348" y="184">4s</text>
            <text class="tick" x="442" y="184">6s</text>
            <text class="tick" x="536" y="184">8s</text>
            <text class="tick" x="630" y="184">10s</text>
            <text class="tick" x="724" y="184">12s</text>
            <text class="tick" x="818" y="184">14s</text>
            <text class="tick" x="912" y="184">16s</text>
            <text class="tick" x="1006" y="184">18s</text>
            <text class="tick" x="1100" y="184">20s</text></svg></div>
            <details class="data"><summary>Data: connection attempts of all phones</summary>
            <div class="wide"><table><caption>connection attempts of all phones</caption><thead>
            <tr><th scope="col">strategy</th><th scope="col">attempts</th><th scope="col">peak in 100ms</th><th scope="col">peak in 1s</th><th scope="col">last attempt at</th></tr></thead><tbody>
            <tr><th scope="row">naive</th><td>2</td><td>2</td><td>2</td><td>4.2s</td></tr>
            <tr><th scope="row">tuned</th><td>42</td><td>7</td><td>20</td><td>15.8s</td></tr>
            </tbody></table></div></details>
            </figure>
            """#)
        expectText(
            DrawnRun.lines(
                (HerdChart(id: "h", tracedRun: DrawnRun.run).svg ?? "").replacing(ReportPage.chartStyle, with: "STYLE")
                    .replacing(/<g .*/, with: "")),
            #"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1152 254" role="img">
            <title>Lift [radio=lte, every=5s]: connection attempts</title><desc>Connection attempts of all 4 phones in replica 0, in columns of 100ms. All strategies have the same scale.</desc>
            <style>STYLEsvg{background:var(--paper);font-family:system-ui,sans-serif}</style>
            <text class="row" x="16" y="30">Lift [radio=lte, every=5s]: connection attempts</text>
            """#)
        #expect(HerdChart(id: "h", tracedRun: RunWithTraces(report: Sample.report())).svg == nil)
    }
}
