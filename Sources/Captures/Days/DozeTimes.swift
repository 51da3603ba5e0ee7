/// Times of Doze that a recording shows, and that replace those of the platform. Vendors enter Doze at other times than
/// Android's source, a window lasts longer if apps have work, and alarms end light idle late.
package struct DozeTimes: Hashable, Sendable {
    /// Milliseconds from the end of use to light Doze, the median of all times; `nil` if the phone never entered it. A
    /// short look at a locked screen does not always restart the way to Doze. The model restarts it, so of two times
    /// the shorter one fits better.
    package let lightEntry: Int64?
    /// The same to deep Doze.
    package let deepEntry: Int64?
    /// Time that the waiting work of all apps takes in a window: the median of the windows of deep Doze, or of light
    /// Doze if there are none. `nil` if the recording has no window, or if most have the shortest length, as in the model.
    package let work: Int64?
    /// First light idle time in milliseconds; `nil` if no light idle time ended by itself, if no first time explains all of
    /// them within 5 %, or if it is shorter than a platform allows.
    package let lightIdle: Int64?
    /// Number of entries and windows behind each number.
    package let lightEntries: Int
    package let deepEntries: Int
    package let windows: Int
    /// `true` if the phone was at rest for long and never dozed, as some engineering phones do.
    package let isAbsent: Bool

    package var isEmpty: Bool {
        lightEntry == nil && deepEntry == nil && work == nil && lightIdle == nil && !isAbsent
    }

    /// Value of a setting that is `never`, in milliseconds.
    package static let never = Int64.max
    /// Time at rest after which a phone with Doze has dozed, in milliseconds: deep Doze comes after an hour and 5 min.
    private static let longRest: Int64 = 7_200_000

    /// Length of a window without work, in Android's source: 5 s in light Doze, 30 s in deep Doze
    /// (`MIN_LIGHT_MAINTENANCE_TIME`, `MIN_DEEP_MAINTENANCE_TIME` of `DeviceIdleController`). A window that is less
    /// than half as long again had no work.
    private static let (shortestLightWindow, shortestDeepWindow): (Int64, Int64) = (7_500, 45_000)
    /// Light idle times of Android's source: 5 min, twice as long each time, at most 15 min.
    private static let lightIdleTimes: [Int64] = [300_000, 600_000, 900_000]
    /// Shortest `doze.light.idle` of a platform.
    private static let shortestIdleTime: Int64 = 1_000

    init(_ day: PhoneDay) {
        let atRest = day.atRest
        let (light, deep) = (DozeSpans(day, day.doze, .light, atRest), DozeSpans(day, day.doze, .deep, atRest))
        /// Light idle times in thousandths of those of Android's source.
        var stretches: [Int64] = []
        for (_, states) in day.waysToDoze(day.doze) {
            let idle = states.prefix { $0.value != .deep }.filter { $0.value == .light }
            // The last one ended because the phone was used or entered deep Doze.
            for (index, stretch) in idle.dropLast().enumerated() {
                let usual = Self.lightIdleTimes[min(index, Self.lightIdleTimes.count - 1)]
                stretches.append(stretch.length * 1_000 / usual)
            }
        }
        lightEntry = Self.median(light.entries)
        deepEntry = Self.median(deep.entries)
        (lightEntries, deepEntries) = (light.entries.count, deep.entries.count)
        lightIdle = stretches.min().flatMap { least in
            let middle = (least + (stretches.max() ?? least)) / 2
            let first = Self.lightIdleTimes[0] * middle / 1_000
            return middle * 95 <= least * 100 && first >= Self.shortestIdleTime ? first : nil
        }
        var lengths: [Int64] = []
        var short = 0
        for (spans, limit) in [(light, Self.shortestLightWindow), (deep, Self.shortestDeepWindow)] {
            let windows = spans.windows
            lengths += windows
            short += windows.count { $0 <= limit }
        }
        windows = lengths.count
        isAbsent =
            !day.isIOS && day.release.number > 6 && day.longestRest >= Self.longRest
            && day.doze.stretches.allSatisfy { $0.value == .off }
        work = short * 2 >= lengths.count ? nil : Self.median(deep.windows.isEmpty ? light.windows : deep.windows)
    }

    private static func median(_ values: [Int64]) -> Int64? {
        values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
    }

    /// Settings of a platform with these times: the key of each, and its value in milliseconds. 0 also stands for `false`.
    /// - Parameter release: release of Android. Light Doze exists since 7.
    package func settings(release: Int) -> [(key: String, milliseconds: Int64)] {
        if isAbsent { return [("doze.light.inactive", Self.never), ("doze.deep.inactive", Self.never)] }
        var result: [(key: String, milliseconds: Int64)] = []
        func tenths(_ milliseconds: Int64) -> Int64 { max((milliseconds + 50) / 100, 1) * 100 }
        if let work { result.append(("doze.work", tenths(work))) }
        if release > 6 {
            // A recorded time contains the time that the alarm waited for another one.
            if let lightEntry {
                result.append(("doze.light.inactive", tenths(lightEntry)))
                if release > 11 { result.append(("doze.light.inactive-window", 0)) }
            }
            if let lightIdle {
                let limit = lightIdle * Self.lightIdleTimes[2] / Self.lightIdleTimes[0]
                result += [("doze.light.idle", tenths(lightIdle)), ("doze.light.idle-limit", tenths(limit))]
                if release > 11 { result.append(("doze.light.idle-window", 0)) }
                if release == 12 { result.append(("doze.light.idle-waits", 0)) }
            }
        }
        if let deepEntry {
            // The recording does not show the steps on the way to deep Doze, only their sum.
            result.append(("doze.deep.inactive", tenths(deepEntry)))
            result += ["doze.deep.idle-after-inactive", "doze.deep.sensing", "doze.deep.locating"].map { ($0, 0) }
        }
        return result
    }
}

