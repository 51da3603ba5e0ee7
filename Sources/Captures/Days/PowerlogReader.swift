/// Reads a Powerlog of iOS, which a sysdiagnose contains as `*.PLSQL`: a SQLite file with a table for each kind of
/// event.
///
/// Names of tables and columns are those of mac4n6/APOLLO (modules/powerlog_*.txt) and abrignoni/iLEAPP
/// (scripts/artifacts/powerlog.py). No file of a real phone has been read with this code. Tables differ by release, so
/// a table that is missing only leaves its part of the day unknown.
///
/// All times are those of the log's own clock. `PLStorageOperator_EventForward_TimeOffset` says what to add for the
/// wall clock; its rows are used as the readings of the wall clock in Android's history.
struct PowerlogReader {
    /// Longest part of a log that becomes a day, from its end. Details are kept for about three days, sums for longer.
    static let maximumLength: Int64 = 4 * 86_400_000
    /// Times that are believed, in milliseconds: before the year 5000.
    private static let maximumTime: Int64 = 95_000_000_000_000

    private let database: PowerlogDatabase
    private var history = BatteryHistory()
    private var packageIndex: [String: Int32] = [:]
    private var tables = 0

    /// Reads the file; `nil` if it has none of the tables. The bytes must stay at their address.
    static func history(_ bytes: UnsafeMutableRawBufferPointer) throws(DayFault) -> BatteryHistory? {
        var reader = PowerlogReader(database: try PowerlogDatabase(bytes))
        reader.history.form = .powerlog
        reader.history.saysOutOfService = true
        try reader.readClock()
        try reader.readScreen()
        try reader.readApps()
        try reader.readPower()
        try reader.readTelephony()
        try reader.readTraffic()
        try reader.readPushes()
        return reader.tables > 0 ? reader.finish() : nil
    }

    private init(database: PowerlogDatabase) { self.database = database }

    // MARK: Rows

    /// Calls `use` with each row of a table and its time. A row counts as understood if `use` returns `true`. Returns
    /// `false` if the table has no such row.
    @discardableResult
    private mutating func read(
        _ table: String, _ columns: [PowerlogColumn],
        _ use: (inout Self, PowerlogRow, _ at: Int64) -> Bool
    ) throws(DayFault) -> Bool {
        var understood = 0
        let isThere = try database.read(table, [.seconds("timestamp")] + columns) { row in
            history.entries += 1
            let at = row.number(0)
            guard !row.isNull(0), at.magnitude < Self.maximumTime else { return }
            if use(&self, row, at) { understood += 1 }
        }
        if isThere { tables += 1 }
        history.understoodEntries += understood
        return understood > 0
    }

    private mutating func add(_ at: Int64, _ word: HistoryWord, _ value: UInt8 = 0, package: Int32 = -1) {
        guard history.events.count < HistoryReader.maximumEvents else {
            history.isCut = true
            return
        }
        // A bundle is its own user id here.
        history.events.append(HistoryEvent(at, word, value: value, subject: package))
    }

