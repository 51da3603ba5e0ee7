import DeadzoneBase
import DeadzoneCaptures
import DeadzoneMetrics
import DeadzoneSamples
import DeadzoneTestKit
import Testing
@testable import DeadzoneReplay

@testable import DeadzoneReports

/// A replayed capture as CSV and Markdown, and beside simulated strategies.
struct ReplayTableTests {
    @Test func everyNumberHasALine() throws {
        // Broken: a number stands under another name, metric or unit.
        expectText(
            ReplayResult(try ReplaySample.report(), whatIf: ReplaySample.whatIf()).csv,
            everyNumberHasALineText)
    }

    @Test func aCaptureIsMarkdown() throws {
        // Broken: a table has another number, or a name is markup.
        expectText(
            ReplayResult(try ReplaySample.report(), whatIf: ReplaySample.whatIf()).markdown,
            aCaptureIsMarkdownText)
        var bare = try ReplaySample.empty()
        bare.capture.counts.packets = 2
        expectText(
            ReplayResult(bare).markdown,
            #"""
            ## Deadzone replay: day.pcap

            2 packets in 0 s, 0 flows. Direction: the phone&#39;s address is unknown; name it with --device


            """#)
    }

    @Test func theCapturedColumnIsExplained() throws {
        // Broken: the energy of calls or of the last tail is explained by other numbers.
        var report = try ReplaySample.report()
        var whatIf = ReplaySample.whatIf()
        func words() -> String { ReplayResult(report, whatIf: whatIf).whatIfWords }
        expectText(
            ReplayResult(report, whatIf: whatIf).whatIfText(Style(hasColour: true)),
            #"""
            «b:What-if: captured traffic and other strategies»
            Radio lte-verizon-2021, 2700 s for each column: the captured packets with physical rules, and each
            strategy with the same messages (3 messages up and 4 down in 60.5 s). No column includes the calls
            (700 packets, 9.88 J of the energy above)
                                                          «b:as captured»           «b:naive»     «b:tuned, one»
            Energy of the radio, J                              174.5  194.114 (+11%)  93.303 (-47%)
            energy above idle, J                                144.6  167.114 (+16%)  66.303 (-54%)
            energy in tails, J                                     89         160.289         53.489
            energy in search, in estimated dead zones, J            3               0              0
            Promotions                                              5               0              0
            Time with the radio awake                           25.6%           34.5%          12.2%

            """#)
        #expect(words().hasSuffix(". No column includes the calls (700 packets, 9.88 J of the energy above)"))
        whatIf.includesCalls = true
        #expect(
            words().hasSuffix(
                "\"As captured\" includes calls (700 packets, 9.88 J) that no strategy carries: the capture came from a pipe and could not be read again without them"
            ))
        report.habits.calls = []
        #expect(
            words().hasSuffix(
                "\"As captured\" is 174.5 J: the 7.9 J above without local traffic, and 166.6 J in the 30 s after the last packet"
            ))
        report.neighbours = nil
        #expect(
            words().hasSuffix(
                "\"As captured\" is 174.5 J: the 11.18 J above, and 163.33 J in the 30 s after the last packet"))
        for flag in ["--from 1s", "--until 2s"] {
            report.flags = ["--profile lte", flag]
            #expect(words().hasSuffix("(3 messages up and 4 down in 60.5 s)"))
        }
        report.flags = ["--profile lte"]
        report.radio = ReplaySample.cost(report.radio?.bill ?? .init(), .aro)
        #expect(words().hasSuffix("(3 messages up and 4 down in 60.5 s)"))
        report.radio = nil
        #expect(words().hasSuffix("(3 messages up and 4 down in 60.5 s)"))
        #expect(ReplayResult(report).whatIfWords.isEmpty && ReplayResult(report).whatIfText(.plain).isEmpty)
    }

    @Test func restingStatesAreNotAwake() {
        // Broken: a state counts as a tail, as rest or as search although it is none.
        func rows(_ states: [(RadioState, Int, Double, Double)]) -> [String] {
            var whatIf = ReplaySample.whatIf()
            whatIf.run.strategies = []
            whatIf.captured = ReplaySample.cost(ReplaySample.bill(states))
            return whatIf.rows.map { "\($0.title) \($0.cells.joined())" }
        }
        let all = RadioState.allCases.map { state in
            "\(state.name): " + rows([(state, 3, 1, 8), (.handover, 1, 3, 1)]).joined(separator: ", ")
        }
        expectText(
            all.joined(separator: "\n"),
            #"""
            idle: Energy of the radio, J 9, energy above idle, J 0.97, energy in tails, J 0, Promotions 0, Time with the radio awake 75%
            search: Energy of the radio, J 9, energy above idle, J 0.97, energy in tails, J 0, energy in search, in estimated dead zones, J 8, Promotions 0, Time with the radio awake 75%
            promotion: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 0, Promotions 3, Time with the radio awake 100%
            active: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 0, Promotions 0, Time with the radio awake 100%
            tail: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 8, Promotions 0, Time with the radio awake 100%
            short_drx: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 8, Promotions 0, Time with the radio awake 100%
            long_drx: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 8, Promotions 0, Time with the radio awake 100%
            inactive: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 8, Promotions 0, Time with the radio awake 75%
            handover: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 0, Promotions 0, Time with the radio awake 100%
            dch: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 0, Promotions 0, Time with the radio awake 100%
            fach: Energy of the radio, J 9, energy above idle, J 8.96, energy in tails, J 8, Promotions 0, Time with the radio awake 100%
            power_saving: Energy of the radio, J 9, energy above idle, J 0.97, energy in tails, J 0, Promotions 0, Time with the radio awake 75%
            """#)
        #expect(rows([]).last == "Time with the radio awake 0%")
    }

    @Test func neighboursAreOneSentence() throws {
        // Broken: the most frequent kind is not first, or a saving is called a cost.
        var neighbours = try #require(try ReplaySample.report().neighbours)
        #expect(
            neighbours.words
                == "36 packets are local traffic, which a cellular network does not carry (20 DHCP, 16 mDNS). States, flows, bursts and advice leave it out"
        )
        #expect(neighbours.addedWords == "local traffic, which a cellular network does not carry, would add 3.28 J")
        neighbours.joules = 7.4
        #expect(neighbours.addedWords == "local traffic, which a cellular network does not carry, would save 0.5 J")
        neighbours.joules = 7.9
        #expect(neighbours.addedWords == "local traffic, which a cellular network does not carry, would add 0 J")
        neighbours.kinds = [
            .init(word: "b", name: "B", packets: 1, bytes: 1), .init(word: "a", name: "A", packets: 1, bytes: 1),
        ]
        #expect(neighbours.words.contains("(1 A, 1 B)") && neighbours.packets == 2)
        neighbours.kinds.removeLast()
        #expect(neighbours.words.hasPrefix("1 packet is local traffic"))
    }

    @Test func habitsAreWords() throws {
        // Broken: a habit has another number, or its fix is that of another one.
        let report = try ReplaySample.report()
        expectText(
            report.habits.advice.map { "\($0.habit.words) | \($0.habit.fix)" }.joined(separator: "\n"),
            #"""
            example.org, a:443, repeats every 30 s in 9 intervals | One request every 15 min
            b:53 repeats every 5 s in 1 interval | One request every 15 min
            the radio woke once only to open or close connections | Closing connections together with the last data
            the radio woke 2 times only to open or close connections | Closing connections together with the last data
            TCP's own keepalives woke the radio once | Only pings of the application, no TCP keepalives,
            TCP's own keepalives woke the radio 3 times | Only pings of the application, no TCP keepalives,
            1 burst began with a retransmission | A path without packet loss
            4 bursts began with a retransmission | A path without packet loss
            1 burst of less than 1 KiB came within a minute after another burst | Sending them together with the burst before
            5 bursts of less than 1 KiB came within a minute after another burst | Sending them together with the burst before
            """#)
        let advice = report.habits.advice[0]
        let few = report.occasions(of: advice, atMost: 2) { "\($0.nanoseconds % 1_000_000_000_000 / 1_000_000)" }
        #expect(
            few == [
                "at 1000, 3 J: a:443 (example.org)", "at 3000, 3 J: (example.org)", "and 9 more bursts of this flow",
            ], "\(few)")
        #expect(report.occasions(of: report.habits.advice[1], atMost: 2).isEmpty)
        let words = report.words(report.habits.calls[0])
        #expect(
            words
                == "voice call or similar stream at 5 s for 12.3 s: 700 packets, 9.88 J, d:9000 (turn). Its packets are no chat messages: no compared strategy sends them"
        )
        let decimals: [(Double, Int, String)] = [
            (1.005, 1, "1"), (1.25, 1, "1.3"), (.nan, 1, "-"), (.infinity, 1, "-"), (1e12, 1, "-"), (-1e12, 1, "-"),
            (9.99e11, 0, "999000000000"),
            (-1.5, 1, "-1.5"),
        ]
        for (number, places, text) in decimals {
            #expect(ReplayReport.decimal(number, places: places) == text, "\(number)")
        }
        #expect(report.name == "day.pcap" && report.capture.counts.duration == Billionths(count: 60_500_000_000))
        #expect(
            CaptureCounts().duration == .zero
                && report.secondsFromStart(ReplaySample.stamp(250)) == Billionths(count: 250_000_000))
    }
}

private let everyNumberHasALineText = #"""
    capture,of,name,metric,unit,value␍
    day.pcap,capture,,packets,,1000␍
    day.pcap,capture,,bytes,B,12345678␍
    day.pcap,capture,,tcp_flows,,12␍
    day.pcap,capture,,udp_flows,,1␍
    day.pcap,capture,,duration,s,60.5␍
    day.pcap,radio,lte-verizon-2021,joules,J,11.175␍
    day.pcap,radio,lte-verizon-2021,clamped_packets,,8␍
    day.pcap,state,idle,count,,2␍
    day.pcap,state,idle,seconds,s,30␍
    day.pcap,state,idle,joules,J,0.3␍
    day.pcap,state,promotion,count,,3␍
    day.pcap,state,promotion,seconds,s,1.5␍
    day.pcap,state,promotion,joules,J,1.25␍
    day.pcap,state,active,count,,4␍
    day.pcap,state,active,seconds,s,9␍
    day.pcap,state,active,joules,J,5.5␍
    day.pcap,state,tail,count,,3␍
    day.pcap,state,tail,seconds,s,20␍
    day.pcap,state,tail,joules,J,4.125␍
    day.pcap,flow,a:443,up_packets,,3␍
    day.pcap,flow,a:443,up_bytes,B,100␍
    day.pcap,flow,a:443,down_packets,,5␍
    day.pcap,flow,a:443,down_bytes,B,20000␍
    day.pcap,flow,a:443,joules,J,6.5␍
    day.pcap,flow,b:53,up_packets,,1␍
    day.pcap,flow,b:53,up_bytes,B,40␍
    day.pcap,flow,b:53,down_packets,,1␍
    day.pcap,flow,b:53,down_bytes,B,80␍
    day.pcap,flow,b:53,joules,J,0.75␍
    day.pcap,flow,c:5353,up_packets,,7␍
    day.pcap,flow,c:5353,up_bytes,B,700␍
    day.pcap,flow,c:5353,down_packets,,9␍
    day.pcap,flow,c:5353,down_bytes,B,900␍
    day.pcap,flow,c:5353,joules,J,2␍
    day.pcap,periodic,a:443,interval,s,30.04␍
    day.pcap,periodic,a:443,jitter,s,0.25␍
    day.pcap,periodic,a:443,count,,9␍
    day.pcap,periodic,a:443,joules,J,3.5␍
    day.pcap,neighbours,mdns,packets,,16␍
    day.pcap,neighbours,dhcp,packets,,20␍
    day.pcap,neighbours,,joules,J,3.2750000000000004␍
    day.pcap,neighbours,,joules_without,J,7.9␍
    day.pcap,what_if,as captured,joules,J,174.5␍
    day.pcap,what_if,naive,joules,J,194.11405104␍
    day.pcap,what_if,"tuned, one",joules,J,93.303078312␍
    day.pcap,remote,example.org,joules,J,6.5␍
    day.pcap,remote,192.0.2.9,joules,J,0.75␍
    day.pcap,app,browser,joules,J,6.5␍
    day.pcap,habit,"example.org, a:443, repeats every 30 s in 9 intervals",joules,J,3.5␍
    day.pcap,habit,"example.org, a:443, repeats every 30 s in 9 intervals",saves,J,2.25␍
    day.pcap,habit,b:53 repeats every 5 s in 1 interval,joules,J,1␍
    day.pcap,habit,b:53 repeats every 5 s in 1 interval,saves,J,0.5␍
    day.pcap,habit,the radio woke once only to open or close connections,joules,J,1␍
    day.pcap,habit,the radio woke once only to open or close connections,saves,J,0.5␍
    day.pcap,habit,the radio woke 2 times only to open or close connections,joules,J,1␍
    day.pcap,habit,the radio woke 2 times only to open or close connections,saves,J,0.5␍
    day.pcap,habit,TCP's own keepalives woke the radio once,joules,J,1␍
    day.pcap,habit,TCP's own keepalives woke the radio once,saves,J,0.5␍
    day.pcap,habit,TCP's own keepalives woke the radio 3 times,joules,J,1␍
    day.pcap,habit,TCP's own keepalives woke the radio 3 times,saves,J,0.5␍
    day.pcap,habit,1 burst began with a retransmission,joules,J,1␍
    day.pcap,habit,1 burst began with a retransmission,saves,J,0.5␍
    day.pcap,habit,4 bursts began with a retransmission,joules,J,1␍
    day.pcap,habit,4 bursts began with a retransmission,saves,J,0.5␍
    day.pcap,habit,1 burst of less than 1 KiB came within a minute after another burst,joules,J,1␍
    day.pcap,habit,1 burst of less than 1 KiB came within a minute after another burst,saves,J,0.5␍
    day.pcap,habit,5 bursts of less than 1 KiB came within a minute after another burst,joules,J,1␍
    day.pcap,habit,5 bursts of less than 1 KiB came within a minute after another burst,saves,J,0.5␍

    """#

private let aCaptureIsMarkdownText = #"""
    ## Deadzone replay: day.pcap

    1000 packets in 60.5 s, 13 flows. Direction: inferred&#58; 10.0.0.2 is the phone

    Radio energy on **lte-verizon-2021** with physical rules: **7.9 J** for the phone's own traffic; local traffic, which a cellular network does not carry, would add 3.28 J

    | state | times | seconds | joules |
    | --- | --- | --- | --- |
    | idle | 1 | 40 | 0.4 |
    | active | 2 | 8 | 5 |
    | tail | 2 | 12.5 | 2.5 |

    36 packets are local traffic, which a cellular network does not carry (20 DHCP, 16 mDNS). States, flows, bursts and advice leave it out.

    ### What-if: captured traffic and other strategies

    Radio lte-verizon-2021, 2700 s for each column&#58; the captured packets with physical rules, and each strategy with the same messages (3 messages up and 4 down in 60.5 s). No column includes the calls (700 packets, 9.88 J of the energy above).

    |  | as captured | naive | tuned, one |
    | --- | --- | --- | --- |
    | Energy of the radio, J | 174.5 | 194.114 (+11%) | 93.303 (-47%) |
    | energy above idle, J | 144.6 | 167.114 (+16%) | 66.303 (-54%) |
    | energy in tails, J | 89 | 160.289 | 53.489 |
    | energy in search, in estimated dead zones, J | 3 | 0 | 0 |
    | Promotions | 5 | 0 | 0 |
    | Time with the radio awake | 25.6% | 34.5% | 12.2% |

    ### Most expensive habits

    - example.org, a&#58;443, repeats every 30 s in 9 intervals: 3.5 J. One request every 15 min would save at most 2.25 J.
      - at 1 s, 3 J&#58; a&#58;443 (example.org)
      - at 2 s, 2 J&#58; a&#58;443 (example.org)
      - at 3 s, 3 J&#58; (example.org)
      - and 8 more bursts of this flow
    - b&#58;53 repeats every 5 s in 1 interval: 1 J. One request every 15 min would save at most 0.5 J.
    - the radio woke once only to open or close connections: 1 J. Closing connections together with the last data would save at most 0.5 J.
    - the radio woke 2 times only to open or close connections: 1 J. Closing connections together with the last data would save at most 0.5 J.
    - TCP&#39;s own keepalives woke the radio once: 1 J. Only pings of the application, no TCP keepalives, would save at most 0.5 J.
    - TCP&#39;s own keepalives woke the radio 3 times: 1 J. Only pings of the application, no TCP keepalives, would save at most 0.5 J.
    - 1 burst began with a retransmission: 1 J. A path without packet loss would save at most 0.5 J.
    - 4 bursts began with a retransmission: 1 J. A path without packet loss would save at most 0.5 J.
    - 1 burst of less than 1 KiB came within a minute after another burst: 1 J. Sending them together with the burst before would save at most 0.5 J.
    - 5 bursts of less than 1 KiB came within a minute after another burst: 1 J. Sending them together with the burst before would save at most 0.5 J.

    voice call or similar stream at 5 s for 12.3 s&#58; 700 packets, 9.88 J, d&#58;9000 (turn). Its packets are no chat messages&#58; no compared strategy sends them.

    ### Peers with the most energy

    | name | flows | joules |
    | --- | --- | --- |
    | example.org | 3 | 6.5 |
    | 192.0.2.9 | 1 | 0.75 |

    ### Flows with the most energy

    | flow | to | packets | joules |
    | --- | --- | --- | --- |
    | a&#58;443 | example.org | 8 | 6.5 |
    | b&#58;53 |  | 2 | 0.75 |

    - clocks differ
    - a &#42;second&#42; note

    """#
