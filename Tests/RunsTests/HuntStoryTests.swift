import DeadzoneBase
import DeadzoneMetrics
import DeadzoneScenarios
import DeadzoneSimulator
import Testing

@testable import DeadzoneRuns

/// The meaning of each line of a world for the client, told from records that are made by hand.
struct HuntStoryTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64((seconds * 1e9).rounded())) }

    private static func record(_ seconds: Double, _ kind: RecordKind, tag: UInt16 = 0, value: Double = 0) -> Record {
        Record(at: at(seconds), phone: 0, kind: kind, tag: tag, value: Int64((value * 1e9).rounded()))
    }

    private static func told(_ seconds: Double, _ code: NetworkCode) -> Record {
        record(seconds, .networkTold, tag: code.rawValue)
    }

    /// The stories of a world with a line at 10 s, at 60 s and at 2 minutes, without their titles.
    private static func stories(_ records: [Record]) throws -> [String] {
        let scenario = try Scenario.standalone(
            """
            version: 1
            name: Story
            duration: 4m
            phone: {radios: {wifi: wifi-oneplus-8, cellular: lte-verizon-2021}}
            timeline:
              - {at: 10s, dead-zone: 20s}
              - {at: 60s, readdress: wifi}
              - {at: 2m, wan-cut: 5s}
            strategies: {ours: {strategy: patient}}

            """)
        let entries = HuntStory(scenario, records.sorted { $0.at < $1.at }).entries
        #expect(entries.map(\.text).map { $0.contains("at: ") } == [true, true, true])
        return try entries.enumerated().map { index, entry in
            let line = try #require(
                scenario.timelineLines.indices.contains(index) ? scenario.timelineLines[index] : nil)
            let change = try #require(line.changes.first)
            let title = scenario.world.timeline[change].change.labels.scene.title
            #expect(entry.story.hasPrefix(title) && !title.isEmpty && entry.story.hasSuffix("."), "\(entry)")
            return String(entry.story.dropFirst(title.count).dropLast())
        }
    }

    @Test func newsBelongToTheirLine() throws {
        // Broken: an event belongs to the line before or behind its own, is told twice in a row, or a fourth one is
        // told.
        let (nothing, none) = ("; the app was told nothing", "; the client believed that it had no connection")
        #expect(try Self.stories([]) == [nothing + none, nothing + none, nothing + none])
        let closed = CloseCode.byClient.rawValue
        let stories = try Self.stories([
            Self.record(5, .opened), Self.told(9.9, .available), Self.told(10, .lost), Self.told(13, .lost),
            Self.told(14.5, .validated), Self.told(15, .lost), Self.told(16, .blocked),
            Self.record(20, .closed, tag: closed), Self.record(20.25, .failed), Self.record(22.9, .opened),
            Self.record(30, .failed), Self.record(119.999, .killed), Self.record(120, .opened),
            Self.record(121.5, .closed, tag: CloseCode.timedOut.rawValue), Self.record(239.999, .pinged),
            Self.record(240, .failed),
        ])
        #expect(
            stories[0]
                == "; the app was told network lost after 0s, network validated after 4s, network lost after 5s; the client: "
                + "closed (by client) after 10s, attempt failed after 10s, open after 12s")
        #expect(stories[1] == nothing + "; the client: process ended after 59s")
        #expect(stories[2] == nothing + "; the client: open after 0s, closed (timed out) after 1s")
    }

    @Test func beliefsAreThoseBeforeTheLine() throws {
        // Broken: the client believes in a connection that it closed, or not in one that it opened just then.
        let (open, none) = (
            "; the client believed that its connection was open", "; the client believed that it had no connection"
        )
        let rows: [(records: [Record], last: String)] = [
            ([Self.record(3, .opened)], open), ([Self.record(3, .opened), Self.record(4, .closed)], none),
            ([Self.record(3, .opened), Self.record(4, .failed)], none),
            ([Self.record(3, .opened), Self.record(4, .killed)], none),
            ([Self.record(3, .closed), Self.record(4, .opened), Self.record(5, .pinged)], open),
        ]
        for row in rows {
            let stories = try Self.stories(row.records)
            #expect(stories.allSatisfy { $0 == "; the app was told nothing" + row.last }, "\(stories)")
        }
    }

    @Test func unnoticedSilencesAreTold() throws {
        // Broken: a dead connection is told at another line, without its length, or although the client noticed at
        // once.
        func silence(_ kind: RecordKind, until: Double, lasting: Double) throws -> [String] {
            try Self.stories([Self.record(3, .opened), Self.record(until, kind, value: lasting)]).map { story in
                story.hasPrefix(": ") ? String(story.dropFirst(2).prefix { $0 != ";" }) : ""
            }
        }
        func words(_ length: String) -> String {
            "the connection was dead for \(length), and the client did not notice"
        }
        for kind in [.zombie, .undetected, .zombieFrozen] as [RecordKind] {
            #expect(try silence(kind, until: 30, lasting: 20) == [words("20s"), "", ""], "\(kind)")
        }
        let rows: [(until: Double, lasting: Double, told: [String])] = [
            // It may begin a second before the line, and ends at any time.
            (30, 21, [words("21s"), "", ""]), (30, 21.001, ["", "", ""]), (200, 190, [words("3m10s"), "", ""]),
            (100, 40, ["", words("40s"), ""]), (62, 2, ["", words("2s"), ""]), (61, 1, ["", "", ""]),
            (61.5, 1.5, ["", words("1s"), ""]), (150, 29, ["", "", words("29s")]), (60, 0.9, ["", "", ""]),
        ]
        for row in rows { #expect(try silence(.zombie, until: row.until, lasting: row.lasting) == row.told, "\(row)") }
        #expect(try silence(.blocked, until: 30, lasting: 20) == ["", "", ""])
        // The longest one of a line is told. Short times are in milliseconds.
        let two = try Self.stories([
            Self.record(30, .zombie, value: 19), Self.record(40, .zombie, value: 25),
            Self.record(41, .zombie, value: 2),
            Self.record(60.25, .failed),
        ])
        #expect(
            two[0].hasPrefix(": " + words("25s")) && two[1].hasSuffix("; the client: attempt failed after 250ms"),
            "\(two)")
    }
}
