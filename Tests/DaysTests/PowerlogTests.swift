import CZlib
import DeadzoneTestKit
import Foundation
import Testing

@testable import DeadzoneCaptures

/// Powerlogs of iOS, on databases that were made by hand. No file of a real iPhone has been read.
struct PowerlogTests {
    private static let file = HandMadePowerlog.file(HandMadePowerlog.hour)

    private func day(_ file: [UInt8] = file, app: String? = nil) throws -> PhoneDay {
        PhoneDay(try HistoryText.read(file), app: app)
    }

    @Test func eachTableIsALane() throws {
        // Broken: a table is not read, a value means another state, or a time is that of the wall clock.
        let day = try day(app: "com.example.chat-app")
        #expect(day.history.form == .powerlog && day.length == 3_600_000 && day.isIOS)
        #expect(HistoryText.text(day.screen) == "0 true, 120000 false, 2000000 true, 2060500 false")
        #expect(HistoryText.text(day.locked) == "0 false, 125000 true, 2002000 false, 2061000 true")
        #expect(HistoryText.text(day.foreground) == "0 false, 10000 true, 120000 false, 2000000 true, 2003000 false")
        #expect(HistoryText.text(day.plugged) == "0 true, 500000 false")
        #expect(HistoryText.text(day.powerSave) == "0 false, 1000000 true, 1600000 false")
        #expect(HistoryText.text(day.cellular) == "0 lte, 800000 outOfService, 890000 nr")
        #expect(HistoryText.text(day.radioOff) == "0 false, 3000000 true")
        #expect(HistoryText.text(day.network) == "0 wifi, 600000 cellular, 800000 none, 890000 cellular, 2100000 wifi")
        #expect(day.signalBars.total { $0 <= 1 } == 100_000)
        #expect(day.topApps.map(\.package) == ["com.example.chat-app", "com.example.mail", "com.apple.springboard"])
    }

    @Test func bytesAndPushesAreCounted() throws {
        // Broken: the directions or networks of bytes change places, or a dropped push wakes the app.
        let day = try day(app: "com.example.chat-app")
        let bytes = try #require(day.bytes)
        #expect(bytes.cellular.down == 9_500 && bytes.cellular.up == 1_500)
        #expect(bytes.wifi.down == 840_300 && bytes.wifi.up == 7_200)
        #expect(bytes.ofApp.down == 49_000 && bytes.ofApp.up == 3_000)
        #expect(day.history.keepalives == PushKeepalives(cellular: 2, wifi: 5))
        // The first push was before the day.
        #expect(day.pushes.map(\.at) == [1_300_000] && day.pushes.allSatisfy(\.isForApp))
        #expect(day.bursts.filter(\.isOfApp).map(\.start) == [0, 600_000])
        #expect(day.bursts.filter(\.isOfApp).map(\.isMobile) == [false, true])
    }

    @Test func aFewBytesOnTheOtherNetworkChangeNothing() throws {
        // Broken: a few bytes on the other network change the network in use.
        func network(_ cellular: Int, _ wifi: Int) throws -> String {
            let row = "NULL, 3500, 3700, NULL, 'apsd', \(cellular), 0, \(wifi), 0"
            let traffic = "INSERT INTO PLProcessNetworkAgent_EventInterval_UsageDiff VALUES (\(row))"
            return HistoryText.text(try day(HandMadePowerlog.file(HandMadePowerlog.hour + [traffic])).network)
        }
        let usual = HistoryText.text(try day().network)
        #expect(try network(1_000, 5_000) == usual && network(1_000, 101) == usual && network(0, 5_000) == usual)
        #expect(try network(1_000, 99) != usual)
    }

    @Test func theLogHasAClockOfItsOwn() throws {
        // Broken: the offset is not added to the times, or a later offset moves what was before it.
        let day = try day()
        #expect(day.began == 1_773_000_000_000)
        #expect(day.clockJumps == [PhoneDay.ClockJump(at: 1_500_000, by: 60_000)])
        #expect(PhoneDay.date(day.began ?? 0) == "2026-03-08 20:00:00")
    }

    @Test func olderReleasesHaveOtherTables() throws {
        // Broken: without the newer tables there is no screen and no technology.
        let old = HandMadePowerlog.file([
            "CREATE TABLE PLSpringBoardAgent_EventForward_SBLock (timestamp REAL, Locked INTEGER)",
            "INSERT INTO PLSpringBoardAgent_EventForward_SBLock VALUES (10, 0), (20, 1)",
            "CREATE TABLE PLBBAgent_EventPoint_TelephonyActivity (timestamp REAL, currentRAT TEXT, signalBars INTEGER)",
            "INSERT INTO PLBBAgent_EventPoint_TelephonyActivity VALUES (10, 'kWCDMA', 4), (30, 'kLTE', 4)",
        ])
        let day = try day(old)
        #expect(HistoryText.text(day.screen) == "0 true, 10000 false")
        #expect(HistoryText.text(day.network) == "0 cellular" && HistoryText.text(day.cellular) == "0 thirdGeneration")
        #expect(day.length == 20_000 && day.clockJumps.isEmpty && day.began == nil)
    }

