import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCaptures

/// Days that are too long for a scenario, and the order of their changes.
struct FitTests {
    /// A day of short states of everything that becomes an entry, `count` of each.
    private func day(_ count: Int) throws -> PhoneDay {
        let push = "+tmpwhitelist=u0a120:\"broadcast:com.google.android.c2dm.intent.RECEIVE\""
        let changes = [
            "+screen", "wifi_suppl=associated", "wifi_suppl=completed", push, "-screen", "wifi_suppl=disconn",
            "+plugged data_conn=oos", "data_conn=lte -plugged", "-top=u0a120:\"com.example.chat\"", "data_conn=nr",
            "wifi_suppl=completed", "top=u0a120:\"com.example.chat\" data_conn=lte",
        ]
        var entries = [("0", "RESET:TIME: 2026-03-09-07-00-00")]
        entries.append(("0", "100 +wifi wifi_suppl=completed data_conn=lte top=u0a120:\"com.example.chat\""))
        var second = 0
        for index in 0..<count {
            for (place, change) in changes.enumerated() {
                // Each state lasts longer than the one before.
                second += 1 + index / 8 + place % 3
                entries.append(("+\(second)s", "100 " + change))
            }
            let hour = index % 24 < 10 ? "0\(index % 24)" : "\(index % 24)"
            entries.append(("+\(second)s", "TIME: 2026-03-10-\(hour)-00-00"))
        }
        entries.append(("+\(second + 60)s", "100 -running"))
        return try HistoryText.day(HistoryText.long(entries), app: "com.example.chat")
    }

    private func scenario(
        _ day: PhoneDay, simplify: Int64 = 0, entries: Int = .max, atMost bytes: Int = .max
    ) -> DayScenario {
        DayScenario(
            day,
            .init(
                simplify: simplify, strategies: "  a: {strategy: patient}\n", schema: "s", maximumEntries: entries,
                maximumBytes: bytes))
    }

    @Test func aLongDayIsShortenedUntilItFits() throws {
        // Broken: the scenario of a long day is larger than `run` accepts, or loses more than it must, without a word.
        let day = try day(100)
        let whole = scenario(day)
        #expect(whole.shortening == nil && !whole.text.contains("shorter than"))
        for kind in ["push: high", "clock:", "roam:", "dead-zone:", "screen:", "charging:", "app:", "technology:"] {
            #expect(whole.text.components(separatedBy: kind).count > 5, "\(kind)")
        }
        #expect(scenario(day, atMost: whole.text.utf8.count).text == whole.text)
        var spans: Set<String> = []
        for part in 1...9 {
            let limit = whole.text.utf8.count * part / 10
            let short = scenario(day, atMost: limit)
            #expect(!short.text.isEmpty && short.text.utf8.count <= limit)
            #expect(short.entryCount < whole.entryCount && short.entryCount > 5)
            let words = try #require(short.shortening)
            #expect(words.contains("at most \(limit) bytes"), "\(words)")
            let span = try #require(words.split(separator: ",").first?.split(separator: " ").dropFirst(3))
            spans.insert(span.joined(separator: " "))
            #expect(short.text.contains("states shorter than \(span.joined(separator: " "))"))
        }
        #expect(spans.count > 2, "\(spans)")
        // A limit with which a scenario just fits gives that scenario, and one byte less a shorter one.
        let half = scenario(day, atMost: whole.text.utf8.count / 2)
        let same = scenario(day, atMost: half.text.utf8.count + 50)
        #expect(same.entryCount == half.entryCount)
        #expect(scenario(day, atMost: half.text.utf8.count - 50).entryCount < half.entryCount)
    }

