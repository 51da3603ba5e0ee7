import Testing

@testable import DeadzoneCaptures

struct ClockTests {
    @Test func jumpOfTheWallClockDoesNotMoveTheDay() throws {
        // Broken: a change of the wall clock adds its step to a state that lasts.
        let text = """
            9,h,0:RESET:TIME:1422620441417
            9,h,0,+S
            9,h,2000:TIME:1422624043417
            9,h,3000,-S
            9,h,4000:TIME:1422624050417

            """
        let day = try HistoryText.day(text)
        #expect(HistoryText.text(day.screen) == "0 true, 5000 false" && day.length == 9_000)
        #expect(day.clockJumps == [PhoneDay.ClockJump(at: 2_000, by: 3_600_000)])
    }

    @Test func restartEndsAllStates() throws {
        // Broken: a state from before a restart lasts until it is printed again, or downtime counts as a clock change.
        let text = """
            9,h,0:RESET:TIME:1000000
            9,h,0,+S,+BP,+Pr,di=light,Pcn=lte
            9,h,10000:SHUTDOWN
            9,h,5:START
            9,h,0:TIME:1034005
            9,h,2000,+S
            9,h,3000,-S

            """
        let day = try HistoryText.day(text)
        #expect(HistoryText.text(day.screen) == "0 true, 10000 false, 12005 true")
        #expect(HistoryText.text(day.plugged) == "0 true, 10000 false")
        #expect(HistoryText.text(day.doze) == "0 light, 10000 off")
        #expect(HistoryText.text(day.network) == "0 cellular, 10000 none")
        #expect(day.restarts == [PhoneDay.PhoneRestart(at: 10_000, downtime: 24_000)] && day.clockJumps.isEmpty)
    }

    @Test func startWithoutShutdownIsARestart() throws {
        // Broken: a phone with an empty battery keeps its states over the downtime.
        let day = try HistoryText.day("9,h,0:RESET:TIME:1000\n9,h,0,+S\n9,h,500:START\n9,h,0:TIME:90000\n9,h,700,+BP\n")
        #expect(HistoryText.text(day.screen) == "0 true, 500 false" && day.restarts.count == 1)
        #expect(day.restarts.first?.downtime == 88_500)
    }

    @Test func longestHistoryOfAFileIsUsed() throws {
        // Broken: histories before and after a reset are joined, so that states of one last into the other.
        let text = """
            9,h,31,+w=5
            9,h,0:RESET:TIME:1422620444417
            9,h,2000,+S
            9,h,7000,-S
            9,h,0:RESET:TIME:1422620450417
            9,h,1000,+S

            """
        let day = try HistoryText.day(text)
        #expect(HistoryText.text(day.screen) == "0 false, 2000 true" && day.length == 9_000)
        #expect(day.history.otherHistories == 2)
    }

    @Test func aFileThatEndsInALineMayBeCut() throws {
        // Broken: a dump that was cut in the middle of a line looks like a complete day.
        let texts = [
            HistoryText.long([
                ("0", "RESET:TIME: 2026-03-09-07-00-00"), ("+5s", "100 +screen"), ("+9s000ms", "050 -screen"),
            ]),
            "9,h,0:RESET:TIME:1000\n9,h,5000,+S\n9,h,4000,-S\n",
        ]
        func isCut(_ text: some StringProtocol) throws -> Bool {
            let day = try HistoryText.day(String(text))
            let isSaid = day.untold.contains { $0.hasSuffix("the file has no newline at its end and may be cut") }
            #expect(isSaid == day.history.endsInLine)
            return isSaid
        }
        for text in texts {
            let lines = text.split(separator: "\n").map { $0 + "\n" }
            let before = lines.dropLast().joined()
            #expect(try !isCut(text) && !isCut(before))
            for count in 4..<(lines.last?.count ?? 0) {
                #expect(try isCut(before + (lines.last ?? "").prefix(count)), "\(count)")
            }
        }
        // The sums after a history are no part of it, and an earlier history is complete.
        #expect(try !isCut(texts[1] + "9,0,l,bt,0,12"))
        #expect(try !isCut(texts[0] + "Statistics since last charge:\n  Screen on: 1"))
        #expect(try !isCut(texts[1] + "9,h,0:RESET:TIME:2000\n9,h,1"))
    }

