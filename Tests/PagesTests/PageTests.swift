import DeadzoneCompare
import DeadzoneDevice
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneSamples
@testable import DeadzoneTraces
import Foundation
import Testing

@testable import DeadzonePages

struct PageTests {
    /// Hexadecimal to linear light, as WCAG 2.2 defines relative luminance.
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
        // Broken: text or a mark that many people cannot see, in light or in dark.
        #expect(abs(try contrast("#000000", "#ffffff") - 21) < 1e-9)
        for colour in Palette.colours {
            let least = colour.isText ? 4.5 : 3
            #expect(try contrast(colour.light, Palette.paper.light) >= least, "\(colour.name) in light")
            #expect(try contrast(colour.dark, Palette.paper.dark) >= least, "\(colour.name) in dark")
            // Cards are lighter than either paper.
            #expect(try contrast(colour.dark, "#1b2027") >= least, "\(colour.name) on a dark card")
        }
        #expect(Palette.colours.count > 20)
    }

    @Test func whatTheStyleNamesThePaletteHas() throws {
        // Broken: a typo in the style sheet, and a mark is painted in nothing.
        let known = Set(Palette.colours.map { "--" + $0.name } + ["--paper", "--card", "--line", "--p", "--c"])
        let used = Page.style.matches(of: /var\((--[a-z0-9-]+)\)/).map { String($0.1) }
        #expect(Set(used).subtracting(known) == [])
        #expect(used.count > 50)
    }

    @Test func thePolicyNamesWhatThePageHolds() throws {
        // Broken: a browser refuses the page's own style or script, or runs a foreign one.
        let html = Page.html([Exhibit(report: Sample.report())])
        #expect(html == Page.html([Exhibit(report: Sample.report())]))
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(html.contains("default-src 'none'"))
        #expect(html.matches(of: /'sha256-[A-Za-z0-9+\/]{43}='/).count == 2)
        #expect(!html.contains("unsafe"))
        #expect(html.matches(of: /<script/).count == 1)
        // RFC 4648, section 10.
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            #expect(Page.base64(Array(text.utf8)) == coded)
        }
    }

    @Test func namesNeverBecomeStructure() {
        // Broken: a name from somebody's file runs, closes an element, or turns a line around.
        let evil =
            "<script>alert(1)</script>\"'&\u{2028}\u{1B}[31m\u{202E}</style><!--" + String(repeating: "x", count: 5_000)
        var report = Sample.report(name: evil)
        report.scenario.about = evil
        report.scenario.resolved = evil + "\n" + evil
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
        let plain = Page.html([Exhibit(report: Sample.report())])
        for html in [
            Page.html([Exhibit(report: report)], change: evil),
            Page.html([Exhibit(report: report), Exhibit(report: report)]),
            Page.html((0..<60).map { _ in Exhibit(report: report) }),
        ] {
            #expect(html.matches(of: /<script/).count == 1)
            #expect(html.matches(of: /<style/).count == 1)
            #expect(html.matches(of: /<!--/).count == 0)
            for scalar in ["\u{2028}", "\u{1B}", "\u{202E}"] { #expect(!html.contains(scalar)) }
            #expect(html.contains("&lt;script&gt;alert(1)"))
            #expect(html.utf8.count < 3_000_000)
        }
        #expect(plain.utf8.count > 10_000)
        let trace = PerfettoTrace.bytes([Exhibit(report: report)])
        #expect(!trace.contains(0x1B) && trace.count < 2_000)
    }

    @Test func tenThousandRunsFitIntoOnePage() {
        // Broken: a report of a whole suite that no browser and no mail would take.
        let report = Sample.report()
        let html = Page.html(Array(repeating: Exhibit(report: report), count: 10_000))
        #expect(html.utf8.count < 5 << 20)
        #expect(html.matches(of: /<tr><td>/).count >= 9_000)
    }

    @Test func aDayOfPacketsKeepsItsExtremes() throws {
        // Broken: what is drawn coarsely loses the largest packet, the longest message, or grows without bound.
        let day = TimeSpan.hours(24)
        let prices = Prices(radios: Radios(wifi: nil, cellular: nil))
        var story = Story(horizon: day, prices: prices, scenes: [])
        let tag = BytesTag(interface: .cellular, direction: .up, cause: .payload).bits
        var records: [Record] = []
        for index in 0..<200_000 {
            let at = Int64(index) * 432_000_000
            let bytes: Int64 = index == 123_457 ? 60_000 : 80
            records.append(Record(at: Instant(nanoseconds: at), lane: 0, kind: .bytes, tag: tag, value: bytes))
            records.append(Record(at: Instant(nanoseconds: at), lane: 0, kind: .sentDown, value: Int64(index)))
            let late: Int64 = index == 77_777 ? 400_000_000 : 1_000_000
            records.append(Record(at: Instant(nanoseconds: at + late), lane: 0, kind: .deliveredDown, value: late))
        }
        records.withUnsafeBufferPointer { story.record($0) }
        let axis = TimeAxis(horizon: day.nanoseconds)
        let artist = LaneArtist(id: "x", story: story, axis: axis, watts: 1, joules: 1)
        let (packets, messages) = (artist.packets.drawing, artist.messages.drawing)
        #expect(packets.utf8.count < 150_000 && messages.utf8.count < 200_000)
        #expect(packets.contains("M\(axis(123_457 * 432_000_000)) 130V"))
        let (sent, seen) = (axis(77_777 * 432_000_000), axis(77_777 * 432_000_000 + 400_000_000))
        #expect(messages.contains("M\(sent) 10L\(seen) 230"))
        #expect(packets.matches(of: /M/).count > 1_000)
    }

    @Test func aRadioFromAfarShowsItsJoules() throws {
        // Broken: a night of idle with a promotion every minute is drawn as a wall of promotion.
        let night = TimeSpan.hours(8)
        var periods: [Story.RadioPeriod] = []
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
        // As much of each as of its joules, to the tenth of a pixel that a column is high; and a line at the most.
        for (shade, mean) in [("r-idle", 0.01 * 49.5 / 60), ("r-promo", 1.2 * 0.2 / 60), ("r-tail", 0.18 * 10.3 / 60)] {
            #expect(abs(watts(shade) - mean) < 1.2 / 440, "\(shade): \(watts(shade)) of \(mean)")
        }
        #expect(abs((areas["r-most"] ?? 0) / Double(axis.length) - 5) < 0.01 && drawing.contains("V0h"))
    }

    @Test func pagesOfMatricesShowWhatWasAsked() throws {
        // Broken: a matrix shows other numbers than its columns, ticks off what nobody demanded, or refers to what is not there.
        let reports = (1...12).map { number -> RunReport in
            var report = Sample.report(name: "Cost [every=\(number)s]")
            report.scenario.cell = [CellAxis(key: "every", value: "\(number)s")]
            report.scenario.columns = ["keepalive.pings", "battery.percent_per_hour"]
            return report
        }
        let html = Page.html(reports.map { Exhibit(report: $0) })
        let titles = try reports[0].scenario.columns.map { try #require(Catalogue.metric(named: $0)).label }
        #expect(html.contains("<th>run<th>" + titles.joined(separator: "<th>") + "<tbody>"))
        for title in titles { #expect(html.contains("<h3>\(title)</h3><p>\(title) for each “every”")) }
        #expect(html.contains("<h1>Cost</h1>") && html.contains(">Nothing was demanded<") && !html.contains("✓"))
        #expect(html.contains("What the numbers stand on") && html.contains("Narayanan et al."))
    }

    @Test func theFirstCardSaysWhichToShip() throws {
        // Broken: the first thing on a page is the name of who saves by not delivering.
        func first(_ report: RunReport) throws -> String {
            let html = Page.html([Exhibit(report: report)])
            let card = try #require(
                html.firstMatch(of: /<article class="card[^"]*">(.*?)<\/article>/.dotMatchesNewlines()))
            return card.1.replacing(/<[^>]*>/, with: " ").split(separator: /\s+/).joined(separator: " ")
                .replacing(" :", with: ":")
        }
        var report = Sample.report()
        let sound = try first(report)
        #expect(
            sound.hasPrefix("Which to ship tuned: of the 2 that deliver about as much as the best, it spends least"),
            "\(sound)")
        // Half of it never came: what is saved so is no reason.
        report.strategies[1].measurement = Sample.measurement(
            replicas: 6, tail: 300, pings: 9, isZombie: false, delivered: 10)
        #expect(try first(report).hasPrefix("Which to ship naive alone"))
        report.strategies[1].measurement = report.strategies[0].measurement
        let equal = try first(report)
        #expect(equal.contains("naive or tuned: they deliver about as much"), "\(equal)")
    }

    @Test(arguments: [1e-6, 0.5, 1, 1.5, 2, 3, 10, 1e9, 6.02e23])
    func logarithmsAreTrue(_ value: Double) {
        // Broken: a logarithmic axis that is none.
        #expect(abs(Scale.log2(value) - log2(value)) < 1e-12 * max(1, abs(log2(value))))
        #expect(Scale.round(value) >= value * 0.999 && Scale.round(value) <= value * 5.001)
    }
}
