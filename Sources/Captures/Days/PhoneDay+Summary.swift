import DeadzoneBase

extension PhoneDay {
    /// Share of the day, in tenths of a percent.
    package func permille(_ milliseconds: Int64) -> Int64 {
        length > 0 ? (milliseconds * 1_000 + length / 2) / length : 0
    }

    /// Number of changes between Wi-Fi and the cellular network. Times without a network between them do not count.
    package var handoffs: Int {
        let networks = network.stretches.map(\.value).filter { $0 != .none }
        return zip(networks, networks.dropFirst()).count { $0 != $1 }
    }

    /// Times in which the cellular network was out of service.
    package var outages: [LaneStretch<CellularState>] {
        cellular.stretches.filter { $0.value == .outOfService || $0.value == .emergencyOnly }
    }

    /// Out-of-service times during which the phone was without any network at least for a moment.
    package var felt: Int {
        outages.count { outage in
            network.overlapping(outage.start..<outage.end).contains { $0.value == .none }
        }
    }

    /// Milliseconds on the cellular network by technology, longest first.
    package var technologies: [(state: CellularState, time: Int64)] {
        var times: [CellularState: Int64] = [:]
        Lane.pairs(network, cellular) { start, end, network, state in
            if network == .cellular { times[state, default: 0] += end - start }
        }
        return CellularState.allCases.compactMap { state in times[state].map { (state, $0) } }.sorted {
            ($1.time, $0.state.rawValue) < ($0.time, $1.state.rawValue)
        }
    }

    /// `true` if the phone is an iPhone.
    package var isIOS: Bool { history.form == .powerlog }

    /// The phone's operating system for people: `Android 14 (guessed from the form)`, `iOS`.
    package var system: String {
        isIOS ? "iOS" : "Android \(release.number)" + (release.isGuessed ? " (guessed from the form)" : "")
    }

    /// Release of the system: from the file's properties, or guessed from the form of the history. A Powerlog does not
    /// say it in a table that is read here.
    package var release: (number: Int, isGuessed: Bool) {
        if isIOS { return (18, true) }
        if let known = history.totals.release { return (known, false) }
        if history.hasPlainDoze { return (6, true) }
        // The phone's buffer has grown over the releases: 256 KiB, 512 KiB, 4 MiB.
        if (1...256).contains(history.bufferSize) { return (8, true) }
        if (257...1_024).contains(history.bufferSize) { return (9, true) }
        return (history.saysOutOfService ? 15 : 14, true)
    }

    /// Wall clock at the beginning, in milliseconds since 1970, as the phone prints it. A phone that has lost its time
    /// begins in 1970; a later reading then decides.
    package var began: Int64? {
        let credible = history.clock.first { Self.firstCredibleWall <= $0.wall }
        return (credible ?? history.clock.first).map { $0.wall - $0.at }
    }

    /// 1 January 2010.
    private static let firstCredibleWall: Int64 = 1_262_304_000_000

    /// `true` if the file says which app's packet woke a radio.
    package var knowsWakers: Bool { bursts.contains { $0.uid != nil } }

    /// Facts that a battery history cannot tell, and facts that this one lacks.
    package var untold: [String] {
        if isIOS { return untoldByPowerlog }
        var lines = [
            "RRC states and tails of the radio: the phone records traffic, not the radio's state",
            "direction, size and number of packets", "movement, and which Wi-Fi network it was",
            "when the system froze the app's process or ended it",
        ]
        if !knowsWakers { lines.append("which app's packet woke the radio") }
        if cellular.stretches.allSatisfy({ $0.value == .other }) { lines.append("the cellular technology") }
        if history.events.isEmpty { lines.append("anything but the battery level") }
        if outages.isEmpty, !history.saysOutOfService, release.number < 12 {
            lines.append("the difference between no data and out of service")
        }
        if let overflow = history.overflow {
            lines.append("what happened after \(Self.span(overflow)): the phone's buffer was full")
        }
        if history.endsInLine {
            lines.append("what happened after \(Self.span(length)): the file has no newline at its end and may be cut")
        }
        if history.isCut { lines.append("what happened after the first \(HistoryReader.maximumEvents) changes") }
        return lines
    }

    private var untoldByPowerlog: [String] {
        var lines = [
            "RRC states and tails of the radio", "number of packets, and when in an interval they passed",
            "when Wi-Fi was joined and left: the network in use is inferred from bytes and pushes",
            "movement, and which Wi-Fi network it was", "when the system suspended the app's process or ended it",
        ]
        if history.traffic.isEmpty { lines.append("bytes of apps") }
        if cellular.stretches.allSatisfy({ !$0.value.carriesData || $0.value == .other }) {
            lines.append("the cellular technology")
        }
        if history.isCut { lines.append("what happened after the first \(HistoryReader.maximumEvents) changes") }
        return lines
    }

    /// A length for people: `9 h 9 min`, `17 min 21 s`, `3.2 s`, `81 ms`.
    package static func span(_ milliseconds: Int64) -> String {
        let (seconds, tenths) = (milliseconds / 1_000, milliseconds % 1_000 / 100)
        if (1..<1_000).contains(milliseconds) { return "\(milliseconds) ms" }
        if seconds < 60 { return "\(seconds)" + (tenths > 0 ? ".\(tenths) s" : " s") }
        if seconds < 3_600 { return "\(seconds / 60) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "") }
        let minutes = (seconds + 30) / 60
        if minutes < 1_440 { return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "") }
        let hours = (minutes + 30) / 60
        return "\(hours / 24) d" + (hours % 24 > 0 ? " \(hours % 24) h" : "")
    }

    /// A date and time for people: `2026-01-31 13:30:02`.
    package static func date(_ milliseconds: Int64) -> String {
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let (year, month, day) = CalendarDay.date(days)
        let seconds = (milliseconds - days * 86_400_000) / 1_000
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(year)-\(two(month))-\(two(day)) \(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}

/// A sum over the lanes beside the sum that the phone printed itself.
package struct TotalCheck: Hashable, Sendable {
    package let name: String
    package let counted: Int64
    package let printed: Int64

    /// Difference in hundredths of a percent of the printed sum.
    package var difference: Int64 { printed > 0 ? (counted - printed) * 10_000 / printed : 0 }
}

extension PhoneDay {
    /// Sums on battery, for which the phone prints its own. A difference of more than 1 % shows a gap in the history.
    package var checks: [TotalCheck] {
        let totals = history.totals
        func onBattery(_ lane: Lane<Bool>) -> Int64 { lane.total(where: { $0 }, while: plugged) { !$0 } }
        func dozing(_ state: RecordedDoze) -> Int64 { doze.total(where: { $0 == state }, while: plugged) { !$0 } }
        let mobile = totals.mobileRadio.map { $0 + (totals.lateMobile ?? 0) }
        let rows: [(String, Int64, Int64?)] = [
            ("on battery", plugged.total { !$0 }, totals.onBattery), ("screen on", onBattery(screen), totals.screenOn),
            ("light Doze", dozing(.light), totals.lightDoze), ("deep Doze", dozing(.deep), totals.deepDoze),
            ("mobile radio", onBattery(mobileRadio), mobile), ("Wi-Fi", onBattery(wifiConnected), totals.wifiConnected),
        ]
        return rows.compactMap { name, counted, printed in
            guard let printed, printed > 0 else { return nil }
            return TotalCheck(name: name, counted: counted, printed: printed)
        }
    }
}
