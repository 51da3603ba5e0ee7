import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import Testing
@testable import DeadzoneReports

struct DrawingTests {
    @Test func scalesReachBothEnds() {
        // Broken: an axis lacks its last mark, a position is not a number, or decades have unequal heights.
        #expect(ChartScale(0, 10, onto: 0, 100).ticks(5) == [0, 2, 4, 6, 8, 10])
        #expect(ChartScale(3, 3, onto: 20, 100)(3) == 20)
        let decades = ChartScale(10, 1_000, onto: 0, 100, isLog: true)
        for (value, place) in [(1.0, 0.0), (10, 0), (100, 50), (1_000, 100)] {
            #expect(abs(decades(value) - place) < 1e-9)
        }
        let rounded: [(Double, Double)] = [(0.03, 0.05), (0.9, 1), (1, 1), (1.1, 2), (2, 2), (2.1, 5), (5, 5), (7, 10)]
        for (value, round) in rounded { #expect(abs(ChartScale.roundUp(value) - round) < 1e-12, "\(value)") }
    }

    @Test func timeStaysOnItsAxis() {
        // Broken: an event at the end is drawn beside the picture, or a very short one is not drawn at all.
        let axis = TimeAxis(horizon: 10_000_000_000)
        #expect(axis(-5) == 0 && axis(5_000_000_000) == axis.length / 2 && axis(20_000_000_000) == axis.length)
        #expect(axis.text(5_000_000_000) == "5s" && !axis.attributes.contains("clock"))
        // Broken: a day that begins at 07:00 is drawn from zero, or midnight begins the hours anew.
        let day = TimeAxis(horizon: TimeSpan.hours(30).nanoseconds, startOfDay: .hours(7))
        let moments = [0, 90, 24 * 3_600].map { day.text($0 * 1_000_000_000) }
        #expect(moments == ["07:00", "07:01:30", "31:00"] && day.attributes.hasSuffix(" data-clock=\"25200000\""))
        var path = BarPath()
        path.add(7, 7, top: 0, bottom: 10)
        #expect(path.text == "M7 10h1V0h-1z")
        // Broken: a number in a path has a wrong digit or sign.
        for number in [0, 9, 10, 11, 99, 100, 16_000_000, .max, .min] as [Int64] {
            var path = BarPath()
            path.move(number, -Int(truncatingIfNeeded: number / 3))
            path.line(-(number / 7), Int(truncatingIfNeeded: number))
            #expect(path.text == "M\(number) \(-(number / 3))L\(-(number / 7)) \(number)")
        }
    }

    @Test func namesAreCutAndEscaped() {
        // Broken: a name closes the attribute that contains it, or two long names look the same.
        #expect(Markup.escaped("a\"b'<&>") == "a&quot;b&#39;&lt;&amp;&gt;")
        #expect(Markup.escaped("abcdef", atMost: 3) == "abc…" && Markup.escaped("abc", atMost: 3) == "abc")
        #expect(Markup.shortened("abcdefghij", to: 5) == "ab…ij" && Markup.shortened("abcde", to: 5) == "abcde")
        let places: [(Double, String)] = [(-0.04, "0"), (-0.06, "-0.1"), (0.06, "0.1"), (-1.5, "-1.5"), (12, "12")]
        for (value, text) in places { #expect(Markup.coordinate(value) == text) }
    }

    @Test func figuresShowTheirKind() throws {
        // Broken: a lower bound is shown as a measured value, or a time has more hours than it should.
        let metric = try #require(Catalogue.metric(named: "zombie.max"))
        let seconds = { (count: Int128) in Billionths(count: count * 1_000_000_000) }
        #expect(HeadlineMetric.text(.value(seconds(7_200)), metric) == "2 h")
        #expect(HeadlineMetric.text(.value(seconds(7_199)), metric).hasSuffix(" s"))
        #expect(HeadlineMetric.text(.atLeast(seconds(9)), metric).hasPrefix("> "))
        #expect(HeadlineMetric.text(.never, metric) == "never")
        // A night of calls has no messages, so the speed is that of the calls.
        #expect(HeadlineMetric.speed(Sample.night())?.name == "latency.call.p95")
        #expect(HeadlineMetric.speed(Sample.report())?.name == "latency.down.p95")
    }

    @Test func onlyDominatedStrategiesAreOffTheFront() {
        // Broken: the chart marks a strategy as dominated although it is the best in one of the two metrics.
        func front(_ slowIsCheap: Bool) -> Int {
            var report = Sample.report()
            report.strategies[1].measurement = Sample.measurement(
                replicas: 6, tail: slowIsCheap ? 300 : 1_500, pings: 9, isZombie: true, delivered: 10)
            let html = ParetoChart(id: "p", tracedRun: RunWithTraces(report: report)).html
            #expect(html.contains("Battery against latency"))
            return html.matches(of: /on the Pareto front/).count
        }
        #expect(front(true) == 2 && front(false) == 1)
    }

    @Test func herdsHaveOneScale() throws {
        // Broken: a herd of half the size looks the same, or its last attempts are drawn beside the picture.
        var report = Sample.report()
        report.scenario.phones = 10
        let prices = Prices(radios: RadioProfiles(wifi: nil, cellular: nil))
        let histories = [10, 5].map { count -> PhoneHistory in
            var history = PhoneHistory(horizon: report.scenario.duration, prices: prices, markers: [])
            let end = Instant.zero + report.scenario.duration
            var records = (0..<count).map { _ in Record(at: .zero, phone: 0, kind: .connecting) }
            records.append(Record(at: end - .nanoseconds(1), phone: 0, kind: .connecting))
            records.withUnsafeBufferPointer { history.record($0) }
            return history
        }
        let html = HerdChart(id: "h", tracedRun: RunWithTraces(report: report, histories: histories)).html
        let bars = html.matches(of: /M([0-9.]+) [0-9]+v-([0-9.]+)h([0-9.]+)V/).map { match in
            [match.1, match.2, match.3].map { Double($0) ?? .nan }
        }
        try #require(bars.count == 4)
        #expect(abs(bars[0][1] - 2 * bars[2][1]) < 0.2 && bars[0][1] > 50)
        for bar in bars { #expect(bar[0] + bar[2] <= 1_100, "\(bar)") }
        #expect(bars[1][0] > 1_090)
    }
}
