import DeadzoneCompare
import DeadzoneJournal
import DeadzoneMetrics
import DeadzonePrimitives
import DeadzoneSamples
import DeadzoneTraces
import Testing

@testable import DeadzonePages

struct DrawingTests {
    @Test func scalesReachBothEnds() {
        // Broken: an axis without its last mark, a place that is no number, or decades of unequal height.
        #expect(Scale(0, 10, onto: 0, 100).ticks(5) == [0, 2, 4, 6, 8, 10])
        #expect(Scale(3, 3, onto: 20, 100)(3) == 20)
        let decades = Scale(10, 1_000, onto: 0, 100, isLog: true)
        for (value, place) in [(1.0, 0.0), (10, 0), (100, 50), (1_000, 100)] {
            #expect(abs(decades(value) - place) < 1e-9)
        }
        let rounded: [(Double, Double)] = [(0.03, 0.05), (0.9, 1), (1, 1), (1.1, 2), (2, 2), (2.1, 5), (5, 5), (7, 10)]
        for (value, round) in rounded { #expect(abs(Scale.round(value) - round) < 1e-12, "\(value)") }
    }

    @Test func timeStaysOnItsAxis() {
        // Broken: what happens at the end is drawn beside the picture, and what is short is not drawn at all.
        let axis = TimeAxis(horizon: 10_000_000_000)
        #expect(axis(-5) == 0 && axis(5_000_000_000) == axis.length / 2 && axis(20_000_000_000) == axis.length)
        var path = BarPath()
        path.add(7, 7, top: 0, bottom: 10)
        #expect(path.text == "M7 10h1V0h-1z")
    }

    @Test func namesAreCutAndEscaped() {
        // Broken: a name ends the attribute that it stands in, or two long ones look the same.
        #expect(Markup.escaped("a\"b'<&>") == "a&quot;b&#39;&lt;&amp;&gt;")
        #expect(Markup.escaped("abcdef", atMost: 3) == "abc…" && Markup.escaped("abc", atMost: 3) == "abc")
        #expect(Markup.shortened("abcdefghij", to: 5) == "ab…ij" && Markup.shortened("abcde", to: 5) == "abcde")
        let places: [(Double, String)] = [(-0.04, "0"), (-0.06, "-0.1"), (0.06, "0.1"), (-1.5, "-1.5"), (12, "12")]
        for (value, text) in places { #expect(Markup.place(value) == text) }
    }

    @Test func figuresSayWhatTheyAre() throws {
        // Broken: what was only outlasted is told as measured, or a time as more hours than it has.
        let metric = try #require(Catalogue.metric(named: "zombie.max"))
        let seconds = { (count: Int128) in Billionths(count: count * 1_000_000_000) }
        #expect(Goal.text(.value(seconds(7_200)), metric) == "2 h")
        #expect(Goal.text(.value(seconds(7_199)), metric).hasSuffix(" s"))
        #expect(Goal.text(.atLeast(seconds(9)), metric).hasPrefix("> "))
        #expect(Goal.text(.never, metric) == "never")
        // A night of calls has no messages to be late.
        #expect(Goal.speed(Sample.night())?.name == "latency.call.p95")
        #expect(Goal.speed(Sample.report())?.name == "latency.down.p95")
    }

    @Test func onlyWhoIsBeatenOnBothIsBeaten() {
        // Broken: the chart marks as beaten who is the best at one of the two.
        func front(_ slowIsCheap: Bool) -> Int {
            var report = Sample.report()
            report.strategies[1].measurement = Sample.measurement(
                replicas: 6, tail: slowIsCheap ? 300 : 1_500, pings: 9, isZombie: true, delivered: 10)
            let html = ParetoChart(id: "p", exhibit: Exhibit(report: report)).html
            #expect(html.contains("Battery against latency"))
            return html.matches(of: /on the front/).count
        }
        #expect(front(true) == 2 && front(false) == 1)
    }

    @Test func herdsHaveOneScale() throws {
        // Broken: a herd half as large looks the same, or its last attempts lie beside the picture.
        var report = Sample.report()
        report.scenario.phones = 10
        let prices = Prices(radios: Radios(wifi: nil, cellular: nil))
        let stories = [10, 5].map { count -> Story in
            var story = Story(horizon: report.scenario.duration, prices: prices, scenes: [])
            let end = Instant.zero + report.scenario.duration
            var records = (0..<count).map { _ in Record(at: .zero, lane: 0, kind: .connecting) }
            records.append(Record(at: end - .nanoseconds(1), lane: 0, kind: .connecting))
            records.withUnsafeBufferPointer { story.record($0) }
            return story
        }
        let html = HerdChart(id: "h", exhibit: Exhibit(report: report, stories: stories)).html
        let bars = html.matches(of: /M([0-9.]+) [0-9]+v-([0-9.]+)h([0-9.]+)V/).map { match in
            [match.1, match.2, match.3].map { Double($0) ?? .nan }
        }
        try #require(bars.count == 4)
        #expect(abs(bars[0][1] - 2 * bars[2][1]) < 0.2 && bars[0][1] > 50)
        for bar in bars { #expect(bar[0] + bar[2] <= 1_100, "\(bar)") }
        #expect(bars[1][0] > 1_090)
    }
}