    /// Index of a bundle's name; -1 if the text is no such name, or if there are too many.
    private mutating func index(of name: String) -> Int32 {
        if let known = packageIndex[name] { return known }
        let isName = name.utf8.allSatisfy { byte in
            (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte == 95
                || byte == 45 || byte == 46
        }
        guard isName, name.utf8.count <= 200, name.contains("."), name.first != ".", name.last != ".",
            history.packages.count < HistoryBuilder.maximumPackages
        else { return -1 }
        let index = Int32(history.packages.count)
        history.packages.append(name)
        packageIndex[name] = index
        history.users[index] = index
        return index
    }

    // MARK: Tables

    private mutating func readClock() throws(DayFault) {
        try read("PLStorageOperator_EventForward_TimeOffset", [.seconds("system")]) { reader, row, at in
            let offset = row.number(1)
            guard !row.isNull(1), offset.magnitude < Self.maximumTime else { return false }
            reader.history.clock.append(ClockReading(at: at, wall: at + offset, followsStart: false))
            return true
        }
        // The tables above only help to read the others.
        tables = 0
    }

    private mutating func readScreen() throws(DayFault) {
        // Since iOS 16 the backlight has a table of its own. Before, the screen is that of SpringBoard.
        var isKnown = try read("Backlight_BacklightStateChange", [.text("state")]) { reader, row, at in
            let state = row.text(1).lowercased()
            reader.add(at, .screen, state.hasPrefix("active") ? 1 : 0)
            return !state.isEmpty
        }
        if !isKnown {
            isKnown = try read("PLSpringBoardAgent_EventForward_SBScreen", [.integer("Screen")]) { reader, row, at in
                reader.add(at, .screen, row.number(1) == 0 ? 0 : 1)
                return !row.isNull(1)
            }
        }
        try read("PLSpringBoardAgent_EventForward_SBLock", [.integer("Locked")]) { reader, row, at in
            guard !row.isNull(1) else { return false }
            reader.add(at, .locked, row.number(1) == 0 ? 0 : 1)
            // Without the screen's own tables, an unlocked phone is in use.
            if !isKnown { reader.add(at, .screen, row.number(1) == 0 ? 1 : 0) }
            return true
        }
    }

    private mutating func readApps() throws(DayFault) {
        let columns: [PowerlogColumn] = [.text("bundleID"), .integer("Display").optional, .integer("AppRole").optional]
        try read("PLScreenStateAgent_EventForward_ScreenState", columns) { reader, row, at in
            // Role 5 is a picture in a picture: a video above another app.
            guard !row.isNull(1), row.number(2) == 0, row.number(3) != 5 else { return true }
            let package = reader.index(of: row.text(1))
            guard package >= 0 else { return false }
            reader.add(at, .top, 1, package: package)
            return true
        }
    }

    private mutating func readPower() throws(DayFault) {
        try read("PLBatteryAgent_EventBackward_BatteryUI", [.integer("IsCharging")]) { reader, row, at in
            reader.add(at, .plugged, row.number(1) == 0 ? 0 : 1)
            return !row.isNull(1)
        }
        try read("PLDuetService_EventForward_LpmSourceInformation", [.integer("LpmEnabled")]) { reader, row, at in
            reader.add(at, .powerSave, row.number(1) == 0 ? 0 : 1)
            return !row.isNull(1)
        }
    }

    private mutating func readTelephony() throws(DayFault) {
        let registration: [PowerlogColumn] = [
            .text("dataInd"), .integer("DataAttached").optional, .text("status").optional,
        ]
        let isRegistered = try read("PLBBAgent_EventForward_TelephonyRegistration", registration) { reader, row, at in
            let status = row.text(3).lowercased()
            var state = Self.technology(row.text(1))
            if ["search", "denied", "not", "unregistered", "no service"].contains(where: status.contains) {
                state = .outOfService
            } else if status.contains("emergency") {
                state = .emergencyOnly
            } else if !row.isNull(2), row.number(2) == 0 {
                state = CellularState.none
            }
            guard let state else { return false }
            reader.add(at, .technology, state.rawValue)
            return true
        }
        let activity: [PowerlogColumn] = [
            .text("currentRAT").optional, .text("campedRAT").optional, .integer("signalBars").optional,
            .text("airplaneMode").optional,
        ]
        try read("PLBBAgent_EventPoint_TelephonyActivity", activity) { reader, row, at in
            if !isRegistered, let state = Self.technology(row.text(1)) ?? Self.technology(row.text(2)) {
                reader.add(at, .technology, state.rawValue)
            }
            if !row.isNull(3) { reader.add(at, .signalBars, UInt8(clamping: row.number(3))) }
            let mode = row.text(4).lowercased()
            if !mode.isEmpty {
                let isOff = ["1", "on", "true", "yes", "enabled"].contains(mode)
                reader.add(at, .phoneState, (isOff ? PhoneState.off : .inService).rawValue)
            }
            return true
        }
    }

    /// The technology of a name such as `LTE`, `5G` or `kWCDMA`; `nil` if it says none.
    private static func technology(_ name: String) -> CellularState? {
        let name = name.lowercased()
        let words: [(CellularState, [String])] = [
            (.nr, ["5g", "nr"]), (.lte, ["lte", "4g"]), (.thirdGeneration, ["3g", "wcdma", "umts", "hs", "evdo"]),
            (.secondGeneration, ["2g", "gsm", "edge", "gprs", "cdma", "1x"]), (.none, ["none"]),
        ]
        return words.first { $0.1.contains { name.contains($0) } }?.0
    }

    private mutating func readTraffic() throws(DayFault) {
        let columns: [PowerlogColumn] = [
            .seconds("timestampEnd"), .text("BundleName").optional, .integer("CellIn"), .integer("CellOut"),
            .integer("WifiIn"), .integer("WifiOut"),
        ]
        try read("PLProcessNetworkAgent_EventInterval_UsageDiff", columns) { reader, row, at in
            let end = row.number(1)
            let bytes = (3...6).map { max(row.number($0), 0) }
            guard at <= end, end < at + Self.maximumLength, bytes.allSatisfy({ $0 < 1 << 50 }),
                reader.history.traffic.count < HistoryReader.maximumEvents
            else { return false }
            reader.history.traffic.append(
                TrafficInterval(
                    start: at, end: end, package: reader.index(of: row.text(2)),
                    cellular: .init(down: bytes[0], up: bytes[1]), wifi: .init(down: bytes[2], up: bytes[3])))
            return true
        }
    }

    private mutating func readPushes() throws(DayFault) {
        let received: [PowerlogColumn] = [
            .text("bundleID"), .integer("ConnectionType").optional, .integer("IsDropped").optional,
        ]
        try read("PLPushAgent_EventPoint_ReceivedPush", received) { reader, row, at in
            if !row.isNull(2) { reader.addNetwork(isWiFi: row.number(2) == 1, at: at) }
            guard row.number(3) == 0 else { return true }
            reader.add(at, .allowList, 1, package: reader.index(of: row.text(1)))
            return true
        }
        let sent: [PowerlogColumn] = [.integer("Count"), .integer("ConnectionType")]
        var keepalives = PushKeepalives()
        let isThere = try read("PLPushAgent_Aggregate_SentKeepAlive", sent) { _, row, _ in
            let count = min(max(row.number(1), 0), 1_000_000)
            if row.number(2) == 1 { keepalives.wifi += count } else { keepalives.cellular += count }
            return !row.isNull(1)
        }
        if isThere { history.keepalives = keepalives }
    }

    /// Adds the network that is seen in use at a time. The log has no table for joining and leaving Wi-Fi.
    private mutating func addNetwork(isWiFi: Bool, at: Int64) {
        add(at, .supplicant, (isWiFi ? Association.joined : .away).rawValue)
    }

    // MARK: End

    private mutating func finish() -> BatteryHistory {
        for interval in TrafficInterval.windows(history.traffic) {
            let (wifi, cellular) = (interval.wifi.sum, interval.cellular.sum)
            // A few bytes also pass on the other network, which stays connected for a while.
            if wifi > cellular * 10 { addNetwork(isWiFi: true, at: interval.start) }
            if cellular > wifi * 10 { addNetwork(isWiFi: false, at: interval.start) }
        }
        let events = history.events
        let order = events.indices.sorted { (events[$0].at, $0) < (events[$1].at, $1) }
        let last = max(events.map(\.at).max() ?? 0, history.traffic.map(\.end).max() ?? 0)
        // The battery's level is kept for weeks, the rest for days.
        let details = events.filter { ![.plugged, .powerSave].contains($0.kind) }.map(\.at)
        let first = max(
            (details + history.traffic.map(\.start)).min() ?? events.map(\.at).min() ?? 0, last - Self.maximumLength)
        history.events = order.compactMap { index in
            var event = events[index]
            // Earlier events only give the state at the beginning.
            guard event.at >= first || event.kind != .allowList else { return nil }
            event.at = max(event.at - first, 0)
            return event
        }
        history.traffic = history.traffic.filter { $0.end > first }.map { $0.shifted(by: first) }
        addCellularOfTraffic()
        history.length = last - first
        let readings = history.clock.sorted { ($0.at, $0.wall) < ($1.at, $1.wall) }
        let before = readings.last { $0.at <= first } ?? readings.first
        let start = before.map { [ClockReading(at: 0, wall: $0.wall + first - $0.at, followsStart: false)] } ?? []
        history.clock =
            start
            + readings.filter { first < $0.at && $0.at <= last }.map {
                ClockReading(at: $0.at - first, wall: $0.wall, followsStart: false)
            }
        return history
    }

    /// Adds an unknown technology if bytes passed on a cellular network that no other table mentions.
    private mutating func addCellularOfTraffic() {
        guard !history.events.contains(where: { $0.kind == .technology }),
            history.traffic.contains(where: { $0.cellular.sum > 0 })
        else { return }
        history.events.insert(HistoryEvent(0, .technology, value: CellularState.other.rawValue), at: 0)
    }
}

/// Bytes of one app on both networks in an interval of time, in milliseconds since the beginning of the log.
package struct TrafficInterval: Hashable, Sendable {
    /// Bytes from and to the network.
    package struct ByteCount: Hashable, Sendable {
        package internal(set) var down: Int64 = 0
        package internal(set) var up: Int64 = 0

        package var sum: Int64 { down + up }

        static func + (a: Self, b: Self) -> Self { Self(down: a.down + b.down, up: a.up + b.up) }
    }

    let start: Int64
    let end: Int64
    /// Index of the app's name; -1 for a process without one.
    var package: Int32
    var cellular: ByteCount
    var wifi: ByteCount

    func shifted(by first: Int64) -> Self {
        Self(start: max(start - first, 0), end: end - first, package: package, cellular: cellular, wifi: wifi)
    }

    /// The sums of all apps for each interval, in time order.
    static func windows(_ intervals: [TrafficInterval]) -> [TrafficInterval] {
        var sums: [ClosedRange<Int64>: TrafficInterval] = [:]
        for interval in intervals {
            var sum =
                sums[interval.start...interval.end]
                ?? TrafficInterval(
                    start: interval.start, end: interval.end, package: -1, cellular: ByteCount(), wifi: ByteCount())
            sum.cellular = sum.cellular + interval.cellular
            sum.wifi = sum.wifi + interval.wifi
            sums[interval.start...interval.end] = sum
        }
        return sums.values.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }
}

/// Numbers of keepalives that the phone's own push connection sent.
package struct PushKeepalives: Hashable, Sendable {
    package internal(set) var cellular: Int64 = 0
    package internal(set) var wifi: Int64 = 0
}
