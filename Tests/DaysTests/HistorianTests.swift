import Testing

@testable import DeadzoneCaptures

/// Behaviours that the tests of battery-historian (parseutils_test.go) and bort (BatteryStatsHistoryParserTest.kt)
/// check, with lines written for this test. The answers are theirs unless a comment says why not.
struct HistorianTests {
    private static let texts = """
        9,hsp,1,1,"CONNECTED"
        9,hsp,2,1,"DISCONNECTED"
        9,hsp,3,0,"CONNECTED"
        9,hsp,4,0,"DISCONNECTED"
        9,hsp,5,5,"CONNECTED"
        9,hsp,6,5,"DISCONNECTED"
        9,hsp,7,0,"SUSPENDED"

        """

    private func day(_ lines: String, reset: Int64 = 1_422_620_500_000) throws -> PhoneDay {
        let entries = lines.split(separator: " ").map { "9,h,\($0)\n" }.joined()
        return try HistoryText.day(Self.texts + "9,h,0:RESET:TIME:\(reset)\n" + entries)
    }

    /// Changes of the network: lines of the history, the network that apps used.
    private static let connectivity: [(String, String)] = [
        // TestEcnParse, "multiple disconnects": a second DISCONNECTED of one network changes nothing.
        (
            "0,Pcn=lte,+W,Wsp=compl 1000,Ecn=1 2000,Ecn=2,Wsp=dsc 2000,Ecn=2 1000,Ecn=3 1000,Ecn=4,Pcn=none 9,+Wl",
            "0 wifi, 3000 none, 6000 cellular, 7000 none"
        ),
        // "First entry is a disconnect": the network was connected from the beginning.
        ("0,Pcn=lte 2000,Ecn=4 1000,Ecn=3 1000,Ecn=4 9,+Wl", "0 cellular, 2000 none, 3000 cellular, 4000 none"),
        // "Large test": networks of the operator beside the default network (types 3 and 5) are not the default network.
        ("0,Pcn=lte 1000,Ecn=3 120,Ecn=5 3693,Ecn=6 396,Ecn=3 9,+Wl", "0 cellular"),
        // "with SUSPENDED": data stops, the network stays.
        ("0,Pcn=lte 1000,Ecn=3 2000,Ecn=7 4000,Ecn=3 9,+Wl", "0 cellular"),
    ]

    @Test(arguments: connectivity)
    func networksFollowTheAnnouncements(_ lines: String, _ wanted: String) throws {
        // Broken: a repeated, missing or foreign announcement changes the default network.
        #expect(HistoryText.text(try day(lines).network) == wanted)
    }

    @Test func suspendedDataHasATime() throws {
        // Broken: data that a call stops is not counted, or continues after it is connected again.
        let suspended = try day(Self.connectivity[3].0).suspended
        #expect(HistoryText.text(suspended) == "0 false, 3000 true, 7000 false")
    }

    /// Doze: lines of the history, its states. The tests there call a time before the first word unknown; a phone prints
    /// its states at the beginning, so here it is off.
    private static let doze: [(String, String)] = [
        ("1000,-di 6000,+di 5000,-di 4000,+di 50,+Wl", "0 deep, 1000 off, 7000 deep, 12000 off, 16000 deep"),
        ("7000,+di 5000,-di 4000,+di 10,+Wl", "0 off, 7000 deep, 12000 off, 16000 deep"),
        (
            "1000,di=off 6000,di=light 5000,di=full 4000,di=off 5000,di=light 7,+Wl",
            "0 off, 7000 light, 12000 deep, 16000 off, 21000 light"
        ),
        ("1000,di=light 6000,di=off 5000,di=full 9,+Wl", "0 off, 1000 light, 7000 off, 12000 deep"),
    ]

    @Test(arguments: doze)
    func idleModesAreLanes(_ lines: String, _ wanted: String) throws {
        // Broken: Doze of Android 6 or 7 begins or ends at another entry, also when the file lacks its beginning.
        #expect(HistoryText.text(try day(lines).doze) == wanted)
    }

    @Test func aStateThatEndsTwiceBeganOnce() throws {
        // Broken: a second end without a beginning moves the first one, or counts the time between them
        // (TestTwoBooleanNegativeEvents, TestInProgressEvents).
        let found = try day("1000,-S,-BP 2000,-S 3000,+S 500,+S 700,+BP 9,Bl=50")
        #expect(HistoryText.text(found.screen) == "0 true, 1000 false, 6000 true")
        #expect(HistoryText.text(found.plugged) == "0 true, 1000 false, 7200 true")
    }