    @Test func theHistoryThatLastsLongestIsUsed() throws {
        // Broken: of two histories, the one with more entries is called the longest, although it lasts a few seconds.
        let short = "9,h,0:RESET:TIME:1000\n" + (1...9).map { "9,h,1000,\($0 % 2 == 0 ? "-" : "+")BP\n" }.joined()
        let long = "9,h,0:RESET:TIME:90000\n9,h,7200000,+S\n"
        let middle = "9,h,0:RESET:TIME:80000\n9,h,600000,+S\n"
        for order in [[short, middle, long], [long, short, middle], [middle, long, short]] {
            let history = try HistoryText.day(order.joined()).history
            #expect(history.length == 7_200_000 && history.entries == 2)
            #expect(history.otherHistories == 2 && history.secondLength == 600_000)
        }
        // Of equally long histories, the one with more entries is used, and the first one of two equal ones.
        let full = "9,h,0:RESET:TIME:90000\n9,h,200000,-S\n9,h,7000000,+S\n"
        for order in [[long, full], [full, long]] {
            #expect(try HistoryText.day(order.joined()).history.entries == 3)
        }
    }

    @Test func overflowIsSaid() throws {
        // Broken: a full buffer looks like a quiet day.
        let text = "9,h,0:RESET:TIME:1000\n9,h,0,+S\n9,h,5000:*OVERFLOW*\n9,h,600000,Bl=40\n"
        let day = try HistoryText.day(text)
        #expect(day.history.overflow == 5_000 && day.untold.contains { $0.contains("buffer was full") })
        let long = HistoryText.long([("0", "RESET:TIME: 2026-03-09-07-00-00"), ("+5s", "*OVERFLOW*"), ("+9s", "050")])
        #expect(try HistoryText.day(long).history.overflow == 5_000)
    }

    @Test func aHistoryWithTooManyChangesIsCut() throws {
        // Broken: a file fills memory with changes, or the end of a history is left out without a word.
        let limit = HistoryReader.maximumEvents
        func day(_ count: Int) throws -> PhoneDay {
            let changes = (0..<count).map { "9,h,1,\($0 % 2 == 0 ? "+" : "-")S\n" }
            return try HistoryText.day("9,h,0:RESET:TIME:1000\n" + changes.joined())
        }
        // The reading of the clock is a change.
        let (most, more) = (try day(limit - 1), try day(limit))
        #expect(!most.history.isCut && more.history.isCut && more.length == limit)
        #expect(more.untold.contains("what happened after the first \(limit) changes"))
        #expect(Array(more.screen.stretches.dropLast()) == most.screen.stretches)
        #expect(most.history.events.count == 1 && more.history.events.count == 1)
    }

    @Test func entriesThatGoBackAreSortedWithinTheirOrder() throws {
        // Broken: an entry with an earlier time ends a state before it began, or moves the end of the day.
        let text = HistoryText.long([
            ("0", "RESET:TIME: 2026-03-09-07-00-00"), ("+1s081ms", "100 +screen"), ("+1s000ms", "100 -screen"),
            ("+1s000ms", "100 +plugged"), ("+2s000ms", "100 +screen"), ("+3s000ms", "100"),
        ])
        let day = try HistoryText.day(text)
        #expect(day.history.backwardEntries == 1 && day.history.largestStepBack == 81)
        #expect(HistoryText.text(day.screen) == "0 false, 2000 true")
        #expect(HistoryText.text(day.plugged) == "0 false, 1000 true")
    }

    @Test func calendarIsExact() {
        // Broken: leap years or months of the printed date are wrong.
        #expect(CalendarDay.sinceEpoch(year: 1970, month: 1, day: 1) == 0)
        #expect(CalendarDay.sinceEpoch(year: 2000, month: 2, day: 29) == 11_016)
        for days in stride(from: Int64(-200_000), through: 200_000, by: 17) {
            let (year, month, day) = CalendarDay.date(days)
            #expect(CalendarDay.sinceEpoch(year: year, month: month, day: day) == days)
        }
        #expect(PhoneDay.date(1_773_039_600_000) == "2026-03-09 07:00:00")
    }
}
