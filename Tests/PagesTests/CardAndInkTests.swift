import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneSamples
import Foundation
import Testing
@testable import DeadzoneReports

/// The cards of the answer, and the radio lanes of several strategies beside each other.
struct CardAndInkTests {
    @Test func bothDirectionsHaveCards() {
        // Broken: a setting that makes sending slow looks better in every card.
        var report = Sample.report()
        for (index, seconds) in [28, 215].enumerated() {
            report.strategies[index].measurement = Sample.measurement(
                replicas: 6, tail: index == 0 ? 900 : 300, pings: 9, isZombie: false,
                extra: (0..<6).flatMap { _ in
                    [Sample.record(.sentUp), Sample.record(.acknowledgedUp, .seconds(Int64(seconds)))]
                })
        }
        let html = ReportPage.html([RunWithTraces(report: report)])
        for heading in ["Latency to the app", "Latency to the server", "Served again after an outage"] {
            #expect(html.contains("<h3>\(heading), 95th percentile</h3>"), "\(heading)")
        }
        #expect(html.contains("(App to server, 95th percentile)") && html.contains("<code>latency.up.p95: under"))
        // The interval of a value is not that of a difference.
        #expect(html.contains("95% interval of the value:") && !html.contains("95% interval:"))
    }

    @Test func moreEnergyHasMoreInk() {
        // Broken: a phone with fewer transfers is drawn state by state, each as tall as its peak and wider than in reality,
        // beside a phone with more transfers in low columns of means.
        let run = day([history(every: 240), history(every: 60)])
        let blocks = LanesFigure("lanes", run, histories: 2).html.components(separatedBy: "<div class=\"strategy\"")
        let pixel = Double(TimeAxis(horizon: TimeSpan.hours(24).nanoseconds).length) / Double(LaneStack.plotWidth)
        // The drawing before the reader zooms in. A transfer is outlined by 0.8 pixels.
        let inks = blocks.dropFirst().map { block in
            let visible = block.replacing(/<g class="near">.*?<\/g>/.dotMatchesNewlines(), with: "")
            var ink = 0.0
            for path in visible.matches(of: /class="r-(active|tail|idle)"[^>]* d="([^"]*)"/) {
                for bar in path.2.matches(of: /M(\d+) (\d+)h(\d+)V(\d+)/) {
                    let (bottom, width, top) = (Double(bar.2) ?? 0, Double(bar.3) ?? 0, Double(bar.4) ?? 0)
                    ink += (width + (path.1 == "active" ? 0.8 * pixel : 0)) * (bottom - top)
                }
            }
            return ink
        }
        #expect(inks.count == 2 && inks[0] > 0 && inks[1] > 2 * inks[0], "\(inks)")
    }

    @Test func anOverviewIsThePictureBeforeTheFirstZoom() {
        // Broken: the picture of a day changes when its details arrive, or has more marks than columns of pixels, or a
        // short day is drawn twice.
        func drawn(_ run: RunWithTraces, _ isOverview: Bool) -> (html: String, isComplete: Bool) {
            ReportPage.timeline(run, isOverview: isOverview)
        }
        func sticks(_ html: String) -> Int { html.matches(of: /M\d+ \d+V\d+/).count }
        let run = day([history(every: 240), history(every: 30)])
        let (overview, complete) = (drawn(run, true), drawn(run, false))
        #expect(!overview.isComplete && complete.isComplete && overview.html.utf8.count < complete.html.utf8.count / 2)
        let near = /<g class="near">.*?<\/g>/.dotMatchesNewlines()
        let packets = /<g class="lane" data-key="packets">.*?<\/svg><\/g>/.dotMatchesNewlines()
        let energy = /<path class="e-area".*?\n/
        let radio = /<g class="far">.*?<\/g>/.dotMatchesNewlines()
        func rest(_ html: String) -> String {
            html.replacing(near, with: "").replacing(packets, with: "").replacing(energy, with: "").replacing(
                radio, with: "")
        }
        #expect(rest(overview.html) == rest(complete.html))
        // Columns of equal height are joined, and cover the same area.
        let (joined, columns) = (bars(overview.html, radio), bars(complete.html, radio))
        #expect(joined.count < columns.count && joined.count > 100 && area(joined) == area(columns))
        #expect(columns.allSatisfy { column in joined.contains { $0.contains(column) } })
        for lane in overview.html.matches(of: packets) {
            #expect((1...2 * LaneRenderer.maxColumns + 2).contains(sticks(String(lane.0))), "\(sticks(String(lane.0)))")
        }
        #expect(sticks(complete.html) > 2 * sticks(overview.html))
        let short = day([history(every: 1_200)], .hours(1))
        #expect(drawn(short, true).isComplete && drawn(short, true).html == drawn(short, false).html)
    }

    private struct Bar {
        let shade: String
        let start, end, top, bottom: Int

        func contains(_ other: Bar) -> Bool {
            shade == other.shade && start <= other.start && other.end <= end && top == other.top
                && bottom == other.bottom
        }
    }

    private func bars(_ html: String, _ lane: Regex<Substring>) -> [Bar] {
        html.matches(of: lane).enumerated().flatMap { number, found in
            String(found.0).matches(of: /class="(r-[a-z]+)"[^>]* d="([^"]*)"/).flatMap { path in
                path.2.matches(of: /M(\d+) (\d+)h(\d+)V(\d+)/).map { bar in
                    let (start, bottom) = (Int(bar.1) ?? 0, Int(bar.2) ?? 0)
                    return Bar(
                        shade: "\(number) \(path.1)", start: start, end: start + (Int(bar.3) ?? 0),
                        top: Int(bar.4) ?? 0,
                        bottom: bottom)
                }
            }
        }
    }

    private func area(_ bars: [Bar]) -> Int { bars.reduce(0) { $0 + ($1.end - $1.start) * ($1.bottom - $1.top) } }

    private func day(_ histories: [PhoneHistory], _ length: TimeSpan = .hours(24)) -> RunWithTraces {
        var report = Sample.report()
        report.scenario.duration = length
        return RunWithTraces(report: report, histories: histories)
    }

    /// A day of equal transfers.
    private func history(every seconds: Int64) -> PhoneHistory {
        var (history, records) = (PhoneHistory(horizon: .hours(24), prices: TracedDay.prices, markers: []), [Record]())
        func add(_ level: PowerLevel, _ cause: Cause, until end: Int64, lasting length: Int64) {
            let tag = RadioTag(interface: .cellular, level: level, cause: cause).bits
            records.append(
                Record(
                    at: Instant(nanoseconds: end * 1_000_000), phone: 0, kind: .residency, tag: tag,
                    value: length * 1_000_000))
        }
        for start in stride(from: Int64(0), to: 86_400_000, by: Int(seconds) * 1_000) {
            add(.activeUp, .payload, until: start + 300, lasting: 300)
            add(.tail, .payload, until: start + 10_000, lasting: 9_700)
            add(.idle, .baseline, until: start + seconds * 1_000, lasting: seconds * 1_000 - 10_000)
            let tag = BytesTag(interface: .cellular, direction: .up, cause: .payload).bits
            records.append(
                Record(at: Instant(nanoseconds: start * 1_000_000), phone: 0, kind: .bytes, tag: tag, value: 300))
        }
        records.withUnsafeBufferPointer { history.record($0) }
        return history
    }
}
