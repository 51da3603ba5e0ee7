import Testing

@testable import DeadzoneCaptures

struct RadioBurstTests {
    private func day(_ entries: [(Int, String)], app: String? = nil) throws -> PhoneDay {
        var last = 0
        var text = "9,hsp,0,10120,\"com.example.chat\"\n9,hsp,1,10120,\"\"\n9,hsp,2,10121,\"\"\n"
        text += "9,hsp,3,10120,\"broadcast:com.google.android.c2dm.intent.RECEIVE,reason:high-prio FCM\"\n"
        text += "9,h,0:RESET:TIME:1000\n"
        for (at, codes) in entries {
            text += "9,h,\(at - last),\(codes)\n"
            last = at
        }
        return try HistoryText.day(text, app: app)
    }

    @Test func timeoutIsFoundAndTakenOff() throws {
        // Broken: the phone's idle timer counts as traffic.
        var entries: [(Int, String)] = [(0, "+r")]
        for index in 0..<12 {
            let start = 60_000 * (index + 1)
            entries += [(start, "+Pr"), (start + 10_050 + index * 20 + (index % 4 == 0 ? 9_000 : 0), "-Pr")]
        }
        let found = try day(entries + [(900_000, "Est=0")])
        #expect(found.mobileTimeout == RadioTimeout(10_000, isMeasured: true))
        #expect(found.bursts.count == 12 && found.bursts[1].end - found.bursts[1].start == 70)
        #expect(found.bursts[4].end - found.bursts[4].start == 9_130)
        #expect(!found.wifiTimeout.isMeasured && found.wifiTimeout.milliseconds == 15_000)
    }

    @Test func sleepingProcessorReportsTheEndLate() throws {
        // Broken: a radio counts as busy for as long as the processor sleeps.
        let found = try day([
            (0, "+r"), (1_000, "+Pr"), (3_000, "-r"), (1_800_000, "+r"), (1_800_010, "-Pr"), (1_801_000, "-r"),
            (1_900_000, "Est=0"),
        ])
        #expect(found.bursts.map(\.end) == [3_000])
        #expect(HistoryText.text(found.mobileBusy) == "0 false, 1000 true, 13000 false")
        #expect(found.mobileRadio.total { $0 } == 1_799_010)
    }

    @Test func burstsBelongToTheAppThatWokeTheRadio() throws {
        // Broken: traffic of another app counts as the app's own.
        let entries = [
            (0, "Etp=0,+S"), (1_000, "Ewa=1,+Pr"), (12_000, "-Pr"), (20_000, "Ewa=2,+Wr"), (36_000, "-Wr"),
            (40_000, "+Pr"), (52_000, "-Pr"), (60_000, "+Etw=3"), (70_000, "-Etw=3"), (80_000, "Est=0"),
        ]
        let found = try day(entries, app: "com.example.chat")
        #expect(found.bursts.map(\.isOfApp) == [true, false, false])
        #expect(found.bursts.map(\.uid) == [10_120, 10_121, nil] && found.knowsWakers)
        #expect(found.pushes == [PhoneDay.RecordedPush(at: 60_000, isForApp: true)])
        let unnamed = try day(entries)
        #expect(unnamed.bursts.allSatisfy { !$0.isOfApp } && unnamed.pushes.map(\.isForApp) == [false])
    }

    @Test func sumsOfThePhoneAreRead() throws {
        // Broken: the sums that the phone printed are read from another line, or in another unit.
        let text =
            HistoryText.long([
                ("0", "RESET:TIME: 2026-03-09-07-00-00"), ("0", "100 +screen +mobile_radio"), ("+10s", "100 -screen"),
                ("+20s", "100 -mobile_radio +plugged"), ("+30s", "100 +screen"),
            ]) + """
                Statistics since last charge:
                  Time on battery: 20s 0ms (66.6%) realtime, 20s 0ms uptime
                  Screen on: 10s 0ms (50.0%) 1x, Interactive: 9s
                  Idle mode light time: 1m 2s 3ms (0.1%) 2x
                  Mobile radio active time: 12s 0ms (9.0%) 1x
                  Mobile radio active adjusted time: 8ms (0.0%)
                     Cellular data received: 1.50MB
                     Cellular data sent: 0.25KB

                """
        let found = try HistoryText.day(text)
        #expect(found.checks.map(\.name) == ["on battery", "screen on", "light Doze", "mobile radio"])
        #expect(found.checks.map(\.difference) == [0, 0, -10_000, 0])
        #expect(found.history.totals.mobileBytes == 1_573_120)
        // Broken: a vendor's line among the sums ends them, or another section continues them.
        let parts = text.split(separator: "Statistics since last charge:\n")
        func names(_ line: String) throws -> [String] {
            try HistoryText.day("\(parts[0])Statistics since last charge:\n\(line)\n\(parts[1])").checks.map(\.name)
        }
        #expect(try names("rawRealtime = 540987611 (ms)") == found.checks.map(\.name))
        #expect(try names("Statistics since last unplugged:").isEmpty && names("--------- 0.1s").isEmpty)
    }
}
