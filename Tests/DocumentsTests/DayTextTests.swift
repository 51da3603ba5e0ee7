import DeadzoneBase
import DeadzoneCaptures
import DeadzoneTestKit
import Testing

@testable import DeadzoneReports

/// A recorded day as text and JSON.
struct DayTextTests {
    private func day(_ text: String, app: String? = nil) throws -> PhoneDay {
        var rest = Array(text.utf8)[...]
        let history = try DayFile.history { buffer throws(DayFault) in
            let count = min(buffer.count, rest.count)
            rest.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
            rest = rest.dropFirst(count)
            return count
        }
        return PhoneDay(history, app: app)
    }

    /// Five hours with both networks, an outage, Doze, a charger, bursts, a push, a restart and a step of the clock.
    private static let history = """
        9,hsp,0,10120,"com.example.chat"
        9,hsp,1,10120,""
        9,hsp,2,10121,"com.example.news"
        9,hsp,3,10120,"broadcast:com.google.android.c2dm.intent.RECEIVE,reason:high-prio FCM"
        9,h,0:RESET:TIME:1422620441417
        9,h,0,Bl=90,+S,+W,Wsp=compl,Pcn=lte,Etp=0,+r
        9,h,600000,Ewa=1,+Pr
        9,h,30000,-Pr
        9,h,600000,-S,-r,Etp=2
        9,h,1000,+Etw=3
        9,h,900000,di=light
        9,h,1800000,Ewa=2,+Wr
        9,h,30000,-Wr
        9,h,600000,di=full
        9,h,3600000,di=off,+S
        9,h,500,Pst=out,Wsp=disconn
        9,h,70000,Pst=in
        9,h,600000,Pcn=nr,-S
        9,h,100000,+BP
        9,h,3600000,-BP,+ps,+zork
        9,h,900000,-ps,+zork
        9,h,0:TIME:1422640000000
        9,h,60000:SHUTDOWN
        9,h,5:START
        9,h,0:TIME:1422650034005
        9,h,600000,+S,Pcn=lte
        9,h,600000,-S,+glim

        """

    /// The same day, then outages, a radio that is off, a call, bursts, Doze with many windows, and unknown words.
    private static let long =
        history
            + """
            9,h,1000,Pcn=oos
            9,h,51000,Pcn=nr
            9,h,1000,+W,Wsp=compl
            9,h,500,Pcn=oos
            9,h,2000,Pcn=nr,Wsp=disconn
            9,h,9000,Pst=off
            9,h,5000,Pst=in
            9,h,9000,+Pcl,Ecn=4
            9,h,1200,Pcn=hspa,Ecn=0
            9,h,60000,-Pcl
            9,h,1000,+Pr
            9,h,20000,-Pr
            9,h,40000,+Pr
            9,h,20000,-Pr
            9,h,0:TIME:1422656000000

            """
        + (0..<7).map { "9,h,\(300_000 + 1_000 * $0),di=light\n9,h,\(200_000 + 1_000 * $0),di=off\n" }.joined()
        + (0..<6).map { "9,h,\(60_000 + 1_000 * $0),di=full\n9,h,\(900_000 + 1_000 * $0),di=off\n" }.joined()
        + "9,h,1000,di=light\n9,h,900000,di=off\n9,h,1000," + (0..<13).map { "+q\($0)q" }.joined(separator: ",") + "\n"

    private func report(_ history: String = history, app: String? = nil) throws -> DayReport {
        let day = try day(history, app: app)
        let modelled = Lane(
            [(at: Int64(0), value: RecordedDoze.off), (at: 1_800_000, value: .light)], from: .off, until: day.length)
        let other = Lane(
            [(at: Int64(0), value: RecordedDoze.off), (at: 3_000_000, value: .deep)], from: .off, until: day.length)
        var report = DayReport(
            name: "bugreport.zip", tool: "1.2.3", day: day,
            doze: DozeComparison(day, platform: "android-12", shipped: modelled, adjusted: other))
        report.radio = RadioAgreement(
            strategy: "mine", day,
            mobile: Lane([(at: 600_000, value: true), (at: 640_000, value: false)], from: false, until: day.length),
            wifi: Lane([], from: false, until: day.length))
        return report
    }

