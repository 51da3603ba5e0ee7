import Testing

@testable import DeadzoneCaptures

/// Times of Doze that a recording shows, and the settings that follow.
struct DozeTimesTests {
    /// A phone that goes dark at 10 s, and these states of Doze: seconds and word.
    private func day(_ states: [(Int, String)], more: [(Int, String)] = [], until end: Int = 40_000) throws -> PhoneDay
    {
        let all = [(0, "+screen"), (10, "-screen")] + states.map { ($0.0, "device_idle=\($0.1)") } + more
        let entries =
            all.sorted { $0.0 < $1.0 }.map { ("+\($0.0)s", "100 \($0.1)") } + [("+\(end)s", "100 stats=0:\"end\"")]
        return try HistoryText.day(HistoryText.long([("0", "RESET:TIME: 2026-03-09-07-00-00")] + entries))
    }

    private func settings(_ day: PhoneDay, release: Int = 14) -> String {
        day.dozeTimes.settings(release: release).map { "\($0.key) \($0.milliseconds)" }.joined(separator: ", ")
    }

    @Test func shortestWindowsNeedNoSetting() throws {
        // Broken: windows of the shortest length are written as work, or the steps to deep Doze are added to its time.
        let found = try day([
            (250, "light"), (550, "off"), (555, "light"), (1155, "off"), (1160, "light"), (2210, "full"), (5810, "off"),
            (5841, "full"),
        ])
        #expect(
            settings(found)
                == "doze.light.inactive 240000, doze.light.inactive-window 0, doze.light.idle 300000, "
                + "doze.light.idle-limit 900000, doze.light.idle-window 0, "
                + "doze.deep.inactive 2200000, doze.deep.idle-after-inactive 0, doze.deep.sensing 0, doze.deep.locating 0"
        )
        #expect(found.dozeTimes.windows == 3 && found.dozeTimes.lightEntries == 1)
        #expect(settings(found, release: 6).hasPrefix("doze.deep.inactive 2200000"))
        #expect(settings(found, release: 11).hasPrefix("doze.light.inactive 240000, doze.light.idle 300000, "))
        #expect(settings(found, release: 12).contains("doze.light.idle-waits 0"))
    }

    @Test func longWindowsAreWork() throws {
        // Broken: a phone with busy apps gets the shortest windows.
        let found = try day([
            (250, "light"), (550, "off"), (610, "light"), (1210, "off"), (1270, "light"), (2210, "full"), (5810, "off"),
            (6110, "full"),
            (13310, "off"), (13600, "full"),
        ])
        #expect(found.dozeTimes.work == 290_000)
    }

    @Test func lightIdleTimesAreExplainedOrLeftOut() throws {
        // Broken: one first time is written although the recorded ones do not follow from any.
        let late = try day([
            (350, "light"), (704, "off"), (709, "light"), (1364, "off"), (1369, "light"), (2402, "off"),
            (2416, "light"),
            (3404, "off"), (3409, "light"),
        ])
        let first = try #require(late.dozeTimes.lightIdle)
        let pairs: [(Int64, Int64)] = [
            (first, 354_000), (2 * first, 655_000), (3 * first, 1_033_000), (3 * first, 988_000),
        ]
        for (nominal, recorded) in pairs {
            #expect(abs(nominal - recorded) * 20 <= recorded, "\(nominal) for \(recorded)")
        }
        let odd = try day([
            (116, "light"), (542, "off"), (547, "light"), (2170, "off"), (2175, "light"), (2211, "full"),
        ])
        #expect(odd.dozeTimes.lightIdle == nil && odd.dozeTimes.lightEntry == 106_000)
    }

    @Test func anIdleTimeThatNoPlatformAllowsIsLeftOut() throws {
        // Broken: a light Doze of less than a second becomes a setting that the scenario's reader refuses.
        func idle(_ milliseconds: Int) throws -> Int64? {
            let entries = [
                ("0", "RESET:TIME: 2026-03-09-07-00-00"), ("+0s", "100 +screen"), ("+10s", "100 -screen"),
                ("+4m10s", "100 device_idle=light"), ("+4m10s\(milliseconds)ms", "100 device_idle=off"),
                ("+4m20s", "100 device_idle=light"), ("+1h", "100 stats=0:\"end\""),
            ]
            return try HistoryText.day(HistoryText.long(entries)).dozeTimes.lightIdle
        }
        #expect(try idle(600) == nil)
        #expect(try idle(990) == nil)
    }

    @Test func aPhoneThatNeverDozesHasNoDoze() throws {
        // Broken: the scenario of a phone without Doze closes the network for apps, or a phone that did not rest long
        // enough has no Doze.
        func texts(_ day: PhoneDay) -> [String] { day.dozeTimes.texts(release: day.release.number) }
        let off = ["doze.light.inactive: never", "doze.deep.inactive: never"]
        let found = try day([], until: 7_210)
        #expect(found.dozeTimes.isAbsent && !found.dozeTimes.isEmpty && texts(found) == off)
        let text = DayScenario(found, .init(simplify: 0, strategies: "  a: {strategy: patient}\n", schema: "s")).text
        #expect(text.contains("platform: {profile: android-14, \(off.joined(separator: ", "))}"))
        let others = [
            try day([], until: 7_209), try day([(7_000, "light")], until: 9_000),
            // The charger ends a rest, and after an overflow the history does not show use.
            try day([], more: [(7_000, "+plugged"), (7_001, "-plugged")], until: 14_000),
            try HistoryText.day(
                "9,h,0:RESET:TIME:1000\n9,h,0,+S\n9,h,10000,-S\n9,h,7000000:*OVERFLOW*\n9,h,7000000,Bl=50\n"),
        ]
        for other in others { #expect(!other.dozeTimes.isAbsent && !texts(other).contains(off[0])) }
    }

    @Test func aLookAtALockedScreenIsNoUse() throws {
        // Broken: a look that did not end Doze starts its way anew, or a real use does not.
        let states = [(250, "light"), (2210, "full"), (5810, "off"), (6400, "full"), (20_900, "off")]
        let looks = [
            (3_000, "+screen"), (3_008, "-screen"), (5_840, "+screen"), (5_850, "-screen"), (21_000, "+screen"),
            (21_300, "-screen"),
        ]
        let found = try day(states, more: looks)
        #expect(HistoryText.text(found.use) == "0 true, 10000 false, 21000000 true, 21300000 false")
        #expect(found.dozeTimes.deepEntries == 1 && found.dozeTimes.deepEntry == 2_200_000)
        // A touched window is not counted.
        #expect(found.dozeTimes.windows == 0)
        let text = DayScenario(found, .init(simplify: 0, strategies: "", schema: "s")).text
        #expect(!text.contains("at: 50m, ") && text.contains("{at: 5h50m, screen: \"on\"}"))
    }

    @Test func aWindowLastsUntilItsJobsEnd() throws {
        // Broken: work after a window or of a used phone counts, or the end of a job is not found.
        let job = "-job=u0a1:\"com.example.chat/.Sync\""
        let states = [
            (250, "light"), (550, "off"), (564, "light"), (1_164, "off"), (1_169, "light"), (2_210, "full"),
            (5_810, "off"), (5_845, "full"), (20_000, "off"), (20_400, "light"),
        ]
        let jobs = [240, 555, 563, 1_180, 5_845, 20_200].map { ($0, job) }
        let found = try day(states, more: [(20_000, "+screen"), (20_100, "-screen")] + jobs)
        let windows = found.dozeWindows.map { "\($0.start / 1_000) \($0.state) \($0.work / 1_000)" }
        #expect(windows == ["550 light 13", "1164 light 0", "5810 deep 35"])
        #expect(try day(states).dozeWindows.isEmpty)
    }
}
