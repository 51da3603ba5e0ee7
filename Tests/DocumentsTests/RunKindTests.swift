import DeadzoneBase
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// The terminal text of unusual runs, with its styles, character by character.
struct RunKindTests {
    private let painted = Style(hasColour: true)

    @Test func manyStrategiesAreRows() throws {
        // Broken: a metric, a cause or a mark stands in another column.
        var report = FullRun.many()
        expectText(
            report.terminalText(painted, reproduce: FullRun.command),
            manyStrategiesAreRowsText)
        #expect(
            report.isMany && report.terminalText(.plain, reproduce: "", isVerbose: true).contains("Energy by state"))
        report.strategies.removeLast()
        #expect(!report.isMany && report.terminalText(.plain, reproduce: "").contains("Energy by state"))
        report.strategies = []
        #expect(report.causesText(.plain).isEmpty)
    }

    @Test func columnsOfManyStrategiesAreShown() {
        // Broken: usual metrics fill the table, and none of the metrics under `columns` is in it.
        var report = FullRun.many()
        func titles() -> String {
            report.rowsText(.plain).split(separator: "\n").prefix { !$0.hasPrefix("  s0") }.joined(separator: " ")
                .split(separator: " ").joined(separator: " ")
        }
        let usual = titles()
        report.scenario.columns = ["bytes.up", "no.such", "battery.promotions", "battery.joules"]
        let asked = titles()
        #expect(!usual.contains("Bytes") && asked.contains("Bytes"), "\(asked)")
        #expect(usual.contains("Energy [J]") && asked.contains("Energy [J]"))
        #expect(asked.count { $0 == "[" } <= 11)
    }

    @Test func theLargestNumberChoosesTheUnitOfItsColumn() {
        // Broken: a column of many strategies has the unit of its smallest number, so the others have many digits.
        var report = FullRun.many()
        report.scenario.columns = ["bytes.up"]
        #expect(report.rowsText(.plain).contains("[kB]") && !report.rowsText(.plain).contains("[MB]"))
        // One strategy of nine sends 20 MB more.
        for index in [0, 3, 8] {
            var other = report
            let tag = BytesTag(interface: .cellular, direction: .up, cause: .payload).bits
            other.strategies[index] = StrategyReport(
                name: "large", hash: "", digest: "",
                measurement: Sample.measurement(
                    replicas: 6, tail: 720, pings: 120, isZombie: false,
                    extra: [Sample.record(.bytes, .nanoseconds(20_000_000), tag: tag)]))
            let text = other.rowsText(.plain)
            #expect(text.contains("[MB]") && !text.contains("[kB]"), "\(text)")
        }
    }

    @Test func aNightHasItsProcessor() {
        // Broken: a platform, its wake-ups or the calls are not shown.
        let night = Sample.night()
        expectText(
            night.terminalText(painted, reproduce: FullRun.command),
            aNightHasItsProcessorText)
        expectText(
            night.model.text(Style(hasColour: false, width: 40), isVerbose: true),
            #"""
            Model
              cellular radio lte-verizon-2021
                from Narayanan et al., SIGCOMM 2021
                assumed: idle power 10 mW
                assumed: promotion power of
                  lte-att-2012-aro
              platform android-15
                from AOSP DeviceIdleController.java
                from Pixel 8 measurements
                assumed: wake-power 180mW
                assumed: wake-energy 60mJ
                assumed: linger 30s
                assumed: validation 1s
              The radios, and waking the processor:
                no screen.

            """#)
    }

    @Test func troubleIsShown() {
        // Broken: an invalid run, or one that was stopped, looks like a valid one.
        var report = Sample.report(replicas: 1)
        report.vacuous = ["the dead zone at 12 min found no cellular network to take away, which is a long sentence"]
        report.isComplete = false
        report.strategies[1].stops = ["phone 3 ran out of memory"]
        report.scenario.about = ""
        report.focus = Focus(replica: 4)
        report.model.radios[0].profile.assumed = []
        expectText(
            report.terminalText(painted, reproduce: FullRun.command),
            troubleIsShownText)
    }

    @Test func headingsCountPhonesAndReplicas() {
        // Broken: a single phone or replica is a plural, or the focus is not named.
        func facts(phones: Int, replicas: Int, _ focus: Focus) -> String {
            var report = Sample.report(replicas: replicas)
            report.scenario.phones = phones
            report.focus = focus
            return report.terminalText(.plain, reproduce: "").split(separator: "\n").map(String.init)[2]
        }
        #expect(facts(phones: 1, replicas: 1, Focus()) == "45 min, 1 replica, seed 1")
        #expect(facts(phones: 2, replicas: 2, Focus()) == "45 min, 2 phones, 2 replicas, seed 1")
        #expect(facts(phones: 2, replicas: 2, Focus(phone: 0)) == "45 min, phone 0 only, 2 replicas, seed 1")
        #expect(facts(phones: 2, replicas: 2, Focus(replica: 1)) == "45 min, 2 phones, replica 1 only, seed 1")
    }

    @Test func aMonthFromFewMinutesSaysSo() throws {
        // Broken: a monthly figure from seconds of simulated time looks like one from hours.
        let metric = try #require(Catalogue.metric(named: "bytes.per_month"))
        let other = try #require(Catalogue.metric(named: "bytes.down"))
        let times: [(Int64, String)] = [
            (0, ", from 1 s of"), (52_000_000_000, ", from 52 s of"), (599_999_999_999, ", from 9 min 59 s of"),
            (600_000_000_000, ""),
        ]
        for (time, words) in times {
            var report = Sample.report()
            report.scenario.duration = .nanoseconds(time)
            #expect(report.title(of: metric) == metric.label + words.replacing(" of", with: ""), "\(time)")
            #expect(report.title(of: other) == other.label)
        }
    }

    @Test func aMatrixHasARowForEachCell() throws {
        // Broken: a cell, a unit, a verdict or a failure stands at another place.
        let demands = try Sample.expectations()
        let runs = try [15, 60].map { seconds in
            var report = seconds == 15 ? Sample.report() : FullRun.report()
            report.scenario.name = "Keepalive [every=\(seconds)s, radio=lte]"
            report.scenario.cell = [
                CellAxis(key: "every", value: "\(seconds)s"), CellAxis(key: "radio", value: "lte"),
            ]
            if seconds == 60 { report.vacuous = ["the dead zone never took effect"] }
            try report.judge(demands.filter { $0.metric == "battery.joules" || $0.metric == "latency.down.max" })
            return report
        }
        expectText(
            RunReport.matrixText(runs, painted, reproduce: FullRun.command),
            aMatrixHasARowForEachCellText)
        let many = Array(repeating: runs[0], count: 11)
        #expect(RunReport.matrixText(many, .plain, reproduce: "").contains("\n  and 1 more\n  11 of 22 do not hold\n"))
        #expect(!RunReport.matrixText(Array(many.dropLast()), .plain, reproduce: "").contains("more\n  10"))
        let free = [15, 60].map { seconds in
            var report = Sample.report(name: "Free")
            report.scenario.cell = []
            report.scenario.duration = .seconds(Int64(seconds))
            return report
        }
        expectText(
            MatrixTable.text(free, painted) + MatrixTable.text([free[0], free[0]], .plain),
            #"""
            «b:naive»                                                                           «b:tuned»
                              «d:Server to app,»                        «d:Longest dead»                    «d:Server to app,»                        «d:Longest dead»
            «d:Energy per hour»  «d:95th percentile»  «d:Lost, server to»         «d:connection»  «d:Energy per hour»  «d:95th percentile»  «d:Lost, server to»         «d:connection»
            «d:[J/h]»                       «d:[ms]»              «d:app»  «d:believed open [s]»            «d:[J/h]»             «d:[ms]»              «d:app»  «d:believed open [s]»
            259.3                       1000                1               1200            124.9            949.7                0                  9
            259.3                       1000                1               1200            124.9            949.7                0                  9
            naive                                                                 tuned
                         Server to app,                        Longest dead               Server to app,                        Longest dead
                        95th percentile  Lost, server to         connection              95th percentile  Lost, server to         connection
            Energy [J]             [ms]              app  believed open [s]  Energy [J]             [ms]              app  believed open [s]
            194.5                  1000                1               1200       93.64            949.7                0                  9
            194.5                  1000                1               1200       93.64            949.7                0                  9

            """#)
        #expect(RunReport.matrixText([], .plain, reproduce: "").isEmpty)
        #expect(runs[0].scenario.nameWithoutCell == "Keepalive" && free[0].scenario.nameWithoutCell == "Free")
    }
}

private let manyStrategiesAreRowsText = #"""
    «b:Many»
    Wi-Fi dies in the elevator, LTE in the street.
    «d:45 min, 6 replicas, seed 1»

                                                           «d:Server to»                                    «d:Longest dead»     «d:Served again»
                                                           «d:app, 95th»                                      «d:connection»      «d:after, 95th»
                         «d:Energy above»         «d:Battery»     «d:percentile»     «d:Lost, server»     «d:Lost, app to»      «d:believed»       «d:percentile»  «d:Connections»
          «d:Energy [J]»         «d:idle [J]»     «d:drain [%/h]»           «d:[ms]»           «d:to app»           «d:server»      «d:open [s]»              «d:[s]»       «d:opened»  «d:Pings»
      s0       194.5            167.5          0.4677          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1    180
      s1       184.4            157.4          0.4434          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1    160
      s2       174.3            147.3          0.4192          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1    140
      s3       166.9            139.8          0.4013          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1    120
      s4       154.1            127.1          0.3707          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1    100
      s5         144              117          0.3464          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1     80
      s6         134              107          0.3222          949.7  «d:~»             0  «d:~»             0             9  «d:~»             2            1     60
      s7       123.9            96.88          0.2979           1000                1                0          1200                -            1     40
      s8       113.8  «d:?»          86.8  «d:?»       0.2737  «d:?»       never               17                0          1200                -            1     20  «d:?»
      «d:? lowest only because it delivered fewer messages; ~ undecided: 95% CIs overlap; -v shows every
      metric, with a column for each strategy»

    7 of 9 lose nothing; of these, s6 uses 18% more energy than s8, which loses 81%.

    «b:Energy by cause [J]»
          «d:baseline»  «d:payload»  «d:keepalive»  «d:other»    «d:all»
      s0     17.68    16.12      160.7      0  194.5
      s1     18.28    16.12        150      0  184.4
      s2     18.88    16.12      139.3      0  174.3
      s3     19.48    16.12      128.6  2.674  166.9
      s4     20.08    16.12      117.9      0  154.1
      s5     20.68    16.12      107.3      0    144
      s6     21.28    16.12      96.57      0    134
      s7     21.88    16.12      85.89      0  123.9
      s8     22.48    16.12      75.21      0  113.8

    «b:Model»
      cellular radio lte-verizon-2021, from Narayanan et al., SIGCOMM 2021
        assumed: idle power 10 mW; promotion power of lte-att-2012-aro
      The radio alone: no screen, no processor.

    «b:Reproduce»
      digest  s0  «d:d0»
      digest  s1  «d:d1»
      digest  s2  «d:d2»
      digest  s3  «d:d3»
      digest  s4  «d:d4»
      digest  s5  «d:d5»
      digest  s6  «d:d6»
      digest  s7  «d:d7»
      digest  s8  «d:d8»
      deadzone run lift.yaml

    """#

private let aNightHasItsProcessorText = #"""
    «b:A night on the table»
    Eight hours without the screen.
    «d:8 h, 6 replicas, seed 1»

                                                 «b:naive»  «b:tuned»
    «b:Battery»
      Energy                                  «d:J»  577.5  «g:308.7»  «g:*»   «d:-47%»
      Energy above idle                       «d:J»  289.5   «g:20.7»  «g:*»   «d:-93%»
    «b:Processor and app»
      Wake-ups of the processor                  482.5   «g:34.5»  «g:*»   «d:-93%»
      App could not run                       «d:s»  21600  21600
      Late timer, 95th percentile             «d:s»    540    540
      Pushes that woke the app                       1      0     «d:-100%»
      Push to the app, 95th percentile       «d:ms»    400      -
    «b:Calls»
      Calls that succeeded                    «d:%»  97.56    «g:100»  «g:*»  «d:+2.5%»
      Call, median                           «d:ms»  420.1  «g:399.9»  «g:*»  «d:-4.8%»
      Call, 95th percentile                  «d:ms»  779.9    «g:760»  «g:*»  «d:-2.6%»
      Longest time with failing calls         «d:s»     60     60
      Calls failed (unavailable)                     1      «g:0»  «g:*»  «d:-100%»
    «b:Connection»
      Truly connected                         «d:%»      0      0
      Longest dead connection believed open   «d:s»      0      0
      Connections opened                             1      1
      Pings                                          0      0
      Goodbyes of the server                         1      1
      «d:* best (95% CI does not overlap the others); % is relative to naive»
      «d:15 more rows with -v»

    tuned loses nothing and uses the least energy. naive loses 2.4%.

                        «b:naive»       «b:tuned»
    «b:Energy by cause»
      baseline       «d:J»    288  «d:50%»    288  «d:93%»
      wake           «d:J»  289.5  «d:50%»   20.7   «d:7%»
    «b:Energy by state»
      cellular.idle  «d:J»    288  «d:50%»    288  «d:93%»
      cpu.wake       «d:J»  289.5  «d:50%»   20.7   «d:7%»

    «b:Model»
      cellular radio lte-verizon-2021, from Narayanan et al., SIGCOMM 2021
        assumed: idle power 10 mW; promotion power of lte-att-2012-aro
      platform android-15, from AOSP DeviceIdleController.java and 1 more
        assumed: wake-power 180mW; wake-energy 60mJ; and 2 more
      The radios, and waking the processor: no screen.
      For all sources and assumptions, use -v or deadzone explain PROFILE.

    «b:Reproduce»
      digest  naive  «d:1111111111111111»
      digest  tuned  «d:2222222222222222»
      deadzone run lift.yaml

    """#

private let troubleIsShownText = #"""
    «b:Elevator to the subway»
    «d:45 min, replica 4 only, seed 1»

                                                 «b:naive»  «b:tuned»
    «b:Battery»
      Energy                                  «d:J»    194  93.22   «d:-52%»
      Energy above idle                       «d:J»    167  66.22   «d:-60%»
    «b:Latency to the app»
      Server to app, median                  «d:ms»  550.2    500  «d:-9.1%»
      Server to app, 95th percentile         «d:ms»   1000  949.7    «d:-5%»
    «b:Delivery to the app»
      Lost, server to app                            1      0  «d:-100%»
      Pending, server to app                         0      1
    «b:Connection»
      Truly connected                         «d:%»  55.56  97.78   «d:+76%»
      Longest dead connection believed open   «d:s»   1200      9   «d:-99%»
      Served again after, 95th percentile     «d:s»      -      2
      Connections opened                             1      1
      Pings                                        180      9   «d:-95%»
    «b:Data»
      Bytes in a month                       «d:MB»  74.88  58.46   «d:-22%»
      «d:one replica has no confidence interval, so nothing is decided: use more with --replicas; % is
      relative to naive»
      «d:14 more rows with -v»

                          «b:naive»       «b:tuned»
    «b:Energy by cause»
      baseline         «d:J»   17.7   «d:9%»   23.7  «d:25%»
      payload          «d:J»  16.12   «d:8%»  16.12  «d:17%»
      keepalive        «d:J»  160.2  «d:83%»   53.4  «d:57%»
    «b:Energy by state»
      cellular.idle    «d:J»   17.7   «d:9%»   23.7  «d:25%»
      cellular.active  «d:J»  16.13   «d:8%»  16.12  «d:17%»
      cellular.tail    «d:J»  160.2  «d:83%»   53.4  «d:57%»

                    «b:naive»        «b:tuned»
    «b:Lost by cause, server to app»
      not observed      1  «d:100%»      0

    «r:Invalid run»
      stopped early: the numbers cover only a part of the run
      the dead zone at 12 min found no cellular network to take away, which is a long sentence
      tuned: phone 3 ran out of memory

    «b:Model»
      cellular radio lte-verizon-2021, from Narayanan et al., SIGCOMM 2021
        no assumptions
      The radio alone: no screen, no processor.

    «b:Reproduce»
      digest  naive  «d:1111111111111111»
      digest  tuned  «d:2222222222222222»
      deadzone run lift.yaml

    """#

private let aMatrixHasARowForEachCellText = #"""
    «b:Keepalive»
    Wi-Fi dies in the elevator, LTE in the street.
    «d:2 cells, 6 replicas each, seed 1»

                           «b:naive»                       «b:tuned»
                  «d:Server to app,»              «d:Server to app,»
    «b:every»  «b:radio»    «d:longest [ms]»  «d:Energy [J]»    «d:longest [ms]»  «d:Energy [J]»
    15s    lte             never       194.5            1000       93.64  «r:FAIL»
    60s    lte             never       194.5            1000       93.64  «r:FAIL»

    «b:Expectations»
    «r:  FAIL»  every=15s, radio=lte  naive  latency.down.max  under 2000 ms  never: too many messages never arrived, so there is no number
    «r:  FAIL»  every=60s, radio=lte  naive  latency.down.max  under 2000 ms  never: too many messages never arrived, so there is no number
      «r:2 of 4 do not hold»

    «r:Invalid run»
      every=60s, radio=lte: the dead zone never took effect

    «b:Model»
      cellular radio lte-verizon-2021, from Narayanan et al., SIGCOMM 2021
        assumed: idle power 10 mW; promotion power of lte-att-2012-aro
      The radio alone: no screen, no processor.

    «b:Reproduce»
      digest  of all 2 cells  «d:e0ea9b78e8698424»
      deadzone run lift.yaml

    """#
