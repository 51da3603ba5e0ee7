import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import Foundation
import Testing

@testable import DeadzoneReporting

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
        let tag = BytesTag(interface: .cellular, direction: .up, cause: .payload).rawValue
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

    @Test(arguments: [1e-6, 0.5, 1, 1.5, 2, 3, 10, 1e9, 6.02e23])
    func logarithmsAreTrue(_ value: Double) {
        // Broken: a logarithmic axis that is none.
        #expect(abs(Scale.log2(value) - log2(value)) < 1e-12 * max(1, abs(log2(value))))
        #expect(Scale.round(value) >= value * 0.999 && Scale.round(value) <= value * 5.001)
    }
}
