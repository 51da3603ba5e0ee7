import CSQLite

/// SQLite files with the tables of a Powerlog, made by hand. No file of a real iPhone was available.
enum HandMadePowerlog {
    /// Runs statements in an empty database and returns its file.
    static func file(_ statements: [String]) -> [UInt8] {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        precondition(sqlite3_open(":memory:", &database) == SQLITE_OK, "SQLite opens no database")
        for statement in statements {
            let code = sqlite3_exec(database, statement, nil, nil, nil)
            precondition(code == SQLITE_OK, "SQLite refuses \(statement)")
        }
        var size: Int64 = 0
        guard let bytes = sqlite3_serialize(database, "main", &size, 0) else { return [] }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    private static func table(_ name: String, _ columns: String, _ rows: [String]) -> [String] {
        ["CREATE TABLE \(name) (ID INTEGER PRIMARY KEY, timestamp REAL, \(columns))"]
            + rows.map { "INSERT INTO \(name) VALUES (NULL, \($0))" }
    }

    /// An hour of an iPhone with iOS 18, from 1000 s to 4600 s of the log's clock.
    static let hour: [String] =
        table("PLStorageOperator_EventForward_TimeOffset", "system REAL", ["900, 1772999000.0", "2500, 1772999060.0"])
        + table(
            "Backlight_BacklightStateChange_1_2", "state TEXT",
            ["1000, 'active'", "1100, 'activeDimmed'", "1120, 'inactive'", "3000, 'active'", "3060.5, 'inactiveOn'"])
        + table("PLSpringBoardAgent_EventForward_SBLock", "Locked INTEGER", ["1125, 1", "3002, 0", "3061, 1"])
        + table(
            "PLScreenStateAgent_EventForward_ScreenState",
            "bundleID TEXT, AppRole INTEGER, Display INTEGER",
            [
                "1000, 'com.apple.springboard', 1, 0", "1010, 'com.example.chat-app', 1, 0",
                "1050, 'com.example.video', 5, 0",
                "1060, 'com.example.maps', 1, 1", "3003, 'com.example.mail', 1, 0", "3004, NULL, 1, 0",
            ])
        + table(
            "PLBatteryAgent_EventBackward_BatteryUI", "Level REAL, IsCharging INTEGER",
            ["-600000, 50, 0", "700, 80, 1", "1500, 82, 0", "4600, 79, 0"])
        + table(
            "PLDuetService_EventForward_LpmSourceInformation", "LpmEnabled INTEGER, Source TEXT",
            ["2000, 1, 'user'", "2600, 0, 'user'"])
        + table(
            "PLBBAgent_EventForward_TelephonyRegistration", "dataInd TEXT, DataAttached INTEGER, status TEXT",
            ["1000, 'LTE', 1, 'registered home'", "1800, 'LTE', 0, 'searching'", "1890, '5G', 1, 'registered home'"])
        + table(
            "PLBBAgent_EventPoint_TelephonyActivity",
            "currentRAT TEXT, campedRAT TEXT, signalBars INTEGER, airplaneMode TEXT",
            [
                "1000, 'LTE', 'LTE', 3, 'off'", "1790, 'LTE', 'LTE', 1, 'off'", "1890, 'NR', 'NR', 4, 'off'",
                "4000, NULL, NULL, NULL, 'on'",
            ])
        + table(
            "PLProcessNetworkAgent_EventInterval_UsageDiff",
            "timestampEnd REAL, BundleName TEXT, ProcessName TEXT, CellIn INTEGER, CellOut INTEGER, WifiIn INTEGER, WifiOut INTEGER",
            [
                "1000, 1300, 'com.example.chat-app', 'Chat', 0, 0, 40000, 2000",
                "1000, 1300, NULL, 'apsd', 0, 100, 300, 200",
                "1600, 1900, 'com.example.chat-app', 'Chat', 9000, 1000, 0, 0",
                "2200, 2500, NULL, 'apsd', 500, 400, 0, 0",
                "3100, 3400, 'com.example.mail', 'Mail', 0, 0, 800000, 5000",
            ])
        + table(
            "PLPushAgent_EventPoint_ReceivedPush", "bundleID TEXT, ConnectionType INTEGER, IsDropped INTEGER",
            [
                "2300, 'com.example.chat-app', 0, 0",
                "2400, 'com.example.chat-app', 0, 1",
            ])
        + table(
            "PLPushAgent_Aggregate_SentKeepAlive", "timeInterval REAL, Count INTEGER, ConnectionType INTEGER",
            ["1000, 3600, 2, 0", "1000, 3600, 5, 1"])
}