extension DozeTimes {
    /// The settings in YAML: `doze.work: 14.4s`.
    func texts(release: Int) -> [String] {
        settings(release: release).map { key, milliseconds in
            let isFlag = key.hasSuffix("-waits")
            let value = milliseconds == Self.never ? "never" : isFlag ? "false" : DayScenario.time(milliseconds)
            return "\(key): \(value)"
        }
    }
}

/// Entries, idle times and maintenance windows of one kind of Doze, in milliseconds and in time order.
package struct DozeSpans: Hashable, Sendable {
    /// Times from the end of use to the first Doze of this kind. A use with battery saver is left out.
    package let entries: [Int64]
    /// Lengths of the idle times. An idle time that ends because the phone is used is
    /// left out.
    package let idle: [Int64]
    /// Lengths of the windows between two idle times.
    package let windows: [Int64]

    /// - Parameter lane: Doze of the day, recorded or simulated.
    init(_ day: PhoneDay, _ lane: Lane<RecordedDoze>, _ state: RecordedDoze, _ atRest: Lane<Bool>) {
        entries = day.waysToDoze(lane).compactMap { start, states in
            // Light Doze is left out if the phone entered deep Doze at once.
            let first = state == .light ? states.first : states.first { $0.value == state }
            return first.flatMap { $0.value == state ? $0.start - start : nil }
        }
        var idle: [Int64] = []
        var windows: [Int64] = []
        let all = lane.stretches
        for (index, stretch) in all.enumerated() where stretch.value == state && index + 1 < all.count {
            let window = all[index + 1]
            // Use of the phone also ends Doze, up to a few seconds after the screen is on, or just before a charger is
            // recorded.
            guard window.value == .off, atRest.value(at: max(stretch.end - 5_000, stretch.start)) == true,
                atRest.value(at: stretch.end + 500) == true
            else { continue }
            idle.append(stretch.length)
            guard index + 2 < all.count, all[index + 2].value == state,
                atRest.total(where: { $0 }, within: window.start..<window.end) == window.length
            else { continue }
            windows.append(window.length)
        }
        self.idle = idle
        self.windows = windows
    }
}