    @Test func changesOfTheAccessPointAreThinned() throws {
        // Broken: all changes of the access point stay in a day that does not fit.
        let day = try day(100)
        let counts = [0, 60_000, 600_000].map { (thinning: Int64) in
            var networks = DayNetworks(day, simplify: 0, thinning: thinning)
            let times = networks.entries(atMost: .max).filter { $0.text.contains("roam:") }.map(\.at).sorted()
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= thinning }, "\(thinning): \(times)")
            return times.count
        }
        #expect(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "\(counts)")
    }

    @Test func aHistoryOfYearsIsCutToTheLongestScenario() throws {
        // Broken: the scenario of a longer history is refused, or has entries after its end.
        func text(_ days: Int) throws -> String {
            let changes = (1...days).map { "9,h,86400000,\($0 % 2 == 0 ? "-S" : "+S")\n" }
            return scenario(try HistoryText.day("9,h,0:RESET:TIME:1700000000000\n" + changes.joined())).text
        }
        let (longest, longer) = (try text(366), try text(625))
        #expect(longest.contains("duration: 8784h\n") && !longest.contains("# A scenario has at most"))
        #expect(longer.contains("duration: 8784h\n"))
        #expect(longer.contains("# A scenario has at most 366 days, so the rest of "))
        #expect(longest.contains("at: 8760h,") && longer.contains("at: 8760h,") && !longer.contains("at: 8784h,"))
    }

    @Test func aClockThatBeganIn1970IsLeftOut() throws {
        // Broken: the scenario of a phone that boots in 1970 sets its clock by decades, which `run` refuses.
        func text(_ jumps: [Int64]) throws -> DayScenario {
            var wall: Int64 = 5_000
            let lines = jumps.map { by in
                wall += by + 10_000
                return "9,h,10000:TIME:\(wall)\n"
            }
            let text = "9,h,0:RESET:TIME:5000\n9,h,0,+S\n" + lines.joined() + "9,h,5000,-S\n9,h,60000,+S\n"
            return scenario(try HistoryText.day(text))
        }
        let year: Int64 = 366 * 86_400_000
        let most = try text([year])
        #expect(most.text.contains("{at: 10s, clock: \"+8784h\"}") && most.omittedJumps == nil)
        let decades = try text([1_772_668_385_000, -year - 2_000, 3_600_000])
        #expect(decades.text.components(separatedBy: "clock:").count == 2)
        #expect(decades.text.contains("{at: 30s, clock: \"+1h\"}"))
        let words = "2 changes of the wall clock by more than 366 days are left out, because"
        #expect(decades.text.contains("# " + words) && decades.omittedJumps?.hasPrefix(words) == true)
        #expect(try text([year + 2_000]).omittedJumps?.hasPrefix("1 change of the wall clock") == true)
    }

    @Test func aGivenSpanIsRaisedOnlyIfNecessary() throws {
        // Broken: --simplify is ignored on a long day, or the answer does not say that it was not enough.
        let day = try day(100)
        let given = scenario(day, simplify: 5_000)
        #expect(
            given.shortening == nil
                && given.text.contains("# States of networks, charger and battery saver shorter than 5 s are merged"))
        let limit = given.text.utf8.count - 1
        let raised = scenario(day, simplify: 5_000, atMost: limit)
        #expect(raised.text.utf8.count <= limit && raised.entryCount < given.entryCount)
        #expect(
            raised.shortening?.contains("with `--simplify 5s` the scenario would be larger than `run` accepts") == true)
        #expect(!scenario(day, simplify: 86_400_000 * 2, atMost: 5_000).text.isEmpty)
        // The limit of `run` in words.
        let long = scenario(try self.day(1_000), entries: 10_000, atMost: 1 << 20)
        #expect(long.shortening?.hasSuffix("larger than `run` accepts: at most 10000 entries and 1 MiB") == true)
        #expect(long.shortening?.contains("because with all of them the scenario") == true)
        #expect((1_000...10_000).contains(long.entryCount))
        // Each kind of entry alone is too much.
        for part in 1...9 {
            let most = scenario(day).entryCount * part / 10
            #expect(scenario(day, entries: most).entryCount <= most)
        }
    }

    @Test func aGivenSpanKeepsTheUseOfThePhone() throws {
        // Broken: --simplify leaves out short looks at the app, after which a client connects and fetches.
        let day = try day(100)
        func lines(_ text: String, _ word: String) -> [Substring] {
            text.split(separator: "\n").filter { $0.contains("at: ") && $0.contains(word) }
        }
        let (whole, simple) = (scenario(day), scenario(day, simplify: 3_600_000))
        for word in ["app: ", "screen: ", "push: ", "clock: "] {
            let wanted = lines(whole.text, word)
            #expect(wanted.count > 50 && lines(simple.text, word) == wanted, "\(word)")
        }
        #expect(lines(simple.text, "charging: ").isEmpty && lines(simple.text, "dead-zone: ").isEmpty)
    }

    @Test func manyRestartsAreCounted() throws {
        // Broken: each restart without a later use of the app is a comment, without an end.
        var entries = [("0", "RESET:TIME: 2026-03-09-07-00-00"), ("0", "100 +wifi")]
        for index in 1...50 { entries.append(("+\(index)m00s", "START")) }
        let text = scenario(try HistoryText.day(HistoryText.long(entries))).text
        #expect(text.components(separatedBy: "The phone restarted at").count == 21)
        #expect(text.contains("The same is true of 30 more restarts."))
    }

    @Test func changesAreSortedStably() {
        // Broken: changes of one time change places, or a change that is far too late stays where it is.
        seedSweep(300) { seed in
            var mutator = ByteMutator(seed)
            let count = mutator.draw(300)
            let reach = [1, 5, 100_000][mutator.draw(3)]
            var events = (0..<count).map {
                HistoryEvent(Int64($0 / 3 + mutator.draw(reach)), .screen, subject: Int32($0))
            }
            let wanted = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            events.sortByTime()
            #expect(events.map(\.subject) == wanted.map(\.element.subject))
        }
    }

    @Test func aChangeKeepsItsNumbers() {
        // Broken: the time, the word or the value of a change spills into its neighbour.
        for at in [0, 1, 400 * 86_400_000, 95_000_000_000_000, -1] as [Int64] {
            for word in HistoryWord.allCases {
                for value in [0, 1, 255] as [UInt8] {
                    var event = HistoryEvent(at, word, value: value, subject: -1)
                    #expect(event.at == at && event.kind == word && event.value == value && event.subject == -1)
                    event.at = 7
                    #expect(event.at == 7 && event.kind == word && event.value == value)
                }
            }
        }
    }
}
