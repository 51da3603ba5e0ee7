import Testing

@testable import DeadzoneCaptures

struct HistoryFormTests {
    private static let long = HistoryText.long([
        ("0", "RESET:TIME: 2026-03-09-07-00-00"),
        ("0", "100 status=discharging +screen data_conn=lte +wifi wifi_suppl=completed"),
        ("0", "top=u0a120:\"com.example.chat\""), ("+1s500ms", "100 -screen"),
        ("+1m02s003ms", "099 device_idle=light -top=u0a120:\"com.example.chat\""),
        ("+1h00m00s000ms", "098 device_idle=off +screen"), ("+1h00m01s000ms", "098 stats=0:\"dump\""),
    ])
    private static let checkin = """
        9,0,i,vers,36,214,A,A
        9,hsp,0,10120,"com.example.chat"
        9,h,0:RESET:TIME:1773039600000
        9,h,0,Bl=100,Bs=d,+S,Pcn=lte,+W,Wsp=compl,Etp=0
        9,h,1500,-S
        9,h,60503,Bl=99,di=light,-Etp=0
        9,h,3537997,Bl=98,di=off,+S
        9,h,1000,Est=0

        """

    @Test func bothFormsGiveOneDay() throws {
        // Broken: a code of the check-in form means another word, or deltas are read as times.
        let long = try HistoryText.day(Self.long, app: "com.example.chat")
        let checkin = try HistoryText.day(Self.checkin, app: "com.example.chat")
        #expect(long.history.form == .long && checkin.history.form == .checkin)
        #expect(HistoryText.text(long.screen) == "0 true, 1500 false, 3600000 true")
        #expect(HistoryText.text(long.doze) == "0 off, 62003 light, 3600000 off")
        for day in [long, checkin] {
            #expect(day.length == 3_601_000 && day.history.understoodEntries == day.history.entries)
            #expect(day.screen == long.screen && day.doze == long.doze && day.network == long.network)
            #expect(HistoryText.text(day.foreground) == "0 true, 1500 false")
            #expect(day.began == 1_773_039_600_000)
        }
    }

    @Test func anyPieceSizeReadsTheSame() throws {
        // Broken: a line that is cut between two pieces of the file is lost or read twice.
        let whole = try HistoryText.read(Array(Self.long.utf8))
        for piece in [1, 2, 3, 7, 64] {
            let parts = try HistoryText.read(Array(Self.long.utf8), piece: piece)
            #expect(parts.entries == whole.entries && PhoneDay(parts).screen == PhoneDay(whole).screen)
        }
        #expect(whole.entries == 7)
    }

    @Test func carriageReturnsAreIgnored() throws {
        // Broken: a file that went through a Windows shell has no empty line, so that the history does not end.
        let text = Self.long.replacing("\n", with: "\r\r\n") + "  Per-PID Stats:\r\n"
        #expect(try HistoryText.day(text).length == 3_601_000)
    }

    @Test func endOfTheAppBeforeIsReportedLate() throws {
        // Broken: the end of one app, which may follow the beginning of the next, also ends the next.
        let text = HistoryText.long([
            ("0", "RESET:TIME: 2026-03-09-07-00-00"), ("0", "100 +screen top=u0a1:\"com.example.home\""),
            ("+1s", "+top=u0a2:\"com.example.chat\""), ("+1s", "-top=u0a1:\"com.example.home\""),
            ("+5s", "-top=u0a2:\"com.example.chat\""), ("+6s", "100"),
        ])
        let day = try HistoryText.day(text, app: "com.example.chat")
        #expect(HistoryText.text(day.foreground) == "0 false, 1000 true, 5000 false")
        #expect(day.topApps.map(\.package) == ["com.example.chat", "com.example.home"])
        #expect(day.topApps.map(\.time) == [4_000, 1_000])
    }