/// A recorded window of Doze, with its times in milliseconds.
package struct DozeWindow: Hashable, Sendable {
    package let start: Int64
    /// Kind of Doze before the window.
    package let state: RecordedDoze
    /// Time from the opening of the window to the end of its last job; 0 if no job ended in it. The system closes a
    /// window when the jobs are done, but not before its shortest length.
    package let work: Int64
}

extension PhoneDay {
    /// Windows of Doze in which the phone was not used, in time order, at most 2,000. Empty if the file records no jobs,
    /// so that their work is not known.
    package var dozeWindows: [DozeWindow] {
        guard !jobEnds.isEmpty else { return [] }
        let (all, unused) = (doze.stretches, unused)
        var found: [DozeWindow] = []
        var next = 0
        for (index, window) in all.enumerated().dropFirst().dropLast() where found.count < 2_000 {
            let before = all[index - 1].value
            guard window.value == .off, before != .off, all[index + 1].value == before,
                unused.total(where: { $0 }, within: window.start..<window.end) == window.length
            else { continue }
            while next < jobEnds.count, jobEnds[next] <= window.end { next += 1 }
            let last = next > 0 ? jobEnds[next - 1] : -1
            found.append(DozeWindow(start: window.start, state: before, work: max(last - window.start, 0)))
        }
        return found
    }

    /// `true` while the phone is not used and on battery. A look at a locked screen is no use.
    private var unused: Lane<Bool> {
        var lane = Lane(false)
        Lane.pairs(use, plugged) { start, _, use, plugged in lane.set(!use && !plugged, at: start) }
        lane.finish(at: length)
        return lane
    }

    /// `true` while the screen is off and the phone is on battery, so that it may doze.
    package var atRest: Lane<Bool> {
        var lane = Lane(false)
        Lane.pairs(screen, plugged) { start, _, screen, plugged in lane.set(!screen && !plugged, at: start) }
        lane.finish(at: length)
        return lane
    }

    package var dozeTimes: DozeTimes { DozeTimes(self) }

    /// Longest time without use and charger, in milliseconds. After an overflow, the history does not show use.
    fileprivate var longestRest: Int64 {
        let end = history.overflow ?? length
        return unused.stretches.filter(\.value).map { min($0.end, end) - $0.start }.max() ?? 0
    }

    /// `true` while the screen is on, except for looks at a locked screen, which do not end Doze (`WAIT_FOR_UNLOCK` of
    /// `DeviceIdleController`): the recorded Doze continues during such a look, or in a window of deep Doze after it.
    package var use: Lane<Bool> {
        var lane = Lane(false)
        for stretch in screen.stretches where stretch.value && !isLookOnly(stretch) {
            lane.set(true, at: stretch.start)
            lane.set(false, at: stretch.end)
        }
        lane.finish(at: length)
        return lane
    }

    private func isLookOnly(_ look: LaneStretch<Bool>) -> Bool {
        let states = Array(doze.overlapping(look.start..<look.end))
        guard states.count == 1, let state = states.first, state.start < look.start else { return false }
        if state.value != .off { return look.end < state.end }
        // After use, deep Doze needs longer than its longest window, except with battery saver.
        let isWindow = state.length <= Self.longestWindow && doze.value(at: state.end) == .deep
        return isWindow && doze.value(at: state.start - 1) == .deep && powerSave.value(at: look.start) != true
    }

    /// Longest window of deep Doze in Android's source (`doze.deep.maintenance-limit`, 10 min), and a minute.
    private static let longestWindow: Int64 = 660_000

    /// The times at rest that begin without Doze and without battery saver, with which deep Doze comes after a minute:
    /// the beginning of each, and the states of Doze that follow.
    fileprivate func waysToDoze(
        _ lane: Lane<RecordedDoze>
    ) -> [(start: Int64, states: ArraySlice<LaneStretch<RecordedDoze>>)] {
        unused.stretches.compactMap { rest in
            guard rest.value, lane.value(at: rest.start) == .off,
                powerSave.total(where: { $0 }, within: rest.start..<rest.end) == 0
            else { return nil }
            return (rest.start, lane.overlapping(rest.start..<rest.end).drop { $0.start <= rest.start })
        }
    }
}