    @Test func otherHistoriesOfTheArchiveAreNamed() throws {
        // Broken: one of several histories is chosen without a word, or the command for another one does not work.
        var zip = StoredZip()
        zip.add(Self.history, name: "FS/one dump.txt")
        zip.add("9,h,0:RESET:TIME:1422620441417\n9,h,600000,+S\n", name: "FS/other dump[1].txt")
        var rest = zip.closed()[...]
        let history = try DayFile.history { buffer throws(DayFault) in
            let count = min(buffer.count, rest.count)
            rest.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
            rest = rest.dropFirst(count)
            return count
        }
        let report = DayReport(name: "bug report.zip", tool: "1.2.3", day: PhoneDay(history), doze: nil)
        #expect(
            report.facts[0].text
                == "FS/one dump.txt has the longest history (4 h 5 min); others: FS/other dump[1].txt (10 min, "
                + "2 entries); "
                + "`unzip -p 'bug report.zip' 'FS/other dump[[]1].txt' | deadzone day -` reads another one")
        let json = DayReport.json([report])["days"]?.items?.first
        #expect(json?["source"]?.text() == "\"FS/one dump.txt\"")
        let other = json?["other_sources"]?.items?.first
        #expect(other?["name"]?.string == "FS/other dump[1].txt" && other?["entries"]?.text() == "2")
        #expect(other?["length_ms"]?.text() == "600000")
    }

    @Test func otherHistoriesOfATextAreCounted() throws {
        // Broken: a file with two histories loses one of them without a line.
        func text(_ lengths: [Int]) throws -> String {
            let lines = lengths.map { "9,h,0:RESET:TIME:1422620441417\n9,h,\($0),+S\n" }
            let day = try day(lines.joined())
            let facts = DayReport(name: "a", tool: "1.2.3", day: day, doze: nil).facts
            return facts.first { $0.name == "Source" }?.text ?? ""
        }
        #expect(try text([7_200_000]).isEmpty)
        #expect(
            try text([9_000, 7_200_000])
                == "the longest of 2 histories in the file is used (2 h); the other lasts 9 s")
        #expect(
            try text([9_000, 7_200_000, 60_000])
                == "the longest of 3 histories in the file is used (2 h); the others last 1 min or less")
    }

    @Test func aDayIsAText() throws {
        // Broken: a share has another denominator, or an event is counted as another one.
        expectText(
            try report().text(.plain),
            #"""
            Recorded day
            bugreport.zip: 4 h 5 min from 2015-01-30 12:20:41, Android 14 (guessed from the form), 23 entries,
            86.9 % understood

            Network  Wi-Fi 56 %, NR 32 %, LTE 8.6 %, none 4.1 %; 1 handoff
            Doze     light 40 min 30 s (1 time), deep 1 h (1 time)
            Screen   on 17 %, 3 times
            Power    charger 25 %, battery saver 15 min
            Traffic  mobile radio busy 0.2 % in 1 burst (timeout 10 s, assumed); Wi-Fi busy 0.1 % in 1 burst (timeout 15 s, assumed)
            App      choose yours with --app; in front: com.example.chat 20 min 30 s, com.example.news 11 min 10 s
            Clock    1 restart, 1 change of the wall clock, largest +1 h 42 min

            Recorded and simulated
                                                recorded     android-12  android-12, adjusted
              in the same state of Doze                      28.7 %      39.0 %
              the same, screen off, no charger               34.9 %      52.3 %
              light Doze began after            15 min 1 s   9 min 30 s
              deep Doze began after             55 min 31 s              29 min 30 s
              radios busy                       0.3 %                    0.2 %
              both busy or both idle                                     99.8 %
              adjusted: with the recorded times of Doze and work in windows. The scenario uses the times.

            Words that are not understood
              zork (2), glim (1)

            Not in the file
              RRC states and tails of the radio: the phone records traffic, not the radio's state
              direction, size and number of packets
              movement, and which Wi-Fi network it was
              when the system froze the app's process or ended it

            """#)
        expectText(
            try report(app: "com.example.chat").facts.map { "\($0.name): \($0.text)" }.joined(separator: "\n"),
            #"""
            Network: Wi-Fi 56 %, NR 32 %, LTE 8.6 %, none 4.1 %; 1 handoff
            Doze: light 40 min 30 s (1 time), deep 1 h (1 time)
            Screen: on 17 %, 3 times
            Power: charger 25 %, battery saver 15 min
            Traffic: mobile radio busy 0.2 % in 1 burst (timeout 10 s, assumed); Wi-Fi busy 0.1 % in 1 burst (timeout 15 s, assumed)
            App: com.example.chat in front for 20 min 30 s, woke a radio 1 time, 1 push of high priority
            Clock: 1 restart, 1 change of the wall clock, largest +1 h 42 min
            """#)
    }

    @Test func manyEventsAreSummed() throws {
        // Broken: an outage, a call or a restart is counted twice or not at all, a list is cut without a word, or the
        // count of Doze contradicts that of its lengths without an explanation.
        expectText(
            try report(Self.long).text(.plain),
            #"""
            Recorded day
            bugreport.zip: 6 h 59 min from 2015-01-30 12:20:41, Android 15 (guessed from the form), 67 entries,
            94 % understood

            Network  Wi-Fi 33 %, 3G 41 %, NR 19 %, LTE 5.1 %, none 2.6 %; 3 handoffs, radio switched off for 5 s
            Service  cellular out of service 2 times, longest 51 s; 1 of them without any network
            Doze     light 1 h 19 min (9 times), deep 2 h 30 min (7 times)
            Screen   on 9.9 %, 3 times
            Power    charger 14 %, battery saver 15 min
            Traffic  mobile radio busy 0.2 % in 3 bursts (timeout 10 s, assumed); Wi-Fi busy 0.1 % in 1 burst (timeout 15 s, assumed)
            App      choose yours with --app; in front: com.example.chat 20 min 30 s, com.example.news 11 min 10 s
            Clock    1 restart, 2 changes of the wall clock, largest +1 h 42 min

            Recorded and simulated
                                                recorded                                                                android-12  android-12, adjusted
              in the same state of Doze                                                                                 26.0 %      44.3 %
              the same, screen off, no charger                                                                          27.9 %      52.0 %
              light Doze began after            15 min 1 s, 8 min 40 s                                                  9 min 30 s
              light Doze lasted                 3 min 20 s, 3 min 21 s, 3 min 22 s, 3 min 23 s, 3 min 24 s, and 3 more
              windows between them              5 min 1 s, 5 min 2 s, 5 min 3 s, 5 min 4 s, 5 min 5 s, and 1 more
              deep Doze began after             55 min 31 s, 1 h 4 min                                                              29 min 30 s
              deep Doze lasted                  15 min, 15 min 1 s, 15 min 2 s, 15 min 3 s, 15 min 4 s, and 1 more
              windows between them              1 min 1 s, 1 min 2 s, 1 min 3 s, 1 min 4 s, 1 min 5 s
              radios busy                       0.2 %                                                                               0.1 %
              both busy or both idle                                                                                                99.8 %
              A window is a short time between two times of Doze, in which apps may use the network.
              The lengths are of times of Doze that ended by themselves: not by use, a charger or deep Doze.
              adjusted: with the recorded times of Doze and work in windows. The scenario uses the times.

            Words that are not understood
              zork (2), glim (1), q0q (1), q10q (1), q11q (1), q12q (1), q1q (1), q2q (1), q3q (1), q4q (1), q5q
              (1), q6q (1), and 3 more

            Not in the file
              RRC states and tails of the radio: the phone records traffic, not the radio's state
              direction, size and number of packets
              movement, and which Wi-Fi network it was
              when the system froze the app's process or ended it

            """#)
        let counts = try #require(DayReport.json([try report(Self.long)])["days"]?.items?[0]["counts"])
        expectText(
            counts.textInLines,
            #"""
            {"calls_without_data": 0, "clock_changes": 2, "handoffs": 3, "mobile_bursts": 3, "out_of_service": 2, "out_of_service_without_network": 1, "pushes": 1, "restarts": 1, "roams": 0, "wifi_bursts": 1}
            """#)
    }

    @Test func aDayWithoutEventsIsAText() throws {
        // Broken: a division by zero, or an event that did not happen.
        let day = try day("9,h,0:RESET:TIME:1000\n9,h,0,Bl=90,-S\n9,h,60000,Bl=89\n")
        let report = DayReport(name: "quiet", tool: "1.2.3", day: day, doze: nil)
        #expect(report.agreement.isEmpty)
        expectText(
            report.text(.plain),
            #"""
            Recorded day
            quiet: 1 min from 1970-01-01 00:00:01, Android 14 (guessed from the form), 3 entries, 100 %
            understood

            Network  Wi-Fi 0.0 %, none 100 %; 0 handoffs
            Doze     no light, no deep
            Screen   on 0.0 %, 0 times
            Power    charger 0.0 %, no battery saver
            Traffic  mobile radio never busy; Wi-Fi never busy
            App      choose yours with --app

            Not in the file
              RRC states and tails of the radio: the phone records traffic, not the radio's state
              direction, size and number of packets
              movement, and which Wi-Fi network it was
              when the system froze the app's process or ended it
              which app's packet woke the radio

            """#)
    }

    @Test func aDayIsADocument() throws {
        // Broken: a total, a count or a lane is that of another state.
        let json = DayReport.json([try report(app: "com.example.chat")])
        #expect(json["schema"] == .string("deadzone/day/1") && json["tool"]?["version"] == .string("1.2.3"))
        let day = try #require(json["days"]?.items?.first)
        func members(_ keys: [String]) -> String {
            keys.map { "\($0): \(day[$0]?.textInLines ?? "missing")" }.joined(separator: "\n")
        }
        expectText(
            members([
                "name", "length_ms", "began", "time_zone", "form", "android", "android_is_guessed", "entries",
                "source", "other_sources", "unknown_words", "totals_ms", "counts", "app", "checks", "radio", "not_told",
            ]),
            #"""
            name: "bugreport.zip"
            length_ms: 14691505
            began: "2015-01-30 12:20:41"
            time_zone: null
            form: "dumpsys batterystats --checkin"
            android: 14
            android_is_guessed: true
            entries: {"all": 23, "is_cut": false, "largest_step_back_ms": 0, "other_histories": 0, "out_of_order": 0, "overflow_ms": null, "understood": 20}
            source: null
            other_sources: []
            unknown_words: {"glim": 1, "zork": 2}
            totals_ms: {"battery_saver": 900000, "cellular": 5930000, "cellular_lte": 1270000, "cellular_nr": 4660000, "charger": 3600000, "deep_doze": 3600000, "light_doze": 2430000, "locked": 0, "mobile_radio_busy": 30000, "no_network": 600005, "out_of_service": 0, "radio_off": 0, "screen_on": 2500500, "suspended_by_call": 0, "weak_signal": 0, "wifi": 8161500, "wifi_radio_busy": 15000}
            counts: {"calls_without_data": 0, "clock_changes": 1, "handoffs": 1, "mobile_bursts": 1, "out_of_service": 0, "out_of_service_without_network": 0, "pushes": 1, "restarts": 1, "roams": 0, "wifi_bursts": 1}
            app: {"bursts": 1, "foreground_ms": 1230000, "in_front_ms": {"com.example.chat": 1230000, "com.example.news": 670500},
            "package": "com.example.chat", "pushes": 1}
            checks: []
            radio: {"length_ms": 14691505, "recorded_busy_ms": 45000, "same_ms": 14666505, "simulated_busy_ms": 40000, "strategy": "mine"}
            not_told: ["RRC states and tails of the radio: the phone records traffic, not the radio's state", "direction, size and number of packets", "movement, and which Wi-Fi network it was", "when the system froze the app's process or ended it"]
            """#)
    }

    @Test func lanesAreADocument() throws {
        // Broken: a lane is that of another state, or a stretch is left out.
        let day = DayReport.json([try report(app: "com.example.chat")])["days"]?.items?.first
        expectText(
            day?["lanes"]?.textInLines ?? "",
            #"""
            {"app_in_front": [[0, 1230000, "on"],
            [1230000, 14691505, "off"]],
            "battery_saver": [[0, 12531500, "off"],
            [12531500, 13431500, "on"],
            [13431500, 14691505, "off"]],
            "cellular": [[0, 8831500, "LTE"],
            [8831500, 13491500, "NR"],
            [13491500, 14091505, "no data"],
            [14091505, 14691505, "LTE"]],
            "charger": [[0, 8931500, "off"],
            [8931500, 12531500, "on"],
            [12531500, 14691505, "off"]],
            "doze": [[0, 2131000, "off"],
            [2131000, 4561000, "light"],
            [4561000, 8161000, "deep"],
            [8161000, 14691505, "off"]],
            "mobile_radio_busy": [[0, 600000, "off"],
            [600000, 630000, "on"],
            [630000, 14691505, "off"]],
            "network": [[0, 8161500, "wifi"],
            [8161500, 13491500, "cellular"],
            [13491500, 14091505, "none"],
            [14091505, 14691505, "cellular"]],
            "screen": [[0, 1230000, "on"],
            [1230000, 8161000, "off"],
            [8161000, 8831500, "on"],
            [8831500, 14091505, "off"],
            [14091505, 14691505, "on"]],
            "wifi_radio_busy": [[0, 3931000, "off"],
            [3931000, 3946000, "on"],
            [3946000, 14691505, "off"]]}
            """#)
    }

    @Test func dozeIsADocument() throws {
        // Broken: the model and the recording change places, or light and deep Doze do.
        let day = DayReport.json([try report(Self.long)])["days"]?.items?.first
        expectText(
            day?["doze"]?.textInLines ?? "",
            #"""
            {"platform": "android-12", "recorded": {"deep_entry_ms": [3331000, 3822700],
            "deep_idle_ms": [900000, 901000, 902000, 903000, 904000, 905000],
            "deep_windows_ms": [61000, 62000, 63000, 64000, 65000],
            "light_entry_ms": [901000, 520700],
            "light_idle_ms": [200000, 201000, 202000, 203000, 204000, 205000, 206000, 900000],
            "light_windows_ms": [301000, 302000, 303000, 304000, 305000, 306000]},
            "simulated": {"deep_entry_ms": [],
            "deep_idle_ms": [],
            "deep_windows_ms": [],
            "length_ms": 25146205, "light_entry_ms": [570000],
            "light_idle_ms": [],
            "light_windows_ms": [],
            "rest_ms": 19045705, "same_at_rest_ms": 5321000, "same_ms": 6551000},
            "simulated_with_recorded_times": {"deep_entry_ms": [1770000],
            "deep_idle_ms": [],
            "deep_windows_ms": [],
            "length_ms": 25146205, "light_entry_ms": [],
            "light_idle_ms": [],
            "light_windows_ms": [],
            "rest_ms": 19045705, "same_at_rest_ms": 9916000, "same_ms": 11146000}}
            """#)
    }
}

/// A zip archive of files that are not compressed.
private struct StoredZip {
    private var bytes: [UInt8] = []

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// CRC-32 of the zip format: polynomial 0xedb88320, reflected.
    private static func checksum(_ data: [UInt8]) -> Int {
        let sum = data.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }

    mutating func add(_ text: String, name: String) {
        let data = Array(text.utf8)
        bytes +=
            Self.little(0x0403_4b50, 4) + Self.little(20, 2) + Self.little(0, 8) + Self.little(Self.checksum(data), 4)
        bytes += Self.little(data.count, 4) + Self.little(data.count, 4) + Self.little(name.utf8.count, 4)
        bytes += Array(name.utf8) + data
    }

    func closed() -> [UInt8] { bytes + Self.little(0x0605_4b50, 4) + [UInt8](repeating: 0, count: 18) }
}