    @Test func statesOfThePhoneAreApart() throws {
        // Broken: off, out of service and emergency calls only are one state, or the last one does not last.
        let found = try day("0,Pst=off,Pcn=lte 500,Pst=out 1000,Pst=in 2000,Pst=em 2500,Pst=off 2000,Bl=50")
        #expect(HistoryText.text(found.radioOff) == "0 true, 500 false, 6000 true")
        #expect(found.radioOff.total { $0 } == 2_500)
    }

    @Test func aTimeJumpKeepsDurations() throws {
        // Broken: a state that lasts over a step of the wall clock gets longer by the step. There the beginning is moved
        // to fit the later clock; here the clock that apps saw is kept, and the step is an event.
        let found = try day("20,+S 275,-S 9,+S 1494:TIME:1422654277857 658,-S", reset: 1_422_620_451_417)
        #expect(found.screen.stretches.filter(\.value).map(\.length) == [275, 2_152])
        #expect(found.clockJumps.map(\.at) == [1_798] && found.began == 1_422_620_451_417)
    }

    @Test func aPhoneWithoutATimeBeginsAtTheLaterClock() throws {
        // Broken: a phone that starts in 1970 dates the day there although the network sets its clock.
        let found = try day("0,+S 1000,-S 500:TIME:1422918458646 100,+S", reset: 141_688_070)
        #expect(found.began == 1_422_918_457_146)
        #expect(try day("0,+S 1000,-S", reset: 141_688_070).began == 141_688_070)
    }

    @Test func shutdownsEndWhatLasts() throws {
        // Broken: a state lasts over the downtime, or a start without a shutdown is no restart.
        let found = try day(
            "0,+BP,+S 292:TIME:1422620500292 4:START 0:TIME:1422620900000 1686,+S 709:SHUTDOWN 38:START 0:TIME:1422679129104 "
                + "5902,+BP 820,Bl=9")
        #expect(HistoryText.text(found.plugged) == "0 true, 296 false, 8631 true")
        #expect(HistoryText.text(found.screen) == "0 true, 296 false, 1982 true, 2691 false")
        #expect(found.restarts.map(\.at) == [296, 2_691] && found.clockJumps.isEmpty)
    }

    @Test func twoOverflowsAreOne() throws {
        // Broken: a second overflow moves the time from which the history is incomplete, or ends the reading.
        let found = try day(
            "0,Bl=52 7000,+S 0:*OVERFLOW* 1000,Bl=51 2000,-S 0:TIME:1422620510000 2000,+BP 0:*OVERFLOW* 3000,Bl=48")
        #expect(found.history.overflow == 7_000 && found.length == 15_000)
        #expect(HistoryText.text(found.screen) == "0 false, 7000 true, 10000 false")
    }

    @Test func eachResetBeginsAHistory() throws {
        // Broken: states of before a reset last into the history after it. There all are summed; here the longest is the
        // day, and the others are counted.
        let found = try day("0,+S 7000,-S 3,+W 0:RESET:TIME:1422620600000 500,+BP 0:RESET:TIME:1422620700000 100,+S")
        #expect(HistoryText.text(found.screen) == "0 true, 7000 false" && found.history.otherHistories == 2)
        #expect(found.plugged.total { $0 } == 0)
    }

    @Test func wrongItemsDoNotEndALine() throws {
        // Broken: a value that is no number, an index without a text or an empty item hides the items after it (bort).
        let found = try day("0,wr=1,Bl=x,,+S,Etp=70,+Efg=71,wr= 1000,-Etp=71,Bt=,-S,+BP 9,Bl=90")
        #expect(
            HistoryText.text(found.screen) == "0 true, 1000 false"
                && HistoryText.text(found.plugged) == "0 false, 1000 true")
    }

    @Test func theWayIntoWiFiIsNotWiFi() throws {
        // Broken: scanning or associating counts as a network (TestWifiSupplParse, TestShutdownWithTimeJump).
        let found = try day(
            "0,+W,Pcn=lte,Wsp=scan 5530,Wsp=asced 771,Wsp=4-way 21,Wsp=group 130,Wsp=compl 391,Wsp=inact 5,+S")
        #expect(HistoryText.text(found.network) == "0 cellular, 6452 wifi, 6843 cellular")
    }
}