    @Test func unknownWordsAreCountedOnce() throws {
        // Broken: an unknown word ends the line, its value hides a known word, or a quote in its text ends the text.
        let text = HistoryText.long([
            ("0", "RESET:TIME: 2026-03-09-07-00-00"),
            ("0", "100 vendor_word=3 +screen quantum=u0a1:\"a\"b c\" +plugged"),
            ("+5s", "100 vendor_word=4"), ("+9s", "100 -plugged"),
        ])
        let day = try HistoryText.day(text)
        #expect(day.history.unknownWords.map(\.word) == ["vendor_word", "quantum"])
        #expect(day.history.unknownWords.map(\.count) == [2, 1])
        #expect(day.history.understoodEntries == 2 && day.history.entries == 4)
        #expect(HistoryText.text(day.plugged) == "0 true" && HistoryText.text(day.screen) == "0 true")
    }

    @Test(arguments: ["CURRENT=0 AP_TEMP=37 PST_TEMP=35", "current=353 ap_temp=25 -wifi_ap txshare_event=0x0"])
    func wordsOfSamsungAreKnown(_ words: String) throws {
        // Broken: a sixth of the entries of a Samsung phone is not understood.
        let text = HistoryText.long([("0", "RESET:TIME: 2026-03-09-07-00-00"), ("+5s", "043 \(words) +screen")])
        #expect(try HistoryText.day(text).history.unknownWords.isEmpty)
    }

    @Test func emptyItemsDoNotEndALine() throws {
        // Broken: changes after an empty item or after numbers of the processor are lost.
        let text = "9,h,0:RESET:TIME:1000\n9,h,0,Bl=99\n9,h,5,,+S\n9,h,7,Dpst=1,2,,3\n9,h,9,-S,\n"
        let day = try HistoryText.day(text)
        #expect(HistoryText.text(day.screen) == "0 false, 5 true" && day.length == 21)
        #expect(day.history.unknownWords.isEmpty)
    }

    @Test func personalTextsAreDropped() throws {
        // Broken: an account, an address or a message remains in the recording.
        let text = HistoryText.long([
            ("0", "RESET:TIME: 2026-03-09-07-00-00"),
            ("0", "100 +job=u0a7:\"com.example.mail/com.example/ada@example.org:android\" +screen"),
            ("+1s", "100 +sync=u0a7:\"gmail-ls/com.example/ada@example.org\" wake_lock=u0a7:\"call Ada +44 20\""),
            ("+2s", "100 +job=u0a8:\"com.example.maps/.Job\" top=u0a9:\"ada@example.org\""),
        ])
        let day = try HistoryText.day(text)
        #expect(day.history.packages == ["com.example.maps"])
        #expect(!"\(day)".contains("ada") && !"\(day)".contains("Ada"))
    }

    @Test func fileWithoutHistoryIsRefused() throws {
        // Broken: an empty day is made from a log, or from a history without entries.
        for text in ["hello\n", "Battery History (0% used):\n\n", "9,0,i,vers,36\n9,hsp,0,1,\"a.b\"\n"] {
            #expect(throws: DayFault.noHistory) { try HistoryText.read(Array(text.utf8)) }
        }
    }

    @Test func detailsBetweenEntriesAreSkipped() throws {
        // Broken: lines with details of the processor end the history, or count as entries.
        let text = """
            Battery History (7% used, 19KB used of 256KB, 193 strings using 22KB):
                                0 (10) RESET:TIME: 2018-04-01-23-54-40
                                0 (2) 100 +screen
                             +5ms (3) 100 stats=0:"get-stats"
                             Details: cpu=5250u+8030s
            , SubsystemPowerState SubsystemPowerState
                                      /proc/stat=5880 usr, 8390 sys
                           +2s0ms (1) 100 -screen

            """
        let day = try HistoryText.day(text)
        #expect(day.history.entries == 4 && HistoryText.text(day.screen) == "0 true")
        #expect(day.release.number == 8 && day.release.isGuessed)
    }
}