    @Test func nothingOfTheFileRuns() throws {
        // Broken: a view, a computed column, a virtual table, a trigger or an index of the file is used to read it.
        let name = "PLSpringBoardAgent_EventForward_SBLock"
        let bomb =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS timestamp, 0 AS Locked FROM n"
        let lures: [[String]] = [
            ["CREATE VIEW \(name) AS \(bomb)"],
            ["CREATE TABLE \(name) (timestamp REAL, Locked INTEGER AS (length(hex(zeroblob(100000000)))))"],
            [
                "CREATE TABLE \(name) (timestamp REAL AS (1200.0) STORED, Locked INTEGER)",
                "INSERT INTO \(name) (Locked) VALUES (1)",
            ],
            ["CREATE VIRTUAL TABLE \(name) USING fts4(timestamp, Locked)"],
        ]
        for lure in lures {
            let day = try day(HandMadePowerlog.file(HandMadePowerlog.hour.filter { !$0.contains(name) } + lure))
            #expect(HistoryText.text(day.locked) == "0 false" && day.length == 3_600_000, "\(lure)")
        }
        let used = try day(
            HandMadePowerlog.file(
                HandMadePowerlog.hour + [
                    "CREATE INDEX x ON \(name) (abs(Locked), timestamp) WHERE Locked <> 0",
                    "CREATE TRIGGER t AFTER INSERT ON \(name) BEGIN DELETE FROM \(name); END",
                ]))
        #expect(HistoryText.text(used.locked) == "0 false, 125000 true, 2002000 false, 2061000 true")
        #expect(throws: DayFault.self) { try day(HandMadePowerlog.file(["CREATE VIEW \(name) AS \(bomb)"])) }
    }

    @Test func otherValuesDoNoHarm() throws {
        // Broken: a text, a blob, an endless number or no value in a column ends the program, or counts as a time.
        let wrong = ["'x', 'y'", "NULL, 1", "9e999, 0", "-9e999, 1", "1e15, 1", "x'00ff', x'00ff'", "1200, NULL"]
        let rows = wrong.map { "INSERT INTO PLSpringBoardAgent_EventForward_SBLock (timestamp, Locked) VALUES (\($0))" }
        let changed = try day(HandMadePowerlog.file(HandMadePowerlog.hour + rows))
        #expect(changed.length <= PowerlogReader.maximumLength)
        #expect(changed.history.understoodEntries < changed.history.entries)
        let names = ["''", "'no name'", "'\(String(repeating: "a.", count: 400))'", "'..'", "'a@b.example'"]
        let apps = names.map {
            "INSERT INTO PLScreenStateAgent_EventForward_ScreenState (timestamp, bundleID, AppRole, Display) VALUES (1200, \($0), 1, 0)"
        }
        let known = try day().history.packages
        #expect(try day(HandMadePowerlog.file(HandMadePowerlog.hour + apps)).history.packages == known)
    }

    @Test func gzipAndJournalModeAreRead() throws {
        // Broken: a rotated log, which iOS compresses, or a log in WAL mode cannot be read.
        let packed = Self.gzipped(Self.file)
        #expect(try HistoryText.read(packed, piece: 1_000).events.count == HistoryText.read(Self.file).events.count)
        var log = Self.file
        (log[18], log[19]) = (2, 2)
        #expect(try day(log).length == 3_600_000)
        let text = HistoryText.long([("0", "RESET:TIME: 2026-03-09-07-00-00"), ("0", "100 +screen"), ("+9s", "099")])
        #expect(try HistoryText.read(Self.gzipped(Array(text.utf8))).entries == 3)
    }

    @Test func wrongFilesAreRefused() throws {
        // Broken: a cut file, a bomb or another program's database is no error, or one without a way out.
        let cases: [([UInt8], String)] = [
            (HandMadePowerlog.file(["CREATE TABLE notes (timestamp REAL)"]), "without the tables"),
            (Array(Self.file.prefix(5_000)), "damaged"), (Array(Self.file.prefix(100)), "damaged"),
            (Array(Self.gzipped(Self.file).dropLast(400)), "truncated"),
            (Self.gzipped([UInt8](repeating: 0, count: 1 << 20)), "no battery history"),
        ]
        for (file, words) in cases {
            do throws(DayFault) {
                _ = try HistoryText.read(file)
                Issue.record("no error: \(words)")
            } catch {
                #expect(
                    error.message.contains(words) && !(error.help.isEmpty && words == "damaged"), "\(error.message)")
            }
        }
    }

    @Test func aScenarioFollows() throws {
        // Broken: the scenario of an iPhone has Android's platform, or names its apps.
        let scenario = DayScenario(
            try day(app: "com.example.chat-app"),
            .init(simplify: 0, strategies: "  a: {strategy: patient}\n", schema: "s"))
        let text = scenario.text
        for part in ["platform: ios-18", "{at: 0s, wifi: home}", "dead-zone: 1m30s", "size: 24500B", "handoff: wifi"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        #expect(!text.contains("com.example"))
    }

    @Test func gzipBombsEnd() {
        // Broken: a gzip file of a few kilobytes fills memory, or is unpacked for minutes.
        let member = Self.gzipped([UInt8](repeating: 0, count: 1 << 26))
        let bomb = Array(repeating: member, count: 17).flatMap { $0 }
        let fault = #expect(throws: DayFault.self) { try HistoryText.read(bomb) }
        #expect(fault?.message.contains("1 GiB") == true)
        let log = Self.gzipped(Self.file + [UInt8](repeating: 0, count: 1 << 26))
        #expect(throws: DayFault.self) { try HistoryText.read(Array(repeating: log, count: 9).flatMap { $0 }) }
    }

    static func gzipped(_ data: [UInt8]) -> [UInt8] {
        let raw = ZipWriter.deflated(data)
        let sum = crc32(0, data, UInt32(data.count))
        return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + raw + ZipWriter.little(Int(sum), 4)
            + ZipWriter.little(data.count, 4)
    }
}
