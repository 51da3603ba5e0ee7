import DeadzoneBase
import DeadzoneDevice
import DeadzoneMetrics
import DeadzoneSamples
import Foundation
import Testing
@testable import DeadzoneReports

struct ReportPageTests {
    /// Relative luminance of a hexadecimal colour, as WCAG 2.2 defines it.
    private func luminance(_ colour: String) throws -> Double {
        let number = try #require(UInt32(colour.dropFirst(), radix: 16))
        let parts = [16, 8, 0].map { shift -> Double in
            let share = Double(number >> shift & 255) / 255
            return share <= 0.040_45 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    private func contrast(_ a: String, _ b: String) throws -> Double {
        let (a, b) = (try luminance(a), try luminance(b))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    @Test func everyColourStandsOutFromItsPaper() throws {
        // Broken: text or a mark has too little contrast for many people, in light or in dark mode.
        #expect(abs(try contrast("#000000", "#ffffff") - 21) < 1e-9)
        for colour in Palette.colours {
            let least = colour.isText ? 4.5 : 3
            #expect(try contrast(colour.light, Palette.paper.light) >= least, "\(colour.name) in light")
            #expect(try contrast(colour.dark, Palette.paper.dark) >= least, "\(colour.name) in dark")
            // Cards are lighter than the background in both modes.
            #expect(try contrast(colour.dark, "#1b2027") >= least, "\(colour.name) on a dark card")
        }
        #expect(Palette.colours.count > 20)
    }

    @Test func paletteHasEveryColourOfTheStyle() throws {
        // Broken: a typing error in the style sheet leaves a mark without colour.
        let known = Set(Palette.colours.map { "--" + $0.name } + ["--paper", "--card", "--line", "--p", "--c"])
        let used = ReportPage.style.matches(of: /var\((--[a-z0-9-]+)\)/).map { String($0.1) }
        #expect(Set(used).subtracting(known) == [])
        #expect(used.count > 50)
    }

    @Test func securityPolicyMatchesThePage() throws {
        // Broken: a browser refuses the page's own style or script, or executes a foreign one.
        let html = ReportPage.html([RunWithTraces(report: Sample.report())])
        #expect(html == ReportPage.html([RunWithTraces(report: Sample.report())]))
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(html.contains("default-src 'none'"))
        #expect(html.matches(of: /'sha256-[A-Za-z0-9+\/]{43}='/).count == 2)
        #expect(!html.contains("unsafe"))
        #expect(html.matches(of: /<script/).count == 1)
        // Test vectors of RFC 4648, section 10.
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            #expect(ReportPage.base64(Array(text.utf8)) == coded)
        }
    }

    @Test func namesNeverBecomeStructure() {
        // Broken: a name from a foreign file is executed, closes an element, or reverses the text direction.
        let evil =
            "<script>alert(1)</script>\"'&\u{2028}\u{1B}[31m\u{202E}</style><!--" + String(repeating: "x", count: 5_000)
        var report = Sample.report(name: evil)
        report.scenario.about = evil
        report.scenario.settings = .map([Node.MapEntry(key: evil, value: .text(evil))])
        report.scenario.worldHash = evil
        report.tool = evil
        report.vacuous = [evil]
        report.model.limits = [evil]
        report.model.radios[0].profile.name = evil
        report.model.radios[0].profile.sources = [evil]
        report.model.radios[0].profile.assumed = [evil]
        for index in report.strategies.indices {
            report.strategies[index].name = evil + "\(index)"
            report.strategies[index].hash = evil
            report.strategies[index].digest = evil
            report.strategies[index].stops = [evil]
        }
        let plain = ReportPage.html([RunWithTraces(report: Sample.report())])
        for html in [
            ReportPage.html([RunWithTraces(report: report)], change: evil),
            ReportPage.html([RunWithTraces(report: report), RunWithTraces(report: report)]),
            ReportPage.html((0..<60).map { _ in RunWithTraces(report: report) }),
        ] {
            #expect(html.matches(of: /<script/).count == 1)
            #expect(html.matches(of: /<style/).count == 1)
            #expect(html.matches(of: /<!--/).count == 0)
            for scalar in ["\u{2028}", "\u{1B}", "\u{202E}"] { #expect(!html.contains(scalar)) }
            #expect(html.contains("&lt;script&gt;alert(1)"))
            #expect(html.utf8.count < 3_000_000)
        }
        #expect(plain.utf8.count > 10_000)
        let trace = PerfettoTrace.bytes([RunWithTraces(report: report)])
        #expect(!trace.contains(0x1B) && trace.count < 2_000)
    }

    @Test func tenThousandRunsFitIntoOnePage() {
        // Broken: the report of a whole suite is too large for browsers and for mail.
        let report = Sample.report()
        let html = ReportPage.html(Array(repeating: RunWithTraces(report: report), count: 10_000))
        #expect(html.utf8.count < 5 << 20)
        #expect(html.matches(of: /<tr><td>/).count >= 9_000)
    }

    @Test func aDayOfPacketsKeepsItsExtremes() throws {
        // Broken: a coarse drawing loses the largest packet or the longest message, or grows without bound.
        let day = TimeSpan.hours(24)
        let prices = Prices(radios: RadioProfiles(wifi: nil, cellular: nil))
        var history = PhoneHistory(horizon: day, prices: prices, markers: [])
        let tag = BytesTag(interface: .cellular, direction: .up, cause: .payload).bits
        var records: [Record] = []
        for index in 0..<200_000 {
            let at = Int64(index) * 432_000_000
            let bytes: Int64 = index == 123_457 ? 60_000 : 80
            records.append(Record(at: Instant(nanoseconds: at), phone: 0, kind: .bytes, tag: tag, value: bytes))
            records.append(Record(at: Instant(nanoseconds: at), phone: 0, kind: .sentDown, value: Int64(index)))
            let late: Int64 = index == 77_777 ? 400_000_000 : 1_000_000
            records.append(Record(at: Instant(nanoseconds: at + late), phone: 0, kind: .deliveredDown, value: late))
        }
        records.withUnsafeBufferPointer { history.record($0) }
        let axis = TimeAxis(horizon: day.nanoseconds)
        let renderer = LaneRenderer(id: "x", history: history, axis: axis, watts: 1, joules: 1)
        let (packets, messages) = (renderer.packets.drawing, renderer.messages.drawing)
        #expect(packets.utf8.count < 150_000 && messages.utf8.count < 200_000)
        #expect(packets.contains("M\(axis(123_457 * 432_000_000)) 130V"))
        let (sent, seen) = (axis(77_777 * 432_000_000), axis(77_777 * 432_000_000 + 400_000_000))
        #expect(messages.contains("M\(sent) 10L\(seen) 230"))
        #expect(packets.matches(of: /M/).count > 1_000)
    }

    @Test func zoomedOutRadioShowsItsJoules() throws {
        // Broken: a night of idle with one promotion a minute is drawn as a solid block of promotion.
        let night = TimeSpan.hours(8)
        var periods: [PhoneHistory.RadioPeriod] = []
        func add(_ level: PowerLevel, _ start: Int64, _ end: Int64, milliwatts: Int64) {
            let (start, end) = (start * 1_000_000, end * 1_000_000)
            let energy = Int128(end - start) * Int128(milliwatts) * 1_000
            periods.append(.init(start: start, end: end, level: level, technology: 0, energy: energy))
        }
        for minute in 0..<Int64(480) {
            let start = minute * 60_000
            add(.idle, start, start + 49_500, milliwatts: 10)
            add(.promotion, start + 49_500, start + 49_700, milliwatts: 1_200)
            add(.tail, start + 49_700, start + 60_000, milliwatts: 180)
        }
        let axis = TimeAxis(horizon: night.nanoseconds)
        #expect(PowerColumns(periods, axis, most: periods.count) == nil)
        let columns = try #require(PowerColumns(periods, axis, most: 96))
        let drawing = columns.drawing(height: 440, watts: 1.2, "x")
        var areas: [String: Double] = [:]
        for path in drawing.matches(of: /class="([a-z-]+)"[^>]* d="([^"]*)"/) {
            for bar in path.2.matches(of: /M(\d+) (\d+)h(\d+)V(\d+)/) {
                let (bottom, width, top) = (Double(bar.2) ?? 0, Double(bar.3) ?? 0, Double(bar.4) ?? 0)
                areas[String(path.1), default: 0] += width * (bottom - top)
            }
        }
        let whole = Double(axis.length) * 440
        func watts(_ shade: String) -> Double { (areas[shade] ?? 0) / whole * 1.2 }
        // Each area is proportional to its joules, to a tenth of a pixel of a column's height. A line shows the
        // maximum.
        for (shade, mean) in [("r-idle", 0.01 * 49.5 / 60), ("r-promo", 1.2 * 0.2 / 60), ("r-tail", 0.18 * 10.3 / 60)] {
            #expect(abs(watts(shade) - mean) < 1.2 / 440, "\(shade): \(watts(shade)) of \(mean)")
        }
        #expect(abs((areas["r-most"] ?? 0) / Double(axis.length) - 5) < 0.01 && drawing.contains("V0h"))
    }

    @Test func pagesOfMatricesShowTheirColumns() throws {
        // Broken: a matrix shows other numbers than its columns, ticks off an expectation that was not set, or links to
        // a missing target.
        let reports = (1...12).map { number -> RunReport in
            var report = Sample.report(name: "Cost [every=\(number)s]")
            report.scenario.cell = [CellAxis(key: "every", value: "\(number)s")]
            report.scenario.columns = ["keepalive.pings", "battery.percent_per_hour"]
            return report
        }
        let html = ReportPage.html(reports.map { RunWithTraces(report: $0) })
        let titles = try reports[0].scenario.columns.map { try #require(Catalogue.metric(named: $0)).label }
        #expect(html.contains("<th>run<th>" + titles.joined(separator: "<th>") + "<tbody>"))
        for title in titles { #expect(html.contains("<h3>\(title)</h3><p>\(title) for each “every”")) }
        #expect(html.contains("<h1>Cost</h1>") && html.contains(">No expectations<") && !html.contains("✓"))
        #expect(html.contains("Model and assumptions") && html.contains("Narayanan et al."))
    }

    @Test func theFirstCardSaysWhichToShip() throws {
        // Broken: the first card recommends a strategy that saves energy by not delivering.
        func first(_ report: RunReport) throws -> String {
            let html = ReportPage.html([RunWithTraces(report: report)])
            let card = try #require(
                html.firstMatch(of: /<article class="card[^"]*">(.*?)<\/article>/.dotMatchesNewlines()))
            return card.1.replacing(/<[^>]*>/, with: " ").split(separator: /\s+/).joined(separator: " ")
                .replacing(" :", with: ":")
        }
        var report = Sample.report()
        let sound = try first(report)
        #expect(
            sound.hasPrefix(
                "Strategy to ship tuned uses the least energy of the 2 strategies that deliver about as much as the best"
            ),
            "\(sound)")
        // Half of the messages never arrive, so the saving is no reason to ship this strategy.
        report.strategies[1].measurement = Sample.measurement(
            replicas: 6, tail: 300, pings: 9, isZombie: false, delivered: 10)
        #expect(try first(report).hasPrefix("Strategy to ship Only naive"))
        report.strategies[1].measurement = report.strategies[0].measurement
        let equal = try first(report)
        #expect(equal.contains("naive or tuned: they deliver about as much"), "\(equal)")
    }

    @Test(arguments: [1e-6, 0.5, 1, 1.5, 2, 3, 10, 1e9, 6.02e23])
    func logarithmsAreCorrect(_ value: Double) {
        // Broken: a logarithmic axis is not logarithmic.
        #expect(abs(ChartScale.log2(value) - log2(value)) < 1e-12 * max(1, abs(log2(value))))
        #expect(ChartScale.roundUp(value) >= value * 0.999 && ChartScale.roundUp(value) <= value * 5.001)
    }
}
